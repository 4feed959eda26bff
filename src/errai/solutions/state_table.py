"""One public state of a strategy as a table, one row per hand."""

import numpy as np
from numpy.typing import NDArray

from errai.reports.state import StateReport
from errai.solutions.engine import Columns

_ACTIONS = {"f": "fold", "c": "call", "r": "raise"}


def state_columns(report: StateReport) -> Columns:
    """All hands that are possible for the player to act."""
    player = report.player
    possible = ~np.isnan(report.probabilities[:, 0])
    probabilities = report.probabilities[possible]
    columns: Columns = {
        "hand": np.array(report.hand_texts)[possible],
        "reach": report.reach[player][possible],
        "opponent_reach": report.reach[1 - player][possible],
    }
    columns |= action_columns(report.actions, probabilities, is_limit=report.definition.is_limit)
    for name, values in (("value_chips", report.value_chips), ("best_response_chips", report.best_response_chips)):
        if values is not None:
            columns[name] = values[player][possible]
    return columns


def action_columns(actions: tuple[str, ...], probabilities: NDArray[np.float64], *, is_limit: bool) -> Columns:
    """A column per action. A limit game has the same three everywhere, NaN where the state does not allow one."""
    if not is_limit:
        names = (_ACTIONS[action[0]] + action[1:] for action in actions)
        return dict(zip(names, probabilities.T, strict=True))
    missing = np.full(len(probabilities), np.nan)
    return {
        name: probabilities[:, actions.index(letter)] if letter in actions else missing
        for letter, name in _ACTIONS.items()
    }
