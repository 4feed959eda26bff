"""Hold'em with fewer ranks and fewer raises: whole games that are small enough to be solved in memory as well."""

from errai.games.definition import GameDefinition
from errai.games.definition_text import parse_definition

_TEXT = """GAMEDEF
limit
numPlayers = 2
numRounds = {num_rounds}
blind = 10 5
raiseSize = {raise_sizes}
firstPlayer = {first_players}
maxRaises = {max_raises}
numSuits = 4
numRanks = {num_ranks}
numHoleCards = 2
numBoardCards = {board_cards}
END GAMEDEF
"""


def small_holdem(
    *, num_ranks: int = 3, num_rounds: int = 4, max_raises: tuple[int, ...] = (3, 4, 4, 4)
) -> GameDefinition:
    """The rules of limit hold'em on a smaller deck."""

    def row(values: tuple[int, ...]) -> str:
        return " ".join(map(str, values[:num_rounds]))

    text = _TEXT.format(
        num_rounds=num_rounds,
        raise_sizes=row((10, 10, 20, 20)),
        first_players=row((2, 1, 1, 1)),
        max_raises=row(max_raises),
        num_ranks=num_ranks,
        board_cards=row((0, 3, 1, 1)),
    )
    return parse_definition(text, name=f"holdem.{num_ranks}.ranks", source="tests")
