"""A stored strategy of a whole poker game as an OpenSpiel policy."""

from typing import Any

from errai.errors import InputError
from errai.solutions.stored_strategy import StoredStrategy


def to_openspiel_policy(stored: StoredStrategy, game: Any = None) -> Any:
    """The policy for `leduc_poker` or `universal_poker`; `policy.game` is the game, `game` unless that is None."""
    if stored.definition is None:
        raise InputError(
            f"`{stored.name}` was made in Python, which OpenSpiel knows nothing about",
            hint="`export` writes it as `.efg`, which OpenSpiel's `efg_game` reads",
        )
    if stored.start is not None and not stored.start.is_whole_game:
        raise InputError(f"OpenSpiel's games begin with the deal; `{stored.name}` is a spot")
    # OpenSpiel is optional.
    from errai.openspiel.policy import StrategyPolicy

    return StrategyPolicy(stored.definition, stored, game=game)
