"""The judge that fits a strategy of a whole limit game."""

from errai.evaluate.board_by_board import BoardByBoardJudge
from errai.evaluate.card_blind import CardBlindJudge
from errai.evaluate.flop_totals import FlopJudge
from errai.games.definition import GameDefinition
from errai.games.strategies import WholeGameStrategy


def build_judge(definition: GameDefinition, strategy: WholeGameStrategy) -> FlopJudge:
    """The quickest judge that is exact for what `strategy` declares about itself."""
    return CardBlindJudge(definition, strategy) if strategy.is_card_blind else BoardByBoardJudge(definition, strategy)
