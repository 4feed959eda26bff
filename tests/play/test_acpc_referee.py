"""What the competition's own dealer makes of replies: its source, `dealer.c` and `game.c`, is the measure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errai.games.acpc import MatchState, format_match_state, parse_match_state
from errai.games.library import load_game
from errai.games.state import CALL, FOLD, Action, Raise
from errai.play.acpc_referee import Accepted, Ignored, judge_reply

LIMIT = load_game("holdem.limit.2p")
NO_LIMIT = load_game("holdem.nolimit.2p")

FACING_A_RAISE = parse_match_state(NO_LIMIT, "MATCHSTATE:0:5:r300:TdAs|")
FREE_TO_CHECK = parse_match_state(NO_LIMIT, "MATCHSTATE:0:5:r300c/:TdAs|/2c8c3h")
FACING_AN_ALL_IN = parse_match_state(NO_LIMIT, "MATCHSTATE:0:5:r20000:TdAs|")
LIMIT_CAPPED = parse_match_state(LIMIT, "MATCHSTATE:1:5:crrr:|TdAs")
LIMIT_OPEN = parse_match_state(LIMIT, "MATCHSTATE:1:5::|TdAs")
STATES = [FACING_A_RAISE, FREE_TO_CHECK, FACING_AN_ALL_IN, LIMIT_CAPPED, LIMIT_OPEN]


def reply(asked: MatchState, action: str) -> Ignored | Accepted:
    return judge_reply(asked, f"{format_match_state(asked)}:{action}")


@pytest.mark.parametrize(
    ("asked", "action", "played"),
    [
        (FACING_A_RAISE, "f", FOLD),
        (FACING_A_RAISE, "c", CALL),
        (FACING_A_RAISE, "r500", Raise(500)),
        (FACING_A_RAISE, "r20000", Raise(20_000)),
        (FREE_TO_CHECK, "r0400", Raise(400)),
        (LIMIT_OPEN, "r", Raise(20)),
        (FACING_A_RAISE, "call", CALL),
        (FACING_A_RAISE, "r500 # a comment", Raise(500)),
        (LIMIT_OPEN, "r20", Raise(20)),
    ],
)
def test_a_legal_action_is_played_whatever_follows_it(asked: MatchState, action: str, played: Action) -> None:
    assert reply(asked, action) == Accepted(played)


@pytest.mark.parametrize(
    ("asked", "action", "played", "warning"),
    [
        (FACING_A_RAISE, "r499", Raise(500), "a raise to 499 became 500"),
        (FACING_A_RAISE, "r0", Raise(500), "a raise to 0 became 500"),
        (FACING_A_RAISE, "r20001", Raise(20_000), "a raise to 20001 became 20000"),
        (FREE_TO_CHECK, "r1" + 17 * "0", Raise(20_000), "a raise to 100000000000000000 became 20000"),
    ],
)
def test_an_illegal_size_becomes_the_nearest_and_is_no_offence(
    asked: MatchState, action: str, played: Action, warning: str
) -> None:
    assert reply(asked, action) == Accepted(played, warning=warning)


@pytest.mark.parametrize(
    ("asked", "action", "warning"),
    [
        (FREE_TO_CHECK, "f", "a fold where the call is free, became a call"),
        (FACING_AN_ALL_IN, "r20000", "a raise where none is allowed, became a call"),
        (LIMIT_CAPPED, "r", "a raise where none is allowed, became a call"),
        (FACING_A_RAISE, "r", "an action that cannot be read, `r`, became a call"),
        (FACING_A_RAISE, "r-500", "an action that cannot be read, `r-500`, became a call"),
        (FACING_A_RAISE, "", "an action that cannot be read, ``, became a call"),
        (FACING_A_RAISE, "x", "an action that cannot be read, `x`, became a call"),
        (FACING_A_RAISE, "F", "an action that cannot be read, `F`, became a call"),
    ],
)
def test_an_invalid_action_becomes_a_call_and_is_counted(asked: MatchState, action: str, warning: str) -> None:
    assert reply(asked, action) == Accepted(CALL, warning=warning, is_invalid=True)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("# thinking", "a comment"),
        ("; thinking", "a comment"),
        ("", "not an answer: expected `MATCHSTATE:<position>:<hand>:<betting>:<cards>`; got ``"),
        ("hello", "not an answer: expected `MATCHSTATE:<position>:<hand>:<betting>:<cards>`; got ``"),
        ("MATCHSTATE:0:4:r300:TdAs|:c", "an answer to another state: `MATCHSTATE:0:4:r300:TdAs|`"),
        ("MATCHSTATE:1:5:r300:TdAs|:c", "an answer to another state: `MATCHSTATE:1:5:r300:TdAs|`"),
        ("MATCHSTATE:0:5:r300:TdAh|:c", "an answer to another state: `MATCHSTATE:0:5:r300:TdAh|`"),
        ("MATCHSTATE:0:5:r300:TdAs|", "not an answer: expected `MATCHSTATE:<position>:<hand>:<betting>:<cards>`; "
         "got `MATCHSTATE:0:5:r300`"),
    ],
)  # fmt: skip
def test_what_does_not_answer_the_question_is_ignored(line: str, reason: str) -> None:
    assert judge_reply(FACING_A_RAISE, line) == Ignored(reason)


def test_the_same_state_in_other_words_is_an_answer() -> None:
    line = format_match_state(FREE_TO_CHECK).replace("r300c/:", "r300c:").replace("TdAs", "tdas")
    assert judge_reply(FREE_TO_CHECK, f"{line}:c") == Accepted(CALL)


PIECES = st.sampled_from(["MATCHSTATE", *":015cfr/|\r\0é ", "r300", "TdAs", "2c8c3h", "99999999999"])


@given(st.sampled_from(STATES), st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=60), st.booleans())
def test_whatever_is_sent_an_accepted_action_is_legal(asked: MatchState, text: str, starts_well: bool) -> None:
    verdict = reply(asked, text) if starts_well else judge_reply(asked, text)
    if isinstance(verdict, Accepted):
        asked.betting.apply(verdict.action)
    else:
        assert verdict.reason
