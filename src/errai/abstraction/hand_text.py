"""A hand as players write it: two cards, or a class such as `44` or `AKs`."""

from collections.abc import Sequence

import numpy as np

from errai.abstraction.card_rounds import CardRounds
from errai.cards.ranges import parse_range
from errai.errors import InputError


def parse_hand(cards: CardRounds, text: str, board: Sequence[int]) -> tuple[int, ...]:
    """The cards of a hand. A class stands for any of its hands, as long as all are alike on this board."""
    deck = cards.deck
    if cards.num_hole_cards == 1:
        members = [deck.parse(text)] if len(text) == 2 else [(card,) for card in _cards_of_rank(cards, text)]
    else:
        members = [tuple(hand) for hand in cards.hands[parse_range(text, deck) > 0].tolist()]
    possible = [hand for hand in members if not set(hand) & set(board)]
    if not possible or len(possible[0]) != cards.num_hole_cards:
        raise InputError(f"`{text}` names no hand that is possible here", hint="write `44`, `AKs` or `TcQd`")
    rows = np.array([(*hand, *board) for hand in possible], dtype=np.uint8)
    grouping = (cards.num_hole_cards, len(board)) if board else (cards.num_hole_cards,)
    if len(set(cards.indexer(grouping).index(rows).tolist())) > 1:
        example = deck.text(possible[0][::-1])
        raise InputError(f"the hands of `{text}` differ in strength here", hint=f"name the cards, as in `{example}`")
    return possible[0]


def _cards_of_rank(cards: CardRounds, text: str) -> list[int]:
    rank = cards.deck.rank_names.find(text.upper()) if len(text) == 1 else -1
    return [] if rank < 0 else [cards.deck.card(rank, suit) for suit in range(cards.deck.num_suits)]
