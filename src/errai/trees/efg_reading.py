"""Gambit's extensive games, `.efg`, read as game trees: two players, zero-sum, perfect recall.

The format is described in `errai.trees.efg_writing`. Files of other programs use more of it: numbers may be decimals,
an infoset or an outcome that was described before may be named by its number alone, outcomes may lie on the way (their
payoffs add up), and the payoffs may be separated by spaces.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from errai.errors import InputError
from errai.trees.custom_game import Chance, Decision, Terminal, build_custom_form
from errai.trees.extensive_form import ExtensiveForm

_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([{},])|([^\s{},"]+))', re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?|[0-9]+\.)", re.ASCII)
_UNIT = re.compile(r"unit_chips = ([0-9]+(?:/[0-9]+)?)", re.ASCII)
_MOST_DIGITS = 400
_NUM_PLAYERS = 2
_DECIMALS = Fraction(1, 10**9)
_NOTHING = (Fraction(0), Fraction(0))

Payoffs = tuple[Fraction, Fraction]
Value = TypeVar("Value")


@dataclass
class _Node:
    """A node of the file, and below it its children."""

    kind: str  # `c`, `p` or `t`
    player: int  # of a decision; -1 elsewhere
    infoset: str  # the label
    actions: Sequence[str]
    probabilities: Sequence[Fraction]  # of chance
    payoffs: Payoffs  # of the outcomes up to here
    children: list["_Node"] = field(default_factory=list)


def parse_efg(text: str, *, source: str) -> ExtensiveForm:
    """The game that `text` describes; `source` names the file in messages."""
    reader = _Reader(text, source)
    title, comment = reader.read_header()
    root = reader.read_tree()
    unit = _UNIT.fullmatch(comment)
    return build_custom_form(_FileGame(root, source), name=title, unit_chips=float(Fraction(unit[1])) if unit else 1.0)


class _FileGame:
    """The game of a file, in the form that games made in Python have."""

    def __init__(self, root: _Node, source: str) -> None:
        self._root = root
        self._source = source

    def initial(self) -> _Node:
        return self._root

    def node(self, state: _Node) -> Terminal | Chance[_Node] | Decision[_Node]:
        if state.kind == "t":
            first, second = state.payoffs
            if first + second:
                raise InputError(
                    f"`{self._source}` is not zero-sum: the players win {first} and {second} at an end of it",
                    hint="subtract half of the sum from both, if it is the same at every end",
                )
            return Terminal(float(first))
        if state.kind == "c":
            outcomes = zip(state.children, map(float, state.probabilities), strict=True)
            return Chance([(child, probability) for child, probability in outcomes if probability > 0])
        return Decision(state.player, state.infoset, dict(zip(state.actions, state.children, strict=True)))


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source
        self._position = 0
        # What numbers stand for, once they were described.
        self._chances: dict[str, tuple[Sequence[str], Sequence[Fraction]]] = {}
        self._decisions: tuple[dict[str, tuple[str, Sequence[str]]], dict[str, tuple[str, Sequence[str]]]] = ({}, {})
        self._outcomes: dict[str, Payoffs] = {"0": _NOTHING}

    def read_header(self) -> tuple[str, str]:
        """The title and the comment."""
        for expected in (("EFG",), ("2",), ("R", "D")):
            if (word := self._next()) not in expected:
                raise self._error(f"expected a Gambit file that begins with `EFG 2 R`; got `{word[:20]}`")
        title = self._quoted("the title of the game")
        players = self._list("the players")
        if len(players) != _NUM_PLAYERS:
            raise self._error(f"a game must have {_NUM_PLAYERS} players; got {len(players)}")
        return title, self._quoted("a comment") if self._peek().startswith('"') else ""

    def read_tree(self) -> _Node:
        """All nodes, in the order of a depth-first walk."""
        root = self._node(_NOTHING)
        waiting = [root]  # those whose children are not all read
        while waiting:
            parent = waiting[-1]
            if len(parent.children) == len(parent.actions):
                waiting.pop()
                continue
            child = self._node(parent.payoffs)
            parent.children.append(child)
            waiting.append(child)
        if rest := self._peek():
            raise self._error(f"expected the end of the file; got `{rest[:20]}`")
        return root

    def _node(self, before: Payoffs) -> _Node:
        kind = self._next()
        if kind not in ("c", "p", "t"):
            raise self._error(f"expected a node, `c`, `p` or `t`; got `{kind[:20]}`")
        self._quoted("the name of the node")
        if kind == "t":
            return _Node(kind, -1, "", (), (), self._outcome(before))
        if kind == "c":
            actions, probabilities = self._chance()
            return _Node(kind, -1, "", actions, probabilities, self._outcome(before))
        player = self._next()
        if player not in ("1", "2"):
            raise self._error(f"the player of a decision must be 1 or 2; got `{player[:20]}`")
        infoset, actions = self._decision(int(player) - 1)
        return _Node(kind, int(player) - 1, infoset, actions, (), self._outcome(before))

    def _chance(self) -> tuple[Sequence[str], Sequence[Fraction]]:
        number = self._next()
        if not self._has_description():
            return self._known(self._chances, number, "chance infoset")
        self._read_label()
        words = self._list("the outcomes of chance")
        actions, probabilities = words[::2], [self._number(word) for word in words[1::2]]
        # Decimals need not sum to 1 exactly.
        if len(actions) != len(probabilities) or abs(sum(probabilities, Fraction(0)) - 1) > _DECIMALS:
            raise self._error(f"the probabilities of chance infoset {number} must sum to 1")
        if min(probabilities) < 0:
            raise self._error(f"the probabilities of chance infoset {number} must not be negative")
        self._chances[number] = actions, probabilities
        return self._chances[number]

    def _decision(self, player: int) -> tuple[str, Sequence[str]]:
        number = self._next()
        known = self._decisions[player]
        if self._has_description():
            label = self._read_label()
            actions = [_unquoted(word) for word in self._list("the actions of an infoset")]
            if len(set(actions)) < len(actions):
                actions = [f"{place} {action}".strip() for place, action in enumerate(actions, start=1)]
            if number not in known:
                is_taken = any(label == other for other, _ in known.values())
                known[number] = f"{label} ({number})".strip() if is_taken or not label else label, actions
            elif known[number][1] != actions:
                raise self._error(f"infoset {number} of player {player + 1} must have the same actions everywhere")
        return self._known(known, number, f"infoset of player {player + 1}")

    def _outcome(self, before: Payoffs) -> Payoffs:
        """The payoffs so far and those of the outcome that is written here."""
        number = self._next()
        if self._has_description():
            self._read_label()
            words = self._list("payoffs")
            if len(words) != _NUM_PLAYERS:
                raise self._error(f"an outcome must have {_NUM_PLAYERS} payoffs; got {len(words)}")
            self._outcomes[number] = self._number(words[0]), self._number(words[1])
        first, second = self._known(self._outcomes, number, "outcome")
        return before[0] + first, before[1] + second

    def _has_description(self) -> bool:
        """Whether a label or a list follows a number."""
        return self._peek()[:1] in ('"', "{")

    def _read_label(self) -> str:
        return self._quoted("a label") if self._peek().startswith('"') else ""

    def _known(self, described: dict[str, Value], number: str, what: str) -> Value:
        if number not in described:
            raise self._error(f"{what} `{number[:20]}` was not described before")
        return described[number]

    def _list(self, what: str) -> list[str]:
        """The words between braces."""
        if (opening := self._next()) != "{":
            raise self._error(f"expected `{{` and {what}; got `{opening[:20]}`")
        words: list[str] = []
        while (word := self._next()) != "}":
            if word != ",":
                words.append(word)
        return words

    def _number(self, word: str) -> Fraction:
        if len(word) > _MOST_DIGITS or not _NUMBER.fullmatch(word) or re.search("/0+$", word):
            raise self._error(f"expected a number; got `{word[:20]}`")
        return Fraction(word)

    def _quoted(self, what: str) -> str:
        word = self._next()
        if not word.startswith('"'):
            raise self._error(f"expected {what} in quotes; got `{word[:20]}`")
        return _unquoted(word)

    def _peek(self) -> str:
        found = _TOKEN.match(self._text, self._position)
        return found[0].strip() if found else self._text[self._position :].strip()

    def _next(self) -> str:
        found = _TOKEN.match(self._text, self._position)
        if found is None:
            rest = self._text[self._position :].strip()
            raise self._error(f"got `{rest[:20]}`" if rest else "the file ends in the middle of the game")
        self._position = found.end()
        return found[0].strip()

    def _error(self, message: str) -> InputError:
        line = self._text.count("\n", 0, self._position) + 1
        return InputError(f"{self._source}:{line}: {message}")


def _unquoted(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL) if word.startswith('"') else word
