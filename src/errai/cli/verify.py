"""`errai verify PATH`: check every byte of a solution or a run."""

from pathlib import Path

import click

from errai.cli.failure import EXIT_FAILED
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@output_options
def verify(*, path: Path, as_json: bool) -> int:
    """Read every file of the solution or run in PATH and check every checksum; damaged and missing files are named."""
    from errai.cli.render.progress import step_progress
    from errai.cli.render.quantities import format_bytes, format_count
    from errai.runs.opening import verify_path
    from errai.solutions.stored_strategy import Work

    with step_progress("verifying", "flops") as on_progress:
        found = verify_path(path, work=Work(on_progress=on_progress))
    if as_json:
        print_json(found.to_json())
    else:
        for problem in found.problems:
            stdout_console().print(problem, soft_wrap=True, markup=False)
        damaged = format_count(len(found.problems), "damaged or missing file")
        stdout_console().print(f"{format_bytes(found.num_bytes)} are as they were written, {damaged}")
    return EXIT_FAILED if found.problems else 0
