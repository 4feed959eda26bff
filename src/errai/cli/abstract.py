"""`errai abstract`: bucket tables are built, listed, shown, exported and imported."""

import os
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from errai.cli.options import Command, output_options, threads_option
from errai.cli.output import print_json, stderr_console, stdout_console
from errai.errors import InputError
from errai.games.library import load_game

if TYPE_CHECKING:
    from errai.abstraction.table_sample import TableSample
    from errai.reports.abstraction import RoundReport

_EXAMPLES = 3


def _game_option(command: Command) -> Command:
    option = click.option(
        "--game", default="holdem.limit.2p", show_default=True, help="Whose cards: a bundled game or a `.game` file."
    )
    return option(command)


def _cache_option(command: Command) -> Command:
    option = click.option(
        "--cache",
        type=click.Path(file_okay=False, path_type=Path),
        help="Where tables are kept. [default: errai/abstractions in the user's cache directory]",
    )
    return option(command)


@click.group()
def abstract() -> None:
    """Make and look at bucket tables: which hands a strategy treats alike."""


@abstract.command()
@click.argument("name")
@_game_option
@_cache_option
@threads_option
@click.option("--dry-run", is_flag=True, help="Only estimate time and memory.")
@output_options
def build(*, name: str, game: str, cache: Path | None, num_threads: int | None, dry_run: bool, as_json: bool) -> None:
    """Build the table NAME, or continue a build that was interrupted.

    The name says how the table is made: perfect recall with so many buckets within each bucket before (`pr-10`), or
    imperfect recall with so many in each round after the first (`ir-9000`); by percentiles (`pr-10-phs`, or just
    `pr-10`) or by k-means (`pr-10-ke-ko`). A table that is built already is not built again.
    """
    from errai.abstraction.build_cost import estimate_build
    from errai.abstraction.card_rounds import CardRounds
    from errai.abstraction.recipe import parse_recipe
    from errai.abstraction.table_cache import TableCache
    from errai.abstraction.table_file import read_header
    from errai.cli.render.bucket_table import build_progress, print_plan, print_summary
    from errai.reports.abstraction import TablePlan, TableSummary

    recipe = parse_recipe(name, CardRounds.of(load_game(game)))
    tables = TableCache(cache)
    threads = num_threads or os.cpu_count() or 1
    cost = estimate_build(recipe, num_threads=threads)
    plan = TablePlan(
        recipe.name,
        tuple(map(recipe.num_buckets, range(recipe.cards.num_rounds))),
        cost.canonical_hands,
        cost.core_seconds,
        cost.core_seconds / threads,
        cost.memory_bytes,
    )
    if dry_run:
        if as_json:
            print_json(plan.to_json())
        else:
            print_plan(stdout_console(), plan)
        return
    path = tables.path(name, recipe.cards)
    began = perf_counter()
    seconds = None
    if not path.exists():
        print_plan(stderr_console(), plan)
        with build_progress(stderr_console()) as show:
            tables.build(recipe, num_threads=threads, on_progress=show)
        seconds = perf_counter() - began
    header = read_header(path)
    summary = TableSummary(header.name, str(path), header.counts, header.perfect_recall, path.stat().st_size, seconds)
    if as_json:
        print_json(summary.to_json())
    else:
        print_summary(stdout_console(), summary)


@abstract.command()
@click.argument("name")
@_game_option
@_cache_option
@click.option("--round", "round_number", type=int, help="Show the buckets of this round; the first is 0.")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Draw the buckets of each round.")
@output_options
def show(
    *, name: str, game: str, cache: Path | None, round_number: int | None, png: Path | None, as_json: bool
) -> None:
    """Show the table NAME: its buckets, how many hands they hold, how strong those are, and examples.

    Shares, strengths and examples come from a sample of deals.
    """
    from errai.abstraction.card_rounds import CardRounds
    from errai.abstraction.table_cache import TableCache
    from errai.abstraction.table_sample import TableSample
    from errai.cli.render.bucket_picture import plot_buckets
    from errai.cli.render.bucket_table import print_buckets, print_rounds
    from errai.cli.render.picture import verify_can_draw
    from errai.reports.abstraction import BucketReport, TableReport

    if png is not None:
        verify_can_draw(png)
    cards = CardRounds.of(load_game(game))
    if round_number is not None:
        cards.verify_round(round_number)
    sample = TableSample(TableCache(cache).open(name, cards, num_threads=os.cpu_count() or 1))
    report = TableReport(
        sample.table.name,
        sample.table.perfect_recall,
        len(sample.deals),
        tuple(_round_report(sample, index) for index in range(cards.num_rounds)),
        ()
        if round_number is None
        else tuple(
            BucketReport(found.bucket, found.share, found.strength, found.examples)
            for found in sample.describe(round_number, num_examples=_EXAMPLES)
        ),
    )
    if png is not None:
        plot_buckets(png, sample)
    if as_json:
        print_json(report.to_json())
        return
    print_rounds(stdout_console(), report)
    if round_number is not None:
        print_buckets(stdout_console(), report)


def _round_report(sample: "TableSample", round_index: int) -> "RoundReport":
    from errai.reports.abstraction import RoundReport

    found = sample.describe(round_index, num_examples=0)
    shares = [bucket.share for bucket in found]
    stored = sample.table.rounds[round_index]
    return RoundReport(round_index, stored.num_buckets, len(stored.labels), len(found), min(shares), max(shares))


@abstract.command(name="list")
@_cache_option
@output_options
def list_tables(*, cache: Path | None, as_json: bool) -> None:
    """List the tables that are built, and the names of usual ones."""
    from errai.abstraction.recipe import PRESETS
    from errai.abstraction.table_cache import TableCache
    from errai.cli.render.bucket_table import print_summaries
    from errai.reports.abstraction import TableSummary

    summaries = [
        TableSummary(header.name, str(path), header.counts, header.perfect_recall, path.stat().st_size)
        for path, header in TableCache(cache).tables()
    ]
    if as_json:
        print_json({"tables": [summary.to_json() for summary in summaries], "presets": list(PRESETS)})
        return
    print_summaries(stdout_console(), summaries, PRESETS)


@abstract.command()
@click.argument("name")
@_game_option
@_cache_option
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The file to write.")
@output_options
def export(*, name: str, game: str, cache: Path | None, out: Path, as_json: bool) -> None:
    """Write the table NAME to a file that another machine can import."""
    from errai.abstraction.card_rounds import CardRounds
    from errai.abstraction.table_cache import TableCache

    if not out.absolute().parent.is_dir():
        raise InputError(f"`{out}` cannot be written: there is no directory `{out.parent}`")
    tables = TableCache(cache)
    cards = CardRounds.of(load_game(game))
    tables.copy(name, cards, out)
    _report_file(tables.path(name, cards), as_json)


@abstract.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@_cache_option
@output_options
def import_table(*, file: Path, cache: Path | None, as_json: bool) -> None:
    """Check FILE, which `errai abstract export` wrote, and keep a copy."""
    from errai.abstraction.table_cache import TableCache

    tables = TableCache(cache)
    header = tables.add(file)
    _report_file(tables.path(header.name, header.cards), as_json)


def _report_file(path: Path, as_json: bool) -> None:
    from errai.abstraction.table_file import read_header
    from errai.cli.render.bucket_table import print_summary
    from errai.reports.abstraction import TableSummary

    header = read_header(path)
    summary = TableSummary(header.name, str(path), header.counts, header.perfect_recall, path.stat().st_size)
    if as_json:
        print_json(summary.to_json())
    else:
        print_summary(stdout_console(), summary)
