"""`errai match A B`: play agents against each other and say who wins, and how sure that is."""

from functools import partial
from pathlib import Path

import click

from errai.agents.agent import AgentPlayer
from errai.agents.loading import load_agent
from errai.cli.match_report import match_json, print_match, print_tournament, tournament_json
from errai.cli.options import output_options
from errai.cli.output import print_json, results
from errai.cli.played_hands import HandCount, hands_progress, history_options, opened_histories
from errai.evaluate.matches import Competitor, MatchResult, play_match
from errai.evaluate.tournaments import play_tournament
from errai.games import GameDefinition, load_game
from errai.games.played_hand import MatchSchedule


@click.command()
@click.argument("agents", nargs=-1, required=True)
@click.option("--game", default="holdem.nolimit.2p", show_default=True, help="A bundled game's name or a `.game` file.")
@click.option("--hands", type=HandCount(), default="2x1000", show_default=True, help="Of each match.")
@click.option("--duplicate", is_flag=True, help="Play every deal twice, with the seats the other way round.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the cards and of what the agents draw.")
@click.option(
    "--tournament",
    type=click.Choice(["bankroll", "instant-runoff"]),
    help="How to rank the agents after all their matches. [default with three or more: bankroll]",
)
@history_options
@output_options
def match(
    *,
    agents: tuple[str, ...],
    game: str,
    hands: int,
    duplicate: bool,
    seed: int,
    tournament: str | None,
    log: Path | None,
    phh: Path | None,
    as_json: bool,
) -> None:
    """Play AGENTS against each other: two in a match, more in a tournament.

    An agent is a baseline (`always-call`, `random`, ...), a mixture (`call=0.5,raise=0.5`), or a class in a Python file
    (`mybot.py:MyBot`). The result is what the first one wins a hand, in thousandths of a big blind, or in limit games
    of a small bet.
    """
    if len(agents) < 2:
        raise click.UsageError(f"a match needs two agents or more; got {len(agents)}")
    definition = load_game(game)
    schedule = MatchSchedule(hands, seed, duplicate)
    competitors = [_competitor(agent, definition) for agent in agents]
    if len(agents) == 2 and tournament is None:
        result = _play_pair((competitors[0], competitors[1]), definition, schedule, log=log, phh=phh)
        if as_json:
            print_json(match_json(result))
        else:
            print_match(results(), result)
        return
    if log is not None or phh is not None:
        raise click.UsageError("`--log` and `--phh` write the hands of one match, not of a tournament")
    num_matches = len(agents) * (len(agents) - 1) // 2
    with hands_progress(num_matches * hands) as show:
        played = play_tournament(definition, competitors, schedule, on_hand=show)
    if as_json:
        print_json(tournament_json(played, kind=tournament or "bankroll"))
    else:
        print_tournament(results(), played, kind=tournament or "bankroll")


def _competitor(agent: str, definition: GameDefinition) -> Competitor:
    loaded = load_agent(agent, definition)
    return Competitor(loaded.name, partial(AgentPlayer, loaded))


def _play_pair(
    pair: tuple[Competitor, Competitor],
    definition: GameDefinition,
    schedule: MatchSchedule,
    *,
    log: Path | None,
    phh: Path | None,
) -> MatchResult:
    histories = opened_histories(definition, schedule, log=log, phh=phh)
    with histories as files, hands_progress(schedule.num_hands, files.write_hand) as on_hand:
        result = play_match(definition, pair, schedule, on_hand=on_hand)
        files.write_score([result.total_chips, -result.total_chips], result.names)
    return result
