"""Where a public state lies in a public tree: on which boards, under which relabelling of cards, in which lanes.

A tree holds one board of each class that a relabelling of cards makes equal. Whoever asks for another board of the
class gets there by a relabelling: round by round, one of those that leave the tree's board as it is takes the new cards
onto the cards of the board below, and all of them together take a hand to the hand that the tree knows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from errai.cards.hands import hand_index, hands
from errai.errors import InputError
from errai.games.acpc import format_action, format_betting
from errai.games.state import Action, BettingState, Raise
from errai.trees.betting_tree import LaneGroup, StreetBetting
from errai.trees.public_tree import PublicTree, TreeNode
from errai.trees.tree_rounds import TreeBoard


@dataclass(frozen=True)
class PlacedBoard:
    """A board as somebody names it, and the board of the tree that stands for it."""

    cards: tuple[int, ...]
    index: int  # of the tree's board in its round
    tree_raw_hand: NDArray[np.int64]  # for each hand of the deck, the hand that it is on the tree's board
    tree_hands: tuple[NDArray[np.int64], NDArray[np.int64]]  # for each player and hand of the deck, its row there or -1
    relabelling: NDArray[np.uint8]  # for each card of the deck, the card that it is there


@dataclass(frozen=True)
class TreePath:
    """The decisions on the way from the root with the actions taken there, and the one that comes next."""

    steps: tuple[tuple[TreeNode, int], ...]
    node: TreeNode


def place_board(tree: PublicTree, cards: tuple[int, ...]) -> tuple[PlacedBoard, ...]:
    """The boards of all rounds, from the root's on, whose cards are among `cards`."""
    definition = tree.definition
    ends = list(accumulate(definition.num_board_cards))[tree.root.round :]
    if len(cards) not in ends:
        raise InputError(
            f"below the root a board has {' or '.join(map(str, sorted(set(ends))))} cards; got {len(cards)}",
            hint="name all cards on the board, those of the spot first",
        )
    _verify_root_board(tree, cards[: ends[0]])
    relabelling = np.arange(definition.deck.size, dtype=np.uint8)
    index = 0
    placed = [_placed(tree, tree.rounds[0].boards[0], cards[: ends[0]], 0, relabelling)]
    for round_index, (first, last) in enumerate(pairwise(ends)):
        above = tree.rounds[round_index].boards[index]
        is_bet_on = above.num_children > 0  # not where everybody is all-in before
        if last > len(cards) or (first == last and not is_bet_on):
            break
        deal = relabelling[list(cards[first:last])]
        num_suits = definition.deck.num_suits
        ranks = sorted(card // num_suits for card in deal.tolist())
        children = range(above.first_child, above.first_child + above.num_children)
        for index in children:
            child = tree.rounds[round_index + 1].boards[index]
            if sorted(card // num_suits for card in child.cards[first:last]) != ranks:
                continue  # no relabelling changes ranks; most of 1,755 flops end here
            onto = above.symmetry.relabelling(deal, np.array(child.cards[first:last], dtype=np.uint8))
            if onto is not None:
                relabelling = onto[relabelling]
                placed.append(_placed(tree, child, cards[:last], index, relabelling))
                break
        else:
            raise InputError(
                f"`{definition.deck.text(cards[:last])}` is not dealt in this game",
                hint="it was restricted to some boards when it was solved",
            )
    return tuple(placed)


def trace_betting(tree: PublicTree, state: BettingState) -> TreePath:
    """The way from the root to a state in which somebody has to act."""
    start = tree.root.round
    if state.history[:start] != tree.root.history[:start] or state.round < start:
        raise InputError(
            f"the betting must begin with `{format_betting(tree.root)}`; got `{format_betting(state)}`",
            hint="only what is below the spot was solved",
        )
    if state.is_terminal:
        raise InputError(f"nobody acts after `{format_betting(state)}`: the hand is over", hint="leave the end out")
    return trace_streets([tree_round.betting for tree_round in tree.rounds], state.history[start:])


def trace_streets(streets: Sequence[StreetBetting], history: Sequence[Sequence[Action]]) -> TreePath:
    """The way through rounds of betting, the last of which is not over."""
    steps: list[tuple[TreeNode, int]] = []
    lane = group_index = 0
    for round_index, actions in enumerate(history):
        group = streets[round_index].groups[group_index]
        state = group.starts[lane]
        node_index = 0
        for action in actions:
            choice = _index_of(group, node_index, lane, state, action)
            steps.append((TreeNode(round_index, node_index, lane, group_index), choice))
            edge = group.shape.nodes[node_index].edges[choice]
            state = state.apply(action)
            if edge.node is None:
                assert edge.end is not None
                group_index, lane = int(group.next_group[edge.end, lane]), int(group.next_lane[edge.end, lane])
                break
            node_index = edge.node
    return TreePath(tuple(steps), TreeNode(len(history) - 1, node_index, lane, group_index))


def _index_of(group: LaneGroup, node_index: int, lane: int, state: BettingState, action: Action) -> int:
    """Which of the node's actions an action is."""
    node = group.shape.nodes[node_index]
    letter = format_action(action, is_limit=True)
    for index, edge in enumerate(node.edges):
        if edge.letter != letter:
            continue
        if letter != "r" or edge.node is None:
            return index
        assert isinstance(action, Raise)
        if group.node_committed[edge.node, lane].max() == action.total:
            return index
    text = format_action(action, is_limit=state.definition.is_limit)
    raise InputError(
        f"the betting tree has no action `{text}` after `{format_betting(state)}`",
        hint="only the sizes of the bet menu were solved",
    )


def _verify_root_board(tree: PublicTree, cards: tuple[int, ...]) -> None:
    """The cards of one round may come in any order."""
    own = tree.rounds[0].boards[0].cards
    first = 0
    for count in tree.definition.num_board_cards[: tree.root.round + 1]:
        if set(own[first : first + count]) != set(cards[first : first + count]):
            deck = tree.definition.deck
            raise InputError(
                f"the board must begin with `{deck.text(own)}`; got `{deck.text(cards)}`",
                hint="only what is below the spot was solved",
            )
        first += count


def _placed(
    tree: PublicTree, board: TreeBoard, cards: tuple[int, ...], index: int, relabelling: NDArray[np.uint8]
) -> PlacedBoard:
    raw = hand_index(relabelling[hands(tree.definition.deck, tree.definition.num_hole_cards)])
    first, second = (own.hand_of_raw[raw].astype(np.int64) for own in board.hands)
    return PlacedBoard(cards, index, raw, (first, second), relabelling)
