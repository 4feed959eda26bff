from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import errai
from errai.agents.agent import CheckedAgent
from errai.agents.baselines import BASELINES, Mixture, SeededMixture
from errai.agents.judging import make_judge
from errai.agents.solved import SolvedAgent
from errai.evaluate.board_by_board import BoardByBoardJudge
from errai.evaluate.card_blind import CardBlindJudge
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flat_best_response import exploitability_flat
from errai.evaluate.flop_judges import build_judge
from errai.evaluate.flop_totals import FlopJudge, total_over_flops
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import BettingState
from errai.trees.poker_form import build_extensive_form
from reference.judged_strategies import (
    BlindBySeed,
    BlindWithoutSaying,
    ByStrength,
    ByStrengthWithoutSaying,
    strategy_on_form,
)
from reference.random_games import tree_definitions

LEDUC = load_game("leduc")


def four_rounds(num_ranks: int, *, max_raises: tuple[int, ...] = (1, 1, 1, 1)) -> GameDefinition:
    """Hold'em with few ranks and raises."""
    return replace(load_game("holdem.limit.2p"), name="small", num_ranks=num_ranks, max_raises=max_raises)


def without_river(definition: GameDefinition) -> GameDefinition:
    """Three rounds, five cards at the showdown."""
    first, raises, sizes = definition.first_player[:3], definition.max_raises[:3], definition.raise_sizes[:3]
    return replace(
        definition, num_board_cards=(0, 2, 1), first_player=first, max_raises=raises, raise_sizes=sizes, num_suits=3
    )


def finish(judged: FlopJudge) -> Exploitability:
    return judged.finish(total_over_flops(judged).total)


def assert_same(first: Exploitability, second: Exploitability) -> None:
    """To the rounding of sums of doubles."""
    scale = 1e-10 * first.unit_chips
    assert first.best_response_chips == pytest.approx(second.best_response_chips, abs=scale)
    assert first.value_chips == pytest.approx(second.value_chips, abs=scale)


@settings(max_examples=40, deadline=None)
@given(definition=tree_definitions(merge_suits=False, max_nodes=4000), seed=st.integers(0, 2**32))
def test_it_agrees_with_the_flat_engine_about_a_strategy_that_tells_all_cards_apart(
    definition: GameDefinition, seed: int
) -> None:
    agent = SeededMixture(seed)
    form = build_extensive_form(definition, merge_suits=False)
    on_form = exploitability_flat(form, strategy_on_form(form, definition, agent), with_value=True)
    assert_same(finish(BoardByBoardJudge(definition, CheckedAgent(agent))), on_form)


@settings(max_examples=20, deadline=None)
@given(definition=tree_definitions(merge_suits=False, max_nodes=4000), seed=st.integers(0, 2**32))
def test_it_agrees_with_the_flat_engine_about_a_strategy_that_is_blind_to_suits(
    definition: GameDefinition, seed: int
) -> None:
    agent = ByStrength(seed)
    form = build_extensive_form(definition, merge_suits=False)
    on_form = exploitability_flat(form, strategy_on_form(form, definition, agent), with_value=True)
    assert_same(finish(BoardByBoardJudge(definition, CheckedAgent(agent))), on_form)


@pytest.mark.parametrize(
    "definition",
    [four_rounds(3), replace(LEDUC, num_ranks=6, num_suits=4)],
    ids=["four rounds with 12 cards", "leduc with 24 cards"],
)
def test_both_judges_agree_about_strategies_that_look_at_no_cards(definition: GameDefinition) -> None:
    general = BoardByBoardJudge(definition, CheckedAgent(BlindBySeed(1)))
    assert_same(finish(general), finish(CardBlindJudge(definition, CheckedAgent(BlindBySeed(1)))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "agent", [BlindBySeed(4), *(BASELINES[name] for name in ("always-call", "always-raise", "random"))]
)
def test_both_judges_agree_in_four_ranks_and_four_suits(agent: Mixture) -> None:
    definition = four_rounds(4, max_raises=(2, 1, 1, 1))
    general = BoardByBoardJudge(definition, CheckedAgent(agent))
    assert_same(finish(general), finish(CardBlindJudge(definition, CheckedAgent(agent))))


@pytest.mark.slow
def test_both_judges_agree_in_royal() -> None:
    definition, agent = load_game("royal"), CheckedAgent(BASELINES["always-call"])
    assert_same(finish(BoardByBoardJudge(definition, agent)), finish(CardBlindJudge(definition, agent)))


def test_merging_suits_changes_nothing_for_a_strategy_that_is_blind_to_them() -> None:
    definition = without_river(four_rounds(3))
    merged = BoardByBoardJudge(definition, CheckedAgent(ByStrength(7)))
    apart = BoardByBoardJudge(definition, CheckedAgent(ByStrengthWithoutSaying(7)))
    assert len(merged.multiplicities) < len(apart.multiplicities) == sum(merged.multiplicities) == 36
    assert_same(finish(merged), finish(apart))


def test_a_solution_is_as_exploitable_as_when_it_was_solved() -> None:
    solution = errai.solve("leduc", iterations=10, engine="lanes")
    agent = SolvedAgent(solution, name="solved")
    judged = errai.exploitability("leduc", agent)
    assert judged.exploitability_mbb == pytest.approx(180.418106, abs=5e-7)  # figures.md, section 2
    assert judged.value_chips == pytest.approx(solution.exploitability().value_chips, abs=1e-12)


def test_only_what_a_strategy_declares_about_itself_makes_it_cheaper() -> None:
    assert isinstance(build_judge(LEDUC, CheckedAgent(BlindBySeed(1))), CardBlindJudge)
    said, unsaid = (build_judge(LEDUC, CheckedAgent(agent(1))) for agent in (ByStrength, ByStrengthWithoutSaying))
    assert (len(said.multiplicities), len(unsaid.multiplicities)) == (3, 6)
    assert isinstance(build_judge(LEDUC, CheckedAgent(BlindWithoutSaying(1))), BoardByBoardJudge)


class Recorder:
    """Asks another agent and remembers about what."""

    name = "recorder"
    is_suit_blind = True

    def __init__(self, name: str) -> None:
        self._agent = BASELINES[name]
        self.asked: list[tuple[BettingState, tuple[int, ...]]] = []

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        self.asked.append((state, board))
        return self._agent.action_probabilities(state, board)


def test_a_strategy_is_asked_once_about_a_state_and_only_where_it_gets_to() -> None:
    everywhere, calling = Recorder("random"), Recorder("always-call")
    for recorder in (everywhere, calling):
        finish(BoardByBoardJudge(LEDUC, CheckedAgent(recorder)))
        assert len(set(recorder.asked)) == len(recorder.asked)
    # Six nodes of a round; three boards, and five sequences that reach the second round.
    assert len(everywhere.asked) == 6 + 3 * 5 * 6
    # Who never raises acts first or after a check, and after a raise: two nodes a player. Two sequences of each player
    # reach the second round: checked through, and with the other's raise.
    assert len(calling.asked) == 4 + 3 * 2 * 4
    assert all(state.raises_this_round <= 1 for state, _ in calling.asked)


class OnBoards(ByStrength):
    """Answers for all states of a board at once."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.num_asked = 0

    def board_probabilities(self, states: Sequence[BettingState], board: tuple[int, ...]) -> NDArray[np.float64]:
        self.num_asked += 1
        answers = []
        for state in states:
            answer = self.action_probabilities(state, board)
            columns = (answer.fold, answer.call, answer.raises.sum(axis=1))
            answers.append(np.stack(np.broadcast_arrays(*columns), axis=1))
        return np.stack(answers)


@pytest.mark.parametrize("definition", [LEDUC, without_river(four_rounds(4))])
def test_a_strategy_that_answers_for_whole_boards_is_judged_alike(definition: GameDefinition) -> None:
    whole, single = OnBoards(3), ByStrength(3)
    assert_same(
        finish(build_judge(definition, CheckedAgent(whole))), finish(build_judge(definition, CheckedAgent(single)))
    )
    if definition is LEDUC:
        assert whole.num_asked == 1 + 3  # the first round, and one board of each rank


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (np.zeros((6, 6, 2)), r"an array of shape \(6, 6, 2\) instead of \(6, 6, 3\)"),
        (np.full((6, 6, 3), 0.5), "negative, not legal or do not sum to 1 at state 0 of 6"),
        (np.full((6, 6, 3), np.nan), "negative, not legal or do not sum to 1 at state 0 of 6"),
    ],
)
def test_a_bad_answer_for_a_whole_board_is_named(answer: NDArray[np.float64], mistake: str) -> None:
    class Bad(ByStrength):
        def board_probabilities(self, states: Sequence[BettingState], board: tuple[int, ...]) -> NDArray[np.float64]:
            return answer

    with pytest.raises(errai.ErraiError, match=mistake):
        errai.exploitability(LEDUC, Bad(1))


def test_the_cost_counts_every_public_state() -> None:
    cost = BoardByBoardJudge(LEDUC, CheckedAgent(ByStrength(1))).estimate_cost(num_threads=2)
    assert (cost.flops, cost.public_states, cost.num_threads) == (3, 6 + 3 * 5 * 6, 2)
    assert 0 < cost.seconds < 10
    assert 0 < cost.memory_bytes < 1e6


def test_a_bad_answer_is_told_with_the_state() -> None:
    class Bad:
        name = "bad"

        def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
            return ActionProbabilities(call=np.full(6, 0.5))

    with pytest.raises(
        errai.ErraiError, match=r"agent `bad` answered with probabilities that sum to 0\.5 for the hand"
    ):
        errai.exploitability(LEDUC, Bad())


def test_several_processes_give_the_same_bits() -> None:
    make = partial(make_judge, "seed=3", LEDUC)
    alone, together = total_over_flops(make()), total_over_flops(make(), num_threads=2, make_judge=make)
    assert alone.num_done == together.num_done == 6
    assert np.array_equal(alone.total, together.total)


@pytest.mark.parametrize("num_threads", [1, 2])
def test_a_stop_does_not_wait_for_the_flop_to_end(num_threads: int) -> None:
    make = partial(make_judge, "seed=3", load_game("royal"))
    looks = 0

    def should_stop() -> bool:
        nonlocal looks
        looks += 1
        return looks == 3

    # A flop of this takes minutes.
    assert total_over_flops(make(), num_threads=num_threads, make_judge=make, should_stop=should_stop).num_done == 0
