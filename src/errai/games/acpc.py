"""The text of the ACPC protocol 2.0.0: betting such as `rc/cr` or `r300c/`, and `MATCHSTATE` lines.

    MATCHSTATE:<position>:<hand>:<betting>:<hole|hole>/<flop>/<turn>/<river>          what the dealer sends
    MATCHSTATE:<position>:<hand>:<betting>:<hole|hole>/<flop>/<turn>/<river>:<action>  what a player replies

Actions are `f`, `c` and `r`, in no-limit `r` with the total that the player will have put in over the whole hand. `/`
ends a round of betting, also the rounds without actions after an all-in; at the end of the text it may be left out.
Cards that the receiver may not see are left out.
"""

import re
from dataclasses import dataclass
from itertools import accumulate

from errai.errors import InputError, RuleError
from errai.games.definition import GameDefinition
from errai.games.state import CALL, FOLD, Action, BettingState, Call, Fold, Raise, initial_state

_ACTION = re.compile(r"f|c|r([0-9]{0,18})")
_NUMBER = re.compile(r"[0-9]{1,18}")
_HEADER = "MATCHSTATE"


@dataclass(frozen=True)
class MatchState:
    """What the player at `position` knows at one moment of a hand."""

    position: int
    hand_number: int
    betting: BettingState
    hole_cards: tuple[tuple[int, ...] | None, tuple[int, ...] | None]  # of each player; None where hidden
    board: tuple[int, ...]

    def __post_init__(self) -> None:
        definition = self.betting.definition
        if definition.num_board_cards[0]:
            raise InputError("the ACPC protocol has no place for board cards in the first round")
        if self.position not in (0, 1):
            raise InputError(f"`position` must be 0 or 1; got `{self.position}`")
        for player, cards in enumerate(self.hole_cards):
            if cards is not None and len(cards) != definition.num_hole_cards:
                raise InputError(f"player {player} must have {definition.num_hole_cards} hole cards; got {len(cards)}")
        expected = sum(definition.num_board_cards[: self.betting.round + 1])
        if len(self.board) != expected:
            raise InputError(f"the board of round {self.betting.round + 1} has {expected} cards; got {len(self.board)}")
        seen = [card for cards in (*self.hole_cards, self.board) for card in cards or ()]
        if len(set(seen)) != len(seen):
            raise InputError(f"every card must be different; got `{definition.deck.text(seen)}`")


def parse_betting(definition: GameDefinition, text: str) -> BettingState:
    """The state after the betting `text`; an error names the first character that breaks a rule."""
    return _read_betting(initial_state(definition), text, slashes=0)  # blinds can put both players all-in


def continue_betting(state: BettingState, text: str) -> BettingState:
    """The state after `state` and the betting `text`."""
    return _read_betting(state, text, slashes=state.round)


def _read_betting(state: BettingState, text: str, *, slashes: int) -> BettingState:
    """The state after `state`, for which so many slashes were written, and the betting `text`."""
    position = 0
    while position < len(text):
        try:
            if text[position] == "/":
                if slashes == state.round:
                    raise RuleError("the hand is over" if state.is_terminal else f"round {slashes + 1} is not over")
                slashes += 1
                position += 1
                continue
            if slashes < state.round and not state.is_terminal:
                raise RuleError(f"round {slashes + 1} is over; expected `/`")
            action, position_after = _read_action(state, text, position)
            state = state.apply(action)
        except InputError as error:
            place = f"character {position + 1} (`{text[position]}`) of the betting `{text}`"
            raise type(error)(f"{place}: {error}", hint=error.hint) from None
        position = position_after
    return state


def format_betting(state: BettingState) -> str:
    """The betting as the dealer writes it: `cc/` when the second round begins."""
    is_limit = state.definition.is_limit
    return "/".join(
        "".join(format_action(action, is_limit=is_limit) for action in actions) for actions in state.history
    )


def parse_action(state: BettingState, text: str) -> Action:
    """The legal action of `state` that `text` names."""
    action, end = _read_action(state, text, 0)
    if end != len(text):
        raise InputError(f"expected one action; got `{text}`")
    state.apply(action)
    return action


def format_action(action: Action, *, is_limit: bool) -> str:
    match action:
        case Fold():
            return "f"
        case Call():
            return "c"
        case Raise(total):
            return "r" if is_limit else f"r{total}"


def parse_match_state(definition: GameDefinition, line: str) -> MatchState:
    """The state that a line of the dealer describes."""
    return _parse_fields(definition, _split(line, num_fields=5), line)


def format_match_state(match_state: MatchState) -> str:
    """The line of the dealer, without the line's end."""
    definition = match_state.betting.definition
    hole_cards = "|".join(definition.deck.text(cards or ()) for cards in match_state.hole_cards)
    ends = list(accumulate(definition.num_board_cards))
    boards = "".join(
        "/" + definition.deck.text(match_state.board[ends[round - 1] : ends[round]])
        for round in range(1, match_state.betting.round + 1)
    )
    betting = format_betting(match_state.betting)
    return f"{_HEADER}:{match_state.position}:{match_state.hand_number}:{betting}:{hole_cards}{boards}"


def parse_reply(definition: GameDefinition, line: str) -> tuple[MatchState, Action]:
    """The state that a player's reply repeats, and the action that it chooses."""
    fields = _split(line, num_fields=6)
    match_state = _parse_fields(definition, fields[:5], line)
    return match_state, parse_action(match_state.betting, fields[5])


def format_reply(match_state: MatchState, action: Action) -> str:
    """The reply of a player who chooses `action`, without the line's end."""
    is_limit = match_state.betting.definition.is_limit
    return f"{format_match_state(match_state)}:{format_action(action, is_limit=is_limit)}"


def _read_action(state: BettingState, text: str, position: int) -> tuple[Action, int]:
    """The action written at `position`, whether legal or not, and the position after it."""
    found = _ACTION.match(text, position)
    if found is None:
        raise InputError(f"expected `f`, `c` or `r`; got `{text[position : position + 1]}`")
    if found[0] == "f":
        return FOLD, found.end()
    if found[0] == "c":
        return CALL, found.end()
    if state.definition.is_limit:
        if found[1]:
            raise InputError(f"a raise has no amount in a limit game; got `{found[0]}`")
        state.verify_raise()
        low, _ = state.raise_bounds() or (0, 0)
        return Raise(low), found.end()
    if not found[1]:
        raise InputError("a raise needs its amount in a no-limit game, as in `r300`; got `r`")
    return Raise(int(found[1])), found.end()


def _split(line: str, *, num_fields: int) -> list[str]:
    fields = line.rstrip("\r\n").split(":")
    if fields[0] != _HEADER or len(fields) != num_fields:
        expected = ":".join((_HEADER, "<position>", "<hand>", "<betting>", "<cards>", "<action>")[:num_fields])
        raise InputError(f"expected `{expected}`; got `{line.rstrip()}`")
    return fields


def _parse_fields(definition: GameDefinition, fields: list[str], line: str) -> MatchState:
    _, position, hand_number, betting, cards = fields
    for what, number in (("position", position), ("hand", hand_number)):
        if not _NUMBER.fullmatch(number):
            raise InputError(f"the {what} of `{line.rstrip()}` must be a number; got `{number}`")
    state = parse_betting(definition, betting)
    hole_text, *board_texts = cards.split("/")
    hole_texts = hole_text.split("|")
    if len(hole_texts) != 2:
        raise InputError(f"expected the hole cards of two players, as in `AsKd|`; got `{hole_text}`")
    if len(board_texts) != state.round:
        raise InputError(f"the board of round {state.round + 1} has {state.round} parts; got {len(board_texts)}")
    first, second = (definition.deck.parse(text) or None for text in hole_texts)
    boards = [definition.deck.parse(text) for text in board_texts]
    for round, board in enumerate(boards, start=1):
        if len(board) != definition.num_board_cards[round]:
            expected = definition.num_board_cards[round]
            raise InputError(f"round {round + 1} deals {expected} board cards; got {len(board)}")
    return MatchState(
        position=int(position),
        hand_number=int(hand_number),
        betting=state,
        hole_cards=(first, second),
        board=tuple(card for board in boards for card in board),
    )
