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
    if report.definition.is_limit:
        columns |= limit_action_columns(report.actions, probabilities)
    else:
        names = (_ACTIONS[action[0]] + action[1:] for action in report.actions)
        columns |= dict(zip(names, probabilities.T, strict=True))
    for name, values in (("value_chips", report.value_chips), ("best_response_chips", report.best_response_chips)):
        if values is not None:
            columns[name] = values[player][possible]
    return columns


def limit_action_columns(actions: tuple[str, ...], probabilities: NDArray[np.float64]) -> Columns:
    """A column for each action of a limit game; NaN where the state does not allow it."""
    missing = np.full(len(probabilities), np.nan)
    return {
        name: probabilities[:, actions.index(letter)] if letter in actions else missing
        for letter, name in _ACTIONS.items()
    }
