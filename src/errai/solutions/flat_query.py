"""One public state of a poker game or a spot that was solved as an extensive form.

Infosets are labelled with the cards that their player sees and the betting: `K/Q:rc/r`. In a whole game the cards are
written up to suit isomorphism, in a spot as they are. So a state and a board give, for every hand of the deck, the
label of its infoset.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from errai.errors import InputError
from errai.evaluate.flat_best_response import best_response_flat
from errai.games.acpc import format_betting
from errai.games.definition import GameDefinition
from errai.games.spot import Spot
from errai.games.state import Action, BettingState, initial_state
from errai.reports.state import StateReport
from errai.solutions.flat_values import NodeValues, node_values
from errai.solutions.public_state import verify_board
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.form_deals import RoundDeals, build_deals, label_hands
from errai.trees.poker_form import build_deals_of_spot
from errai.trees.sequence_form import Float64Array

# A hand that meets less than this part of an even share of the opponent's range meets little but rounding.
_LEAST_REACH = 1e-9


@lru_cache(maxsize=4)
def public_states(form: ExtensiveForm, definition: GameDefinition, start: Spot | None) -> "PublicStates":
    """The public states of a form, indexed once."""
    return PublicStates(form, definition, start)


@dataclass(frozen=True, eq=False)
class PublicStates:
    """The infosets of a poker form by the texts of public states."""

    form: ExtensiveForm
    definition: GameDefinition
    start: Spot | None  # where the game begins; None: at the beginning

    @cached_property
    def _root(self) -> BettingState:
        return initial_state(self.definition) if self.start is None else self.start.root

    def _actions(self, state: BettingState) -> tuple[Action, ...]:
        return state.legal_actions() if self.start is None else self.start.actions(state)

    def _labels(self, board: tuple[int, ...]) -> tuple[str | None, ...]:
        is_whole = self.start is None or self.start.merges_suits
        return label_hands(self.definition, board, merge_suits=is_whole)

    @cached_property
    def _infosets(self) -> dict[str, int]:
        return {label: infoset for infoset, label in enumerate(self.form.infoset_labels)}

    @cached_property
    def _deals(self) -> dict[int, RoundDeals]:
        first = self._root.round
        deals = (
            build_deals(self.definition, merge_suits=True) if self.start is None else build_deals_of_spot(self.start)
        )
        return dict(enumerate(deals, start=first))

    def probabilities(self, strategy: Float64Array, state: BettingState, board: tuple[int, ...]) -> Float64Array:
        """[hand][action] of the player to act; NaN where a hand is not possible."""
        verify_board(state, board)
        infosets = self._infosets_at(state, board)
        known = infosets >= 0
        result = np.full((len(infosets), len(self._actions(state))), np.nan)
        first = self.form.first_action[infosets[known]]
        result[known] = strategy[first[:, np.newaxis] + np.arange(result.shape[1])]
        return result

    def query(
        self, strategy: Float64Array, state: BettingState, board: tuple[int, ...], *, with_values: bool
    ) -> StateReport:
        """Everything about one state on one board."""
        probabilities = self.probabilities(strategy, state, board)
        reach = self._reach(strategy, state, board)
        values = best = by_action = None
        if with_values:
            of_nodes = node_values(self.form, strategy)
            first, second = (self._hand_values(of_nodes, state, board, player) for player in (0, 1))
            values = (first, second)
            actor = state.actor
            assert actor is not None
            by_action = np.stack(
                [
                    self._hand_values(of_nodes, state, board, actor, action=action)
                    for action in range(probabilities.shape[1])
                ],
                axis=1,
            )
            first, second = (
                self._hand_values(node_values(self.form, response.strategy), state, board, player)
                for player in (0, 1)
                for response in [best_response_flat(self.form, strategy, player=player)]
            )
            best = (first, second)
        return StateReport(
            definition=self.definition,
            state=state,
            board=board,
            probabilities=probabilities,
            reach=reach,
            value_chips=values,
            best_response_chips=best,
            action_value_chips=by_action,
            start=self.start,
        )

    def _infosets_at(self, state: BettingState, board: tuple[int, ...]) -> NDArray[np.int64]:
        """The infoset of each hand of the deck; -1 where it shares a card with the board."""
        betting = format_betting(state)
        labels = self._labels(board)
        infosets = [-1 if label is None else self._infosets.get(f"{label}:{betting}", -1) for label in labels]
        if max(infosets) < 0:
            raise InputError(
                f"the betting `{betting}` does not occur in `{self.form.name}`",
                hint="raises are those of the game's definition" if self.start is None else "`errai tree` lists all",
            )
        return np.array(infosets, dtype=np.int64)

    def _reach(
        self, strategy: Float64Array, state: BettingState, board: tuple[int, ...]
    ) -> tuple[Float64Array, Float64Array]:
        """The probabilities of each player's own actions on the way, for all hands that can be held here."""
        possible = np.array([label is not None for label in self._labels(board)])
        first, second = (np.ones(len(possible)),) * 2 if self.start is None else self.start.weights
        reach = (first * possible, second * possible)
        for before, action in self._steps(state):
            assert before.actor is not None
            cards = board[: sum(self.definition.num_board_cards[: before.round + 1])]
            taken = self.probabilities(strategy, before, cards)[:, self._actions(before).index(action)]
            reach[before.actor][:] *= np.nan_to_num(taken)
        return reach

    def _hand_values(
        self, values: NodeValues, state: BettingState, board: tuple[int, ...], player: int, *, action: int | None = None
    ) -> Float64Array:
        """Chips of a player from here on, by hand; of the player to act, also after one of the actions."""
        deals = self._deals[state.round]
        # The nodes of a state are numbered in the order of the deals of its round.
        nodes = self._nodes_of_state(format_betting(state))
        labels = self._labels(board)
        dead_share = 0.0 if self.start is None else self.start.dead_pot_chips / 2
        number_of = {label: number for number, label in enumerate(deals.hand_labels[player])}
        numbers = np.array([-1 if label is None else number_of.get(label, -1) for label in labels])
        weights = values.reach_without(player)[nodes]
        valued = nodes if action is None else self.form.first_child[nodes] + action
        weighted = weights * values.payoff_to(player)[valued]
        hands = deals.hands[player]
        reach = np.bincount(hands, weights=weights, minlength=len(number_of))
        total = np.bincount(hands, weights=weighted, minlength=len(number_of))
        chances = np.bincount(hands, weights=values.chance_reach[nodes], minlength=len(number_of))
        is_known = reach > _LEAST_REACH * chances
        by_hand = np.full(len(reach), np.nan)
        by_hand[is_known] = total[is_known] / reach[is_known] + state.committed[player] + dead_share
        return np.where(numbers >= 0, by_hand[numbers], np.nan)

    def _nodes_of_state(self, betting: str) -> NDArray[np.intp]:
        """The nodes of all deals at a point of the betting."""
        suffix = f":{betting}"
        is_here = np.array([label.endswith(suffix) for label in self.form.infoset_labels] + [False])
        return np.flatnonzero(is_here[self.form.infoset])

    def _steps(self, state: BettingState) -> list[tuple[BettingState, Action]]:
        """The states on the way from the root to `state`, each with the action taken there."""
        steps = []
        here = self._root
        for actions in state.history[here.round :]:
            for action in actions:
                steps.append((here, action))
                here = here.apply(action)
        return steps
