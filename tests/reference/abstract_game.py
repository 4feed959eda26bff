"""An abstract game as a tree of its own, in which players are told the bucket of their hand and not the cards."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from errai.cards.hands import number_of_hand
from errai.games.acpc import format_action, format_betting
from errai.games.definition import GameDefinition
from errai.games.showdown import payoffs_chips
from errai.games.state import BettingState, initial_state
from errai.trees.betting_tree import BettingTree
from errai.trees.bucket_layout import BucketArrays, BucketLayout, HandBuckets
from errai.trees.custom_game import Chance, Decision, Terminal, build_custom_form
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.lane_arrays import normalise


@dataclass(frozen=True)
class Dealt:
    holes: tuple[tuple[int, ...], tuple[int, ...]]
    board: tuple[int, ...]
    betting: BettingState


class AbstractPoker:
    def __init__(self, definition: GameDefinition, table: HandBuckets, betting: BettingTree | None = None) -> None:
        self.definition = definition
        self.table = table
        self.betting = betting

    def initial(self) -> Dealt | None:
        return None

    def node(self, state: Dealt | None) -> Terminal | Chance[Dealt | None] | Decision[Dealt | None]:
        definition = self.definition
        if state is None:
            start = initial_state(definition)
            deals = [
                Dealt((first, second), (), start)
                for first in combinations(range(definition.deck.size), definition.num_hole_cards)
                for second in combinations(range(definition.deck.size), definition.num_hole_cards)
                if not set(first) & set(second)
            ]
            return Chance([(deal, 1 / len(deals)) for deal in deals])
        betting = state.betting
        is_over = betting.is_terminal
        if not (is_over and betting.folded_player is not None):
            wanted = sum(definition.num_board_cards[: None if is_over else betting.round + 1])
            if len(state.board) < wanted:
                # One round's cards at a time.
                size = next(end for end in np.cumsum(definition.num_board_cards).tolist() if end > len(state.board))
                left = set(range(definition.deck.size)) - {*state.board, *state.holes[0], *state.holes[1]}
                drawn = list(combinations(sorted(left), size - len(state.board)))
                return Chance(
                    [(Dealt(state.holes, (*state.board, *cards), betting), 1 / len(drawn)) for cards in drawn],
                    is_public=True,
                )
        if is_over:
            return Terminal(float(payoffs_chips(betting, state.holes, state.board)[0]))
        player = betting.actor
        assert player is not None
        board = np.array([state.board], dtype=np.uint8).reshape(1, -1)
        bucket = int(self.table.of_boards(betting.round, board)[0, number_of_hand(state.holes[player])])
        actions = betting.legal_actions() if self.betting is None else self.betting.actions(betting)
        children = {
            format_action(action, is_limit=definition.is_limit): Dealt(state.holes, state.board, betting.apply(action))
            for action in actions
        }
        return Decision(player, f"{bucket} {format_betting(betting)}", children)


def abstract_form(
    definition: GameDefinition, table: HandBuckets, betting: BettingTree | None = None, *, max_nodes: int = 300_000
) -> ExtensiveForm:
    return build_custom_form(
        AbstractPoker(definition, table, betting), unit_chips=float(definition.unit_chips), max_nodes=max_nodes
    )


def strategy_on_abstract_form(form: ExtensiveForm, layout: BucketLayout, weights: BucketArrays) -> np.ndarray:
    """Bucketed weights as probabilities of the form's infoset-actions."""
    strategy = np.full(int(form.first_action[-1]), np.nan)
    place = {
        (int(player), label): int(first)
        for player, label, first in zip(form.infoset_player, form.infoset_labels, form.first_action, strict=False)
    }
    for round_index, street in enumerate(layout.betting.streets):
        for group_index, group in enumerate(street.groups):
            for node_index, node in enumerate(group.shape.nodes):
                values = normalise(
                    layout.node_values(
                        weights[node.player], round_index=round_index, node_index=node_index, group=group_index
                    )
                )
                for lane, state in enumerate(group.node_states[node_index]):
                    for bucket in range(layout.counts[round_index]):
                        first = place.get((node.player, f"{bucket} {format_betting(state)}"))
                        if first is not None:
                            strategy[first : first + node.num_actions] = values[bucket, :, lane]
    assert not np.isnan(strategy).any()
    return strategy
