"""A strategy as a data frame, where pandas is installed."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

import errai
from errai.errors import InputError


def concat(frames: list[dict[str, Any]], *, ignore_index: bool) -> dict[str, list[Any]]:
    assert ignore_index
    return {name: [value for frame in frames for value in frame[name]] for name in frames[0]}


def test_without_pandas_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)  # as if it were not installed
    with pytest.raises(InputError, match="a data frame needs pandas, which is not installed") as caught:
        errai.solve("kuhn", iterations=1).to_dataframe()
    assert caught.value.hint == "`pip install pandas`, or `export` a `.csv` file"


def test_a_data_frame_has_the_columns_and_rows_of_an_export(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict, concat=concat))
    solution = errai.solve("leduc", iterations=5)
    state: Any = solution.to_dataframe(betting="r")
    assert list(state) == [
        *("hand", "reach", "opponent_reach", "fold", "call", "raise"),
        *("equity", "value_chips", "fold_value_chips", "call_value_chips", "raise_value_chips", "best_response_chips"),
    ]
    assert len(state["hand"]) == 6
    everything: Any = solution.to_dataframe(whole=True)
    assert list(everything) == ["betting", "board", "player", "hand", "fold", "call", "raise"]
    assert len(everything["hand"]) == 288
