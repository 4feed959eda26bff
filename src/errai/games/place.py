"""A place in a game: the betting and the board so far, and every step that led there.

The place is a decision, a deal (the betting of a round is over and cards of the next board are missing) or the end of
the hand.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from errai.errors import InputError
from errai.games.acpc import format_betting, parse_betting
from errai.games.action_text import describe_action
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.games.state import Action, BettingState, initial_state

PlaceKind = Literal["decision", "deal", "end"]
_MOST_BETTING_TEXT = 1000


@dataclass(frozen=True)
class Place:
    """Where a strategy is looked at."""

    definition: GameDefinition
    start: Spot | None
    state: BettingState
    board: tuple[int, ...]

    @property
    def kind(self) -> PlaceKind:
        if self.state.is_terminal:
            return "end"
        return "deal" if self.num_missing_cards else "decision"

    @property
    def num_missing_cards(self) -> int:
        """Cards to deal before somebody acts."""
        if self.state.is_terminal:
            return 0
        return sum(self.definition.num_board_cards[: self.state.round + 1]) - len(self.board)

    @property
    def betting(self) -> str:
        return format_betting(self.state) if self.start is None else self.start.format_betting(self.state)

    @property
    def board_text(self) -> str:
        return self.definition.deck.text(self.board)

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.state.legal_actions() if self.start is None else self.start.actions(self.state)

    @property
    def pot_chips(self) -> int:
        return sum(self.state.committed) + (0 if self.start is None else self.start.dead_pot_chips)

    @property
    def first_round(self) -> int:
        """The round in which the strategy begins."""
        return 0 if self.start is None else self.start.root.round

    def before_deal(self) -> "Place":
        """The start of this round, without its cards."""
        state = initial_state(self.definition) if self.start is None else self.start.root
        for actions in self.state.history[state.round : -1]:
            for action in actions:
                state = state.apply(action)
        return replace(self, state=state, board=self._board_of(self.state.round - 1))

    def without_deal(self) -> "Place":
        """This place without the cards of its round, where they have been dealt: the same line on any of them."""
        if self.kind == "end" or self.state.round == self.first_round:
            raise InputError(
                f"no cards of the board are dealt before `{self.betting}`, where the hand is over"
                if self.kind == "end"
                else "no cards of the board are dealt in the round in which the strategy begins",
                hint="ask where the betting of a round is over, as in `cc/`, or later",
            )
        return self if self.num_missing_cards else replace(self, board=self.before_deal().board)

    def with_cards(self, cards: tuple[int, ...]) -> "Place":
        """This place with more cards on the board."""
        return replace(self, board=self.board + cards)

    def steps(self) -> Iterator[tuple["Place", Action | None]]:
        """Every place before this one, from the start on, with the action taken there; None where cards are dealt."""
        state = initial_state(self.definition) if self.start is None else self.start.root
        first_round = self.first_round
        at = Place(self.definition, self.start, state, self._board_of(first_round))
        for round_index in range(first_round, len(self.state.history)):
            if round_index > first_round:
                dealt = self._board_of(round_index)
                if len(dealt) == sum(self.definition.num_board_cards[: round_index + 1]) > len(at.board):
                    yield at, None
                    at = replace(at, board=dealt)
            for action in self.state.history[round_index]:
                yield at, action
                at = replace(at, state=at.state.apply(action))

    def parent(self) -> tuple["Place", Action] | None:
        """The last decision before this place, and what was done there."""
        for at, action in reversed(list(self.steps())):
            if action is not None:
                return at, action
        return None

    def _board_of(self, round_index: int) -> tuple[int, ...]:
        return self.board[: sum(self.definition.num_board_cards[: round_index + 1])]


def parse_place(definition: GameDefinition, start: Spot | None, *, betting: str | None, board: str | None) -> Place:
    """The place that two texts name; without them, where the strategy begins."""
    if betting is not None and len(betting) > _MOST_BETTING_TEXT:
        raise InputError(f"`betting` must have at most {_MOST_BETTING_TEXT} characters; got {len(betting):,}")
    if betting is None:
        betting = "" if start is None else start.betting
    if board is None:
        board = "" if start is None else start.board
    state = parse_betting(definition, betting) if start is None else start.parse_betting(betting)
    place = Place(definition, start, state, definition.deck.parse(board))
    _verify_start(place)
    _verify_board(place)
    for at, action in place.steps():
        if action is not None and action not in at.actions:
            text = describe_action(at.state, action)
            offered = ", ".join(f"`{describe_action(at.state, option)}`" for option in at.actions)
            raise InputError(f"`{text}` is no action of this game after `{at.betting}`; it has {offered}")
    return place


def _verify_start(place: Place) -> None:
    start = place.start
    if start is None:
        return
    before = start.root.history
    if place.state.history[: len(before) - 1] != before[:-1]:
        raise InputError(
            f"this strategy begins after `{start.betting}`; got `{place.betting}`",
            hint=f"betting begins with `{start.betting}`",
        )
    num_cards = len(start.board_cards)
    if set(place.board[:num_cards]) != set(start.board_cards):
        raise InputError(
            f"this strategy begins on `{start.board}`; got `{place.board_text}`",
            hint=f"the board begins with `{start.board}`",
        )


def _verify_board(place: Place) -> None:
    """The board must have the cards of all rounds in which somebody acted, and at most those of this round."""
    counts = place.definition.num_board_cards
    acted = max((index for index, actions in enumerate(place.state.history) if actions), default=0)
    least = sum(counts[: acted + 1])
    most = least if place.state.is_terminal else sum(counts[: place.state.round + 1])
    if not least <= len(place.board) <= most:
        expected = str(most) if least == most else f"{least} to {most}"
        raise InputError(
            f"after `{place.betting}` the board has {expected} cards; got {len(place.board)}: `{place.board_text}`"
        )
