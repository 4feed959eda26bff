"""The flops of a run on the nodes of a cluster.

1. Every node has one worker with one thread per core, and a directory of its own, `worker-NODE`, below that of the run:
   on the node's disk, or on one that all nodes share. The ledger stays with the process that leads the run.
2. Which worker does which flops is decided by the planner (`flop_planner.py`).
3. A worker that dies is started again on its node. If the node is gone, its flops go to other workers, which read the
   files where they find them, in the run's directories or the checkpoint, or answer that they are lost.
4. A node that joins the cluster gets a worker, which takes its share.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Literal

from errai.errors import WorkerError
from errai.games.strategies import StrategyKind
from errai.passes.section_pass import PassStoppedError
from errai.runs.flop_executor import Float32Array, JudgedValue
from errai.runs.flop_planner import FlopPlanner, Instruction
from errai.runs.flop_worker import FlopAnswer, FlopLostError, FlopWorker
from errai.runs.memory import RunResources
from errai.runs.run import WholeRun
from errai.runs.settings import RunSettings
from errai.storage.ledger import PassRecord
from errai.storage.run_identity import RunIdentity
from errai.workers.ray_cluster import Node, RayCluster, RayWorker, connected
from errai.workers.remote import Call, WorkerLost

_MAX_STARTS = 3  # on a node, as long as no worker gets ready there
_START_SECONDS = 300.0
_SECONDS_BETWEEN_ROLL_CALLS = 10.0
_REMOVING_SECONDS = 10.0
_WAIT_SECONDS = 1.0  # between two questions whether to stop

Work = Callable[[FlopWorker], Any]


@contextmanager
def open_ray_flops(
    run: WholeRun,
    resources: RunResources,
    *,
    address: str,
    checkpoint: Path | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Iterator["RayFlops"]:
    """Within, an executor on the nodes of the cluster at `address`; `resources` are those of one node."""
    with connected(address) as cluster:
        flops = RayFlops(cluster, run, resources, checkpoint=checkpoint, should_stop=should_stop)
        try:
            flops.gather()
            yield flops
            flops.finish_removing()
        finally:
            flops.stop()


@dataclass(frozen=True, eq=False)
class _Seat:
    """A worker on a node."""

    name: str
    node: Node
    num_threads: int
    worker: RayWorker
    passes_done: list[int]  # of every flop, when it was started
    started_at: float


@dataclass(frozen=True)
class _Request:
    """A request to a worker."""

    seat: _Seat
    task: Literal["start", "flop", "remove"]
    flop: int = -1


class RayFlops:
    """The workers of a cluster, as an executor."""

    def __init__(
        self,
        cluster: RayCluster,
        run: WholeRun,
        resources: RunResources,
        *,
        checkpoint: Path | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self._cluster = cluster
        self._run = run
        self._resources = resources
        self._checkpoint = None if checkpoint is None else checkpoint.absolute()
        self._should_stop = should_stop
        self._planner = FlopPlanner([board.hands[0].num_hands for board in run.game.flops])
        self._seats: dict[str, _Seat] = {}
        self._asked: dict[Call, _Request] = {}
        self._failed_starts: Counter[str] = Counter()  # by node
        self._called_roll_at = self._somebody_was_there_at = monotonic()

    def update(self, flops: Sequence[int], record: PassRecord) -> Generator[FlopAnswer | FlopLostError, None, None]:
        def work(instruction: Instruction) -> Work:
            return partial(FlopWorker.update, flop=instruction.flop, record=record, num_threads=instruction.num_threads)

        yield from self._do_all(flops, work)

    def best_response(
        self, flops: Sequence[int], *, player: int, strategy: StrategyKind, passes_done: int, next_reach: Float32Array
    ) -> Generator[JudgedValue | FlopLostError, None, None]:
        def work(instruction: Instruction) -> Work:
            return partial(
                _judge,
                flop=instruction.flop,
                player=player,
                strategy=strategy,
                passes_done=passes_done,
                next_reach=next_reach,
                num_threads=instruction.num_threads,
            )

        yield from self._do_all(flops, work)

    def remove_old_files(self, flop: int, passes_done: int) -> None:
        """Request it from the worker that the flop belongs to, without waiting for it."""
        name = self._planner.owner(flop)
        if name in self._planner.present:
            work = partial(FlopWorker.remove_old_files, flop=flop, passes_done=passes_done)
            self._ask(_Request(self._seats[name], "remove"), work)

    def copy_to(self, checkpoint: Path, flops: Sequence[int], passes_done: int) -> None:
        target = checkpoint.absolute()

        def work(instruction: Instruction) -> Work:
            return partial(FlopWorker.copy_to, checkpoint=target, flop=instruction.flop, passes_done=passes_done)

        for _ in self._do_all(flops, work):
            pass

    def gather(self) -> None:
        """Wait for a worker on every node, as the files of some flops may be seen from one node only."""
        self._hire()
        while self._starting:
            self._give_up_late_ones()
            for _ in self._answers():
                pass
        self._verify_somebody_is_there()

    def finish_removing(self) -> None:
        """Give the workers time to remove old files."""
        end = monotonic() + _REMOVING_SECONDS
        while any(asked.task == "remove" for asked in self._asked.values()) and monotonic() < end:
            for _ in self._answers():
                pass

    def stop(self) -> None:
        """End all workers."""
        for seat in list(self._seats.values()):
            self._dismiss(seat)

    @property
    def nodes(self) -> dict[str, Node]:
        """The node of each worker."""
        return {seat.name: seat.node for seat in self._seats.values()}

    @property
    def _starting(self) -> list[_Seat]:
        return [asked.seat for asked in self._asked.values() if asked.task == "start"]

    def _do_all(self, flops: Sequence[int], work: Callable[[Instruction], Work]) -> Generator[Any, None, None]:
        """Answers as they are ready."""
        self._planner.begin(flops)
        try:
            while not self._planner.is_complete:
                if monotonic() - self._called_roll_at > _SECONDS_BETWEEN_ROLL_CALLS:
                    self._give_up_late_ones()
                    self._hire()
                for instruction in self._planner.give_out():
                    asked = _Request(self._seats[instruction.worker], "flop", instruction.flop)
                    self._ask(asked, work(instruction))
                if self._should_stop is not None and self._should_stop():
                    raise PassStoppedError
                yield from self._answers()
                self._verify_somebody_is_there()
        finally:
            # Two workers on the same flop would write the same file: those still at work are ended, and started again.
            for seat in {asked.seat for asked in self._asked.values() if asked.task == "flop"}:
                self._dismiss(seat)
                self._planner.pause(seat.name)
            self._planner.begin([])
            self._called_roll_at = float("-inf")

    def _answers(self) -> Generator[Any, None, None]:
        """The answers so far; waits for a moment if there are none."""
        if not self._asked:
            sleep(_WAIT_SECONDS)
            return
        for call in self._cluster.wait(self._asked.keys(), timeout_seconds=_WAIT_SECONDS):
            if call not in self._asked:
                continue  # of a worker that is known to be lost
            asked = self._asked.pop(call)
            answer: Any
            try:
                answer = call.result()
            except FlopLostError as lost:
                answer = lost
            except WorkerLost as lost:
                self._lose(asked.seat, str(lost), was_ready=asked.task != "start")
                continue
            if asked.task == "start":
                self._welcome(asked.seat, answer)
            elif asked.task == "flop":
                self._planner.finish(asked.seat.name, asked.flop)
                yield answer

    def _ask(self, asked: _Request, work: Work) -> None:
        self._asked[asked.seat.worker.do(work)] = asked

    def _hire(self) -> None:
        """Start a worker on every node that has none; a worker whose node is gone is given up."""
        self._called_roll_at = monotonic()
        manned = {seat.node.id for seat in self._seats.values()}
        for node in self._cluster.nodes():
            if node.num_cpus and node.id not in manned and self._failed_starts[node.id] < _MAX_STARTS:
                self._start(node)
        for name in self._planner.away:
            if name not in self._seats:
                self._planner.leave(name)

    def _start(self, node: Node) -> None:
        name = next(name for name in _names(node) if name not in self._seats)
        num_threads = min(node.num_cpus, self._resources.num_threads)
        make_work = partial(
            _make_work,
            self._run.directory.absolute(),
            self._run.settings.to_json(),
            self._run.identity,
            name=name,
            checkpoint=self._checkpoint,
            max_trees=self._resources.max_trees,
        )
        worker = self._cluster.start_worker(make_work, node=node, num_cpus=num_threads, num_threads=num_threads)
        passes_done = self._run.passes_done_by_flop()
        seat = _Seat(name, node, num_threads, worker, passes_done, monotonic())
        self._seats[name] = seat
        self._ask(_Request(seat, "start"), partial(_find_readable, passes_done=passes_done))

    def _welcome(self, seat: _Seat, readable: list[int]) -> None:
        """A worker is ready. Flops that changed since it looked for files may have their files elsewhere."""
        now = self._run.passes_done_by_flop()
        still_readable = {flop for flop in readable if seat.passes_done[flop] == now[flop]}
        self._planner.join(seat.name, num_threads=seat.num_threads, readable=still_readable)
        self._failed_starts[seat.node.id] = 0

    def _lose(self, seat: _Seat, reason: str, *, was_ready: bool) -> None:
        self._dismiss(seat)
        if was_ready:
            self._planner.lose(seat.name, reason)
        else:
            self._failed_starts[seat.node.id] += 1
        self._hire()

    def _give_up_late_ones(self) -> None:
        """Give up workers that do not start: a cluster that others use too may never have room for them."""
        for seat in self._starting:
            if monotonic() - seat.started_at > _START_SECONDS:
                self._failed_starts[seat.node.id] = _MAX_STARTS
                self._dismiss(seat)

    def _dismiss(self, seat: _Seat) -> None:
        del self._seats[seat.name]
        self._asked = {call: asked for call, asked in self._asked.items() if asked.seat is not seat}
        seat.worker.stop()

    def _verify_somebody_is_there(self) -> None:
        if self._planner.present:
            self._somebody_was_there_at = monotonic()
        elif not self._seats or monotonic() - self._somebody_was_there_at > _START_SECONDS:
            raise WorkerError(
                "no node of the cluster works on the run",
                hint="`ray status` shows the free resources; nothing is lost, and `errai solve --resume` continues",
            )


def _names(node: Node) -> Iterator[str]:
    """Candidates, the same whenever a node joins; several nodes can be on one machine."""
    yield node.name
    number = 2
    while True:
        yield f"{node.name}-{number}"
        number += 1


def _make_work(
    directory: Path,
    settings_json: dict[str, Any],
    identity: RunIdentity,
    *,
    name: str,
    checkpoint: Path | None,
    max_trees: int,
) -> Callable[[Work], Any]:
    settings = RunSettings.from_json(settings_json)
    worker = FlopWorker(directory, settings, identity, name=name, checkpoint=checkpoint, max_trees=max_trees)
    worker.claim()
    worker.remove_partial_files()
    return lambda work: work(worker)


def _find_readable(worker: FlopWorker, *, passes_done: Sequence[int]) -> list[int]:
    """The flops whose files this worker can read."""
    return [flop for flop, done in enumerate(passes_done) if worker.is_complete(flop, done)]


def _judge(worker: FlopWorker, *, flop: int, **question: Any) -> JudgedValue:
    return JudgedValue(flop, worker.best_response(flop, **question))
