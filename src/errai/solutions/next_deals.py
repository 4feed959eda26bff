"""Every card, or every flop, that can come next or that could have come, and what a strategy does on each.

    look = Look(stored, place.without_deal(), with_values=True)
    rows = [deal_row(look, deal) for deal in next_deals(look)]

Flops that differ only by the names of suits are counted once, where both ranges are the same in all suits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import gcd

import numpy as np
from numpy.typing import NDArray

from errai.cards.boards import canonical_boards
from errai.cards.deck import Deck
from errai.cards.hands import hand_index, hands
from errai.cards.texture import board_texture
from errai.games.acpc import format_action
from errai.games.action_text import describe_action
from errai.reports.deals import DealRow, DealsReport
from errai.solutions.look import Look, Ranges
from errai.solutions.stored_strategy import UNWATCHED, StoppedError, Work


@dataclass(frozen=True)
class Deal:
    """Cards that can come next, how many deals they stand for, and the factor of their chance."""

    cards: tuple[int, ...]
    count: int
    factor: float = 1.0


def next_deals(look: Look) -> list[Deal]:
    """Every deal that leads from a place without its cards to a decision.

    The order is one of which every part is much like the whole, so that a long report is useful early.
    """
    place = look.place
    deck = place.definition.deck
    factors = look.stored.flop_factors
    if factors is not None and place.state.round == 1:
        return _spread_out(
            [Deal(cards[::-1], _num_relabelled(deck, cards), factor) for cards, factor in factors.items()]
        )
    has_locks = place.start is not None and place.start.locks != ""
    is_first_board = not place.board and place.num_missing_cards > 1 and not has_locks
    if is_first_board and _has_symmetric_suits(deck, look.at(place.before_deal()).reach()):
        boards = canonical_boards(deck, [place.num_missing_cards])
        return _spread_out(
            [
                Deal(tuple(cards[::-1]), count)
                for cards, count in zip(boards.cards.tolist(), boards.multiplicity.tolist(), strict=True)
            ]
        )
    left = [card for card in reversed(range(deck.size)) if card not in place.board]
    return _spread_out([Deal(cards, 1) for cards in combinations(left, place.num_missing_cards)])


def report_deals(look: Look, *, work: Work = UNWATCHED) -> DealsReport:
    """Every deal that can lead to the place of a look, the highest cards first."""
    look = look.at(look.place.without_deal())
    deals = sorted(next_deals(look), key=lambda deal: deal.cards, reverse=True)
    rows = []
    for number, deal in enumerate(deals):
        if work.should_stop():
            raise StoppedError(f"stopped after {number} of {len(deals)} deals")
        rows.append(deal_row(look, deal))
        if work.on_progress:
            work.on_progress(number + 1, len(deals))
    return gather_rows(look, rows)


def gather_rows(look: Look, rows: Sequence[DealRow]) -> DealsReport:
    """The report that rows make; `look` is at the place without its cards."""
    deck = look.place.definition.deck
    after = look.place.with_cards(deck.parse(rows[0].cards))
    assert after.state.actor is not None
    is_limit = after.definition.is_limit
    return DealsReport(
        definition=after.definition,
        betting=after.betting,
        board=look.place.board_text,
        player=after.state.actor,
        pot_chips=after.pot_chips,
        actions=tuple(format_action(action, is_limit=is_limit) for action in after.actions),
        action_names=tuple(describe_action(after.state, action) for action in after.actions),
        rows=tuple(rows),
    )


def deal_row(look: Look, deal: Deal) -> DealRow:
    """What the strategy does at the place after a deal."""
    deck = look.place.definition.deck
    after = look.place.with_cards(deal.cards)
    return DealRow.of(
        look.at(after).report(),
        deck.text(deal.cards),
        deal.count,
        deal.factor,
        board_texture(deck, after.board, deal.cards),
        with_values=look.with_values,
    )


def _num_relabelled(deck: Deck, cards: tuple[int, ...]) -> int:
    """How many sets of cards a relabelling of suits makes of these."""
    return len(
        {
            frozenset(deck.rank(card) * deck.num_suits + order[deck.suit(card)] for card in cards)
            for order in permutations(range(deck.num_suits))
        }
    )


def _spread_out(deals: list[Deal]) -> list[Deal]:
    step = max(1, round(0.618 * len(deals)))
    while gcd(step, len(deals)) > 1:
        step += 1
    return [deals[number * step % len(deals)] for number in range(len(deals))]


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
