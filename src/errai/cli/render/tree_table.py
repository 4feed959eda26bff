"""A betting tree, as tables and as JSON."""

from dataclasses import asdict
from itertools import islice
from typing import Any

from rich.console import Console
from rich.table import Table

from errai.cli.render.quantities import format_bytes
from errai.games.bet_menu import STREETS
from errai.games.spot import Spot
from errai.trees.betting_lines import betting_lines
from errai.trees.betting_tree import BettingTree, EndKind
from errai.trees.tree_counts import TreeCounts

_LINES_SHOWN = 40


def tree_json(spot: Spot, betting: BettingTree, counts: TreeCounts) -> dict[str, Any]:
    """The object that `errai tree --json` prints."""
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


def print_tree(console: Console, spot: Spot, betting: BettingTree, counts: TreeCounts) -> None:
    """Sizes, streets, and the first lines."""
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
