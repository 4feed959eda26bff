"""Errai: solve heads-up hold'em, and measure how far any strategy is from solved."""

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
