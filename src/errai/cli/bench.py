"""`errai bench`: what this machine does, as rates and ratios, and the signature of the results."""

import platform
from typing import Any

import click
from rich.table import Table

from errai._native import level
from errai.cli.options import output_options
from errai.cli.output import print_json, results, stderr_console


@click.command()
@click.option("--only", multiple=True, metavar="NAME", help="Measure only this; may be repeated.")
@output_options
def bench(*, only: tuple[str, ...], as_json: bool) -> None:
    """Measure this machine: kernels a core, a turn spot, local best response; about a minute.

    Each rate stands beside that of a plainer form of the same work in the same run. The signature changes when any
    result of the program changes, and is the same on every machine.
    """
    from errai.bench.measurements import MEASUREMENTS, Figures
    from errai.bench.signature import result_signature

    unknown = [name for name in only if name not in MEASUREMENTS]
    if unknown:
        raise click.UsageError(f"there is no measurement `{unknown[0]}`; they are {', '.join(MEASUREMENTS)}")
    figures: dict[str, Figures] = {}
    for name in only or MEASUREMENTS:
        stderr_console().print(f"measuring {name} ...")
        figures[name] = MEASUREMENTS[name]()
    signature = result_signature()
    if as_json:
        machine: dict[str, Any] = {"processor": platform.processor() or platform.machine(), "native_level": level}
        print_json({**figures, "signature": signature, "machine": machine})
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("measured")
    table.add_column("figure")
    table.add_column("value", justify="right")
    for name, measured in figures.items():
        for row, (figure, value) in enumerate(measured.items()):
            shown = "not installed" if value is None else f"{value:,.2f}"
            table.add_row(name if row == 0 else "", figure.replace("_", " "), shown)
    results().print(table)
    results().print(f"\nnative level {level}, signature {signature}")
