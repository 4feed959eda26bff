"""A look at one place of a stored strategy: a decision, a deal or the end of the hand."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hands, held_cards
from errai.games.place import Place
from errai.games.strategies import StrategyKind
from errai.reports.state import StateReport
from errai.solutions.stored_strategy import StoredStrategy

Ranges = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class Look:
    """A place of a strategy, and how to look at it."""

    stored: StoredStrategy
    place: Place
    strategy: StrategyKind | None = None
    with_values: bool = False

    def report(self) -> StateReport:
        """What the strategy does at a decision."""
        place = self.place
        return self.stored.query(
            betting=place.betting, board=place.board_text, strategy=self.strategy, with_values=self.with_values
        )

    def at(self, place: Place) -> "Look":
        """The same look at another place."""
        return replace(self, place=place)

    def reach(self) -> Ranges:
        """The weights with which both players' hands get to a deal or to the end: those of the decision before it."""
        place = self.place
        definition = place.definition
        before = place.parent()
        if before is None:
            ones = np.ones(len(hands(definition.deck, definition.num_hole_cards)))
            first, second = (ones, ones) if place.start is None else place.start.weights
        else:
            at, action = before
            report = replace(self, place=at, with_values=False).report()
            chosen = np.nan_to_num(report.probabilities[:, at.actions.index(action)])
            first, second = (
                own * chosen if player == report.player else own for player, own in enumerate(report.reach)
            )
        on_board = held_cards(definition.deck, definition.num_hole_cards)[:, list(place.board)].any(axis=1)
        return np.where(on_board, 0.0, first), np.where(on_board, 0.0, second)
