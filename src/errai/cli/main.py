"""The entry point: the group of commands, and the one place where errors become messages and exit codes."""

import os
import sys
from collections.abc import Sequence

import click

from errai.cli.agent import agent
from errai.cli.bench import bench
from errai.cli.count import count
from errai.cli.dealer import dealer
from errai.cli.exploit import exploit
from errai.cli.export import export
from errai.cli.failure import EXIT_FAILED, report_failure
from errai.cli.games import games
from errai.cli.lbr import lbr
from errai.cli.match import match
from errai.cli.plan import plan
from errai.cli.show import show
from errai.cli.solve import solve
from errai.cli.status import status
from errai.cli.verify import verify


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[games, count, plan, solve, status, verify, exploit, show, export, lbr, match, dealer, agent, bench],
)
@click.version_option(package_name="errai", message="%(prog)s %(version)s")
@click.pass_context
def errai(context: click.Context) -> None:
    """Solve heads-up hold'em, and measure how far any strategy is from solved."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command line; its exit code."""
    try:
        return errai.main(args=list(arguments), prog_name="errai", standalone_mode=False) or 0
    except BrokenPipeError:
        # Whoever read stdout has gone (`errai games | head -1`): keep the interpreter from flushing to it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except (Exception, KeyboardInterrupt) as error:
        command = f"errai {arguments[0]}" if arguments and arguments[0] in errai.commands else "errai"
        return report_failure(error, command=command, verbose="--verbose" in arguments)
