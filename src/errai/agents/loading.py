"""An agent by the name that a user gives it.

always-call                 a baseline
call=0.5,raise=0.5          a mixture of actions
seed=7                      a seeded mixture, which looks at its cards
mybot.py:MyBot              a class in a Python file, made without arguments or with the game's definition
some/directory              a saved solution, of a game or a spot, or a run of a whole game
some/directory:hard         the same in a no-limit game, with a translation of raises that it does not know: `hard`,
                            `soft` (the default) or `sampled-10` (see `errai.agents.translation`)
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from errai.agents.agent import LIMIT_ACTIONS, SUM_TOLERANCE, Agent, CheckedAgent
from errai.agents.baselines import BASELINES, Mixture, SeededMixture
from errai.agents.python_file import load_class, split_bot
from errai.agents.solved import SolvedAgent
from errai.agents.translation import translate
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.runs.opening import open_strategy
from errai.solutions.stored_strategy import StoredStrategy
from errai.storage.solution_directory import is_saved

_DEFAULT_TRANSLATION = "soft"
_TRANSLATED = re.compile(r"(.+):(hard|soft|sampled-[0-9]{1,6})", re.ASCII)
_FORMS = "a baseline, `call=0.5,raise=0.5`, `seed=7`, `mybot.py:MyBot`, or the directory of a saved solution"


def load_agent(text: str, definition: GameDefinition) -> CheckedAgent:
    """The agent that `text` names, for the game of `definition`; every answer of it will be verified."""
    return CheckedAgent(_load(text, definition), name=text.rpartition(":")[2])


def load_strategy(text: str, definition: GameDefinition) -> CheckedAgent:
    """Like `load_agent`, for a judge: the numbers of a mixture must be the probabilities of fold, call and raise."""
    if "=" in text and not text.startswith("seed="):
        _verify_probabilities(text, _parse_weights(text))
    return load_agent(text, definition)


def _load(text: str, definition: GameDefinition) -> Agent:
    if text in BASELINES:
        return BASELINES[text]
    if (bot := split_bot(text)) is not None:
        made: Agent = load_class(*bot, definition)
        return made
    if (stored := find_stored(text)) is not None:
        return _load_stored(stored, definition)
    if text.endswith(".py"):
        raise InputError(f"`{text}` needs the name of a class in it", hint=f"`{text}:MyBot`")
    if "=" in text:
        return _parse_mixture(text)
    close = get_close_matches(text, BASELINES, n=1)
    suggestion = f"did you mean `{close[0]}`? " if close else ""
    raise InputError(
        f"there is no agent `{text}`", hint=f"{suggestion}an agent is {_FORMS}; baselines are {', '.join(BASELINES)}"
    )


@dataclass(frozen=True)
class StoredName:
    """The directory of a solution or a run, and the translation of raises that its betting tree does not have."""

    path: str
    translation: str | None = None


def find_stored(text: str) -> StoredName | None:
    """What `text` names, if it is stored; a baseline of the same name goes first."""
    if text in BASELINES:
        return None
    if _is_stored(text):
        return StoredName(text)
    found = _TRANSLATED.fullmatch(text)
    return StoredName(found[1], found[2]) if found and _is_stored(found[1]) else None


def _is_stored(path: str) -> bool:
    return Path(path).is_dir() or is_saved(Path(path))


def _load_stored(named: StoredName, definition: GameDefinition) -> Agent:
    stored = open_strategy(named.path)
    if stored.definition != definition:
        raise InputError(
            f"`{named.path}` is a solution of `{stored.name}`; got the game `{definition.name}`",
            hint="leave `--game` out to play the game of the solution",
        )
    if definition.is_limit and named.translation is not None:
        raise InputError(
            f"`{definition.name}` is a limit game: it has no raises to translate; got `{named.translation}`",
            hint=f"name `{named.path}` alone",
        )
    return stored_agent(stored, name=named.path, translation=named.translation or _DEFAULT_TRANSLATION)


def stored_agent(stored: StoredStrategy, *, name: str, translation: str = _DEFAULT_TRANSLATION) -> Agent:
    """A stored strategy that plays; in a no-limit game with raises that its betting tree does not have translated."""
    agent = SolvedAgent(stored, name=name)
    assert stored.definition is not None
    return agent if stored.definition.is_limit else translate(agent, translation)


def _parse_mixture(text: str) -> Agent:
    weights = _parse_weights(text)
    if list(weights) == ["seed"]:
        if not (weights["seed"].is_integer() and 0 <= weights["seed"] < 2**53):
            raise InputError(f"a seed must be a whole number from 0 to 2**53 - 1; got `{text}`", hint="as in `seed=7`")
        return SeededMixture(int(weights["seed"]))
    return Mixture(weights)


def _parse_weights(text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for part in text.split(","):
        action, _, number = part.partition("=")
        try:
            weights[action.strip()] = float(number)
        except ValueError:
            raise InputError(
                f"expected `action=number` in the mixture `{text}`; got `{part}`", hint="as in `call=0.5,raise=0.5`"
            ) from None
    return weights


def _verify_probabilities(text: str, weights: dict[str, float]) -> None:
    for action, probability in weights.items():
        if action not in LIMIT_ACTIONS:
            raise InputError(f"there is no action `{action}` in limit games", hint="they are fold, call and raise")
        if not 0.0 <= probability <= 1.0:
            raise InputError(f"the probability of `{action}` must be 0 to 1; got `{probability:g}`")
    total = sum(weights.values())
    if not abs(total - 1.0) <= SUM_TOLERANCE:
        raise InputError(
            f"the probabilities of `{text}` must sum to 1; got {total:g}", hint="as in `call=0.5,raise=0.5`"
        )
