"""A game of one's own: a small class that answers what a state is, built into an `ExtensiveForm`.

    class MatchingPennies:
        def initial(self):
            return ""

        def node(self, state):
            if len(state) == 2:
                return Terminal(payoff=1.0 if state[0] == state[1] else -1.0)
            player = len(state)
            return Decision(player, infoset=player, children={"heads": state + "h", "tails": state + "t"})

    form = build_custom_form(MatchingPennies())

States may be anything. The key of an infoset is what its player knows: nodes of one player with equal keys are one
infoset, and need the same actions in the same order. Outcomes of chance that have probability 0 are to be left out.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from errai.errors import InputError, SizeError
from errai.trees.extensive_form import ExtensiveForm, NodeKind

State = TypeVar("State")


@dataclass(frozen=True)
class Terminal:
    """The game is over."""

    payoff: float  # to player 0, in chips


@dataclass(frozen=True)
class Chance(Generic[State]):
    """Chance picks one of the outcomes."""

    outcomes: Sequence[tuple[State, float]]  # with their probabilities
    is_public: bool = False  # both players see what was picked


@dataclass(frozen=True)
class Decision(Generic[State]):
    """A player picks one of the actions."""

    player: int
    infoset: Hashable  # the key: all that the player knows
    children: Mapping[str, State]  # by the label of the action


class Game(Protocol[State]):
    """What a game has to answer."""

    def initial(self) -> State: ...

    def node(self, state: State) -> Terminal | Chance[State] | Decision[State]: ...


@dataclass
class _Infoset:
    player: int
    key: Hashable
    actions: tuple[str, ...]


def build_custom_form(
    game: Game[State], *, name: str | None = None, unit_chips: float = 1.0, max_nodes: int = 10_000_000
) -> ExtensiveForm:
    """Walk through the whole of `game`, level by level, and number its nodes and infosets as they come."""
    name = name if name is not None else type(game).__name__
    states = [game.initial()]
    kind: list[int] = []
    first_child: list[int] = []
    num_children: list[int] = []
    infoset: list[int] = []
    probability: list[float] = [1.0]
    payoff: list[float] = []
    is_public: list[bool] = []
    infosets: list[_Infoset] = []
    numbers: dict[tuple[int, Hashable], int] = {}
    for state in states:  # grows while it is walked
        node = game.node(state)
        first_child.append(len(states))
        infoset.append(-1)
        payoff.append(0.0)
        is_public.append(False)
        match node:
            case Terminal():
                kind.append(NodeKind.TERMINAL)
                payoff[-1] = node.payoff
            case Chance():
                kind.append(NodeKind.CHANCE)
                is_public[-1] = node.is_public
                for outcome, outcome_probability in node.outcomes:
                    states.append(outcome)
                    probability.append(outcome_probability)
            case Decision():
                kind.append(node.player)
                number = numbers.setdefault((node.player, node.infoset), len(infosets))
                if number == len(infosets):
                    infosets.append(_Infoset(node.player, node.infoset, tuple(node.children)))
                elif infosets[number].actions != tuple(node.children):
                    raise InputError(
                        f"infoset `{node.infoset}` of player {node.player} must have the same actions at every node; "
                        f"got {list(infosets[number].actions)} and {list(node.children)}"
                    )
                infoset[-1] = number
                states.extend(node.children.values())
                probability.extend([1.0] * len(node.children))
        num_children.append(len(states) - first_child[-1])
        if len(states) > max_nodes:
            raise SizeError(
                f"`{name}` has more than {max_nodes} nodes", hint="raise `max_nodes`, or make the game smaller"
            )

    # A breadth-first walk meets an infoset after the earlier ones of its player: only the players are to be sorted.
    order = sorted(range(len(infosets)), key=lambda number: infosets[number].player)
    rank = np.full(len(infosets) + 1, -1, dtype=np.int32)  # the entry beyond the end serves the nodes without infoset
    rank[order] = np.arange(len(infosets))
    ordered = [infosets[number] for number in order]
    return ExtensiveForm(
        name=name,
        unit_chips=unit_chips,
        kind=np.array(kind, dtype=np.uint8),
        first_child=np.array(first_child, dtype=np.int32),
        num_children=np.array(num_children, dtype=np.int32),
        infoset=rank[infoset],
        probability=np.array(probability),
        payoff_chips=np.array(payoff, dtype=np.float64),
        is_public=np.array(is_public),
        infoset_player=np.array([each.player for each in ordered], dtype=np.uint8),
        first_action=np.cumsum([0] + [len(each.actions) for each in ordered], dtype=np.int32),
        infoset_labels=[str(each.key) for each in ordered],
        action_labels=[action for each in ordered for action in each.actions],
    )
