"""Decision nodes and actions of no-limit games with equal stacks and no cap on raises that binds, by a formula.

Within a round every raise adds at least as much as the one before it, and at least the big blind b. So the sequences of
raises that add n chips in all, none of them all-in, are the partitions of n into parts of at least b. Call their number
p(n); with k parts they are the partitions of n - k b into at most k parts, hence

    sum_n p(n) x^n = sum_k x^(k b) / ((1 - x) (1 - x^2) ... (1 - x^k)).

Let both have m chips in when a round starts, S being the stacks. Then

1. the first player raises or checks first: 2 p(n) nodes at m + n < S chips, and as many that face an all-in, as from
   every node exactly one raise is all-in;
2. the round ends with m + n < S chips in 2 p(n) ways, and in 1 way for n = 0: e(n) = 2 p(n) - [n = 0];
3. each node has a call; each but the two at n = 0 has a fold, and is reached by a raise of its own.

With unequal blinds the first round is the same from m = the larger blind on, except that one of the two nodes at n = 0
faces the blind and has a fold. The ways to start round r are the r-th power of the series e; the products are made by
Kronecker substitution, one multiplication of two huge numbers.
"""

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from itertools import accumulate

from errai.errors import SizeError
from errai.games.definition import GameDefinition

# At either limit a count takes about 5 seconds.
MAX_PARTITION_STEPS = 20_000_000
MAX_CHIPS = 60_000
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])


def applies_to(definition: GameDefinition) -> bool:
    """Whether the formula counts this game."""
    if definition.is_limit or definition.stacks[0] != definition.stacks[1]:
        return False
    chips_left, big_blind = _chips_left(definition)
    most_raises = chips_left // big_blind + 1  # the last one all-in with less than a big blind
    return chips_left > 0 and all(raises >= most_raises for raises in definition.max_raises)


def count_nolimit_rounds(definition: GameDefinition) -> tuple[tuple[int, int], ...]:
    """The decision nodes of each round and the actions at them."""
    chips_left, big_blind = _chips_left(definition)
    steps = chips_left**2 // (2 * big_blind)
    if steps > MAX_PARTITION_STEPS or chips_left > MAX_CHIPS:
        raise SizeError(
            f"counting the betting of `{definition.name}` would take too long: {chips_left:,} chips behind the blinds "
            f"and {steps:,} steps; at most {MAX_CHIPS:,} and {MAX_PARTITION_STEPS:,} are allowed",
            hint="count the game with larger chips or fewer big blinds in the stacks",
        )
    raises = _partitions(chips_left, big_blind)
    nodes_within = [4 * total for total in accumulate(raises)]  # at most n chips added, with the all-in ones
    ends = [2 * ways for ways in raises]
    ends[0] = 1
    starts = [1] + [0] * (chips_left - 1)
    counts = []
    for round in range(definition.num_rounds):
        if round > 0:
            starts = _product(starts, ends)
        nodes = sum(ways * within for ways, within in zip(starts, reversed(nodes_within), strict=True))
        num_starts = sum(starts)
        without_fold = 1 if round == 0 and definition.blinds[0] != definition.blinds[1] else 2 * num_starts
        folds = nodes - without_fold
        raise_actions = nodes - 2 * num_starts
        counts.append((nodes, nodes + folds + raise_actions))
    return tuple(counts)


def _chips_left(definition: GameDefinition) -> tuple[int, int]:
    """What can be added to the larger blind, an all-in included, and the least raise."""
    return definition.stacks[0] - max(definition.blinds), max(*definition.blinds, 1)


def _partitions(size: int, least_part: int) -> list[int]:
    """The partitions of 0, 1, ..., size - 1 into parts of at least `least_part`."""
    of_few_parts = [1] + [0] * (size - 1)  # of n into at most k parts
    result = of_few_parts.copy()
    for parts in range(1, (size - 1) // least_part + 1):
        used = size - parts * least_part
        del of_few_parts[used:]
        for n in range(parts, used):
            of_few_parts[n] += of_few_parts[n - parts]
        for n, ways in enumerate(of_few_parts, start=parts * least_part):
            result[n] += ways
    return result


def _product(first: list[int], second: list[int]) -> list[int]:
    """The product of two series, as many terms of it as `first` has."""
    terms = len(first)
    width = len(str(sum(first) * sum(second)))
    numbers = [Decimal("".join(f"{value:0{width}d}" for value in reversed(series))) for series in (first, second)]
    # `decimal` multiplies by a number-theoretic transform: 0.7 s where `int` takes 6.2 (19,900 terms).
    digits = str(_EXACT.multiply(*numbers)).zfill(terms * width)
    ends = range(len(digits), len(digits) - terms * width, -width)
    return [int(digits[end - width : end]) for end in ends]
