"""The settings of a run of a whole game: everything that decides its numbers, and nothing else.

A run's settings never change; the number of cores that work on it, their memory and their nodes may.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from math import comb, inf, log2
from typing import Any, TypedDict, Unpack

from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition, parse_definition
from errai.games.spot import Spot
from errai.games.strategies import StrategyKind
from errai.solvers.lane_steps import LaneSteps
from errai.solvers.preflop_state import PASSES_PER_ITERATION, verify_streams
from errai.solvers.variants import Variant, find_variant
from errai.storage.codec import CODINGS, Coding
from errai.trees.tree_counts import count_game_hands, count_tree
from errai.trees.whole_game import WholeGame

# Fixed point of the last round: units for a chip against all hands of the opponent. With 5, DCFR+ still passes 1 mbb/g
# (docs/reference/benchmarks.md). The rounds above are a hundredth of the data and matter more, so they are kept finer;
# the flop's own numbers are kept as they are.
DEFAULT_SCALE = 5.0
FINER_ABOVE = 16.0
# The average has as many units, for every unit of the scale, for a hand that always gets there and all weights. At a
# scale of 5 rounding then costs a hundredth of a mbb/g on turns of hold'em (docs/reference/benchmarks.md).
AVERAGE_UNITS = 512.0
# An iteration adds less than a unit to most sums of an average; rounded to the nearest, they would never grow. So the
# point from which a sum is rounded up moves from iteration to iteration, by the golden ratio, which visits all parts of
# a unit evenly. It is the same for all hands, so that hands that are alike stay alike (docs/reference/benchmarks.md).
_GOLDEN_RATIO = (5**0.5 - 1) / 2
_LEAST_ROUNDING = 1 / 32  # a sum that does not change must keep its code, whatever the last bits of its float
LEAST_SCALE, MOST_SCALE = 1e-9, 1e9
MOST_DRAWN = 48  # the rivers below a turn of hold'em
# The work of an iteration beside that of one that visits all boards and updates no average, for estimates of time:
# what an iteration takes whatever it visits, and one that also updates the average (docs/reference/benchmarks.md).
_FIXED_WORK = 0.2
_AVERAGED_WORK = 1.8


class RunMethod(TypedDict, total=False):
    """How a whole game is solved from disk; what is left out takes its default."""

    algorithm: str
    alpha: float | None
    gamma: float | None
    with_average: bool
    averaging_delay: int
    draw_boards: int
    draw_until: int
    scale: float
    coding: Coding
    bets: str


@dataclass(frozen=True)
class RunSettings:
    """The game, its flops and the method; `scale` 0 keeps all numbers as they are, without a loss."""

    name: str
    definition_text: str
    flop_factors: tuple[tuple[str, float], ...] | None = None  # None: all flops
    num_turns: int | None = None  # of every flop; None: all
    algorithm: str = "dcfr+"
    alpha: float | None = None
    gamma: float | None = None
    with_average: bool = True
    averaging_delay: int = 0
    draw_boards: int = 1  # one in so many of the last round is visited, ...
    draw_until: int = 0  # ... in so many iterations
    scale: float = DEFAULT_SCALE
    coding: Coding = "small"  # of numbers in fixed point
    bets: str = ""  # the menu of a no-limit game

    def __post_init__(self) -> None:
        verify_streams(self.variant)
        if self.start is not None:
            object.__setattr__(self, "bets", self.start.bets)
        if self.scale and not LEAST_SCALE <= self.scale <= MOST_SCALE:
            raise InputError(
                f"`scale` must be 0 or from {LEAST_SCALE:g} to {MOST_SCALE:g}; got `{self.scale:g}`",
                hint="0 keeps numbers as they are",
            )
        if self.coding not in CODINGS:
            raise InputError(f"`coding` must be one of {', '.join(CODINGS)}; got `{self.coding}`")
        if self.coding == "fast" and not self.scale:
            raise InputError(
                "the coding `fast` is one of numbers in fixed point; these are kept as they are",
                hint="leave out `--coding`, or `--precision lossless`",
            )
        for text, factor in self.flop_factors or ():
            if not 0 < factor < inf:
                raise InputError(f"the factor of the flop `{text}` must be positive and finite; got `{factor}`")
        if self.averaging_delay < 0:
            raise InputError(f"`averaging_delay` must not be negative; got `{self.averaging_delay}`")
        self._verify_draws()

    def _verify_draws(self) -> None:
        if not 1 <= self.draw_boards <= MOST_DRAWN:
            raise InputError(f"`draw_boards` must be from 1 to {MOST_DRAWN}; got `{self.draw_boards}`")
        if self.draw_until < 0:
            raise InputError(f"`draw_until` must not be negative; got `{self.draw_until}`")
        if (self.draw_boards > 1) != (self.draw_until > 0):
            raise InputError(
                f"`draw_boards` and `draw_until` belong together; got `{self.draw_boards}` and `{self.draw_until}`",
                hint="`--draw-boards 4 --draw-until 100 --averaging-delay 150 --gamma 0` visits one in four boards in "
                "the first 100 iterations, and all in the others",
            )
        if self.with_average and self.draw_until > self.averaging_delay:
            raise InputError(
                f"an average takes in all boards: it must begin after iteration {self.draw_until:,}; "
                f"`averaging_delay` is `{self.averaging_delay}`",
                hint=f"`--averaging-delay {2 * self.draw_until} --gamma 0`, or `--measure current` for no average",
            )

    @classmethod
    def of(
        cls,
        definition: GameDefinition,
        flop_factors: Mapping[tuple[int, ...], float] | None = None,
        **method: Unpack[RunMethod],
    ) -> "RunSettings":
        """The settings of a run of `definition`."""
        factors = None
        if flop_factors is not None:
            factors = tuple((definition.deck.text(cards), factor) for cards, factor in flop_factors.items())
        return cls(definition.name, format_definition(definition), flop_factors=factors, **method)

    @classmethod
    def from_json(cls, entries: Mapping[str, Any]) -> "RunSettings":
        factors = entries["flop_factors"]
        return cls(**{**entries, "flop_factors": factors and tuple((text, factor) for text, factor in factors)})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def differences(self, other: "RunSettings") -> list[str]:
        """`scale: 0.5 there, 2.0 here`, for every setting that differs."""
        own, others = self.to_json(), other.to_json()
        return [f"{name}: {own[name]} there, {others[name]} here" for name in own if own[name] != others[name]]

    @cached_property
    def definition(self) -> GameDefinition:
        return parse_definition(self.definition_text, name=self.name, source=self.name)

    @cached_property
    def start(self) -> Spot | None:
        """The beginning of a no-limit game with its bet menu, which is checked here; None for a limit game."""
        if self.definition.is_limit and not self.bets:
            return None
        return Spot(self.definition, bets=self.bets)

    @cached_property
    def game(self) -> WholeGame:
        deck = self.definition.deck
        factors = None
        if self.flop_factors is not None:
            factors = {deck.parse(text): factor for text, factor in self.flop_factors}
        return WholeGame(self.definition, factors, self.num_turns, None if self.start is None else self.start.menu)

    @property
    def num_infosets(self) -> int:
        """Canonical infosets of the first round and of the flops of the run."""
        if self.flop_factors is None:
            return count_tree(self.game.betting.streets, count_game_hands(self.definition)).infosets
        first = self.game.top.rounds[0].num_infosets
        return first + sum(self.game.flop_tree(flop).num_infosets for flop in range(len(self.game.flops)))

    @property
    def variant(self) -> Variant:
        return find_variant(self.algorithm).with_exponents(alpha=self.alpha, gamma=self.gamma)

    @property
    def has_symbols(self) -> bool:
        """Whether numbers are coded by their probability in the version before."""
        return bool(self.scale) and self.coding == "small"

    @property
    def strategies(self) -> tuple[StrategyKind, ...]:
        """The strategies that are kept for each player."""
        return ("current", "average") if self.with_average else ("current",)

    @property
    def measured_strategy(self) -> StrategyKind:
        """The strategy that a target is about."""
        return self.strategies[-1]

    def steps(self) -> LaneSteps:
        return LaneSteps(self.variant, self.averaging_delay, draw_boards=self.draw_boards, draw_until=self.draw_until)

    def work_of_passes(self, passes: float) -> float:
        """About what the first passes take, in passes that visit all boards and update no average."""
        drawn = min(passes, PASSES_PER_ITERATION * self.draw_until)
        averaged = passes - min(passes, PASSES_PER_ITERATION * self.averaging_delay) if self.with_average else 0.0
        saved_by_draws = drawn * (1 - _FIXED_WORK) * (1 - 1 / self.draw_boards)
        return passes - saved_by_draws + averaged * (_AVERAGED_WORK - 1)

    def scales(self, strategy: StrategyKind) -> tuple[float, ...]:
        """Of each round of a flop's tree, as the codec takes it; 0 where numbers are kept as they are.

        A regret is a sum over the opponent's hands, so that a chip against all of them is as many as they are.
        """
        definition = self.definition
        hole = definition.num_hole_cards
        opponent_hands = comb(definition.deck.size - sum(definition.num_board_cards) - hole, hole)
        last = self.scale / opponent_hands if strategy == "current" else self.scale * AVERAGE_UNITS
        return (0.0, *[last * FINER_ABOVE] * (definition.num_rounds - 3), last)

    def average_shift(self, iteration: int) -> int:
        """By how many bits the sums of an average are shortened, as their weights add up.

        The units of an average are a part of the weight of all iterations. As that grows, they do, in powers of two.
        """
        counted = range(1, iteration - self.averaging_delay + 1)
        return int(log2(max(sum(float(number) ** self.variant.exponents.gamma for number in counted), 1.0)))

    def average_rounding(self, iteration: int) -> float:
        """The part of a unit that is added to the sums of an average before they are rounded down."""
        place = _GOLDEN_RATIO * (iteration - self.averaging_delay) % 1.0
        return _LEAST_ROUNDING + (1 - 2 * _LEAST_ROUNDING) * place
