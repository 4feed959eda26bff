"""What every stored strategy must do, whatever it was made by. A kind of strategy inherits `StoredStrategyContract`.

class TestMine(StoredStrategyContract):
    @staticmethod
    def save(directory: Path) -> None: ...          # makes a stored strategy there
"""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.cards.hands import hands, num_hands
from errai.cli.main import run
from errai.errors import InputError
from errai.games.acpc import format_betting
from errai.games.definition import GameDefinition
from errai.games.state import BettingState, initial_state
from errai.solutions.stored_strategy import StoredStrategy


class StoredStrategyContract:
    """The calls of `StoredStrategy` and the commands that take a path."""

    @staticmethod
    def save(directory: Path) -> None:
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def directory(cls, tmp_path_factory: pytest.TempPathFactory) -> Path:
        directory = tmp_path_factory.mktemp("stored") / "strategy"
        cls.save(directory)
        return directory

    @pytest.fixture
    def stored(self, directory: Path) -> StoredStrategy:
        return errai.open(directory)

    def test_it_describes_itself_in_json(self, stored: StoredStrategy) -> None:
        content = stored.describe().to_json()
        assert json.loads(json.dumps(content, allow_nan=False)) == content
        assert {"game", "algorithm", "iterations", "infosets", "trace"} <= content.keys()
        assert content["infosets"] > 0
        assert stored.name in repr(stored.describe())
        assert stored.name in repr(stored)

    def test_the_spot_belongs_to_the_definition(self, stored: StoredStrategy) -> None:
        if stored.start is not None:
            assert stored.start.definition == stored.definition

    def test_the_first_of_the_strategies_that_are_kept_is_the_one_that_is_shown(self, stored: StoredStrategy) -> None:
        by_kind = {kind: [row.probabilities for row in stored.infosets(strategy=kind)] for kind in stored.strategies}
        assert by_kind
        assert [row.probabilities for row in stored.infosets()] == by_kind[stored.strategies[0]]

    def test_infosets_are_listed_with_distributions(self, stored: StoredStrategy) -> None:
        rows = list(stored.infosets(last_round=0))
        assert rows
        assert {row.player for row in rows} <= {0, 1}
        for row in rows:
            assert sum(row.probabilities.values()) == pytest.approx(1.0)
        assert len({(row.player, row.cards, row.betting) for row in rows}) == len(rows)

    def test_a_query_of_the_beginning_says_what_players_do_there(self, stored: StoredStrategy) -> None:
        if stored.definition is None:
            with pytest.raises(InputError, match="was made in Python and has no public states"):
                stored.query()
            return
        report = stored.query()
        state, board = beginning(stored)
        assert (report.state, report.board) == (state, board)
        possible = ~np.isnan(report.probabilities[:, 0])
        np.testing.assert_allclose(report.probabilities[possible].sum(axis=1), 1.0)
        assert possible[report.reach[report.player] > 0].all()
        assert json.dumps(report.to_json(), allow_nan=False)

    def test_what_it_plays_is_what_a_query_shows(self, stored: StoredStrategy) -> None:
        if stored.definition is None:
            return
        state, board = beginning(stored)
        for _ in range(3):
            report = stored.query(betting=format_betting(state), board=stored.definition.deck.text(board))
            answer = stored.action_probabilities(state, board)
            rows = np.hstack([played_columns(answer, state, stored.definition)])
            known = ~np.isnan(report.probabilities[:, 0])
            np.testing.assert_allclose(rows[known], report.probabilities[known], atol=1e-12)
            np.testing.assert_allclose(rows.sum(axis=1), 1.0)
            following = state.apply(state.legal_actions()[-1])
            if following.is_terminal or following.round != state.round:
                break
            state = following

    def test_the_values_of_the_beginning_add_up_to_the_pot(self, stored: StoredStrategy) -> None:
        if stored.definition is None:
            return
        report = stored.query(with_values=True)
        assert report.value_chips is not None
        assert report.best_response_chips is not None
        total = sum(report.average_value_chips(player) for player in (0, 1))
        assert total == pytest.approx(report.pot_chips, rel=1e-4)
        for value, best in zip(report.value_chips, report.best_response_chips, strict=True):
            known = ~np.isnan(value)
            assert np.all(best[known] >= value[known] - 1e-3 * report.pot_chips)

    def test_its_exploitability_is_what_it_describes(self, stored: StoredStrategy) -> None:
        measured = stored.exploitability()
        assert measured.exploitability_mbb >= -1e-6
        assert stored.describe().to_json()["exploitability_mbb"] == measured.exploitability_mbb

    def test_a_state_and_everything_are_exported(self, stored: StoredStrategy, tmp_path: Path) -> None:
        rows = stored.export(tmp_path / "state.csv")
        assert len(read_rows(tmp_path / "state.csv")) == rows > 0
        everything = stored.export(tmp_path / "all.csv", whole=True)
        assert len(read_rows(tmp_path / "all.csv")) == everything >= rows

    def test_every_byte_is_verified(self, stored: StoredStrategy) -> None:
        found = stored.verify()
        assert found.problems == ()
        assert found.num_bytes > 0

    def test_every_command_takes_its_path(
        self, directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for arguments in (
            ["status", str(directory)],
            ["status", str(directory), "--json"],
            ["verify", str(directory)],
            ["show", str(directory)],
            ["show", str(directory), "--json"],
            ["exploit", str(directory), "--json"],
            ["export", str(directory), "--all", "--out", str(tmp_path / "all.csv")],
            ["export", str(directory), "--out", str(tmp_path / "state.csv")],
        ):
            assert run(arguments) == 0, arguments
            out = capsys.readouterr().out
            assert out
            if "--json" in arguments:
                json.loads(out)


def beginning(stored: StoredStrategy) -> tuple[BettingState, tuple[int, ...]]:
    assert stored.definition is not None
    if stored.start is not None:
        return stored.start.root, stored.start.board_cards
    return initial_state(stored.definition), ()


def played_columns(
    answer: errai.ActionProbabilities, state: BettingState, definition: GameDefinition
) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """[hand][action] of an answer, for all hands of the deck."""
    count = num_hands(definition.deck, definition.num_hole_cards)
    assert len(hands(definition.deck, definition.num_hole_cards)) == count
    columns = [np.broadcast_to(answer.fold, count)] if state.can_fold() else []
    columns.append(np.broadcast_to(answer.call, count))
    columns += [np.broadcast_to(column, count) for column in answer.raises.T[: len(answer.raise_totals)]]
    return np.stack(columns, axis=1)


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))
