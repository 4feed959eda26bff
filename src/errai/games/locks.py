"""Locked decisions of a spot: which hands do not choose at a point of the betting, and what they do instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands
from errai.cards.ranges import parse_range
from errai.errors import InputError
from errai.games.acpc import format_action
from errai.games.action_text import describe_action
from errai.games.definition import GameDefinition
from errai.games.lock_text import EVERY_HAND, TOTAL, LockPart, LockText
from errai.games.offered_line import OfferingSpot, verify_offered
from errai.games.state import BettingState

Float64Array = NDArray[np.float64]

_SUM_TOLERANCE = Fraction(1, 10**6)  # of shares that are written with a few digits


class LockedSpot(OfferingSpot, Protocol):
    """What a lock asks a spot."""

    @property
    def definition(self) -> GameDefinition: ...

    @property
    def board_cards(self) -> tuple[int, ...]: ...

    @property
    def weights(self) -> tuple[Float64Array, Float64Array]: ...

    def parse_betting(self, text: str) -> BettingState: ...


@dataclass(frozen=True, eq=False)
class NodeLock:
    """One decision, on one board or on all; arrays have a row per hand of the deck."""

    state: BettingState
    board: tuple[int, ...] | None  # None: every board
    is_locked: NDArray[np.bool_]  # [hand]
    probabilities: Float64Array  # [hand][action]; 0 where a hand is not locked

    @property
    def player(self) -> int:
        assert self.state.actor is not None
        return self.state.actor

    def holds_on(self, board: tuple[int, ...]) -> bool:
        """Whether the lock is about these cards; those of one round may come in any order."""
        first = 0
        for count in self.state.definition.num_board_cards:
            if self.board is not None and {*self.board[first : first + count]} != {*board[first : first + count]}:
                return False
            first += count
        return True

    def over(self, earlier: "NodeLock") -> "NodeLock":
        """Both locks of a decision; where both lock a hand, this one counts."""
        own = self.is_locked[:, np.newaxis]
        probabilities = np.where(own, self.probabilities, earlier.probabilities)
        return NodeLock(self.state, self.board, self.is_locked | earlier.is_locked, probabilities)


def place_lock(spot: LockedSpot, lock: LockText) -> tuple[NodeLock, LockText]:
    """The decision of `spot` that a lock is about, and the lock as this program writes it."""
    state, board = read_place(spot, lock)
    is_locked = np.zeros(len(spot.weights[0]), dtype=bool)
    probabilities = np.zeros((len(is_locked), len(spot.actions(state))))
    names = action_names(spot, state)
    parts = []
    assert state.actor is not None
    in_range = spot.weights[state.actor] > 0
    for part in lock.parts:
        if part.hands == TOTAL:
            raise InputError(
                f"`{lock.text}`: a total needs a stored strategy, whose hands say how to get there",
                hint="solve and save the spot first; then `errai solve DIR --lock ... --out NEW`",
            )
        shares = _all_shares(spot, state, part, lock)
        chosen = in_range & _named_hands(spot.definition, part.hands, lock)
        if board is not None:
            chosen &= ~np.isin(hands(spot.definition.deck, spot.definition.num_hole_cards), board).any(axis=1)
        if not chosen.any():
            raise InputError(
                f"`{lock.text}`: no hand of `{part.hands}` is in the range of the player who acts there",
                hint="name hands of that player's range, or `all`",
            )
        is_locked |= chosen
        probabilities[chosen] = np.array(list(map(float, shares))) / float(sum(shares))
        parts.append(LockPart(part.hands, tuple(zip(names, shares, strict=True))))
    line = spot.format_betting(state)
    board_text = "" if board is None else spot.definition.deck.text(board)
    return NodeLock(state, board, is_locked, probabilities), LockText(line, board_text, tuple(parts))


def read_place(spot: LockedSpot, lock: LockText) -> tuple[BettingState, tuple[int, ...] | None]:
    """Where a lock is: the point of the betting, and the board if it names one."""
    state = _state_of(spot, lock)
    return state, _board_of(spot, state, lock) if lock.board else None


def action_names(spot: LockedSpot, state: BettingState) -> tuple[str, ...]:
    """The actions of a decision in the words of players."""
    return tuple(describe_action(state, action) for action in spot.actions(state))


def _state_of(spot: LockedSpot, lock: LockText) -> BettingState:
    """The point of the betting that the line leads to, along the actions that the spot offers."""
    line = lock.line or spot.format_betting(spot.root)
    try:
        state = spot.parse_betting(line)
        verify_offered(spot, state)
    except InputError as error:
        hint = error.hint or "write the line as `errai show --betting` takes it: `c`, `r100`, `cr300c/`"
        raise InputError(f"`{lock.text}`: {error}", hint=hint) from None
    if state.is_terminal:
        raise InputError(f"`{lock.text}`: nobody acts after `{line}`, where the hand is over", hint="end it earlier")
    return state


def _board_of(spot: LockedSpot, state: BettingState, lock: LockText) -> tuple[int, ...]:
    definition = spot.definition
    try:
        cards = definition.deck.parse(lock.board)
    except InputError as error:
        raise InputError(f"`{lock.text}`: {error}", hint=error.hint) from None
    expected = sum(definition.num_board_cards[: state.round + 1])
    if len(cards) != expected:
        raise InputError(
            f"`{lock.text}`: the line is in round {state.round + 1}, which has {expected} cards on the board; "
            f"got {len(cards)}",
            hint="name all cards on the board, those of the spot first",
        )
    root = spot.board_cards
    if set(cards[: len(root)]) != set(root):
        raise InputError(
            f"`{lock.text}`: the board must begin with `{definition.deck.text(root)}`",
            hint="name all cards on the board, those of the spot first",
        )
    return (*root, *cards[len(root) :])


def _named_hands(definition: GameDefinition, text: str, lock: LockText) -> NDArray[np.bool_]:
    deck = definition.deck
    if text == EVERY_HAND:
        return np.ones(len(hands(deck, definition.num_hole_cards)), dtype=bool)
    try:
        if definition.num_hole_cards == 1:
            return _named_cards(definition, text)
        weights = parse_range(text, deck)
    except InputError as error:
        raise InputError(f"`{lock.text}`: {error}", hint=error.hint) from None
    if not np.all((weights == 0) | (weights == 1)):
        raise InputError(f"`{lock.text}`: the hands of a lock have no weights", hint="`AA,A5s`, not `AA,A5s:0.5`")
    chosen: NDArray[np.bool_] = weights > 0
    return chosen


def _named_cards(definition: GameDefinition, text: str) -> NDArray[np.bool_]:
    """One hole card: `K` for every king, or `Ks`."""
    deck = definition.deck
    chosen = np.zeros(deck.size, dtype=bool)
    for term in text.split(","):
        same = [card for card in range(deck.size) if deck.card_text(card).lower().startswith(term.strip().lower())]
        if not term.strip() or not same:
            raise InputError(f"`{term}` is no card of `{definition.name}`", hint="name a rank or a card: `K`, `Ks`")
        chosen[same] = True
    return chosen


def named_shares(spot: LockedSpot, state: BettingState, part: LockPart, lock: LockText) -> dict[int, Fraction]:
    """The shares that a part of a lock names, by the number of the action."""
    actions = spot.actions(state)
    names = action_names(spot, state)
    shares: dict[int, Fraction] = {}
    for written, share in part.shares:
        numbers = [
            number
            for number, (name, action) in enumerate(zip(names, actions, strict=True))
            if written in (name, format_action(action, is_limit=state.definition.is_limit))
            or (name.split(" ")[0] == written and _is_only(written, names))
        ]
        if not numbers:
            raise InputError(
                f"`{lock.text}`: there is no action `{written}` after `{spot.format_betting(state)}`",
                hint=f"the actions there are {', '.join(f'`{name}`' for name in names)}",
            )
        if numbers[0] in shares:
            raise InputError(f"`{lock.text}`: the action `{written}` is named twice", hint="name every action once")
        shares[numbers[0]] = share
    return shares


def _is_only(word: str, names: Sequence[str]) -> bool:
    """Whether one action alone begins with a word, such as `bet` where there is one size."""
    return sum(name.split(" ")[0] == word for name in names) == 1


def _all_shares(spot: LockedSpot, state: BettingState, part: LockPart, lock: LockText) -> list[Fraction]:
    """The share of every action; one that is not named takes what is left."""
    named = named_shares(spot, state, part, lock)
    names = action_names(spot, state)
    unnamed = [number for number in range(len(names)) if number not in named]
    left = 1 - sum(named.values(), Fraction(0))
    if len(unnamed) == 1:
        named[unnamed[0]] = max(left, Fraction(0))
    elif abs(left) > _SUM_TOLERANCE:
        missing = ", ".join(f"`{names[number]}`" for number in unnamed)
        raise InputError(
            f"`{lock.text}`: the shares add up to {float(1 - left):g}, not to 1",
            hint=f"name the shares of {missing} too" if unnamed else "`fold=25%,call=75%`",
        )
    return [named.get(number, Fraction(0)) for number in range(len(names))]
