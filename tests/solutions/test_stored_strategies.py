"""Every kind of saved solution is a stored strategy."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.errors import InputError, StorageError
from errai.storage.solution_directory import read_solution, write_solution
from solutions.stored_strategy_kit import StoredStrategyContract

# Limit hold'em on a deck of aces, kings and queens, with one raise per round.
SMALL = replace(errai.load_game("holdem.limit.2p"), name="small", num_ranks=3, max_raises=(1, 1, 1, 1))
SHORT_STACKS = replace(
    errai.load_game("leduc"), name="leduc with stacks", is_limit=False, raise_sizes=(), max_raises=(), stacks=(4, 4)
)


class TestASpot(StoredStrategyContract):
    @staticmethod
    def save(directory: Path) -> None:
        options = {"board": "AsKsQdAh", "betting": "rc/cc/", "range_bb": "AcKc,AdQd:0.5,KdQc,QhQs"}
        errai.solve(SMALL, iterations=20, **options).save(directory)  # type: ignore[arg-type]


class TestAWholeGame(StoredStrategyContract):
    @staticmethod
    def save(directory: Path) -> None:
        errai.solve("leduc", iterations=20).save(directory)


class TestAFlatSolution(StoredStrategyContract):
    @staticmethod
    def save(directory: Path) -> None:
        errai.solve("leduc", sampling="external", iterations=2000).save(directory)


class TestALinearProgram(StoredStrategyContract):
    @staticmethod
    def save(directory: Path) -> None:
        errai.solve("kuhn", algorithm="lp").save(directory)


class TestANoLimitGame(StoredStrategyContract):
    @staticmethod
    def save(directory: Path) -> None:
        errai.solve(SHORT_STACKS, iterations=20).save(directory)


class OneCard:
    """Player 0 sees a card and bets or checks; player 1 calls a bet or folds."""

    def initial(self) -> tuple[str, ...]:
        return ()

    def node(self, state: tuple[str, ...]) -> object:
        match state:
            case ():
                return errai.Chance([(("high",), 0.5), (("low",), 0.5)])
            case (card,):
                return errai.Decision(0, infoset=card, children={"check": (card, "check"), "bet": (card, "bet")})
            case (card, "bet"):
                return errai.Decision(1, infoset="a: bet", children={"fold": (card, "fold"), "call": (card, "call")})
            case (card, last):
                stake = {"fold": 1, "call": 2, "check": 1}[last]
                return errai.Terminal(payoff=stake if card == "high" or last == "fold" else -stake)
        raise AssertionError


class TestAGameMadeInPython(StoredStrategyContract):
    @staticmethod
    def save(directory: Path) -> None:
        form = errai.build_custom_form(OneCard(), name="one card")  # type: ignore[arg-type]
        errai.solve(form, iterations=2000).save(directory)

    def test_its_infosets_are_listed_with_their_values(self, directory: Path) -> None:
        rows = {row.cards: row for row in errai.open(directory).infosets()}
        assert rows.keys() == {"high", "low", "a: bet"}
        # A third of the low cards bluff and two thirds of the bets are called: the high card wins 1 + 2/3 on average,
        # the low one loses 1, and the caller breaks even against folding, which loses 1.
        assert rows["high"].value_chips == pytest.approx(1 + 2 / 3, abs=0.01)
        assert rows["low"].value_chips == pytest.approx(-1.0, abs=0.01)
        assert rows["a: bet"].value_chips == pytest.approx(-1.0, abs=0.01)


def test_the_no_limit_query_knows_every_raise_of_the_game() -> None:
    report = errai.solve(SHORT_STACKS, iterations=20).query(betting="r3")
    assert report.actions == ("f", "c", "r4")
    assert report.value_chips is not None


@pytest.mark.parametrize("name", ["average_0", "regrets_1"])
@pytest.mark.parametrize("number", [1e308, np.nan, np.inf, -1e308])
def test_numbers_that_cannot_be_added_up_are_refused(tmp_path: Path, name: str, number: float) -> None:
    errai.solve("leduc", iterations=3).save(tmp_path / "leduc")
    stored = read_solution(tmp_path / "leduc")
    arrays = {key: np.array(array) for key, array in stored.arrays.items()}
    arrays[name][:] = number
    write_solution(tmp_path / "leduc", description=stored.description, arrays=arrays)
    strategy = "average" if name.startswith("average") else "current"
    with pytest.raises(StorageError, match=rf"{name}.npy` must hold finite numbers of at most 2e\+302; found others"):
        errai.open(tmp_path / "leduc").exploitability(strategy)  # type: ignore[arg-type]


def test_mapped_arrays_are_refused_when_they_are_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    errai.solve("leduc", iterations=3).save(tmp_path / "leduc")
    stored = read_solution(tmp_path / "leduc")
    arrays = {key: np.full_like(array, 1e308) for key, array in stored.arrays.items()}
    write_solution(tmp_path / "leduc", description=stored.description, arrays=arrays)
    monkeypatch.setattr("errai.storage.solution_directory.ALWAYS_VERIFIED_BYTES", 0)
    with pytest.raises(StorageError, match="must hold finite numbers"):
        errai.open(tmp_path / "leduc").exploitability()


def test_damaged_and_missing_files_are_all_named(tmp_path: Path) -> None:
    solution = errai.solve("leduc", iterations=3)
    solution.save(tmp_path / "leduc")
    (tmp_path / "leduc" / "average_0.npy").unlink()
    damaged = tmp_path / "leduc" / "regrets_1.npy"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"!")
    problems = solution.verify().problems
    assert len(problems) == 2
    assert "average_0.npy` cannot be read" in problems[1] + problems[0]
    assert "regrets_1.npy` is damaged" in problems[1] + problems[0]


def test_a_solution_that_was_never_saved_has_nothing_to_verify() -> None:
    with pytest.raises(InputError, match="this solution was not saved"):
        errai.solve("kuhn", iterations=1).verify()


def test_a_directory_of_something_else_is_refused_with_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("")
    for path, found in ((tmp_path / "none", "nothing"), (tmp_path, "other files"), (tmp_path / "notes.txt", "a file")):
        with pytest.raises(StorageError, match=f"must be the directory of a saved solution or of a run; found {found}"):
            errai.open(path)


def test_the_partial_results_of_another_command_are_no_solution(tmp_path: Path) -> None:
    write_solution(tmp_path / "kept", description={"kind": "exploitability", "game": "leduc"}, arrays={})
    with pytest.raises(StorageError, match="found the partial results of another command, `exploitability`"):
        errai.open(tmp_path / "kept")
