"""`errai bot`: bots are built and listed."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from errai.cli.failure import EXIT_INTERRUPTED
from errai.cli.interrupt import interruptible
from errai.cli.menu_options import SpotChips, menu_options, menu_text
from errai.cli.options import output_options, threads_option
from errai.cli.output import print_json, stderr_console, stdout_console
from errai.errors import InputError
from errai.games.library import load_game
from errai.solutions.bot_method_names import METHODS

if TYPE_CHECKING:
    from errai.reports.bot import BotSummary
    from errai.solutions.bot import Bot
    from errai.solutions.bot_build import BotOrder
    from errai.solutions.bot_presets import BotPreset

_ITERATIONS = 200  # of a design of one's own


@click.group()
def bot() -> None:
    """Build bots that play the whole game: a bucket table, a bet menu, and a solve of the abstract game."""


@bot.command()
@click.argument("name")
@click.option("--game", help="A bundled game's name or a `.game` file. [default: that of the preset]")
@click.option("--stack", metavar="CHIPS", help="The stacks of a no-limit game, as in `100bb`.")
@menu_options
@click.option("--table", metavar="TABLE", help="The bucket table, as in `ir-570-phs`; see `errai abstract build`.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="`sampled` draws boards; `boards` and `cfr-br` walk all of them, in large games those of drawn flops; "
    "`dense` counts pairs of buckets once, with perfect recall. [default: the first of `dense`, `boards`, `sampled` "
    "that suits game and table]",
)
@click.option(
    "--flops",
    type=int,
    metavar="N",
    help="Flops that an iteration of `cfr-br` draws. [default: all, or 1 where they are too many]",
)
@click.option("--algorithm", help="cfr, cfr+, lcfr, dcfr or dcfr+. [default: lcfr]")
@click.option("--iterations", type=int, help="Counted from the first one; sampled ones have 100 boards each.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the boards or flops that are drawn.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Save the bot here. [default: NAME]")
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where tables are kept. [default: errai/abstractions in the user's cache directory]",
)
@threads_option
@click.option("--dry-run", is_flag=True, help="Only estimate time and memory.")
@output_options
@click.pass_context
def build(
    context: click.Context,
    /,
    *,
    name: str,
    out: Path | None,
    cache: Path | None,
    num_threads: int | None,
    dry_run: bool,
    as_json: bool,
    **_options: Any,
) -> int:
    """Build the bot NAME, or go on with it: its table, its abstract game, the solve.

    NAME is a preset (`errai bot list` shows them), whose settings the options change; or a name of your own, with
    `--game` and `--table`. The bot is saved in the directory NAME, every minute and at the end. Ctrl-C stops early and
    saves; the same command goes on, also after a crash, to the same bits.
    """
    from errai.abstraction.table_cache import TableCache
    from errai.cli.render.bot_table import bot_progress, print_bot, print_plan
    from errai.cli.render.bucket_table import build_progress
    from errai.solutions.bot_build import build_bot, find_bot, plan_bot

    order = _order(context)
    directory, tables = out or Path(name), TableCache(cache)
    threads = num_threads or os.cpu_count() or 1
    found = find_bot(order, directory, num_threads=threads)
    plan = plan_bot(
        order,
        tables,
        num_threads=threads,
        directory=directory,
        iterations_done=0 if found is None else found.iteration,
    )
    if dry_run:
        if as_json:
            print_json(plan.to_json())
        else:
            print_plan(stdout_console(), plan)
        return 0
    console = stderr_console()
    if plan.iterations_done < plan.iterations:
        print_plan(console, plan)
    if plan.table_seconds:
        with build_progress(console) as show_table:
            tables.build(order.recipe, num_threads=threads, on_progress=show_table)
    with bot_progress(console, name) as show, interruptible() as is_interrupted:
        built = build_bot(
            order, directory, tables=tables, num_threads=threads, on_progress=show, should_stop=is_interrupted
        )
    report = built.describe()
    if as_json:
        print_json(report.to_json())
    else:
        print_bot(stdout_console(), report)
    if built.iteration >= order.iterations:
        return 0
    console.print(f"interrupted at iteration {built.iteration:,}")
    console.print("\nhint: the same command goes on from here", soft_wrap=True)
    return EXIT_INTERRUPTED


@bot.command(name="list")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default=Path())
@output_options
def list_bots(*, directory: Path, as_json: bool) -> None:
    """List the bots that have a name, and those that are saved in DIRECTORY (by default here)."""
    from errai.cli.render.bot_table import print_bots
    from errai.solutions.bot import Bot, is_bot
    from errai.solutions.bot_presets import PRESETS

    presets = [_preset_summary(name, preset) for name, preset in PRESETS.items()]
    saved = [
        _saved_summary(path, Bot.open(path))
        for path in sorted(directory.iterdir() if directory.is_dir() else ())
        if path.is_dir() and not path.name.startswith(".") and is_bot(path)
    ]
    if as_json:
        print_json(
            {"presets": [summary.to_json() for summary in presets], "saved": [summary.to_json() for summary in saved]}
        )
    else:
        print_bots(stdout_console(), presets, saved)


def _order(context: click.Context) -> "BotOrder":
    """What the options ask for: a preset with some settings changed, or a design of one's own."""
    from errai.abstraction.card_rounds import CardRounds
    from errai.abstraction.recipe import parse_recipe
    from errai.solutions.bot_build import BotOrder
    from errai.solutions.bot_design import BotRequest
    from errai.solutions.bot_method import choose_method
    from errai.solutions.bot_presets import PRESETS

    given = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    name: str = context.params["name"]
    preset = PRESETS.get(name) or _own_preset(name, given)
    chips = SpotChips.of(given.get("game", preset.game), pot=None, stack=given.get("stack"), last_round=None)
    thresholds = {key: context.params[key] for key in ("add_all_in", "force_all_in", "merge")}
    texts = context.params["bets"] or ([preset.bets] if preset.bets else [])
    bets = menu_text(texts, **thresholds)
    definition = chips.definition
    if not definition.is_limit and not bets:
        raise InputError(f"a bot of the no-limit game `{definition.name}` needs a bet menu", hint="`--bets fcpa`")
    table = given.get("table", preset.table)
    recipe = parse_recipe(table, CardRounds.of(definition))
    request = BotRequest(
        definition,
        bets=bets,
        method=given.get("method") or choose_method(definition, bets, recipe).method,
        algorithm=given.get("algorithm", preset.algorithm),
        seed=context.params["seed"],
        flops_per_iteration=given.get("flops"),
    )
    return BotOrder(request, table, given.get("iterations", preset.iterations))


def _own_preset(name: str, given: dict[str, Any]) -> "BotPreset":
    from errai.solutions.bot_presets import PRESETS, BotPreset

    for option in ("game", "table"):
        if option not in given:
            raise InputError(
                f"`{name}` is not one of {', '.join(PRESETS)}; a bot of your own needs `--{option}`",
                hint=f"`errai bot build {name} --game flop-holdem --table pr-10-phs`",
            )
    return BotPreset("", given["game"], given["table"], _ITERATIONS)


def _preset_summary(name: str, preset: "BotPreset") -> "BotSummary":
    from errai.reports.bot import BotSummary
    from errai.solutions.bot_build import BotOrder
    from errai.solutions.bot_design import BotRequest
    from errai.trees.bucket_layout import BucketLayout

    order = BotOrder(BotRequest(load_game(preset.game), bets=preset.bets), preset.table, preset.iterations)
    counts = tuple(map(order.recipe.num_buckets, range(order.recipe.cards.num_rounds)))
    size = BucketLayout(order.request.betting, counts).num_infoset_actions
    return BotSummary(name, preset.summary, preset.game, preset.bets, preset.table, preset.iterations, size)


def _saved_summary(path: Path, found: "Bot") -> "BotSummary":
    from errai.reports.bot import BotSummary

    design = found.design
    return BotSummary(
        name=path.name,
        summary=f"{design.request.method}, {design.request.algorithm}",
        game=found.name,
        bets=design.request.bets,
        table=design.table.name,
        iterations=found.iteration,
        infoset_actions=design.layout.num_infoset_actions,
    )
