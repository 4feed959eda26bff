"""What a solution says about one public state: who acts, how, with what, and what it is worth.

Everything is told for all hands of the deck, in the order of `errai.cards.hands`, on the board as it was asked for.
Values are chips from here on: what a hand takes out of the pot, less what it still puts in. Giving up now is worth 0,
and the two players' values, weighed by how often their hands meet, add up to the pot.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.errors import InputError
from errai.games.acpc import format_action, format_betting
from errai.games.definition import GameDefinition
from errai.games.state import BettingState
from errai.passes.compatible_reach import compatible_reach
from errai.passes.tree_values import values_at_node
from errai.trees.lane_arrays import LaneArray, node_values, normalise
from errai.trees.public_tree import PublicTree
from errai.trees.tree_path import PlacedBoard, TreeNode, TreePath, place_board, trace_betting

Float64Array = NDArray[np.float64]
Weights = tuple[LaneArray, LaneArray]


@dataclass(frozen=True)
class ValueQuestion:
    """What each hand of a player is worth at a node against the opponent's reach there, [hand][padded lane]."""

    player: int
    opponent_reach: NDArray[Any]
    best_response: bool  # of the player; else it plays on as it does


Judge = Callable[[list[ValueQuestion]], list[NDArray[Any]]]  # values in the shape of the reach


# A hand that meets less of the opponent's range than this meets little but the rounding of sums.
_LEAST_REACH = {np.float32: 1e-4, np.float64: 1e-9}


@dataclass(frozen=True)
class PublicStateReport:
    """A decision, seen from outside. Arrays have one entry a hand of the deck; NaN where a hand is not possible."""

    definition: GameDefinition
    state: BettingState
    board: tuple[int, ...]
    probabilities: Float64Array  # [hand][action] of the player to act
    reach: tuple[Float64Array, Float64Array]  # weights with which each player's hands get here
    value_chips: tuple[Float64Array, Float64Array] | None  # when both play on as they do
    best_response_chips: tuple[Float64Array, Float64Array] | None  # of the best play against the other's strategy

    @property
    def player(self) -> int:
        assert self.state.actor is not None
        return self.state.actor

    @property
    def betting(self) -> str:
        return format_betting(self.state)

    @property
    def pot_chips(self) -> int:
        return sum(self.state.committed)

    @property
    def actions(self) -> tuple[str, ...]:
        """The letters of the actions: fold, call, raise."""
        return tuple(format_action(action, is_limit=True) for action in self.state.legal_actions())

    @property
    def hand_texts(self) -> list[str]:
        """`AsKd`, the higher card first."""
        deck = self.definition.deck
        return [deck.text(cards[::-1]) for cards in hands(deck, self.definition.num_hole_cards).tolist()]

    @property
    def frequencies(self) -> Float64Array:
        """How often each action is taken, over all hands by their reach."""
        weights = self.reach[self.player]
        possible = weights > 0
        if not possible.any():
            return np.full(len(self.actions), np.nan)
        return np.average(self.probabilities[possible], axis=0, weights=weights[possible])

    def average_value_chips(self, player: int) -> float:
        """What `player` gets from here on, over all its hands by how often they meet the opponent's; NaN if none do."""
        assert self.value_chips is not None
        beside = compatible_reach(self.definition, self.reach[1 - player][:, None])[:, 0]
        weights = self.reach[player] * np.maximum(beside, 0.0)
        told = (weights > 0) & ~np.isnan(self.value_chips[player])
        if not told.any():
            return float("nan")
        return float(np.average(self.value_chips[player][told], weights=weights[told]))


def query_tree(
    tree: PublicTree,
    weights: Weights,
    *,
    state: BettingState,
    board: tuple[int, ...],
    with_values: bool,
    num_threads: int,
) -> PublicStateReport:
    """Ask a strategy about `state` on `board`, which need not be the board that the tree holds for its class."""
    path = trace_betting(tree, state)
    placed = place_board(tree, board)[: path.node.round_index + 1]
    expected = sum(tree.definition.num_board_cards[: state.round + 1])
    if len(board) != expected:
        raise InputError(
            f"`{format_betting(state)}` is in round {state.round + 1}, which has {expected} cards on the board; "
            f"got {len(board)}: `{tree.definition.deck.text(board)}`",
            hint="name all cards on the board, those of the spot first",
        )
    reach = _reach(tree, weights, path, placed)
    best = values = None
    if with_values:
        node = path.node

        def judge(asks: list[ValueQuestion]) -> list[NDArray[Any]]:
            return [
                values_at_node(
                    tree,
                    weights,
                    ask.player,
                    ask.opponent_reach,
                    best_response=ask.best_response,
                    round_index=node.round_index,
                    board_index=placed[-1].index,
                    node_index=node.node_index,
                    num_threads=num_threads,
                )
                for ask in asks
            ]

        values, best = values_and_best_responses(tree, node, placed[-1], state, reach, judge)
    return PublicStateReport(
        tree.definition, state, board, _probabilities(tree, weights, path.node, placed[-1]), reach, values, best
    )


def _probabilities(tree: PublicTree, weights: Weights, node: TreeNode, board: PlacedBoard) -> Float64Array:
    """[hand][action] of a node's player; NaN where a hand is in no range or not possible."""
    player = tree.rounds[node.round_index].betting.nodes[node.node_index].player
    numbers = node_values(
        tree, weights[player], round_index=node.round_index, board_index=board.index, node_index=node.node_index
    )
    by_hand = normalise(numbers[:, :, node.lane : node.lane + 1])[:, :, 0]
    return np.where(board.tree_hand[:, None] >= 0, by_hand[board.tree_hand], np.nan)


def _reach(
    tree: PublicTree, weights: Weights, path: TreePath, placed: tuple[PlacedBoard, ...]
) -> tuple[Float64Array, Float64Array]:
    """The root's weights times the probabilities of the player's own actions on the way."""
    root_hand = placed[0].tree_hand
    possible = placed[-1].tree_hand >= 0
    reach = tuple(np.where(possible, own[root_hand], 0.0) for own in tree.root_weights)
    for node, action in path.steps:
        player = tree.rounds[node.round_index].betting.nodes[node.node_index].player
        probabilities = _probabilities(tree, weights, node, placed[node.round_index])[:, action]
        reach[player][possible] *= probabilities[possible]
    return reach[0], reach[1]


def values_and_best_responses(
    tree: PublicTree,
    node: TreeNode,
    board: PlacedBoard,
    state: BettingState,
    reach: tuple[Float64Array, Float64Array],
    judge: Judge,
) -> tuple[tuple[Float64Array, Float64Array], tuple[Float64Array, Float64Array]]:
    """Chips from here on, by hand, for each player: when both play on as they do, and at best."""
    shares = [own / own.sum() if own.any() else own for own in reach]
    asks = [
        ValueQuestion(player, _in_lanes(tree, node, board, shares[1 - player]), best_response)
        for best_response in (False, True)
        for player in (0, 1)
    ]
    first, second, first_at_best, second_at_best = (
        _chips_from_here(tree, node, board, state.committed[ask.player], shares[1 - ask.player], totals)
        for ask, totals in zip(asks, judge(asks), strict=True)
    )
    return (first, second), (first_at_best, second_at_best)


def _in_lanes(tree: PublicTree, node: TreeNode, board: PlacedBoard, reach: Float64Array) -> NDArray[Any]:
    """The reach of all hands at a node as a judge wants it: on the tree's board, hands as they are called there."""
    tree_round = tree.rounds[node.round_index]
    tree_board = tree_round.boards[board.index]
    on_tree = np.zeros_like(reach)
    on_tree[board.tree_raw_hand] = reach
    in_lanes = np.zeros((tree_board.num_hands, tree_round.padded_lanes), dtype=tree.dtype)
    in_lanes[:, node.lane] = on_tree[tree_board.raw_hands]
    return in_lanes


def _chips_from_here(
    tree: PublicTree,
    node: TreeNode,
    board: PlacedBoard,
    committed_chips: int,
    opponent: Float64Array,
    totals: NDArray[Any],
) -> Float64Array:
    """By hand, from chips won in the whole hand, which are summed over the opponent's hands."""
    value = np.full(len(board.tree_hand), np.nan)
    beside = compatible_reach(tree.definition, opponent[:, None])[:, 0]
    is_told = (board.tree_hand >= 0) & (beside > _LEAST_REACH[tree.dtype])
    by_hand = totals[:, node.lane].astype(np.float64)[board.tree_hand]
    value[is_told] = by_hand[is_told] / beside[is_told] + committed_chips
    return value
