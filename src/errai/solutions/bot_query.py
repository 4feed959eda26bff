"""What a bot does, as a person reads it: at one public state, and at every decision of every bucket."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.games.acpc import format_action, format_betting
from errai.games.state import BettingState, initial_state
from errai.reports.infoset import InfosetRow
from errai.reports.state import StateReport
from errai.solutions.bot_design import BotRequest
from errai.solutions.engine import Columns
from errai.trees.bucketed_strategy import BucketedStrategy
from errai.trees.lane_arrays import normalise

Float64Array = NDArray[np.float64]


def query_bot(
    request: BotRequest, bucketed: BucketedStrategy, state: BettingState, cards: tuple[int, ...]
) -> StateReport:
    """The strategy at one public state. What hands are worth is not known: the bot has never seen single hands."""
    _, probabilities = bucketed.action_rows(state, cards)
    first, second = _reach(request, bucketed, state, cards)
    return StateReport(
        definition=request.definition,
        state=state,
        board=cards,
        probabilities=probabilities,
        reach=(np.maximum(first, 0.0), np.maximum(second, 0.0)),
        value_chips=None,
        best_response_chips=None,
        action_value_chips=None,
        start=request.start,
    )


def bucket_infosets(
    request: BotRequest, bucketed: BucketedStrategy, *, last_round: int | None = None
) -> Iterator[InfosetRow]:
    """What every bucket does, one infoset at a time, up to the given round."""
    for decision in _decisions(request, bucketed):
        if last_round is not None and decision.state.round > last_round:
            return
        for bucket, row in enumerate(decision.probabilities):
            yield InfosetRow(
                player=decision.player,
                cards=f"bucket {bucket}",
                betting=format_betting(decision.state),
                probabilities=dict(zip(decision.actions, row.tolist(), strict=True)),
            )


def bucket_columns(request: BotRequest, bucketed: BucketedStrategy) -> Iterator[Columns]:
    """One row per bucket and action of every decision."""
    for decision in _decisions(request, bucketed):
        count, num_actions = decision.probabilities.shape
        size = decision.probabilities.size
        yield {
            "round": np.full(size, decision.state.round),
            "player": np.full(size, decision.player),
            "betting": np.full(size, format_betting(decision.state)),
            "bucket": np.repeat(np.arange(count), num_actions),
            "action": np.tile(np.array(decision.actions), count),
            "probability": decision.probabilities.ravel(),
        }


class _Decision(NamedTuple):
    """What the buckets of the player to act do, [bucket][action]."""

    state: BettingState
    player: int
    actions: list[str]
    probabilities: Float64Array


def _decisions(request: BotRequest, bucketed: BucketedStrategy) -> Iterator[_Decision]:
    """Every decision, round by round."""
    is_limit, layout = request.definition.is_limit, bucketed.layout
    for round_index, street in enumerate(layout.betting.streets):
        for group_index, group in enumerate(street.groups):
            for node_index, node in enumerate(group.shape.nodes):
                weights = layout.node_values(
                    bucketed.weights[node.player], round_index=round_index, node_index=node_index, group=group_index
                )
                probabilities = normalise(weights)
                for lane, state in enumerate(group.node_states[node_index]):
                    legal = state.legal_actions() if request.start is None else request.start.actions(state)
                    actions = [format_action(action, is_limit=is_limit) for action in legal]
                    yield _Decision(state, node.player, actions, probabilities[:, :, lane])


def _reach(
    request: BotRequest, bucketed: BucketedStrategy, state: BettingState, cards: tuple[int, ...]
) -> tuple[Float64Array, Float64Array]:
    """With what weight each player's hands get to a state; -1 where a hand shares a card with the board."""
    definition = request.definition
    buckets = bucketed.table.of_boards(state.round, np.array([cards], dtype=np.uint8).reshape(1, -1))[0]
    reach = [np.ones(len(buckets)), np.ones(len(buckets))]
    at = initial_state(definition)
    for action in (action for actions in state.history for action in actions):
        assert at.actor is not None
        board = cards[: sum(definition.num_board_cards[: at.round + 1])]
        actions, rows = bucketed.action_rows(at, board)
        reach[at.actor] *= rows[:, actions.index(action)]
        at = at.apply(action)
    return np.where(buckets < 0, -1.0, reach[0]), np.where(buckets < 0, -1.0, reach[1])
