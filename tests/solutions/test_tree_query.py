from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import errai
from errai.cards.deck import Deck
from errai.cards.hands import hand_index, hands
from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.compatible_reach import compatible_reach
from errai.games.library import load_game
from errai.games.strategies import StrategyKind
from errai.reports.state import StateReport
from errai.solutions.solution import Solution
from errai.solutions.tree_query import query_tree
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import VARIANTS
from errai.storage import solution_directory
from errai.trees.betting_tree import build_betting_tree
from errai.trees.public_tree import build_public_tree

HOLDEM = load_game("holdem.limit.2p")
# Limit hold'em on a deck of aces, kings and queens, with less betting.
SMALL = replace(HOLDEM, name="small", num_ranks=3, max_raises=(1, 1, 2, 2))
BELOW_THE_FLOP = ("rc/c", "rc/cr", "rc/cc/rr", "rc/rc/c", "rc/cc/rc/cr", "rc/rc/cc/r")


def solve_small_flop(board: str = "AsKsQd", **options: object) -> Solution:
    settings = {"betting": "rc/", "iterations": 30, "precision": "float64", **options}
    return errai.solve(SMALL, board=board, **settings)  # type: ignore[arg-type]


def relabelled_hands(deck: Deck, suits: str) -> NDArray[np.int64]:
    """For each hand of the deck, the hand with `cdhs` renamed to `suits`."""
    cards = np.arange(deck.size)
    renamed = cards // 4 * 4 + np.array([deck.suit_names.index(suit) for suit in suits])[cards % 4]
    return hand_index(renamed[hands(deck, 2)])


def assert_relabelled(ours: StateReport, theirs: StateReport, suits: str) -> None:
    """Every hand of `ours` does, holds and is worth the same as the renamed hand of `theirs`.

    What a hand does where it never gets, and what that would be worth, is the rounding of sums that should be nothing.
    """
    renamed = relabelled_hands(ours.definition.deck, suits)
    gets_here = [reach > 1e-9 for reach in ours.reach]
    np.testing.assert_array_equal(np.isnan(ours.probabilities), np.isnan(theirs.probabilities[renamed]))
    acts = gets_here[ours.player]
    np.testing.assert_allclose(ours.probabilities[acts], theirs.probabilities[renamed][acts], atol=1e-6)
    for player in (0, 1):
        np.testing.assert_allclose(ours.reach[player], theirs.reach[player][renamed], atol=1e-9)
        if ours.value_chips is not None and theirs.value_chips is not None:
            first, second = ours.value_chips[player], theirs.value_chips[player][renamed]
            np.testing.assert_allclose(first[gets_here[player]], second[gets_here[player]], atol=1e-5)
        if ours.best_response_chips is not None and theirs.best_response_chips is not None:
            first, second = ours.best_response_chips[player], theirs.best_response_chips[player][renamed]
            np.testing.assert_allclose(first, second, atol=1e-5)


def test_every_board_of_a_class_is_answered_as_if_it_had_been_computed_itself() -> None:
    # With three ranks many actions are worth exactly the same, and rounding decides between them.
    definition = replace(SMALL, num_ranks=4)
    root, flop = parse_betting(definition, "rc/"), definition.deck.parse("AsKsQd")
    betting = build_betting_tree(root)
    trees = [build_public_tree(definition, betting=betting, board=flop, merge_suits=merge) for merge in (True, False)]
    assert len(trees[0].rounds[2].boards) < len(trees[1].rounds[2].boards)
    solvers = [LaneSolver(tree, variant=VARIANTS["cfr+"]) for tree in trees]
    for solver in solvers:
        solver.run(3)
    rest = [card for card in range(definition.deck.size) if card not in flop]
    for turn, river in list(permutations(rest, 2))[::7]:
        for history, board in (("rc/cr", flop), ("rc/cc/r", (*flop, turn)), ("rc/rc/cc/cr", (*flop, turn, river))):
            merged, apart = (
                query_tree(
                    tree,
                    solver.average_strategy(),
                    state=parse_betting(definition, history),
                    board=board,
                    with_values=history.count("/") == 3,
                    num_threads=1,
                )
                for tree, solver in zip(trees, solvers, strict=True)
            )
            assert_relabelled(merged, apart, "cdhs")


@pytest.mark.parametrize("suits", ["dcsh", "shdc"])
def test_relabelling_the_suits_of_a_spot_relabels_its_solution(suits: str) -> None:
    def rename(text: str) -> str:
        return "".join(suits["cdhs".index(letter)] if letter in "cdhs" else letter for letter in text)

    ranges = "AcKc,AdAh,KdQd:0.5,QcQh", "KcKd,AhQh,AcQd"
    ours = solve_small_flop(range_bb=ranges[0], range_dealer=ranges[1])
    theirs = solve_small_flop(rename("AsKsQd"), range_bb=rename(ranges[0]), range_dealer=rename(ranges[1]))
    assert theirs.exploitability().exploitability_chips == pytest.approx(ours.exploitability().exploitability_chips)
    for betting in ("rc/", *BELOW_THE_FLOP):
        board = "AsKsQdAcQh"[: 2 * (2 + betting.count("/"))]
        assert_relabelled(
            ours.query(betting=betting, board=board), theirs.query(betting=betting, board=rename(board)), suits
        )


@pytest.mark.parametrize("betting", ["rc/cc/", "rc/cc/c", "rc/cc/crr", "rc/cc/rc/", "rc/cc/rrc/cr"])
def test_the_values_of_both_players_add_up_to_the_pot(betting: str) -> None:
    solution = errai.solve(SMALL, board="AsKsQdAh", betting="rc/cc/", iterations=50, precision="float64")
    report = solution.query(betting=betting, board="AsKsQdAhKd"[: 2 * (2 + betting.count("/"))])
    assert report.value_chips is not None
    assert report.best_response_chips is not None
    totals = []
    for player in (0, 1):
        beside = compatible_reach(SMALL, report.reach[1 - player][:, None])[:, 0]
        weights = report.reach[player] * beside
        totals.append(np.nansum(weights * report.value_chips[player]) / weights.sum())
        told = ~np.isnan(report.value_chips[player])
        assert np.all(report.best_response_chips[player][told] >= report.value_chips[player][told] - 1e-9)
    assert sum(totals) == pytest.approx(report.pot_chips, abs=1e-9)


def test_a_hand_that_always_wins_is_worth_the_pot_and_one_that_always_loses_nothing() -> None:
    solution = errai.solve(
        HOLDEM,
        board="KsKd8h7c2s",
        betting="rc/cc/cc/",
        range_bb="KhKc",
        range_dealer="QhJh,QdJd",
        precision="float64",
        iterations=2000,
    )
    report = solution.query()
    assert (report.player, report.pot_chips, report.actions) == (0, 40, ("c", "r"))
    assert report.value_chips is not None
    winner, loser = (hand_index(np.array([HOLDEM.deck.parse(text)]))[0] for text in ("KhKc", "QdJd"))
    assert report.value_chips[0][winner] == pytest.approx(40, abs=1e-3)
    assert report.value_chips[1][loser] == pytest.approx(0, abs=1e-3)
    # Who faces a bet with nothing gives up, and gets nothing for it.
    facing = solution.query(betting="rc/cc/cc/r")
    assert facing.probabilities[loser] == pytest.approx([1, 0, 0], abs=1e-3)
    assert facing.frequencies == pytest.approx([1, 0, 0], abs=1e-3)


def test_reach_is_the_range_times_the_own_actions_on_the_way() -> None:
    solution = solve_small_flop(range_bb="AcKc,AdAh,KdQd:0.5,QcQh")
    first = solution.query()
    check = solution.query(betting="rc/c")
    raised = solution.query(betting="rc/cr")
    possible = first.reach[0] > 0
    np.testing.assert_allclose(check.reach[0][possible], (first.reach[0] * first.probabilities[:, 0])[possible])
    np.testing.assert_allclose(raised.reach[0], check.reach[0])
    possible = check.reach[1] > 0
    np.testing.assert_allclose(raised.reach[1][possible], (check.reach[1] * check.probabilities[:, 1])[possible])
    turn = solution.query(betting="rc/cc/", board="AsKsQdKd")
    assert turn.reach[0][hand_index(np.array([SMALL.deck.parse("KdQd")]))[0]] == 0  # its king lies on the board


def test_a_whole_game_is_asked_in_the_same_way() -> None:
    solution = errai.solve("leduc", iterations=50)
    rows = {(row.cards, row.betting): row.probabilities for row in solution.infosets()}
    deck = load_game("leduc").deck
    for board in ("Qh", "Qs", "As"):
        report = solution.query(betting="rc/cr", board=board)
        for card, text in enumerate(report.hand_texts):
            if text == board:
                assert np.isnan(report.probabilities[card]).all()
                continue
            expected = list(rows[f"{deck.card_text(card)[0]}/{board[0]}", "rc/cr"].values())
            assert report.probabilities[card] == pytest.approx(expected)


def test_values_are_left_out_where_they_are_not_wanted() -> None:
    solution = solve_small_flop()
    for betting in ("rc/", "rc/c"):
        assert solution.query(betting=betting).value_chips is not None
        unvalued = solution.query(betting=betting, with_values=False)
        assert unvalued.value_chips is None
        assert unvalued.best_response_chips is None


def test_a_query_of_a_mapped_file_is_the_query_of_the_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve_small_flop(precision="uint16")
    solution.save(tmp_path / "spot")
    monkeypatch.setattr(solution_directory, "ALWAYS_VERIFIED_BYTES", 0)
    loaded = errai.Solution.open(tmp_path / "spot")
    assert isinstance(loaded.strategy_arrays()[0].values, np.memmap)
    for betting in ("rc/", *BELOW_THE_FLOP):
        board = "AsKsQdAcQh"[: 2 * (2 + betting.count("/"))]
        assert_relabelled(
            loaded.query(betting=betting, board=board), solution.query(betting=betting, board=board), "cdhs"
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"betting": "cc/c"}, "the betting must begin with `rc/`; got `cc/c`"),
        ({"betting": ""}, "the betting must begin with `rc/`; got ``"),
        ({"betting": "rc/rf"}, "nobody acts after `rc/rf`: the hand is over"),
        ({"board": "AsKsQh"}, "the board must begin with `AsKsQd`; got `AsKsQh`"),
        ({"board": "AsKs"}, "below the root a board has 3 or 4 or 5 cards; got 2"),
        (
            {"betting": "rc/cc/c"},
            "the betting is in round 3, which has 4 cards on the board; got 3: `AsKsQd`",
        ),
    ],
    ids=str,
)
def test_what_is_not_below_the_spot_cannot_be_asked_for(options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        solve_small_flop(iterations=1).query(**options)  # type: ignore[arg-type]
    assert str(caught.value) == message
    assert caught.value.hint is not None


@pytest.mark.parametrize("strategy", ["average", "current"])
@pytest.mark.parametrize(
    ("betting", "board"), [("", ""), ("c", ""), ("cr", ""), ("rc/", "Ks"), ("crc/cr", "Qs"), ("rrc/crr", "As")]
)
def test_the_flat_engine_answers_as_the_lanes_engine_does(betting: str, board: str, strategy: StrategyKind) -> None:
    lanes, flat = (
        errai.solve("leduc", engine=engine, iterations=20).query(betting=betting, board=board, strategy=strategy)
        for engine in ("lanes", "flat")
    )
    np.testing.assert_allclose(flat.probabilities, lanes.probabilities, atol=1e-9)
    for name in ("reach", "value_chips", "best_response_chips"):
        for ours, theirs in zip(getattr(flat, name), getattr(lanes, name), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-7, err_msg=name)
    assert flat.action_value_chips is not None
    assert lanes.action_value_chips is not None
    np.testing.assert_allclose(flat.action_value_chips, lanes.action_value_chips, atol=1e-7)


def test_a_round_that_deals_no_cards_is_asked_about_on_the_board_before_it() -> None:
    definition = replace(load_game("leduc"), num_board_cards=(0, 0))
    report = errai.solve(definition, iterations=5).query(betting="cc/c")
    assert report.player == 1
    assert not np.isnan(report.probabilities).any()
    np.testing.assert_allclose(report.probabilities.sum(axis=1), 1.0)
