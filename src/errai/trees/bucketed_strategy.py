"""A strategy of an abstract game, played in the real one: every hand does what its bucket does."""

from dataclasses import dataclass, field

import numpy as np

from errai.games.action_probabilities import ActionProbabilities
from errai.games.state import BettingState, Raise
from errai.trees.bucket_layout import BucketArrays, BucketLayout, HandBuckets, verify_bucket_array
from errai.trees.lane_arrays import normalise
from errai.trees.tree_path import trace_streets


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

    @property
    def bucketed(self) -> "BucketedStrategy":
        return self

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand does at a state of the betting tree; a hand that cannot be held calls."""
        node = trace_streets(self.layout.betting.streets, state.history).node
        group = self.layout.betting.streets[node.round_index].groups[node.group]
        shape_node = group.shape.nodes[node.node_index]
        buckets = self.table.of_boards(state.round, np.array([board], dtype=np.uint8).reshape(1, -1))[0]
        rows = normalise(self.layout.rows(self.weights[shape_node.player], node, np.maximum(buckets, 0)))
        call = int(shape_node.has_fold)
        rows[buckets < 0] = np.eye(shape_node.num_actions)[call]
        raises = [action.total for action in group.actions(node.node_index, node.lane) if isinstance(action, Raise)]
        return ActionProbabilities(
            fold=rows[:, 0] if shape_node.has_fold else 0.0,
            call=rows[:, call],
            raise_totals=raises,
            raises=rows[:, call + 1 :] if raises else (),
        )
