"""Recorded hands, replayed: payoffs checked, luck removed, and decisions compared with a stored strategy."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from errai.agents.luck_removal import KnownPlayer, LuckRemains, chips_by_cards
from errai.agents.rating import StrategyRater, Unrated, decisions
from errai.errors import InputError
from errai.evaluate.statistics import estimate_mean
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.recorded_hand import RecordedHand
from errai.games.showdown import Chips
from errai.reports.replay import PlayerReplay, RatedDecision, ReplayReport
from errai.runs.opening import open_strategy
from errai.storage.hand_histories import HandHistoryFile, SkippedHand, read_hand_history


def replay(
    file: str | Path,
    *,
    strategy: str | Path | None = None,
    played_by: str | None = None,
    game: str | GameDefinition | None = None,
) -> ReplayReport:
    """Replay the hands of a file: a log of the ACPC's dealer, PHH, or PokerStars histories.

    Every payoff is compared with the rules. With `strategy`, the directory of a solution or a run, every decision is
    rated: how often the strategy does the same with that hand. `played_by` is the name of the player who played that
    strategy; then the luck of its draws is removed as well as that of the cards. `game` is for logs that do not name a
    bundled game.
    """
    if played_by is not None and strategy is None:
        raise InputError(f"the strategy that `{played_by}` played is missing", hint="add `--strategy PATH`")
    definition = load_game(game) if isinstance(game, str) else game
    history = read_hand_history(Path(file), definition)
    if not history.hands:
        raise InputError(f"`{file}` holds no hands")
    if strategy is None:
        return _Replay(history, None, None).report(str(file), None)
    stored = open_strategy(strategy)
    known = None
    if played_by is not None:
        _verify_plays(history, played_by)
        known = KnownPlayer.of_stored(played_by, stored, str(strategy))
    return _Replay(history, StrategyRater(stored), known).report(str(file), str(strategy))


def _verify_plays(history: HandHistoryFile, name: str) -> None:
    names = dict.fromkeys(name for hand in history.hands if isinstance(hand, RecordedHand) for name in hand.names)
    if name not in names:
        raise InputError(
            f"nobody in the file is called `{name}`", hint=f"its players are {', '.join(f'`{name}`' for name in names)}"
        )


@dataclass
class _Player:
    hands: int = 0
    won_mbb: list[float] = field(default_factory=list)
    aivat_mbb: list[float] = field(default_factory=list)
    winnings_chips: Chips = 0
    decisions: int = 0
    rated: list[RatedDecision] = field(default_factory=list)


class _Replay:
    def __init__(self, history: HandHistoryFile, rater: StrategyRater | None, known: KnownPlayer | None) -> None:
        self._kind = history.kind
        self._rater = rater
        self._known = known
        self._luck_remains: str | None = None
        self._players: dict[str, _Player] = {}
        self._games: dict[str, None] = {}
        self._mismatches: list[str] = []
        self._skipped: Counter[str] = Counter()
        self._unrated: Counter[str] = Counter()
        self._num_hands = self._num_checked = 0
        for hand in history.hands:
            self._add(hand)

    def _add(self, hand: RecordedHand | SkippedHand) -> None:
        match hand:
            case SkippedHand(label, reason, is_damaged=True):
                self._mismatches.append(f"hand {label}: {reason}")
            case SkippedHand(_, reason):
                self._skipped[reason] += 1
            case RecordedHand():
                self._replay(hand)

    def _replay(self, hand: RecordedHand) -> None:
        self._num_hands += 1
        self._games[hand.betting.definition.name] = None
        players = [self._players.setdefault(name, _Player()) for name in hand.names]
        paid = hand.payoffs_chips
        self._num_checked += paid is not None and hand.recorded_chips is not None
        if hand.mismatch is not None:
            self._mismatches.append(f"hand {hand.label} {hand.mismatch}")
        for position, player in enumerate(players):
            player.hands += 1
            if paid is not None:
                player.winnings_chips += paid[position]
                player.won_mbb.append(float(paid[position]) * 1000 / hand.betting.definition.unit_chips)
        if self._luck_remains is None:
            self._remove_luck(hand, players)
        for decision in decisions(hand):
            player = players[decision.player]
            player.decisions += 1
            if self._rater is not None:
                try:
                    player.rated.append(self._rater.rate(hand, decision))
                except Unrated as reason:
                    self._unrated[str(reason)] += 1

    def _remove_luck(self, hand: RecordedHand, players: Sequence[_Player]) -> None:
        seat = None if self._known is None else self._known.seat(hand)
        try:
            if self._known is None or seat is None:
                chips = chips_by_cards(hand)
            else:
                chips = self._known.opponent_chips(hand) * (-1 if seat == 0 else 1)
        except LuckRemains as reason:
            self._luck_remains = str(reason)
            return
        mbb = chips * 1000 / hand.betting.definition.unit_chips
        players[0].aivat_mbb.append(mbb)
        players[1].aivat_mbb.append(-mbb)

    def report(self, file: str, strategy: str | None) -> ReplayReport:
        return ReplayReport(
            file=file,
            kind=self._kind,
            games=tuple(self._games),
            hands=self._num_hands,
            checked=self._num_checked,
            players=tuple(self._player_report(name, player) for name, player in self._players.items()),
            mismatches=tuple(self._mismatches),
            skipped=dict(self._skipped.most_common()),
            strategy=strategy,
            unrated=dict(self._unrated.most_common()),
            played_by=None if self._known is None else self._known.name,
            luck_remains=self._luck_remains,
        )

    def _player_report(self, name: str, player: _Player) -> PlayerReplay:
        aivat = player.aivat_mbb if self._luck_remains is None else []
        return PlayerReplay(
            name,
            player.hands,
            int(player.winnings_chips),
            estimate_mean(player.won_mbb) if player.won_mbb else None,
            estimate_mean(aivat) if aivat else None,
            player.decisions,
            tuple(player.rated),
        )
