"""Solving from the page: one spot at a time, started, watched, paused, stopped and saved.

The solution is on the shelf under the name `UNSAVED` once it is paused or done; while it runs, its arrays change and
nobody may read them.
"""

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from starlette.concurrency import run_in_threadpool

from errai.cards.ranges import format_range, parse_range
from errai.errors import ErraiError, InputError
from errai.games.library import bundled_games, load_game
from errai.serve.shelf import UNSAVED, BusyError, Shelf
from errai.solutions.cost import estimate_cost
from errai.solutions.engines import plan_solve
from errai.solutions.request import SolveRequest
from errai.solutions.solution import Progress, Solution

Phase = Literal["empty", "running", "paused", "done", "failed"]
_TEXTS = ("board", "betting", "range_bb", "range_dealer", "bets", "rake", "locks")
_NUMBERS = ("pot", "stack", "iterations")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_MOST_TEXT = 20_000


@dataclass
class _Solve:
    """The solve on the desk."""

    solution: Solution
    phase: Phase = "running"
    is_stopping: bool = False
    seconds_left: float | None = None
    error: str | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)


class SolveDesk:
    """At most one solve, and what can be done with it."""

    def __init__(self, shelf: Shelf, *, num_threads: int | None = None) -> None:
        self._shelf = shelf
        self._num_threads = num_threads
        self._solve: _Solve | None = None

    async def estimate(self, content: dict[str, Any]) -> dict[str, Any]:
        """Memory and time of a solve before it begins."""
        request = self._parse_request(content)
        return (await run_in_threadpool(estimate_cost, request)).to_json()

    async def start(self, content: dict[str, Any]) -> dict[str, Any]:
        """Begin; the last solve is forgotten."""
        request = self._parse_request(content)
        self._verify_idle()
        plan = await run_in_threadpool(plan_solve, request)
        self._verify_idle()
        self._solve = solve = _Solve(Solution(request, plan))
        await self._go_on(solve)
        return self.status()

    def pause(self) -> dict[str, Any]:
        """Stop soon, so that the strategy can be looked at; `resume` goes on."""
        solve = self._held()
        solve.is_stopping = True
        return self.status()

    async def resume(self) -> dict[str, Any]:
        """Go on after a pause."""
        solve = self._held()
        self._verify_idle()
        if solve.phase != "paused":
            raise InputError("this solve is not paused")
        await self._go_on(solve)
        return self.status()

    async def discard(self) -> dict[str, Any]:
        """Stop and forget it."""
        solve = self._held()
        solve.is_stopping = True
        if solve.task is not None:
            await solve.task
        await self._shelf.release()
        self._solve = None
        return self.status()

    async def save(self, content: dict[str, Any]) -> dict[str, Any]:
        """Save it below the directory that the server was started with."""
        name = content.get("name")
        if set(content) != {"name"} or not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InputError("`name` must be letters, digits, `.`, `_` and `-`, at most 64", hint="`river-1`")
        solve = self._held()
        self._verify_idle()
        directory = self._shelf.place_to_save() / name
        if directory.exists():
            raise BusyError(f"`{name}` exists already", hint="choose another name")
        await run_in_threadpool(solve.solution.save, directory)
        return {"id": self._shelf.name_of(directory)}

    def status(self) -> dict[str, Any]:
        """How far it is."""
        solve = self._solve
        if solve is None:
            return {"phase": "empty", "can_save": self._shelf.can_save}
        solution = solve.solution
        spot = solution.start
        strategy = solution.goal.strategy
        return {
            "phase": solve.phase,
            "id": UNSAVED if solve.phase in ("paused", "done") else None,
            "can_save": self._shelf.can_save,
            "game": solution.name,
            "iteration": solution.iteration,
            "seconds": round(solution.seconds, 3),
            "seconds_left": solve.seconds_left,
            "memory_bytes": solution.plan.memory_bytes,
            "infosets": solution.plan.num_infosets,
            "target_mbb": solution.goal.target_mbb,
            "pot_mbb": None if spot is None else 1000 * spot.pot_chips / spot.definition.unit_chips,
            "trace": [[point.iteration, point.of(strategy)] for point in list(solution.trace)],
            "is_target_met": solution.is_target_met if solve.phase == "done" else False,
            "error": solve.error,
        }

    async def close(self) -> None:
        """Stop, because the server ends."""
        if self._solve is not None and self._solve.task is not None:
            self._solve.is_stopping = True
            await self._solve.task

    async def _go_on(self, solve: _Solve) -> None:
        solve.phase, solve.is_stopping = "running", False
        await self._shelf.release()
        solve.task = asyncio.create_task(self._run(solve))

    async def _run(self, solve: _Solve) -> None:
        def hear(progress: Progress) -> None:
            solve.seconds_left = progress.seconds_left

        try:
            await run_in_threadpool(solve.solution.resume, on_progress=hear, should_stop=lambda: solve.is_stopping)
        except ErraiError as error:
            solve.phase, solve.error = "failed", str(error)
            return
        except MemoryError:
            solve.phase, solve.error = "failed", "there is not enough memory for this solve"
            return
        solve.phase = "paused" if solve.is_stopping else "done"
        if solve.solution.iteration:
            self._shelf.hold(solve.solution)

    def _held(self) -> _Solve:
        if self._solve is None:
            raise InputError("nothing is being solved", hint="start a solve first")
        return self._solve

    def _verify_idle(self) -> None:
        if self._solve is not None and self._solve.phase == "running":
            raise BusyError("a solve is running", hint="pause it first")

    def _parse_request(self, content: dict[str, Any]) -> SolveRequest:
        allowed = {"game", "target_pot_percent", *_TEXTS, *_NUMBERS}
        unknown = sorted(content.keys() - allowed)
        if unknown:
            raise InputError(
                f"`{unknown[0][:50]}` is no part of a solve", hint=f"these are: {', '.join(sorted(allowed))}"
            )
        game = content.get("game")
        if game not in bundled_games():
            raise InputError(f"`game` must be one of {', '.join(f'`{name}`' for name in bundled_games())}")
        for name in _TEXTS:
            text = content.get(name, "")
            if not isinstance(text, str) or len(text) > _MOST_TEXT:
                raise InputError(f"`{name}` must be text of at most {_MOST_TEXT:,} characters")
        for name in _NUMBERS:
            number = content.get(name)
            if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
                raise InputError(f"`{name}` must be a whole number; got `{str(number)[:50]}`")
        percent = content.get("target_pot_percent")
        if percent is not None and (not isinstance(percent, int | float) or isinstance(percent, bool)):
            raise InputError(f"`target_pot_percent` must be a number; got `{str(percent)[:50]}`")
        options = {name: value for name, value in content.items() if name != "game" and value not in (None, "")}
        if not options.keys() & {"board", "betting"}:
            raise InputError("a solve from the page is that of a spot, with a board", hint="whole games: `errai solve`")
        if not options.keys() & {"target_pot_percent", "iterations"}:
            options["target_pot_percent"] = 0.5
        return SolveRequest.of(game, num_threads=self._num_threads, **options)


def range_json(game: str, text: str) -> dict[str, Any]:
    """A range as this program writes it, and the weight of every hand."""
    if game not in bundled_games():
        raise InputError(f"`game` must be one of {', '.join(f'`{name}`' for name in bundled_games())}")
    definition = load_game(game)
    if definition.num_hole_cards != 2:
        raise InputError(f"`{game}` deals one hole card and has no ranges")
    weights = parse_range(text, definition.deck) if text.strip() else 0.0 * parse_range("random", definition.deck)
    return {"text": format_range(weights, definition.deck) if weights.any() else "", "weights": weights.tolist()}
