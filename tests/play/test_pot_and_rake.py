"""Spots by pot and stack, and rake, at the table: what hands pay, and what LBR and matches make of it."""

from fractions import Fraction

import numpy as np
import pytest

from errai.agents.loading import load_agent
from errai.agents.playing import load_competitors
from errai.games.bet_sizes import raise_total_of_fraction
from errai.games.library import load_game
from errai.games.showdown import chips_text, payoffs_chips
from errai.games.spot import Spot
from errai.play.bet_sets import parse_bets
from errai.play.hand_start import HandStart
from errai.play.lbr_estimators import Estimator
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.local_best_response import LocalBestResponse
from errai.play.match_run import RoundRobin, run_round_robin
from errai.play.matches import Competitor
from errai.play.schedule import MatchSchedule
from errai.play.tournaments import Tournament

NO_LIMIT = load_game("holdem.nolimit.2p")
DECK = NO_LIMIT.deck


def spot(rake: str = "", *, pot: int = 21, stack: int = 40, board: str = "2s3h4d6c7c") -> Spot:
    return Spot(
        NO_LIMIT, pot=pot, stack=stack, board=board, range_bb="AA,QQ,98s", range_dealer="KK,JJ,A5s", bets="a", rake=rake
    )


def paid(at: Spot, betting: str, first: str, second: str) -> tuple[int | Fraction, int | Fraction]:
    return payoffs_chips(at.parse_betting(betting), (DECK.parse(first), DECK.parse(second)), at.board_cards)


def test_the_pot_in_the_middle_belongs_to_the_winner() -> None:
    at = spot()
    assert paid(at, "cc", "AsAh", "KsKh") == (Fraction(21, 2), Fraction(-21, 2))
    assert paid(at, "r40c", "AsAh", "KsKh") == (40 + Fraction(21, 2), -40 - Fraction(21, 2))
    # A bet that is not called goes back.
    assert paid(at, "r40f", "QsQh", "KsKh") == (Fraction(21, 2), Fraction(-21, 2))
    assert paid(at, "cc", "AsAh", "AdAc") == (0, 0)


def test_rake_is_taken_from_called_chips_up_to_its_cap() -> None:
    at = spot("10% cap 5")
    assert paid(at, "cc", "AsAh", "KsKh") == (Fraction("10.5") - Fraction("2.1"), Fraction("-10.5"))
    assert paid(at, "r40c", "KsKh", "AsAh") == (Fraction("-50.5"), Fraction("45.5"))
    assert paid(at, "r40f", "QsQh", "KsKh") == (Fraction("8.4"), Fraction("-10.5"))
    assert paid(at, "cc", "AsAh", "AdAc") == (Fraction("-1.05"), Fraction("-1.05"))
    assert [chips_text(chips) for chips in paid(at, "cc", "AsAh", "KsKh")] == ["8.4", "-10.5"]


def test_a_pot_sized_bet_counts_the_pot_in_the_middle() -> None:
    assert raise_total_of_fraction(spot().root, 1.0) == 21


def exact_check_down_chips(at: Spot, seat: int) -> float:
    """By the equity of the ranges, which is computed from all pairs of hands and boards."""
    equity, pot = at.equity[seat], at.pot_chips
    rake = 0.0 if at.rake_rule is None else float(at.rake_rule.of_pot(pot))
    return equity * (pot - rake) - pot / 2


@pytest.mark.parametrize("rake", ["", "10% cap 2"])
@pytest.mark.parametrize("board", ["2s3h4d6c7c", "2s3h4d6c"])
def test_lbr_that_only_calls_wins_the_equity_of_the_pot(rake: str, board: str) -> None:
    at = spot(rake, board=board)
    response = LocalBestResponse(NO_LIMIT, parse_bets("fc"), frozenset({2, 3}), at)
    strategy = load_agent("always-call", NO_LIMIT)
    observations = run_local_best_response(response, lambda: strategy, RunGoal(60, seed=1))
    for seat in (0, 1):
        exact = exact_check_down_chips(at, seat)
        # Nobody departs from calling, so nothing is left to chance.
        assert observations.chips[:, seat, Estimator.AIVAT] == pytest.approx(np.full(60, exact), abs=1e-9)
        for estimator in (Estimator.PLAIN, Estimator.IMAGINARY):
            chips = observations.chips[:, seat, estimator]
            assert abs(chips.mean() - exact) < 4 * chips.std() / 60**0.5


@pytest.mark.parametrize("rake", ["", "10% cap 5"])
def test_the_estimators_of_lbr_agree_at_a_raked_spot(rake: str) -> None:
    """The opponent bets, calls and folds by hand, LBR raises: all terms of AIVAT count, those of the rake included."""
    at = spot(rake)
    response = LocalBestResponse(NO_LIMIT, parse_bets("1,all-in"), frozenset({3}), at)
    strategy = load_agent("seed=3", NO_LIMIT)
    observations = run_local_best_response(response, lambda: strategy, RunGoal(225, seed=2))
    difference = (observations.chips[:, :, Estimator.PLAIN] - observations.chips[:, :, Estimator.AIVAT]).mean(axis=1)
    assert abs(difference.mean()) < 4 * difference.std() / 15
    assert difference.std() > 1


def test_rake_goes_to_neither_player_of_a_match() -> None:
    at = spot("10% cap 5")
    games = RoundRobin(NO_LIMIT, MatchSchedule(100, 1, is_duplicate=True), ("always-call", "seed=1"), at)
    competitors: list[Competitor] = load_competitors(["always-call", "seed=1"], NO_LIMIT)
    (result,) = games.results(run_round_robin(games, lambda: competitors))
    first, second = result.total_chips
    assert result.rake_chips.min() >= 2.1 - 1e-9  # of the pot in the middle at least
    assert first + second == pytest.approx(-result.rake_chips.sum())
    tournament = Tournament(games.names, [result])
    both = [tournament.result_mbb(*names).mean for names in (games.names, games.names[::-1])]
    assert sum(both) == pytest.approx(-result.rake_chips.mean() * 1000 / 100)


def test_hands_are_dealt_from_the_ranges_of_a_spot_by_pot_and_stack() -> None:
    start = HandStart(NO_LIMIT, spot())
    assert start.state.actor == 0
    assert start.state.definition.stacks == (40, 40)
    for number in range(20):
        deal = start.deal(seed=1, number=number)
        assert deal.board == start.spot.board_cards  # type: ignore[union-attr]
