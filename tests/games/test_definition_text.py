from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from errai.errors import DefinitionError
from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition, parse_definition
from errai.games.library import bundled_games, load_game
from reference.game_strategies import definitions

LEDUC = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""


def parse(text: str) -> GameDefinition:
    return parse_definition(text, name="leduc", source="leduc.game")


def test_a_definition_is_read() -> None:
    assert parse(LEDUC) == GameDefinition(
        name="leduc",
        is_limit=True,
        blinds=(1, 1),
        first_player=(0, 0),
        num_suits=2,
        num_ranks=3,
        num_hole_cards=1,
        num_board_cards=(0, 1),
        raise_sizes=(2, 4),
        max_raises=(2, 2),
    )


def test_case_spaces_comments_and_blank_lines_do_not_matter() -> None:
    loose = "# a comment\n\n" + LEDUC.replace("GAMEDEF", "gamedef").replace(" = ", "=").replace(
        "limit", "  LIMIT # fixed"
    )
    assert parse(loose.replace("numRounds", "NUMROUNDS").replace("\n", "\r\n")) == parse(LEDUC)


def test_the_order_of_the_keys_does_not_matter() -> None:
    first, *middle, last = LEDUC.splitlines()
    assert parse("\n".join([first, *reversed(middle), last])) == parse(LEDUC)


@given(definitions())
def test_what_is_written_is_read_back(definition: GameDefinition) -> None:
    assert parse_definition(format_definition(definition), name=definition.name, source="a file") == definition


@pytest.mark.parametrize("name", bundled_games())
def test_the_bundled_files_are_what_would_be_written(name: str) -> None:
    game = load_game(name)
    assert parse_definition(format_definition(game), name=name, source="a file") == game


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GAMEDEF\nlimit", "limit", "leduc.game:1: expected `GAMEDEF`; got `limit`"),
        ("END GAMEDEF\n", "", "leduc.game:12: expected `END GAMEDEF`; got the end of the file"),
        ("limit\n", "", "leduc.game:12: the betting type is missing: `limit` or `nolimit`"),
        ("limit\n", "limit\nnolimit\n", "leduc.game:3: the betting type is given twice; got `nolimit`"),
        ("limit\n", "nolimit\n", "leduc.game:6: `raiseSize` belongs to `limit`; this game is `nolimit`"),
        ("limit\n", "pot limit\n", "expected `limit`, `nolimit`, `key = numbers` or `END GAMEDEF`; got `pot limit`"),
        ("numSuits", "numSuit", "leduc.game:9: there is no key `numSuit`"),
        ("numSuits = 2\n", "", "leduc.game:12: `numSuits` is missing"),
        ("numSuits = 2", "numRanks = 2", "leduc.game:10: `numRanks` is given twice; line 9 has it already"),
        (
            "numSuits = 2",
            "numSuits = two",
            "leduc.game:9: `numSuits` takes whole numbers of at most 18 digits; got `two`",
        ),
        ("numSuits = 2", "numSuits = 2 2", "leduc.game:9: `numSuits` needs 1 number; got 2"),
        ("numSuits = 2", "numSuits =", "leduc.game:9: `numSuits` needs 1 number; got 0"),
        ("numSuits = 2", "numSuits = 5", "leduc.game:9: `numSuits` must be 1 to 4; got `5`"),
        (
            "blind = 1 1",
            "blind = 2147483648 1",
            "leduc.game:5: `blind` must be at most 2147483647 chips; got `(2147483648, 1)`",
        ),
        (
            "raiseSize = 2 4",
            "raiseSize = 2 2147483648",
            "leduc.game:6: `raiseSize` must be at most 2147483647 chips; got `(2, 2147483648)`",
        ),
        (
            "numSuits = 2",
            "numSuits = \u00b2",
            "leduc.game:9: `numSuits` takes whole numbers of at most 18 digits; got `\u00b2`",
        ),
        (
            "numSuits = 2",
            "numSuits = \uff12",
            "leduc.game:9: `numSuits` takes whole numbers of at most 18 digits; got `\uff12`",
        ),
        ("blind = 1 1", "blind = 1 1 1", "leduc.game:5: `blind` needs 2 numbers, one per player; got 3"),
        ("blind = 1 1", "blind = 1 -1", "leduc.game:5: `blind` must not be negative; got `(1, -1)`"),
        ("raiseSize = 2 4", "raiseSize = 2", "leduc.game:6: `raiseSize` needs 2 numbers, one per round; got 1"),
        ("raiseSize = 2 4", "raiseSize = 2 0", "leduc.game:6: `raiseSize` must be positive; got `(2, 0)`"),
        (
            "firstPlayer = 1 1",
            "firstPlayer = 1 3",
            "leduc.game:7: `firstPlayer` must be 1 or 2 in every round; got `(1, 3)`",
        ),
        ("numPlayers = 2", "numPlayers = 3", "leduc.game:3: `numPlayers` must be 2; got `3`"),
        ("numRounds = 2", "numRounds = 5", "leduc.game:4: `numRounds` must be 1 to 4; got `5`"),
        (
            "numBoardCards = 0 1",
            "numBoardCards = 0 5",
            "leduc.game:12: `numBoardCards` must leave enough cards: a hand takes 7; the deck has 6",
        ),
        (
            "numRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0 1",
            "numRanks = 13\nnumHoleCards = 1\nnumBoardCards = 3 4",
            "leduc.game:12: `numBoardCards` and the hole cards must be at most 7 at a showdown; got 8",
        ),
    ],
)
def test_an_error_names_the_file_the_line_and_what_is_wrong(old: str, new: str, message: str) -> None:
    assert old in LEDUC
    with pytest.raises(DefinitionError) as caught:
        parse(LEDUC.replace(old, new, 1))
    assert message in str(caught.value)


def test_an_empty_file_is_refused_at_its_first_line() -> None:
    with pytest.raises(DefinitionError, match=r"leduc\.game:1: expected `GAMEDEF`; got the end of the file"):
        parse("")


def test_an_unknown_key_lists_the_known_ones() -> None:
    with pytest.raises(DefinitionError) as caught:
        parse(LEDUC.replace("numSuits", "numSuit"))
    assert caught.value.hint is not None
    assert "numSuits" in caught.value.hint


@given(
    st.text() | st.lists(st.sampled_from([*LEDUC.splitlines(), "stack = 5 5", "nolimit", "x = 1", "="])).map("\n".join)
)
@example("GAMEDEF\nnumRounds = " + "9" * 5000)
def test_no_text_makes_the_reader_crash(text: str) -> None:
    with suppress(DefinitionError):
        parse(text)
