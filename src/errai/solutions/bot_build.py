"""Building a bot in one go: the table, the abstract game, the solve, and the directory where it is saved.

1. A bot that is in the directory already goes on from there, if it is the one that was ordered. It has its own copy of
   its table.
2. Otherwise the table is taken from the cache, and built where it is not there.
3. The bot is saved at intervals, at the end and when it is stopped, each time whole or not at all. So a process that is
   killed loses what it has done since the last save, and never more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter

from errai.abstraction.build_cost import estimate_build
from errai.abstraction.build_steps import OnProgress as OnTableProgress
from errai.abstraction.build_steps import ignore_progress
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.recipe import Recipe, parse_recipe
from errai.abstraction.table_cache import TableCache
from errai.errors import InputError, StorageError
from errai.reports.bot import BotPlan
from errai.solutions.bot import Bot, BotProgress, OnProgress, is_bot
from errai.solutions.bot_cost import BotCost
from errai.solutions.bot_design import BotDesign, BotRequest
from errai.solutions.bot_method import method_reason
from errai.solutions.machine_memory import verify_fits
from errai.storage.solution_directory import is_saved, read_solution, verify_can_write
from errai.trees.bucket_layout import BucketLayout

_SECONDS_BETWEEN_SAVES = 60.0
_LARGEST_SHARE_OF_SAVES = 0.05  # of the time, where a save takes long


@dataclass(frozen=True)
class BotOrder:
    """What is to be built: a request, the name of a table, and how many iterations to solve."""

    request: BotRequest
    table: str
    iterations: int

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise InputError(f"a bot is solved for at least 1 iteration; got `{self.iterations}`")
        if self.request.method == "dense" and not self.recipe.perfect_recall:
            raise InputError(
                f"`dense` needs a table with perfect recall, which `{self.table}` does not have",
                hint="use a table such as `pr-10`, or `--method sampled`",
            )

    @cached_property
    def recipe(self) -> Recipe:
        return parse_recipe(self.table, CardRounds.of(self.request.definition))


def plan_bot(
    order: BotOrder, tables: TableCache, *, num_threads: int, directory: Path | None = None, iterations_done: int = 0
) -> BotPlan:
    """What building a bot takes, before anything is built."""
    request, recipe = order.request, order.recipe
    counts = tuple(map(recipe.num_buckets, range(recipe.cards.num_rounds)))
    layout = BucketLayout(request.betting, counts)
    table = estimate_build(recipe, num_threads=num_threads)
    is_built = iterations_done > 0 or tables.path(recipe.name, recipe.cards).exists()
    cost = BotCost(request, counts, num_threads)
    solving_bytes = cost.memory_bytes + 2 * sum(table.canonical_hands)
    iterations_left = max(order.iterations - iterations_done, 0)
    return BotPlan(
        game=request.definition.name,
        bets=request.bets,
        table=recipe.name,
        buckets=counts,
        method=request.method,
        method_reason=method_reason(request, recipe),
        algorithm=request.algorithm,
        infosets=layout.num_infosets,
        infoset_actions=layout.num_infoset_actions,
        memory_bytes=solving_bytes if is_built else max(solving_bytes, table.memory_bytes),
        table_seconds=0.0 if is_built else table.core_seconds / num_threads,
        iterations=order.iterations,
        iterations_done=iterations_done,
        solve_seconds=iterations_left * cost.seconds_per_iteration + cost.seconds_before,
        directory=None if directory is None else str(directory),
    )


def find_bot(order: BotOrder, directory: Path, *, num_threads: int) -> Bot | None:
    """The bot in a directory, if it is the one that was ordered; raises an `InputError` if it is another one."""
    if not is_saved(directory):
        verify_can_write(directory)
        return None
    if not is_bot(directory):
        read_solution(directory)  # which names what is damaged
        raise InputError(
            f"`{directory}` holds a saved solution that is not a bot", hint="name another directory: `--out DIR`"
        )
    bot = Bot.open(directory, num_threads=num_threads)
    found, wanted = bot.design.request.to_json(), order.request.to_json()
    found["table"], wanted["table"] = bot.design.table.name, order.recipe.name
    for name in wanted | found:
        if found.get(name) != wanted.get(name):
            raise InputError(
                f"`{directory}` holds a bot with `{name}` `{found.get(name)}`; got `{wanted.get(name)}`",
                hint="name another directory: `--out DIR`",
            )
    return bot


def build_bot(
    order: BotOrder,
    directory: Path,
    *,
    tables: TableCache,
    num_threads: int = 1,
    on_table_progress: OnTableProgress = ignore_progress,
    on_progress: OnProgress | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Bot:
    """Build a bot, or go on with the one in `directory`; it is saved there."""
    bot = find_bot(order, directory, num_threads=num_threads)
    done = 0 if bot is None else bot.iteration
    plan = plan_bot(order, tables, num_threads=num_threads, iterations_done=done)
    if done >= order.iterations:
        assert bot is not None
        return bot
    verify_fits(plan.memory_bytes, hint=f"`{_smaller(order.request, num_threads)}` takes less")
    if bot is None:
        table = tables.build(order.recipe, num_threads=num_threads, on_progress=on_table_progress)
        bot = Bot(BotDesign(order.request, table), num_threads=num_threads)
    saves = _Saves(bot, directory)

    def report(progress: BotProgress) -> None:
        if on_progress is not None:
            on_progress(progress)
        if progress.counted is None:
            saves.save_if_due()

    bot.run(order.iterations, on_progress=report, should_stop=should_stop)
    if bot.iteration > done:
        saves.save()
    return bot


def _smaller(request: BotRequest, num_threads: int) -> str:
    """The option that saves the most memory."""
    if request.drawn_flops is not None and num_threads > 1:
        return "--threads 1"  # which all have a response of their own
    return "--method sampled" if request.method in ("dense", "cfr-br") else "--table ir-570-phs"


class _Saves:
    """Saves a bot every now and then, and never over another one, nor over one that has gone further."""

    def __init__(self, bot: Bot, directory: Path) -> None:
        self._bot = bot
        self._directory = directory
        self._saved_at = perf_counter()
        self._save_seconds = 0.0

    def save_if_due(self) -> None:
        interval = max(_SECONDS_BETWEEN_SAVES, self._save_seconds / _LARGEST_SHARE_OF_SAVES)
        if perf_counter() - self._saved_at >= interval:
            self.save()

    def save(self) -> None:
        began = perf_counter()
        self._verify_not_overtaken()
        self._bot.save(self._directory)
        self._saved_at = perf_counter()
        self._save_seconds = self._saved_at - began

    def _verify_not_overtaken(self) -> None:
        if not is_saved(self._directory):
            return
        description = read_solution(self._directory).description
        if description.get("design") != self._bot.design.to_json():
            raise StorageError(
                f"another process has saved something else in `{self._directory}`, which this one will not replace",
                hint="name another directory: `--out DIR`",
            )
        found = int(description["iteration"])
        if found > self._bot.iteration:
            raise StorageError(
                f"another process is building `{self._directory}`: it has saved iteration {found:,}, and this one is "
                f"at {self._bot.iteration:,}",
                hint="let the other one go on, or name another directory: `--out DIR`",
            )
