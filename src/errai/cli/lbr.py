"""`errai lbr AGENT`: how much a local best response wins against an agent."""

from pathlib import Path

import click

from errai.agents.starting import choose_start
from errai.cli.deal_session import choose_runner, exit_code, game_option, session_options
from errai.cli.lbr_session import play
from errai.cli.options import output_options
from errai.cli.output import print_json, results
from errai.cli.played_hands import HandCount, HandTotal
from errai.cli.render import lbr_table
from errai.cli.render.lbr_page import print_lbr, write_report
from errai.cli.render.picture import verify_can_draw
from errai.play.lbr_observations import Estimator
from errai.play.lbr_run import RunGoal
from errai.play.lbr_settings import LbrSettings
from errai.play.rounds import parse_rounds
from errai.reports.local_best_response import LbrReport
from errai.workers.runner import Runner


@click.command()
@click.argument("agent", required=False)
@game_option
@click.option(
    "--bets",
    default="fcpa",
    show_default=True,
    help="The actions that LBR considers: `fc`, `fcpa`, `56bets`, `on-tree`, pot fractions as in `0.5,1,2,all-in`, "
    "or a bet menu as in `50%,a / 3x; river a`.",
)
@click.option("--rounds", help="The rounds in which LBR acts; it checks and calls in the others. [default: all]")
@click.option("--hands", type=HandCount(), default="2x1000", show_default=True, help="At most; each deal is two.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides the cards and the agent's draws.")
@click.option(
    "--estimator",
    type=click.Choice([estimator.name.lower() for estimator in Estimator]),
    default="aivat",
    show_default=True,
    help="How a hand is counted; all have the same mean.",
)
@session_options
@click.option("--report", type=click.Path(path_type=Path), metavar="DIR", help="Write `report.md` and `report.png`.")
@click.option("--table", is_flag=True, help="Play the cells of the paper's Table 2 instead of one AGENT.")
@output_options
def lbr(
    *,
    agent: str | None,
    game: str | None,
    bets: str,
    rounds: str | None,
    hands: HandTotal,
    until_mbb: float | None,
    seed: int,
    estimator: str,
    num_workers: int | None,
    cluster: str | None,
    out: Path | None,
    report: Path | None,
    table: bool,
    as_json: bool,
) -> int:
    """Play a local best response against AGENT: a lower bound on how much it can lose.

    AGENT is a baseline (`always-call`, `random`, ...), a mixture (`call=0.5,raise=0.5`), a class in a Python file
    (`mybot.py:MyBot`), or the directory of a saved solution or a run. The result is what LBR wins per hand, in
    thousandths of a big blind, or in limit games of a small bet. At a spot, every hand begins there. Ctrl-C stops early
    and prints the partial result.
    """
    if (agent is None) != table:
        raise click.UsageError("either one AGENT or `--table` must be given")
    if hands.number % 2:
        raise click.UsageError(f"every deal is played twice; got an odd number of hands, {hands.number}")
    if report is not None:
        verify_can_draw(report.parent / "report.png")
    runner = choose_runner(num_workers, cluster)
    goal = RunGoal(hands.number // 2, seed=seed, estimator=Estimator[estimator.upper()], until_mbb=until_mbb)
    if table:
        return _play_table(goal, runner=runner, out=out, report=report, as_json=as_json)
    assert agent is not None
    start = choose_start([agent], game)
    active = parse_rounds(rounds) if rounds else frozenset(range(start.state.round, start.definition.num_rounds))
    settings = LbrSettings(agent, start, bets, active, seed, goal.estimator)
    run = play(settings, goal, runner=runner, out=out)
    if as_json:
        print_json(run.report.to_json())
    else:
        print_lbr(results(), run.report)
    if report is not None:
        write_report(report, [run.report], title=f"Local best response to {settings.agent}")
    return exit_code(run.was_interrupted)


def _play_table(goal: RunGoal, *, runner: Runner, out: Path | None, report: Path | None, as_json: bool) -> int:
    start = choose_start(lbr_table.AGENTS, lbr_table.GAME)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    runs: dict[lbr_table.Cell, LbrReport] = {}
    for bets, rounds in lbr_table.ROWS:
        for agent in lbr_table.AGENTS:
            settings = LbrSettings(agent, start, bets, parse_rounds(rounds), goal.seed, goal.estimator)
            directory = out / f"{agent}-{bets}-{rounds}" if out is not None else None
            run = play(settings, goal, runner=runner, out=directory)
            if run.was_interrupted:
                return exit_code(run.was_interrupted)
            runs[agent, bets, rounds] = run.report
    if as_json:
        print_json(lbr_table.table_json(runs))
    else:
        lbr_table.print_table(results(), runs)
    if report is not None:
        write_report(report, list(runs.values()), title="Table 2 of the paper on local best response")
    return 0
