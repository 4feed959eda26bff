"""The options that give a bet menu, and amounts in chips or big blinds."""

import re
from collections.abc import Sequence
from fractions import Fraction

import click

from errai.cli.options import Command
from errai.errors import InputError
from errai.games.bet_menu_text import FILE_SUFFIX, PRESETS, parse_bet_menu, parse_threshold, read_bet_menu
from errai.games.definition import GameDefinition

_CHIPS = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?) ?(bb)?", re.ASCII | re.IGNORECASE)


def menu_options(command: Command) -> Command:
    """`--bets` and the thresholds; `menu_text` reads them."""
    bets = click.option(
        "--bets",
        multiple=True,
        metavar="MENU",
        help="Sizes of a no-limit game, repeatable: `[STREET] [PLAYER] [lead] SIZES [/ RAISES] [cap N]`, as in "
        f"`turn 50%,100% / 3x`; or one of {', '.join(PRESETS)}, or a file whose name ends in `{FILE_SUFFIX}`.",
    )
    add = click.option("--add-all-in", metavar="T", help="Also offer all-in where it is at most T pots.")
    force = click.option("--force-all-in", metavar="T", help="All-in instead of leaving at most T pots behind.")
    merge = click.option("--merge", metavar="T", help="Drop a size close to a larger one, as in `0.1`.")
    return bets(add(force(merge(command))))


def menu_text(bets: Sequence[str], *, add_all_in: str | None, force_all_in: str | None, merge: str | None) -> str:
    """The text of the menu that the options give; empty without any."""
    texts = [read_bet_menu(text).text if text.strip().endswith(FILE_SUFFIX) else text for text in bets]
    thresholds = {"add-all-in": add_all_in, "force-all-in": force_all_in, "merge": merge}
    for name, value in thresholds.items():
        if value is not None:
            parse_threshold(name, value.strip())
            texts.append(f"{name} {value.strip()}")
    return parse_bet_menu(texts).text if texts else ""


def parse_chips(text: str, definition: GameDefinition, *, option: str) -> int:
    """`910` chips, or `100bb`."""
    found = _CHIPS.fullmatch(text.strip())
    if found is None:
        raise InputError(
            f"`{option}` takes chips or big blinds; got `{text}`", hint=f"`{option} 910`, `{option} 100bb`"
        )
    chips = Fraction(found[1]) * (max(definition.blinds) if found[2] else 1)
    if chips.denominator != 1:
        raise InputError(f"`{option}` must be whole chips; `{text}` is {float(chips):g}", hint=f"`{option} 910`")
    return int(chips)
