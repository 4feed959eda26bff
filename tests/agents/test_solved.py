from pathlib import Path

import numpy as np
import pytest

import errai
from errai.agents.loading import load_agent
from errai.cards.hands import hand_index
from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.play.bet_sets import parse_bets
from errai.play.local_best_response import LocalBestResponse
from reference.local_best_response import exact_value_chips

LEDUC = load_game("leduc")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory: Path = tmp_path_factory.mktemp("solutions") / "leduc"
    errai.solve(LEDUC, iterations=30).save(directory)
    return directory


def test_it_plays_the_rows_of_the_solution_with_every_suit(saved: Path) -> None:
    agent = load_agent(str(saved), LEDUC)
    rows = list(errai.Solution.open(saved).infosets())
    for row in rows:
        ranks = row.cards.replace("/", "")
        state = parse_betting(LEDUC, row.betting)
        for suits in ("hs", "sh"):
            cards = [LEDUC.deck.parse(rank + suit)[0] for rank, suit in zip(ranks, suits, strict=False)]
            answer = agent.action_probabilities(state, tuple(cards[1:]))
            hand = int(hand_index(np.array(cards[:1])))
            found = {"f": answer.fold, "c": answer.call, "r": answer.raises.sum(axis=1)}
            for letter, probability in row.probabilities.items():
                assert np.broadcast_to(found[letter], 6)[hand] == pytest.approx(probability, abs=1e-6)


def test_local_best_response_wins_no_more_than_the_best_response_to_it(saved: Path) -> None:
    agent = load_agent(str(saved), LEDUC)
    measured = errai.Solution.open(saved).exploitability("average")
    response = LocalBestResponse(LEDUC, parse_bets("fcpa"), frozenset({0, 1}))
    for seat in (0, 1):
        assert exact_value_chips(response, agent, seat=seat) <= measured.best_response_chips[seat] + 1e-6


def test_a_solution_of_another_game_is_refused(saved: Path) -> None:
    with pytest.raises(InputError, match="is a solution of `leduc`; got the game `kuhn`"):
        load_agent(str(saved), load_game("kuhn"))


def test_a_solution_of_the_flat_engine_plays_as_that_of_the_lanes_engine(tmp_path: Path) -> None:
    for engine in ("flat", "lanes"):
        errai.solve(load_game("kuhn"), iterations=5, engine=engine).save(tmp_path / engine)
    flat, lanes = (load_agent(str(tmp_path / engine), load_game("kuhn")) for engine in ("flat", "lanes"))
    for betting in ("", "c", "cr", "r"):
        state = parse_betting(load_game("kuhn"), betting)
        ours, theirs = flat.action_probabilities(state, ()), lanes.action_probabilities(state, ())
        np.testing.assert_allclose(ours.call, theirs.call, atol=1e-12)
        np.testing.assert_allclose(ours.raises, theirs.raises, atol=1e-12)
