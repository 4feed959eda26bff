"""Errai: solve heads-up hold'em, and measure how far any strategy is from solved.

Names are imported when they are first used, so that `import errai` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errai.errors import ErraiError
    from errai.evaluate.exploitability import Exploitability
    from errai.games.definition import GameDefinition
    from errai.games.definition_text import format_definition, parse_definition
    from errai.games.library import bundled_games, load_game
    from errai.games.sizes import count_sizes
    from errai.judging import exploitability
    from errai.runs.run import WholeRun
    from errai.runs.run_query import query_run
    from errai.runs.solve_whole import solve_whole
    from errai.solutions.solution import Solution, load_solution, solve
    from errai.trees.custom_game import Chance, Decision, Terminal, build_custom_form

__all__ = [
    "Chance",
    "Decision",
    "ErraiError",
    "Exploitability",
    "GameDefinition",
    "Solution",
    "Terminal",
    "WholeRun",
    "build_custom_form",
    "bundled_games",
    "count_sizes",
    "exploitability",
    "format_definition",
    "load_game",
    "load_solution",
    "parse_definition",
    "query_run",
    "solve",
    "solve_whole",
]

_HOMES = {
    "Chance": "errai.trees.custom_game",
    "Decision": "errai.trees.custom_game",
    "ErraiError": "errai.errors",
    "Exploitability": "errai.evaluate.exploitability",
    "GameDefinition": "errai.games.definition",
    "Solution": "errai.solutions.solution",
    "Terminal": "errai.trees.custom_game",
    "WholeRun": "errai.runs.run",
    "build_custom_form": "errai.trees.custom_game",
    "bundled_games": "errai.games.library",
    "count_sizes": "errai.games.sizes",
    "exploitability": "errai.judging",
    "format_definition": "errai.games.definition_text",
    "load_game": "errai.games.library",
    "load_solution": "errai.solutions.solution",
    "parse_definition": "errai.games.definition_text",
    "query_run": "errai.runs.run_query",
    "solve": "errai.solutions.solution",
    "solve_whole": "errai.runs.solve_whole",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module `errai` has no attribute `{name}`")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
