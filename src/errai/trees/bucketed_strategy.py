"""A strategy of an abstract game, played in the real one: every hand does what its bucket does."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from errai.games.action_probabilities import ActionProbabilities, Float64Array
from errai.games.state import Action, BettingState
from errai.trees.bucket_layout import BucketArrays, BucketLayout, HandBuckets, verify_bucket_array
from errai.trees.lane_arrays import normalise
from errai.trees.tree_path import trace_streets

_CACHED_BOARDS = 16


@dataclass(eq=False)
class BucketedStrategy:
    """Weights of both players, in proportion to which their buckets act; even where none is positive."""

    layout: BucketLayout
    table: HandBuckets
    weights: BucketArrays
    name: str = "bucketed"
    is_card_blind: bool = field(default=False, init=False)
    is_suit_blind: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        for player, array in enumerate(self.weights):
            verify_bucket_array(self.layout.sizes(player), array, f"the weights of player {player}")
        # Players ask for many betting states of one board.
        self._buckets = lru_cache(maxsize=_CACHED_BOARDS)(self._find_buckets)

    @property
    def bucketed(self) -> "BucketedStrategy":
        return self

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand does at a state of the betting tree; a hand that cannot be held calls, or folds."""
        actions, rows = self.action_rows(state, board)
        return ActionProbabilities.of_actions(actions, rows)

    def action_rows(self, state: BettingState, board: tuple[int, ...]) -> tuple[tuple[Action, ...], Float64Array]:
        """The actions at a state, and [hand][action]; NaN where a hand cannot be held."""
        node = trace_streets(self.layout.betting.streets, state.history).node
        group = self.layout.betting.streets[node.round_index].groups[node.group]
        player = group.shape.nodes[node.node_index].player
        buckets = self._buckets(state.round, board)
        rows = normalise(self.layout.rows(self.weights[player], node, np.maximum(buckets, 0)))
        rows[buckets < 0] = np.nan
        return group.actions(node.node_index, node.lane), rows

    def _find_buckets(self, round_index: int, board: tuple[int, ...]) -> NDArray[np.int32]:
        """The bucket of each hand; -1 where it cannot be held."""
        (buckets,) = self.table.of_boards(round_index, np.array([board], dtype=np.uint8).reshape(1, -1))
        return np.asarray(buckets)
