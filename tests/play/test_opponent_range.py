import numpy as np
import pytest

from errai.cards.hands import hand_index, hands
from errai.games.action_probabilities import ActionProbabilities
from errai.games.library import load_game
from errai.games.state import CALL, FOLD, Raise
from errai.play.opponent_range import OpponentRange

NO_LIMIT = load_game("holdem.nolimit.2p")
LEDUC = load_game("leduc")


def test_it_starts_even_over_the_hands_that_share_no_card_with_ones_own() -> None:
    own = NO_LIMIT.deck.parse("AsKd")
    found = OpponentRange(NO_LIMIT, own).probabilities
    shares = np.isin(hands(NO_LIMIT.deck, 2), own).any(axis=1)
    assert not found[shares].any()
    assert np.unique(found[~shares]).tolist() == [pytest.approx(1 / 1225)]


def test_cards_that_lie_open_are_nobodys() -> None:
    known = OpponentRange(NO_LIMIT, NO_LIMIT.deck.parse("AsKd"))
    known.observe_cards(NO_LIMIT.deck.parse("Ks8s3d"))
    assert np.count_nonzero(known.probabilities) == 47 * 46 // 2
    assert known.probabilities.sum() == pytest.approx(1.0)
    assert known.probabilities[hand_index(np.array(NO_LIMIT.deck.parse("Ks2c")))] == 0.0


def test_an_action_multiplies_every_hand_with_its_probability_by_bayes_rule() -> None:
    known = OpponentRange(LEDUC, (0,))
    raises = np.array([0.9, 0.0, 0.1, 0.2, 0.3, 0.4])
    known.observe_action(ActionProbabilities(call=1 - raises, raise_totals=[3], raises=raises[:, np.newaxis]), Raise(3))
    assert known.probabilities.tolist() == pytest.approx([0.0, 0.0, 0.1, 0.2, 0.3, 0.4])
    known.observe_action(ActionProbabilities(fold=0.0, call=[1, 1, 0, 0, 0.5, 0.5]), CALL)
    assert known.probabilities.tolist() == pytest.approx([0.0, 0.0, 0.0, 0.0, 3 / 7, 4 / 7])


def test_what_all_hands_do_alike_tells_nothing() -> None:
    known = OpponentRange(LEDUC, (0,))
    before = known.probabilities.copy()
    known.observe_action(ActionProbabilities(fold=0.25, call=0.75), FOLD)
    assert np.array_equal(known.probabilities, before)


def test_an_action_that_no_hand_takes_teaches_nothing() -> None:
    known = OpponentRange(LEDUC, (0,))
    before = known.probabilities.copy()
    known.observe_action(ActionProbabilities(call=[1, 0, 0, 0, 0, 0]), CALL)
    assert np.array_equal(known.probabilities, before)
