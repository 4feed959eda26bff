from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.errors import InputError
from errai.games.bet_menu import BetMenu, BetSize, MenuEntry
from errai.games.bet_menu_text import parse_bet_menu, read_bet_menu

FLOP, TURN, RIVER = 1, 2, 3
BB, DEALER = 0, 1


def texts(sizes: tuple[BetSize, ...] | None) -> str | None:
    return None if sizes is None else ",".join(size.text for size in sizes)


def bets(menu: BetMenu, street: int, player: int, *, is_lead: bool = False) -> str | None:
    return texts(menu.sizes(street=street, player=player, num_bets=0, is_lead=is_lead))


def raises(menu: BetMenu, street: int, player: int, *, num_bets: int = 1) -> str | None:
    return texts(menu.sizes(street=street, player=player, num_bets=num_bets, is_lead=False))


def test_an_entry_without_a_street_and_a_player_is_for_all() -> None:
    menu = parse_bet_menu("50%,a / 60%")
    for street in range(4):
        for player in (BB, DEALER):
            assert bets(menu, street, player) == "50%,a"
            assert raises(menu, street, player) == "60%"


def test_the_most_specific_entry_decides_whatever_the_order() -> None:
    entries = ["10%", "dealer 20%", "turn 30%", "turn dealer 40%"]
    for menu in (parse_bet_menu(entries), parse_bet_menu(entries[::-1])):
        assert bets(menu, FLOP, BB) == "10%"
        assert bets(menu, FLOP, DEALER) == "20%"
        assert bets(menu, TURN, BB) == "30%"
        assert bets(menu, TURN, DEALER) == "40%"


def test_a_street_is_more_specific_than_a_player() -> None:
    assert bets(parse_bet_menu("dealer 20%; turn 30%"), TURN, DEALER) == "30%"


def test_without_raises_the_bets_serve_as_raises() -> None:
    menu = parse_bet_menu("flop 50%; turn 50% / none; river none")
    assert (raises(menu, FLOP, BB), raises(menu, TURN, BB), raises(menu, RIVER, BB)) == ("50%", "", "")
    assert bets(menu, RIVER, BB) == ""


def test_a_lead_has_sizes_of_its_own_or_the_ordinary_ones() -> None:
    menu = parse_bet_menu(["50%", "turn bb lead 33%", "river lead 20%"])
    assert bets(menu, TURN, BB, is_lead=True) == "33%"
    assert bets(menu, TURN, BB) == "50%"
    assert bets(menu, RIVER, BB, is_lead=True) == "20%"
    assert bets(menu, FLOP, BB, is_lead=True) == "50%"


def test_a_cap_counts_bets_and_raises_together() -> None:
    menu = parse_bet_menu("50% / 60% cap 2")
    assert raises(menu, FLOP, BB, num_bets=1) == "60%"
    assert raises(menu, FLOP, BB, num_bets=2) is None
    assert bets(parse_bet_menu("100% cap 1"), FLOP, BB) == "100%"


@pytest.mark.parametrize(
    ("preset", "same"), [("fc", "none"), ("fcpa", "100%,a"), ("fchpa", "50%,100%,a"), ("river fcpa", "river 100%,a")]
)
def test_presets_are_lists_of_sizes(preset: str, same: str) -> None:
    assert parse_bet_menu(preset) == parse_bet_menu(same)


def test_spelling_does_not_matter() -> None:
    menu = parse_bet_menu("  TURN  BB 50.0% ,all-in/ 3X cap 2 # a comment \u2013 of any letters\r\n\tMerge .10")
    assert menu.text == "turn bb 50%,a / 3x cap 2\nmerge 0.1"


def test_a_street_without_sizes_is_an_error_when_it_is_reached() -> None:
    with pytest.raises(InputError, match="no sizes for dealer on the river") as error:
        bets(parse_bet_menu("turn 50%; river bb 50%"), RIVER, DEALER)
    assert "river dealer 50%" in str(error.value.hint)


SIZES = st.one_of(
    st.builds(BetSize, st.just("%"), st.integers(1, 10**12).map(lambda n: Fraction(n, 10**6))),
    st.builds(BetSize, st.just("c"), st.integers(1, 10**6).map(Fraction)),
    st.builds(BetSize, st.just("e"), st.none() | st.integers(1, 9).map(Fraction)),
    st.just(BetSize("a")),
)
MULTIPLES = st.builds(BetSize, st.just("x"), st.integers(1001, 9000).map(lambda n: Fraction(n, 1000)))
SOME_SIZES = st.lists(SIZES, unique=True, max_size=4).map(tuple)
SOME_RAISES = st.lists(SIZES | MULTIPLES, unique=True, max_size=4).map(tuple)
THRESHOLD = st.none() | st.integers(0, 10**7).map(lambda n: Fraction(n, 10**6))
ENTRIES = st.one_of(
    st.builds(
        MenuEntry,
        st.none() | st.integers(0, 3),
        st.none() | st.integers(0, 1),
        SOME_SIZES,
        SOME_RAISES,
        st.none() | st.integers(1, 99),
    ),
    st.builds(MenuEntry, st.just(0), st.none() | st.integers(0, 1), SOME_RAISES, SOME_RAISES),
    st.builds(MenuEntry, st.none() | st.integers(1, 3), st.none() | st.just(0), SOME_SIZES, is_lead=st.just(True)),
)
MENUS = st.builds(
    BetMenu,
    st.lists(ENTRIES, min_size=1, unique_by=lambda entry: entry.key)
    .filter(lambda entries: not all(entry.is_lead for entry in entries))
    .map(tuple),
    THRESHOLD,
    THRESHOLD,
    THRESHOLD,
)


@given(MENUS)
def test_the_text_of_a_menu_reads_back_to_the_same_menu(menu: BetMenu) -> None:
    assert parse_bet_menu(menu.text) == menu
    assert parse_bet_menu(menu.text.replace("\n", ";").upper()) == menu


@given(st.text(max_size=40) | st.text("0123456789.%xcea,/; turnblidk", max_size=40))
def test_any_text_is_a_menu_or_an_error_with_a_hint(text: str) -> None:
    try:
        menu = parse_bet_menu(text)
    except InputError as error:
        hint = error.hint
    else:
        hint = menu.text
        assert parse_bet_menu(menu.text) == menu
    assert hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs at least one entry; got an empty text"),
        ("# nothing", "needs at least one entry; got an empty text"),
        ("merge 0.1", "needs at least one entry with bets"),
        ("turn lead 33%", "needs at least one entry with bets"),
        ("turn", "the entry `turn` has no sizes"),
        ("trun 50%", "`trun 50%` is not a bet size"),
        ("bb turn 50%", "`turn 50%` is not a bet size"),
        ("turn 3x", "`3x` is a multiple of the previous bet, and a first bet has none"),
        ("lead 3x; 50%", "`3x` is a multiple of the previous bet, and a first bet has none"),
        ("50%; 60%", "the sizes for every street are given twice: `50%` and `60%`"),
        ("turn bb 50%; turn bb 60%", "the sizes for `turn bb` are given twice"),
        ("50%; merge 0.1; merge 0.2", "`merge` is given twice"),
        ("50%; merge -1", "`merge` takes a number that is not negative; got `-1`"),
        ("50%; merge nan", "`merge` takes a number that is not negative; got `nan`"),
        ("0%", "the size `0%` must be above 0"),
        ("1000001%", "the size `1000001%` must be above 0 and at most 1,000,000"),
        ("-5%", "a size has no sign; got `-5%`"),
        ("50", "the size `50` has no unit"),
        ("50%,", "a size is missing"),
        ("50% /", "a size is missing"),
        ("50% / 1x", "`1x` is not a raise"),
        ("2.5c", "chips are whole numbers; got `2.5c`"),
        ("10e", "a geometric size takes 1 to 9 streets; got `10e`"),
        ("1e5", "`1e5` is not a bet size"),
        ("1.1234567%", "at most 6 digits after the point"),
        ("50% cap 0", "a cap is 1 to 99 bets and raises per street; got `0`"),
        ("50% cap", "expected a whole number after `cap`; got ``"),
        ("50% cap 2.5", "expected a whole number after `cap`; got `2.5`"),
        ("50%/60%/70%", "`60%/70%` is not a bet size"),
        ("turn dealer lead 33%; 50%", "only the player who acts first can lead"),
        ("preflop lead 33%; 50%", "there is no lead before the flop"),
        ("turn lead 33% / 50%; 50%", "a lead is a first bet"),
        ("turn lead 33% cap 2; 50%", "a lead is a first bet"),
    ],
)
def test_an_error_names_what_is_wrong_and_has_a_hint(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_bet_menu(text)
    assert message in str(error.value)
    assert error.value.hint


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("\u06650%", "U+0665"),  # an Arabic digit, which `int` would read
        ("50\uff05", "U+FF05"),  # a full-width per cent sign
        ("½", "U+00BD"),
        ("turn\u00a050%", "U+00A0"),  # a space that does not break
        ("river 50% cap \u00b2", "U+00B2"),  # a digit to `isdigit`
        ("dealer 50%".replace("e", "\u0435", 1), "U+0435"),  # a Cyrillic letter
        ("\u212a", "U+212A"),  # the Kelvin sign, a plain letter once it is lower case
        ("turn \x1b[31m", "U+001B"),
    ],
)
def test_letters_that_only_look_right_are_refused_by_number(text: str, letter: str) -> None:
    with pytest.raises(InputError, match="plain letters, digits and signs") as error:
        parse_bet_menu(text)
    assert letter in str(error.value)
    assert str(error.value).isascii()
    assert str(error.value).isprintable()


def test_a_menu_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my.bets"
    menu = parse_bet_menu("flop 33% / 3x\nturn 75%\nriver a\nadd-all-in 1.5")
    path.write_text(f"# mine\n{menu.text}\n")
    assert read_bet_menu(path) == menu
    path.write_text("flop 33\n")
    with pytest.raises(InputError, match=r"my\.bets: `flop 33`: the size `33` has no unit"):
        read_bet_menu(path)


def test_a_file_that_is_no_menu_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_bet_menu(tmp_path / "none.bets")
    with pytest.raises(InputError, match="it is not a file"):
        read_bet_menu(tmp_path)
    (tmp_path / "bytes.bets").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_bet_menu(tmp_path / "bytes.bets")
    (tmp_path / "large.bets").write_bytes(b" " * 1_000_001)
    with pytest.raises(InputError, match="more than 1,000,000 bytes"):
        read_bet_menu(tmp_path / "large.bets")
