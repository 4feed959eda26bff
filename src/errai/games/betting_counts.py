"""How many decision nodes and actions the betting of a game has, by round.

Histories that leave the same chips, turn and raises continue alike. So instead of histories the walk carries the number
of them that reach each such situation, in an order in which a situation comes after all that lead to it. No-limit games
with equal stacks have too many raise sizes for that; `nolimit_counts` counts them by a formula.
"""

from dataclasses import dataclass, replace
from heapq import heappop, heappush

from errai.errors import SizeError
from errai.games.definition import UNLIMITED, GameDefinition
from errai.games.nolimit_counts import applies_to, count_nolimit_rounds
from errai.games.state import CALL, BettingState, initial_state

MAX_WALK_ACTIONS = 200_000  # about 3 seconds

_Situation = tuple[int, int, bool, tuple[int, int], int, int, int]


@dataclass(frozen=True)
class BettingCounts:
    """The decision nodes of one round, over all betting histories, and the actions at them."""

    decision_nodes: int
    actions: int


def count_betting(definition: GameDefinition) -> tuple[BettingCounts, ...]:
    """The counts of each round."""
    if applies_to(definition):
        return tuple(BettingCounts(nodes, actions) for nodes, actions in count_nolimit_rounds(definition))
    return walk_betting(definition)


def walk_betting(definition: GameDefinition) -> tuple[BettingCounts, ...]:
    """The counts of each round, by playing every action in every different situation."""
    nodes = [0] * definition.num_rounds
    actions = [0] * definition.num_rounds
    queue: list[_Situation] = []
    waiting: dict[_Situation, tuple[BettingState, int]] = {}

    def reach(state: BettingState, histories: int) -> None:
        if state.is_terminal:
            return
        situation = _situation(state)
        if situation not in waiting:
            heappush(queue, situation)
        waiting[situation] = state, waiting.get(situation, (state, 0))[1] + histories

    reach(initial_state(definition), 1)
    tried = 0
    while queue:
        state, histories = waiting.pop(heappop(queue))
        bounds = state.raise_bounds()
        num_actions = 1 + state.can_fold() + (bounds[1] - bounds[0] + 1 if bounds else 0)
        nodes[state.round] += histories
        actions[state.round] += histories * num_actions
        tried += num_actions
        if tried > MAX_WALK_ACTIONS:
            raise SizeError(
                f"counting the betting of `{definition.name}` would take more than {MAX_WALK_ACTIONS:,} steps",
                hint="lower `maxRaises`"
                if definition.is_limit
                else "a no-limit game is counted by a formula if its stacks are equal and `maxRaises` is left out",
            )
        for action in state.legal_actions():
            reach(_without_history(state.apply(action)), histories)
    return tuple(BettingCounts(*counts) for counts in zip(nodes, actions, strict=True))


def _without_history(state: BettingState) -> BettingState:
    """The same situation with as little history as the rules need: whether somebody has acted in this round.

    A round of unlimited raises would otherwise copy an ever longer history at every step.
    """
    acted = (CALL,) if state.history[-1] else ()
    return replace(state, history=((),) * state.round + (acted,))


def _situation(state: BettingState) -> _Situation:
    """All that decides how a hand can continue, starting with what only grows, so that it sorts in playing order."""
    limit = state.definition.max_raises[state.round]
    return (
        state.round,
        sum(state.committed),
        bool(state.history[-1]),
        state.committed,
        state.actor if state.actor is not None else -1,
        state.raises_this_round if limit != UNLIMITED else 0,
        state.least_raise if not state.definition.is_limit else 0,
    )
