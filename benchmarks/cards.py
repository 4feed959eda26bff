"""What the kernels of `errai.cards` do a second on one core, and how that compares to the obvious way in the same run.

Run: python benchmarks/cards.py
"""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errai._native import level
from errai.bench.rates import items_per_second
from errai.cards.deck import Deck
from errai.cards.hands import num_hands
from errai.cards.isomorphism import HandIndexer
from errai.cards.strength import board_strengths, hand_strengths

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from reference import isomorphism, strength

DECK = Deck(13, 4)
ROUNDS = [2, 3, 1, 1]
SLICES = [slice(0, 2), slice(2, 5), slice(5, 6), slice(6, 7)]


def random_hands(count: int, num_cards: int) -> NDArray[np.uint8]:
    order = np.random.default_rng(0).random((count, DECK.size)).argsort(axis=1)
    return np.ascontiguousarray(order[:, :num_cards].astype(np.uint8))


def report(what: str, rate: float, reference_rate: float) -> None:
    print(f"{what:<34} {rate / 1e6:>10.2f} {reference_rate / 1e6:>12.5f} {rate / reference_rate:>12,.0f}")


def main() -> None:
    print(f"level {level}\n{'millions a second a core':<34} {'Errai':>10} {'reference':>12} {'ratio':>12}")
    for num_cards in (3, 5, 6, 7):
        hands = random_hands(1 << 18, num_cards)
        some = hands[:500].tolist()
        report(
            f"strength of {num_cards} cards",
            items_per_second(lambda hands=hands: hand_strengths(DECK, hands), len(hands), repeats=20),
            items_per_second(lambda some=some: [strength.strength(DECK, row) for row in some], len(some), repeats=2),
        )
    seven = random_hands(1 << 18, 7)
    boards = np.ascontiguousarray(seven[:1000, :5])
    some = seven[:500].tolist()
    report(
        "strength of all hands on a board",
        items_per_second(lambda: board_strengths(DECK, boards), len(boards) * num_hands(DECK, 2), repeats=5),
        items_per_second(lambda: [strength.strength(DECK, row) for row in some], len(some), repeats=2),
    )
    indexer = HandIndexer(DECK, ROUNDS)
    numbers = indexer.index(seven)
    canonical = items_per_second(
        lambda: [isomorphism.canonical_deal(DECK, [row[part] for part in SLICES]) for row in some],
        len(some),
        repeats=2,
    )
    report(f"index {ROUNDS}", items_per_second(lambda: indexer.index(seven), len(seven), repeats=10), canonical)
    report(
        f"unindex {ROUNDS}", items_per_second(lambda: indexer.unindex(numbers, 3), len(seven), repeats=10), canonical
    )


if __name__ == "__main__":
    main()
