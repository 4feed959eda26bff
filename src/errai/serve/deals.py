"""What happens on every card, or on every flop, that can come next or that could have come: a report in portions.

A report over all flops of a game takes seconds to minutes. So each call works for a moment and returns the rows that it
has reached, with the number at which the next call begins. A caller that loses interest stops asking.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import gcd
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.boards import canonical_boards
from errai.cards.deck import Deck
from errai.cards.hands import hand_index, hands
from errai.errors import InputError
from errai.serve.places import Place
from errai.serve.state_view import Look, Ranges, averages_json, pair_weight, reach_at, rounded

PORTION_SECONDS = 0.3


@dataclass(frozen=True)
class Deal:
    """Cards that can come next, and how many deals they stand for."""

    cards: tuple[int, ...]
    count: int


def without_deal(place: Place) -> Place:
    """A place, without the cards of its round where they have been dealt: the report is about all of them."""
    if place.kind == "end" or place.state.round == place.first_round:
        raise InputError(
            f"no cards of the board are dealt before `{place.betting}`",
            hint="ask where the betting of a round is over, or later",
        )
    if place.num_missing_cards:
        return place
    return replace(place, board=place.before_deal().board)


def next_deals(look: Look) -> list[Deal]:
    """Every deal that leads from here to a decision; flops that differ only by the names of suits once."""
    place = look.place
    deck = place.definition.deck
    is_first_board = not place.board and place.num_missing_cards > 1
    if is_first_board and _has_symmetric_suits(deck, reach_at(replace(look, place=place.before_deal()))):
        boards = canonical_boards(deck, [place.num_missing_cards])
        return _spread_out(
            [
                Deal(tuple(cards[::-1]), count)
                for cards, count in zip(boards.cards.tolist(), boards.multiplicity.tolist(), strict=True)
            ]
        )
    left = [card for card in reversed(range(deck.size)) if card not in place.board]
    return _spread_out([Deal(cards, 1) for cards in combinations(left, place.num_missing_cards)])


def _spread_out(deals: list[Deal]) -> list[Deal]:
    """The same deals in an order of which every part is much like the whole: a long report is useful early."""
    step = max(1, round(0.618 * len(deals)))
    while gcd(step, len(deals)) > 1:
        step += 1
    return [deals[number * step % len(deals)] for number in range(len(deals))]


def deals_json(look: Look, deals: Sequence[Deal], *, first: int, seconds: float = PORTION_SECONDS) -> dict[str, Any]:
    """The rows from number `first` on that are computed within the given time, at least one."""
    if not 0 <= first < len(deals):
        raise InputError(f"`from` must be 0 to {len(deals) - 1}; got `{first}`")
    end = monotonic() + seconds
    rows: list[dict[str, Any]] = []
    for deal in deals[first:]:
        rows.append(_row_json(look, deal))
        if monotonic() > end:
            break
    after = first + len(rows)
    opening = replace(look.place, board=look.place.board + deals[0].cards)
    return {
        "betting": look.place.betting,
        "board": look.place.board_text,
        "player": opening.state.actor,
        "actions": [opening.action_json(action) for action in opening.actions],
        "rows": rows,
        "total": len(deals),
        "next": after if after < len(deals) else None,
    }


def _row_json(look: Look, deal: Deal) -> dict[str, Any]:
    place = replace(look.place, board=look.place.board + deal.cards)
    report = replace(look, place=place).report()
    row: dict[str, Any] = {
        "cards": place.definition.deck.text(deal.cards),
        "count": deal.count,
        "weight": float(deal.count * pair_weight(report)),
        "frequencies": rounded(report.frequencies),
    }
    return row | averages_json(report) if report.value_chips is not None else row


def _has_symmetric_suits(deck: Deck, reach: Ranges) -> bool:
    """Whether both ranges stay as they are when suits change their names."""
    if len(reach[0]) != len(hands(deck, 2)):
        return False
    suits = range(deck.num_suits)
    # Exchanges of neighbours make all permutations.
    for first in suits[:-1]:
        order = list(suits)
        order[first], order[first + 1] = order[first + 1], order[first]
        relabelled = _relabelled_hands(deck, order)
        if not all(np.allclose(own, own[relabelled], rtol=1e-4, atol=1e-9) for own in reach):
            return False
    return True


def _relabelled_hands(deck: Deck, order: Sequence[int]) -> NDArray[np.int64]:
    ranks, suits = np.divmod(hands(deck, 2).astype(np.int64), deck.num_suits)
    relabelled = np.sort(ranks * deck.num_suits + np.array(order)[suits], axis=1)
    return np.asarray(hand_index(relabelled.astype(np.uint8)), dtype=np.int64)
