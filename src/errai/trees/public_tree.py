"""The public tree of a game: boards per round, hands per board, and all betting in lanes.

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
from errai.games.locks import NodeLock
from errai.games.state import BettingState, initial_state
from errai.trees.betting_tree import BettingTree, build_betting_tree
from errai.trees.board_deals import deal_cards
from errai.trees.lane_tree import Grouping, HandTables, build_lane_tree
from errai.trees.symmetry import Symmetry, no_symmetry, root_symmetry
from errai.trees.tree_rounds import BoardHands, TreeBoard, TreeRound, cut_lanes

# How numbers are kept: as they are computed, or computed in float32 and kept as 16 bits with a scale for every lane and
# tile of hands (`native/lanes/tiles.hpp`). Where regrets can be negative, one of the bits is their sign.
Precision = Literal["float32", "float64", "uint16"]


@dataclass(frozen=True)
class TreeNode:
    """A decision of the tree in one lane; rounds are counted from the root's."""

    round_index: int
    node_index: int
    lane: int  # in its group
    group: int = 0


@dataclass(frozen=True, eq=False)
class TreeLock:
    """A decision on one board where hands are locked: they act by fixed probabilities."""

    node: TreeNode
    board_index: int
    is_locked: NDArray[np.bool_]  # [hand of the board]
    probabilities: NDArray[np.float64]  # [hand of the board][action]

    def over(self, earlier: "TreeLock") -> "TreeLock":
        """Both locks of a decision; where both lock a hand, this one counts."""
        own = self.is_locked[:, np.newaxis]
        probabilities = np.where(own, self.probabilities, earlier.probabilities)
        return replace(self, is_locked=self.is_locked | earlier.is_locked, probabilities=probabilities)


@dataclass(frozen=True)
class PublicTree:
    """A public tree; `build_public_tree` makes it."""

    definition: GameDefinition
    precision: Precision
    betting: BettingTree
    root_weights: tuple[NDArray[np.float64], NDArray[np.float64]]  # of each root hand, for each player
    root_sizes: tuple[NDArray[np.float64], NDArray[np.float64]]  # raw hands that each root hand stands for
    has_one_list: bool  # whether both players have the same hands, in one list
    total_weight: float  # of all pairs of hands that can be dealt together
    rounds: tuple[TreeRound, ...]
    native: kernels.LaneTree
    locks: tuple[TreeLock, ...] = ()

    @property
    def root(self) -> BettingState:
        return self.betting.root

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
    def num_infoset_actions(self) -> int:
        return sum(
            round_.num_hands(player) * round_.betting.num_actions(player) for round_ in self.rounds for player in (0, 1)
        )

    def count_infosets(self, *, merged: bool) -> tuple[int, int]:
        """Infosets and infoset-actions; hands that a relabelling of suits makes equal count once only if `merged`."""
        if merged:
            return self.num_infosets, self.num_infoset_actions
        infosets = actions = 0
        for round_ in self.rounds:
            for player in (0, 1):
                held = sum(int(np.count_nonzero(board.hands[player].hand_of_raw >= 0)) for board in round_.boards)
                infosets += held * round_.betting.num_nodes(player)
                actions += held * round_.betting.num_actions(player)
        return infosets, actions

    @property
    def dtype(self) -> type[np.floating[Any]]:
        """What the arithmetic is done in."""
        return np.float64 if self.precision == "float64" else np.float32

    def root_reach(self, player: int) -> NDArray[np.floating[Any]]:
        """The weights of a player's hands at the root, [hand][padded lane]."""
        root = self.rounds[0]
        reach = np.zeros((root.most_hands(player), root.padded_lanes), dtype=self.dtype)
        for lanes in root.padded_lane:
            reach[:, lanes] = self.root_weights[player][:, None]
        return reach

    def expected_value(self, player: int, value: NDArray[np.floating[Any]]) -> float:
        """Chips a game that `player` wins when its root hands have these values, [hand][lane]."""
        weights = self.root_weights[player] * self.root_sizes[player]
        return float(weights @ value[:, 0].astype(np.float64)) / self.total_weight


def build_public_tree(
    definition: GameDefinition,
    *,
    betting: BettingTree | None = None,
    board: Sequence[int] = (),
    ranges: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    num_rounds: int | None = None,
    next_boards: Mapping[tuple[int, ...], float] | None = None,
    precision: Precision = "float64",
    merge_suits: bool = True,
    keep_all_hands: bool = False,
    kept_locks: Sequence[NodeLock] = (),
) -> PublicTree:
    """The public tree of `betting` (by default, of the whole limit game) on `board`.

    `ranges` are the weights of all hands of the deck for player 0 and player 1; without them all hands are equally
    likely. With `num_rounds` the tree ends early: the caller computes what is below. `next_boards` leaves of the boards
    of the second round only those named, each with a factor for its chance. Without `merge_suits` every board and hand
    is computed on its own, which is for tests. Hands outside a player's range are left out, unless `keep_all_hands`.
    What `kept_locks` tell apart is not merged; `build_spot_tree` adds the locks themselves.
    """
    betting = betting or build_betting_tree(initial_state(definition))
    root = betting.root
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

    symmetry = root_symmetry(definition, on_board, weights, kept_locks) if merge_suits else no_symmetry(definition)
    tree_rounds: list[TreeRound] = []
    first, second = (np.asarray(possible if keep_all_hands else own > 0) for own in weights)
    in_range = (first, second)
    boards = [_Pending(tuple(board), 0, 1, symmetry)]
    above: TreeRound | None = None
    hand_tables: list[HandTables] = []
    streets = betting.streets[:num_rounds]
    for index, street in enumerate(streets):
        tree_boards, tables, below = _build_boards(
            definition, boards, street.round, above, in_range, deals_on=index + 1 < len(streets)
        )
        if above is None and next_boards is not None:
            below = _chosen(below, next_boards)
            tree_boards = (replace(tree_boards[0], num_children=len(below)),)
        above = TreeRound(street, tree_boards, cut_lanes(street))
        tree_rounds.append(above)
        hand_tables.append(tables)
        boards = below
    native = build_lane_tree(definition, tree_rounds, hand_tables, betting, next_boards=next_boards)

    root_hands = tree_rounds[0].boards[0].hands
    first_sizes, second_sizes = (
        np.bincount(own.hand_of_raw[own.hand_of_raw >= 0], minlength=own.num_hands).astype(np.float64)
        for own in root_hands
    )
    return PublicTree(
        definition=definition,
        precision=precision,
        betting=betting,
        root_weights=(weights[0][root_hands[0].raw_hands], weights[1][root_hands[1].raw_hands]),
        root_sizes=(first_sizes, second_sizes),
        has_one_list=root_hands[0] is root_hands[1],
        total_weight=total_weight,
        rounds=tuple(tree_rounds),
        native=native,
    )


@dataclass(frozen=True)
class _Pending:
    cards: tuple[int, ...]
    parent: int
    multiplicity: int
    symmetry: Symmetry
    factor: float = 1.0  # of its chance


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
    in_range: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    *,
    deals_on: bool,
) -> tuple[tuple[TreeBoard, ...], HandTables, list[_Pending]]:
    deck = definition.deck
    dealt_next = definition.num_board_cards[round_ + 1] if deals_on else 0
    is_last = round_ + 1 == definition.num_rounds
    has_one_list = bool(np.array_equal(*in_range))
    boards: list[TreeBoard] = []
    below: list[_Pending] = []
    columns = (_HandColumns(), _HandColumns())
    groupings: list[Grouping] = []
    num_groups = 0
    for index, board in enumerate(pending):
        on_board = np.array(board.cards, dtype=np.uint8)
        strengths = board_strengths(deck, on_board, num_hole_cards=definition.num_hole_cards) if is_last else None
        ranks = None if strengths is None else np.unique(strengths[_held(definition, on_board, *in_range)])
        orbit_of_card, orbit_sizes = _card_orbits(board.symmetry, deck.size, on_board)
        first = _list_hands(definition, board, in_range[0], strengths)
        second = first if has_one_list else _list_hands(definition, board, in_range[1], strengths)
        for own, opponent, player_columns in zip((first, second), (second, first), columns, strict=True):
            player_columns.add_strengths(own, strengths, ranks)
            player_columns.add_cards(definition, own, orbit_of_card, orbit_sizes)
            player_columns.add_opponent(own, opponent)
        for player, own in enumerate((first, second)):
            parent = None if above is None else above.boards[board.parent]
            columns[player].add_chances(definition, board, own, parent, player)

        children = [
            _Pending((*board.cards, *deal.cards), index, deal.multiplicity, deal.symmetry)
            for deal in (deal_cards(board.symmetry, board.cards, dealt_next) if deals_on else ())
        ]
        groupings.append(Grouping(num_groups, 0 if ranks is None else len(ranks), len(orbit_sizes)))
        boards.append(
            TreeBoard(
                cards=board.cards,
                parent=board.parent,
                multiplicity=board.multiplicity,
                first_child=len(below),
                num_children=len(children),
                hands=(first, second),
                symmetry=board.symmetry,
            )
        )
        below += children
        num_groups += groupings[-1].num_groups
    first_list = columns[0].hand_list()
    lists = (first_list, first_list if has_one_list else columns[1].hand_list())
    return tuple(boards), HandTables(lists, groupings), below


def _held(definition: GameDefinition, on_board: NDArray[np.uint8], *ranges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a hand is in one of the ranges and can be held."""
    held: NDArray[np.bool_] = np.logical_or.reduce(ranges)
    return held & ~np.isin(hands(definition.deck, definition.num_hole_cards), on_board).any(axis=1)


def _list_hands(
    definition: GameDefinition, board: _Pending, in_range: NDArray[np.bool_], strengths: NDArray[np.int32] | None
) -> BoardHands:
    """One hand of every class; in order of strength, where there is one."""
    raw = np.flatnonzero(_held(definition, np.array(board.cards, dtype=np.uint8), in_range))
    keys = board.symmetry.hand_keys()[raw]
    _, representative, inverse = np.unique(keys, return_index=True, return_inverse=True)
    if strengths is not None:
        order = np.argsort(strengths[raw[representative]], kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        representative, inverse = representative[order], rank[inverse]
    hand_of_raw = np.full(num_hands(definition.deck, definition.num_hole_cards), -1, dtype=np.int16)
    hand_of_raw[raw] = inverse
    return BoardHands(raw[representative].astype(np.int16), hand_of_raw)


class _HandColumns:
    """The columns of a player's list of hands, as board after board is added."""

    def __init__(self) -> None:
        names = ("parent_hand", "orbit", "class_weight", "orbit_weight", "up_weight", "group_end", "opponent_hand")
        self._parts: dict[str, list[NDArray[Any]]] = {name: [] for name in names}

    def add_strengths(
        self, own: BoardHands, strengths: NDArray[np.int32] | None, ranks: NDArray[np.int32] | None
    ) -> None:
        """Where each group of equal strength ends; `ranks` are those of both players."""
        ends = np.zeros(0, dtype=np.int32)
        if strengths is not None and ranks is not None:
            ends = np.searchsorted(strengths[own.raw_hands], ranks, side="right").astype(np.int32)
        self._parts["group_end"].append(ends)

    def add_cards(
        self,
        definition: GameDefinition,
        own: BoardHands,
        orbit_of_card: NDArray[np.uint8],
        orbit_sizes: NDArray[np.int64],
    ) -> None:
        sizes = _class_sizes(own)
        orbit = orbit_of_card[hands(definition.deck, definition.num_hole_cards)[own.raw_hands]]
        self._parts["orbit"].append(orbit.ravel())
        self._parts["class_weight"].append(sizes.astype(np.float64))
        self._parts["orbit_weight"].append((sizes[:, None] / orbit_sizes[orbit]).ravel())

    def add_opponent(self, own: BoardHands, opponent: BoardHands) -> None:
        same = opponent.hand_of_raw[own.raw_hands].astype(np.int32)
        self._parts["opponent_hand"].append(np.where(same >= 0, same, np.int32(opponent.num_hands)))

    def add_chances(
        self, definition: GameDefinition, board: _Pending, own: BoardHands, parent: TreeBoard | None, player: int
    ) -> None:
        parent_hand, up_weight = np.arange(own.num_hands), np.ones(own.num_hands)
        if parent is not None:
            above = parent.hands[player]
            parent_hand = above.hand_of_raw[own.raw_hands].astype(np.int64)
            new_cards = len(board.cards) - len(parent.cards)
            left = definition.deck.size - len(parent.cards) - 2 * definition.num_hole_cards
            chance = board.factor * board.multiplicity
            up_weight = chance * _class_sizes(own) / _class_sizes(above)[parent_hand] / comb(left, new_cards)
        self._parts["parent_hand"].append(parent_hand.astype(np.int32))
        self._parts["up_weight"].append(up_weight)

    def hand_list(self) -> kernels.HandList:
        return kernels.HandList(**{name: np.concatenate(parts) for name, parts in self._parts.items()})


def _class_sizes(own: BoardHands) -> NDArray[np.int64]:
    """How many raw hands each hand stands for."""
    return np.bincount(own.hand_of_raw[own.hand_of_raw >= 0], minlength=own.num_hands)


def _card_orbits(
    symmetry: Symmetry, deck_size: int, on_board: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The orbit of each card that is not on the board, and the size of each orbit."""
    left = np.setdiff1d(np.arange(deck_size, dtype=np.uint8), on_board)
    _, inverse, sizes = np.unique(symmetry.card_keys()[left], return_inverse=True, return_counts=True)
    orbit_of_card = np.zeros(deck_size, dtype=np.uint8)
    orbit_of_card[left] = inverse
    return orbit_of_card, sizes
