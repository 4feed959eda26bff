"""What each hand is worth at one public state of a public tree, hand by hand of the whole deck.

    going down      the opponent's reach is multiplied by its strategy, node by node, all lanes at once
    the endings     a fold wins or loses what was put in, times the reach of all hands that leave one's own cards;
                    a showdown weighs the weaker hands against the stronger ones; a round that is not the last goes
                    on below, on one board of each class, whose values stand for those of the whole class
    coming up       at the player's own nodes the strategy, or the best action, at the others the sum

Values are chips that the player wins in the whole hand, summed over the opponent's hands by their reach. This is plain
NumPy for looking at single states: `evaluate.lanes` judges whole trees.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands, held_cards
from errai.cards.strength import board_strengths
from errai.games.definition import GameDefinition
from errai.games.lane_arrays import LaneArray, node_values, normalise
from errai.games.public_tree import PublicTree
from errai.games.tree_path import TreeNode

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class StateValues:
    """Evaluates one player's hands against the other's strategy."""

    tree: PublicTree
    weights: tuple[LaneArray, LaneArray]
    player: int
    best_response: bool

    def at(self, node: TreeNode, board_index: int, opponent_reach: Float64Array) -> Float64Array:
        """The value of every hand of the deck at a node on a board of the tree; `opponent_reach` likewise."""
        lanes = np.array([node.lane])
        return self._node_values(node.round_index, board_index, node.node_index, lanes, opponent_reach[:, None])[:, 0]

    def _node_values(
        self, round_index: int, board_index: int, first_node: int, lanes: NDArray[np.int64], reach: Float64Array
    ) -> Float64Array:
        """[hand of the deck][lane] for some lanes of a node."""
        tree_round = self.tree.rounds[round_index]
        nodes = tree_round.betting.nodes
        reaches: dict[int, Float64Array] = {}
        end_reaches: dict[int, Float64Array] = {}
        strategies: dict[int, Float64Array] = {}

        def go_down(index: int, reach: Float64Array) -> None:
            node = nodes[index]
            reaches[index] = reach
            strategies[index] = self._strategy(round_index, board_index, index, lanes)
            acts = node.player != self.player
            for place, letter in enumerate(node.actions):
                after = reach * strategies[index][:, place] if acts else reach
                following = {"f": None, "c": node.call_node, "r": node.raise_node}[letter]
                if following is not None:
                    go_down(following, after)
                elif letter == "c":
                    assert node.call_end is not None
                    end_reaches[node.call_end] = after

        def come_up(index: int) -> Float64Array:
            node = nodes[index]
            values: list[Float64Array] = []
            for place, letter in enumerate(node.actions):
                following = {"f": None, "c": node.call_node, "r": node.raise_node}[letter]
                if following is not None:
                    values.append(come_up(following))
                elif letter == "c":
                    assert node.call_end is not None
                    values.append(end_values[node.call_end])
                else:
                    chips = tree_round.lane_committed[lanes] + node.fold_committed
                    is_loser = node.player == self.player
                    folded = reaches[index] if is_loser else reaches[index] * strategies[index][:, place]
                    values.append((-chips if is_loser else chips) * compatible_reach(self.tree.definition, folded))
            together: Float64Array = np.stack(values, axis=1)
            if node.player == self.player and not self.best_response:
                together *= strategies[index]
            is_free = node.player == self.player and self.best_response
            value: Float64Array = together.max(axis=1) if is_free else together.sum(axis=1)
            return value

        go_down(first_node, reach)
        end_values = self._end_values(round_index, board_index, lanes, end_reaches)
        return come_up(first_node)

    def _strategy(self, round_index: int, board_index: int, node_index: int, lanes: NDArray[np.int64]) -> Float64Array:
        """[hand of the deck][action][lane]; hands that cannot be held get the row of some other hand."""
        tree_round = self.tree.rounds[round_index]
        array = self.weights[tree_round.betting.nodes[node_index].player]
        values = node_values(self.tree, array, round_index=round_index, board_index=board_index, node_index=node_index)
        return normalise(values[:, :, lanes])[tree_round.boards[board_index].hand_of_raw]

    def _end_values(
        self, round_index: int, board_index: int, lanes: NDArray[np.int64], end_reaches: dict[int, Float64Array]
    ) -> dict[int, Float64Array]:
        """The values of all endings of a round; side by side, as all of them meet the same boards."""
        tree_round = self.tree.rounds[round_index]
        ends = list(end_reaches)
        reach = np.concatenate([end_reaches[end] for end in ends], axis=1)
        if round_index + 1 == len(self.tree.rounds):
            committed = [tree_round.lane_committed[lanes] + tree_round.betting.end_committed[end] for end in ends]
            values = np.concatenate(committed) * self._showdown(board_index, reach)
        else:
            lanes_below = np.concatenate([lanes * tree_round.betting.num_ends + end for end in ends])
            values = self._values_below(round_index, board_index, lanes_below, reach)
        return dict(zip(ends, np.split(values, len(ends), axis=1), strict=True))

    def _values_below(
        self, round_index: int, board_index: int, lanes: NDArray[np.int64], reach: Float64Array
    ) -> Float64Array:
        definition = self.tree.definition
        board = self.tree.rounds[round_index].boards[board_index]
        known = board.hand_of_raw >= 0
        hand_of_known = board.hand_of_raw[known]
        class_sizes = np.bincount(hand_of_known, minlength=board.num_hands)
        totals = np.zeros((board.num_hands, reach.shape[1]))
        hand_cards = hands(definition.deck, definition.num_hole_cards)
        for child_index in range(board.first_child, board.first_child + board.num_children):
            child = self.tree.rounds[round_index + 1].boards[child_index]
            new_cards = child.cards[len(board.cards) :]
            possible = ~np.isin(hand_cards, new_cards).any(axis=1, keepdims=True)
            values = self._node_values(round_index + 1, child_index, 0, lanes, reach * possible)
            # The boards of a class hold the same values for relabelled hands: their mean is that over the hand's class.
            np.add.at(totals, hand_of_known, child.multiplicity * (values * possible)[known])
        dealt = definition.num_board_cards[self.tree.root.round + round_index + 1]
        chances = comb(definition.deck.size - len(board.cards) - 2 * definition.num_hole_cards, dealt)
        result = np.zeros_like(reach)
        result[known] = (totals / class_sizes[:, None])[hand_of_known] / chances
        return result

    def _showdown(self, board_index: int, reach: Float64Array) -> Float64Array:
        """For each hand, the reach of compatible weaker hands less that of compatible stronger ones."""
        definition = self.tree.definition
        board = np.array(self.tree.rounds[-1].boards[board_index].cards, dtype=np.uint8)
        strengths = board_strengths(definition.deck, board, num_hole_cards=definition.num_hole_cards)
        net = _weaker_less_stronger(strengths, reach)
        held = held_cards(definition.deck, definition.num_hole_cards)
        for holders in (np.flatnonzero(column) for column in held.T):
            # A hand ties with itself, so it does not matter that both of its cards take it out.
            net[holders] -= _weaker_less_stronger(strengths[holders], reach[holders])
        return net


def compatible_reach(definition: GameDefinition, reach: Float64Array) -> Float64Array:
    """For each hand of the deck, the reach of all hands without a card of it."""
    held = held_cards(definition.deck, definition.num_hole_cards)
    compatible: Float64Array = reach.sum(axis=0) - held @ (held.T @ reach)
    return compatible + reach if definition.num_hole_cards == 2 else compatible


def _weaker_less_stronger(strengths: NDArray[np.integer], reach: Float64Array) -> Float64Array:
    order = np.argsort(strengths, kind="stable")
    ascending = strengths[order]
    running = np.zeros((len(order) + 1, reach.shape[1]))
    np.cumsum(reach[order], axis=0, out=running[1:])
    weaker = running[np.searchsorted(ascending, strengths, side="left")]
    not_stronger = running[np.searchsorted(ascending, strengths, side="right")]
    net: Float64Array = weaker + not_stronger - running[-1]
    return net
