"""A person, or anything else that acts when it likes, plays hands against a strategy.

    session = PlaySession(start, strategy, seed=1)
    table = session.deal()                      the opponent has acted until it is the player's turn
    while not table.is_over:
        table = session.act(action)
    session.result()

Nothing here prints or waits: a terminal, a web page and a test all drive a session by these calls. The seats change
places with every hand. The cards and the opponent's draws depend on the seed and the number of the hand alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from errai.cards.hands import number_of_hand
from errai.errors import InputError
from errai.games.acpc import format_betting
from errai.games.action_text import describe_action
from errai.games.played_hand import Cards, Deal, PlayedHand
from errai.games.showdown import Chips
from errai.games.spot import position_names
from errai.games.state import Action, BettingState
from errai.games.strategies import ExploitedStrategy
from errai.play.aivat import AivatObserver
from errai.play.called_down import dead_share_chips
from errai.play.hand_start import HandStart
from errai.play.schedule import MatchSchedule
from errai.reports.play import PlayReport

_NO_END = 2**62  # hands of a session: as many as the player likes


@dataclass(frozen=True)
class Event:
    """An action at the table."""

    player: int
    is_own: bool
    text: str  # in the words of players: `raise 260`
    round: int  # from 0


@dataclass(frozen=True)
class Table:
    """What the player sees."""

    number: int  # of the hand, from 0
    state: BettingState
    seat: int  # of the player: 0 is the big blind in hold'em
    position: str  # what the seat is called
    own_cards: Cards
    board: Cards
    events: tuple[Event, ...]  # of this hand, from where it began
    opponent_cards: Cards | None  # shown at a showdown
    won_chips: Chips | None  # when the hand is over

    @property
    def is_over(self) -> bool:
        return self.state.is_terminal

    @property
    def pot_chips(self) -> int:
        return sum(self.state.committed) + int(2 * dead_share_chips(self.state))

    @property
    def betting(self) -> str:
        return format_betting(self.state)


@dataclass
class _Hand:
    number: int
    deal: Deal
    seat: int
    state: BettingState
    observer: AivatObserver
    generator: np.random.Generator  # of the opponent
    events: list[Event] = field(default_factory=list)


class PlaySession:
    """Hands of one player against a strategy."""

    def __init__(
        self,
        start: HandStart,
        strategy: ExploitedStrategy,
        *,
        player: str = "you",
        seed: int = 0,
        on_hand: Callable[[PlayedHand], None] | None = None,
    ) -> None:
        self.start = start
        self.strategy = strategy
        self.player = player
        self._schedule = MatchSchedule(_NO_END, seed)
        self._on_hand = on_hand
        self._hand: _Hand | None = None
        self._won: list[float] = []
        self._aivat: list[float] = []

    @property
    def num_hands(self) -> int:
        """How many hands are over."""
        return len(self._won)

    @property
    def table(self) -> Table:
        """The hand that is being played, or the last one."""
        hand = self._current()
        state, deal = hand.state, hand.deal
        payoffs = self._played(hand).payoffs_chips if state.is_terminal else None
        return Table(
            number=hand.number,
            state=state,
            seat=hand.seat,
            position=position_names(self.start.definition)[hand.seat],
            own_cards=deal.hole_cards[hand.seat],
            board=deal.board_at(state),
            events=tuple(hand.events),
            opponent_cards=deal.hole_cards[1 - hand.seat] if state.is_showdown else None,
            won_chips=None if payoffs is None else payoffs[hand.seat],
        )

    def deal(self) -> Table:
        """Begin the next hand; the one before must be over."""
        if self._hand is not None and not self._hand.state.is_terminal:
            raise InputError(f"hand {self._hand.number + 1} is not over", hint="act until it is")
        number = self.num_hands
        deal = self._schedule.deal(self.start, number)
        seat = self._schedule.position_of(number, 0)
        observer = AivatObserver(self.start, deal.hole_cards[seat], seat=seat)
        generator = self._schedule.generator(number, 1)
        self._hand = _Hand(number, deal, seat, self.start.state, observer, generator)
        self._let_opponent_act()
        return self.table

    def act(self, action: Action) -> Table:
        """Take an action, which must be legal; then the opponent acts until it is the player's turn again."""
        hand = self._current()
        if hand.state.actor != hand.seat:
            raise InputError("the hand is over", hint="`deal()` begins the next one")
        after = hand.state.apply(action)
        hand.observer.observe_board(hand.deal.board_at(hand.state))
        hand.observer.observe_own_action(hand.state, action)
        self._record(action, after)
        self._let_opponent_act()
        return self.table

    def result(self) -> PlayReport:
        """What the player won in the hands that are over."""
        unit_chips = self.start.definition.unit_chips
        return PlayReport.of(
            game=self.start.name,
            player=self.player,
            opponent=self.strategy.name,
            unit_chips=unit_chips,
            won_chips=self._won,
            aivat_chips=self._aivat,
        )

    def _let_opponent_act(self) -> None:
        hand = self._current()
        while hand.state.actor == 1 - hand.seat:
            board = hand.deal.board_at(hand.state)
            hand.observer.observe_board(board)
            played = self.strategy.played_probabilities(hand.state, board)
            action = played.sample(number_of_hand(hand.deal.hole_cards[1 - hand.seat]), hand.generator)
            hand.observer.observe_opponent(hand.state, played, action)
            self._record(action, hand.state.apply(action))
        if hand.state.is_terminal:
            self._finish(hand)

    def _record(self, action: Action, after: BettingState) -> None:
        hand = self._current()
        actor = hand.state.actor
        assert actor is not None
        hand.events.append(Event(actor, actor == hand.seat, describe_action(hand.state, action), hand.state.round))
        hand.state = after

    def _finish(self, hand: _Hand) -> None:
        played = self._played(hand)
        self._won.append(float(played.payoffs_chips[hand.seat]))
        self._aivat.append(hand.observer.chips)
        if self._on_hand is not None:
            self._on_hand(played)

    def _played(self, hand: _Hand) -> PlayedHand:
        names = (self.player, self.strategy.name)
        ordered = names if hand.seat == 0 else names[::-1]
        return PlayedHand(hand.number, hand.deal, hand.state, (ordered[0], ordered[1]))

    def _current(self) -> _Hand:
        if self._hand is None:
            raise InputError("no hand was dealt yet", hint="`deal()` begins one")
        return self._hand
