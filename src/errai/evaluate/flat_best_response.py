"""Exact best responses in a game that fits in memory.

Against a fixed opponent, every sequence of the responding player has the value of the terminals right after it; from
the last decisions to the first, an infoset takes its best action and adds that value to the sequence that leads to it.
What arrives at the empty sequence is the value of the best response. Where an infoset is locked, nothing is chosen.
"""

from dataclasses import dataclass

import numpy as np

from errai.evaluate.exploitability import Exploitability
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.sequence_form import Float64Array


@dataclass(frozen=True, eq=False)
class BestResponse:
    """What `player` can win at most against the opponent's part of a strategy, and how."""

    player: int
    value_chips: float
    strategy: Float64Array  # of both: the player's part is the best response, pure; the opponent's is as it was


def best_response_flat(form: ExtensiveForm, strategy: Float64Array, *, player: int) -> BestResponse:
    """The best response of `player` to the opponent's part of `strategy`; of equally good actions, the first."""
    form.verify_strategy(strategy)
    own = form.sequence_form.players[player]
    values = form.sequence_form.values(player, strategy)
    response = np.zeros(own.num_sequences)
    for level in reversed(own.levels):
        of_actions = values[level.sequences]
        best = np.maximum.reduceat(of_actions, level.starts)
        is_best = np.flatnonzero(of_actions == np.repeat(best, own.num_actions[level.infosets]))
        first_best = is_best[np.searchsorted(is_best, level.starts)]
        response[level.sequences[first_best]] = 1.0
        if form.locks is not None:
            # A locked infoset is no decision: it keeps what the strategy does there.
            is_locked = form.locks.is_locked[own.infosets][level.infosets]
            kept = level.sequences[np.repeat(is_locked, own.num_actions[level.infosets])]
            response[kept] = strategy[own.actions][kept - 1]
            best = np.where(is_locked, np.add.reduceat(response[level.sequences] * of_actions, level.starts), best)
        np.add.at(values, own.parent_sequence[level.infosets], best)
    combined = strategy.copy()
    combined[own.actions] = response[1:]
    return BestResponse(player, float(values[0]), combined)


def expected_value_flat(form: ExtensiveForm, strategy: Float64Array) -> float:
    """What player 0 wins on average when both play `strategy`, in chips."""
    form.verify_strategy(strategy)
    own = form.sequence_form.players[0]
    return float(own.realization_plan(strategy[own.actions]) @ form.sequence_form.values(0, strategy))


def exploitability_flat(form: ExtensiveForm, strategy: Float64Array, *, with_value: bool = False) -> Exploitability:
    """The exact exploitability of a strategy of both players; with the strategy's own value if it is asked for."""
    first, second = (best_response_flat(form, strategy, player=player).value_chips for player in (0, 1))
    value = expected_value_flat(form, strategy) if with_value else None
    return Exploitability((first, second), value, form.unit_chips)
