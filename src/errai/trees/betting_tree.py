"""The betting tree of a game or a spot, for any number of streets, grouped into lanes of one shape.

A *lane* is a betting sequence that reaches a street. Its betting on that street is a small tree. Lanes whose trees
differ only in chips have one *shape*, and form a group that can be computed side by side: chips belong to the node and
the lane, all else to the shape. In a limit game every street has one group.

    streets -> groups -> shape: nodes and ends in depth-first order
                         lanes: chips at every node and end, and where every end that goes on leads

Nodes have 1 to 8 actions, in the order fold, check or call, bets or raises from small to large. Only the first node
of a game without limps has no call.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.games.bet_menu import BetMenu
from errai.games.menu_sizes import available_actions
from errai.games.rake import Rake
from errai.games.state import CALL, FOLD, Action, BettingState, Call, Fold, Raise
from errai.trees.betting_size import count_betting_tree

MAX_ACTIONS = 8
MAX_NODES = 500_000  # about 40 seconds to build; a larger tree is refused in two

Chips = NDArray[np.int64]


class EndKind(IntEnum):
    """How the betting of a street can end."""

    FOLD = 0
    SHOWDOWN = 1
    ALL_IN = 2  # a showdown with cards to come: the rest of the board is dealt without betting
    NEXT_STREET = 3


@dataclass(frozen=True)
class Edge:
    """An action, and the node or the end of the street that it leads to."""

    letter: str  # `f`, `c` or `r`
    node: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class ShapeNode:
    """A decision."""

    player: int
    edges: tuple[Edge, ...]

    @property
    def num_actions(self) -> int:
        return len(self.edges)

    @property
    def has_fold(self) -> bool:
        return self.edges[0].letter == "f"

    @property
    def call(self) -> Edge:
        """The check or call; where a menu has none, the smallest raise takes its place."""
        return self.edges[self.has_fold]

    @property
    def raise_nodes(self) -> tuple[int, ...]:
        """Where the raises beyond `call` lead, from small to large; a raise never ends a street."""
        return tuple(edge.node for edge in self.edges[self.has_fold + 1 :] if edge.node is not None)


@dataclass(frozen=True)
class BettingShape:
    """The betting of a street without the chips. Node 0 is where it begins."""

    nodes: tuple[ShapeNode, ...]
    ends: tuple[EndKind, ...]

    @cached_property
    def call_ends(self) -> tuple[int, ...]:
        """The ends that calls lead to; the others are folds."""
        return tuple(end for end, kind in enumerate(self.ends) if kind is not EndKind.FOLD)

    @cached_property
    def first_actions(self) -> tuple[int, ...]:
        """For each node, the actions of its player at the nodes before it."""
        counts = [0, 0]
        firsts = []
        for node in self.nodes:
            firsts.append(counts[node.player])
            counts[node.player] += node.num_actions
        return tuple(firsts)

    @cached_property
    def ordinals(self) -> tuple[int, ...]:
        """For each node, the nodes of its player before it."""
        return tuple(
            sum(other.player == node.player for other in self.nodes[:index]) for index, node in enumerate(self.nodes)
        )

    def num_nodes(self, player: int) -> int:
        return sum(node.player == player for node in self.nodes)

    def num_actions(self, player: int) -> int:
        """Actions of all nodes of a player."""
        return sum(len(node.edges) for node in self.nodes if node.player == player)


@dataclass(frozen=True, eq=False)
class LaneGroup:
    """The lanes of one street that have one shape."""

    shape: BettingShape
    starts: tuple[BettingState, ...]  # of each lane
    node_committed: Chips  # [node][lane][player]: put in since the root of the tree
    end_committed: Chips  # [end][lane][player]
    next_group: NDArray[np.int32]  # [end][lane] for the ends that go on; -1 at others
    next_lane: NDArray[np.int32]

    @property
    def num_lanes(self) -> int:
        return len(self.starts)

    @cached_property
    def node_states(self) -> tuple[tuple[BettingState, ...], ...]:
        """The betting at every node, [node][lane]."""
        states: list[tuple[BettingState, ...]] = [()] * len(self.shape.nodes)
        states[0] = self.starts
        for index, node in enumerate(self.shape.nodes):
            for number, edge in enumerate(node.edges):
                if edge.node is not None:
                    states[edge.node] = tuple(
                        state.apply(self.action(index, number, lane)) for lane, state in enumerate(states[index])
                    )
        return tuple(states)

    def action(self, node: int, number: int, lane: int) -> Action:
        """One of the actions of a node, in a lane."""
        edge = self.shape.nodes[node].edges[number]
        match edge.letter:
            case "f":
                return FOLD
            case "c":
                return CALL
            case _:
                assert edge.node is not None
                return Raise(int(self.node_committed[edge.node, lane].max()))

    def actions(self, node: int, lane: int) -> tuple[Action, ...]:
        """All actions of a node, in a lane."""
        return tuple(self.action(node, number, lane) for number in range(self.shape.nodes[node].num_actions))


@dataclass(frozen=True, eq=False)
class StreetBetting:
    """All lanes of a street, the groups in the order in which their first lanes are reached."""

    round: int
    groups: tuple[LaneGroup, ...]

    @property
    def num_lanes(self) -> int:
        return sum(group.num_lanes for group in self.groups)

    def num_nodes(self, player: int) -> int:
        return sum(group.num_lanes * group.shape.num_nodes(player) for group in self.groups)

    def num_actions(self, player: int) -> int:
        return sum(group.num_lanes * group.shape.num_actions(player) for group in self.groups)

    def num_ends(self, kind: EndKind) -> int:
        return sum(group.num_lanes * group.shape.ends.count(kind) for group in self.groups)


@dataclass(frozen=True, eq=False)
class BettingTree:
    """The betting from `roots` on; `dead_pot` chips lay in the middle before the first was put in."""

    roots: tuple[BettingState, ...]
    menu: BetMenu | None
    dead_pot: int
    streets: tuple[StreetBetting, ...]
    rake: Rake | None = None

    @property
    def root(self) -> BettingState:
        return self.roots[0]

    def actions(self, state: BettingState) -> tuple[Action, ...]:
        return available_actions(state, self.menu, dead_pot=self.dead_pot)

    @cached_property
    def num_nodes(self) -> int:
        return sum(street.num_nodes(player) for street in self.streets for player in (0, 1))


def build_betting_tree(
    root: BettingState,
    menu: BetMenu | None = None,
    *,
    dead_pot: int = 0,
    rake: Rake | None = None,
    max_nodes: int = MAX_NODES,
) -> BettingTree:
    """The tree below `root`, the start of a street; without a menu, of a limit game."""
    return build_betting_trees((root,), menu, dead_pot=dead_pot, rake=rake, max_nodes=max_nodes)


@lru_cache(maxsize=16)
def build_betting_trees(
    roots: tuple[BettingState, ...],
    menu: BetMenu | None = None,
    *,
    dead_pot: int = 0,
    rake: Rake | None = None,
    max_nodes: int = MAX_NODES,
) -> BettingTree:
    """The trees below several starts of one street, side by side."""
    if any(root.is_terminal or root.history[-1] or root.round != roots[0].round for root in roots):
        raise InputError("a betting tree begins at the start of a street", hint="end the betting with `/`, as in `rc/`")
    count_betting_tree(roots, menu, dead_pot=dead_pot, max_nodes=max_nodes)  # what is too large is refused at once
    builder = _Builder(menu, dead_pot)
    streets: list[StreetBetting] = []
    arrivals = [_Arrival(root) for root in roots]
    while arrivals:
        street, arrivals = builder.build_street(arrivals)
        streets.append(street)
    return BettingTree(roots, menu, dead_pot, tuple(streets), rake)


@dataclass(frozen=True)
class _Arrival:
    """The start of a lane, and the group, end and lane of the street before that it continues."""

    start: BettingState
    above: LaneGroup | None = None
    end: int = 0
    lane: int = 0

    def link(self, group: int, lane: int) -> None:
        """Note in the street before where its end leads."""
        if self.above is not None:
            self.above.next_group[self.end, self.lane] = group
            self.above.next_lane[self.end, self.lane] = lane


@dataclass
class _LaneBetting:
    """The betting of one lane on its street, as it is walked."""

    nodes: list[ShapeNode | None]
    node_committed: list[tuple[int, int]]
    ends: list[EndKind]
    end_states: list[BettingState]

    @property
    def shape(self) -> BettingShape:
        return BettingShape(tuple(node for node in self.nodes if node is not None), tuple(self.ends))


class _Builder:
    def __init__(self, menu: BetMenu | None, dead_pot: int) -> None:
        self._menu = menu
        self._dead_pot = dead_pot

    def build_street(self, arrivals: list[_Arrival]) -> tuple[StreetBetting, list[_Arrival]]:
        """The street that `arrivals` begin, one lane each, and the lanes of the next one."""
        members: dict[BettingShape, list[tuple[BettingState, _LaneBetting]]] = {}
        group_numbers: dict[BettingShape, int] = {}
        for arrival in arrivals:
            betting = _LaneBetting([], [], [], [])
            self._visit(arrival.start, betting)
            lanes = members.setdefault(betting.shape, [])
            arrival.link(group_numbers.setdefault(betting.shape, len(group_numbers)), len(lanes))
            lanes.append((arrival.start, betting))
        groups = tuple(_group(shape, lanes) for shape, lanes in members.items())
        going_on = [
            _Arrival(betting.end_states[end], group, end, lane)
            for group, lanes in zip(groups, members.values(), strict=True)
            for lane, (_, betting) in enumerate(lanes)
            for end, kind in enumerate(group.shape.ends)
            if kind is EndKind.NEXT_STREET
        ]
        return StreetBetting(arrivals[0].start.round, groups), going_on

    def _visit(self, state: BettingState, lane: _LaneBetting) -> int:
        assert state.actor is not None
        index = len(lane.nodes)
        lane.nodes.append(None)
        lane.node_committed.append(state.committed)
        actions = available_actions(state, self._menu, dead_pot=self._dead_pot)
        if len(actions) > MAX_ACTIONS:
            raise InputError(
                f"a decision has at most {MAX_ACTIONS} actions; the bet menu offers {len(actions)} in round "
                f"{state.round + 1}",
                hint="take fewer sizes, or drop close ones with `--merge 0.1`",
            )
        lane.nodes[index] = ShapeNode(state.actor, tuple(self._follow(state, action, lane) for action in actions))
        return index

    def _follow(self, state: BettingState, action: Action, lane: _LaneBetting) -> Edge:
        after = state.apply(action)
        letter = _letter(action)
        if not after.is_terminal and after.round == state.round:
            return Edge(letter, node=self._visit(after, lane))
        lane.ends.append(_end_kind(state, after))
        lane.end_states.append(after)
        return Edge(letter, end=len(lane.ends) - 1)


def _group(shape: BettingShape, lanes: list[tuple[BettingState, _LaneBetting]]) -> LaneGroup:
    unlinked = np.full((len(shape.ends), len(lanes)), -1, dtype=np.int32)
    return LaneGroup(
        shape=shape,
        starts=tuple(start for start, _ in lanes),
        node_committed=_stacked([betting.node_committed for _, betting in lanes]),
        end_committed=_stacked([[end.committed for end in betting.end_states] for _, betting in lanes]),
        next_group=unlinked,
        next_lane=unlinked.copy(),
    )


def _end_kind(state: BettingState, after: BettingState) -> EndKind:
    if after.folded_player is not None:
        return EndKind.FOLD
    if not after.is_terminal:
        return EndKind.NEXT_STREET
    return EndKind.SHOWDOWN if state.round + 1 == state.definition.num_rounds else EndKind.ALL_IN


def _letter(action: Action) -> str:
    match action:
        case Fold():
            return "f"
        case Call():
            return "c"
        case Raise():
            return "r"


def _stacked(lanes: list[list[tuple[int, int]]]) -> Chips:
    """[node or end][lane][player]"""
    return np.ascontiguousarray(np.array(lanes, dtype=np.int64).reshape(len(lanes), -1, 2).transpose(1, 0, 2))
