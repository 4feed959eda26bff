"""Hands of local best response a second on one core, beside the paper's pseudocode written plainly, in the same run.

Both judge the same decision. The plain one (`tests/reference`) deals every board to every pair of hands, so it is given
only one on the turn.

Run: python benchmarks/local_best_response.py
"""

import sys
from pathlib import Path

from errai.agents.agent import CheckedAgent
from errai.agents.loading import load_agent
from errai.bench.rates import items_per_second
from errai.cards import equity
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.play.batches import Batch
from errai.play.bet_sets import parse_bets
from errai.play.lbr_run import RunGoal, play_batch
from errai.play.local_best_response import LocalBestResponse
from errai.play.opponent_range import OpponentRange

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from reference.local_best_response import figure_1

GAME = load_game("holdem.nolimit.2p")
RUNS = [
    ("always-call", "fcpa", {2, 3}, 500),
    ("always-call", "fcpa", {0, 1, 2, 3}, 200),
    ("always-call", "56bets", {0, 1, 2, 3}, 100),
    ("random", "fcpa", {2, 3}, 100),
    ("random", "56bets", {0, 1, 2, 3}, 50),
    ("seed=1", "56bets", {0, 1, 2, 3}, 20),
]


def main() -> None:
    print(f"{'agent':<14} {'bets':<8} {'rounds':<8} {'hands a second a core':>24}")
    for name, bets, rounds, num_deals in RUNS:
        response = LocalBestResponse(GAME, parse_bets(bets), frozenset(rounds))
        agent = load_agent(name, GAME)
        rate = items_per_second(lambda r=response, a=agent, n=num_deals: _play_cold(r, a, n), 2 * num_deals, repeats=3)
        numbers = f"{min(rounds) + 1}-{max(rounds) + 1}"
        print(f"{name:<14} {bets:<8} {numbers:<8} {rate:>24,.0f}")
    _compare_decisions()


def _play_cold(response: LocalBestResponse, agent: CheckedAgent, num_deals: int) -> None:
    equity._edge.cache_clear()
    play_batch(response, agent, RunGoal(num_deals, seed=1), Batch(0, num_deals))


def _compare_decisions() -> None:
    response = LocalBestResponse(GAME, parse_bets("fcpa"), frozenset(range(4)))
    agent = load_agent("always-call", GAME)
    state = parse_betting(GAME, "cc/cc/r200")
    hole_cards, board = GAME.deck.parse("AsKd"), GAME.deck.parse("Ks8s3d7h")
    known = OpponentRange(GAME, hole_cards)
    known.observe_cards(board)
    totals = response.bets.raise_totals(state)

    def fast() -> object:
        equity._edge.cache_clear()
        return response.choose(agent, state, board, hole_cards, known.probabilities)

    def plain() -> object:
        return figure_1(agent, state, board, hole_cards, known.probabilities, totals)[0]

    assert fast() == plain()
    rates = items_per_second(fast, 1, repeats=20), items_per_second(plain, 1, repeats=2)
    print(
        f"\none decision with fcpa on the turn: {rates[0]:,.0f} a second, plainly {rates[1]:.2f}: "
        f"{rates[0] / rates[1]:,.0f} times as fast"
    )


if __name__ == "__main__":
    main()
