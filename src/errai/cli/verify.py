"""`errai verify DIR`: check every byte of a run."""

from pathlib import Path

import click

from errai.cli.failure import EXIT_FAILED
from errai.cli.options import output_options
from errai.cli.output import print_json, results, stderr_console
from errai.cli.render.progress import progress_bar
from errai.cli.render.quantities import format_bytes
from errai.errors import StorageError
from errai.runs.run import WholeRun


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@output_options
def verify(*, directory: Path, as_json: bool) -> int:
    """Read every file of the run in DIRECTORY and check every checksum; what is damaged or missing is named."""
    run = WholeRun.open(directory)
    run.ledger.verify()
    worker = run.flop_worker()
    problems = [f"`{path}` belongs to another run and is ignored" for path in worker.foreign_directories()]
    num_bytes = 0
    bar = progress_bar(stderr_console())
    task = bar.add_task("verifying", total=run.num_flops, status="")
    with bar:
        for flop, passes_done in enumerate(run.passes_done_by_flop()):
            try:
                num_bytes += worker.verify(flop, passes_done)
            except StorageError as error:
                problems.append(str(error))
            bar.update(task, advance=1, status=format_bytes(num_bytes))
    if as_json:
        print_json({"directory": str(directory), "bytes": num_bytes, "problems": problems})
    else:
        for problem in problems:
            results().print(problem, soft_wrap=True, markup=False)
        results().print(f"{format_bytes(num_bytes)} are as they were written, {len(problems)} files are not")
    return EXIT_FAILED if problems else 0
