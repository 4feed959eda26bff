"""Errai: solve heads-up hold'em, and measure how far any strategy is from solved."""

from errai.cluster.run_query import query_run
from errai.cluster.solve_whole import solve_whole
from errai.cluster.whole_run import WholeRun
from errai.errors import ErraiError
from errai.evaluate.exploitability import Exploitability
from errai.games import GameDefinition, bundled_games, count_sizes, format_definition, load_game, parse_definition
from errai.games.custom import Chance, Decision, Terminal, build_custom_form
from errai.judging import exploitability
from errai.solving import Solution, load_solution, solve

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
