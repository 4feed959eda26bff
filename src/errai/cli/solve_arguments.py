"""The arguments of `errai solve` as one typed object, and the requests that they make."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from errai.agents.python_file import load_value
from errai.cli.menu_options import SpotChips, menu_text, rake_text
from errai.cli.options import lock_texts, parse_bytes
from errai.errors import InputError
from errai.games.libratus import BETS, read_endgame
from errai.games.spot import Spot
from errai.games.strategies import StrategyKind
from errai.solutions.efg_file import is_efg, read_efg
from errai.solutions.game_kinds import Game
from errai.solutions.locking import locked_spot
from errai.solutions.method import Goal
from errai.solutions.request import Resources, SolveRequest, SpotOptions, pot_target_mbb
from errai.solutions.solution import Solution
from errai.solvers.flat_solver import Sampling, Updates
from errai.solvers.variants import Variant
from errai.storage.solution_directory import is_saved

# The options that a saved solution already knows: `--resume` takes them from there.
_OF_A_SOLUTION = (
    *("algorithms", "engine", "updates", "averaging_delay", "alpha", "beta", "gamma", "sampling", "seed", "precision"),
    *("board", "betting", "range_bb", "range_dealer", "reaches", "measure", "measure_every"),
    *("pot", "stack", "last_round", "bets", "add_all_in", "force_all_in", "merge", "rake", "rake_cap", "locks"),
)
# The options that a locked solution takes from the stored one.
_OF_A_STORED_SPOT = tuple(name for name in _OF_A_SOLUTION if name != "locks")
# The options of poker games, which the tree of a Gambit file knows nothing about.
_OF_POKER = (
    *("board", "betting", "range_bb", "range_dealer", "reaches", "target_pot"),
    *("pot", "stack", "last_round", "bets", "add_all_in", "force_all_in", "merge", "rake", "rake_cap", "locks"),
)
# The options that an endgame of Libratus answers itself.
_OF_AN_ENDGAME = ("betting", "range_bb", "range_dealer", "stack", "last_round")
# The options of a solve in memory that a whole game from disk does not have.
_NOT_FROM_DISK = (
    *("engine", "updates", "beta", "sampling", "seed", "board", "betting", "range_bb", "range_dealer", "plot", "show"),
    *("target_pot", "reaches", "pot", "rake", "rake_cap", "locks"),
)
# The options that make the game of a run, which is known when it is resumed.
_OF_A_RUN = ("stack", "last_round", "bets", "add_all_in", "force_all_in", "merge")


def _find_algorithm(text: str | None) -> str | Variant | None:
    """The variant that `FILE.py:NAME` names; any other name as it is."""
    file, _, name = (text or "").rpartition(":")
    if not file.endswith(".py"):
        return text
    variant = load_value(Path(file), name)
    if not isinstance(variant, Variant):
        raise InputError(
            f"`{text}` must be a `Variant`; got a `{type(variant).__name__}`",
            hint='as in `MINE = errai.Variant("mine", errai.Exponents(2.0, 0.5, 3.0), floor=False)`',
        )
    return variant


@dataclass(frozen=True, kw_only=True)
class SolveArguments:
    """Every argument of the command; `given` are the names of those that are not defaults."""

    game: str | None
    board: str | None
    betting: str | None
    range_bb: str | None
    range_dealer: str | None
    reaches: Path | None
    pot: str | None
    stack: str | None
    last_round: int | None
    bets: tuple[str, ...]
    add_all_in: str | None
    force_all_in: str | None
    merge: str | None
    rake: str | None
    rake_cap: str | None
    locks: tuple[str, ...]
    algorithms: tuple[str, ...]
    iterations: int | None
    target_mbb: float | None
    target_pot: float | None
    measure: StrategyKind
    measure_every: int | None
    engine: str
    updates: Updates
    averaging_delay: int
    alpha: float | None
    beta: float | None
    gamma: float | None
    sampling: Sampling | None
    seed: int
    precision: Literal["float32", "float64", "uint16", "fixed", "lossless"] | None
    memory: str | None
    flops: str | None
    scale: float | None
    coding: Literal["small", "fast"] | None
    draw_boards: int | None
    draw_until: int | None
    cluster: str | None
    checkpoint_to: Path | None
    num_threads: int | None
    dry_run: bool
    out: Path | None
    resume: Path | None
    plot: Path | None
    show: bool
    as_json: bool
    given: frozenset[str]

    @classmethod
    def of(cls, context: click.Context) -> "SolveArguments":
        """What the command line gave."""
        given = (
            option.name
            for option in context.command.params
            if option.name and context.get_parameter_source(option.name) is not ParameterSource.DEFAULT
        )
        return cls(**context.params, given=frozenset(given))

    @property
    def asks_for_disk(self) -> bool:
        """Whether an option is one of whole games from disk."""
        return any(option is not None for option in (self.memory, self.flops, self.cluster, self.checkpoint_to))

    @property
    def resources(self) -> Resources:
        memory_bytes = None if self.memory is None else parse_bytes(self.memory)
        return Resources(num_threads=self.num_threads, memory_bytes=memory_bytes, cluster=self.cluster)

    @property
    def chips(self) -> SpotChips:
        """The game with its stacks and rounds, and the chips of a spot."""
        assert self.game is not None
        return SpotChips.of(self.game, pot=self.pot, stack=self.stack, last_round=self.last_round)

    @property
    def menu(self) -> str:
        """The bet menu; empty without one."""
        return menu_text(self.bets, add_all_in=self.add_all_in, force_all_in=self.force_all_in, merge=self.merge)

    def given_goal(self) -> dict[str, Any]:
        """What was said about when to stop, checked."""
        asked: dict[str, Any] = {
            name: getattr(self, name) for name in ("iterations", "target_mbb", "measure_every") if name in self.given
        }
        Goal(**asked)
        return asked

    def request(self, algorithm: str | None) -> SolveRequest:
        """The request of a solve in memory by one algorithm."""
        assert self.game is not None
        if self.precision == "fixed" or self.precision == "lossless":
            raise InputError(
                f"`{self.precision}` is for whole games from disk; got no `--memory`",
                hint="`--memory 4G --out DIR` solves from disk; in memory there are float32, float64 and uint16",
            )
        if self.locks_a_stored_spot:
            return self._stored_request(Path(self.game))
        game, spot = self._game_and_spot(self.game)
        return SolveRequest.of(
            game,
            **spot,
            algorithm=_find_algorithm(algorithm),
            engine=self.engine,
            updates=self.updates,
            averaging_delay=self.averaging_delay,
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
            sampling=self.sampling,
            seed=self.seed,
            precision=self.precision,
            iterations=self.iterations,
            target_mbb=self.target_mbb,
            target_pot_percent=self.target_pot,
            strategy=self.measure,
            measure_every=self.measure_every,
            num_threads=self.num_threads,
        )

    @property
    def locks_a_stored_spot(self) -> bool:
        """Whether GAME is the directory of a solution that is to be solved again with locks."""
        return bool(self.locks) and self.game is not None and is_saved(Path(self.game))

    def _stored_request(self, directory: Path) -> SolveRequest:
        """The request of a saved solution, with locks, and maybe with another goal."""
        solution = Solution.open(directory, num_threads=self.num_threads)
        target_mbb = self.target_mbb
        if self.target_pot is not None:
            target_mbb = pot_target_mbb(solution.start, self.target_pot)
        goal = solution.goal
        if self.iterations is not None or target_mbb is not None:
            goal = replace(goal, iterations=self.iterations, target_mbb=target_mbb)
        method = solution.method
        if method.precision == "uint16":  # which keeps no locks
            method = replace(method, precision="float32")
        spot = locked_spot(solution, lock_texts(self.locks))
        return SolveRequest(spot, method, goal, self.resources)

    def _game_and_spot(self, game: str) -> tuple[Game, SpotOptions]:
        """The game, and the options that make a spot of it."""
        if is_efg(game):
            return read_efg(game), {}
        chips, menu = self.chips, self.menu
        rake = rake_text(self.rake, self.rake_cap)
        locks = lock_texts(self.locks) or None
        if self.reaches is not None:
            return self._endgame(self.reaches, chips, bets=menu, rake=rake), {"locks": locks}
        return chips.definition, {
            "board": self.board,
            "betting": self.betting,
            "range_bb": self.range_bb,
            "range_dealer": self.range_dealer,
            "pot": chips.pot,
            "stack": chips.stack,
            "bets": menu or None,
            "rake": rake,
            "locks": locks,
        }

    def _endgame(self, reaches: Path, chips: SpotChips, *, bets: str, rake: str | None) -> Spot:
        """The spot of an endgame of Libratus."""
        spot = read_endgame(reaches).spot(chips.definition, board=self.board, pot=chips.pot, bets=bets or BETS)
        return replace(spot, rake=rake or "")

    def verify_in_memory(self, context: click.Context) -> None:
        """Refuse combinations that mean nothing to a solve in memory."""
        if (self.game is None) == (self.resume is None):
            raise click.UsageError("give either GAME or `--resume DIR`", context)
        if self.target_mbb is not None and self.target_pot is not None:
            raise click.UsageError("give either `--target` or `--target-pot`", context)
        for option, value in (
            ("--scale", self.scale),
            ("--coding", self.coding),
            ("--draw-boards", self.draw_boards),
            ("--draw-until", self.draw_until),
        ):
            if value is not None:
                raise click.UsageError(f"`{option}` is for whole games from disk: `--memory 4G`", context)
        if self.dry_run and (self.resume is not None or len(self.algorithms) > 1):
            raise click.UsageError("`--dry-run` is about one new solve", context)
        if self.out is not None and len(self.algorithms) > 1:
            raise click.UsageError(f"`--out` saves one solution; got {len(self.algorithms)} algorithms", context)
        if self.resume is not None:
            self._refuse(context, _OF_A_SOLUTION, "cannot change when a solution is resumed")
        if self.locks_a_stored_spot:
            self._refuse(context, _OF_A_STORED_SPOT, "is known of a saved spot; leave it out with `--lock`")
        if self.game is not None and is_efg(self.game):
            self._refuse(context, _OF_POKER, "is for poker games; a Gambit file is a tree")
        if self.reaches is not None:
            self._refuse(context, _OF_AN_ENDGAME, "is known of an endgame of Libratus; leave it out with `--reaches`")

    def verify_from_disk(self, context: click.Context) -> None:
        """Refuse combinations that mean nothing to a whole game from disk."""
        if (self.game is None) == (self.resume is None):
            raise click.UsageError("give either GAME or `--resume DIR`", context)
        self._refuse(context, _NOT_FROM_DISK, "is not for whole games from disk")
        if self.resume is not None:
            self._refuse(context, _OF_A_RUN, "cannot change when a run is resumed")
        if len(self.algorithms) > 1:
            raise click.UsageError("a run from disk is by one algorithm", context)
        if self.resume is not None and self.dry_run:
            raise click.UsageError("`--dry-run` is about one new solve", context)
        if self.game is not None and self.out is None and not self.dry_run:
            raise click.UsageError("a whole game from disk needs a directory: `--out DIR`", context)

    def _refuse(self, context: click.Context, names: tuple[str, ...], reason: str) -> None:
        for option in context.command.params:
            if option.name in names and option.name in self.given:
                raise click.UsageError(f"`{option.opts[0]}` {reason}", context)
