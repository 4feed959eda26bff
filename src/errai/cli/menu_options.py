"""The options that give a bet menu, the chips and rake of a spot, and the stacks and rounds of a game."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

import click

from errai.cli.options import Command
from errai.errors import DefinitionError, InputError
from errai.games.bet_menu_text import FILE_SUFFIX, PRESETS, parse_bet_menu, parse_threshold, read_bet_menu
from errai.games.definition import GameDefinition, first_rounds
from errai.games.library import load_game
from errai.games.rake import parse_rake

_CHIPS = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?) ?(bb)?", re.ASCII | re.IGNORECASE)


def chip_options(command: Command) -> Command:
    """`--pot`, `--stack` and `--last-round`; `SpotChips.of` reads them."""
    pot = click.option("--pot", metavar="CHIPS", help="Of a spot of a no-limit game, which then has no blinds.")
    return pot(stack_options(command))


def stack_options(command: Command) -> Command:
    """`--stack` and `--last-round`."""
    stack = click.option(
        "--stack", metavar="CHIPS", help="With a pot, what each has behind; else the stacks, as in `100bb`."
    )
    last = click.option("--last-round", type=int, metavar="N", help="End the game after N rounds. [default: all]")
    return stack(last(command))


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


def rake_options(command: Command) -> Command:
    """`--rake` and `--rake-cap`; `rake_text` reads them."""
    rake = click.option("--rake", metavar="PERCENT", help="Taken from every pot of a no-limit spot, as in `5%`.")
    cap = click.option("--rake-cap", metavar="CHIPS", help="The most that is taken. [default: no limit]")
    return rake(cap(command))


def rake_text(rake: str | None, cap: str | None) -> str | None:
    """The text of the rake that the options give; None without any."""
    if rake is None:
        if cap is not None:
            raise InputError("`--rake-cap` limits the rake; got no `--rake`", hint=f"`--rake 5% --rake-cap {cap}`")
        return None
    return parse_rake(rake if cap is None else f"{rake} cap {cap}").text


def menu_text(bets: Sequence[str], *, add_all_in: str | None, force_all_in: str | None, merge: str | None) -> str:
    """The text of the menu that the options give; empty without any."""
    texts = [read_bet_menu(text).text if text.strip().endswith(FILE_SUFFIX) else text for text in bets]
    thresholds = {"add-all-in": add_all_in, "force-all-in": force_all_in, "merge": merge}
    for name, value in thresholds.items():
        if value is not None:
            parse_threshold(name, value.strip())
            texts.append(f"{name} {value.strip()}")
    return parse_bet_menu(texts).text if texts else ""


@dataclass(frozen=True)
class SpotChips:
    """A game with the stacks and rounds asked for, and the pot and stack of a spot that is given by them."""

    definition: GameDefinition
    pot: int | None = None
    stack: int | None = None

    @classmethod
    def of(cls, game: str, *, pot: str | None, stack: str | None, last_round: int | None) -> Self:
        """What the options say of a bundled game or a `.game` file."""
        definition = load_game(game)
        if last_round is not None:
            definition = first_rounds(definition, last_round)
        chips = None if stack is None else parse_chips(stack, definition, option="--stack")
        if pot is not None:
            return cls(definition, parse_chips(pot, definition, option="--pot"), chips)
        if chips is None:
            return cls(definition)
        if definition.is_limit:
            raise InputError(
                f"`--stack` is for no-limit games; `{definition.name}` is a limit game",
                hint="`holdem.nolimit.2p` and `royal.nolimit` are no-limit games",
            )
        try:
            return cls(replace(definition, stacks=(chips, chips)))
        except DefinitionError as error:
            raise InputError(f"`--stack`: {error}", hint="`--stack 100bb`") from None


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
