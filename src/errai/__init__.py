"""Errai: solve heads-up hold'em, and measure how far any strategy is from solved.

Everything a program needs is here. Names are imported when they are first used, so that `import errai` costs next to
nothing; other modules are private.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errai.agents.judging import exploitability
    from errai.agents.loading import load_agent
    from errai.agents.playing import lbr, match
    from errai.agents.replaying import replay
    from errai.cards.hands import hands
    from errai.errors import ErraiError
    from errai.evaluate.exploitability import Exploitability
    from errai.games.action_probabilities import ActionProbabilities
    from errai.games.definition import GameDefinition
    from errai.games.definition_text import format_definition, parse_definition
    from errai.games.library import bundled_games, load_game
    from errai.games.sizes import count_sizes
    from errai.games.spot import Spot
    from errai.openspiel.agents import PolicyAgent, TensorAgent
    from errai.reports.infoset import InfosetRow
    from errai.reports.state import StateReport
    from errai.runs.opening import open_strategy as open
    from errai.runs.solve_whole import solve_whole
    from errai.runs.stored_run import StoredRun
    from errai.solutions.efg_file import read_efg, write_efg
    from errai.solutions.locking import judge_locked, locked_spot
    from errai.solutions.method import Goal
    from errai.solutions.request import Resources
    from errai.solutions.solution import Solution
    from errai.solutions.solve import solve
    from errai.solutions.stored_strategy import StoredStrategy, Work
    from errai.solvers.variants import Exponents, Variant
    from errai.trees.custom_game import Chance, Decision, Terminal, build_custom_form

    __version__: str

__all__ = [
    "ActionProbabilities",
    "Chance",
    "Decision",
    "ErraiError",
    "Exploitability",
    "Exponents",
    "GameDefinition",
    "Goal",
    "InfosetRow",
    "PolicyAgent",
    "Resources",
    "Solution",
    "Spot",
    "StateReport",
    "StoredRun",
    "StoredStrategy",
    "TensorAgent",
    "Terminal",
    "Variant",
    "Work",
    "__version__",
    "build_custom_form",
    "bundled_games",
    "count_sizes",
    "exploitability",
    "format_definition",
    "hands",
    "judge_locked",
    "lbr",
    "load_agent",
    "load_game",
    "locked_spot",
    "match",
    "open",
    "parse_definition",
    "read_efg",
    "replay",
    "solve",
    "solve_whole",
    "write_efg",
]

# Where each name lives; `module:name` where it has another name there.
_HOMES = {
    "ActionProbabilities": "errai.games.action_probabilities",
    "Chance": "errai.trees.custom_game",
    "Decision": "errai.trees.custom_game",
    "ErraiError": "errai.errors",
    "Exploitability": "errai.evaluate.exploitability",
    "Exponents": "errai.solvers.variants",
    "GameDefinition": "errai.games.definition",
    "Goal": "errai.solutions.method",
    "InfosetRow": "errai.reports.infoset",
    "PolicyAgent": "errai.openspiel.agents",
    "Resources": "errai.solutions.request",
    "Solution": "errai.solutions.solution",
    "Spot": "errai.games.spot",
    "StateReport": "errai.reports.state",
    "StoredRun": "errai.runs.stored_run",
    "StoredStrategy": "errai.solutions.stored_strategy",
    "TensorAgent": "errai.openspiel.agents",
    "Terminal": "errai.trees.custom_game",
    "Variant": "errai.solvers.variants",
    "Work": "errai.solutions.stored_strategy",
    "build_custom_form": "errai.trees.custom_game",
    "bundled_games": "errai.games.library",
    "count_sizes": "errai.games.sizes",
    "exploitability": "errai.agents.judging",
    "format_definition": "errai.games.definition_text",
    "hands": "errai.cards.hands",
    "judge_locked": "errai.solutions.locking",
    "lbr": "errai.agents.playing",
    "load_agent": "errai.agents.loading",
    "load_game": "errai.games.library",
    "locked_spot": "errai.solutions.locking",
    "match": "errai.agents.playing",
    "open": "errai.runs.opening:open_strategy",
    "parse_definition": "errai.games.definition_text",
    "read_efg": "errai.solutions.efg_file",
    "replay": "errai.agents.replaying",
    "solve": "errai.solutions.solve",
    "solve_whole": "errai.runs.solve_whole",
    "write_efg": "errai.solutions.efg_file",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("errai")
    elif name in _HOMES:
        module, _, there = _HOMES[name].partition(":")
        value = getattr(import_module(module), there or name)
    else:
        raise AttributeError(f"module `errai` has no attribute `{name}`")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
