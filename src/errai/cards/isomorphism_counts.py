"""How many deals there are, and how many that differ by more than the names of suits.

A deal is a sequence of groups of cards (a hand, the flop, the turn, ...), unordered within a group.

1. Where flushes count, two deals are the same if a relabelling of suits takes one to the other. Burnside: the number of
   classes is the average over the suit permutations of the deals that each leaves as they are. A permutation with
   cycles of lengths l acts on each rank alike, and a deal that it leaves as it is gives every cycle of cards to one
   group or to none, so those deals are the coefficient of prod_i x_i^g_i in
   prod_l (1 + sum_i x_i^l) ^ (num_ranks * cycles of length l), g_i being the sizes of the groups.
2. Where they do not, only ranks matter: the classes are the coefficient of the same monomial in
   (sum of all monomials of degree <= num_suits) ^ num_ranks.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from math import comb

from errai.cards.deck import Deck

Groups = tuple[int, ...]


def knows_flushes(num_showdown_cards: int) -> bool:
    """Whether hands of so many cards are ranked with flushes; if not, then only by ranks."""
    return num_showdown_cards in (3, 5, 6, 7)


def count_deals(deck: Deck, groups: Sequence[int]) -> int:
    """The deals of these groups, every suit told apart."""
    return _multinomial(deck.size, groups)


def count_canonical_deals(deck: Deck, groups: Sequence[int], *, flushes: bool) -> int:
    """The deals of these groups up to suit isomorphism."""
    wanted = tuple(group for group in groups if group)
    return _count_up_to_suit_names(deck, wanted) if flushes else _count_of_ranks(deck, wanted)


def _count_up_to_suit_names(deck: Deck, groups: Groups) -> int:
    fixed = [_count_fixed(deck.num_ranks, cycles, groups) for cycles in map(_cycle_lengths, _suit_permutations(deck))]
    return sum(fixed) // len(fixed)


def _suit_permutations(deck: Deck) -> list[Groups]:
    return list(permutations(range(deck.num_suits)))


def _cycle_lengths(permutation: Groups) -> tuple[tuple[int, int], ...]:
    """How many cycles there are of each length, as (length, number)."""
    lengths: Counter[int] = Counter()
    seen: set[int] = set()
    for start in range(len(permutation)):
        length = 0
        while start not in seen:
            seen.add(start)
            start = permutation[start]
            length += 1
        lengths[length] += length > 0
    return tuple((length, number) for length, number in lengths.items() if number)


def _count_fixed(num_ranks: int, cycles: tuple[tuple[int, int], ...], groups: Groups) -> int:
    if not cycles:
        return not any(groups)
    (length, number), *others = cycles
    total = 0
    for taken in product(*(range(group // length + 1) for group in groups)):
        left = tuple(group - length * count for group, count in zip(groups, taken, strict=True))
        total += _multinomial(num_ranks * number, taken) * _count_fixed(num_ranks, tuple(others), left)
    return total


def _count_of_ranks(deck: Deck, groups: Groups) -> int:
    of_one_rank = [taken for taken in product(*(range(group + 1) for group in groups)) if sum(taken) <= deck.num_suits]
    left = Counter({groups: 1})
    for _ in range(deck.num_ranks):
        after: Counter[Groups] = Counter()
        for rest, ways in left.items():
            for taken in of_one_rank:
                remaining = tuple(group - count for group, count in zip(rest, taken, strict=True))
                if min(remaining, default=0) >= 0:
                    after[remaining] += ways
        left = after
    return left[(0,) * len(groups)]


def _multinomial(total: int, groups: Sequence[int]) -> int:
    """The ways to take disjoint unordered groups of these sizes from `total` things."""
    ways = 1
    for group in groups:
        ways *= comb(total, group)
        total = max(total - group, 0)
    return ways
