"""A person against a strategy: the session decides nothing but the opponent's draws and the cards."""

import numpy as np
import pytest

from errai.agents.loading import load_agent
from errai.errors import InputError, RuleError
from errai.evaluate.statistics import estimate_mean
from errai.games.library import load_game
from errai.games.played_hand import PlayedHand
from errai.games.state import CALL, FOLD, Action, BettingState
from errai.play.hand_start import HandStart
from errai.play.session import PlaySession, Table
from errai.reports.play import PlayReport

LEDUC = HandStart(load_game("leduc"))


def session(strategy: str = "seed=1", *, start: HandStart = LEDUC, seed: int = 5, **options: object) -> PlaySession:
    return PlaySession(start, load_agent(strategy, start.definition), seed=seed, **options)  # type: ignore[arg-type]


def random_action(state: BettingState, generator: np.random.Generator) -> Action:
    actions = state.legal_actions()
    return actions[int(generator.integers(len(actions)))]


def play(playing: PlaySession, hands: int, *, seed: int = 0) -> list[Table]:
    generator = np.random.default_rng(seed)
    tables = []
    for _ in range(hands):
        table = playing.deal()
        while not table.is_over:
            assert table.state.actor == table.seat
            table = playing.act(random_action(table.state, generator))
        tables.append(table)
    return tables


def test_the_player_sees_the_own_cards_and_the_opponents_only_at_a_showdown() -> None:
    tables = play(session(), 60)
    assert {table.seat for table in tables} == {0, 1}
    assert [table.seat for table in tables[:4]] == [0, 1, 0, 1]
    for table in tables:
        assert (table.opponent_cards is not None) == table.state.is_showdown
        assert [event.is_own for event in table.events] == [event.player == table.seat for event in table.events]
        assert len(table.events) == sum(map(len, table.state.history))


def test_the_same_seed_and_actions_give_the_same_hands() -> None:
    first, again = (play(session(), 30) for _ in range(2))
    assert first == again
    assert first != play(session(seed=6), 30)


def test_finished_hands_are_handed_on_with_their_payoffs() -> None:
    hands: list[PlayedHand] = []
    tables = play(session(on_hand=hands.append, player="Ann"), 20)
    assert [hand.number for hand in hands] == list(range(20))
    assert [hand.names[table.seat] for hand, table in zip(hands, tables, strict=True)] == ["Ann"] * 20
    assert [hand.payoffs_chips[table.seat] for hand, table in zip(hands, tables, strict=True)] == [
        table.won_chips for table in tables
    ]


def test_with_luck_removed_the_mean_is_the_same_and_the_spread_smaller() -> None:
    playing = session()
    play(playing, 600)
    report = playing.result()
    assert report.plain_mbb is not None
    assert report.aivat_mbb is not None
    difference = estimate_mean(np.array(playing._won) - np.array(playing._aivat))
    # Both estimate the same number: 4 standard errors are passed once in 16,000 seeds, and the seed is fixed.
    assert abs(difference.mean) < 4 * difference.standard_error
    # The player's own choices, which are random here, stay in the spread: 0.67 was measured over 1,500 hands.
    assert report.aivat_mbb.standard_error < 0.8 * report.plain_mbb.standard_error


def test_a_few_hands_have_a_wide_interval() -> None:
    report = PlayReport.of(
        game="x", player="a", opponent="b", unit_chips=1000, won_chips=[1.0, 2.0, 3.0], aivat_chips=[2.0, 2.0, 2.0]
    )
    assert report.plain_mbb is not None
    # Student's t with 2 degrees of freedom: 4.302653 (any table), times 1 / sqrt(3).
    assert report.plain_mbb.student_half_width == pytest.approx(4.302653 / 3**0.5, abs=1e-6)
    one = PlayReport.of(game="x", player="a", opponent="b", unit_chips=1000, won_chips=[1.0], aivat_chips=[1.0])
    assert one.to_json()["plain_ci95_mbb"] is None


def test_what_does_not_fit_is_refused() -> None:
    playing = session()
    with pytest.raises(InputError, match="no hand was dealt yet"):
        playing.act(CALL)
    table = playing.deal()
    with pytest.raises(InputError, match="hand 1 is not over"):
        playing.deal()
    if not table.state.can_fold():
        with pytest.raises(RuleError):
            playing.act(FOLD)
    while not table.is_over:
        table = playing.act(CALL)
    with pytest.raises(InputError, match="the hand is over"):
        playing.act(CALL)
    assert playing.num_hands == 1
