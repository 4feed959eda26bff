"""Hand histories in PHH, the poker hand history format, which is TOML; several hands make a `.phhs` file.

    [1]
    variant = "NT"                              no-limit hold'em; "FT" for fixed-limit
    antes = [0, 0]
    blinds_or_straddles = [50, 100]             in the order in which they are posted: the small blind first
    min_bet = 100                               in fixed-limit `small_bet` and `big_bet`
    starting_stacks = [20000, 20000]
    actions = [
        "d dh p1 AsKd", "d dh p2 QhJh",         hole cards
        "p2 cbr 300", "p1 cc", "p1 f",          raise to 300 in this round; call or check; fold
        "d db 2c3c4c",                          board
        "p1 sm AsKd", "p2 sm QhJh",             the showdown; after an all-in, before the rest of the board
    ]
    hand = 0
    players = ["a", "b"]
    finishing_stacks = [20300, 19700]

Heads-up, p1 is the big blind, who is our player 0, and p2 the small blind. A raise in PHH names the total of the round,
our own the total of the whole hand.
"""

import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from errai.cards.deck import Deck
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.played_hand import PlayedHand
from errai.games.state import Action, Call, Fold, Raise, initial_state
from errai.storage.text_file import TextFile


class PhhFile:
    """A `.phhs` file that is being written, one hand at a time."""

    def __init__(self, path: Path, definition: GameDefinition) -> None:
        verify_has_phh(definition)
        self._file = TextFile(path)
        self._num_hands = 0

    def __enter__(self) -> "PhhFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write_hand(self, hand: PlayedHand) -> None:
        self._num_hands += 1
        self._file.write(f"[{self._num_hands}]\n{format_phh(hand)}\n")


def verify_has_phh(definition: GameDefinition) -> None:
    """Refuse games that PHH has no variant for: it has hold'em, with two bet sizes where they are fixed."""
    is_holdem = (
        definition.deck == Deck(13, 4)
        and definition.num_hole_cards == 2
        and definition.num_board_cards == (0, 3, 1, 1)
        and definition.first_player == (1, 0, 0, 0)
        and 0 < definition.blinds[1] < definition.blinds[0]
    )
    sizes = definition.raise_sizes
    if not is_holdem or (definition.is_limit and not (sizes[0] == sizes[1] and sizes[2] == sizes[3])):
        raise InputError(
            f"PHH has no variant for the game `{definition.name}`",
            hint="it has hold'em, limit and no-limit; `--log FILE` writes any game",
        )


def format_phh(hand: PlayedHand) -> str:
    """The hand as the fields of PHH."""
    definition = hand.betting.definition
    verify_has_phh(definition)
    fields = {
        "variant": "FT" if definition.is_limit else "NT",
        "antes": [0, 0],
        "blinds_or_straddles": sorted(definition.blinds),
        **_bet_fields(definition),
        "starting_stacks": list(definition.stacks),
        "actions": list(_actions(hand)),
        "hand": hand.number,
        "players": list(hand.names),
        "finishing_stacks": [stack + chips for stack, chips in zip(definition.stacks, hand.payoffs_chips, strict=True)],
    }
    # JSON writes numbers, strings and lists as TOML does.
    return "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in fields.items())


def _bet_fields(definition: GameDefinition) -> dict[str, int]:
    if definition.is_limit:
        return {"small_bet": definition.raise_sizes[0], "big_bet": definition.raise_sizes[2]}
    return {"min_bet": max(definition.blinds)}


def _actions(hand: PlayedHand) -> Iterator[str]:
    definition = hand.betting.definition
    deck = definition.deck
    ends = list(accumulate(definition.num_board_cards))
    shown = [f"p{player + 1} sm {deck.text(cards)}" for player, cards in enumerate(hand.deal.hole_cards)]
    for player, cards in enumerate(hand.deal.hole_cards):
        yield f"d dh p{player + 1} {deck.text(cards)}"
    state = initial_state(definition)
    has_shown = False
    for round, actions in enumerate(hand.betting.history):
        if round:
            yield f"d db {deck.text(hand.deal.board[ends[round - 1] : ends[round]])}"
        committed_before = min(state.committed) if round else 0
        for action in actions:
            assert state.actor is not None
            yield f"p{state.actor + 1} {_action(action, committed_before)}"
            state = state.apply(action)
        if state.is_showdown and not has_shown:
            has_shown = True
            yield from shown


def _action(action: Action, committed_before: int) -> str:
    match action:
        case Fold():
            return "f"
        case Call():
            return "cc"
        case Raise(total):
            return f"cbr {total - committed_before}"
