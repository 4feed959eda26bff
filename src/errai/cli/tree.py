"""`errai tree GAME`: the betting tree of a game or a spot, with its sizes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from errai.cli.menu_options import SpotChips, chip_options, menu_options, menu_text
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console

if TYPE_CHECKING:
    from errai.games.spot import Spot
    from errai.trees.tree_counts import RoundHands


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
    from errai.cli.render.tree_table import print_tree, tree_json
    from errai.games.spot import Spot
    from errai.trees.betting_tree import build_betting_tree
    from errai.trees.tree_counts import count_tree

    chips = SpotChips.of(game, pot=pot, stack=stack, last_round=last_round)
    menu = menu_text(bets, add_all_in=add_all_in, force_all_in=force_all_in, merge=merge)
    spot = Spot(chips.definition, **spot_texts, pot=chips.pot, stack=chips.stack, bets=menu)
    betting = build_betting_tree(spot.root, spot.menu, dead_pot=spot.dead_pot_chips)
    counts = count_tree(betting.streets, _count_hands(spot))
    if as_json:
        print_json(tree_json(spot, betting, counts))
    else:
        print_tree(stdout_console(), spot, betting, counts)


def _count_hands(spot: "Spot") -> "tuple[RoundHands, ...]":
    from errai.trees.tree_counts import count_game_hands, count_spot_hands

    if spot.is_whole_game:
        return count_game_hands(spot.definition)
    return count_spot_hands(spot.definition, spot.board_cards, spot.weights, first_round=spot.root.round)
