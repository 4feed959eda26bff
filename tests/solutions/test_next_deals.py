"""Reports over next cards: every deal once, each as often as it happens."""

from pathlib import Path

import numpy as np
import pytest

from errai.errors import InputError
from errai.games.place import parse_place
from errai.games.spot import Spot
from errai.reports.deals import deal_totals
from errai.runs.solve_whole import solve_whole
from errai.solutions.look import Look
from errai.solutions.method import Goal
from errai.solutions.next_deals import deal_row, next_deals
from errai.solutions.solve import solve
from errai.solutions.stored_strategy import StoredStrategy
from reference.small_holdem import small_holdem

GAME = small_holdem(num_ranks=4, num_rounds=2, max_raises=(2, 2))


def look_at(stored: StoredStrategy, betting: str, board: str = "") -> Look:
    assert stored.definition is not None
    place = parse_place(stored.definition, stored.start, betting=betting, board=board)
    return Look(stored, place.without_deal(), with_values=True)


def test_flops_up_to_suits_give_the_means_of_all_flops() -> None:
    solution = solve(GAME, iterations=20)
    look = look_at(solution, "rc/")
    deals = next_deals(look)
    assert sum(deal.count for deal in deals) == 16 * 15 * 14 // 6
    rows = [deal_row(look, deal) for deal in deals]
    total = deal_totals(rows)["all"][0]
    plain = Look(solution, look.place, with_values=True)
    frequencies, weights = [], []
    for first in range(16):
        for second in range(first):
            for third in range(second):
                report = plain.at(look.place.with_cards((first, second, third))).report()
                frequencies.append(report.frequencies)
                weights.append(report.meeting_weights[0].sum())
    np.testing.assert_allclose(total.frequencies, np.average(frequencies, axis=0, weights=weights), rtol=1e-5)
    assert total.num_deals == len(weights)
    assert sum(total.values_chips or ()) == pytest.approx(look.place.pot_chips, rel=1e-4)
    assert sum(total.equities or ()) == pytest.approx(1, rel=1e-6)


def test_totals_by_texture_are_parts_of_the_whole() -> None:
    look = look_at(solve(GAME, iterations=5), "cc/")
    totals = deal_totals([deal_row(look, deal) for deal in next_deals(look)])
    for group in ("suits", "pairing", "high"):
        assert sum(total.share for total in totals[group]) == pytest.approx(1)
        assert sum(total.num_deals for total in totals[group]) == totals["all"][0].num_deals
    assert [total.name for total in totals["pairing"]] == ["unpaired", "paired", "trips"]
    assert [total.name for total in totals["high"]] == ["A", "K", "Q", "J"]


def test_a_run_with_some_flops_reports_these(tmp_path: Path) -> None:
    game = small_holdem(num_rounds=3, max_raises=(1, 1, 1))
    stored = solve_whole(game, tmp_path / "run", flops="AsKsQs:3,AsAhKd", goal=Goal(iterations=2))
    look = look_at(stored, "cc/")
    rows = sorted((deal_row(look, deal) for deal in next_deals(look)), key=lambda row: row.count)
    assert [row.count for row in rows] == [4, 12]
    deck = game.deck
    per_deal = []
    for row in rows:
        meeting = look.at(look.place.with_cards(deck.parse(row.cards))).report().meeting_weights[0].sum()
        per_deal.append(row.weight / row.count / meeting)
    # The weight that a flop is named with is that of each deal that it stands for.
    assert per_deal[0] / per_deal[1] == pytest.approx(3)


def test_a_line_without_cards_has_no_report() -> None:
    solution = solve(GAME, iterations=1)
    with pytest.raises(InputError, match="no cards of the board are dealt"):
        look_at(solution, "r")


def test_a_spot_whose_ranges_differ_by_suit_reports_every_deal() -> None:
    spot = Spot(small_holdem(num_ranks=4, num_rounds=3), board="AsKhJd", betting="cc/", range_bb="AhAd,KsKd")
    assert len(next_deals(look_at(solve(spot, iterations=2), "cc/cc/", "AsKhJd"))) == 13
