"""The description of a stored strategy in lines, whatever kind it is."""

from collections.abc import Callable
from typing import Any

from rich.console import Console

from errai.cli.output import stdout_console
from errai.cli.render.bot_table import print_bot
from errai.cli.render.run_table import print_run
from errai.cli.render.solution_table import print_curve, print_saved, print_solution
from errai.reports.bot import BotReport
from errai.reports.run import RunReport
from errai.reports.solution import SolutionReport
from errai.solutions.stored_strategy import Report


def _print_saved_solution(console: Console, report: SolutionReport) -> None:
    print_solution(console, report)
    print_saved(console, report)
    print_curve(console, report)


Printers = dict[type[Any], Callable[[Console, Any], None]]
_OF_STATUS: Printers = {RunReport: print_run, SolutionReport: _print_saved_solution, BotReport: print_bot}
_OF_RESULT: Printers = {RunReport: print_run, SolutionReport: print_solution, BotReport: print_bot}


def print_status(report: Report) -> None:
    """Print how far a stored strategy is."""
    _OF_STATUS[type(report)](stdout_console(), report)


def print_result(report: Report) -> None:
    """Print how exploitable a stored strategy is."""
    _OF_RESULT[type(report)](stdout_console(), report)
