"""A hand of PHH (see `errai.storage.phh`) as a recorded hand.

Heads-up no-limit and fixed-limit hold'em without antes are read. Amounts may have decimals; then a chip is a hundredth
of the unit. A missing card is `??`. Rake, where the finishing stacks show any, is given back to those who won the pot,
as the payoffs of a hand are compared before rake.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from errai.cards.deck import Deck
from errai.errors import InputError
from errai.games.definition import UNLIMITED, GameDefinition
from errai.games.library import load_game
from errai.games.recorded_hand import Cards, RecordedHand
from errai.games.state import CALL, FOLD, BettingState, Raise, initial_state

_DECK = Deck(13, 4)
_SCALES = (1, 100)  # chips per unit
_VARIANTS = {"NT": "holdem.nolimit.2p", "FT": "holdem.limit.2p"}


class UnsupportedHand(InputError):
    """A hand of a game that is not replayed."""


def read_phh(text: str, *, source: str) -> Iterator[tuple[str, object]]:
    """The fields of every hand of a file, each with its label."""
    try:
        content = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"`{source}` is not a PHH file: {error}") from None
    if "variant" in content:
        yield str(content.get("hand", 1)), content
        return
    for name, fields in content.items():
        yield (str(fields.get("hand", name)) if isinstance(fields, dict) else name), fields


def hand_of_fields(label: str, fields: object) -> RecordedHand:
    """The hand that the fields of PHH describe."""
    if not isinstance(fields, Mapping):
        raise InputError(f"expected the fields of a hand; got `{fields}`")
    variant = fields.get("variant")
    if variant not in _VARIANTS:
        raise UnsupportedHand(f"the variant `{variant}` is not replayed, only heads-up hold'em (`NT` and `FT`)")
    stacks = _numbers(fields, "starting_stacks")
    if len(stacks) != 2:
        raise UnsupportedHand(f"it has {len(stacks)} players; only heads-up hands are replayed")
    if any(_numbers(fields, "antes")):
        raise UnsupportedHand("it has antes")
    scale = _scale_of(fields)
    definition = _definition(variant, fields, [int(chips * scale) for chips in stacks])
    reader = _ActionReader(definition, scale)
    for action in _texts(fields, "actions"):
        reader.read(action)
    if not reader.state.is_terminal:
        raise InputError(f"the hand is not over: player {reader.state.actor} is to act")
    first_name, second_name = [str(name) for name in fields.get("players", ("p1", "p2"))][:2]
    hole_cards = (reader.hole_cards[0], reader.hole_cards[1])
    recorded = _recorded_chips(fields, stacks, scale)
    return RecordedHand(label, reader.state, hole_cards, tuple(reader.board), (first_name, second_name), recorded)


class _ActionReader:
    """The betting and the cards, one line of `actions` at a time."""

    def __init__(self, definition: GameDefinition, scale: int) -> None:
        self.state: BettingState = initial_state(definition)
        self.hole_cards: list[Cards | None] = [None, None]
        self.board: list[int] = []
        self._scale = scale

    def read(self, text: str) -> None:
        words = text.partition("#")[0].split()
        match words:
            case ["d", "dh", player, cards]:
                self._show(player, cards)
            case ["d", "db", cards]:
                self.board.extend(_DECK.parse(cards))
            case [player, "sm", cards]:
                self._show(player, cards)
            case [_, "sm"] | []:
                pass
            case [player, "f"]:
                self._verify_turn(player, text)
                self.state = self.state.apply(FOLD)
            case [player, "cc"]:
                self._verify_turn(player, text)
                self.state = self.state.apply(CALL)
            case [player, "cbr", amount]:
                self._verify_turn(player, text)
                self._raise(amount)
            case _:
                raise InputError(f"the action `{text}` is not one of heads-up hold'em")

    def _raise(self, amount: str) -> None:
        if self.state.definition.is_limit:
            self.state = self.state.apply_raise()
            return
        if not re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]{1,6})?", amount):
            raise InputError(f"a raise needs its amount; got `{amount}`")
        # PHH names the total of the round, the rules the total of the hand.
        before = 0 if self.state.round == 0 else self._committed_before_round()
        self.state = self.state.apply(Raise(before + int(Decimal(amount) * self._scale)))

    def _committed_before_round(self) -> int:
        state = initial_state(self.state.definition)
        for actions in self.state.history[:-1]:
            for action in actions:
                state = state.apply(action)
        return min(state.committed)

    def _verify_turn(self, player: str, text: str) -> None:
        if player != f"p{(-1 if self.state.actor is None else self.state.actor) + 1}":
            expected = "nobody" if self.state.actor is None else f"`p{self.state.actor + 1}`"
            raise InputError(f"{expected} is to act; got `{text}`")

    def _show(self, player: str, cards: str) -> None:
        if player not in ("p1", "p2"):
            raise InputError(f"the players are `p1` and `p2`; got `{player}`")
        if "?" not in cards and cards != "-":
            self.hole_cards[int(player[1]) - 1] = _DECK.parse(cards)


def _definition(variant: str, fields: Mapping[str, Any], stacks: Sequence[int]) -> GameDefinition:
    bundled = load_game(_VARIANTS[variant])
    scale = _scale_of(fields)
    small, big = (int(chips * scale) for chips in _numbers(fields, "blinds_or_straddles"))
    if not 0 < small < big:
        raise UnsupportedHand(f"the blinds {small} and {big} are not those of heads-up hold'em")
    raise_sizes: tuple[int, ...] = ()
    own_stacks = (stacks[0], stacks[1])
    if bundled.is_limit:
        small_bet, big_bet = (int(_number(fields, name) * scale) for name in ("small_bet", "big_bet"))
        raise_sizes = (small_bet, small_bet, big_bet, big_bet)
        most = sum(size * (count + 1) for size, count in zip(raise_sizes, bundled.max_raises, strict=True))
        # Where no bet can take a stack, the stacks do not matter.
        own_stacks = (UNLIMITED, UNLIMITED) if min(stacks) >= most else own_stacks
    return GameDefinition(
        name=bundled.name,
        is_limit=bundled.is_limit,
        blinds=(big, small),
        first_player=bundled.first_player,
        num_suits=bundled.num_suits,
        num_ranks=bundled.num_ranks,
        num_hole_cards=bundled.num_hole_cards,
        num_board_cards=bundled.num_board_cards,
        raise_sizes=raise_sizes,
        max_raises=bundled.max_raises,
        stacks=own_stacks,
    )


def _recorded_chips(
    fields: Mapping[str, Any], stacks: Sequence[Fraction], scale: int
) -> tuple[Fraction, Fraction] | None:
    if "finishing_stacks" not in fields:
        return None
    first, second = (
        (after - before) * scale for after, before in zip(_numbers(fields, "finishing_stacks"), stacks, strict=True)
    )
    rake = -(first + second)
    if rake > 0:
        # Heads-up, a pot goes to one player or is split evenly.
        if first == second:
            return Fraction(0), Fraction(0)
        return (first + rake, second) if first > second else (first, second + rake)
    return first, second


def _scale_of(fields: Mapping[str, Any]) -> int:
    """How many chips a unit has: 1 where all amounts are whole, else 100."""
    names = ("starting_stacks", "blinds_or_straddles", "min_bet", "small_bet", "big_bet")
    amounts = [amount for name in names if name in fields for amount in _numbers(fields, name)]
    amounts += [Fraction(found) for text in _texts(fields, "actions") for found in re.findall(r" cbr ([0-9.]+)", text)]
    for scale in _SCALES:
        if all((amount * scale).denominator == 1 for amount in amounts):
            return scale
    raise UnsupportedHand("it has amounts below a hundredth of the unit")


def _numbers(fields: Mapping[str, Any], name: str) -> list[Fraction]:
    values = fields.get(name)
    listed: Sequence[Any] = values if isinstance(values, list | tuple) else [values]
    try:
        return [Fraction(value) for value in listed]
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`{name}` must be numbers; got `{values}`") from None


def _number(fields: Mapping[str, Any], name: str) -> Fraction:
    return _numbers(fields, name)[0]


def _texts(fields: Mapping[str, Any], name: str) -> list[str]:
    values = fields.get(name)
    if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
        raise InputError(f"`{name}` must be a list of texts; got `{values}`")
    return list(values)
