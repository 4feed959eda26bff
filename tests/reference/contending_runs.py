"""Two processes that continue the same run at the same moment, again and again.

    python contending_runs.py DIRECTORY TRIALS

In every trial both try to do one more iteration. Prints how many of all attempts finished and how many were refused.
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path

from errai.runs.run import WholeRun
from errai.storage.lease import LeaseHeldError
from reference.killed_runs import advance

EXITS = {0: "finished", 3: "refused"}


def contend(directory: Path, iterations: int, start: int) -> None:
    code = 1
    try:
        run = WholeRun.open(directory)
        os.read(start, 1)  # both begin at once
        advance(run, {"iterations": iterations, "measure_every": 1}, None)
        code = 0
    except LeaseHeldError:
        code = 3
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def main() -> None:
    directory, trials = Path(sys.argv[1]), int(sys.argv[2])
    found: Counter[str] = Counter()
    for trial in range(trials):
        start, go = os.pipe()
        processes = []
        for _ in range(2):
            process = os.fork()
            if process == 0:
                contend(directory, trial + 1, start)
            processes.append(process)
        os.write(go, b"go")
        codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in processes]
        os.close(start)
        os.close(go)
        assert 0 in codes, f"both failed: {codes}"
        found.update(EXITS.get(code, f"failed with {code}") for code in codes)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
