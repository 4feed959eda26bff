import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.abstraction.bucket_table import BucketTable, lossless_table, random_table
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.recipe import parse_recipe
from errai.agents.judging import make_judge
from errai.agents.loading import load_agent
from errai.agents.luck_removal import KnownPlayer
from errai.cli.render.bot_table import format_point
from errai.errors import InputError, StorageError
from errai.evaluate.bucketed_judge import BucketedJudge
from errai.evaluate.flop_totals import total_over_flops
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.state import initial_state
from errai.runs.opening import verify_path
from errai.solutions.bot import Bot
from errai.solutions.bot_design import BotDesign, BotRequest
from errai.solutions.bot_method import choose_method, method_reason
from errai.solutions.bot_method_names import METHODS, Method
from errai.solutions.stored_strategy import StoppedError, Work
from errai.storage.solution_directory import DESCRIPTION_FILE
from reference.mini_game import MINI
from reference.small_holdem import small_holdem

LEDUC = load_game("leduc")


def table_of(definition: GameDefinition, counts: tuple[int, ...]) -> BucketTable:
    return random_table(CardRounds.of(definition), counts, seed=5, perfect_recall=True)


def leduc_bot(method: Method = "boards", *, seed: int = 0) -> Bot:
    request = BotRequest(LEDUC, method=method, algorithm="cfr+", seed=seed, boards_per_iteration=5)
    return Bot(BotDesign(request, table_of(LEDUC, (2, 3))))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("bots") / "leduc"
    bot = leduc_bot()
    bot.run(20)
    bot.save(directory)
    return directory


def mini_bot() -> Bot:
    """Solved by CFR-BR with one flop per iteration."""
    request = BotRequest(MINI, method="cfr-br", algorithm="dcfr", seed=3, flops_per_iteration=1)
    return Bot(BotDesign(request, table_of(MINI, (2, 2, 2))))


@pytest.mark.parametrize(
    "make_bot",
    [*(partial(leduc_bot, method) for method in METHODS), mini_bot],
    ids=[*METHODS, "cfr-br on drawn flops"],
)
def test_a_bot_that_was_stopped_goes_on_to_the_same_bits(make_bot: Callable[[], Bot], tmp_path: Path) -> None:
    whole = make_bot()
    whole.run(12)
    stopped = make_bot()
    stopped.run(12, should_stop=lambda: stopped.iteration >= 5)
    assert stopped.iteration < 12
    stopped.save(tmp_path / "bot")
    opened = Bot.open(tmp_path / "bot")
    opened.run(12)
    for name, array in whole.solver.state_arrays().items():
        np.testing.assert_array_equal(array, opened.solver.state_arrays()[name])
    assert [point.iteration for point in whole.trace] == [1, 2, 4, 8, 12]
    assert [replace(point, seconds=0.0) for point in opened.trace] == [
        replace(point, seconds=0.0) for point in whole.trace
    ]


@pytest.mark.parametrize("perfect_recall", [True, False])
def test_with_imperfect_recall_the_abstract_exploitability_is_a_lower_bound(perfect_recall: bool) -> None:
    table = random_table(CardRounds.of(LEDUC), (2, 3), seed=5, perfect_recall=perfect_recall)
    bot = Bot(BotDesign(BotRequest(LEDUC, method="boards"), table))
    bot.run(2)
    assert [point.is_lower_bound for point in bot.trace] == [not perfect_recall] * 2
    text = "at least " if not perfect_recall else ""
    assert format_point(bot.trace[-1]) == f"{text}{bot.trace[-1].in_abstraction_mbb:.4g} mbb exploitable"


def test_a_dense_bot_is_measured_on_the_boards_that_it_counted() -> None:
    boards, dense = leduc_bot(), leduc_bot("dense")
    for bot in (boards, dense):
        bot.run(8)
    assert dense.describe().boards == 3  # a jack, a queen or a king: up to a relabelling of suits there are no others
    for ours, theirs in zip(dense.trace, boards.trace, strict=True):
        assert ours.in_abstraction_mbb == pytest.approx(theirs.in_abstraction_mbb, rel=1e-4)


def test_counting_pairs_is_reported_and_can_be_stopped() -> None:
    bot = leduc_bot("dense")
    bot.run(8, should_stop=lambda: True)
    assert bot.iteration == 0
    seen: list[tuple[int, int] | None] = []
    bot.run(2, on_progress=lambda progress: seen.append(progress.counted))
    assert seen == [(3, 3), None, None]


def test_what_is_open_answers_every_question(saved: Path, tmp_path: Path) -> None:
    stored = errai.open(saved)
    assert isinstance(stored, Bot)
    assert stored.name == "leduc"
    report = stored.query(betting="r", board="")
    state = initial_state(LEDUC).apply_raise()
    answer = stored.action_probabilities(state, ())
    np.testing.assert_allclose(report.probabilities[:, 0], answer.fold)
    np.testing.assert_allclose(report.probabilities.sum(axis=1), 1.0)
    # The player who raised holds each hand as often as it raises.
    first = stored.action_probabilities(initial_state(LEDUC), ())
    np.testing.assert_allclose(report.reach[0], first.raises[:, 0])
    on_board = stored.query(betting="cc/", board="Ks")
    assert np.isnan(on_board.probabilities[LEDUC.deck.parse("Ks")[0]]).all()
    assert stored.export(tmp_path / "state.csv", betting="r", board="") == 6
    layout = stored.design.layout
    assert stored.export(tmp_path / "all.csv", whole=True) == layout.num_infoset_actions
    assert len(list(stored.infosets())) == layout.num_infosets
    assert stored.verify().problems == ()
    described = stored.describe().to_json()
    assert described["table"] == "random-5"
    assert described["buckets"] == [2, 6]


def test_the_exploitability_of_a_bot_is_that_of_what_it_plays(saved: Path) -> None:
    stored = errai.open(saved)
    measured = stored.exploitability()
    judge = make_judge(str(saved), LEDUC)
    assert isinstance(judge, BucketedJudge)
    assert judge.finish(total_over_flops(judge).total) == measured
    as_json = stored.describe().to_json()
    assert as_json["exploitability_mbb"] == measured.exploitability_mbb
    with pytest.raises(StoppedError):
        errai.open(saved).exploitability(work=Work(should_stop=lambda: True))


def test_a_bot_plays_what_its_buckets_do(saved: Path) -> None:
    agent = load_agent(str(saved), LEDUC)
    table = table_of(LEDUC, (2, 3))
    answer = agent.action_probabilities(initial_state(LEDUC), ())
    buckets = table.of_board(0, ())
    for bucket in set(buckets.tolist()):
        assert np.ptp(answer.call[buckets == bucket]) == 0.0


def test_a_no_limit_bot_is_solved_on_its_menu_and_plays_off_it(tmp_path: Path) -> None:
    definition = load_game("holdem.nolimit.2p")
    small = GameDefinition(
        name="small no-limit",
        is_limit=False,
        blinds=(2, 1),
        first_player=(1, 0),
        num_suits=2,
        num_ranks=4,
        num_hole_cards=1,
        num_board_cards=(0, 1),
        raise_sizes=(),
        max_raises=definition.max_raises[:2],
        stacks=(12, 12),
    )
    bot = Bot(BotDesign(BotRequest(small, bets="100%,a / a", method="sampled"), table_of(small, (2, 2))))
    bot.run(2)
    bot.save(tmp_path / "bot")
    agent = load_agent(str(tmp_path / "bot"), small)
    off_menu = initial_state(small).apply_raise(5)
    answer = agent.action_probabilities(off_menu, ())
    np.testing.assert_allclose(answer.fold + answer.call + answer.raises.sum(axis=1), 1.0)
    report = errai.open(tmp_path / "bot").query()
    assert report.actions == ("f", "c", "r6", "r12")
    # With its menu it is still a strategy of the whole game, whose draws are known in a recorded match.
    known = KnownPlayer.of_stored("bot", errai.open(tmp_path / "bot"), str(tmp_path / "bot"))
    assert known.start.spot is None
    with pytest.raises(InputError, match="only strategies of limit games are judged exactly"):
        errai.open(tmp_path / "bot").exploitability()


def test_a_bot_of_a_game_without_limps_folds_or_raises_and_checks_behind_a_limp(tmp_path: Path) -> None:
    small = GameDefinition(
        name="small no-limit",
        is_limit=False,
        blinds=(100, 50),
        first_player=(1, 0),
        num_suits=2,
        num_ranks=4,
        num_hole_cards=1,
        num_board_cards=(0, 1),
        stacks=(400, 400),
    )
    with pytest.raises(InputError, match="all betting of `small no-limit` is over in round 1"):
        BotRequest(small, bets="a\nno-limp")
    spot = Spot(small, bets="100%,a\nno-limp")
    solved = errai.solve(spot, algorithm="cfr+", precision="float64", iterations=50)
    methods: tuple[Method, ...] = ("boards", "dense")
    for method in methods:
        request = BotRequest(small, bets=spot.bets, method=method, algorithm="cfr+")
        bot = Bot(BotDesign(request, lossless_table(CardRounds.of(small))))
        bot.run(50)
        report, answer = bot.query(), bot.query(betting="r400")
        assert report.actions == ("f", "r300", "r400")
        np.testing.assert_allclose(report.probabilities, solved.query().probabilities, atol=1e-4)
        np.testing.assert_allclose(answer.reach[1], report.probabilities[:, 2])
    bot.save(tmp_path / "bot")
    agent = load_agent(str(tmp_path / "bot"), small)
    first = agent.action_probabilities(initial_state(small), ())
    assert np.all(first.call == 0.0)
    behind_a_limp = agent.action_probabilities(initial_state(small).apply_call(), ())
    assert np.all(behind_a_limp.call == 1.0)


@pytest.mark.parametrize(
    ("game", "table", "method", "reason"),
    [
        ("flop-holdem", "ir-10", "boards", "small enough to walk all boards"),
        ("flop-holdem", "pr-10", "dense", "counted once, on all boards"),
        ("holdem.limit.2p", "pr-10", "dense", "counted once, on 50,000 boards"),
        ("holdem.limit.2p", "ir-10", "sampled", "imperfect recall rules out"),
        ("holdem.limit.2p", "pr-10-10-10-20", "sampled", "more than 16,384 buckets in the last round rules out"),
    ],
)
def test_the_method_suits_game_and_table(game: str, table: str, method: Method, reason: str) -> None:
    definition = load_game(game)
    recipe = parse_recipe(table, CardRounds.of(definition))
    choice = choose_method(definition, "", recipe)
    assert choice.method == method
    assert reason in choice.reason
    assert method_reason(BotRequest(definition, method=method), recipe) == choice.reason
    if method != "sampled":
        assert method_reason(BotRequest(definition), recipe) == f"as asked; the default is `{method}`"


def test_walking_all_boards_of_a_large_game_is_refused() -> None:
    with pytest.raises(InputError, match="walks all boards in every iteration"):
        BotRequest(load_game("holdem.limit.2p"), method="boards")


@pytest.mark.parametrize(
    ("game", "flops", "drawn", "reason"),
    [
        ("flop-holdem", None, None, "as asked; the default is `boards`"),
        ("four-ranks", None, None, "as asked; the default is `boards`"),
        ("four-ranks", 3, 3, "as asked, with 3 flops drawn in every iteration; the default is `boards`"),
        ("royal", None, 1, "as asked, with 1 flop drawn in every iteration; the default is `sampled`"),
    ],
)
def test_cfr_br_draws_flops_where_asked_and_where_all_are_too_many(
    game: str, flops: int | None, drawn: int | None, reason: str
) -> None:
    definition = load_game(game)
    request = BotRequest(definition, method="cfr-br", flops_per_iteration=flops)
    assert request.drawn_flops == drawn
    assert method_reason(request, parse_recipe("ir-10", CardRounds.of(definition))) == reason
    assert BotRequest.from_json(request.to_json()) == request


def test_cfr_br_on_drawn_flops_is_less_exploitable_than_cfr() -> None:
    definition = small_holdem(num_ranks=3, max_raises=(1, 1, 1, 1))
    table = random_table(CardRounds.of(definition), (4, 4, 4, 4), seed=1, perfect_recall=False)
    plain = Bot(BotDesign(BotRequest(definition, method="boards"), table))
    drawn = Bot(BotDesign(BotRequest(definition, method="cfr-br", flops_per_iteration=1), table))
    plain.run(16)
    drawn.run(64)
    # After 120 iterations, 634.9 mbb/g are left by CFR, and 501.9 by CFR-BR with all flops.
    assert drawn.exploitability().exploitability_mbb < 0.9 * min(634.9, plain.exploitability().exploitability_mbb)


def test_a_table_of_other_cards_is_refused() -> None:
    with pytest.raises(InputError, match="made for a game that deals other cards than `leduc`"):
        BotDesign(BotRequest(LEDUC), table_of(load_game("kuhn"), (2,)))


def test_damage_is_named(saved: Path, tmp_path: Path) -> None:
    bot = Bot.open(saved)
    bot.run(21)
    bot.save(tmp_path / "bot")
    (tmp_path / "bot" / "average_0_1.npy").write_bytes(b"damaged")
    problems = verify_path(tmp_path / "bot").problems
    assert len(problems) == 1
    assert "average_0_1.npy" in problems[0]
    description = tmp_path / "bot" / DESCRIPTION_FILE
    content = json.loads(description.read_text())
    content["version"] = 1
    description.write_text(json.dumps(content))
    with pytest.raises(StorageError, match="version"):
        errai.open(tmp_path / "bot")
