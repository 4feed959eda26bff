"""Solutions of whole no-limit games at the table: their own raises, raises off their tree, and other menus."""

from pathlib import Path

import numpy as np
import pytest

import errai
from errai.agents.loading import load_agent
from errai.agents.starting import choose_start
from errai.errors import InputError
from errai.games.acpc import parse_betting
from errai.games.definition import GameDefinition
from errai.play.bet_sets import parse_bets
from errai.play.local_best_response import LocalBestResponse
from reference.local_best_response import exact_value_chips

# Leduc without its limit.
GAME = GameDefinition(
    name="small",
    is_limit=False,
    blinds=(2, 1),
    first_player=(1, 0),
    num_suits=2,
    num_ranks=3,
    num_hole_cards=1,
    num_board_cards=(0, 1),
    stacks=(20, 20),
)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory: Path = tmp_path_factory.mktemp("solutions") / "small"
    errai.solve(GAME, bets="fcpa", iterations=200).save(directory)
    return directory


def test_on_its_own_tree_every_translation_plays_the_rows_of_the_solution(saved: Path) -> None:
    rows = [row for row in errai.Solution.open(saved).infosets() if "/" not in row.cards]
    assert {row.betting for row in rows} >= {"", "c", "r6", "cr6r18"}
    for how in ("hard", "soft", "sampled-10"):
        agent = load_agent(f"{saved}:{how}", GAME)
        for row in rows:
            answer = agent.action_probabilities(parse_betting(GAME, row.betting), ())
            hand = GAME.deck.parse(row.cards + "s")[0]
            raises = sum(share for action, share in row.probabilities.items() if action.startswith("r"))
            assert np.broadcast_to(answer.raises.sum(axis=1), 6)[hand] == pytest.approx(raises, abs=1e-6)


def test_raises_off_its_tree_are_translated_softly_unless_another_translation_is_named(saved: Path) -> None:
    state = parse_betting(GAME, "r5")  # below the smallest raise of the tree, which is to 6
    answers = {how: load_agent(f"{saved}{how}", GAME).action_probabilities(state, ()) for how in ("", ":soft", ":hard")}
    on_tree = load_agent(str(saved), GAME).action_probabilities(parse_betting(GAME, "r6"), ())
    for answer in answers.values():
        np.testing.assert_allclose(answer.fold, on_tree.fold)
    between = parse_betting(GAME, "r12")
    soft, hard = (load_agent(f"{saved}{how}", GAME).action_probabilities(between, ()) for how in ("", ":hard"))
    assert not np.allclose(soft.fold, hard.fold)


def test_local_best_response_on_the_tree_wins_no_more_than_the_best_response_there(saved: Path) -> None:
    agent = load_agent(str(saved), GAME)
    measured = errai.Solution.open(saved).exploitability("average")
    response = LocalBestResponse(GAME, parse_bets("on-tree"), frozenset({0, 1}))
    for seat in (0, 1):
        assert exact_value_chips(response, agent, seat=seat) <= measured.best_response_chips[seat] + 1e-6


def test_solutions_with_different_menus_play_each_other(saved: Path, tmp_path: Path) -> None:
    errai.solve(GAME, bets="50%,a", iterations=5).save(tmp_path / "other")
    report = errai.match([str(saved), f"{tmp_path / 'other'}:hard"], hands=20)
    assert report.to_json()["hands"] == 20
    assert choose_start([str(saved), str(tmp_path / "other")]).spot is None


def test_a_limit_game_has_nothing_to_translate(tmp_path: Path) -> None:
    errai.solve("kuhn", iterations=2).save(tmp_path / "kuhn")
    with pytest.raises(InputError, match="`kuhn` is a limit game: it has no raises to translate; got `hard`"):
        load_agent(f"{tmp_path / 'kuhn'}:hard", errai.load_game("kuhn"))
