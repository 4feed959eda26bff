from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from errai.agents.agent import AgentPlayer, CheckedAgent
from errai.cards.hands import hand_index
from errai.errors import AgentError
from errai.games.acpc import parse_betting
from errai.games.action_probabilities import ActionProbabilities
from errai.games.library import load_game
from errai.games.state import CALL, FOLD, BettingState, Raise

NO_LIMIT = load_game("holdem.nolimit.2p")
LEDUC = load_game("leduc")


class Answering:
    """An agent that answers whatever it was told to."""

    name = "stub"

    def __init__(self, answer: Callable[[BettingState], Any]) -> None:
        self._answer = answer

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        return self._answer(state)  # type: ignore[no-any-return]


def message_about(answer: Any, *, betting: str = "r300", board: str = "") -> str:
    state = parse_betting(NO_LIMIT, betting)
    agent = CheckedAgent(Answering(lambda _state: answer))
    with pytest.raises(AgentError) as caught:
        agent.action_probabilities(state, NO_LIMIT.deck.parse(board))
    return str(caught.value)


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (None, "a `NoneType` instead of `ActionProbabilities`"),
        (ActionProbabilities(call=np.ones(7)), "`call` of shape (7,) instead of (1326,) or (1,)"),
        (ActionProbabilities(fold=np.ones((2, 2)), call=0), "`fold` of shape (2, 2) instead of (1326,) or (1,)"),
        (
            ActionProbabilities(call=0.5, raise_totals=[500], raises=np.ones((3, 1))),
            "`raises` of shape (3, 1) for 1 raise totals and 1326 hands",
        ),
        (ActionProbabilities(call=0.4), "probabilities that sum to 0.4"),
        (ActionProbabilities(fold=0.4, call=0.7), "probabilities that sum to 1.1"),
        (ActionProbabilities(call=np.nan), "`call` that holds nan"),
        (ActionProbabilities(fold=np.nan, call=1), "`fold` that holds nan"),
        (ActionProbabilities(fold=-0.5, call=1.5), "`fold` that holds -0.5"),
        (ActionProbabilities(call=np.inf), "probabilities that sum to inf"),
        (
            ActionProbabilities(call=0.5, raise_totals=[400], raises=[0.5]),
            "raise totals that are not 500 to 20000, ascending",
        ),
        (
            ActionProbabilities(call=0, raise_totals=[900, 500], raises=[0.5, 0.5]),
            "raise totals that are not 500 to 20000, ascending",
        ),
    ],
)
def test_an_answer_that_is_no_strategy_is_named_with_the_public_state(answer: Any, mistake: str) -> None:
    place = "as player 0 after the betting `r300` on the board ``"
    assert message_about(answer) == f"agent `stub` answered with {mistake} {place}"


def test_a_fold_where_the_call_is_free_is_named_with_the_board() -> None:
    message = message_about(ActionProbabilities(fold=0.5, call=0.5), betting="cc/", board="Ks8s3d")
    assert message.endswith("a fold where the call is free as player 0 after the betting `cc/` on the board `Ks8s3d`")


def test_a_raise_where_none_is_legal_is_named() -> None:
    answer = ActionProbabilities(call=0.5, raise_totals=[20000], raises=[0.5])
    assert "a raise to 20000 where none is legal" in message_about(answer, betting="r20000")


def test_one_wrong_hand_among_all_is_named() -> None:
    call = np.ones(1326)
    call[hand_index(np.array(NO_LIMIT.deck.parse("7h2c")))] = 0.25
    assert "probabilities that sum to 0.25 for the hand `2c7h`" in message_about(ActionProbabilities(call=call))


def test_hands_that_share_a_card_with_the_board_may_be_left_at_zero() -> None:
    call = np.ones(1326)
    call[hand_index(np.array(NO_LIMIT.deck.parse("Ks2c")))] = 0.0
    state = parse_betting(NO_LIMIT, "cc/")
    agent = CheckedAgent(Answering(lambda _state: ActionProbabilities(call=call)))
    assert agent.action_probabilities(state, NO_LIMIT.deck.parse("Ks8s3d")).call is call


def test_an_agent_that_raises_an_exception_is_named_with_the_public_state() -> None:
    empty: dict[str, ActionProbabilities] = {}
    agent = CheckedAgent(Answering(lambda _state: empty["missing"]))
    with pytest.raises(
        AgentError,
        match=r"agent `stub` raised KeyError: 'missing' as player 0 after the betting `rc/` on the board `Qh`",
    ):
        agent.action_probabilities(parse_betting(LEDUC, "r").apply_call(), (0,))


def test_a_player_draws_actions_as_often_as_its_hand_takes_them() -> None:
    fold = np.zeros(1326)
    cards = NO_LIMIT.deck.parse("AsKd")
    fold[hand_index(np.array(cards))] = 0.5
    raises = np.column_stack([(1 - fold) * 0.25, (1 - fold) * 0.25])
    answer = ActionProbabilities(fold=fold, call=(1 - fold) * 0.5, raise_totals=[500, 900], raises=raises)
    player = AgentPlayer(CheckedAgent(Answering(lambda _state: answer)), np.random.default_rng(5))
    state = parse_betting(NO_LIMIT, "r300")
    drawn = Counter(player.act(state, (), cards) for _ in range(4000))
    # 4,000 draws: a share is off by more than four standard errors (0.032) once in 16,000 runs; the seed is fixed.
    for action, share in ((FOLD, 0.5), (CALL, 0.25), (Raise(500), 0.125), (Raise(900), 0.125)):
        assert drawn[action] / 4000 == pytest.approx(share, abs=0.032)


def test_the_same_seed_draws_the_same_actions() -> None:
    answer = ActionProbabilities(fold=0.3, call=0.3, raise_totals=range(500, 20001), raises=np.full(19501, 0.4 / 19501))
    state = parse_betting(NO_LIMIT, "r300")
    first, second = (
        [
            player.act(state, (), (0, 1))
            for player in [AgentPlayer(CheckedAgent(Answering(lambda _state: answer)), np.random.default_rng(9))]
            for _ in range(50)
        ]
        for _ in range(2)
    )
    assert first == second
    assert len(set(first)) > 10
