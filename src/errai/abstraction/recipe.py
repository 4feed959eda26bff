"""The name of a bucket table says how it is made.

    pr-10-phs                   perfect recall: ten buckets in the first round, ten within each of them in the next, ...
    pr-10                       the same: percentiles, unless the name says something else
    ir-9000-ke-ko               imperfect recall: all hands apart in the first round, 9,000 buckets in each later one
    pr-169-10-phs               a number for each round, here of a game with two rounds
    ir-169-5x2x2-phs            buckets that are split again: 5, each into 2, each into 2
    ir-570-ke-ko-s7             with seed 7 instead of 0

`phs` splits by percentiles: by E[HS^2] first, then by E[HS], and so on in turn. A plain number is split in two steps, a
x b, with a / b as close to 2.5 as can be: 10 is 5 x 2, 9000 is 150 x 60. `ke-ko` clusters by k-means: histograms of
strength by the earth mover's distance, and in the last round OCHS by L2. There a plain number is one step.

Two tables whose names differ only in further splits of the last round are nested: every bucket of one lies within a
bucket of the other.
"""

import re
from dataclasses import dataclass
from math import log, prod

from errai.abstraction.card_rounds import CardRounds
from errai.errors import InputError

PRESETS = (
    "pr-5-phs",
    "pr-10-phs",
    "ir-570-phs",
    "ir-9000-phs",
    "pr-5-ke-ko",
    "pr-10-ke-ko",
    "ir-570-ke-ko",
    "ir-9000-ke-ko",
)

_NAME = re.compile(r"(pr|ir)((?:-[0-9]+(?:x[0-9]+)*)+)(?:-(phs|ke-ko))?(?:-s([0-9]{1,9}))?", re.ASCII)
_DEFAULT_METHOD = "phs"
_MOST_BUCKETS = 2**16
_STEP_RATIO = 2.5
_HINT = f"tables are called `{PRESETS[1]}`, `{PRESETS[3]}` or `{PRESETS[7]}`, for example"

Splits = tuple[int, ...]


@dataclass(frozen=True)
class Recipe:
    """How the table called `name` is made for a game."""

    name: str
    cards: CardRounds
    perfect_recall: bool
    by_percentiles: bool  # otherwise by k-means
    splits: tuple[Splits, ...]  # of each round, one after the other; with perfect recall within each bucket before
    seed: int

    def num_buckets(self, round_index: int) -> int:
        """How many buckets a round has, some of which may be empty."""
        first = 0 if self.perfect_recall else round_index
        return prod(prod(self.splits[index]) for index in range(first, round_index + 1))

    def is_lossless(self, round_index: int) -> bool:
        """Whether every canonical hand of the round is a bucket of its own: so many are asked for in the first one."""
        return round_index == 0 and prod(self.splits[0]) >= self.cards.num_hands(self.cards.unordered(0))


def parse_recipe(name: str, cards: CardRounds) -> Recipe:
    """How the table of this name is made."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise InputError(f"`{name}` does not say how a table is made", hint=_HINT)
    recall, numbers, method, seed = match.groups(default="")
    if not method:
        method = _DEFAULT_METHOD
        name = f"{recall}{numbers}-{method}" + (f"-s{seed}" if seed else "")
    parts = numbers[1:].split("-")
    num_first = cards.num_hands(cards.unordered(0))
    if len(parts) == 1 and cards.num_rounds > 1:
        parts = parts * cards.num_rounds if recall == "pr" else [str(num_first), *parts * (cards.num_rounds - 1)]
    if len(parts) != cards.num_rounds:
        raise InputError(
            f"`{name}` has numbers for {len(parts)} rounds; the game has {cards.num_rounds}",
            hint="give one number for all rounds, or one for each",
        )
    splits = tuple(_parse_splits(part, name, method == "phs") for part in parts)
    recipe = Recipe(name, cards, recall == "pr", method == "phs", splits, int(seed or 0))
    for round_index in range(cards.num_rounds):
        if recipe.num_buckets(round_index) > _MOST_BUCKETS:
            raise InputError(
                f"`{name}` has {recipe.num_buckets(round_index):,} buckets in round {round_index}; "
                f"a table has at most {_MOST_BUCKETS:,}",
                hint=_HINT,
            )
    return recipe


def _parse_splits(part: str, name: str, by_percentiles: bool) -> Splits:
    splits = tuple(int(split) for split in part.split("x"))
    if min(splits) < 1 or prod(splits) > _MOST_BUCKETS:
        raise InputError(f"`{name}`: a round is split into 1 to {_MOST_BUCKETS:,} buckets; got `{part}`", hint=_HINT)
    return two_steps(splits[0]) if by_percentiles and len(splits) == 1 else splits


def two_steps(count: int) -> Splits:
    """The factors of `count` whose ratio is closest to 2.5, without the second if it is 1."""
    second = min(
        (factor for factor in range(1, count + 1) if count % factor == 0),
        key=lambda factor: (abs(log(count / factor / factor / _STEP_RATIO)), factor),
    )
    return (count // second, second) if second > 1 else (count,)
