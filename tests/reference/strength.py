"""Hand strength the obvious way: a tuple that compares like the hand, over all choices of five cards."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from errai.cards.deck import Deck
from errai.cards.strength import Category

_FIVE_CARD_ORDER = list(Category)
_THREE_CARD_ORDER = [
    Category.HIGH_CARD,
    Category.PAIR,
    Category.FLUSH,
    Category.STRAIGHT,
    Category.TRIPS,
    Category.STRAIGHT_FLUSH,
]


def _straight_top(deck: Deck, ranks: list[int]) -> int | None:
    """The top rank if the ranks follow each other; the ace counts as low only in a deck of thirteen ranks."""
    ordered = sorted(ranks)
    if len(set(ordered)) == len(ordered) and ordered[-1] - ordered[0] == len(ordered) - 1:
        return ordered[-1]
    if deck.num_ranks == 13 and ordered == [*range(len(ordered) - 1), 12]:
        return len(ordered) - 2
    return None


def _exact_strength(deck: Deck, cards: Sequence[int]) -> tuple[Category, list[int]]:
    """Category and tie-breaking ranks of at most five cards, all of which count."""
    ranks = [deck.rank(card) for card in cards]
    counts = Counter(ranks)
    by_count = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    if len(cards) in (3, 5):
        flush = len({deck.suit(card) for card in cards}) == 1
        top = _straight_top(deck, ranks)
        if flush and top is not None:
            return Category.STRAIGHT_FLUSH, [top]
        if top is not None:
            return Category.STRAIGHT, [top]
        if flush:
            return Category.FLUSH, by_count
    if shape[0] == 4:
        return Category.QUADS, by_count
    if shape[:2] == [3, 2]:
        return Category.FULL_HOUSE, by_count
    if shape[0] == 3:
        return Category.TRIPS, by_count
    if shape[:2] == [2, 2]:
        return Category.TWO_PAIR, by_count
    if shape[0] == 2:
        return Category.PAIR, by_count
    return Category.HIGH_CARD, by_count


def strength(deck: Deck, cards: Sequence[int]) -> tuple[int, list[int]]:
    """A key that compares like the hands; its first element is the category's place in the order of the ranking."""
    order = _THREE_CARD_ORDER if len(cards) == 3 else _FIVE_CARD_ORDER
    keys = (_exact_strength(deck, five) for five in combinations(cards, min(5, len(cards))))
    return max((order.index(category), ranks) for category, ranks in keys)


def category(deck: Deck, cards: Sequence[int]) -> Category:
    order = _THREE_CARD_ORDER if len(cards) == 3 else _FIVE_CARD_ORDER
    return order[strength(deck, cards)[0]]
