"""One public state of a strategy on a public tree: probabilities, reach, and the values of all hands."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.games.compatible_reach import compatible_reach
from errai.games.spot import Spot
from errai.games.state import BettingState
from errai.passes.tree_values import values_at_node
from errai.reports.state import StateReport
from errai.solutions.public_state import verify_board
from errai.trees.lane_arrays import LaneArray, node_values, normalise
from errai.trees.public_tree import PublicTree, TreeNode
from errai.trees.tree_path import PlacedBoard, TreePath, place_board, trace_betting

Float64Array = NDArray[np.float64]
Weights = tuple[LaneArray, LaneArray]


@dataclass(frozen=True)
class ValueQuestion:
    """What each hand of a player is worth at a node against the reach there, [opponent's hand][padded lane]."""

    player: int
    opponent_reach: NDArray[Any]
    best_response: bool  # of the player; otherwise it plays on as its strategy says
    action_values: NDArray[Any] | None = None  # receives the value of each action, [action][hand][padded lane]


@dataclass(frozen=True)
class NodeChips:
    """Chips from here on, by hand of the deck; NaN where a hand is not possible or meets no hand."""

    playing_on: tuple[Float64Array, Float64Array]  # when both play on by the strategy
    at_best: tuple[Float64Array, Float64Array]  # by a best response
    by_action: Float64Array  # [hand][action] of the player to act, who then plays on by the strategy


Judge = Callable[[list[ValueQuestion]], list[NDArray[Any]]]  # values, [hand of the player][padded lane]


# A hand that meets less of the opponent's range than this meets little but the rounding of sums.
_LEAST_REACH = {np.float32: 1e-4, np.float64: 1e-9}


def query_tree(
    tree: PublicTree,
    weights: Weights,
    *,
    state: BettingState,
    board: tuple[int, ...],
    with_values: bool,
    num_threads: int,
    start: Spot | None = None,
) -> StateReport:
    """The strategy at `state` on `board`, which need not be the board that the tree holds for its class."""
    path = trace_betting(tree, state)
    placed = place_board(tree, board)[: path.node.round_index + 1]
    verify_board(state, board)
    reach = _reach(tree, weights, path, placed)
    chips = None
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
                    group=node.group,
                    node_index=node.node_index,
                    num_threads=num_threads,
                    action_values=ask.action_values,
                )
                for ask in asks
            ]

        chips = chips_at_node(tree, node, placed[-1], state, reach, judge)
    return StateReport(
        definition=tree.definition,
        state=state,
        board=board,
        probabilities=_probabilities(tree, weights, path.node, placed[-1]),
        reach=reach,
        value_chips=None if chips is None else chips.playing_on,
        best_response_chips=None if chips is None else chips.at_best,
        action_value_chips=None if chips is None else chips.by_action,
        start=start,
    )


def state_probabilities(
    tree: PublicTree, weights: Weights, state: BettingState, board: tuple[int, ...]
) -> Float64Array:
    """[hand][action] of the player to act at a public state; NaN where a hand is in no range or not possible."""
    node = trace_betting(tree, state).node
    return _probabilities(tree, weights, node, place_board(tree, board)[node.round_index])


def _probabilities(tree: PublicTree, weights: Weights, node: TreeNode, board: PlacedBoard) -> Float64Array:
    """[hand][action] of a node's player; NaN where a hand is in no range or not possible."""
    player = node_player(tree, node)
    numbers = node_values(
        tree,
        weights[player],
        round_index=node.round_index,
        board_index=board.index,
        group=node.group,
        node_index=node.node_index,
    )
    by_hand = normalise(numbers[:, :, node.lane : node.lane + 1])[:, :, 0]
    return rows_of_hands(by_hand, board.tree_hands[player])


def rows_of_hands(rows: Float64Array, tree_hand: NDArray[np.int64]) -> Float64Array:
    """The row of every hand of the deck; NaN where it has none."""
    if not len(rows):
        return np.full((len(tree_hand), rows.shape[1]), np.nan)
    return np.where(tree_hand[:, None] >= 0, rows[tree_hand], np.nan)


def node_player(tree: PublicTree, node: TreeNode) -> int:
    return tree.rounds[node.round_index].groups[node.group].shape.nodes[node.node_index].player


def _reach(
    tree: PublicTree, weights: Weights, path: TreePath, placed: tuple[PlacedBoard, ...]
) -> tuple[Float64Array, Float64Array]:
    """The root's weights times the probabilities of the player's own actions on the way."""
    first, second = (
        np.where(here >= 0, own[at_root], 0.0)
        for own, at_root, here in zip(tree.root_weights, placed[0].tree_hands, placed[-1].tree_hands, strict=True)
    )
    reach = (first, second)
    for node, action in path.steps:
        player = node_player(tree, node)
        possible = placed[-1].tree_hands[player] >= 0
        probabilities = _probabilities(tree, weights, node, placed[node.round_index])[:, action]
        reach[player][possible] *= probabilities[possible]
    return reach


def chips_at_node(
    tree: PublicTree,
    node: TreeNode,
    board: PlacedBoard,
    state: BettingState,
    reach: tuple[Float64Array, Float64Array],
    judge: Judge,
) -> NodeChips:
    """What the hands of both players are worth at a node."""
    actor = node_player(tree, node)
    tree_round = tree.rounds[node.round_index]
    shares = [own / own.sum() if own.any() else own for own in reach]
    action_values = np.zeros(
        (
            tree_round.groups[node.group].shape.nodes[node.node_index].num_actions,
            tree_round.boards[board.index].hands[actor].num_hands,
            tree_round.padded_lanes,
        ),
        dtype=tree.dtype,
    )
    asks = [
        ValueQuestion(
            player,
            _in_lanes(tree, node, board, 1 - player, shares[1 - player]),
            best_response,
            None if best_response or player != actor else action_values,
        )
        for best_response in (False, True)
        for player in (0, 1)
    ]
    first, second, first_at_best, second_at_best = (
        _chips_from_here(tree, node, board, ask, state, shares[1 - ask.player], totals)
        for ask, totals in zip(asks, judge(asks), strict=True)
    )
    by_action = [
        _chips_from_here(tree, node, board, asks[actor], state, shares[1 - actor], totals) for totals in action_values
    ]
    return NodeChips((first, second), (first_at_best, second_at_best), np.stack(by_action, axis=1))


def _in_lanes(tree: PublicTree, node: TreeNode, board: PlacedBoard, player: int, reach: Float64Array) -> NDArray[Any]:
    """A player's reach at a node in the layout of the judge: hands as they are called on the tree's board."""
    tree_round = tree.rounds[node.round_index]
    held = tree_round.boards[board.index].hands[player]
    on_tree = np.zeros_like(reach)
    on_tree[board.tree_raw_hand] = reach
    in_lanes = np.zeros((held.num_hands, tree_round.padded_lanes), dtype=tree.dtype)
    in_lanes[:, tree_round.padded_lane[node.group][node.lane]] = on_tree[held.raw_hands]
    return in_lanes


def _chips_from_here(
    tree: PublicTree,
    node: TreeNode,
    board: PlacedBoard,
    ask: ValueQuestion,
    state: BettingState,
    opponent: Float64Array,
    totals: NDArray[Any],
) -> Float64Array:
    """By hand, from chips won in the whole hand, which are summed over the opponent's hands."""
    tree_hand = board.tree_hands[ask.player]
    value = np.full(len(tree_hand), np.nan)
    beside = compatible_reach(tree.definition, opponent[:, None])[:, 0]
    is_known = (tree_hand >= 0) & (beside > _LEAST_REACH[tree.dtype])
    lane = tree.rounds[node.round_index].padded_lane[node.group][node.lane]
    committed_chips = state.committed[ask.player] + tree.betting.dead_pot / 2
    value[is_known] = totals[tree_hand[is_known], lane].astype(np.float64) / beside[is_known] + committed_chips
    return value
