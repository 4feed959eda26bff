"""How many decisions a betting tree has, street by street, without building it.

Betting sequences that leave the same chips, turn and raises go on alike. So instead of sequences the walk carries the
number of them that reach each such situation, in an order in which a situation comes after all that lead to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Protocol

from errai.errors import SizeError
from errai.games.bet_menu import BetMenu
from errai.games.menu_sizes import available_actions, chips_before_street, is_lead
from errai.games.state import BettingState

_Situation = tuple[int, int, bool, tuple[int, int], int, int, int, int, bool]


class SizedStreet(Protocol):
    """The decisions of a street, and the actions at them, over all sequences that reach it."""

    def num_nodes(self, player: int) -> int: ...

    def num_actions(self, player: int) -> int: ...


@dataclass
class StreetSize:
    """A street that was counted."""

    nodes: list[int]  # of each player
    actions: list[int]

    def num_nodes(self, player: int) -> int:
        return self.nodes[player]

    def num_actions(self, player: int) -> int:
        return self.actions[player]


def count_betting_tree(
    roots: Sequence[BettingState], menu: BetMenu | None, *, dead_pot: int = 0, max_nodes: int
) -> tuple[StreetSize, ...]:
    """The streets of the tree below `roots`; a `SizeError` as soon as there are more than `max_nodes` decisions."""
    streets: list[StreetSize] = []
    queue: list[_Situation] = []
    waiting: dict[_Situation, tuple[BettingState, int]] = {}  # one of the sequences, and how many there are
    num_nodes = 0

    def reach(state: BettingState, sequences: int) -> None:
        if state.actor is None:
            return
        situation = _situation(state)
        if situation not in waiting:
            heappush(queue, situation)
        waiting[situation] = state, waiting.get(situation, (state, 0))[1] + sequences

    for root in roots:
        reach(root, 1)
    while queue:
        state, sequences = waiting.pop(heappop(queue))
        assert state.actor is not None
        while len(streets) <= state.round - roots[0].round:
            streets.append(StreetSize([0, 0], [0, 0]))
        actions = available_actions(state, menu, dead_pot=dead_pot)
        streets[-1].nodes[state.actor] += sequences
        streets[-1].actions[state.actor] += sequences * len(actions)
        num_nodes += sequences
        if num_nodes > max_nodes:
            raise SizeError(
                f"the betting tree has more than {max_nodes:,} decisions by round {state.round + 1}",
                hint="take fewer sizes, a cap such as `50% / 60% cap 3`, or shorter stacks",
            )
        for action in actions:
            reach(state.apply(action), sequences)
    return tuple(streets)


def _situation(state: BettingState) -> _Situation:
    """All that decides how the betting can continue, starting with what only grows, so that it sorts in that order."""
    assert state.actor is not None
    return (
        state.round,
        sum(state.committed),
        bool(state.history[-1]),
        state.committed,
        state.actor,
        state.raises_this_round,
        state.least_raise,
        chips_before_street(state),
        is_lead(state),
    )
