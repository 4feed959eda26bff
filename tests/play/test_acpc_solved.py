"""Saved solutions of Leduc and Kuhn at a dealer that deals the cards of the ACPC's own dealer."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.agents.agent import AgentPlayer
from errai.agents.loading import load_agent
from errai.games.acpc import MatchState, format_betting, parse_action
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import Action, initial_state
from errai.play.acpc_client import ChooseAction, ClientBook, answer_line, play_at_dealer
from errai.play.acpc_dealer import Dealer
from errai.play.schedule import MatchSchedule
from play.acpc_tables import in_thread

ACPC_DATA = Path(__file__).parents[1] / "data" / "acpc"
RANKS = "QKA"


def choose_with(player: AgentPlayer, state: MatchState) -> Action:
    return player.act(state.betting, state.board, state.hole_cards[state.position] or ())


def solved_players(definition: GameDefinition, directory: Path) -> list[ChooseAction]:
    errai.solve(definition, iterations=20).save(directory)
    agent = load_agent(str(directory), definition)
    return [partial(choose_with, AgentPlayer(agent, np.random.default_rng(seat))) for seat in (0, 1)]


@pytest.mark.parametrize("game", ["leduc", "kuhn"])
def test_a_thousand_hands_at_our_dealer_end_with_equal_books(game: str, tmp_path: Path) -> None:
    definition = load_game(game)
    players = solved_players(definition, tmp_path / "solution")
    with Dealer(definition, MatchSchedule(1_000, seed=1)) as dealer:
        clients = [
            in_thread(partial(play_at_dealer, definition, choose, host="127.0.0.1", port=port))
            for choose, port in zip(players, dealer.ports, strict=True)
        ]
        book = dealer.play()
    assert book.num_hands == 1_000
    assert book.forfeit is None
    assert book.winnings_chips == tuple(client().winnings_chips for client in clients)


def winner(cards: list[str], board: str) -> int | None:
    """By the rules of Leduc and Kuhn: a pair with the board, else the higher rank."""
    values = [(card[0] == board[:1], RANKS.index(card[0])) for card in cards]
    return None if values[0] == values[1] else int(values[0] < values[1])


@pytest.mark.parametrize("game", ["leduc", "kuhn"])
def test_a_thousand_deals_of_the_acpc_dealer_are_played_with_equal_books(game: str, tmp_path: Path) -> None:
    definition = load_game(game)
    players = solved_players(definition, tmp_path / "solution")
    books = [ClientBook(definition), ClientBook(definition)]
    paid = [0, 0]
    dealt = [line.split(":")[3] for line in (ACPC_DATA / f"{game}.log").read_text().splitlines() if line[:5] == "STATE"]
    spare = iter([text.partition("/")[2] for text in dealt if "/" in text] * 4)  # boards for hands that ended early
    for number, text in enumerate(dealt):
        hole, _, board = text.partition("/")
        cards = hole.split("|")
        while game == "leduc" and (not board or board in cards):
            board = next(spare)
        state = initial_state(definition)
        while True:
            shown = f"/{board}" if state.round else ""
            replies = []
            for position in (0, 1):
                seen = [card if seat == position or state.is_showdown else "" for seat, card in enumerate(cards)]
                line = f"MATCHSTATE:{position}:{number}:{format_betting(state)}:{'|'.join(seen)}{shown}"
                replies.append(answer_line(definition, players[position], line, books[position]))
            if state.actor is None:
                break
            reply = replies[state.actor]
            assert reply is not None
            assert replies[1 - state.actor] is None
            state = state.apply(parse_action(state, reply.rpartition(":")[2]))
        won = state.folded_player if state.folded_player is not None else None
        better = 1 - won if won is not None else winner(cards, board)
        chips = min(state.committed)
        for position in (0, 1):
            paid[position] += 0 if better is None else chips if better == position else -chips
    assert [len(book.payoffs_chips) for book in books] == [1_000, 1_000]
    assert [book.winnings_chips for book in books] == paid
