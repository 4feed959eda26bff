"""The entry point: the group of commands, and the one place where errors become messages and exit codes.

A command is imported when it is used, so that `errai --help` does not wait for all of them.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from errai.cli.failure import EXIT_FAILED, report_failure

# The command `NAME` is the function `NAME` of the module `errai.cli.NAME`.
COMMANDS = {
    "games": "List the bundled games.",
    "count": "Count the states and infosets of a game exactly.",
    "strength": "Show how strong a hand is, exactly.",
    "abstract": "Make and look at bucket tables of cards.",
    "bot": "Build bots: abstraction, solve and save in one command.",
    "tree": "Show the betting tree of a game or a spot, and its size.",
    "plan": "Estimate what solving a whole game would cost.",
    "solve": "Solve a game or a spot to a given exploitability.",
    "status": "Show how far a solution or a run has come.",
    "verify": "Check every byte of a solution or a run.",
    "exploit": "Measure the exact exploitability of a strategy.",
    "show": "Show a solution at one public state, hand by hand.",
    "report": "Show a solution on every card that can come next.",
    "export": "Write a solution as CSV or Parquet, or a game for Gambit.",
    "browse": "Look at solutions in the browser.",
    "lbr": "Play a local best response against a bot.",
    "match": "Play bots against each other, with confidence intervals.",
    "play": "Play against a bot or a solution.",
    "replay": "Check recorded hands, and rate their decisions.",
    "dealer": "Deal a match over the ACPC protocol.",
    "agent": "Play a bot at an ACPC dealer.",
    "figures": "Draw the figures of the papers, with one's own solutions.",
    "doctor": "Check this installation.",
    "bench": "Measure this machine.",
}


class _LazyGroup(click.Group):
    """The commands by name; each is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"errai.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
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
    """Run the command line and return its exit code."""
    try:
        return errai.main(args=list(arguments), prog_name="errai", standalone_mode=False) or 0
    except BrokenPipeError:
        # The reader of stdout has gone (`errai games | head -1`): keep the interpreter from flushing to it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except (Exception, KeyboardInterrupt) as error:
        command = f"errai {arguments[0]}" if arguments and arguments[0] in COMMANDS else "errai"
        return report_failure(error, command=command, verbose="--verbose" in arguments)
