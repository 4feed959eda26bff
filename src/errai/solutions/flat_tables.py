"""A strategy of an extensive form as tables: one row per infoset, or columns.

The columns of a limit poker game are those of the lanes engine, one row per infoset. Other games, whose infosets have
any number of actions, have one row per action.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from errai.games.definition import GameDefinition
from errai.reports.infoset import InfosetRow
from errai.solutions.engine import Columns
from errai.solutions.flat_values import infoset_values
from errai.solutions.state_table import action_columns
from errai.trees.extensive_form import ExtensiveForm


def form_rows(
    form: ExtensiveForm, strategy: NDArray[np.float64], *, last_round: int | None, is_poker: bool
) -> Iterator[InfosetRow]:
    """The rows of a strategy, up to the given round of a poker game."""
    values = infoset_values(form, strategy)
    for infoset, label in enumerate(form.infoset_labels):
        actions = form.actions_of(infoset)
        cards, betting = _split_label(label, is_poker=is_poker)
        if last_round is not None and betting.count("/") > last_round:
            continue
        yield InfosetRow(
            player=int(form.infoset_player[infoset]),
            cards=cards,
            betting=betting,
            probabilities=dict(zip(form.action_labels[actions], strategy[actions].tolist(), strict=True)),
            value_chips=None if np.isnan(values[infoset]) else float(values[infoset]),
        )


def form_columns(
    form: ExtensiveForm, strategy: NDArray[np.float64], *, definition: GameDefinition | None
) -> Iterator[Columns]:
    """The whole strategy as one chunk of columns."""
    if definition is None:
        values = infoset_values(form, strategy)
        counts = np.diff(form.first_action)
        yield {
            "infoset": np.repeat(np.array(form.infoset_labels), counts),
            "player": np.repeat(form.infoset_player.astype(np.int64), counts),
            "action": np.array(form.action_labels),
            "probability": strategy,
            "value_chips": np.repeat(values, counts),
        }
        return
    rows = list(form_rows(form, strategy, last_round=None, is_poker=True))
    texts = [row.cards.partition("/") for row in rows]
    columns: Columns = {
        "betting": np.array([row.betting for row in rows]),
        "board": np.array([board.replace("/", "") for _, _, board in texts]),
        "player": np.array([row.player for row in rows]),
        "hand": np.array([hand for hand, _, _ in texts]),
    }
    if definition.is_limit:
        missing = float("nan")
        table = np.array([[row.probabilities.get(action, missing) for action in "fcr"] for row in rows])
        yield {**columns, **action_columns(("f", "c", "r"), table, is_limit=True)}
        return
    counts = np.diff(form.first_action)
    yield {
        **{name: np.repeat(column, counts) for name, column in columns.items()},
        "action": np.array(form.action_labels),
        "probability": strategy,
    }


def _split_label(label: str, *, is_poker: bool) -> tuple[str, str]:
    """The cards and the betting of a poker game's infoset; any other label as it is."""
    if not is_poker:
        return label, ""
    cards, _, betting = label.partition(":")
    return cards, betting
