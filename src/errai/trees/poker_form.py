"""A poker game, or a spot of one, as an `ExtensiveForm`: its betting, played out on every deal at once.

1. The deals of each round (`form_deals.py`) come up to suit isomorphism; those of a spot one by one, each with the
   product of the weights of its hands.
2. One walk over the betting makes the nodes of all deals of the round at each point of it: the k children of the i-th
   of these nodes are numbers i * k to i * k + k - 1 of a new block, so that siblings stand together.
3. Where a round begins, chance deals the board, which both players see. A player who is all-in has no more decisions:
   the payoff of such a showdown is its expectation over the rest of the board.

Payoffs are chips won over the whole hand. Of a pot that lay in the middle before a spot began, each player put in half.

Infosets are labelled with the cards that the player sees and the betting: `K/Q:rc/r`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import number_of_hand
from errai.errors import InputError, SizeError
from errai.games.acpc import format_action, format_betting
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.games.state import Action, BettingState, initial_state
from errai.trees.extensive_form import ExtensiveForm, FormLocks, NodeKind
from errai.trees.form_deals import (
    RoundDeals,
    build_deals,
    build_spot_deals,
    count_round_deals,
    count_round_hands,
    count_spot_deals,
)

MAX_NODES = 50_000_000


@dataclass(frozen=True)
class FormSize:
    """How large a form will be, known before it is built."""

    num_nodes: int
    num_infosets: int
    num_actions: int  # infoset-actions


@dataclass(frozen=True)
class _Betting:
    """Where the betting begins, what can be done at each point of it, and what lay in the pot before."""

    name: str
    root: BettingState
    actions: Callable[[BettingState], tuple[Action, ...]]
    dead_pot_chips: int = 0


def build_extensive_form(
    definition: GameDefinition, *, merge_suits: bool = True, max_nodes: int = MAX_NODES
) -> ExtensiveForm:
    """The whole of the game; `merge_suits=False` tells all deals apart, which changes nothing but the size."""
    size = count_form(definition, merge_suits=merge_suits, max_nodes=max_nodes)
    deals = build_deals(definition, merge_suits=merge_suits)
    return _Builder(_betting_of_game(definition), deals, size.num_nodes, definition.unit_chips).build()


def count_form(definition: GameDefinition, *, merge_suits: bool = True, max_nodes: int = MAX_NODES) -> FormSize:
    """The size of the form; a `SizeError` as soon as it has more than `max_nodes`."""
    betting = _betting_of_game(definition)
    num_nodes = _count_nodes(betting, count_round_deals(definition, merge_suits=merge_suits), max_nodes)
    num_hands = [(count, count) for count in count_round_hands(definition, merge_suits=merge_suits)]
    return _size(betting, num_nodes, num_hands)


def build_spot_form(spot: Spot, *, max_nodes: int = MAX_NODES) -> ExtensiveForm:
    """The whole of a spot, without rake."""
    if spot.rake:
        raise InputError(
            f"with rake `{spot.rake}` the game is not zero-sum, as a tree with one payoff per end is",
            hint="the lanes engine takes rake: `--engine lanes`",
        )
    betting = _betting_of_spot(spot)
    num_nodes = _count_nodes(betting, _count_deals(spot), max_nodes)
    form = _Builder(betting, build_deals_of_spot(spot), num_nodes, spot.definition.unit_chips).build()
    return replace(form, locks=_form_locks(form, spot)) if spot.locks else form


def _form_locks(form: ExtensiveForm, spot: Spot) -> FormLocks:
    """The infosets that a spot locks, by their labels."""
    deck = spot.definition.deck
    is_locked, strategy = np.zeros(form.num_infosets, dtype=bool), np.zeros(form.num_actions)
    for lock in spot.node_locks:
        betting = format_betting(lock.state)
        for infoset, label in enumerate(form.infoset_labels):
            cards, _, line = label.partition(":")
            hole, *streets = cards.split("/")
            if line != betting or (lock.board is not None and not _is_board(spot, streets, lock.board)):
                continue
            hand = number_of_hand(deck.parse(hole))
            if lock.is_locked[hand]:
                is_locked[infoset] = True
                strategy[form.actions_of(infoset)] = lock.probabilities[hand]
    return FormLocks(is_locked, strategy)


def _is_board(spot: Spot, streets: Sequence[str], board: tuple[int, ...]) -> bool:
    """Whether the cards of a label, street by street, are those of a board."""
    first = 0
    for text in streets:
        cards = spot.definition.deck.parse(text)
        if set(cards) != set(board[first : first + len(cards)]):
            return False
        first += len(cards)
    return True


def count_spot_form(spot: Spot, *, max_nodes: int = MAX_NODES) -> FormSize:
    """The size of the form of a spot; a `SizeError` as soon as it has more than `max_nodes`."""
    betting = _betting_of_spot(spot)
    num_nodes = _count_nodes(betting, _count_deals(spot), max_nodes)
    # Which hands meet an opponent's on which boards is known from the deals, which are few beside the nodes.
    num_hands = [tuple(map(len, deals.hand_labels)) for deals in build_deals_of_spot(spot)]
    return _size(betting, num_nodes, num_hands)


def _count_deals(spot: Spot) -> tuple[int, ...]:
    if spot.merges_suits:
        return count_round_deals(spot.definition, merge_suits=True)
    return count_spot_deals(spot.definition, spot.board_cards, spot.weights, first_round=spot.root.round)


def build_deals_of_spot(spot: Spot) -> tuple[RoundDeals, ...]:
    """The deals of every round of the form that `build_spot_form` makes."""
    if spot.merges_suits:
        return build_deals(spot.definition, merge_suits=True)
    return build_spot_deals(spot.definition, spot.board_cards, spot.weights, first_round=spot.root.round)


def _betting_of_game(definition: GameDefinition) -> _Betting:
    return _Betting(definition.name, initial_state(definition), BettingState.legal_actions)


def _betting_of_spot(spot: Spot) -> _Betting:
    return _Betting(spot.name, spot.root, spot.actions, spot.dead_pot_chips)


def _count_nodes(betting: _Betting, num_deals: Sequence[int], max_nodes: int) -> int:
    num_nodes = 1
    for _, dealt_round in _betting_points(betting):
        num_nodes += num_deals[dealt_round - betting.root.round]
        if num_nodes > max_nodes:
            raise SizeError(
                f"the tree of `{betting.name}` has more than {max_nodes} nodes",
                hint="take a smaller deck, fewer raises or smaller stacks, or solve the game by its boards",
            )
    return num_nodes


def _size(betting: _Betting, num_nodes: int, num_hands: Sequence[tuple[int, ...]]) -> FormSize:
    num_infosets = num_actions = 0
    for state, dealt_round in _betting_points(betting):
        if state.actor is not None and state.round == dealt_round:
            hands = num_hands[dealt_round - betting.root.round][state.actor]
            num_infosets += hands
            num_actions += hands * len(betting.actions(state))
    return FormSize(num_nodes, num_infosets, num_actions)


def _betting_points(betting: _Betting) -> Iterator[tuple[BettingState, int]]:
    """Every decision, every end and every place where a board is due, with the last round whose cards are dealt."""
    points = [(betting.root, betting.root.round)]
    while points:
        state, dealt_round = points.pop()
        yield state, dealt_round
        if state.is_terminal:
            continue
        if state.round > dealt_round:
            points.append((state, dealt_round + 1))
        else:
            points.extend((state.apply(action), dealt_round) for action in betting.actions(state))


class _Builder:
    def __init__(self, betting: _Betting, deals: tuple[RoundDeals, ...], num_nodes: int, unit_chips: int) -> None:
        self._betting = betting
        self._deals = dict(enumerate(deals, start=betting.root.round))
        self._unit_chips = unit_chips
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
        root = self._betting.root
        self._deal(root, np.zeros(1, dtype=np.intp), root.round, is_public=False)
        of_first = len(self._infoset_labels[0])
        self._infoset[self._kind == NodeKind.PLAYER_1] += of_first
        actions = self._action_labels[0] + self._action_labels[1]
        return ExtensiveForm(
            name=self._betting.name,
            unit_chips=float(self._unit_chips),
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
        actions = self._betting.actions(state)
        deals = self._deals[dealt_round]
        labels = self._infoset_labels[state.actor]
        self._kind[nodes] = state.actor
        self._infoset[nodes] = len(labels) + deals.hands[state.actor]
        betting = format_betting(state)
        hand_labels = deals.hand_labels[state.actor]
        labels.extend(f"{cards}:{betting}" for cards in hand_labels)
        is_limit = state.definition.is_limit
        action_labels = tuple(format_action(action, is_limit=is_limit) for action in actions)
        self._action_labels[state.actor].extend([action_labels] * len(hand_labels))
        children = self._number(len(nodes) * len(actions)).reshape(len(nodes), len(actions))
        self._first_child[nodes] = children[:, 0]
        self._num_children[nodes] = len(actions)
        for number, action in enumerate(actions):
            self._play(state.apply(action), children[:, number], dealt_round)

    def _end(self, state: BettingState, nodes: NDArray[np.intp], equity: NDArray[np.float64]) -> None:
        self._kind[nodes] = NodeKind.TERMINAL
        dead_share = self._betting.dead_pot_chips / 2
        if state.is_showdown:
            self._payoff_chips[nodes] = equity * (dead_share + state.payoff_chips(0, winner=0))
        else:
            won = state.payoff_chips(0)
            self._payoff_chips[nodes] = won + (dead_share if state.folded_player == 1 else -dead_share)

    def _number(self, count: int) -> NDArray[np.intp]:
        self._num_nodes += count
        return np.arange(self._num_nodes - count, self._num_nodes)
