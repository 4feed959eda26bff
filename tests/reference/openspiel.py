"""Small games for OpenSpiel, and its own tables of policies."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pyspiel

from errai.games.definition import GameDefinition
from errai.games.library import load_game

SMALL_FLOP_HOLDEM = replace(
    load_game("flop-holdem"),
    name="small-flop-holdem",
    num_ranks=3,
    num_suits=2,
    num_board_cards=(0, 2),
    max_raises=(2, 1),
)
SMALL_NOLIMIT = GameDefinition(
    name="small-nolimit",
    is_limit=False,
    blinds=(2, 1),
    stacks=(5, 5),
    first_player=(1, 0),
    num_suits=2,
    num_ranks=3,
    num_hole_cards=1,
    num_board_cards=(0, 1),
)


def tabular(game: Any, probabilities: Callable[[Any], Mapping[int, float]]) -> Any:
    """What `probabilities` answers at every infoset, as the table that OpenSpiel's own best response takes."""
    table: dict[str, list[tuple[int, float]]] = {}
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if not state.is_terminal() and not state.is_chance_node():
            key = state.information_state_string()
            if key not in table:
                table[key] = list(probabilities(state).items())
        waiting += [state.child(action) for action in state.legal_actions()]
    return pyspiel.TabularPolicy(table)
