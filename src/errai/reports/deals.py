"""What a strategy does on each card, or on each flop, that can come next: rows, and means over them by texture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.texture import PAIR_TEXTURES, SUIT_TEXTURES, Texture
from errai.games.definition import GameDefinition
from errai.games.spot import position_names
from errai.reports.state import StateReport

Numbers = tuple[float, ...]

_TEXTURES = ("suits", "pairing", "high")


@dataclass(frozen=True)
class DealRow:
    """One deal. Numbers are NaN where no hand gets there."""

    cards: str
    count: int  # deals that differ from this one only by the names of suits, itself included
    weight: float  # how often it happens on this line, up to a factor
    texture: Texture
    frequencies: Numbers  # of each action of the player to act
    equities: Numbers | None  # of both ranges
    values_chips: Numbers | None  # of both ranges, from here on

    @classmethod
    def of(
        cls, report: StateReport, cards: str, count: int, factor: float, texture: Texture, *, with_values: bool
    ) -> "DealRow":
        """The row of a decision after the deal."""
        players = (0, 1)
        return cls(
            cards=cards,
            count=count,
            weight=count * factor * float(report.meeting_weights[0].sum()),
            texture=texture,
            frequencies=tuple(report.frequencies.tolist()),
            equities=tuple(report.average_equity(player) for player in players) if with_values else None,
            values_chips=None
            if report.value_chips is None
            else tuple(report.average_value_chips(player) for player in players),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "cards": self.cards,
            "count": self.count,
            "weight": self.weight,
            **self.texture.to_json(),
            "frequencies": _known(self.frequencies),
            "equities": _known(self.equities),
            "values_chips": _known(self.values_chips),
        }


@dataclass(frozen=True)
class DealTotal:
    """Means over rows, each as often as it happens."""

    name: str
    num_deals: int
    share: float  # of all that is in the report
    frequencies: Numbers
    equities: Numbers | None
    values_chips: Numbers | None

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "deals": self.num_deals,
            "share": self.share,
            "frequencies": _known(self.frequencies),
            "equities": _known(self.equities),
            "values_chips": _known(self.values_chips),
        }


@dataclass(frozen=True)
class DealsReport:
    """All rows, and what is the same after every deal."""

    definition: GameDefinition
    betting: str
    board: str  # before the deal
    player: int  # to act after it
    pot_chips: int
    actions: tuple[str, ...]  # as the ACPC writes them
    action_names: tuple[str, ...]
    rows: tuple[DealRow, ...]

    @property
    def has_values(self) -> bool:
        return self.rows[0].values_chips is not None

    @cached_property
    def totals(self) -> dict[str, list[DealTotal]]:
        return deal_totals(self.rows)

    @property
    def shares(self) -> list[float]:
        """How often each deal happens on this line."""
        whole = sum(row.weight for row in self.rows)
        return [row.weight / whole if whole > 0 else nan for row in self.rows]

    def to_json(self) -> dict[str, Any]:
        """The object that `errai report --json` prints."""
        return {
            "game": self.definition.name,
            "betting": self.betting,
            "board": self.board,
            "player": self.player,
            "position": position_names(self.definition)[self.player],
            "pot_chips": self.pot_chips,
            "actions": list(self.actions),
            "rows": [
                {**self._named(row), "share": None if isnan(share) else share}
                for row, share in zip(self.rows, self.shares, strict=True)
            ],
            "totals": {group: [self._named(total) for total in parts] for group, parts in self.totals.items()},
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row per deal, as a table."""
        table: dict[str, NDArray[Any]] = {
            "cards": np.array([row.cards for row in self.rows]),
            "count": np.array([row.count for row in self.rows]),
            "share": np.array(self.shares),
        }
        table |= {name: np.array([getattr(row.texture, name) for row in self.rows]) for name in _TEXTURES}
        for place, name in enumerate(self.action_names):
            table[name.replace(" ", "_")] = np.array([row.frequencies[place] for row in self.rows])
        for name, pairs in (
            ("equity", [row.equities for row in self.rows]),
            ("value_chips", [row.values_chips for row in self.rows]),
        ):
            if pairs[0] is not None:
                table |= {f"{name}_{player}": np.array(pairs, dtype=float)[:, player] for player in (0, 1)}
        return table

    def _named(self, part: DealRow | DealTotal) -> dict[str, Any]:
        """With the names of the actions instead of their places."""
        shares = _known(part.frequencies) or []
        return {**part.to_json(), "frequencies": dict(zip(self.action_names, shares, strict=True))}


def deal_totals(rows: Sequence[DealRow]) -> dict[str, list[DealTotal]]:
    """All rows, and by suits, by pairing and by high card those that there are."""
    groups: dict[str, list[DealTotal]] = {"all": [_total("all", rows, rows)]}
    ranks = dict.fromkeys(row.texture.high for row in rows)
    for group, names in (("suits", SUIT_TEXTURES), ("pairing", PAIR_TEXTURES), ("high", sorted(ranks, key=_rank))):
        parts = [(name, [row for row in rows if getattr(row.texture, group) == name]) for name in names]
        groups[group] = [_total(name, part, rows) for name, part in parts if part]
    return groups


def _rank(name: str) -> int:
    return "AKQJT98765432".index(name)


def _total(name: str, part: Sequence[DealRow], rows: Sequence[DealRow]) -> DealTotal:
    whole = sum(row.weight for row in rows)
    return DealTotal(
        name=name,
        num_deals=sum(row.count for row in part),
        share=sum(row.weight for row in part) / whole if whole > 0 else nan,
        frequencies=_means(part, lambda row: row.frequencies) or (),
        equities=_means(part, lambda row: row.equities),
        values_chips=_means(part, lambda row: row.values_chips),
    )


def _means(rows: Sequence[DealRow], numbers: Callable[[DealRow], Numbers | None]) -> Numbers | None:
    found = [(row.weight, given) for row in rows if (given := numbers(row)) is not None]
    if not found:
        return None
    means = []
    for column in range(len(found[0][1])):
        known = [(weight, given[column]) for weight, given in found if weight > 0 and not isnan(given[column])]
        total = sum(weight for weight, _ in known)
        means.append(sum(weight * number for weight, number in known) / total if total > 0 else nan)
    return tuple(means)


def _known(numbers: Numbers | None) -> list[float | None] | None:
    return None if numbers is None else [None if isnan(number) else number for number in numbers]
