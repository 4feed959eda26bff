"""`errai tree GAME`: the betting tree of a game or a spot, with its sizes."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

import click
from rich.table import Table

from errai.cli.menu_options import SpotChips, chip_options, menu_options, menu_text
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console
from errai.cli.render.quantities import format_bytes
from errai.games.bet_menu import STREETS
from errai.games.spot import Spot
from errai.trees.betting_lines import betting_lines
from errai.trees.betting_tree import BettingTree, EndKind, build_betting_tree
from errai.trees.tree_counts import RoundHands, TreeCounts, count_game_hands, count_spot_hands, count_tree

_LINES_SHOWN = 40


@click.command()
@click.argument("game")
@chip_options
@click.option("--board", default="", metavar="CARDS", help="Of a spot, as in `QsJh2h`.")
@click.option("--betting", default="", metavar="TEXT", help="That led to a spot, as in `r300c/cc/`.")
@click.option("--range-bb", default="random", metavar="RANGE", help="Of the big blind. [default: random]")
@click.option("--range-dealer", default="random", metavar="RANGE", help="Of the dealer. [default: random]")
@menu_options
@output_options
def tree(
    *,
    game: str,
    bets: Sequence[str],
    add_all_in: str | None,
    force_all_in: str | None,
    merge: str | None,
    last_round: int | None,
    pot: str | None,
    stack: str | None,
    as_json: bool,
    **spot_texts: str,
) -> None:
    """Show the betting tree of GAME, or of a spot of it: lines, sizes, infosets, memory.

    GAME is a bundled game's name (see `errai games`) or a `.game` file. A spot has a board and is given by `--pot` and
    `--stack`, or by `--betting`. Boards that differ only in the names of suits are counted once. Memory is that of
    regrets and averages in `float32`.
    """
    chips = SpotChips.of(game, pot=pot, stack=stack, last_round=last_round)
    menu = menu_text(bets, add_all_in=add_all_in, force_all_in=force_all_in, merge=merge)
    spot = Spot(chips.definition, **spot_texts, pot=chips.pot, stack=chips.stack, bets=menu)
    betting = build_betting_tree(spot.root, spot.menu, dead_pot=spot.dead_pot_chips)
    counts = count_tree(betting.streets, _count_hands(spot))
    if as_json:
        print_json(_tree_json(spot, betting, counts))
    else:
        _print_tree(spot, betting, counts)


def _count_hands(spot: Spot) -> tuple[RoundHands, ...]:
    if spot.is_whole_game:
        return count_game_hands(spot.definition)
    return count_spot_hands(spot.definition, spot.board_cards, spot.weights, first_round=spot.root.round)


def _tree_json(spot: Spot, betting: BettingTree, counts: TreeCounts) -> dict[str, Any]:
    return {
        "game": spot.definition.name,
        "board": spot.board,
        "pot_chips": spot.pot_chips,
        "bets": spot.bets.splitlines(),
        "streets": [
            {
                "street": STREETS[street.round],
                "lines": street.num_lanes,
                "shapes": [group.num_lanes for group in street.groups],
                "boards": hands.num_boards,
                "decisions": [street.num_nodes(player) for player in (0, 1)],
                "hands": list(hands.hands),
                **{f"ends_{kind.name.lower()}": street.num_ends(kind) for kind in EndKind},
            }
            for street, hands in zip(betting.streets, counts.rounds, strict=False)
        ],
        "infosets": counts.infosets,
        "infoset_actions": counts.infoset_actions,
        "infoset_actions_with_blocked_hands": counts.infoset_actions_with_blocked_hands,
        "memory_bytes": counts.memory_bytes,
        "lines": [asdict(line) for line in betting_lines(betting)],
    }


def _print_tree(spot: Spot, betting: BettingTree, counts: TreeCounts) -> None:
    console = stdout_console()
    facts = Table.grid(padding=(0, 2))
    facts.add_row("game", spot.name)
    facts.add_row("pot", f"{spot.pot_chips:,} chips")
    facts.add_row("bets", "; ".join(spot.bets.splitlines()) or "fixed by the limit")
    facts.add_row("infosets", f"{counts.infosets:,}")
    facts.add_row("infoset-actions", f"{counts.infoset_actions:,}")
    facts.add_row("with blocked hands", f"{counts.infoset_actions_with_blocked_hands:,}")
    facts.add_row("memory", format_bytes(counts.memory_bytes))
    console.print(facts)
    console.print()
    console.print(_street_table(betting, counts))
    console.print()
    console.print(_line_table(betting))
    if betting.num_nodes > _LINES_SHOWN:
        console.print(f"... and {betting.num_nodes - _LINES_SHOWN:,} more decisions; `--json` has all")


def _street_table(betting: BettingTree, counts: TreeCounts) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("street")
    for column in ("lines", "shapes", "decisions bb", "dealer", "folds", "showdowns", "all-in", "go on", "boards"):
        table.add_column(column, justify="right")
    for street, hands in zip(betting.streets, counts.rounds, strict=False):
        numbers = (
            street.num_lanes,
            len(street.groups),
            *(street.num_nodes(player) for player in (0, 1)),
            *(street.num_ends(kind) for kind in EndKind),
            hands.num_boards,
        )
        table.add_row(STREETS[street.round], *(f"{number:,}" for number in numbers))
    return table


def _line_table(betting: BettingTree) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("street", "to act", "pot"):
        table.add_column(column, justify="right" if column == "pot" else "left")
    table.add_column("line")
    table.add_column("actions")
    for line in islice(betting_lines(betting), _LINES_SHOWN):
        table.add_row(line.street, line.to_act, f"{line.pot_chips:,}", line.line or "-", ", ".join(line.actions))
    return table
