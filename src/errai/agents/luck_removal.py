"""Recorded hands with the luck removed: AIVAT (Burch et al. 2018) for matches that were played elsewhere.

The baseline V is that of `errai.play.aivat`, the value of checking and calling down. Its mean over all deals is zero,
and it is the mean of itself over the next cards of the board, so the luck of the cards cancels. What is left depends on
what is known:

    the cards of both players     V is of one hand against the other, and every fold and raise counts what it changes:
                                  sum over the actions a of both players of V(after a) - V(before a)
    the strategy of one player    V is of the other player's hand against the range of the strategy, and the draws of
                                  the strategy count by their mean, as in `errai.play.aivat`

Both have the mean of the payoffs, whatever an unknown player does. That holds for a whole file only: to leave out the
hands that hide a card would leave out those that end in a fold.
"""

from dataclasses import dataclass, replace

from errai.agents.loading import load_agent
from errai.agents.rating import Decision, decisions, same_rules
from errai.cards.hands import number_of_hand
from errai.errors import InputError
from errai.games.action_text import describe_action
from errai.games.recorded_hand import RecordedHand
from errai.games.state import Call, Fold, Raise
from errai.games.strategies import ExploitedStrategy
from errai.play.aivat import AivatObserver, own_step
from errai.play.hand_start import HandStart
from errai.play.opponent_range import OpponentRange
from errai.solutions.stored_strategy import StoredStrategy


class LuckRemains(Exception):
    """Why the luck of a hand cannot be removed."""


def chips_by_cards(hand: RecordedHand) -> float:
    """What player 0 wins, the luck of the cards removed."""
    first, second = hand.hole_cards
    if first is None or second is None:
        raise LuckRemains(f"hand {hand.label} does not show the cards of both players")
    chips = 0.0
    for decision in decisions(hand):
        own, other = (first, second) if decision.player == 0 else (second, first)
        opponent = OpponentRange.of_hand(hand.betting.definition, other)
        step = own_step(decision.state, decision.action, opponent.probabilities, own, decision.board)
        chips += step if decision.player == 0 else -step
    return chips


@dataclass(frozen=True)
class KnownPlayer:
    """A player of the file who is known to have played a strategy."""

    name: str
    strategy: ExploitedStrategy
    start: HandStart

    @classmethod
    def of_stored(cls, name: str, stored: StoredStrategy, path: str) -> "KnownPlayer":
        """The player who played what is stored at `path`."""
        if stored.definition is None or (stored.start is not None and not stored.start.is_whole_game):
            raise InputError(
                f"`{path}` is not a strategy of a whole game of poker",
                hint="without `--played-by`, the luck of the cards alone is removed",
            )
        return cls(name, load_agent(path, stored.definition), HandStart(stored.definition))

    def seat(self, hand: RecordedHand) -> int | None:
        """Where the player sits; None where nobody or both have the name."""
        seats = [seat for seat, name in enumerate(hand.names) if name == self.name]
        return seats[0] if len(seats) == 1 else None

    def opponent_chips(self, hand: RecordedHand) -> float:
        """What the player's opponent wins, the luck of the cards and of the strategy's draws removed."""
        if not same_rules(hand.betting.definition, self.start.definition):
            raise LuckRemains(f"hand {hand.label} has other rules, blinds or stacks than the strategy")
        seat = self.seat(hand)
        assert seat is not None
        own_cards = hand.hole_cards[1 - seat]
        if own_cards is None:
            raise LuckRemains(f"hand {hand.label} does not show the cards of `{hand.names[1 - seat]}`")
        observer = AivatObserver(self.start, own_cards, seat=1 - seat)
        # The rules are the same; the strategy knows them by its own name.
        named = replace(hand, betting=replace(hand.betting, definition=self.start.definition))
        for decision in decisions(named):
            observer.observe_board(decision.board)
            if decision.player == seat:
                self._observe_known(observer, hand, decision)
            else:
                observer.observe_own_action(decision.state, decision.action)
        return observer.chips

    def _observe_known(self, observer: AivatObserver, hand: RecordedHand, decision: Decision) -> None:
        played = self.strategy.played_probabilities(decision.state, decision.board)
        match decision.action:
            case Fold():
                likelihood = played.fold
            case Call():
                likelihood = played.call
            case Raise(total):
                likelihood = played.raises[:, played.raise_totals == total].sum(axis=1)
        cards = hand.hole_cards[decision.player]
        if cards is not None and len(likelihood) > 1:
            is_possible = likelihood[number_of_hand(cards)] > 0.0
        else:
            is_possible = bool((likelihood * observer.range.probabilities).any())
        if not is_possible:
            action = describe_action(decision.state, decision.action)
            raise LuckRemains(
                f"`{self.name}` did not play the strategy: in hand {hand.label} it never takes `{action}`"
            )
        observer.observe_opponent(decision.state, played, decision.action)
