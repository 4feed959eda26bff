"""The rules of a game in one line."""

from dataclasses import asdict, dataclass
from typing import Any, Self

from errai.games.definition import GameDefinition


@dataclass(frozen=True)
class GameSummary:
    """What a list of games shows of one."""

    name: str
    is_limit: bool
    rounds: int
    cards: int
    hole_cards: int
    board_cards: tuple[int, ...]  # dealt at the start of each round
    unit_chips: int  # of `mbb`, times 1,000

    @classmethod
    def of(cls, definition: GameDefinition) -> Self:
        return cls(
            name=definition.name,
            is_limit=definition.is_limit,
            rounds=definition.num_rounds,
            cards=definition.deck.size,
            hole_cards=definition.num_hole_cards,
            board_cards=definition.num_board_cards,
            unit_chips=definition.unit_chips,
        )

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "board_cards": list(self.board_cards)}
