"""What an abstract bot is made of: a game, a bet menu, a bucket table, and how the abstract game is solved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, Self

from numpy.typing import NDArray

from errai.abstraction.bucket_table import BucketTable, RoundBuckets
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.joint_weights import OnBoards, count_joint_weights
from errai.cards.isomorphism_counts import count_canonical_deals
from errai.errors import InputError
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.in_abstraction import exploitability_joint, in_abstraction_exploitability
from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition, parse_definition
from errai.games.spot import Spot
from errai.games.state import initial_state
from errai.solutions.bot_method_names import METHODS, Method
from errai.solvers.bucket_solver import AbstractGame, BucketSolver, verify_bucket_variant
from errai.solvers.cfr_br import CfrBrSolver
from errai.solvers.dense_solver import DenseSolver
from errai.solvers.sampled_bucket_solver import SampledBucketSolver
from errai.solvers.sampled_cfr_br import SampledCfrBrSolver
from errai.solvers.variants import Variant, find_variant
from errai.trees.betting_tree import BettingTree, build_betting_tree
from errai.trees.bucket_layout import BucketArrays, BucketLayout, can_merge_suits
from errai.trees.joint_tree import build_joint_tree
from errai.trees.public_tree import build_public_tree
from errai.trees.sampled_boards import SampledBoards
from errai.trees.tree_counts import TreeCounts, count_game_hands, count_tree
from errai.trees.whole_game import LEAST_ROUNDS, WholeGame

# Games with at most so many infosets of hands are solved on all boards at once: 100 million take a second.
MOST_INFOSETS_OF_BOARDS = 400_000_000
# Boards whose pairs of hands `dense` counts where there are more.
JOINT_BOARDS = 50_000


class BotSolver(Protocol):
    """What the solvers of abstract games have in common."""

    regrets: BucketArrays
    average: BucketArrays

    @property
    def iteration(self) -> int: ...

    def run(self, iterations: int) -> None: ...

    def state_arrays(self) -> dict[str, NDArray[Any]]: ...

    def restore(self, arrays: dict[str, NDArray[Any]], iteration: int) -> None: ...


@dataclass(frozen=True)
class Solving:
    """A solver, and how far its average is from an equilibrium of the abstract game; None where boards are drawn."""

    solver: BotSolver
    measure: Callable[[], Exploitability | None]


@dataclass(frozen=True)
class BotRequest:
    """A bot without its table.

    `boards` and `cfr-br` walk all boards in every iteration, and `sampled` draws some. Where the game is too large for
    that, `cfr-br` draws flops and walks all boards of these. `dense` counts once how often each pair of buckets meets,
    and who wins, which takes a table with perfect recall.
    """

    definition: GameDefinition
    bets: str = ""  # the menu of a no-limit game
    method: Method = "sampled"
    algorithm: str = "lcfr"
    seed: int = 0
    boards_per_iteration: int = 100
    joint_boards: int = JOINT_BOARDS  # counted by `dense`, drawn by the seed where there are more
    flops_per_iteration: int | None = None  # drawn by `cfr-br`; None: all flops, or 1 where that is too many

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InputError(f"there is no method `{self.method}`", hint=f"the methods are {', '.join(METHODS)}")
        verify_bucket_variant(self.variant)
        if self.boards_per_iteration < 1:
            raise InputError(f"an iteration has at least 1 board; got `{self.boards_per_iteration}`")
        if self.joint_boards < 1:
            raise InputError(f"at least 1 board is counted; got `{self.joint_boards}`")
        if self.bets and self.definition.is_limit:
            raise InputError(f"`{self.definition.name}` is a limit game: it has no bet menu", hint="leave `bets` out")
        if len(self.betting.streets) < self.definition.num_rounds:
            raise InputError(
                f"with the bets `{self.bets}` all betting of `{self.definition.name}` is over in round "
                f"{len(self.betting.streets)}, so it needs no buckets",
                hint="`errai solve` solves it exactly, with the same `--bets`",
            )
        if self.method == "boards" and not can_walk_all_boards(self.game_counts):
            raise InputError(
                f"`boards` walks all boards in every iteration, which takes at most "
                f"{MOST_INFOSETS_OF_BOARDS:,} infosets of hands; `{self.definition.name}` has "
                f"{self.game_counts.infosets:,}",
                hint="`--method sampled` draws boards; `--method dense` is for tables with perfect recall",
            )
        if self.flops_per_iteration is not None and self.method != "cfr-br":
            raise InputError(f"only `cfr-br` draws flops; the method is `{self.method}`", hint="`--method cfr-br`")
        if self.drawn_flops is not None:
            if self.drawn_flops < 1:
                raise InputError(f"an iteration has at least 1 flop; got `{self.drawn_flops}`")
            verify_can_draw_flops(self.definition)

    @cached_property
    def start(self) -> Spot | None:
        """The whole of a no-limit game with its menu; None for a limit game."""
        return None if self.definition.is_limit else Spot(self.definition, bets=self.bets)

    @property
    def variant(self) -> Variant:
        return find_variant(self.algorithm)

    @cached_property
    def betting(self) -> BettingTree:
        if self.start is None:
            return build_betting_tree(initial_state(self.definition))
        return build_betting_tree(self.start.root, self.start.menu)

    @property
    def drawn_flops(self) -> int | None:
        """In an iteration of `cfr-br`; None where no flops are drawn."""
        if self.method != "cfr-br" or self.flops_per_iteration is not None:
            return self.flops_per_iteration
        return None if can_walk_all_boards(self.game_counts) else 1

    @cached_property
    def game_counts(self) -> TreeCounts:
        """The size of the game without buckets."""
        return count_tree(self.betting.streets, count_game_hands(self.definition))

    def to_json(self) -> dict[str, Any]:
        return {
            "definition": format_definition(self.definition),
            "game": self.definition.name,
            "bets": self.bets,
            "method": self.method,
            "algorithm": self.algorithm,
            "seed": self.seed,
            "boards_per_iteration": self.boards_per_iteration,
            "joint_boards": self.joint_boards,
            **({} if self.flops_per_iteration is None else {"flops_per_iteration": self.flops_per_iteration}),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        return cls(
            parse_definition(content["definition"], name=content["game"], source="the saved bot"),
            bets=content["bets"],
            method=content["method"],
            algorithm=content["algorithm"],
            seed=content["seed"],
            boards_per_iteration=content["boards_per_iteration"],
            joint_boards=content["joint_boards"],
            flops_per_iteration=content.get("flops_per_iteration"),
        )


def can_walk_all_boards(game: TreeCounts) -> bool:
    """Whether a game is small enough to be solved without drawing boards."""
    return game.infosets <= MOST_INFOSETS_OF_BOARDS


def verify_can_draw_flops(definition: GameDefinition) -> None:
    """Raise an `InputError` unless a game can be solved one flop after another."""
    if definition.num_rounds < LEAST_ROUNDS or definition.num_board_cards[0] or not definition.num_board_cards[1]:
        raise InputError(
            f"`cfr-br` draws flops of games with {LEAST_ROUNDS} rounds or more, the second of which deals the first "
            f"cards of the board; `{definition.name}` is not one of them",
            hint="`--method sampled` draws boards of any game",
        )
    if not can_merge_suits(definition):
        raise InputError(
            f"`cfr-br` draws flops of games with flushes; `{definition.name}` has none",
            hint="`--method sampled` draws boards of any game",
        )


def num_counted_boards(cards: CardRounds, joint_boards: int) -> tuple[int, bool]:
    """How many boards `dense` counts, and whether they are all."""
    every = count_canonical_deals(cards.deck, cards.num_board_cards, flushes=True)
    return min(joint_boards, every), every <= joint_boards


@dataclass(frozen=True)
class BotDesign:
    """All that decides the numbers of a bot."""

    request: BotRequest
    table: BucketTable

    def __post_init__(self) -> None:
        if self.table.cards != CardRounds.of(self.request.definition):
            raise InputError(
                f"the table `{self.table.name}` was made for a game that deals other cards than "
                f"`{self.request.definition.name}`",
                hint="make a table for this game",
            )

    @cached_property
    def layout(self) -> BucketLayout:
        return BucketLayout(self.request.betting, self.table.counts)

    @property
    def num_boards(self) -> int | None:
        """Whose pairs of hands `dense` counts; None for other methods."""
        if self.request.method != "dense":
            return None
        return num_counted_boards(self.table.cards, self.request.joint_boards)[0]

    def begin(self, *, num_threads: int, on_boards: OnBoards = lambda done, of: None) -> Solving:
        """A solver that has not begun, on what it walks in every iteration; `dense` reports the boards it counts."""
        match self.request.method:
            case "sampled":
                return self._draw_boards(num_threads)
            case "dense":
                return self._count_pairs(num_threads, on_boards)
            case "cfr-br" if self.request.drawn_flops is not None:
                return self._draw_flops(num_threads, self.request.drawn_flops)
            case "boards" | "cfr-br":
                return self._walk_boards(num_threads)

    def _draw_boards(self, num_threads: int) -> Solving:
        request = self.request
        solver = SampledBucketSolver(
            SampledBoards(request.definition, request.betting, self.table),
            variant=request.variant,
            seed=request.seed,
            boards_per_iteration=request.boards_per_iteration,
            num_threads=num_threads,
        )
        return Solving(solver, lambda: None)

    def _draw_flops(self, num_threads: int, flops_per_iteration: int) -> Solving:
        request = self.request
        solver = SampledCfrBrSolver(
            WholeGame(request.definition, menu=None if request.start is None else request.start.menu),
            self.table,
            variant=request.variant,
            seed=request.seed,
            flops_per_iteration=flops_per_iteration,
            num_threads=num_threads,
        )
        return Solving(solver, lambda: None)

    def _count_pairs(self, num_threads: int, on_boards: OnBoards) -> Solving:
        # Counted again whenever a build goes on: a minute or two for `pr-10`, where a file would take 1.6 GB.
        request = self.request
        joint = count_joint_weights(
            self.table,
            max_boards=request.joint_boards,
            seed=request.seed,
            num_threads=num_threads,
            on_boards=on_boards,
        )
        tree = build_joint_tree(request.definition, request.betting, joint)
        solver = DenseSolver(tree, variant=request.variant, num_threads=num_threads)
        return Solving(solver, lambda: exploitability_joint(tree, solver.flat_average, num_threads=num_threads))

    def _walk_boards(self, num_threads: int) -> Solving:
        request = self.request
        tree = build_public_tree(
            request.definition,
            betting=request.betting,
            precision="float32",
            merge_suits=can_merge_suits(request.definition),
        )
        game = AbstractGame(tree, self.table)
        make = BucketSolver if request.method == "boards" else CfrBrSolver
        solver = make(game, variant=request.variant, num_threads=num_threads)
        return Solving(
            solver,
            lambda: in_abstraction_exploitability(
                tree, game.bucketed_tree(), game.layout, solver.average, num_threads=num_threads
            ),
        )

    def to_json(self) -> dict[str, Any]:
        """The design without the labels of its table, which are arrays."""
        rounds = [
            {"num_buckets": stored.num_buckets, "grouping": list(stored.grouping)} for stored in self.table.rounds
        ]
        table = {"name": self.table.name, "perfect_recall": self.table.perfect_recall, "rounds": rounds}
        return self.request.to_json() | {"table": table}

    def table_arrays(self) -> dict[str, NDArray[Any]]:
        """The labels of the table."""
        arrays: dict[str, NDArray[Any]] = {}
        for index, stored in enumerate(self.table.rounds):
            arrays[f"table_labels_{index}"] = stored.labels
            if stored.within is not None:
                arrays[f"table_within_{index}"] = stored.within
        return arrays

    @classmethod
    def from_json(cls, content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """What `to_json` and `table_arrays` wrote."""
        request, table = BotRequest.from_json(content), content["table"]
        rounds = tuple(
            RoundBuckets(
                num_buckets=entry["num_buckets"],
                grouping=tuple(entry["grouping"]),
                labels=arrays[f"table_labels_{index}"],
                within=arrays.get(f"table_within_{index}"),
            )
            for index, entry in enumerate(table["rounds"])
        )
        cards = CardRounds.of(request.definition)
        return cls(request, BucketTable(table["name"], cards, table["perfect_recall"], rounds))
