from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.errors import InputError, RuleError
from errai.games.acpc import (
    MatchState,
    format_betting,
    format_match_state,
    format_reply,
    parse_action,
    parse_betting,
    parse_match_state,
    parse_reply,
)
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import BettingState, Raise
from reference.game_strategies import definitions, hands

LIMIT = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")
EXAMPLE = "MATCHSTATE:0:0:rrc/rc/:TdAs|/2c8c3h/9c"  # figures.md, section 7


@st.composite
def match_states(draw: st.DrawFn) -> MatchState:
    state = draw(st.sampled_from(draw(hands())))
    definition = state.definition
    cards = draw(st.permutations(range(definition.deck.size)))
    size = definition.num_hole_cards
    hole_cards = [
        draw(st.sampled_from([None, tuple(cards[player * size : player * size + size])])) for player in (0, 1)
    ]
    num_board = sum(definition.num_board_cards[: state.round + 1])
    return MatchState(
        position=draw(st.integers(0, 1)),
        hand_number=draw(st.integers(0, 10**9)),
        betting=state,
        hole_cards=(hole_cards[0], hole_cards[1]),
        board=tuple(cards[2 * size : 2 * size + num_board]),
    )


@given(hands())
def test_betting_that_is_written_is_read_back(states: list[BettingState]) -> None:
    for state in states:
        assert parse_betting(state.definition, format_betting(state)) == state


@pytest.mark.parametrize(
    ("game", "text"), [(LIMIT, "rc/cc/"), (LIMIT, "cc/cc/cc/crrf"), (NO_LIMIT, "r300c/"), (NO_LIMIT, "r300r20000c///")]
)
def test_betting_is_written_as_the_dealer_writes_it(game: GameDefinition, text: str) -> None:
    assert format_betting(parse_betting(game, text)) == text


@pytest.mark.parametrize(("short", "full"), [("rc", "rc/"), ("r20000c", "r20000c///"), ("r20000c/", "r20000c///")])
def test_slashes_at_the_end_may_be_left_out(short: str, full: str) -> None:
    game = NO_LIMIT if "0" in short else LIMIT
    assert parse_betting(game, short) == parse_betting(game, full)


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (
            LIMIT,
            "rrrr",
            "character 4 (`r`) of the betting `rrrr`: player 0 cannot raise: 3 raises were made of the 3 that round 1 "
            "allows",
        ),
        (LIMIT, "rc/x", "character 4 (`x`) of the betting `rc/x`: expected `f`, `c` or `r`; got `x`"),
        (LIMIT, "rcc", "character 3 (`c`) of the betting `rcc`: round 1 is over; expected `/`"),
        (LIMIT, "r/", "character 2 (`/`) of the betting `r/`: round 1 is not over"),
        (LIMIT, "f/", "character 2 (`/`) of the betting `f/`: the hand is over"),
        (LIMIT, "cf", "character 2 (`f`) of the betting `cf`: player 0 cannot fold: the call is free"),
        (LIMIT, "r20", "character 1 (`r`) of the betting `r20`: a raise has no amount in a limit game; got `r20`"),
        (NO_LIMIT, "cr", "a raise needs its amount in a no-limit game, as in `r300`; got `r`"),
        (NO_LIMIT, "r150", "player 1 must raise to a total of 200 to 20000 chips; got 150"),
        (NO_LIMIT, "r20000cc", "character 8 (`c`) of the betting `r20000cc`: the betting of this hand is over"),
        (NO_LIMIT, "r20000c////", "character 11 (`/`) of the betting `r20000c////`: the hand is over"),
    ],
)
def test_wrong_betting_names_the_character_and_the_rule(game: GameDefinition, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_betting(game, text)
    assert message in str(caught.value)


def test_a_match_state_is_read() -> None:
    state = parse_match_state(LIMIT, EXAMPLE + "\r\n")
    deck = LIMIT.deck
    assert (state.position, state.hand_number) == (0, 0)
    assert state.betting == parse_betting(LIMIT, "rrc/rc/")
    assert state.hole_cards == (deck.parse("TdAs"), None)
    assert state.board == deck.parse("2c8c3h9c")


def test_a_reply_is_the_line_with_the_action() -> None:
    state, action = parse_reply(LIMIT, EXAMPLE + ":r\r\n")
    assert action == Raise(60)
    assert format_reply(state, action) == EXAMPLE + ":r"


def test_a_no_limit_reply_names_the_total() -> None:
    line = "MATCHSTATE:1:7:r300c/:|AsKd/2c8c3h"
    state = parse_match_state(NO_LIMIT, line)
    assert format_reply(state, parse_action(state.betting, "r900")) == line + ":r900"


def test_an_illegal_reply_is_refused() -> None:
    with pytest.raises(RuleError, match="the call is free"):
        parse_reply(LIMIT, EXAMPLE + ":f")
    with pytest.raises(InputError, match="expected one action; got `cc`"):
        parse_reply(LIMIT, EXAMPLE + ":cc")


@given(match_states())
def test_a_match_state_that_is_written_is_read_back(state: MatchState) -> None:
    assert parse_match_state(state.betting.definition, format_match_state(state)) == state


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected `MATCHSTATE:<position>:<hand>:<betting>:<cards>`; got ``"),
        ("MATCHSTATE:0:0::AsKd", "expected the hole cards of two players, as in `AsKd|`; got `AsKd`"),
        ("MATCHSTATE:2:0::AsKd|", "`position` must be 0 or 1; got `2`"),
        ("MATCHSTATE:0:x::AsKd|", "the hand of `MATCHSTATE:0:x::AsKd|` must be a number; got `x`"),
        ("MATCHSTATE:0:0::As|", "player 0 must have 2 hole cards; got 1"),
        ("MATCHSTATE:0:0::AsKd|AsQd", "every card must be different; got `AsKdAsQd`"),
        ("MATCHSTATE:0:0::AsXx|", "`Xx` is not a card of this deck"),
        ("MATCHSTATE:0:0:cc/:AsKd|", "the board of round 2 has 1 parts; got 0"),
        ("MATCHSTATE:0:0:cc/:AsKd|/2c3c", "round 2 deals 3 board cards; got 2"),
    ],
)
def test_a_wrong_match_state_says_what_is_wrong(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_match_state(LIMIT, line)
    assert str(caught.value) == message


def test_board_cards_in_the_first_round_have_no_place_in_the_protocol() -> None:
    game = GameDefinition("shown", True, (1, 1), (0,), 4, 13, 1, (1,), (1,), (1,))
    with pytest.raises(InputError, match="no place for board cards in the first round"):
        parse_match_state(game, "MATCHSTATE:0:0::As|Kd")


@given(definitions(), st.text(alphabet="frc/0123456789:x", max_size=30))
def test_no_text_makes_the_reader_of_betting_crash(game: GameDefinition, text: str) -> None:
    with suppress(InputError):
        state = parse_betting(game, text)
        assert parse_betting(game, format_betting(state)) == state


@given(match_states(), st.data())
def test_no_damaged_line_makes_the_reader_of_match_states_crash(state: MatchState, data: st.DataObject) -> None:
    line = format_match_state(state)
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    damaged = line[:start] + data.draw(st.text(max_size=4)) + line[end:]
    for parse in (parse_match_state, parse_reply):
        with suppress(InputError):
            parse(state.betting.definition, damaged)
