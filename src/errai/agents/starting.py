"""Where the hands of some agents begin: what they were solved for decides it."""

from collections.abc import Sequence

from errai.agents.loading import find_stored
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.library import DEFAULT_GAME, load_game
from errai.games.spot import Spot
from errai.play.hand_start import HandStart
from errai.runs.opening import open_strategy
from errai.solutions.stored_strategy import StoredStrategy


def choose_start(agents: Sequence[str], game: str | GameDefinition | None = None) -> HandStart:
    """The game, or the spot, that all of `agents` can play: that of the stored strategies among them.

    Without any of them it is `game`, or no-limit hold'em.
    """
    definition = load_game(game) if isinstance(game, str) else game
    starts: dict[HandStart, str] = {}
    for text in agents:
        named = find_stored(text)
        if named is None:
            continue
        stored = open_strategy(named.path)
        starts.setdefault(start_of(stored), text)
    if len(starts) > 1:
        (first, first_text), (second, second_text) = list(starts.items())[:2]
        raise InputError(
            f"`{first_text}` begins at {_describe(first)} and `{second_text}` at {_describe(second)}: "
            "their hands have nothing in common",
            hint="solutions play each other if they are of the same game or the same spot",
        )
    if not starts:
        return HandStart(definition or load_game(DEFAULT_GAME))
    ((start, text),) = starts.items()
    if definition is not None and definition != start.definition:
        raise InputError(
            f"`{text}` is a solution of `{start.definition.name}`; got the game `{definition.name}`",
            hint="leave `--game` out to play the game of the solution",
        )
    return start


def start_of(stored: StoredStrategy) -> HandStart:
    """Where the hands of a stored strategy begin."""
    if stored.definition is None:
        raise InputError(
            f"`{stored.name}` is a game made in Python, which has no hands of poker to play",
            hint="`errai exploit DIR` measures it",
        )
    spot = None if stored.start is None or stored.start.is_whole_game else stored.start
    return HandStart(stored.definition, spot)


def _describe(start: HandStart) -> str:
    return f"the start of `{start.definition.name}`" if start.spot is None else describe_spot(start.spot)


def describe_spot(spot: Spot) -> str:
    """`the spot holdem.limit.2p Ks8s3d7h rc/cc/`."""
    return f"the spot `{spot.name}`"
