"""Solving: joins the solvers and the judge, neither of which knows the other, and saves what they reach."""

from errai.solving.cost import Cost, estimate_cost
from errai.solving.engines import Game, Plan
from errai.solving.method import ALGORITHMS, SPOT_ALGORITHM, SPOT_PRECISION, Goal, Method, default_algorithm
from errai.solving.query import PublicStateReport
from errai.solving.schedule import StrategyKind, TracePoint
from errai.solving.solution import OnProgress, Progress, Solution, load_solution, solve
from errai.solving.strategy_rows import StrategyRow

__all__ = [
    "ALGORITHMS",
    "SPOT_ALGORITHM",
    "SPOT_PRECISION",
    "Cost",
    "Game",
    "Goal",
    "Method",
    "OnProgress",
    "Plan",
    "Progress",
    "PublicStateReport",
    "Solution",
    "StrategyKind",
    "StrategyRow",
    "TracePoint",
    "default_algorithm",
    "estimate_cost",
    "load_solution",
    "solve",
]
