"""What the commands that play hands share: the files that record them, and a progress bar."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from errai.cli.output import stderr_console
from errai.errors import InputError
from errai.games.played_hand import PlayedHand
from errai.games.showdown import Chips
from errai.play.hand_start import HandStart
from errai.play.schedule import MatchSchedule
from errai.storage.acpc_log import AcpcLog
from errai.storage.phh import PhhFile

OnHand = Callable[[PlayedHand], None]


class Histories:
    """The files that hands are written to while they are played."""

    def __init__(self, log: AcpcLog | None, phh: PhhFile | None) -> None:
        self._log = log
        self._phh = phh

    def write_hand(self, hand: PlayedHand) -> None:
        if self._log is not None:
            self._log.write_hand(hand)
        if self._phh is not None:
            self._phh.write_hand(hand)

    def write_score(self, winnings_chips: Sequence[Chips], names: Sequence[str]) -> None:
        if self._log is not None:
            self._log.write_score(winnings_chips, names)

    def write_comment(self, text: str) -> None:
        if self._log is not None:
            self._log.write_comment(text)


@contextmanager
def opened_histories(
    start: HandStart, schedule: MatchSchedule, *, log: Path | None, phh: Path | None
) -> Iterator[Histories]:
    """Within, the files are open; a log begins with a comment that names the match."""
    definition = start.definition
    if phh is not None and start.state.definition != definition:
        raise InputError(
            "PHH records whole hands; these begin at a pot and stack, or pay rake", hint="`--log FILE` writes them"
        )
    with ExitStack() as stack:
        histories = Histories(
            phh=stack.enter_context(PhhFile(phh, definition)) if phh is not None else None,
            log=stack.enter_context(AcpcLog(log)) if log is not None else None,
        )
        match_name = log.stem if log is not None else "-"
        # Hands with other rules than the game's are not hands of the game for whoever reads the log.
        game = definition.name if start.state.definition == definition else start.name.replace(" ", "_")
        settings = f"{match_name} {game} {schedule.num_hands} {schedule.seed}"
        histories.write_comment(f"name/game/hands/seed {settings}")
        yield histories


@contextmanager
def hands_progress(total: int, on_hand: OnHand | None = None) -> Iterator[OnHand]:
    """Within, call the yielded function for every hand: it calls `on_hand` and, on a terminal, moves the bar."""
    console = stderr_console()
    bar = RichProgress(
        TextColumn("hands"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task("hands", total=total)

    def show(hand: PlayedHand) -> None:
        if on_hand is not None:
            on_hand(hand)
        bar.advance(task)

    with bar:
        yield show
