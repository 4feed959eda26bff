from dataclasses import replace

import numpy as np
import pytest

from errai.cards.hands import hands
from errai.cards.ranges import parse_range
from errai.errors import SizeError
from errai.games.acpc import parse_betting
from errai.games.bet_menu_text import parse_bet_menu
from errai.games.definition import GameDefinition
from errai.games.library import bundled_games, load_game
from errai.games.sizes import count_sizes
from errai.games.state import initial_state
from errai.trees.betting_tree import build_betting_tree
from errai.trees.tree_counts import count_game_hands, count_spot_hands, count_tree
from reference import benchmark_spot

NO_LIMIT = load_game("holdem.nolimit.2p")


def weights(definition: GameDefinition, *texts: str) -> tuple[np.ndarray, np.ndarray]:
    first, second = (parse_range(text, definition.deck) for text in texts)
    return first, second


def test_the_benchmark_spot_has_the_published_sizes() -> None:
    definition = replace(NO_LIMIT, blinds=(0, 0), stacks=(benchmark_spot.STACK,) * 2)
    tree = build_betting_tree(
        parse_betting(definition, "cc/"), parse_bet_menu(benchmark_spot.BETS), dead_pot=benchmark_spot.POT
    )
    ranges = weights(definition, benchmark_spot.RANGE_BB, benchmark_spot.RANGE_DEALER)
    rounds = count_spot_hands(definition, definition.deck.parse(benchmark_spot.BOARD), ranges, first_round=1)
    assert [of_round.num_boards for of_round in rounds] == [1, 36, 36 * 48 - 23 * 13]
    counts = count_tree(tree.streets, rounds)
    # 155,952,394 if every hand of a range counts on every board, 143,462,978 without the blocked ones.
    assert counts.infoset_actions_with_blocked_hands == 155_952_394
    assert counts.infoset_actions == 143_462_978
    assert counts.memory_bytes == 8 * 143_462_978


@pytest.mark.parametrize("name", [name for name in bundled_games() if load_game(name).is_limit])
def test_whole_limit_games_are_counted_as_errai_count_does(name: str) -> None:
    definition = load_game(name)
    counts = count_tree(build_betting_tree(initial_state(definition)).streets, count_game_hands(definition))
    total = count_sizes(definition).total
    assert counts.infosets == total.canonical_infosets
    assert counts.infoset_actions == total.canonical_infoset_actions
    assert counts.infoset_actions_with_blocked_hands >= counts.infoset_actions


def test_boards_and_hands_are_those_of_a_plain_walk() -> None:
    definition = replace(NO_LIMIT, num_ranks=5, name="small")
    deck = definition.deck
    flop = deck.parse("TcJcQd")
    ranges = weights(definition, "AA,KQs,JTo:0.5", "TT+,AKs,AsKd")
    rounds = count_spot_hands(definition, flop, ranges, first_round=1)

    # No relabelling keeps the flop and `AsKd`, so every card that comes is a board of its own.
    held = [[set(cards) for cards in hands(deck, 2)[own > 0].tolist()] for own in ranges]
    left = [card for card in range(deck.size) if card not in flop]
    turns = [(*flop, card) for card in left]
    rivers = [(*turn, card) for turn in turns for card in left if card not in turn]
    for of_round, boards in zip(rounds, ([flop], turns, rivers), strict=True):
        assert of_round.num_boards == len(boards)
        for player in (0, 1):
            possible = [hand for hand in held[player] if not hand & set(flop)]
            assert of_round.hands_with_blocked[player] == len(boards) * len(possible)
            assert of_round.hands[player] == sum(not hand & set(board) for board in boards for hand in possible)


def test_ranges_that_tell_suits_apart_keep_boards_apart() -> None:
    flop = NO_LIMIT.deck.parse("QsJh2h")
    alike = count_spot_hands(NO_LIMIT, flop, weights(NO_LIMIT, "AA", "KK"), first_round=1)
    apart = count_spot_hands(NO_LIMIT, flop, weights(NO_LIMIT, "AA", "KK,AdKc"), first_round=1)
    assert [of_round.num_boards for of_round in alike[:2]] == [1, 36]
    assert [of_round.num_boards for of_round in apart[:2]] == [1, 49]


def test_a_count_over_too_many_boards_is_refused() -> None:
    with pytest.raises(SizeError, match="takes too long"):
        count_spot_hands(NO_LIMIT, (), weights(NO_LIMIT, "AA", "KcKd"), first_round=0)
