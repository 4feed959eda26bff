"""Bucket tables in the terminal: plans, progress, rounds and buckets."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table

from errai.abstraction.build_steps import OnProgress
from errai.cli.render.progress import progress_bar
from errai.cli.render.quantities import format_bytes, format_seconds
from errai.reports.abstraction import TablePlan, TableReport, TableSummary

_MOST_BUCKETS_SHOWN = 30


def print_plan(console: Console, plan: TablePlan) -> None:
    console.print(
        f"{plan.name}: buckets {_dashed(plan.buckets)}, about {format_seconds(plan.seconds)} "
        f"({format_seconds(plan.core_seconds)} of one core) and {format_bytes(plan.memory_bytes)} of memory",
        soft_wrap=True,
    )


@contextmanager
def build_progress(console: Console) -> Iterator[OnProgress]:
    """Within, show which round is being built; a line for each round that is done."""
    with progress_bar(console) as bar:
        task = bar.add_task("round 0", total=1.0, status="")

        def show(round_index: int, step: str, done: float) -> None:
            bar.update(task, description=f"round {round_index}", status=step, completed=done)
            if step == "done":
                console.print(f"round {round_index} is done and on the disk")

        yield show


def print_summary(console: Console, summary: TableSummary) -> None:
    took = "" if summary.seconds is None else f", built in {format_seconds(summary.seconds)}"
    recall = "perfect" if summary.perfect_recall else "imperfect"
    console.print(
        f"{summary.name}: buckets {_dashed(summary.buckets)}, {recall} recall, {format_bytes(summary.file_bytes)}{took}"
    )
    console.print(summary.path, soft_wrap=True)


def print_summaries(console: Console, summaries: Sequence[TableSummary], presets: Sequence[str]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("table", "recall", "buckets", "size", "file"):
        table.add_column(heading, justify="right" if heading == "size" else "left")
    for summary in summaries:
        recall = "perfect" if summary.perfect_recall else "imperfect"
        buckets = _dashed(summary.buckets)
        table.add_row(summary.name, recall, buckets, format_bytes(summary.file_bytes), summary.path)
    if summaries:
        console.print(table, soft_wrap=True)
    else:
        console.print("no tables are built")
    console.print(f"\nto build: errai abstract build NAME, with a name such as {', '.join(presets)}", soft_wrap=True)


def print_rounds(console: Console, report: TableReport) -> None:
    """One row per round."""
    table = Table(box=None, pad_edge=False)
    for heading in ("round", "buckets", "labels", "seen", "smallest", "largest"):
        table.add_column(heading, justify="right")
    for row in report.rounds:
        table.add_row(
            str(row.round),
            f"{row.buckets:,}",
            f"{row.labels:,}",
            f"{row.buckets_seen:,}",
            f"{row.smallest_share:.3%}",
            f"{row.largest_share:.3%}",
        )
    recall = "perfect" if report.perfect_recall else "imperfect"
    console.print(f"{report.name}, {recall} recall, in a sample of {report.deals:,} deals")
    console.print(table)


def print_buckets(console: Console, report: TableReport) -> None:
    """One row per bucket, from the weakest to the strongest; of many, some at equal distances."""
    table = Table(box=None, pad_edge=False)
    for heading in ("bucket", "share", "strength"):
        table.add_column(heading, justify="right")
    table.add_column("examples")
    count = len(report.buckets)
    shown = sorted({round(place * (count - 1) / (_MOST_BUCKETS_SHOWN - 1)) for place in range(_MOST_BUCKETS_SHOWN)})
    for place in shown if count > _MOST_BUCKETS_SHOWN else range(count):
        found = report.buckets[place]
        table.add_row(f"{found.bucket:,}", f"{found.share:.3%}", f"{found.strength:.3f}", ", ".join(found.examples))
    console.print()
    console.print(table)
    if count > _MOST_BUCKETS_SHOWN:
        console.print(f"{len(shown)} of {count:,} buckets; `--json` has them all")


def _dashed(numbers: Sequence[int]) -> str:
    return "-".join(map(str, numbers))
