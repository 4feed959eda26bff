"""`errai agent AGENT HOST PORT`: play an agent at any dealer of the ACPC protocol."""

import click
import numpy as np

from errai.agents.agent import AgentPlayer
from errai.agents.loading import load_agent
from errai.cli.match_report import format_estimate
from errai.cli.options import output_options
from errai.cli.output import print_json, results
from errai.evaluate.statistics import estimate_mean
from errai.games.acpc import MatchState
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import Action
from errai.play.acpc_client import ClientBook, play_at_dealer


@click.command()
@click.argument("agent")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@click.option("--game", default="holdem.nolimit.2p", show_default=True, help="What the dealer deals.")
@click.option("--seed", type=int, help="Of what the agent draws. [default: another one every time]")
@output_options
def agent(*, agent: str, host: str, port: int, game: str, seed: int | None, as_json: bool) -> None:
    """Play AGENT at the dealer that listens on HOST and PORT, until the dealer ends the match.

    An agent is named as for `errai match`. Dealers do not say what they deal: `--game` does.
    """
    definition = load_game(game)
    player = AgentPlayer(load_agent(agent, definition), np.random.default_rng(seed))

    def choose(state: MatchState) -> Action:
        return player.act(state.betting, state.board, state.hole_cards[state.position] or ())

    book = play_at_dealer(definition, choose, host=host, port=port)
    if as_json:
        print_json(_book_json(agent, book))
    else:
        results().print(_describe(book, definition))


def _book_json(agent: str, book: ClientBook) -> dict[str, object]:
    return {
        "agent": agent,
        "hands": len(book.payoffs_chips),
        "winnings_chips": book.winnings_chips,
    }


def _describe(book: ClientBook, definition: GameDefinition) -> str:
    if not book.payoffs_chips:
        return "the dealer ended the match before the first hand was over"
    estimate = estimate_mean(list(book.payoffs_chips.values())).scaled(1000 / definition.unit_chips)
    return f"{len(book.payoffs_chips):,} hands, {book.winnings_chips:,} chips, {format_estimate(estimate)} mbb/h"
