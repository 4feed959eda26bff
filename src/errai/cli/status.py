"""`errai status PATH`: how far a solution or a run is."""

from pathlib import Path

import click

from errai.cli.options import output_options
from errai.cli.output import print_json


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@output_options
def status(*, path: Path, as_json: bool) -> None:
    """Show how far the solution or run in PATH is: iterations, exploitability, bytes, time left."""
    from errai.runs.opening import open_strategy

    report = open_strategy(path).describe()
    if as_json:
        print_json(report.to_json())
        return
    from errai.cli.render.status import print_status

    print_status(report)
