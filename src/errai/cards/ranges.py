"""Ranges: a weight from 0 to 1 for every two-card hand, read and written in the notation of players.

    AA   AKs   AKo   AK        a pair; two ranks suited, offsuit, or both
    AsKd                       one hand
    TT+   A2s+                 this pair and the higher ones; this kicker and the higher ones
    22-55   A5s-A2s            pairs, or kickers, from one to the other
    random                     every hand
    T9o:0.5                    with a weight; without one it is 1
    T9o:50   [50]AA,T9o[/50]   with a percentage (`range_terms`)
    pio: 0 0 0.5 1 ...         a weight for each of the 1,326 hands, in a named order (`hand_orders`)

Terms are separated by commas. A hand that no term names has weight 0; if several terms name it, the last one counts. A
weight is 0 or at least 1e-30: the kernels compute with products of weights, which must not vanish. Weights are arrays
in the order of `hands(deck, 2)`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from errai.cards.deck import RANK_NAMES, SUIT_NAMES, Deck
from errai.cards.hand_orders import parse_weights
from errai.cards.hands import hand_index, hands
from errai.cards.range_terms import LEAST_WEIGHT, split_terms
from errai.errors import InputError

_RANK, _SUIT = f"[{RANK_NAMES}]", f"[{SUIT_NAMES}]"
# Without ASCII, the long s (U+017F) and the Kelvin sign (U+212A) would match as cases of `s` and `K`.
_FLAGS = re.IGNORECASE | re.ASCII
_HAND = re.compile(f"{_RANK}{_SUIT}{_RANK}{_SUIT}", _FLAGS)
_CLASSES = re.compile(f"({_RANK}{_RANK}[so]?)(?:(\\+)|-({_RANK}{_RANK}[so]?))?", _FLAGS)
_HINT = "terms look like `AA`, `AKs`, `T9o:0.5`, `TT+`, `A5s-A2s`, `AsKd` or `random`"

# All hands of two ranks, high and low, that are suited ("s"), offsuit or a pair ("o").
_Table = dict[tuple[int, int, str], NDArray[np.int64]]


def parse_range(text: str, deck: Deck) -> NDArray[np.float64]:
    """The weights that `text` gives to all hands of the deck."""
    row = parse_weights(text)
    if row is not None:
        if len(row) != len(hands(deck, 2)):
            raise InputError(f"a row of weights is for a deck of 52 cards; this one has {deck.size}")
        return _verified(row)
    weights = np.zeros(len(hands(deck, 2)))
    for term in split_terms(text):
        weights[_named_hands(term.named, deck)] = term.weight
    return weights


def format_range(weights: NDArray[np.float64], deck: Deck) -> str:
    """The range in few terms, pairs first, from high to low; `parse_range` reads the same weights from it."""
    num_hands = len(hands(deck, 2))
    if weights.shape != (num_hands,):
        raise InputError(f"a range must be {num_hands} weights; got shape {weights.shape}")
    if np.all(_verified(weights) == weights[0]):
        return "random" + _format_weight(float(weights[0]))
    terms = _format_kickers(weights, deck, [(rank, rank) for rank in range(deck.num_ranks)], ("o",))
    for high in range(deck.num_ranks - 1, 0, -1):
        ranks = [(high, low) for low in range(high)]
        together = _format_kickers(weights, deck, ranks, ("", "s", "o"))
        apart = _format_kickers(weights, deck, ranks, ("s", "o"))
        terms += min(apart, together, key=lambda some: len(",".join(some)))
    return ",".join([*terms, *_format_single_hands(weights, deck)])


def _verified(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    if not np.all((weights == 0) | ((weights >= LEAST_WEIGHT) & (weights <= 1))):
        raise InputError(f"a weight must be 0, or a number from {LEAST_WEIGHT:g} to 1", hint="divide by the largest")
    return weights


@lru_cache(maxsize=16)
def _class_table(deck: Deck) -> _Table:
    ranks, suits = np.divmod(hands(deck, 2), deck.num_suits)
    suited = suits[:, 0] == suits[:, 1]
    # A hand's cards ascend, so the second has the higher rank.
    return {
        (high, low, kind): np.flatnonzero((ranks[:, 1] == high) & (ranks[:, 0] == low) & (suited == (kind == "s")))
        for high in range(deck.num_ranks)
        for low in range(high + 1)
        for kind in "so"
    }


def _class_hands(deck: Deck, high: int, low: int, kind: str) -> NDArray[np.int64]:
    table = _class_table(deck)
    return table[high, low, kind] if kind else np.concatenate([table[high, low, "s"], table[high, low, "o"]])


def _named_hands(named: str, deck: Deck) -> NDArray[np.int64]:
    if named.lower() == "random":
        return np.arange(len(hands(deck, 2)))
    if _HAND.fullmatch(named):
        return hand_index(np.array([deck.parse(named)]))
    match = _CLASSES.fullmatch(named)
    if match is None:
        raise InputError(f"`{named}` is not a term of a range", hint=_HINT)
    first, plus, last = match.groups()
    high, low, kind = _parse_class(first, named, deck)
    is_pair = high == low
    end = low
    if plus:
        end = deck.num_ranks - 1 if is_pair else high - 1
    elif last:
        last_high, end, last_kind = _parse_class(last, named, deck)
        if is_pair != (last_high == end) or not (is_pair or (last_high, last_kind) == (high, kind)):
            raise InputError(f"`{named}` must go from pair to pair, or from kicker to kicker of one rank", hint=_HINT)
    lows = range(min(low, end), max(low, end) + 1)
    members = [_class_hands(deck, rank if is_pair else high, rank, kind) for rank in lows]
    if not any(map(len, members)):
        raise InputError(f"`{named}` names no hand of a deck of {deck.num_ranks} ranks and {deck.num_suits} suits")
    return np.concatenate(members)


def _parse_class(text: str, named: str, deck: Deck) -> tuple[int, int, str]:
    """High rank, low rank and kind of a text such as `AKs`."""
    ranks = [deck.rank_names.find(name) for name in text[:2].upper()]
    if min(ranks) < 0:
        raise InputError(f"`{named}` has a rank that this deck does not have", hint=f"ranks are {deck.rank_names}")
    if ranks[0] == ranks[1] and text[2:]:
        raise InputError(f"`{named}`: a pair is neither suited nor offsuit", hint=f"write `{text[:2]}`")
    return max(ranks), min(ranks), text[2:].lower()


def _common_weight(weights: NDArray[np.float64], deck: Deck, high: int, low: int, kind: str) -> float:
    """The weight that all hands of a class have; 0 if they differ or one of its kinds has no hands."""
    kinds = kind or "so"
    members = [weights[_class_hands(deck, high, low, one)] for one in kinds]
    if not all(map(len, members)):
        return 0.0
    together = np.concatenate(members)
    return float(together[0]) if np.all(together == together[0]) else 0.0


def _format_kickers(
    weights: NDArray[np.float64], deck: Deck, ranks: list[tuple[int, int]], kinds: tuple[str, ...]
) -> list[str]:
    """Terms for the classes of `ranks`, which ascend without a gap up to the highest; "" covers "s" and "o"."""
    terms: list[str] = []
    covered: set[tuple[int, int]] = set()
    for kind in kinds:
        common = [0.0 if pair in covered else _common_weight(weights, deck, *pair, kind) for pair in ranks]
        if not kind:
            covered = {pair for pair, weight in zip(ranks, common, strict=True) if weight}
        terms += _format_runs(common, deck, ranks, kind)
    return terms


def _format_runs(common: list[float], deck: Deck, ranks: list[tuple[int, int]], kind: str) -> Iterator[str]:
    """Terms for runs of equal weights, the highest first."""
    for weight, run in groupby(range(len(ranks) - 1, -1, -1), key=common.__getitem__):
        if not weight:
            continue
        places = list(run)
        suffix = "" if ranks[0][0] == ranks[0][1] else kind
        top, bottom = (
            "".join(deck.rank_names[rank] for rank in ranks[place]) + suffix for place in (places[0], places[-1])
        )
        if len(places) == 1:
            term = top
        elif places[0] == len(ranks) - 1:
            term = f"{bottom}+"
        else:
            term = f"{top}-{bottom}"
        yield term + _format_weight(weight)


def _format_single_hands(weights: NDArray[np.float64], deck: Deck) -> list[str]:
    """The hands of classes whose weights differ."""
    return [
        deck.text(hands(deck, 2)[hand][::-1].tolist()) + _format_weight(float(weights[hand]))
        for (high, low, kind), members in reversed(_class_table(deck).items())
        if not _common_weight(weights, deck, high, low, kind)
        for hand in members[::-1]
        if weights[hand]
    ]


def _format_weight(weight: float) -> str:
    return "" if weight == 1 else f":{weight!r}".removesuffix(".0")
