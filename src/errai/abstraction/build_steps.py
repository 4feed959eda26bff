"""What the builders of a round share: what is known before the round, progress, and the steps that are done."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.bucket_table import RoundBuckets, find_buckets
from errai.abstraction.card_rounds import CardRounds, Grouping
from errai.abstraction.checkpoints import Checkpoints
from errai.abstraction.recipe import Recipe
from errai.abstraction.round_rows import Progress, RoundRows

# The round, what is being done, and which part of it is done.
OnProgress = Callable[[int, str, float], None]


def ignore_progress(_round_index: int, _step: str, _done: float) -> None:
    """For callers who do not want to know."""


@dataclass(frozen=True)
class BuildStep:
    """A round that is about to be built."""

    recipe: Recipe
    round_index: int
    before: tuple[RoundBuckets, ...]  # the rounds that are built
    checkpoints: Checkpoints
    num_threads: int
    on_progress: OnProgress = field(default=ignore_progress)

    @property
    def cards(self) -> CardRounds:
        return self.recipe.cards

    @property
    def has_parents(self) -> bool:
        """Whether buckets lie within those of the round before."""
        return self.recipe.perfect_recall and self.round_index > 0

    @property
    def num_parents(self) -> int:
        return self.before[-1].num_buckets if self.has_parents else 1

    @property
    def is_last(self) -> bool:
        return self.round_index == self.cards.num_rounds - 1

    @property
    def grouping(self) -> Grouping:
        """How hands are numbered: where their buckets before matter, as dealt."""
        return self.cards.dealt(self.round_index) if self.has_parents else self.cards.unordered(self.round_index)

    @property
    def num_buckets(self) -> int:
        return self.recipe.num_buckets(self.round_index)

    def rows(self) -> RoundRows:
        return RoundRows(self.cards, self.round_index, num_threads=self.num_threads)

    def parents(self, dealt: NDArray[np.uint8]) -> NDArray[np.uint32]:
        """The bucket before of each row of cards, which are in the order in which they were dealt."""
        if not self.has_parents:
            return np.zeros(len(dealt), dtype=np.uint32)
        num_cards = dealt.shape[1] - self.cards.num_board_cards[self.round_index]
        return find_buckets(self.cards, self.before, self.round_index - 1, dealt[:, :num_cards]).astype(np.uint32)

    def progress(self, step: str) -> Progress:
        return lambda done, total: self.on_progress(self.round_index, step, done / total)
