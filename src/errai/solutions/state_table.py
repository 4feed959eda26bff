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
    if report.value_chips is None or report.best_response_chips is None or report.action_value_chips is None:
        return columns
    by_action = action_columns(report.actions, report.action_value_chips[possible], is_limit=report.definition.is_limit)
    columns["equity"] = report.equity[player][possible]
    columns["value_chips"] = report.value_chips[player][possible]
    columns |= {f"{name}_value_chips": values for name, values in by_action.items()}
    columns["best_response_chips"] = report.best_response_chips[player][possible]
    return columns


def action_columns(actions: tuple[str, ...], numbers: NDArray[np.float64], *, is_limit: bool) -> Columns:
    """A column per action. A limit game has the same three everywhere, NaN where the state does not allow one."""
    if not is_limit:
        names = (_ACTIONS[action[0]] + action[1:] for action in actions)
        return dict(zip(names, numbers.T, strict=True))
    missing = np.full(len(numbers), np.nan)
    return {
        name: numbers[:, actions.index(letter)] if letter in actions else missing for letter, name in _ACTIONS.items()
    }
