"""The decisions of a betting tree as lines of text: what was done, who is to act, and what can be done."""

from collections.abc import Iterator
from dataclasses import dataclass

from errai.games.action_text import describe_action
from errai.games.bet_menu import PLAYERS, STREETS
from errai.games.state import BettingState
from errai.trees.betting_tree import BettingTree


@dataclass(frozen=True)
class BettingLine:
    """One decision; `line` is the betting since the root of the tree, with `/` between streets."""

    street: str
    line: str
    to_act: str
    pot_chips: int
    call_chips: int
    actions: tuple[str, ...]


def betting_lines(tree: BettingTree) -> Iterator[BettingLine]:
    """Every decision, street by street, and depth first within each street."""
    starts = [(tree.root, "")]
    while starts:
        next_starts: list[tuple[BettingState, str]] = []
        for start, text in starts:
            yield from _lines_of_street(tree, start, text, next_starts)
        starts = next_starts


def _lines_of_street(
    tree: BettingTree, state: BettingState, text: str, next_starts: list[tuple[BettingState, str]]
) -> Iterator[BettingLine]:
    assert state.actor is not None
    actions = tree.actions(state)
    words = tuple(describe_action(state, action) for action in actions)
    yield BettingLine(
        street=STREETS[state.round],
        line=text,
        to_act=PLAYERS[state.actor],
        pot_chips=tree.dead_pot + sum(state.committed),
        call_chips=state.call_chips,
        actions=words,
    )
    for action, word in zip(actions, words, strict=True):
        after = state.apply(action)
        text_after = f"{text}, {word}" if text and not text.endswith(" / ") else text + word
        if after.is_terminal:
            continue
        if after.round > state.round:
            next_starts.append((after, f"{text_after} / "))
        else:
            yield from _lines_of_street(tree, after, text_after, next_starts)
