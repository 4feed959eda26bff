from pathlib import Path

import pytest

from errai.agents.loading import load_agent, load_strategy
from errai.errors import AgentError, ErraiError, InputError
from errai.games.library import load_game
from errai.games.state import initial_state

NO_LIMIT = load_game("holdem.nolimit.2p")

BOT = """
from errai.games.action_probabilities import ActionProbabilities

class CallBot:
    def action_probabilities(self, state, board):
        return ActionProbabilities(call=1.0)

class KnowsTheGame:
    name = "knowing"
    def __init__(self, definition):
        self.stack = definition.stacks[0]
    def action_probabilities(self, state, board):
        return ActionProbabilities(call=0.0, raise_totals=[self.stack], raises=[1.0])

class Mute:
    pass

class Broken:
    def __init__(self):
        raise OSError("no such table")
    def action_probabilities(self, state, board): ...
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "random.py"  # must not be mistaken for Python's own
    path.write_text(BOT)
    return path


def message_of(text: str) -> tuple[str, str | None]:
    with pytest.raises(ErraiError) as caught:
        load_agent(text, NO_LIMIT)
    return str(caught.value), caught.value.hint


def test_a_class_in_a_file_is_an_agent_named_after_itself(bot: Path) -> None:
    agent = load_agent(f"{bot}:CallBot", NO_LIMIT)
    assert agent.name == "CallBot"
    assert agent.action_probabilities(initial_state(NO_LIMIT), ()).call.tolist() == [1.0]


def test_a_class_that_wants_the_definition_gets_it(bot: Path) -> None:
    agent = load_agent(f"{bot}:KnowsTheGame", NO_LIMIT)
    assert agent.name == "knowing"
    assert agent.action_probabilities(initial_state(NO_LIMIT), ()).raise_totals.tolist() == [20000]


def test_a_file_may_have_the_name_of_a_module_of_python(bot: Path) -> None:
    import random

    load_agent(f"{bot}:CallBot", NO_LIMIT)
    assert random.random() < 1.0


@pytest.mark.parametrize(
    ("class_name", "message"),
    [
        ("Missing", "has no class `Missing`"),
        ("Mute", "has no method `action_probabilities(state, board)`"),
        ("Broken", "cannot be made: OSError: no such table"),
    ],
)
def test_a_class_that_is_no_agent_says_why(bot: Path, class_name: str, message: str) -> None:
    assert message in message_of(f"{bot}:{class_name}")[0]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import nonsense_that_is_not_there", "ModuleNotFoundError: No module named 'nonsense_that_is_not_there'"),
        ("x = 1\ndef f(:\n", "SyntaxError: invalid syntax (bot.py, line 2)"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_file_that_does_not_import_says_why(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(source)
    found, _ = message_of(f"{path}:Bot")
    assert found.startswith(f"`{path}` does not import: ")
    assert message in found


def test_a_file_that_is_not_there_is_named() -> None:
    assert message_of("nowhere.py:Bot") == ("there is no file `nowhere.py`", None)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("always-cal", "there is no agent `always-cal`", "did you mean `always-call`?"),
        ("bot.py", "`bot.py` needs the name of a class in it", "`bot.py:MyBot`"),
        (
            "call=much",
            "expected `action=number` in the mixture `call=much`; got `call=much`",
            "as in `call=0.5,raise=0.5`",
        ),
        ("jump=1", "a mixture knows no action `jump`", "it knows fold, call, raise"),
    ],
)
def test_a_name_that_is_no_agent_gets_a_hint(text: str, message: str, hint: str) -> None:
    found, found_hint = message_of(text)
    assert found == message
    assert found_hint is not None
    assert hint in found_hint


def test_mixtures_and_seeds_are_written_as_equations() -> None:
    mixture = load_agent("call=1,raise=3", NO_LIMIT).action_probabilities(initial_state(NO_LIMIT), ())
    assert mixture.call.tolist() == [0.25]
    assert load_agent("seed=7", NO_LIMIT).name == "seed=7"


def test_errors_of_usage_and_of_agents_are_told_apart(bot: Path) -> None:
    with pytest.raises(InputError):
        load_agent("nobody", NO_LIMIT)
    with pytest.raises(AgentError):
        load_agent(f"{bot}:Mute", NO_LIMIT)


def test_a_strategy_to_be_judged_has_probabilities_where_an_agent_may_have_any_weights() -> None:
    leduc = load_game("leduc")
    assert load_agent("call=1,raise=1", leduc).name == "call=1,raise=1"
    with pytest.raises(InputError, match="the probabilities of `call=1,raise=1` must sum to 1; got 2"):
        load_strategy("call=1,raise=1", leduc)
    assert load_strategy("call=0.5,raise=0.5", leduc).is_card_blind
    assert load_strategy("always-call", leduc).is_card_blind
    assert not load_strategy("seed=7", leduc).is_suit_blind


@pytest.mark.parametrize("seed", ["nan", "inf", "-inf", "-1", "0.5", "1e308"])
def test_a_seed_that_is_no_whole_number_is_refused(seed: str) -> None:
    with pytest.raises(InputError) as caught:
        load_agent(f"seed={seed}", load_game("leduc"))
    assert str(caught.value) == f"a seed must be a whole number from 0 to 2**53 - 1; got `seed={seed}`"
