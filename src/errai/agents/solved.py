"""A solved limit game as an agent: the strategy of a public tree, told for all hands on whatever board is asked for."""

import numpy as np

from errai.agents.agent import ActionProbabilities
from errai.games import BettingState
from errai.games.lane_arrays import LaneArray, node_values, normalise
from errai.games.public_tree import PublicTree
from errai.games.tree_path import place_board, trace_betting


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
        call = int(state.can_fold())
        unknown = np.eye(known.shape[1])[call]
        probabilities = np.where(placed.tree_hand[:, np.newaxis] >= 0, known[placed.tree_hand], unknown)
        bounds = state.raise_bounds()
        return ActionProbabilities(
            fold=probabilities[:, 0] if call else 0.0,
            call=probabilities[:, call],
            raise_totals=bounds[:1] if bounds else (),
            raises=probabilities[:, call + 1 :] if bounds else (),
        )
