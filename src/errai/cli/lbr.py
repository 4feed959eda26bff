"""`errai lbr AGENT`: how much a local best response wins against an agent."""

from pathlib import Path

import click

from errai.cli.hand_options import HandCount, HandTotal, game_option, session_options
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console
from errai.play.lbr_estimators import Estimator


@click.command()
@click.argument("agents", metavar="[AGENT]...", nargs=-1)
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
@click.option(
    "--table",
    type=click.Choice(["2", "3"]),
    help="Play the cells of a table of the paper: of Table 2, without AGENT, or those of Table 3 against every AGENT.",
)
@output_options
def lbr(
    *,
    agents: tuple[str, ...],
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
    table: str | None,
    as_json: bool,
) -> int:
    """Play a local best response against AGENT: a lower bound on how much it can lose.

    AGENT is a baseline (`always-call`, `random`, ...), a mixture (`call=0.5,raise=0.5`), a class in a Python file
    (`mybot.py:MyBot`), or the directory of a saved solution or a run. The result is what LBR wins per hand, in
    thousandths of a big blind, or in limit games of a small bet. At a spot, every hand begins there. Ctrl-C stops early
    and prints the partial result.
    """
    from errai.agents.starting import choose_start
    from errai.cli.deal_session import choose_runner, exit_code
    from errai.cli.lbr_session import play
    from errai.cli.lbr_tables import PaperTable, play_table
    from errai.cli.render.lbr_page import print_lbr, write_report
    from errai.cli.render.picture import verify_can_draw
    from errai.play.lbr_run import RunGoal
    from errai.play.lbr_settings import LbrSettings
    from errai.play.rounds import parse_rounds

    if not {None: len(agents) == 1, "2": not agents, "3": bool(agents)}[table]:
        raise click.UsageError("give one AGENT; `--table 2` takes none, and `--table 3` takes one or more")
    if hands.number % 2:
        raise click.UsageError(f"every deal is played twice; got an odd number of hands, {hands.number}")
    if report is not None:
        verify_can_draw(report.parent / "report.png")
    runner = choose_runner(num_workers, cluster)
    goal = RunGoal(hands.number // 2, seed=seed, estimator=Estimator[estimator.upper()], until_mbb=until_mbb)
    if table is not None:
        return play_table(PaperTable(table, agents, game), goal, runner=runner, out=out, report=report, as_json=as_json)
    (agent,) = agents
    start = choose_start([agent], game)
    active = parse_rounds(rounds) if rounds else frozenset(range(start.state.round, start.definition.num_rounds))
    settings = LbrSettings(agent, start, bets, active, seed, goal.estimator)
    run = play(settings, goal, runner=runner, out=out)
    if as_json:
        print_json(run.report.to_json())
    else:
        print_lbr(stdout_console(), run.report)
    if report is not None:
        write_report(report, [run.report], title=f"Local best response to {settings.agent}")
    return exit_code(run.was_interrupted)
