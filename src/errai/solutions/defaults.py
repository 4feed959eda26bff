"""What a game is solved with unless the caller asks for something else."""

from errai.games.definition import UNLIMITED
from errai.games.sizes import count_sizes
from errai.solutions.game_kinds import PosedGame
from errai.trees.public_tree import Precision

# The method for spots and large limit games: of all variants, the one whose average converges first. On all of limit
# flop hold'em it needs 174 iterations to 1 mbb/g; the average of `cfr+` needs 310.
FAST_ALGORITHM = "dcfr+"
FAST_PRECISION: Precision = "float32"
LEAST_LARGE_INFOSETS = 1_000_000


def is_large(game: PosedGame) -> bool:
    """Whether a whole game is one that the lanes engine plays and has more than a million infosets."""
    definition = game.definition
    return (
        definition is not None
        and definition.is_limit
        and min(definition.stacks) == UNLIMITED
        and definition.num_board_cards[0] == 0
        and count_sizes(definition).total.canonical_infosets > LEAST_LARGE_INFOSETS
    )


def default_method(
    game: PosedGame, *, engine: str, sampling: str | None, is_algorithm_named: bool
) -> tuple[str, Precision]:
    """The algorithm and the precision where they are not named.

    The floor of `cfr+` would keep the noise of samples, so sampling goes with `cfr`.
    """
    is_spot = game.start is not None
    has_lanes = engine != "flat" and game.definition is not None and (is_spot or game.definition.is_limit)
    is_fast = is_spot or (has_lanes and sampling is None and not is_algorithm_named and is_large(game))
    is_single = is_fast and has_lanes and sampling is None
    precision: Precision = FAST_PRECISION if is_single else "float64"
    if sampling is not None:
        return "cfr", precision
    return (FAST_ALGORITHM if is_fast else "cfr+"), precision
