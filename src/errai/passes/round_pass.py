"""One round of betting on one board, for all hands and lanes: reach down, values up.

Arrays are [hand of the deck][lane], a lane being a betting sequence that leads to the round. Reach is the probability
with which a player's own actions lead somewhere. A value of a hand is a sum over the opponent's hands, each times its
reach, so at the opponent's decisions the values of the actions add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errai.cards.hands import held_cards
from errai.games.action_probabilities import ActionProbabilities
from errai.games.compatible_reach import compatible_reach
from errai.games.definition import GameDefinition
from errai.games.state import BettingState
from errai.games.strategies import WholeGameStrategy
from errai.trees.betting_tree import BettingShape, ShapeNode
from errai.trees.sequence_form import Float64Array

Reach = tuple[Float64Array, Float64Array]  # of player 0 and player 1


@dataclass(frozen=True)
class RoundPass:
    """What a strategy does in a round on a board, where it gets there at all."""

    definition: GameDefinition
    shape: BettingShape
    board: tuple[int, ...]
    states: list[list[BettingState]]  # at each node, of each lane
    end_states: list[list[BettingState]]  # at each ending of the round
    reach: list[Reach]  # at each node
    probabilities: list[Float64Array]  # at each node, [hand][action][lane]; zeros where its player never gets
    end_reach: list[Reach]  # at each ending of the round
    num_asked: int

    def values(
        self,
        player: int,
        end_values: Sequence[Float64Array],
        *,
        best_response: bool,
        chosen_by: Sequence[Float64Array] | None = None,
    ) -> Float64Array:
        """What the hands of `player` are worth at the start of the round, given their worth at each ending of it.

        A best response takes the actions that are best for `chosen_by`, where that differs from `end_values`.
        """
        opponent = 1 - player
        of_ends = np.stack([end_values, end_values if chosen_by is None else chosen_by])  # [of both][end][hand][lane]
        values: list[Float64Array] = [np.zeros(0)] * len(self.shape.nodes)
        for index, node in reversed(list(enumerate(self.shape.nodes))):
            sequels = [of_ends[:, self._call_end(index)] if node.call.node is None else values[node.call.node]]
            sequels += [values[raise_node] for raise_node in node.raise_nodes]
            probabilities = self.probabilities[index]
            if node.has_fold:
                chips = np.array([state.committed[node.player] for state in self.states[index]], dtype=np.float64)
                if node.player == player:
                    folded = -chips * compatible_reach(self.definition, self.reach[index][opponent])
                else:
                    reach = self.reach[index][opponent] * probabilities[:, 0]
                    folded = chips * compatible_reach(self.definition, reach)
                sequels.insert(0, np.stack([folded, folded]))
            stacked = np.stack(sequels, axis=2)  # [of both][hand][action][lane]
            if node.player == opponent:
                values[index] = stacked.sum(axis=2)
            elif best_response:
                best = stacked[1].argmax(axis=1)[np.newaxis, :, np.newaxis]
                values[index] = np.take_along_axis(stacked, best, axis=2)[:, :, 0]
            else:
                values[index] = (stacked * probabilities).sum(axis=2)
        at_start: Float64Array = values[0][0]
        return at_start * possible_hands(self.definition, self.board)

    @property
    def lanes(self) -> list[BettingState]:
        """At the start of the round."""
        return self.states[0]

    def _call_end(self, node_index: int) -> int:
        return call_end(self.shape, node_index)


def call_end(shape: BettingShape, node_index: int) -> int:
    """Which of the endings without a fold the call of a node leads to."""
    end = shape.nodes[node_index].call.end
    assert end is not None
    return shape.call_ends.index(end)


def possible_hands(definition: GameDefinition, board: tuple[int, ...]) -> Float64Array:
    """A column with 1 for each hand that can be held on `board` and 0 for each that cannot."""
    held = held_cards(definition.deck, definition.num_hole_cards)
    possible: Float64Array = 1.0 - held[:, list(board)].max(axis=1, initial=0.0, keepdims=True)
    return possible


def pass_down(
    strategy: WholeGameStrategy,
    shape: BettingShape,
    board: tuple[int, ...],
    lanes: Sequence[BettingState],
    root_reach: Reach,
) -> RoundPass:
    """Ask the strategy at every node of the round that its player gets to with some hand.

    A strategy with `board_probabilities` is asked once for all nodes and lanes instead.
    """
    definition = lanes[0].definition
    nodes = shape.nodes
    states, end_states = _states_of_round(shape, lanes)
    answers = _ask_whole_board(strategy, states, board)
    reach: list[Reach] = [root_reach] * len(nodes)
    end_reach: list[Reach] = [root_reach] * len(shape.call_ends)
    probabilities: list[Float64Array] = []
    num_asked = 0
    for index, node in enumerate(nodes):
        own = reach[index][node.player]
        gets_here = own.any(axis=0)
        if answers is None:
            asked = np.zeros((len(own), node.num_actions, len(lanes)))
            for lane in np.flatnonzero(gets_here).tolist():
                _write_answer(strategy.action_probabilities(states[index][lane], board), node, asked[:, :, lane])
        else:
            used = [column for column, is_used in enumerate((node.has_fold, True, bool(node.raise_nodes))) if is_used]
            asked = np.where(gets_here, answers[index].transpose(1, 2, 0)[:, used], 0.0)
        num_asked += int(gets_here.sum())
        probabilities.append(asked)
        call = int(node.has_fold)
        after_call = _with_own(reach[index], node.player, own * asked[:, call])
        if node.call.node is not None:
            reach[node.call.node] = after_call
        else:
            end_reach[call_end(shape, index)] = after_call
        for raise_node in node.raise_nodes:  # limit betting has one size
            reach[raise_node] = _with_own(reach[index], node.player, own * asked[:, call + 1])
    return RoundPass(definition, shape, board, states, end_states, reach, probabilities, end_reach, num_asked)


def _states_of_round(
    shape: BettingShape, lanes: Sequence[BettingState]
) -> tuple[list[list[BettingState]], list[list[BettingState]]]:
    """At each node and at each ending of the round, of each lane."""
    states: list[list[BettingState]] = [[] for _ in shape.nodes]
    end_states: list[list[BettingState]] = [[] for _ in shape.call_ends]
    states[0] = list(lanes)
    for index, node in enumerate(shape.nodes):
        called = [state.apply_call() for state in states[index]]
        if node.call.node is not None:
            states[node.call.node] = called
        else:
            end_states[call_end(shape, index)] = called
        for raise_node in node.raise_nodes:
            states[raise_node] = [state.apply_raise() for state in states[index]]
    return states, end_states


def _ask_whole_board(
    strategy: WholeGameStrategy, states: list[list[BettingState]], board: tuple[int, ...]
) -> Float64Array | None:
    """[node][lane][hand][fold, call, raise], where the strategy answers for a whole board; else None."""
    ask = getattr(strategy, "board_probabilities", None)
    if ask is None:
        return None
    answers: Float64Array = ask([state for of_node in states for state in of_node], board)
    return answers.reshape(len(states), len(states[0]), *answers.shape[1:])


def _write_answer(answer: ActionProbabilities, node: ShapeNode, asked: Float64Array) -> None:
    """What a strategy does at a node, [hand][action]."""
    columns = [answer.call]
    if node.has_fold:
        columns.insert(0, answer.fold)
    if node.raise_nodes:
        columns.append(answer.raises.sum(axis=1))
    for action, column in enumerate(columns):
        asked[:, action] = column


def _with_own(reach: Reach, player: int, own: Float64Array) -> Reach:
    return (own, reach[1]) if player == 0 else (reach[0], own)
