"""`errai status DIR`: how far a run of a whole game is."""

from pathlib import Path

import click

from errai.cli.options import output_options
from errai.cli.output import print_json, results
from errai.cli.run_report import print_run, run_json
from errai.runs.run import WholeRun


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@output_options
def status(*, directory: Path, as_json: bool) -> None:
    """Tell how far the run in DIRECTORY is: iterations, exploitability, bytes, time left."""
    run = WholeRun.open(directory)
    if as_json:
        print_json(run_json(run))
    else:
        print_run(results(), run)
