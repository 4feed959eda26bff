"""Local best response: a lower bound on what a strategy can lose (Lisy and Bowling 2017, Figure 1).

LBR plays hands against the strategy. It knows the strategy, so it knows with which probability the opponent holds each
hand, its *range* (`OpponentRange`).

When it is LBR's turn it looks one action ahead and supposes that nobody does anything but check and call after that:

1. e(h) = the probability of winning against hand h, a tie counting half, over all boards that can still come.
2. Called down, a pot that each player has put M into pays LBR (2 e(h) - 1) M against h. So with the range p,

       value(fold)         = - what LBR has put in
       value(call)         = M_call  * sum_h p(h) (2 e(h) - 1)
       value(raise to T)   = pot won * sum_h p(h) fold(h)  +  M_T * sum_h p(h) (1 - fold(h)) (2 e(h) - 1)

   where fold(h) is the strategy's answer to that raise. These are the paper's utilities minus what LBR has put in. The
   vector e serves all sizes. At a spot, the pot in the middle and the rake count too (`errai.play.called_down`).
3. It takes the first best of fold, call and the raises from small to large. So it folds where the best utility is 0, as
   in the paper; a fold is considered only where it is legal.

Outside the rounds in which it is active, LBR checks and calls. It plays by the rules and sees only its own cards, so in
expectation it cannot win more than a best response.
"""

from dataclasses import dataclass
from functools import cached_property

from errai.cards.equity import edge_against_each
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.games.state import CALL, FOLD, Action, BettingState, Raise
from errai.games.strategies import ExploitedStrategy
from errai.play.bet_sets import BetSet
from errai.play.called_down import called_down_chips, lost_by_fold_chips, matched_chips, won_by_fold_chips
from errai.play.hand_start import HandStart
from errai.play.opponent_range import Float64Array

# Values closer than this part of the chips at stake are equal but for rounding.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class LocalBestResponse:
    """Which raises are considered, and in which rounds (from 0) LBR does more than check and call."""

    definition: GameDefinition
    bets: BetSet
    rounds: frozenset[int]
    spot: Spot | None = None  # where every hand begins; None for the start of the game

    def __post_init__(self) -> None:
        if not self.rounds <= set(range(self.definition.num_rounds)):
            raise InputError(
                f"`{self.definition.name}` has the rounds 1 to {self.definition.num_rounds}; "
                f"got {sorted(round + 1 for round in self.rounds)}"
            )

    @cached_property
    def start(self) -> HandStart:
        return HandStart(self.definition, self.spot)

    def choose(
        self,
        strategy: ExploitedStrategy,
        state: BettingState,
        board: tuple[int, ...],
        hole_cards: tuple[int, ...],
        opponent_range: Float64Array,
    ) -> Action:
        """What LBR does with `hole_cards`; `opponent_range` sums to one."""
        if state.round not in self.rounds or state.actor is None:
            return CALL
        player = state.actor
        edges = opponent_range * showdown_edge(self.definition, hole_cards, board)
        edge = float(edges.sum())
        actions: list[Action] = [CALL]
        values = [called_down_chips(state, max(state.committed), edge)]
        if state.can_fold():
            actions.insert(0, FOLD)
            values.insert(0, -float(lost_by_fold_chips(state, player)))
        totals = self._raise_totals(strategy, state, board)
        for total in totals:
            fold = strategy.action_probabilities(state.apply_raise(total), board).fold
            actions.append(Raise(total))
            folded = expectation(fold, opponent_range, 1.0)
            values.append(
                won_by_fold_chips(state, 1 - player) * folded
                + called_down_chips(state, total, edge - expectation(fold, edges, edge), 1.0 - folded)
            )
        at_stake = matched_chips(state, max(*state.committed, *totals))
        good_enough = max(values) - _TOLERANCE * at_stake
        return next(action for action, value in zip(actions, values, strict=True) if value >= good_enough)

    def _raise_totals(self, strategy: ExploitedStrategy, state: BettingState, board: tuple[int, ...]) -> list[int]:
        if self.bets.on_tree:
            totals: list[int] = strategy.action_probabilities(state, board).raise_totals.tolist()
            return totals
        return self.bets.raise_totals(state)


def showdown_edge(definition: GameDefinition, hole_cards: tuple[int, ...], board: tuple[int, ...]) -> Float64Array:
    """2 e(h) - 1 for every hand h: what a called-down pot of one chip from each player is worth. Read-only."""
    return edge_against_each(definition.deck, hole_cards, board, num_board_cards=sum(definition.num_board_cards))


def expectation(values: Float64Array, weights: Float64Array, sum_of_weights: float) -> float:
    """The sum over all hands of `values` times `weights`; one value stands for all hands."""
    return float(values[0]) * sum_of_weights if len(values) == 1 else float(values @ weights)
