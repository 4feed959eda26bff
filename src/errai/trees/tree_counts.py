"""How large the game of a betting tree is: infosets and infoset-actions, known before anything is solved.

Boards that a relabelling of suits turns into each other are counted once. Each player's infosets are those of the hands
in the player's own range. Of a spot, every hand of the range counts by itself; in a whole game, where every hand can be
held, hands and boards are counted together up to suit isomorphism, as in `errai.games.sizes`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import held_cards, num_hands
from errai.cards.isomorphism_counts import count_canonical_deals, knows_flushes
from errai.errors import SizeError
from errai.games.definition import GameDefinition
from errai.trees.betting_size import SizedStreet
from errai.trees.board_deals import Deal, deal_cards
from errai.trees.symmetry import root_symmetry

MAX_BOARDS = 20_000  # of a round; their children take about 10 seconds
_BYTES_PER_ACTION = 2 * 4  # a regret and a term of the average in `float32`


@dataclass(frozen=True)
class RoundHands:
    """The hands of a round, summed over its boards."""

    num_boards: int
    hands: tuple[int, int]  # of each player's range, without those that a board blocks
    hands_with_blocked: tuple[int, int]  # as if every hand of the range could be held on every board


@dataclass(frozen=True)
class TreeCounts:
    """The size of a game with its betting tree."""

    rounds: tuple[RoundHands, ...]
    infosets: int
    infoset_actions: int
    infoset_actions_with_blocked_hands: int

    @property
    def memory_bytes(self) -> int:
        """What the regrets and averages of a solve take in `float32`."""
        return self.infoset_actions * _BYTES_PER_ACTION


def count_tree(streets: Sequence[SizedStreet], rounds: Sequence[RoundHands]) -> TreeCounts:
    """The sizes of a game whose streets of betting have these hands."""
    infosets = actions = actions_with_blocked = 0
    for street, hands in zip(streets, rounds, strict=False):
        for player in (0, 1):
            infosets += hands.hands[player] * street.num_nodes(player)
            actions += hands.hands[player] * street.num_actions(player)
            actions_with_blocked += hands.hands_with_blocked[player] * street.num_actions(player)
    return TreeCounts(tuple(rounds), infosets, actions, actions_with_blocked)


def count_spot_hands(
    definition: GameDefinition,
    board: Sequence[int],
    weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    *,
    first_round: int,
    num_rounds: int | None = None,
) -> tuple[RoundHands, ...]:
    """The hands of `num_rounds` rounds of a spot (default: all) that begins with `board` in `first_round`."""
    held = held_cards(definition.deck, definition.num_hole_cards) > 0
    in_range = [(own > 0) & ~held[:, list(board)].any(axis=1) for own in weights]
    cards_of_ranges = [held[own] for own in in_range]
    boards = [Deal(tuple(board), 1, root_symmetry(definition, np.array(board, dtype=np.uint8), weights))]
    rounds: list[RoundHands] = []
    end = definition.num_rounds if num_rounds is None else first_round + num_rounds
    for round_ in range(first_round, end):
        if round_ > first_round:
            if len(boards) > MAX_BOARDS:
                raise SizeError(
                    f"counting the hands of round {round_ + 1} takes too long: {len(boards):,} boards lead there",
                    hint="count a spot that begins on a later street, or the whole game without ranges",
                )
            boards = [
                Deal((*above.cards, *deal.cards), 1, deal.symmetry)
                for above in boards
                for deal in deal_cards(above.symmetry, above.cards, definition.num_board_cards[round_])
            ]
        unblocked = [
            sum(int(np.count_nonzero(~cards[:, list(deal.cards)].any(axis=1))) for deal in boards)
            for cards in cards_of_ranges
        ]
        with_blocked = [len(boards) * len(cards) for cards in cards_of_ranges]
        rounds.append(RoundHands(len(boards), (unblocked[0], unblocked[1]), (with_blocked[0], with_blocked[1])))
    return tuple(rounds)


def count_game_hands(definition: GameDefinition) -> tuple[RoundHands, ...]:
    """The hands of every round of a whole game, up to suit isomorphism."""
    flushes = knows_flushes(definition.num_hole_cards + sum(definition.num_board_cards))
    every_hand = num_hands(definition.deck, definition.num_hole_cards)
    rounds = []
    for round_ in range(definition.num_rounds):
        board = definition.num_board_cards[: round_ + 1]
        hands = count_canonical_deals(definition.deck, (definition.num_hole_cards, *board), flushes=flushes)
        boards = count_canonical_deals(definition.deck, board, flushes=flushes)
        rounds.append(RoundHands(boards, (hands, hands), (boards * every_hand, boards * every_hand)))
    return tuple(rounds)
