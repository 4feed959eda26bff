"""`errai agent AGENT HOST PORT`: play an agent at any dealer of the ACPC protocol."""

import click

from errai.cli.hand_options import game_option
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console, stdout_kept_for_results
from errai.play.match_limits import SILENCE_SECONDS


@click.command()
@click.argument("agent")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@game_option
@click.option("--seed", type=int, help="Decides the agent's draws. [default: another one every time]")
@click.option(
    "--timeout",
    "silence_seconds",
    type=float,
    default=SILENCE_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Give up when the dealer sends nothing for this long.",
)
@output_options
def agent(
    *, agent: str, host: str, port: int, game: str | None, seed: int | None, silence_seconds: float, as_json: bool
) -> None:
    """Play AGENT at the dealer that listens on HOST and PORT, until the dealer ends the match.

    An agent is named as for `errai match`. A dealer does not say which game it deals, so `--game` must name it, unless
    AGENT is a saved solution, which knows its game. A line of the dealer that does not fit the game ends the match with
    an error, as does a state that the solution of a spot does not cover.
    """
    import numpy as np

    from errai.agents.agent import AgentPlayer
    from errai.agents.loading import load_agent
    from errai.agents.starting import choose_start
    from errai.cli.render.estimates import format_estimate
    from errai.games.acpc import MatchState
    from errai.games.state import Action
    from errai.play.acpc_client import play_at_dealer

    if seed is not None and seed < 0:
        raise click.BadParameter(f"`--seed` must not be negative; got {seed}")
    definition = choose_start([agent], game).definition
    with stdout_kept_for_results():
        player = AgentPlayer(load_agent(agent, definition), np.random.default_rng(seed))

        def choose(state: MatchState) -> Action:
            return player.act(state.betting, state.board, state.hole_cards[state.position] or ())

        report = play_at_dealer(definition, choose, host=host, port=port, silence_seconds=silence_seconds).report(agent)
    if as_json:
        print_json(report.to_json())
    else:
        chips = f"{report.hands:,} hands, {report.winnings_chips:,} chips"
        stdout_console().print(f"{chips}, {format_estimate(report.wins_mbb)} mbb/h", markup=False)
