import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.cards.deck import Deck
from errai.cards.hands import hands, num_hands
from errai.cards.ranges import format_range, parse_range
from errai.errors import InputError

FULL_DECK = Deck(13, 4)
DECKS = [FULL_DECK, Deck(5, 4), Deck(9, 4), Deck(6, 2), Deck(4, 1)]


def named_hands(text: str, deck: Deck = FULL_DECK) -> set[str]:
    """The hands with a weight, as text with the higher card first."""
    return {deck.text(hands(deck, 2)[hand][::-1].tolist()) for hand in np.flatnonzero(parse_range(text, deck))}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("AA", 6),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("KA", 16),
        ("TT+", 30),
        ("A2s+", 48),
        ("JTs+", 4),
        ("22-55", 24),
        ("55-22", 24),
        ("A5s-A2s", 16),
        ("KQs-KTs", 12),
        ("KQ-KT", 48),
        ("AsKd", 1),
        ("random", 1326),
        ("AA,AKs, T9o:0.5 ,AsKd", 6 + 4 + 12 + 1),
    ],
)
def test_term_names_as_many_hands_as_players_expect(text: str, count: int) -> None:
    assert np.count_nonzero(parse_range(text, FULL_DECK)) == count


def test_terms_name_the_right_hands() -> None:
    assert named_hands("AKs") == {"AcKc", "AdKd", "AhKh", "AsKs"}
    assert named_hands("22") == {"2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h"}
    assert named_hands("KdAs") == {"AsKd"}
    assert named_hands("QTs+") == named_hands("QTs,QJs")
    assert named_hands("A5s-A3s") == named_hands("A3s,A4s,A5s")
    assert named_hands("KK+", Deck(5, 4)) == named_hands("KK,AA", Deck(5, 4))
    assert named_hands("AK", Deck(5, 1)) == {"AsKs"}


def test_last_term_counts() -> None:
    weights = parse_range("random:0.25,AA,AsAd:0.5", FULL_DECK)
    assert sorted(np.unique(weights, return_counts=True)[1].tolist()) == [1, 5, 1320]
    assert weights[51 * 50 // 2 + 49] == 0.5  # As is 51, Ad is 49


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("AKs,AKo", "AK"),
        ("22,33,44,55,66,77,88,99,TT,JJ,QQ,KK,AA", "22+"),
        ("A2s+,A9o+,KQ", "A2s+,A9o+,KQ"),
        ("22-99:0.5,TT+", "TT+,99-22:0.5"),
        ("KQs-KTs", "KTs+"),
        ("72o,AhAs", "72o,AsAh"),
        ("random:0.5", "random:0.5"),
        ("AA:0", "random:0"),
        ("A5,A4s,A4o,A3s", "A5-A4,A3s"),
    ],
)
def test_range_is_written_in_few_terms(text: str, shortest: str) -> None:
    assert format_range(parse_range(text, FULL_DECK), FULL_DECK) == shortest


@settings(deadline=None, max_examples=60)
@given(data=st.data(), deck=st.sampled_from(DECKS))
def test_written_range_reads_back_to_the_same_weights(data: st.DataObject, deck: Deck) -> None:
    few_weights = st.sampled_from([0.0, 0.25, 1.0]) | st.floats(1e-30, 1)
    names = deck.rank_names
    terms = [a + b + kind for a in names for b in names for kind in ("so" if a != b else " ") if deck.num_suits > 1]
    chosen = data.draw(st.lists(st.tuples(st.sampled_from(terms or ["AK"]), few_weights), max_size=20))
    weights = parse_range(",".join(["random:0", *(f"{term}:{weight!r}" for term, weight in chosen)]), deck)
    for hand, weight in data.draw(st.lists(st.tuples(st.integers(0, num_hands(deck, 2) - 1), few_weights), max_size=5)):
        weights[hand] = weight
    text = format_range(weights, deck)
    assert np.array_equal(parse_range(text, deck), weights)
    assert len(text) <= len(
        ",".join(f"{deck.text(cards)}:{w!r}" for cards, w in zip(hands(deck, 2), weights, strict=True))
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`` is not a term of a range"),
        ("AA,,KK", "`` is not a term of a range"),
        ("AA,XYs", "`XYs` is not a term of a range"),
        ("AKx", "`AKx` is not a term of a range"),
        ("AAs", "`AAs`: a pair is neither suited nor offsuit"),
        ("AKs-QTs", "`AKs-QTs` must go from pair to pair, or from kicker to kicker of one rank"),
        ("AKs-A2o", "`AKs-A2o` must go from pair to pair, or from kicker to kicker of one rank"),
        ("22-A2", "`22-A2` must go from pair to pair, or from kicker to kicker of one rank"),
        ("AA:101", "the weight of `AA:101` must be 0, a number from 1e-30 to 1, or a percentage up to 100; got `101`"),
        (
            "AA:much",
            "the weight of `AA:much` must be 0, a number from 1e-30 to 1, or a percentage up to 100; got `much`",
        ),
        ("AA:", "the weight of `AA:` must be 0, a number from 1e-30 to 1, or a percentage up to 100; got ``"),
        (
            "AA:1e-31",
            "the weight of `AA:1e-31` must be 0, a number from 1e-30 to 1, or a percentage up to 100; got `1e-31`",
        ),
        ("AK\u017f", "`AK\u017f` is not a term of a range"),  # upper case S
        ("A\u212as", "`A\u212as` is not a term of a range"),  # the Kelvin sign, lower case k
        ("\uff21\uff21", "`\uff21\uff21` is not a term of a range"),  # wide letters
        ("AA:nan", "the weight of `AA:nan` must be 0, a number from 1e-30 to 1, or a percentage up to 100; got `nan`"),
        ("AsAs", "every card must be different; got `AsAs`"),
    ],
)
def test_error_names_the_term(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_range(text, FULL_DECK)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("A5s:50", "A5s:0.5"),
        ("A5s:50%", "A5s:0.5"),
        ("A5s:0.5%", "A5s:0.005"),
        ("A5s:1%,AA:0.5", "A5s:0.01,AA:0.5"),
        ("A5s:100,AA:0,KK", "A5s,KK"),
        ("[50]AA,AKs[/50]", "AA:0.5,AKs:0.5"),
        ("[ 50.0 ] AA , AKs [/50.0],KK", "AA:0.5,AKs:0.5,KK"),
        ("[50]AA[/50],[25]KK[/25],QQ:0.1", "AA:0.5,KK:0.25,QQ:0.1"),
        ("[1]AA[/1]", "AA:0.01"),
    ],
)
def test_percentages_are_weights(text: str, same: str) -> None:
    assert np.array_equal(parse_range(text, FULL_DECK), parse_range(same, FULL_DECK))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AA:50,KK:1", "weights and percentages are mixed: `AA` has 50 percent, `KK` has 1"),
        ("KK:0.5,AA:50", "weights and percentages are mixed: `AA` has 50 percent, `KK` has 0.5"),
        ("[50]AA", "`[50]` has no end `[/50]`"),
        ("AA[/50]", "`[/50]` ends what was not begun"),
        ("[50]AA[/25]", "`[/25]` ends what was not begun"),
        ("[50]AA,[25]KK[/25]", "`[25]` begins before `[50]` has ended"),
        ("[50]AA:0.5[/50]", "`AA:0.5` has a weight of its own within `[50]`"),
        ("[101]AA[/101]", "the weight of `[101]` must be 0, a number"),
        ("[x]AA[/x]", "the weight of `[x]` must be 0, a number"),
        ("AA:101%", "the weight of `AA:101%` must be 0, a number"),
        ("AA:1_0", "the weight of `AA:1_0` must be 0, a number"),
        ("AA:\u0665", "the weight of `AA:\u0665` must be 0, a number"),
    ],
)
def test_weights_that_are_not_clear_are_refused_with_a_hint(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_range(text, FULL_DECK)
    assert str(error.value).startswith(message)
    assert error.value.hint


def test_term_must_name_a_hand_of_the_deck() -> None:
    with pytest.raises(InputError, match=r"^`22` has a rank that this deck does not have$"):
        parse_range("22", Deck(5, 4))
    with pytest.raises(InputError, match=r"^`AA` names no hand of a deck of 5 ranks and 1 suits$"):
        parse_range("AA", Deck(5, 1))


def test_weights_outside_of_0_to_1_are_not_written() -> None:
    with pytest.raises(InputError, match=r"^a weight must be 0, or a number from 1e-30 to 1$"):
        format_range(np.full(1326, 1.5), FULL_DECK)
