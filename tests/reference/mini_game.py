"""A limit game of three rounds with three flops, small enough for hundreds of runs from disk."""

from errai.games.definition_text import parse_definition

MINI_TEXT = """GAMEDEF
limit
numPlayers = 2
numRounds = 3
blind = 5 5
raiseSize = 10 20 20
firstPlayer = 1 1 1
maxRaises = 1 1 1
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1 1
END GAMEDEF
"""
MINI = parse_definition(MINI_TEXT, name="mini", source="mini")
