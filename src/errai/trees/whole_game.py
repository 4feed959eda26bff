"""A whole game cut at the flop: the first round on top, and below it every flop a tree of its own.

The flops meet only through the first round: each takes the reach of the betting sequences that lead to it, one lane a
sequence, and gives back their values. A flop stands for all that a relabelling of suits makes of it. "Flop" is the
board of the second round, whatever the number of its cards.

A game can be restricted to some flops. Then chance deals only these (and what relabelling makes of them), each in
proportion to its natural chance times its weight, and the chances are scaled so that they add up to what they were.
Players who are all-in before the flop see only these flops too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.games.bet_menu import BetMenu
from errai.games.definition import GameDefinition
from errai.games.state import initial_state
from errai.trees.betting_tree import BettingTree, build_betting_tree, build_betting_trees
from errai.trees.board_deals import deal_cards
from errai.trees.public_tree import PublicTree, build_public_tree
from errai.trees.symmetry import Symmetry, full_symmetry
from errai.trees.tree_rounds import TreeBoard

Float32Array = NDArray[np.float32]
LEAST_ROUNDS = 3
# Of a flop that is named with a weight: wide enough for every use, and far from where single precision ends.
_LEAST_WEIGHT, _MOST_WEIGHT = 1e-6, 1e6


class _Board(Protocol):
    """A board that stands for `multiplicity` boards."""

    @property
    def cards(self) -> tuple[int, ...]: ...

    @property
    def multiplicity(self) -> int: ...


@dataclass(frozen=True)
class WholeGame:
    """A game and the flops that are dealt in it, each with the factor of its chance; `None` stands for all flops."""

    definition: GameDefinition
    flop_factors: Mapping[tuple[int, ...], float] | None = None
    num_turns: int | None = None  # of every flop, spread out; None stands for all
    menu: BetMenu | None = None  # of a no-limit game

    def __post_init__(self) -> None:
        _verify_can_cut(self.definition)

    @cached_property
    def betting(self) -> BettingTree:
        """The betting of all rounds."""
        betting = build_betting_tree(initial_state(self.definition), self.menu)
        if len(betting.streets) < self.definition.num_rounds:
            raise InputError(
                f"a game from disk needs betting in every round; with this menu all of it ends in round "
                f"{len(betting.streets)}",
                hint="leave `--memory` out: the game is small",
            )
        return betting

    @cached_property
    def top(self) -> PublicTree:
        """The first round, with the flops below it."""
        return build_public_tree(
            self.definition, betting=self.betting, num_rounds=2, next_boards=self.flop_factors, precision="float32"
        )

    @property
    def flops(self) -> tuple[TreeBoard, ...]:
        return self.top.rounds[1].boards

    def flop_tree(self, flop: int) -> PublicTree:
        """The tree below one flop; its root has a lane for every betting sequence of the first round."""
        starts = tuple(start for group in self.top.rounds[1].groups for start in group.starts)
        betting = build_betting_trees(starts, self.menu)
        board = self.flops[flop].cards
        turns = None
        if self.num_turns is not None:
            below = build_public_tree(self.definition, betting=betting, board=board, num_rounds=2).rounds[1].boards
            turns = _scaled(below, _spread_out(below, min(self.num_turns, len(below))))
        return build_public_tree(self.definition, betting=betting, board=board, next_boards=turns, precision="float32")

    def flop_reach(self, flop: int, next_reach: Float32Array) -> Float32Array:
        """The rows of the hands on a flop, from those of the hands before it."""
        above = self.top.rounds[0].boards[0].hands[0]  # all hands, of both players
        return np.ascontiguousarray(next_reach[above.hand_of_raw[self.flops[flop].hands[0].raw_hands]])

    def next_reach_shape(self) -> tuple[int, int]:
        return self.top.rounds[0].most_hands(0), self.top.rounds[1].padded_lanes

    def flop_text(self, flop: int) -> str:
        """`2c3d4h`, as in the names of files."""
        return self.definition.deck.text(self.flops[flop].cards)


def _verify_can_cut(definition: GameDefinition) -> None:
    if definition.num_rounds < LEAST_ROUNDS or definition.num_board_cards[0] or not definition.num_board_cards[1]:
        raise InputError(
            f"`{definition.name}` cannot be cut at the flop: that takes {LEAST_ROUNDS} rounds or more, the second "
            "of which deals the first cards of the board",
            hint="small games are solved in memory",
        )


def choose_flops(definition: GameDefinition, text: str) -> dict[tuple[int, ...], float]:
    """The factors of the flops that `text` names: `AsKsQs,7h7d2c:2` with weights, or a number of flops, spread out."""
    _verify_can_cut(definition)
    symmetry = full_symmetry(definition)
    every = deal_cards(symmetry, (), definition.num_board_cards[1])
    if not text.strip().isdigit():
        return _scaled(every, _named(definition, text, every, symmetry))
    if not 1 <= int(text) <= len(every):
        raise InputError(f"there are {len(every)} flops to choose from; got `{int(text)}`")
    return _scaled(every, _spread_out(every, int(text)))


def _scaled(every: Sequence[_Board], weights: Mapping[int, float]) -> dict[tuple[int, ...], float]:
    """Factors in proportion to the weights of some boards, such that the chances add up to what they were."""
    total = sum(board.multiplicity for board in every)
    scale = total / sum(every[index].multiplicity * weight for index, weight in weights.items())
    return {every[index].cards: weights[index] * scale for index in sorted(weights)}


def _spread_out(every: Sequence[_Board], count: int) -> dict[int, float]:
    """Boards in equal steps along the order of all of them, each of which stands for as many as the others."""
    total = sum(board.multiplicity for board in every)
    ends = np.cumsum([board.multiplicity for board in every])
    chosen = np.unique(np.searchsorted(ends, (np.arange(count) + 0.5) * total / count))
    return {int(flop): 1.0 / every[flop].multiplicity for flop in chosen}


def _named(definition: GameDefinition, text: str, every: Sequence[_Board], symmetry: Symmetry) -> dict[int, float]:
    size = definition.num_board_cards[1]
    weights: dict[int, float] = {}
    names: dict[int, str] = {}
    for item in (part.strip() for part in text.split(",")):
        name, _, weight_text = item.partition(":")
        try:
            weight = float(weight_text or 1)
        except ValueError:
            weight = -1.0
        if not _LEAST_WEIGHT <= weight <= _MOST_WEIGHT:
            raise InputError(
                f"the weight of a flop must be a number from {_LEAST_WEIGHT:g} to {_MOST_WEIGHT:g}; got `{item}`",
                hint="as in `AsKsQs:0.5`; only the ratios of weights count",
            )
        cards = np.array(definition.deck.parse(name), dtype=np.uint8)
        if len(cards) != size:
            raise InputError(f"a flop has {size} different cards; got `{name}`", hint="as in `--flops AsKsQs,7h7d2c`")
        flop = next(
            index
            for index, board in enumerate(every)
            if symmetry.relabelling(cards, np.array(board.cards, dtype=np.uint8)) is not None
        )
        if flop in weights:
            raise InputError(
                f"`{name}` and `{names[flop]}` are the same flop, up to the names of the suits",
                hint="name every flop once, with a weight if it should count for more",
            )
        weights[flop], names[flop] = weight, name
    return weights


def first_round_values(top: PublicTree, player: int) -> int:
    """How many numbers a player's array of the first round holds, the unused ones at its end counted."""
    return top.num_values[player] - top.rounds[1].num_hands(player) * top.rounds[1].betting.num_actions(player)
