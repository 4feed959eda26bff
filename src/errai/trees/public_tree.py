"""The public tree of a limit game: boards a round, hands a board, and all betting in lanes.

A board of the tree stands for all boards that a relabelling of suits makes of it, a hand of a board for all hands that
the board's own relabellings make of it. From the top down, hand h of a board is hand `parent_hand[h]` of the one above;
from the bottom up, a hand's value is the chance-weighted sum over the boards and hands below it, `up_weight` each:

    chance of a board  x  boards that it stands for  x  raw hands of h / raw hands of its parent.

The tree begins at the start of a round: at the first for a whole game, at a later one for a spot with its board, the
chips that are in, and two ranges. It is a value: building it takes no more memory than its tables; solvers and judges
bring their own arrays, in the layout of `native/lanes/tree.hpp`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from errai._native import kernels
from errai.cards.hands import hands, num_hands
from errai.cards.strength import board_strengths
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.state import BettingState, initial_state
from errai.trees.board_deals import deal_cards
from errai.trees.round_betting import RoundBetting, build_round_betting
from errai.trees.symmetry import Symmetry, no_symmetry, root_symmetry

# How numbers are kept: as they are computed, or computed in float32 and kept as 16 bits with a scale for every lane and
# tile of hands (`native/lanes/tiles.hpp`).
Precision = Literal["float32", "float64", "uint16"]

# Widths of a block of lanes, the widest first. Measured on Rhode Island hold'em with AVX2: 16 lanes are 1.1 times as
# fast as 8 and 1.3 (float64) to 1.6 (float32) times as fast as 4.
_WIDTHS = (16, 8, 4, 1)


@dataclass(frozen=True)
class TreeBoard:
    """One board of a round."""

    cards: tuple[int, ...]
    parent: int
    multiplicity: int  # how many boards below the same parent it stands for
    first_child: int
    num_children: int
    raw_hands: NDArray[np.int16]  # the hand of the deck that stands for each hand of the board
    hand_of_raw: NDArray[np.int16]  # for each hand of the deck; -1 where it cannot be held or is in no range
    first_hand: int
    symmetry: Symmetry

    @property
    def num_hands(self) -> int:
        return len(self.raw_hands)


@dataclass(frozen=True)
class TreeRound:
    """All boards of a round, and its lanes."""

    betting: RoundBetting
    boards: tuple[TreeBoard, ...]
    num_lanes: int
    blocks: tuple[tuple[int, int], ...]  # first lane and width
    lane_committed: NDArray[np.float64]  # each player, at the start of the round

    @property
    def padded_lanes(self) -> int:
        first, width = self.blocks[-1]
        return first + width

    @property
    def num_infosets(self) -> int:
        return sum(board.num_hands for board in self.boards) * len(self.betting.nodes) * self.num_lanes


@dataclass(frozen=True)
class PublicTree:
    """A public tree; `build_public_tree` makes it."""

    definition: GameDefinition
    precision: Precision
    root: BettingState
    root_weights: tuple[NDArray[np.float64], NDArray[np.float64]]  # of each root hand, for each player
    root_sizes: NDArray[np.float64]  # raw hands that each root hand stands for
    total_weight: float  # of all pairs of hands that can be dealt together
    rounds: tuple[TreeRound, ...]
    native: kernels.LaneTree

    @property
    def num_values(self) -> tuple[int, int]:
        """How many numbers an array for each player holds, the unused ones at its end counted."""
        return self.native.num_values

    @property
    def num_scales(self) -> tuple[int, int]:
        """How many scales belong to each player's numbers when they have 16 bits."""
        return self.native.num_scales

    @property
    def num_infosets(self) -> int:
        return sum(round_.num_infosets for round_ in self.rounds)

    @property
    def dtype(self) -> type[np.floating[Any]]:
        """What the arithmetic is done in."""
        return np.float64 if self.precision == "float64" else np.float32

    def root_reach(self, player: int) -> NDArray[np.floating[Any]]:
        """The weights of a player's hands at the root, [hand][padded lane]."""
        reach = np.zeros((self.rounds[0].boards[0].num_hands, self.rounds[0].padded_lanes), dtype=self.dtype)
        reach[:, : self.rounds[0].num_lanes] = self.root_weights[player][:, None]
        return reach

    def expected_value(self, player: int, value: NDArray[np.floating[Any]]) -> float:
        """Chips a game that `player` wins when its root hands have these values, [hand][lane]."""
        weights = self.root_weights[player] * self.root_sizes
        return float(weights @ value[:, 0].astype(np.float64)) / self.total_weight


def build_public_tree(
    definition: GameDefinition,
    *,
    root: BettingState | None = None,
    board: Sequence[int] = (),
    ranges: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    root_lanes: Sequence[int] | None = None,
    num_rounds: int | None = None,
    next_boards: Mapping[tuple[int, ...], float] | None = None,
    precision: Precision = "float64",
    merge_suits: bool = True,
) -> PublicTree:
    """The public tree below `root` (the start of a round; default: of the whole game) on `board`.

    `ranges` are the weights of all hands of the deck for player 0 and player 1; without them every hand is as likely as
    any other. `root_lanes` are the chips that each player has put in on each of several betting sequences that lead to
    the root; without them there is one, that of `root`. With `num_rounds` the tree ends early: what is below is
    somebody else's. `next_boards` leaves of the boards of the second round only those named, each with a factor for its
    chance. Without `merge_suits` every board and hand is computed on its own, which is for tests.
    """
    root = root or initial_state(definition)
    if root.is_terminal or root.history[-1]:
        raise InputError("a tree begins at the start of a round", hint="end the betting with `/`, as in `rc/`")
    expected_cards = sum(definition.num_board_cards[: root.round + 1])
    if len(board) != expected_cards:
        raise InputError(
            f"round {root.round + 1} has {expected_cards} cards on the board; got {len(board)}",
            hint="board and betting must belong to the same round",
        )
    hand_cards = hands(definition.deck, definition.num_hole_cards)
    on_board = np.array(board, dtype=np.uint8)
    possible = ~np.isin(hand_cards, on_board).any(axis=1)
    weights = [np.where(possible, w, 0.0) for w in ranges or (np.ones(len(hand_cards)), np.ones(len(hand_cards)))]
    for player, own in enumerate(weights):
        if own.shape != (len(hand_cards),) or np.any(own < 0) or not np.all(np.isfinite(own)):
            raise InputError(f"the range of player {player} must be {len(hand_cards)} weights, none negative")
        if not own.any():
            raise InputError(f"no hand of player {player}'s range can be held on this board")
    total_weight = _weight_of_pairs(definition, weights[0], weights[1])
    if total_weight <= 0:
        raise InputError("no hand of one range can be dealt together with a hand of the other")

    symmetry = root_symmetry(definition, on_board, weights) if merge_suits else no_symmetry(definition)
    tree_rounds: list[TreeRound] = []
    native = kernels.LaneTree(definition.num_hole_cards)
    in_range = (weights[0] > 0) | (weights[1] > 0)
    boards = [_Pending(tuple(board), 0, 1, symmetry)]
    lane_committed = np.array(root_lanes or [0 if root.round == 0 else root.committed[0]], dtype=np.float64)
    start: BettingState | None = root
    above: TreeRound | None = None
    end = definition.num_rounds if num_rounds is None else root.round + num_rounds
    while start is not None and start.round < end:
        betting, start = build_round_betting(start)
        is_last = betting.round + 1 == definition.num_rounds
        blocks = cut_lanes(len(lane_committed))
        tree_boards, tables, below = _build_boards(
            definition, boards, betting.round, above, in_range, deals_on=betting.round + 1 < end
        )
        if above is None and next_boards is not None:
            below = _chosen(below, next_boards)
            tree_boards = (replace(tree_boards[0], num_children=len(below)),)
        padded = np.zeros(blocks[-1][0] + blocks[-1][1])
        padded[: len(lane_committed)] = lane_committed
        above = TreeRound(betting, tree_boards, len(lane_committed), blocks, padded)
        tree_rounds.append(above)
        native.add_round(_native_round(above, tables, is_last=is_last))
        lane_committed = (lane_committed[:, None] + np.array(betting.end_committed, dtype=np.float64)).ravel()
        boards = below

    first = tree_rounds[0].boards[0]
    sizes = np.bincount(first.hand_of_raw[first.hand_of_raw >= 0], minlength=first.num_hands).astype(np.float64)
    return PublicTree(
        definition=definition,
        precision=precision,
        root=root,
        root_weights=(weights[0][first.raw_hands], weights[1][first.raw_hands]),
        root_sizes=sizes,
        total_weight=total_weight,
        rounds=tuple(tree_rounds),
        native=native,
    )


def cut_lanes(num_lanes: int) -> tuple[tuple[int, int], ...]:
    """Blocks (first lane, width) that hold all lanes: the widest ones, then the narrowest that holds what is left.

    One lane beyond the vectors of eight is a block of its own, as it costs less than the rest of a vector of 16. That
    is so in every round of a spot, whose lanes are 1, 9, 81.
    """
    blocks = []
    first = 0
    while first < num_lanes:
        left = num_lanes - first
        if left % 8 == 1:
            width = max(width for width in _WIDTHS if width <= left)
        else:
            width = min((width for width in _WIDTHS if width >= left), default=max(_WIDTHS))
        blocks.append((first, width))
        first += width
    return tuple(blocks)


@dataclass(frozen=True)
class _Pending:
    cards: tuple[int, ...]
    parent: int
    multiplicity: int
    symmetry: Symmetry
    factor: float = 1.0  # of its chance


@dataclass(frozen=True)
class _Grouping:
    """The groups of equal strength and the card orbits of a board."""

    first_group: int
    num_groups: int
    num_orbits: int


@dataclass(frozen=True)
class _HandTables:
    """The hands of all boards of a round for the kernels."""

    hands: kernels.HandArrays
    groupings: list[_Grouping]


def _chosen(boards: list[_Pending], factors: Mapping[tuple[int, ...], float]) -> list[_Pending]:
    return [replace(board, factor=factors[board.cards]) for board in boards if board.cards in factors]


def _weight_of_pairs(definition: GameDefinition, weights0: NDArray[np.float64], weights1: NDArray[np.float64]) -> float:
    """The sum of weight x weight over all pairs of hands without a common card, by inclusion and exclusion."""
    hand_cards = hands(definition.deck, definition.num_hole_cards)
    by_card = [
        np.bincount(hand_cards.ravel(), np.repeat(own, definition.num_hole_cards), minlength=definition.deck.size)
        for own in (weights0, weights1)
    ]
    total = weights0.sum() * weights1.sum() - by_card[0] @ by_card[1]
    if definition.num_hole_cards == 2:
        total += weights0 @ weights1
    return float(total)


def _build_boards(
    definition: GameDefinition,
    pending: list[_Pending],
    round_: int,
    above: TreeRound | None,
    in_range: NDArray[np.bool_],
    *,
    deals_on: bool,
) -> tuple[tuple[TreeBoard, ...], _HandTables, list[_Pending]]:
    deck, num_hole = definition.deck, definition.num_hole_cards
    hand_cards = hands(deck, num_hole)
    is_last = round_ + 1 == definition.num_rounds
    dealt_next = definition.num_board_cards[round_ + 1] if deals_on else 0
    boards: list[TreeBoard] = []
    below: list[_Pending] = []
    columns: dict[str, list[NDArray[Any]]] = {
        name: [] for name in ("parent_hand", "orbit", "class_weight", "orbit_weight", "up_weight", "group_end")
    }
    groupings: list[_Grouping] = []
    num_groups = first_hand = 0
    for index, board in enumerate(pending):
        on_board = np.array(board.cards, dtype=np.uint8)
        possible = in_range & ~np.isin(hand_cards, on_board).any(axis=1)
        raw = np.flatnonzero(possible)
        keys = board.symmetry.hand_keys()[raw]
        _, representative, inverse, sizes = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        groups = np.zeros(0, dtype=np.int32)
        if is_last:
            strengths = board_strengths(deck, on_board, num_hole_cards=num_hole)[raw[representative]]
            order = np.argsort(strengths, kind="stable")
            rank = np.empty_like(order)
            rank[order] = np.arange(len(order))
            representative, sizes, inverse = representative[order], sizes[order], rank[inverse]
            groups = np.flatnonzero(np.diff(strengths[order], append=strengths.max() + 1)).astype(np.int32) + 1
        raw_hands = raw[representative]
        hand_of_raw = np.full(num_hands(deck, num_hole), -1, dtype=np.int16)
        hand_of_raw[raw] = inverse

        orbit_of_card, orbit_sizes = _card_orbits(board.symmetry, deck.size, on_board)
        orbit = orbit_of_card[hand_cards[raw_hands]]
        parent_hand, up_weight = np.arange(len(raw_hands)), np.ones(len(raw_hands))
        if above is not None:
            parent = above.boards[board.parent]
            parent_hand = parent.hand_of_raw[raw_hands].astype(np.int64)
            parent_sizes = np.bincount(parent.hand_of_raw[parent.hand_of_raw >= 0], minlength=parent.num_hands)
            new_cards = len(board.cards) - len(parent.cards)
            chances = comb(deck.size - len(parent.cards) - 2 * num_hole, new_cards)
            up_weight = board.factor * board.multiplicity * sizes / parent_sizes[parent_hand] / chances
        columns["parent_hand"].append(parent_hand.astype(np.int32))
        columns["orbit"].append(orbit.ravel())
        columns["class_weight"].append(sizes.astype(np.float64))
        columns["orbit_weight"].append((sizes[:, None] / orbit_sizes[orbit]).ravel())
        columns["up_weight"].append(up_weight)
        columns["group_end"].append(groups)

        children = [
            _Pending((*board.cards, *deal.cards), index, deal.multiplicity, deal.symmetry)
            for deal in (deal_cards(board.symmetry, board.cards, dealt_next) if deals_on else ())
        ]
        groupings.append(_Grouping(num_groups, len(groups), len(orbit_sizes)))
        boards.append(
            TreeBoard(
                cards=board.cards,
                parent=board.parent,
                multiplicity=board.multiplicity,
                first_child=len(below),
                num_children=len(children),
                raw_hands=raw_hands.astype(np.int16),
                hand_of_raw=hand_of_raw,
                first_hand=first_hand,
                symmetry=board.symmetry,
            )
        )
        below += children
        num_groups += len(groups)
        first_hand += len(raw_hands)
    arrays: dict[str, NDArray[Any]] = {name: np.concatenate(parts) for name, parts in columns.items()}
    return tuple(boards), _HandTables(kernels.HandArrays(**arrays), groupings), below


def _native_round(tree_round: TreeRound, tables: _HandTables, *, is_last: bool) -> kernels.LaneRound:
    """A round for the kernels."""
    return kernels.LaneRound(
        is_last=is_last,
        num_lanes=tree_round.num_lanes,
        blocks=[kernels.LaneBlock(first_lane, width) for first_lane, width in tree_round.blocks],
        lane_committed=tree_round.lane_committed,
        nodes=tree_round.betting.native_nodes(),
        end_committed=np.array(tree_round.betting.end_committed, dtype=np.float64),
        boards=[
            kernels.Board(
                num_hands=board.num_hands,
                first_child=board.first_child,
                num_children=board.num_children,
                first_group=grouping.first_group,
                num_groups=grouping.num_groups,
                num_orbits=grouping.num_orbits,
            )
            for board, grouping in zip(tree_round.boards, tables.groupings, strict=True)
        ],
        hands=tables.hands,
    )


def _card_orbits(
    symmetry: Symmetry, deck_size: int, on_board: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The orbit of each card that is not on the board, and the size of each orbit."""
    left = np.setdiff1d(np.arange(deck_size, dtype=np.uint8), on_board)
    _, inverse, sizes = np.unique(symmetry.card_keys()[left], return_inverse=True, return_counts=True)
    orbit_of_card = np.zeros(deck_size, dtype=np.uint8)
    orbit_of_card[left] = inverse
    return orbit_of_card, sizes
