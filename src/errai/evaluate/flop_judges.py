"""The judge that fits a strategy of a whole limit game."""

from errai.evaluate.any_strategy import AnyStrategyJudge
from errai.evaluate.card_blind import CardBlindJudge
from errai.evaluate.flop_sums import FlopJudge
from errai.evaluate.judged_strategy import WholeGameStrategy
from errai.games import GameDefinition


def build_judge(definition: GameDefinition, strategy: WholeGameStrategy) -> FlopJudge:
    """The quickest judge that is exact for what `strategy` declares about itself."""
    return CardBlindJudge(definition, strategy) if strategy.is_card_blind else AnyStrategyJudge(definition, strategy)
