"""The exact sizes of a game, by round.

states            decision nodes x deals of both hands and of the board so far
infosets          decision nodes x deals of one hand and of the board so far
canonical ...     the same, counting cards up to suit isomorphism
... actions       the same, each node counted once for each of its actions
"""

from dataclasses import dataclass, fields

from errai.cards.isomorphism_counts import count_canonical_deals, count_deals, knows_flushes
from errai.games.betting_counts import count_betting
from errai.games.definition import GameDefinition


@dataclass(frozen=True)
class Sizes:
    """The sizes of one round, or of all of them."""

    decision_nodes: int
    states: int
    infosets: int
    canonical_infosets: int
    infoset_actions: int
    canonical_infoset_actions: int


@dataclass(frozen=True)
class GameSizes:
    rounds: tuple[Sizes, ...]

    @property
    def total(self) -> Sizes:
        return Sizes(*(sum(getattr(sizes, field.name) for sizes in self.rounds) for field in fields(Sizes)))


def count_sizes(definition: GameDefinition) -> GameSizes:
    """The exact sizes of the game, none of which is built."""
    deck = definition.deck
    flushes = knows_flushes(definition.num_hole_cards + sum(definition.num_board_cards))
    rounds = []
    for round, betting in enumerate(count_betting(definition)):
        hand = (definition.num_hole_cards, *definition.num_board_cards[: round + 1])
        hands = count_deals(deck, hand)
        canonical_hands = count_canonical_deals(deck, hand, flushes=flushes)
        rounds.append(
            Sizes(
                decision_nodes=betting.decision_nodes,
                states=betting.decision_nodes * count_deals(deck, (definition.num_hole_cards, *hand)),
                infosets=betting.decision_nodes * hands,
                canonical_infosets=betting.decision_nodes * canonical_hands,
                infoset_actions=betting.actions * hands,
                canonical_infoset_actions=betting.actions * canonical_hands,
            )
        )
    return GameSizes(tuple(rounds))
