"""Kills a run again and again, in the middle of everything it does, and lets it finish in the end.

    python killed_runs.py SPEC.json

It forks, as importing the program takes longer than the work: the child continues the run until it is killed. The
child's phase is seen through shared memory, so that kills while it measures or copies a checkpoint are not left to
chance. A run that finishes before it was killed often enough is followed by another one. Prints the number of kills in
each phase as JSON.
"""

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from mmap import mmap
from pathlib import Path
from typing import Any

from errai.runs.checkpoint import Checkpoint
from errai.runs.executors import open_executor
from errai.runs.flop_executor import FlopExecutor
from errai.runs.memory import plan_resources
from errai.runs.progress import RunProgress
from errai.runs.run import Outcome, WholeRun
from errai.runs.settings import RunSettings
from errai.storage.ledger import Ledger

PHASES = ("starting", "passes", "measuring", "copying")
CHECKPOINT_EVERY = 2


def advance(run: WholeRun, goal: dict[str, Any], checkpoint: Path | None, phase: mmap | None = None) -> Outcome:
    """Continue a run to its goal."""

    def enter(name: str) -> None:
        if phase is not None:
            phase[0] = PHASES.index(name)

    class WatchedCheckpoint(Checkpoint):
        def copy_if_due(self, settings: RunSettings, ledger: Ledger, executor: FlopExecutor) -> None:
            enter("copying")
            super().copy_if_due(settings, ledger, executor)
            enter("passes")

    def on_progress(progress: RunProgress) -> None:
        enter("measuring" if progress.is_measuring else "passes")

    resources = plan_resources(run.settings, num_threads=2, memory_limit_bytes=None)
    with run.owned(), open_executor(run, resources, checkpoint=checkpoint) as executor:
        return run.advance(
            executor,
            measure=run.settings.measured_strategy,
            checkpoint=None if checkpoint is None else WatchedCheckpoint(checkpoint, CHECKPOINT_EVERY),
            on_progress=on_progress,
            **goal,
        )


def child(directory: Path, goal: dict[str, Any], checkpoint: Path | None, phase: mmap) -> None:
    try:
        advance(WholeRun.open(directory), goal, checkpoint, phase)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def kill_at_random(process: int, phase: mmap, draw: random.Random) -> tuple[bool, str]:
    """Whether the process was killed before its end, and in which phase."""
    wanted = draw.choice([None, None, *PHASES[1:]])
    end = time.monotonic() + (draw.uniform(0.0, 0.5) if wanted is None else 3.0)
    while time.monotonic() < end and (wanted is None or PHASES[phase[0]] != wanted):
        if os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            break
        time.sleep(0.001)
    if wanted is not None:
        time.sleep(draw.choice((0.0, draw.uniform(0.0, 0.03))))  # at once as well: a short phase is soon over
    killed_in = PHASES[phase[0]]
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit(f"the run failed with exit code {os.WEXITSTATUS(status)}")
    return os.WIFSIGNALED(status), killed_in


def main() -> None:
    spec = json.loads(Path(sys.argv[1]).read_text())
    draw = random.Random(spec["seed"])
    base = Path(spec["directory"])
    settings = RunSettings.from_json(spec["settings"])
    kills: Counter[str] = Counter()
    number = 0
    while kills.total() < spec["kills"]:
        run = WholeRun.create(base / str(number), settings)
        run.ledger.close()
        checkpoint = base / f"{number}-copies" if spec["with_checkpoint"] else None
        is_finished = False
        while not is_finished:
            phase = mmap(-1, 1)
            process = os.fork()
            if process == 0:
                child(run.directory, spec["goal"], checkpoint, phase)
            if kills.total() < spec["kills"]:
                was_killed, killed_in = kill_at_random(process, phase, draw)
                kills[killed_in] += was_killed
                is_finished = not was_killed
            else:
                _, status = os.waitpid(process, 0)
                if status:
                    raise SystemExit(f"the run failed with status {status}")
                is_finished = True
        number += 1
    print(json.dumps({"runs": number, "kills": kills}))


if __name__ == "__main__":
    main()
