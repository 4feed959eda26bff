"""The exact sizes of a game."""

from dataclasses import asdict, dataclass
from typing import Any

from errai.games.sizes import GameSizes


@dataclass(frozen=True)
class SizeReport:
    """The sizes of the game called `game`, round by round."""

    game: str
    sizes: GameSizes

    def to_json(self) -> dict[str, Any]:
        rounds = [{"round": number, **asdict(sizes)} for number, sizes in enumerate(self.sizes.rounds)]
        return {"game": self.game, "rounds": rounds, "total": asdict(self.sizes.total)}
