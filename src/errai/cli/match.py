"""`errai match A B`: play agents against each other and say who wins, and how sure that is."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from errai.cli.hand_options import HandCount, HandTotal, game_option, history_options, session_options
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console
from errai.errors import InputError
from errai.play.match_limits import ANSWER_SECONDS

if TYPE_CHECKING:
    from errai.cli.match_session import MatchRun, MatchSettings
    from errai.reports.match import MatchReport
    from errai.workers.runner import Runner

_NOT_AGAINST_SLUMBOT = (
    "duplicate",
    "tournament",
    "answer_seconds",
    "until_mbb",
    "num_workers",
    "cluster",
    "out",
    "log",
    "phh",
)


@click.command()
@click.argument("agents", nargs=-1, required=True)
@game_option
@click.option(
    "--hands",
    type=HandCount(),
    default="2x1000",
    show_default=True,
    help="Hands of each match, at most; `2x1000` is 1,000 deals, each played twice, as with `--duplicate`.",
)
@click.option("--duplicate", is_flag=True, help="Play every deal twice, the second time with the seats swapped.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides the cards and the agents' draws.")
@click.option(
    "--tournament",
    type=click.Choice(["bankroll", "instant-runoff"]),
    help="How to rank the agents after all their matches. [default with three or more: bankroll]",
)
@click.option(
    "--response-timeout",
    "answer_seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=ANSWER_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="The time of an external program for one action.",
)
@session_options
@history_options
@output_options
@click.pass_context
def match(
    context: click.Context,
    /,
    *,
    agents: tuple[str, ...],
    game: str | None,
    hands: HandTotal,
    duplicate: bool,
    seed: int,
    tournament: str | None,
    answer_seconds: float,
    until_mbb: float | None,
    num_workers: int | None,
    cluster: str | None,
    out: Path | None,
    log: Path | None,
    phh: Path | None,
    as_json: bool,
) -> int:
    """Play AGENTS against each other: two in a match, more in a tournament.

    An agent is a baseline (`always-call`, `random`, ...), a mixture (`call=0.5,raise=0.5`), a class in a Python
    file (`mybot.py:MyBot`), the directory of a saved solution or a run, or a program that speaks the ACPC protocol,
    by its path (`./bot`, `"./bot leduc.game"`): it is started with a host and a port behind its own arguments.
    `slumbot`, or `slumbot=URL`, is a server that speaks Slumbot's protocol and deals the cards. The result is what
    the first one wins per hand, in thousandths of a big blind, or in limit games of a small bet. With a saved spot,
    every hand begins there. Ctrl-C stops early and prints the partial result.
    """
    from errai.agents.starting import choose_start
    from errai.cli.deal_session import choose_runner, exit_code
    from errai.cli.match_session import MatchSettings, play
    from errai.cli.render.match_table import print_tournament
    from errai.cli.slumbot_match import play_slumbot, slumbot_url
    from errai.play.acpc_program import find_program
    from errai.play.schedule import MatchSchedule
    from errai.play.tournaments import Tournament

    if len(agents) < 2:
        raise click.UsageError(f"a match needs two agents or more; got {len(agents)}")
    is_tournament = len(agents) > 2 or tournament is not None
    if is_tournament and (log is not None or phh is not None):
        raise click.UsageError("`--log` and `--phh` write the hands of one match, not of a tournament")
    if out is not None and (log is not None or phh is not None):
        raise click.UsageError(
            "`--log` and `--phh` write a match that is played at once, not one that is kept in `--out`"
        )
    if any(slumbot_url(agent) is not None for agent in agents):
        _verify_against_slumbot(context, agents)
        against, was_interrupted = play_slumbot(agents, game=game, num_hands=hands.number, seed=seed)
        _print_match(against, as_json=as_json)
        return exit_code(was_interrupted)
    programs = [agent for agent in agents if find_program(agent) is not None]
    if programs and (cluster is not None or (num_workers or 1) > 1):
        raise click.UsageError(
            f"the program `{programs[0]}` plays in one process; leave `--workers` and `--cluster` out"
        )
    schedule = MatchSchedule(hands.number, seed, is_duplicate=duplicate or hands.is_duplicate)
    settings = MatchSettings(agents, choose_start(agents, game), schedule, is_tournament, answer_seconds)
    if programs and settings.start.spot is not None:
        raise InputError(f"the program `{programs[0]}` plays whole hands; `{settings.start.name}` is a spot")
    runner = choose_runner(1 if programs else num_workers, cluster)
    if log is not None or phh is not None:
        run = _play_with_histories(settings, until_mbb=until_mbb, runner=runner, log=log, phh=phh)
    else:
        run = play(settings, until_mbb=until_mbb, runner=runner, out=out)
    if not is_tournament:
        (result,) = run.results
        report = result.report(game=settings.start.name, seconds=run.seconds, hands_per_second=run.hands_per_second)
        _print_match(report, as_json=as_json)
        return exit_code(run.was_interrupted)
    ranked = Tournament(run.names, run.results).report(tournament or "bankroll", game=settings.start.name)
    if as_json:
        print_json(ranked.to_json())
    else:
        print_tournament(stdout_console(), ranked)
    return exit_code(run.was_interrupted)


def _print_match(report: "MatchReport", *, as_json: bool) -> None:
    from errai.cli.render.match_table import print_match

    if as_json:
        print_json(report.to_json())
    else:
        print_match(stdout_console(), report)


def _verify_against_slumbot(context: click.Context, agents: tuple[str, ...]) -> None:
    from errai.cli.slumbot_match import slumbot_url

    if len(agents) != 2 or all(slumbot_url(agent) is not None for agent in agents):
        raise click.UsageError("a match against Slumbot is between one agent and `slumbot`", context)
    for option in context.command.params:
        is_given = context.get_parameter_source(option.name or "") is not ParameterSource.DEFAULT
        if option.name in _NOT_AGAINST_SLUMBOT and is_given:
            raise click.UsageError(
                f"`{option.opts[0]}` is not for matches against Slumbot, which deals itself", context
            )


def _play_with_histories(
    settings: "MatchSettings", *, until_mbb: float | None, runner: "Runner", log: Path | None, phh: Path | None
) -> "MatchRun":
    from errai.cli.match_session import play
    from errai.cli.played_hands import opened_histories

    with opened_histories(settings.start, settings.schedule, log=log, phh=phh) as files:
        run = play(settings, until_mbb=until_mbb, runner=runner, out=None, on_hand=files.write_hand)
        (result,) = run.results
        files.write_score([Fraction(chips) for chips in result.total_chips], result.names)
    return run
