"""`errai bench`: rates and ratios of this machine, and the signature of the results."""

import click

from errai.cli.options import output_options
from errai.cli.output import print_json, stderr_console, stdout_console


@click.command()
@click.option("--only", multiple=True, metavar="NAME", help="Measure only this; may be repeated.")
@output_options
def bench(*, only: tuple[str, ...], as_json: bool) -> None:
    """Measure this machine: kernels per core, a turn spot, local best response; about a minute.

    Each rate stands beside that of a plainer form of the same work in the same run. The signature changes when any
    result of the program changes, and is the same on every machine.
    """
    from errai.bench.measurements import measure, verify_measurements

    verify_measurements(only)
    report = measure(only, on_start=lambda name: stderr_console().print(f"measuring {name} ..."))
    if as_json:
        print_json(report.to_json())
        return
    from errai.cli.render.bench_table import bench_table

    stdout_console().print(bench_table(report))
    stdout_console().print(f"\nnative level {report.native_level}, signature {report.signature}")
