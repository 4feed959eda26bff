"""What the strategy of a run says about one public state of the whole game.

The first round is in the ledger and a flop's own betting in one section of its file; what hands are worth there takes
passes over the lanes below the state, through the file of the flop or, before it, those of all flops. From the turn
on, what hands are worth is asked of the spot that the state lies in, taken out of the run: its tree, the ranges that
reach it, and the numbers of its lanes alone. A spot is asked as any other.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError, StorageError
from errai.games.acpc import format_betting, parse_betting
from errai.games.state import BettingState
from errai.games.strategies import StrategyKind
from errai.passes.preflop_pass import PreflopPass
from errai.passes.section_pass import Mode, PassArrays, RootNode, SectionSource, pass_over_sections, read_node
from errai.reports.state import StateReport
from errai.runs.flop_worker import ArrayName, FlopLostError
from errai.runs.run import WholeRun
from errai.solutions.public_state import verify_board
from errai.solutions.tree_query import Judge, ValueQuestion, chips_at_node, query_tree, rows_of_hands
from errai.storage.flop_file import FlopFile, NoSections
from errai.trees.betting_tree import LaneGroup, build_betting_tree
from errai.trees.lane_arrays import LaneArray, node_values, normalise, set_node_values, zeros
from errai.trees.public_tree import PublicTree, TreeNode, build_public_tree
from errai.trees.tree_path import PlacedBoard, TreePath, place_board, trace_streets

Float64Array = NDArray[np.float64]
Float32Array = NDArray[np.float32]
FlopTrees = Callable[[int], PublicTree]
OnFlop = Callable[[int, int], None]  # how many flops are done, and how many there are to do
_FIRST_ROUND_OF_SPOTS = 2
_MOST_TREES = 8


def query_run(
    reader: "RunReader",
    state: BettingState,
    cards: tuple[int, ...],
    *,
    with_values: bool | None,
    num_threads: int,
    on_flop: OnFlop | None,
) -> StateReport:
    """The strategy of a run at one public state.

    Values before the flop take four passes over all flops, which `on_flop` counts; without `with_values` they are
    computed from the flop on.
    """
    run = reader.run
    verify_board(state, cards)
    if with_values is None:
        with_values = state.round > 0
    if with_values and state.round == 0 and run.game.flop_factors is not None:
        raise InputError(
            "the value of a hand before the flop takes all flops, each as likely as it is; "
            f"this run has a choice of {len(run.game.flops):,}",
            hint="leave `--values` out, or ask about a state on the flop",
        )
    query = _StateQuery(reader, state, cards, num_threads)
    try:
        if with_values and state.round >= _FIRST_ROUND_OF_SPOTS:
            return query.spot_report()
        report = query.report()
        return query.with_values(report, on_flop) if with_values else report
    except FlopLostError as lost:
        raise StorageError(
            str(lost), hint="if the run is going on, ask its checkpoint, or ask again when the run has stopped"
        ) from lost


def flop_trees(run: WholeRun) -> FlopTrees:
    """The trees of a run's flops, of which the last ones are kept: to build one takes seconds in hold'em."""
    return lru_cache(maxsize=_MOST_TREES)(run.game.flop_tree)


class RunReader:
    """Reads the strategy of a run; trees and files of the last flops stay open."""

    def __init__(self, run: WholeRun, strategy: StrategyKind | None = None, *, trees: FlopTrees | None = None) -> None:
        self.run = run
        self.strategy = run.readable_strategy(strategy)
        self.weights = run.preflop_state().weights(self.strategy)  # of the first round
        self.tree = trees or flop_trees(run)
        self._worker = run.flop_worker()
        # A flop may be one pass ahead of the others, and then its older files are gone.
        self._passes_done = run.passes_done_by_flop()
        self._sources: dict[tuple[int, int], FlopFile | NoSections] = {}

    def __enter__(self) -> "RunReader":
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._sources):
            self._close(key)

    def _close(self, key: tuple[int, int]) -> None:
        source = self._sources.pop(key)
        if isinstance(source, FlopFile):
            source.close()

    def source(self, flop: int, player: int) -> SectionSource:
        """A player's numbers on a flop."""
        if (flop, player) not in self._sources:
            if len(self._sources) >= 2 * _MOST_TREES:
                self._close(next(key for key in self._sources if key[0] != flop))
            self._sources[flop, player] = self._worker.open_array(
                flop, ArrayName(self.strategy, player), self._passes_done[flop]
            )
        return self._sources[flop, player]

    def probabilities(self, state: BettingState, cards: tuple[int, ...]) -> Float64Array:
        """[hand][action] of the player to act at a public state; NaN where a hand is not possible."""
        return _StateQuery(self, state, cards).probabilities()


@dataclass
class _StateQuery:
    """A question, and where its answer lies."""

    reader: RunReader
    state: BettingState
    cards: tuple[int, ...]
    num_threads: int = 1

    def __post_init__(self) -> None:
        self.run = self.reader.run
        game = self.run.game
        dealt = self.run.settings.definition.num_board_cards[1]
        self.placed: list[PlacedBoard] = list(place_board(game.top, self.cards[:dealt]))
        self.bettings = [game.top.rounds[0].betting]
        self.tree: PublicTree | None = None
        if self.state.round > 0:
            self.flop = self.placed[1].index
            self.tree = self.reader.tree(self.flop)
            relabelling = self.placed[1].relabelling
            self.tree_cards = tuple(int(relabelling[card]) for card in self.cards)
            below = place_board(self.tree, self.tree_cards)
            self.placed[1:] = [_after(self.placed[1], board, self.cards) for board in below]
            self.bettings += [tree_round.betting for tree_round in self.tree.rounds]
        self.path: TreePath = trace_streets(self.bettings, self.state.history)

    def probabilities(self) -> Float64Array:
        return self._probabilities(self.path.node)

    def report(self) -> StateReport:
        """The probabilities and the ranges that get here."""
        reach = self._reach(self.path)
        probabilities = self.probabilities()
        return StateReport(
            definition=self.run.settings.definition,
            state=self.state,
            board=self.cards,
            probabilities=probabilities,
            reach=reach,
            value_chips=None,
            best_response_chips=None,
            action_value_chips=None,
            start=self.run.settings.start,
        )

    def with_values(self, report: StateReport, on_flop: OnFlop | None) -> StateReport:
        """What the hands of a report on the flop or before it are worth."""
        judge: Judge
        node = self.path.node
        if node.round_index > 0:
            assert self.tree is not None
            tree, node = self.tree, replace(node, round_index=0)
            judge = partial(self._values_on_flop, root_node=RootNode(node.group, node.node_index))
        else:
            tree = self.run.game.top
            judge = partial(self._values_before_flop, root_node=RootNode(node.group, node.node_index), on_flop=on_flop)
        chips = chips_at_node(tree, node, self.placed[-1], self.state, report.reach, judge)
        return replace(
            report,
            value_chips=chips.playing_on,
            best_response_chips=chips.at_best,
            action_value_chips=chips.by_action,
        )

    def _values_on_flop(self, asks: list[ValueQuestion], *, root_node: RootNode) -> list[NDArray[Any]]:
        return [
            self._flop_values(self.flop, ask, ask.opponent_reach, root_node, action_values=ask.action_values)
            for ask in asks
        ]

    def _values_before_flop(
        self, asks: list[ValueQuestion], *, root_node: RootNode, on_flop: OnFlop | None
    ) -> list[NDArray[Any]]:
        """All at once, flop by flop: the tree of a flop takes as long as its values."""
        game, weights = self.run.game, self.reader.weights
        walks = [
            PreflopPass(
                game,
                mode=_mode(ask),
                player=ask.player,
                own=None if ask.best_response else weights[ask.player].values,
                opponent=weights[1 - ask.player].values,
                node=root_node,
                reach=ask.opponent_reach,
            )
            for ask in asks
        ]
        reaches = [walk.begin() for walk in walks]
        for flop in range(self.run.num_flops):
            for ask, walk, next_reach in zip(asks, walks, reaches, strict=True):
                walk.add_flop(flop, self._flop_values(flop, ask, game.flop_reach(flop, next_reach)))
            if on_flop is not None:
                on_flop(flop + 1, self.run.num_flops)
        return [walk.end(action_values=ask.action_values) for ask, walk in zip(asks, walks, strict=True)]

    def _flop_values(
        self,
        flop: int,
        ask: ValueQuestion,
        opponent_reach: Float32Array,
        root_node: RootNode | None = None,
        *,
        action_values: Float32Array | None = None,
    ) -> Float32Array:
        """What each hand is worth at a node of a flop's betting, [hand][padded lane]."""
        source = self.reader.source
        own = None if ask.best_response else source(flop, ask.player)
        return pass_over_sections(
            self.reader.tree(flop),
            PassArrays(own, source(flop, 1 - ask.player)),
            mode=_mode(ask),
            player=ask.player,
            reach=opponent_reach,
            node=root_node,
            num_threads=self.num_threads,
            action_values=action_values,
        ).value

    def spot_report(self) -> StateReport:
        """The spot at the start of the turn, asked as any spot is, with what its hands are worth."""
        assert self.tree is not None
        definition = self.run.settings.definition
        history = self.state.history
        start = parse_betting(definition, "/".join(format_betting(self.state).split("/")[:_FIRST_ROUND_OF_SPOTS]) + "/")
        turn = self.placed[_FIRST_ROUND_OF_SPOTS]
        path = trace_streets(self.bettings, (*history[:_FIRST_ROUND_OF_SPOTS], ()))
        reach = self._reach(path)
        if not all(own.any() for own in reach):
            return self.report()  # one of the players never gets here, so that no hand meets another
        # On the tree's board, with hands as they are called there.
        ranges = tuple(np.zeros_like(own) for own in reach)
        for relabelled, own in zip(ranges, reach, strict=True):
            relabelled[turn.tree_raw_hand] = own
        num_cards = sum(definition.num_board_cards[: _FIRST_ROUND_OF_SPOTS + 1])
        board = self.tree.rounds[1].boards[turn.index].cards
        assert len(board) == num_cards
        spot = build_public_tree(
            definition,
            betting=build_betting_tree(start, self.run.game.menu),
            board=board,
            ranges=(ranges[0], ranges[1]),
            precision="float32",
            keep_all_hands=True,
        )
        weights = self._spot_weights(spot)
        last = self.placed[-1]
        on_tree = tuple(int(last.relabelling[card]) for card in self.cards)
        report = query_tree(
            spot,
            weights,
            state=self.state,
            board=board if len(on_tree) == num_cards else (*board, *on_tree[num_cards:]),
            with_values=True,
            num_threads=self.num_threads,
            start=self.run.settings.start,
        )

        def back(pair: tuple[Float64Array, Float64Array] | None) -> tuple[Float64Array, Float64Array] | None:
            return None if pair is None else (pair[0][last.tree_raw_hand], pair[1][last.tree_raw_hand])

        by_action = None if report.action_value_chips is None else report.action_value_chips[last.tree_raw_hand]
        reach_here = back(report.reach)
        assert reach_here is not None
        return replace(
            report,
            board=self.cards,
            probabilities=report.probabilities[last.tree_raw_hand],
            reach=reach_here,
            value_chips=back(report.value_chips),
            best_response_chips=back(report.best_response_chips),
            action_value_chips=by_action,
        )

    def _spot_weights(self, spot: PublicTree) -> tuple[LaneArray, LaneArray]:
        """The numbers of the spot's lanes: those of the run's lanes with the same betting."""
        assert self.tree is not None
        weights = (zeros(spot, 0), zeros(spot, 1))
        for round_index, spot_round in enumerate(spot.rounds):
            places = [self._run_lanes(group) for group in spot_round.groups]
            for board_index, board in enumerate(spot_round.boards):
                placed = place_board(self.tree, board.cards)[-1]
                for group_index, (group, (run_group, lanes)) in enumerate(zip(spot_round.groups, places, strict=True)):
                    for node_index, node in enumerate(group.shape.nodes):
                        rows = placed.tree_hands[node.player][board.hands[node.player].raw_hands]
                        values = read_node(
                            self.tree,
                            self._source(node.player),
                            round_index=round_index + 1,
                            board_index=placed.index,
                            group=run_group,
                            node_index=node_index,
                            lanes=range(min(lanes), max(lanes) + 1),
                        )[:, :, lanes - min(lanes)]
                        set_node_values(
                            spot,
                            weights[node.player],
                            values[rows].astype(np.float64),
                            round_index=round_index,
                            board_index=board_index,
                            group=group_index,
                            node_index=node_index,
                        )
        return weights

    def _run_lanes(self, group: LaneGroup) -> tuple[int, NDArray[np.int64]]:
        """The group of the run's tree that holds the lanes of a spot's group, which have its shape, and where."""
        nodes = [trace_streets(self.bettings, start.history).node for start in group.starts]
        return nodes[0].group, np.array([node.lane for node in nodes])

    def _reach(self, path: TreePath) -> tuple[Float64Array, Float64Array]:
        """The probabilities of each player's own actions on the way, for all hands that can be held here."""
        possible = self.placed[path.node.round_index].tree_hands[0] >= 0  # the same hands for both players
        reach = (possible.astype(np.float64), possible.astype(np.float64))
        for node, action in path.steps:
            player = self._player(node)
            reach[player][possible] *= self._probabilities(node)[possible, action]
        return reach

    def _probabilities(self, node: TreeNode) -> Float64Array:
        """[hand][action] of a node's player; NaN where a hand is not possible."""
        board = self.placed[node.round_index]
        player = self._player(node)
        if node.round_index == 0:
            numbers = node_values(
                self.run.game.top,
                self.reader.weights[player],
                round_index=0,
                board_index=0,
                group=node.group,
                node_index=node.node_index,
            )
        else:
            assert self.tree is not None
            numbers = read_node(
                self.tree,
                self._source(player),
                round_index=node.round_index - 1,
                board_index=board.index,
                group=node.group,
                node_index=node.node_index,
                lanes=range(node.lane, node.lane + 1),
            ).astype(np.float64)
        by_hand = normalise(numbers)[:, :, 0]
        return rows_of_hands(by_hand, board.tree_hands[player])

    def _player(self, node: TreeNode) -> int:
        return self.bettings[node.round_index].groups[node.group].shape.nodes[node.node_index].player

    def _source(self, player: int) -> SectionSource:
        return self.reader.source(self.flop, player)


def _mode(ask: ValueQuestion) -> Mode:
    return "best_response" if ask.best_response else "evaluate"


def _after(above: PlacedBoard, below: PlacedBoard, cards: tuple[int, ...]) -> PlacedBoard:
    """A board of a flop's tree, for cards as they are called before the flop is made the tree's."""
    return PlacedBoard(
        cards[: len(below.cards)],
        below.index,
        below.tree_raw_hand[above.tree_raw_hand],
        (below.tree_hands[0][above.tree_raw_hand], below.tree_hands[1][above.tree_raw_hand]),
        below.relabelling[above.relabelling],
    )
