"""`errai dealer GAME`: deal a match to two clients of the ACPC protocol."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from errai.cli.failure import EXIT_FAILED
from errai.cli.hand_options import HandCount, HandTotal, history_options
from errai.cli.options import output_options
from errai.cli.output import print_json, stderr_console, stdout_console
from errai.games.library import load_game
from errai.play.match_limits import LOCAL_HOST, MatchLimits

if TYPE_CHECKING:
    from rich.console import Console

_DEFAULTS = MatchLimits()
_MOST_WARNINGS_SHOWN = 20


@click.command()
@click.argument("game")
@click.option(
    "--hands", type=HandCount(), default="1000", show_default=True, help="Hands; `2x500` as with `--duplicate`."
)
@click.option("--duplicate", is_flag=True, help="Play every deal twice: the second half repeats the first.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides the cards.")
@click.option(
    "--port-a",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=True,
    help="Port of the first player; 0 chooses a free one.",
)
@click.option(
    "--port-b", type=click.IntRange(0, 65535), default=0, show_default=True, help="Port of the second player."
)
@click.option("--name-a", default="a", show_default=True, help="Name of the first player, for the log.")
@click.option("--name-b", default="b", show_default=True, help="Name of the second player.")
@click.option("--host", default=LOCAL_HOST, show_default=True, help="The address to listen on.")
@click.option(
    "--response-timeout",
    "response_seconds",
    type=float,
    default=_DEFAULTS.response_seconds,
    show_default=True,
    metavar="SECONDS",
    help="A player's time for one action.",
)
@click.option(
    "--hand-timeout",
    "hand_seconds",
    type=float,
    default=_DEFAULTS.hand_seconds,
    show_default=True,
    metavar="SECONDS",
    help="A player's time in one hand.",
)
@click.option(
    "--average-hand-timeout",
    "average_hand_seconds",
    type=float,
    default=_DEFAULTS.average_hand_seconds,
    show_default=True,
    metavar="SECONDS",
    help="A player's time per hand, on average over the match.",
)
@click.option(
    "--start-timeout",
    "start_seconds",
    type=float,
    default=_DEFAULTS.start_seconds,
    show_default=True,
    metavar="SECONDS",
    help="Time until both players are connected.",
)
@click.option(
    "--max-invalid-actions",
    type=int,
    help="A player with more of them forfeits. [default: no limit; each becomes a call]",
)
@history_options
@output_options
def dealer(
    *,
    game: str,
    hands: HandTotal,
    duplicate: bool,
    seed: int,
    port_a: int,
    port_b: int,
    name_a: str,
    name_b: str,
    host: str,
    log: Path | None,
    phh: Path | None,
    as_json: bool,
    **limits: Any,
) -> int:
    """Deal a match of GAME to two clients that speak the ACPC protocol 2.0.0, one on each port.

    A player who hangs up, runs out of time or makes too many invalid actions forfeits, and the exit code is 1.
    """
    from errai.cli.played_hands import hands_progress, opened_histories
    from errai.cli.render.dealer_table import print_dealer
    from errai.play.acpc_dealer import Dealer
    from errai.play.hand_start import HandStart
    from errai.play.schedule import DealerSchedule

    definition = load_game(game)
    schedule = DealerSchedule(hands.number, seed, duplicate or hands.is_duplicate)
    console = stderr_console()
    with (
        Dealer(
            definition,
            schedule,
            names=(name_a, name_b),
            limits=MatchLimits(**limits),
            host=host,
            ports=(port_a, port_b),
        ) as table,
        opened_histories(HandStart(definition), schedule, log=log, phh=phh) as files,
    ):
        for name, port in zip(table.names, table.ports, strict=True):
            console.print(f"player `{name}`: {host} port {port}", soft_wrap=True, markup=False)
        with hands_progress(schedule.num_hands, files.write_hand) as on_hand:
            warnings = _Warnings(console)
            report = table.play(on_hand=on_hand, on_warning=warnings.show).report()
        if report.forfeit is None:
            files.write_score(report.winnings_chips, report.players)
        else:
            files.write_comment(f"hand {report.forfeit.hand_number}: {report.forfeit.name} {report.forfeit.reason}")
        warnings.conclude()
    if as_json:
        print_json(report.to_json())
    else:
        print_dealer(stdout_console(), report)
    return EXIT_FAILED if report.forfeit is not None else 0


class _Warnings:
    """Shows the first warnings of a match and counts the others: a broken client can cause thousands."""

    def __init__(self, console: "Console") -> None:
        self._console = console
        self._count = 0

    def show(self, warning: str) -> None:
        self._count += 1
        if self._count <= _MOST_WARNINGS_SHOWN:
            self._console.print(f"warning: {warning}", markup=False, soft_wrap=True)

    def conclude(self) -> None:
        if self._count > _MOST_WARNINGS_SHOWN:
            self._console.print(f"warning: {self._count - _MOST_WARNINGS_SHOWN:,} more like these")
