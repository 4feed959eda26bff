"""A solved limit game as an agent: its strategy, told for all hands on whatever board is asked for."""

import numpy as np
from numpy.typing import NDArray

from errai.games.action_probabilities import ActionProbabilities
from errai.games.state import BettingState
from errai.runs.run import WholeRun
from errai.runs.run_query import RunReader
from errai.trees.lane_arrays import LaneArray, node_values, normalise
from errai.trees.public_tree import PublicTree
from errai.trees.tree_path import place_board, trace_betting


class SolvedAgent:
    """Plays the strategy that `weights` of both players are on `tree`."""

    is_suit_blind = True

    def __init__(self, tree: PublicTree, weights: tuple[LaneArray, LaneArray], *, name: str) -> None:
        self.name = name
        self._tree = tree
        self._weights = weights

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What the strategy does; hands that it does not know, as their cards lie open, call."""
        node = trace_betting(self._tree, state).node
        placed = place_board(self._tree, board)[node.round_index]
        assert state.actor is not None
        values = node_values(
            self._tree,
            self._weights[state.actor],
            round_index=node.round_index,
            board_index=placed.index,
            node_index=node.node_index,
        )
        known = normalise(values[:, :, node.lane : node.lane + 1])[:, :, 0]
        return _answer(state, np.where(placed.tree_hand[:, np.newaxis] >= 0, known[placed.tree_hand], np.nan))


class RunAgent:
    """Plays the strategy that a run of a whole game has reached."""

    is_suit_blind = True

    def __init__(self, run: WholeRun, *, name: str) -> None:
        self.name = name
        self._reader = RunReader(run)

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What the strategy does; hands that are not possible call."""
        return _answer(state, self._reader.probabilities(state, board))


def _answer(state: BettingState, probabilities: NDArray[np.float64]) -> ActionProbabilities:
    """[hand][action], NaN where a hand is not known: it calls."""
    call = int(state.can_fold())
    unknown = np.eye(probabilities.shape[1])[call]
    told = np.where(np.isnan(probabilities), unknown, probabilities)
    bounds = state.raise_bounds()
    return ActionProbabilities(
        fold=told[:, 0] if call else 0.0,
        call=told[:, call],
        raise_totals=bounds[:1] if bounds else (),
        raises=told[:, call + 1 :] if bounds else (),
    )
