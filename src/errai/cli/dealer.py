"""`errai dealer GAME`: deal a match to two clients of the ACPC protocol."""

from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from errai.cli.failure import EXIT_FAILED
from errai.cli.options import output_options
from errai.cli.output import print_json, results, stderr_console
from errai.cli.played_hands import HandCount, hands_progress, history_options, opened_histories
from errai.games.library import load_game
from errai.play.acpc_dealer import LOCAL_HOST, Dealer, MatchBook, MatchLimits
from errai.play.schedule import DealerSchedule

_DEFAULTS = MatchLimits()
_MOST_WARNINGS_SHOWN = 20


@click.command()
@click.argument("game")
@click.option("--hands", type=HandCount(), default="1000", show_default=True, help="Of the match.")
@click.option("--duplicate", is_flag=True, help="Play every deal twice: the second half repeats the first.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the cards.")
@click.option(
    "--port-a",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=True,
    help="Of the first player; 0 chooses a free one.",
)
@click.option("--port-b", type=click.IntRange(0, 65535), default=0, show_default=True, help="Of the second player.")
@click.option("--name-a", default="a", show_default=True, help="Of the first player, for the log.")
@click.option("--name-b", default="b", show_default=True, help="Of the second player.")
@click.option("--host", default=LOCAL_HOST, show_default=True, help="The address to listen on.")
@click.option(
    "--response-timeout",
    "response_seconds",
    type=float,
    default=_DEFAULTS.response_seconds,
    show_default=True,
    metavar="SECONDS",
    help="Of a player for one action.",
)
@click.option(
    "--hand-timeout",
    "hand_seconds",
    type=float,
    default=_DEFAULTS.hand_seconds,
    show_default=True,
    metavar="SECONDS",
    help="Of a player in one hand.",
)
@click.option(
    "--average-hand-timeout",
    "average_hand_seconds",
    type=float,
    default=_DEFAULTS.average_hand_seconds,
    show_default=True,
    metavar="SECONDS",
    help="Of a player a hand, over the whole match.",
)
@click.option(
    "--start-timeout",
    "start_seconds",
    type=float,
    default=_DEFAULTS.start_seconds,
    show_default=True,
    metavar="SECONDS",
    help="Until both players are there.",
)
@click.option("--max-invalid-actions", type=int, help="More of them forfeit. [default: any number becomes calls]")
@history_options
@output_options
def dealer(
    *,
    game: str,
    hands: int,
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
    definition = load_game(game)
    schedule = DealerSchedule(hands, seed, duplicate)
    console = stderr_console()
    with Dealer(
        definition,
        schedule,
        names=(name_a, name_b),
        limits=MatchLimits(**limits),
        host=host,
        ports=(port_a, port_b),
    ) as table:
        for name, port in zip(table.names, table.ports, strict=True):
            console.print(f"player `{name}`: {host} port {port}", soft_wrap=True)
        histories = opened_histories(definition, schedule, log=log, phh=phh)
        with histories as files, hands_progress(hands, files.write_hand) as on_hand:
            warnings = _Warnings(console)
            book = table.play(on_hand=on_hand, on_warning=warnings.show)
            if book.forfeit is None:
                files.write_score(book.winnings_chips, book.names)
            else:
                files.write_comment(f"hand {book.forfeit.hand_number}: {book.forfeit.name} {book.forfeit.reason}")
        warnings.conclude()
    if as_json:
        print_json(_book_json(book))
    else:
        _print_book(results(), book)
    return EXIT_FAILED if book.forfeit is not None else 0


class _Warnings:
    """The first warnings of a match, and how many there were: a broken client can cause thousands."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._count = 0

    def show(self, warning: str) -> None:
        self._count += 1
        if self._count <= _MOST_WARNINGS_SHOWN:
            self._console.print(f"warning: {warning}", markup=False, soft_wrap=True)

    def conclude(self) -> None:
        if self._count > _MOST_WARNINGS_SHOWN:
            self._console.print(f"warning: {self._count - _MOST_WARNINGS_SHOWN:,} more like these")


def _book_json(book: MatchBook) -> dict[str, Any]:
    forfeit = book.forfeit
    return {
        "players": list(book.names),
        "hands": book.num_hands,
        "winnings_chips": book.winnings_chips,
        "invalid_actions": book.invalid_actions,
        "used_seconds": [round(seconds, 6) for seconds in book.used_seconds],
        "forfeit": None
        if forfeit is None
        else {"player": forfeit.name, "hand": forfeit.hand_number, "reason": forfeit.reason},
    }


def _print_book(console: Console, book: MatchBook) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("player", style="bold")
    for heading in ("chips", "invalid actions", "seconds"):
        table.add_column(heading, justify="right")
    rows = zip(book.names, book.winnings_chips, book.invalid_actions, book.used_seconds, strict=True)
    for name, chips, invalid_actions, seconds in rows:
        table.add_row(name, f"{chips:,}", f"{invalid_actions:,}", f"{seconds:.1f}")
    console.print(table)
    console.print(f"{book.num_hands:,} hands")
    if book.forfeit is not None:
        forfeit = book.forfeit
        console.print(f"player `{forfeit.name}` forfeits in hand {forfeit.hand_number}: {forfeit.reason}")
