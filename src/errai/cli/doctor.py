"""`errai doctor`: what is installed, and whether it works."""

from pathlib import Path

import click

from errai.cli.failure import EXIT_FAILED
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console


@click.command()
@click.option(
    "--disk",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=".",
    show_default=True,
    metavar="DIR",
    help="The directory whose disk is measured.",
)
@output_options
def doctor(*, disk: Path, as_json: bool) -> int:
    """Check this installation: version, instruction level, memory, disk speed, and whether optional parts work.

    The exit code is 1 if the kernels or an installed part do not work; a part that is not installed is no fault.
    """
    from rich.markup import escape
    from rich.table import Table

    from errai.bench.doctor import examine
    from errai.cli.render.quantities import format_bytes

    report = examine(disk)
    if as_json:
        print_json(report.to_json())
        return 0 if report.is_healthy else EXIT_FAILED
    console = stdout_console()
    table = Table(box=None, show_header=False, pad_edge=False)
    levels = ", ".join(report.levels)
    table.add_row("errai", f"{report.version}, Python {report.python}")
    table.add_row("kernels", f"level {report.level} of {levels}; {'work' if report.kernels_work else 'DO NOT WORK'}")
    memory = f"{format_bytes(report.memory_bytes)}, {format_bytes(report.free_memory_bytes)} free"
    table.add_row("machine", f"{report.num_cores} cores, {memory}")
    write, read = (
        format_bytes(round(rate)) for rate in (report.disk_write_bytes_per_second, report.disk_read_bytes_per_second)
    )
    table.add_row("disk", f"{format_bytes(report.disk_free_bytes)} free, writes {write}/s, reads {read}/s")
    for part in report.parts:
        state = part.version or f"not installed: {part.install}"
        if part.problem is not None:
            state = f"{part.version} DOES NOT WORK: {part.problem}"
        serves = f"  [dim]({part.serves})[/dim]" if part.problem is None else ""
        table.add_row(part.library, escape(state) + serves)
    console.print(table)
    return 0 if report.is_healthy else EXIT_FAILED
