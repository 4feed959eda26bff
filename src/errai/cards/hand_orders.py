"""All 1,326 hands of hold'em as a row of weights, in the orders that other programs use.

    pio               2d2c 2h2c 2h2d 2s2c ...: the higher card, then the lower one; cards 2c 2d 2h 2s 3c ...
    libratus          2s2h 2s2d 2s2c 2s3s ...: the first card, then the second; cards 2s 2h 2d 2c 3s ... (OpenSpiel too)
    postflop-solver   2c2d 2c2h 2c2s 2c3c ...: the first card, then the second; cards 2c 2d 2h 2s 3c ...

The text of such a row begins with the name of its order, `pio: 0 0 0.5 1 ...`: the numbers alone do not say it. A
weight is a number from 0 to 1.
"""

import re
from functools import cache
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import Deck
from errai.cards.hands import hand_index, hands
from errai.errors import InputError

HandOrder = Literal["pio", "libratus", "postflop-solver"]
HAND_ORDERS: tuple[HandOrder, ...] = get_args(HandOrder)

_DECK = Deck(13, 4)
_NUM_HANDS = 1326
_NAMED = re.compile(r"\s*(pio|libratus|postflop-solver)\s*:(.*)", re.IGNORECASE | re.ASCII | re.DOTALL)
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,4})?|[0-9]+\.", re.ASCII)


@cache
def hands_in_order(order: HandOrder) -> NDArray[np.int64]:
    """The number of each hand, as in `hands`, in the given order. Read-only."""
    if order not in HAND_ORDERS:
        raise InputError(f"there is no order of hands `{order}`", hint=f"the orders are {', '.join(HAND_ORDERS)}")
    suits = (3, 2, 1, 0) if order == "libratus" else (0, 1, 2, 3)
    cards = [_DECK.card(rank, suit) for rank in range(13) for suit in suits]
    pairs = hands(_DECK, 2) if order == "pio" else np.array(list(combinations(cards, 2)))
    numbers = hand_index(pairs)
    numbers.flags.writeable = False
    return numbers


def to_order(weights: NDArray[np.float64], order: HandOrder) -> NDArray[np.float64]:
    """The weights of all hands, which come in the order of `hands`, in another order."""
    return weights[hands_in_order(order)]


def from_order(weights: NDArray[np.float64], order: HandOrder) -> NDArray[np.float64]:
    """The weights of all hands in the order of `hands`."""
    if weights.shape != (_NUM_HANDS,):
        raise InputError(f"a row of weights has {_NUM_HANDS:,} numbers, one per hand; got {weights.size:,}")
    result = np.empty_like(weights)
    result[hands_in_order(order)] = weights
    return result


def format_weights(weights: NDArray[np.float64], order: HandOrder) -> str:
    """The row with the name of its order; `parse_weights` reads the same weights from it."""
    return f"{order}: " + " ".join(f"{float(weight)!r}".removesuffix(".0") for weight in to_order(weights, order))


def parse_weights(text: str) -> NDArray[np.float64] | None:
    """The weights of a row that names its order; None where no order is named."""
    found = _NAMED.fullmatch(text)
    if found is None:
        return None
    order = next(order for order in HAND_ORDERS if order == found[1].lower())
    return from_order(parse_numbers(found[2], what=f"a row of weights in the order `{order}`"), order)


def parse_numbers(text: str, *, what: str) -> NDArray[np.float64]:
    """Numbers from 0 to 1, separated by spaces, commas or line ends."""
    words = text.replace(",", " ").split()
    wrong = next((word for word in words if not (_NUMBER.fullmatch(word) and 0 <= float(word) <= 1)), None)
    if wrong is not None:
        shown = ascii(wrong[:20])[1:-1]
        raise InputError(f"{what} holds numbers from 0 to 1; got `{shown}`", hint="divide all by the largest")
    return np.array([float(word) for word in words])
