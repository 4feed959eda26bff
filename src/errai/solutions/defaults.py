"""What a game is solved with unless the caller asks for something else."""

from typing import TYPE_CHECKING, NamedTuple

from errai.games.definition import UNLIMITED
from errai.games.sizes import count_sizes
from errai.solvers.variants import Exponents

if TYPE_CHECKING:
    from errai.solutions.game_kinds import PosedGame
    from errai.trees.public_tree import Precision

# The method for limit spots and large limit games: of all variants, the one whose average converges first. On all of
# limit flop hold'em it needs 174 iterations to 1 mbb/g; the average of `cfr+` needs 310.
FAST_ALGORITHM = "dcfr+"
FAST_PRECISION: "Precision" = "float32"
# The method for no-limit spots. Negative regrets that are discounted less than by half let go of fewer actions that
# come back, so the average jumps up less often: 3betpotFAST is at 0.1 % of the pot after 170 iterations, and with the
# usual exponents after 190.
NOLIMIT_ALGORITHM, NOLIMIT_EXPONENTS = "dcfr", Exponents(1.4, 0.2, 5.0)
LEAST_LARGE_INFOSETS = 1_000_000


def is_large(game: "PosedGame") -> bool:
    """Whether a whole game is one that the lanes engine plays and has more than a million infosets."""
    definition = game.definition
    return (
        definition is not None
        and definition.is_limit
        and min(definition.stacks) == UNLIMITED
        and definition.num_board_cards[0] == 0
        and count_sizes(definition).total.canonical_infosets > LEAST_LARGE_INFOSETS
    )


class Defaults(NamedTuple):
    """What is not named by the caller."""

    algorithm: str
    precision: "Precision"
    exponents: Exponents | None = None  # None: those of the algorithm


def default_method(game: "PosedGame", *, engine: str, sampling: str | None, algorithm: str | None) -> Defaults:
    """The settings for an algorithm, or for the one that suits the game.

    The floor of `cfr+` would keep the noise of samples, so sampling goes with `cfr`.
    """
    is_spot = game.start is not None
    has_lanes = engine != "flat" and game.definition is not None and (is_spot or game.definition.is_limit)
    is_fast = is_spot or (has_lanes and sampling is None and algorithm is None and is_large(game))
    is_single = is_fast and has_lanes and sampling is None
    precision: Precision = FAST_PRECISION if is_single else "float64"
    if algorithm is not None:
        return Defaults(algorithm, precision)
    if sampling is not None:
        return Defaults("cfr", precision)
    if is_spot and game.definition is not None and not game.definition.is_limit:
        return Defaults(NOLIMIT_ALGORITHM, precision, NOLIMIT_EXPONENTS)
    return Defaults(FAST_ALGORITHM if is_fast else "cfr+", precision)
