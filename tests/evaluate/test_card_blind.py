import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import errai
from errai._native import kernels
from errai.agents.agent import CheckedAgent
from errai.agents.baselines import BASELINES, Mixture
from errai.agents.loading import load_strategy
from errai.cards.deck import Deck
from errai.cards.hands import hands, num_hands
from errai.errors import InputError
from errai.evaluate.card_blind import CardBlindJudge
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flat_best_response import exploitability_flat
from errai.evaluate.flop_totals import FlopTotals, total_over_flops
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.state import BettingState
from errai.trees.poker_form import build_extensive_form
from errai.trees.symmetry import suit_symmetry
from reference import card_blind
from reference.card_blind import Program
from reference.judged_strategies import BlindBySeed, strategy_on_form
from reference.random_games import small_definitions, tree_definitions

HOLDEM = load_game("holdem.limit.2p")
ROYAL = load_game("royal")


def judge(definition: GameDefinition, agent: object, *, num_threads: int = 1) -> Exploitability:
    judged = CardBlindJudge(definition, CheckedAgent(agent))  # type: ignore[arg-type]
    return judged.finish(total_over_flops(judged, num_threads=num_threads).total)


def assert_same(first: Exploitability, second: Exploitability) -> None:
    """To the rounding of sums of doubles."""
    scale = 1e-10 * first.unit_chips
    assert first.best_response_chips == pytest.approx(second.best_response_chips, abs=scale)
    assert first.value_chips == pytest.approx(second.value_chips, abs=scale)
    assert first.unit_chips == second.unit_chips


@settings(max_examples=60, deadline=None)
@given(definition=tree_definitions(merge_suits=False, max_nodes=4000), seed=st.integers(0, 2**32))
def test_it_agrees_with_the_flat_engine_in_deep_stacked_games(definition: GameDefinition, seed: int) -> None:
    form = build_extensive_form(definition, merge_suits=False)
    strategy = strategy_on_form(form, definition, BlindBySeed(seed))
    assert_same(judge(definition, BlindBySeed(seed)), exploitability_flat(form, strategy, with_value=True))


@settings(max_examples=40, deadline=None)
@given(definition=small_definitions(), seed=st.integers(0, 2**32))
def test_it_agrees_with_the_flat_engine_where_players_can_be_all_in(definition: GameDefinition, seed: int) -> None:
    assume(definition.is_limit)
    form = build_extensive_form(definition, merge_suits=False)
    strategy = strategy_on_form(form, definition, BlindBySeed(seed))
    assert_same(judge(definition, BlindBySeed(seed)), exploitability_flat(form, strategy, with_value=True))


def test_whoever_folds_loses_the_blinds() -> None:
    judged = judge(ROYAL, BASELINES["always-fold"])
    assert judged.best_response_mbb == pytest.approx((500.0, 1000.0), abs=1e-9)
    assert judged.value_chips == 5.0


def test_in_holdem_a_constant_mixture_begins_the_river_with_16_pots_a_player() -> None:
    betting = CardBlindJudge(HOLDEM, CheckedAgent(Mixture({"call": 0.5, "raise": 0.5}))).betting
    assert [len(program.columns) for program in betting.rounds[1:]] == [2 * 4, 2 * 8, 2 * 16]
    assert betting.num_states == 6378  # figures.md, section 1: every decision node is asked about once


def test_what_the_opponent_never_does_is_not_even_asked_about() -> None:
    always_call = CardBlindJudge(HOLDEM, CheckedAgent(BASELINES["always-call"])).betting
    # Only the responder raises, at most once a round, as nobody raises again: 2 preflop pots, 3 flop pots, 5 turn pots.
    assert [len(program.columns) for program in always_call.rounds[1:]] == [2 * 2, 2 * 3, 2 * 5]


def test_any_number_of_threads_and_a_stop_on_the_way_give_the_same_bits() -> None:
    judged = CardBlindJudge(ROYAL, CheckedAgent(Mixture({"fold": 0.2, "call": 0.5, "raise": 0.3})))
    whole = total_over_flops(judged)
    assert whole.num_done == 95  # figures.md, section 1
    assert np.array_equal(total_over_flops(judged, num_threads=3).total, whole.total)
    seen: list[FlopTotals] = []
    part = total_over_flops(judged, num_threads=2, on_flop=seen.append, should_stop=lambda: len(seen) == 40)
    assert part.num_done == 40
    assert 0.2 < part.share_of(judged) < 0.6
    rest = total_over_flops(judged, start=FlopTotals(part.num_done, part.total), num_threads=2)
    assert np.array_equal(rest.total, whole.total)


def test_the_cost_is_told_before() -> None:
    cost = CardBlindJudge(ROYAL, CheckedAgent(BASELINES["random"])).estimate_cost(num_threads=2)
    assert (cost.flops, cost.public_states, cost.num_threads) == (95, 6378, 2)
    assert 0 < cost.seconds < 60
    assert 0 < cost.memory_bytes < 10e6


def test_the_front_door_takes_names_and_agents_and_tells_how_far_it_is() -> None:
    shares: list[float] = []
    by_name = errai.exploitability("leduc", "call=0.5,raise=0.5", on_progress=shares.append)
    assert shares == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert errai.exploitability(load_game("leduc"), Mixture({"call": 1, "raise": 1}), num_threads=1) == by_name


def test_a_strategy_that_looks_at_its_cards_but_says_it_does_not_is_caught() -> None:
    class Liar:
        name = "liar"
        is_card_blind = True

        def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
            call = np.linspace(0.5, 1.0, num_hands(state.definition.deck, 1))
            bounds = state.raise_bounds()
            if bounds is None:
                return ActionProbabilities(call=1.0)
            return ActionProbabilities(call=call, raise_totals=bounds[:1], raises=1.0 - call[:, np.newaxis])

    with pytest.raises(InputError) as caught:
        judge(load_game("leduc"), Liar())
    assert str(caught.value) == (
        "`liar` declares itself card-blind, but its hands do not all do the same after the betting `c`"
    )
    assert caught.value.hint == "leave `is_card_blind` out of a strategy that looks at its cards"


def test_no_limit_games_are_refused() -> None:
    with pytest.raises(InputError, match=r"exact best responses need limit betting; `holdem\.nolimit\.2p` is no-limit"):
        CardBlindJudge(load_game("holdem.nolimit.2p"), CheckedAgent(BASELINES["always-call"]))


@st.composite
def programs(draw: st.DrawFn, *, num_inputs: int) -> Program:
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(1, 6))
    places = np.empty((count, 3), dtype=np.int32)
    for index in range(count):
        places[index] = generator.integers(0, 2), *generator.integers(-1, num_inputs + index, size=2)
    chips = np.concatenate([generator.normal(size=(count, 1)), generator.dirichlet(np.ones(3), size=count)], axis=1)
    outputs = generator.integers(0, num_inputs + count, size=draw(st.integers(1, 20)), dtype=np.int32)
    return Program(num_inputs, places, chips, outputs)


def native_program(program: Program) -> kernels.BettingProgram:
    decisions = [
        kernels.BlindDecision(
            is_own=bool(is_own),
            call=call if call >= 0 else None,
            raise_=raise_ if raise_ >= 0 else None,
            fold=fold,
            p_fold=p_fold,
            p_call=p_call,
            p_raise=p_raise,
        )
        for (is_own, call, raise_), (fold, p_fold, p_call, p_raise) in zip(
            program.places.tolist(), program.chips.tolist(), strict=True
        )
    ]
    return kernels.BettingProgram(program.num_inputs, decisions, program.outputs.tolist())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_betting_program_gives_what_its_twin_gives(data: st.DataObject) -> None:
    program = data.draw(programs(num_inputs=data.draw(st.integers(1, 5))))
    ends = np.random.default_rng(1).normal(size=(data.draw(st.integers(1, 20)), program.num_inputs))
    starts = np.empty((len(ends), len(program.outputs)))
    native_program(program).run(ends=ends, starts=starts)
    assert starts == pytest.approx(card_blind.run(program, ends), abs=1e-14)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_the_kernel_of_the_cards_gives_what_its_twin_gives(data: st.DataObject) -> None:
    num_hole_cards, cards_before, dealt = data.draw(
        st.sampled_from(
            [(1, 1, ()), (1, 0, (1,)), (1, 1, (1,)), (2, 1, (1, 1)), (2, 3, (1, 1)), (2, 3, (0, 1)), (1, 2, (1, 2))]
        )
    )
    deck = data.draw(st.sampled_from([Deck(3, 3), Deck(3, 4), Deck(5, 2), Deck(10, 1)]))
    assume(2 * num_hole_cards + cards_before + sum(dealt) <= deck.size)
    width = data.draw(st.integers(1, 35))
    largest = num_hands(Deck(deck.size - cards_before - sum(dealt) - num_hole_cards, 1), num_hole_cards)
    table = np.random.default_rng(2).normal(size=(2 * largest + 1, width))
    rounds: list[tuple[Program, int]] = []
    for num_dealt in reversed(dealt):
        rounds.insert(0, (data.draw(programs(num_inputs=width)), num_dealt))
        width = len(rounds[0][0].outputs)
    kernel = kernels.CardBlindGame(
        deck_size=deck.size, num_suits=deck.num_suits, hands=hands(deck, num_hole_cards), table=table
    )
    for program, num_dealt in rounds:
        kernel.add_round(program=native_program(program), num_dealt=num_dealt)
    board = np.sort(np.random.default_rng(data.draw(st.integers(0, 99))).choice(deck.size, cards_before, replace=False))
    definition = GameDefinition(
        "any", True, (1, 1), (0,), deck.num_suits, deck.num_ranks, num_hole_cards, (0,), (1,), (1,)
    )
    symmetry = suit_symmetry(definition)
    if cards_before:
        symmetry = symmetry.after(board.astype(np.uint8))
    rows = np.empty((num_hands(deck, num_hole_cards), width))
    kernel.evaluate(board=board.astype(np.uint8), relabellings=symmetry.relabellings, rows=rows)
    assert rows == pytest.approx(
        card_blind.evaluate(deck, num_hole_cards, table, rounds, tuple(board.tolist())), abs=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "exploitability_mbb", "best_response_mbb"),
    [
        ("fold=1", 750.0, (500.0, 1000.0)),
        ("call=1", 1163.475764, (1163.475764, 1163.475764)),
        ("raise=1", 3697.692972, (3697.692972, 3697.692972)),
    ],
)
def test_the_whole_of_limit_holdem_has_the_known_figures(
    strategy: str, exploitability_mbb: float, best_response_mbb: tuple[float, float]
) -> None:
    # figures.md, section 3, right to about the fourth decimal. Against a player who only calls, the best response wins
    # the sum over the rounds of bet size x mean of max(edge, 0); added up in integers over all turns and rivers that is
    # 1163.475762117473 mbb.
    judged = judge(HOLDEM, load_strategy(strategy, HOLDEM), num_threads=2)
    assert judged.exploitability_mbb == pytest.approx(exploitability_mbb, abs=1e-4)
    assert judged.best_response_mbb == pytest.approx(best_response_mbb, abs=1e-4)
    if strategy == "call=1":
        assert judged.exploitability_mbb == pytest.approx(1163.475762117473, abs=1e-9)
