"""The tables of the paper on local best response, cell by cell."""

from dataclasses import dataclass
from pathlib import Path

from errai.agents.starting import choose_start
from errai.cli.deal_session import exit_code
from errai.cli.lbr_session import play
from errai.cli.output import print_json, stdout_console
from errai.cli.render import lbr_bots_table, lbr_table
from errai.cli.render.lbr_page import write_report
from errai.play.hand_start import HandStart
from errai.play.lbr_run import RunGoal
from errai.play.lbr_settings import LbrSettings
from errai.play.rounds import parse_rounds
from errai.reports.local_best_response import LbrReport
from errai.workers.runner import Runner


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper, and whom it is played against."""

    number: str
    given_agents: tuple[str, ...]
    given_game: str | None

    @property
    def agents(self) -> tuple[str, ...]:
        return lbr_table.AGENTS if self.number == "2" else self.given_agents

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        return lbr_table.ROWS if self.number == "2" else lbr_bots_table.ROWS

    @property
    def start(self) -> HandStart:
        return choose_start(self.agents, lbr_table.GAME if self.number == "2" else self.given_game)

    def print(self, runs: dict[lbr_table.Cell, LbrReport], *, as_json: bool) -> None:
        if self.number == "2":
            if as_json:
                print_json(lbr_table.table_json(runs))
            else:
                lbr_table.print_table(stdout_console(), runs)
        elif as_json:
            print_json(lbr_bots_table.table_json(self.agents, runs))
        else:
            lbr_bots_table.print_table(stdout_console(), self.agents, runs)


def play_table(
    table: PaperTable, goal: RunGoal, *, runner: Runner, out: Path | None, report: Path | None, as_json: bool
) -> int:
    """Play every cell and print the table; the exit code."""
    start = table.start
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    runs: dict[lbr_table.Cell, LbrReport] = {}
    for bets, rounds in table.rows:
        for agent in table.agents:
            settings = LbrSettings(agent, start, bets, parse_rounds(rounds), goal.seed, goal.estimator)
            directory = out / f"{agent.replace('/', '_')}-{bets}-{rounds}" if out is not None else None
            run = play(settings, goal, runner=runner, out=directory)
            if run.was_interrupted:
                return exit_code(run.was_interrupted)
            runs[agent, bets, rounds] = run.report
    table.print(runs, as_json=as_json)
    if report is not None:
        write_report(report, list(runs.values()), title=f"Table {table.number} of the paper on local best response")
    return 0
