"""A spot: the start of a round of a limit game, the cards on the board, and what each player may hold there.

    Spot(definition, betting="rc/cc/", board="Ks8s3d7h", range_bb="random", range_dealer="22+,A2s+,KTo+")

The betting is written as the ACPC writes it, the ranges as players do (`errai.cards.ranges`). Player 0 is the big blind
and player 1 the dealer. A spot that exists can be played: everything about it was checked when it was made.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands, held_cards, num_hands
from errai.cards.ranges import parse_range
from errai.errors import InputError
from errai.games.acpc import format_betting, parse_betting
from errai.games.definition import GameDefinition
from errai.games.state import BettingState


def position_names(definition: GameDefinition) -> tuple[str, str]:
    """What players call player 0 and player 1: by the blinds, where there are any."""
    first, second = definition.blinds
    return ("the big blind", "the dealer") if first > second else ("player 0", "player 1")


@dataclass(frozen=True)
class Spot:
    """A value that holds only text; betting and board are kept as this program would write them."""

    definition: GameDefinition
    betting: str = ""
    board: str = ""
    range_bb: str = "random"
    range_dealer: str = "random"

    def __post_init__(self) -> None:
        if not self.definition.is_limit:
            raise InputError(
                f"a spot needs a limit game; `{self.definition.name}` is no-limit", hint="name `holdem.limit.2p`"
            )
        object.__setattr__(self, "betting", self._written_betting())
        object.__setattr__(self, "board", self._written_board())
        self._verify_ranges()

    @property
    def name(self) -> str:
        """`holdem.limit.2p Ks8s3d7h rc/cc/`."""
        return " ".join(part for part in (self.definition.name, self.board, self.betting) if part)

    @cached_property
    def root(self) -> BettingState:
        return parse_betting(self.definition, self.betting)

    @cached_property
    def board_cards(self) -> tuple[int, ...]:
        return self.definition.deck.parse(self.board)

    @cached_property
    def weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weight of each hand of the deck for player 0 and for player 1; 0 where the board holds a card of it."""
        hand_cards = hands(self.definition.deck, self.definition.num_hole_cards)
        possible = ~np.isin(hand_cards, self.board_cards).any(axis=1)
        first, second = (np.where(possible, self._parse_range(text), 0.0) for text in self._range_texts)
        return first, second

    @property
    def pot_chips(self) -> int:
        return sum(self.root.committed)

    @property
    def _range_texts(self) -> tuple[str, str]:
        return self.range_bb, self.range_dealer

    def _written_betting(self) -> str:
        try:
            state = parse_betting(self.definition, self.betting)
        except InputError as error:
            hint = error.hint or "actions are `f`, `c` and `r`, and `/` ends a round, as in `rc/cc/`"
            raise type(error)(str(error), hint=hint) from None
        if state.is_terminal:
            raise InputError(
                f"the hand is over after the betting `{self.betting}`", hint="a spot begins where a round does: `rc/`"
            )
        if state.history[-1]:
            before = self.betting[: self.betting.rfind("/") + 1]
            raise InputError(
                f"a spot begins at the start of a round; the betting `{self.betting}` is in the middle of one",
                hint=f"`{before}` is the start of that round; `errai show` looks at any point below it",
            )
        return format_betting(state)

    def _written_board(self) -> str:
        try:
            cards = self.definition.deck.parse(self.board)
        except InputError as error:
            raise InputError(f"`board`: {error}", hint=error.hint or "write every card once: `Ks8s3d7h`") from None
        expected = sum(self.definition.num_board_cards[: self.root.round + 1])
        if len(cards) != expected:
            raise InputError(
                f"the betting `{self.betting}` leads to round {self.root.round + 1}, which has {expected} cards on the "
                f"board; got {len(cards)}: `{self.board}`",
                hint="board and betting must belong to the same round: `rc/` to a flop, `rc/cc/` to a turn",
            )
        return self.definition.deck.text(cards)

    def _parse_range(self, text: str) -> NDArray[np.float64]:
        definition = self.definition
        if definition.num_hole_cards == 2:
            return parse_range(text, definition.deck)
        if text.strip().lower() != "random":
            raise InputError(f"`{definition.name}` deals one hole card; its only range is `random`; got `{text}`")
        return np.ones(num_hands(definition.deck, definition.num_hole_cards))

    def _verify_ranges(self) -> None:
        for position, text, weights in zip(
            position_names(self.definition), self._range_texts, self.weights, strict=True
        ):
            if not weights.any():
                raise InputError(
                    f"the range of {position} is empty: no hand of `{text}` is possible on `{self.board}`",
                    hint="add hands to the range, or `random` for all of them",
                )
        held = held_cards(self.definition.deck, self.definition.num_hole_cards)
        first, second = (held[weights > 0] for weights in self.weights)
        if not np.any(first @ second.T == 0):
            raise InputError(
                f"the ranges conflict: every hand of `{self.range_bb}` shares a card with every hand of "
                f"`{self.range_dealer}`",
                hint="at least one hand of one range must leave the cards of one hand of the other",
            )
