"""The judge that fits a strategy of a whole limit game."""

from errai.evaluate.board_by_board import BoardByBoardJudge
from errai.evaluate.bucketed_judge import BucketedJudge
from errai.evaluate.card_blind import CardBlindJudge
from errai.evaluate.flop_totals import FlopJudge
from errai.games.definition import GameDefinition
from errai.games.strategies import WholeGameStrategy
from errai.trees.bucketed_strategy import BucketedStrategy


def build_judge(definition: GameDefinition, strategy: WholeGameStrategy) -> FlopJudge:
    """The quickest judge that is exact for what `strategy` declares about itself."""
    bucketed = getattr(strategy, "bucketed", None)
    if isinstance(bucketed, BucketedStrategy):
        return BucketedJudge(definition, bucketed)
    return CardBlindJudge(definition, strategy) if strategy.is_card_blind else BoardByBoardJudge(definition, strategy)
