"""A poker game as an `ExtensiveForm`: its betting, played out on every deal at once.

1. The deals of each round come up to suit isomorphism (`deals.py`), as many as can be told apart.
2. One walk over the betting makes the nodes of all deals of the round at each point of it: the k children of the i-th
   of these nodes are numbers i * k to i * k + k - 1 of a new block, so that siblings stand together.
3. Where a round begins, chance deals the board, which both players see. Who is all-in has no more decisions: the payoff
   of such a showdown is its expectation over the rest of the board.

Infosets are labelled with the cards that the player sees and the betting: `K/Q:rc/r`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.errors import SizeError
from errai.games.acpc import format_action, format_betting
from errai.games.definition import GameDefinition
from errai.games.state import BettingState, initial_state
from errai.trees.extensive_form import ExtensiveForm, NodeKind
from errai.trees.form_deals import RoundDeals, build_deals, count_round_deals, count_round_hands

MAX_NODES = 50_000_000


@dataclass(frozen=True)
class FormSize:
    """How large a form will be, known before it is built."""

    num_nodes: int
    num_infosets: int
    num_actions: int  # infoset-actions


def build_extensive_form(
    definition: GameDefinition, *, merge_suits: bool = True, max_nodes: int = MAX_NODES
) -> ExtensiveForm:
    """The whole of the game; `merge_suits=False` tells all deals apart, which changes nothing but the size."""
    size = count_form(definition, merge_suits=merge_suits, max_nodes=max_nodes)
    return _Builder(definition, build_deals(definition, merge_suits=merge_suits), size.num_nodes).build()


def count_form(definition: GameDefinition, *, merge_suits: bool = True, max_nodes: int = MAX_NODES) -> FormSize:
    """The size of the form; a `SizeError` as soon as it has more than `max_nodes`."""
    num_deals = count_round_deals(definition, merge_suits=merge_suits)
    num_hands = count_round_hands(definition, merge_suits=merge_suits)
    num_nodes, num_infosets, num_actions = 1, 0, 0
    for state, dealt_round in _betting_points(definition):
        num_nodes += num_deals[dealt_round]
        if num_nodes > max_nodes:
            raise SizeError(
                f"the tree of `{definition.name}` has more than {max_nodes} nodes",
                hint="take a smaller deck, fewer raises or smaller stacks, or solve the game by its boards",
            )
        if not state.is_terminal and state.round == dealt_round:
            num_infosets += num_hands[dealt_round]
            num_actions += num_hands[dealt_round] * len(state.legal_actions())
    return FormSize(num_nodes, num_infosets, num_actions)


def _betting_points(definition: GameDefinition) -> Iterator[tuple[BettingState, int]]:
    """Every decision, every end and every place where a board is due, with the last round whose cards are dealt."""
    points = [(initial_state(definition), 0)]
    while points:
        state, dealt_round = points.pop()
        yield state, dealt_round
        if state.is_terminal:
            continue
        if state.round > dealt_round:
            points.append((state, dealt_round + 1))
        else:
            points.extend((state.apply(action), dealt_round) for action in state.legal_actions())


class _Builder:
    def __init__(self, definition: GameDefinition, deals: tuple[RoundDeals, ...], num_nodes: int) -> None:
        self._definition = definition
        self._deals = deals
        self._num_nodes = 1  # numbered so far, the root
        self._kind = np.zeros(num_nodes, dtype=np.uint8)
        self._first_child = np.zeros(num_nodes, dtype=np.int32)
        self._num_children = np.zeros(num_nodes, dtype=np.int32)
        self._infoset = np.full(num_nodes, -1, dtype=np.int32)
        self._probability = np.ones(num_nodes)
        self._payoff_chips = np.zeros(num_nodes)
        self._is_public = np.zeros(num_nodes, dtype=bool)
        self._infoset_labels: tuple[list[str], list[str]] = ([], [])
        self._action_labels: tuple[list[tuple[str, ...]], list[tuple[str, ...]]] = ([], [])

    def build(self) -> ExtensiveForm:
        self._deal(initial_state(self._definition), np.zeros(1, dtype=np.intp), 0, is_public=False)
        of_first = len(self._infoset_labels[0])
        self._infoset[self._kind == NodeKind.PLAYER_1] += of_first
        actions = self._action_labels[0] + self._action_labels[1]
        return ExtensiveForm(
            name=self._definition.name,
            unit_chips=float(self._definition.unit_chips),
            kind=self._kind,
            first_child=self._first_child,
            num_children=self._num_children,
            infoset=self._infoset,
            probability=self._probability,
            payoff_chips=self._payoff_chips,
            is_public=self._is_public,
            infoset_player=np.repeat(np.arange(2, dtype=np.uint8), [len(labels) for labels in self._infoset_labels]),
            first_action=np.cumsum([0, *map(len, actions)], dtype=np.int32),
            infoset_labels=self._infoset_labels[0] + self._infoset_labels[1],
            action_labels=[label for labels in actions for label in labels],
        )

    def _deal(self, state: BettingState, nodes: NDArray[np.intp], dealt_round: int, *, is_public: bool) -> None:
        """Make `nodes`, one for each deal of the round before, the chance that deals the cards of `dealt_round`."""
        deals = self._deals[dealt_round]
        children = self._number(deals.num_deals)
        counts = np.bincount(deals.parent, minlength=len(nodes))
        self._kind[nodes] = NodeKind.CHANCE
        self._is_public[nodes] = is_public
        self._num_children[nodes] = counts
        self._first_child[nodes] = children[0] + np.cumsum(counts) - counts
        self._probability[children] = deals.probability
        self._play(state, children, dealt_round)

    def _play(self, state: BettingState, nodes: NDArray[np.intp], dealt_round: int) -> None:
        """Make `nodes`, one for each deal of the round, this point of the betting, and all that follows."""
        if state.is_terminal:
            self._end(state, nodes, self._deals[dealt_round].equity)
        elif state.round > dealt_round:
            self._deal(state, nodes, dealt_round + 1, is_public=True)
        else:
            self._decide(state, nodes, dealt_round)

    def _decide(self, state: BettingState, nodes: NDArray[np.intp], dealt_round: int) -> None:
        assert state.actor is not None
        actions = state.legal_actions()
        deals = self._deals[dealt_round]
        labels = self._infoset_labels[state.actor]
        self._kind[nodes] = state.actor
        self._infoset[nodes] = len(labels) + deals.hands[state.actor]
        betting = format_betting(state)
        labels.extend(f"{cards}:{betting}" for cards in deals.hand_labels)
        action_labels = tuple(format_action(action, is_limit=self._definition.is_limit) for action in actions)
        self._action_labels[state.actor].extend([action_labels] * len(deals.hand_labels))
        children = self._number(len(nodes) * len(actions)).reshape(len(nodes), len(actions))
        self._first_child[nodes] = children[:, 0]
        self._num_children[nodes] = len(actions)
        for number, action in enumerate(actions):
            self._play(state.apply(action), children[:, number], dealt_round)

    def _end(self, state: BettingState, nodes: NDArray[np.intp], equity: NDArray[np.float64]) -> None:
        self._kind[nodes] = NodeKind.TERMINAL
        if state.is_showdown:
            self._payoff_chips[nodes] = equity * state.payoff_chips(0, winner=0)
        else:
            self._payoff_chips[nodes] = state.payoff_chips(0)

    def _number(self, count: int) -> NDArray[np.intp]:
        self._num_nodes += count
        return np.arange(self._num_nodes - count, self._num_nodes)
