"""Small random games for hypothesis: trees with perfect recall, and poker definitions."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypedDict

from hypothesis import assume
from hypothesis import strategies as st

from errai.abstraction.bucket_table import BucketTable, random_table
from errai.abstraction.card_rounds import CardRounds
from errai.errors import InputError, SizeError
from errai.games.definition import UNLIMITED, GameDefinition
from errai.games.spot import Spot
from errai.trees.custom_game import Chance, Decision, Terminal, build_custom_form
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.poker_form import build_extensive_form, count_form, count_spot_form

# (hole cards, board cards): one to three cards at the showdown, so ranks alone and flushes too
CARDS = ((1, (0,)), (1, (0, 1)), (1, (1, 1)), (1, (0, 2)), (2, (0,)), (2, (0, 1)))
# What a public tree begins with: no board. Rounds without cards, three rounds, and four cards at the showdown as well.
TREE_CARDS = (*(cards for cards in CARDS if cards[1][0] == 0), (1, (0, 0)), (1, (0, 1, 1)), (1, (0, 1, 2)), (2, (0, 2)))
DECKS = ((3, 1), (2, 2), (3, 2), (2, 3), (4, 1), (5, 1), (6, 1))
TREE_DECKS = (*DECKS, (4, 2), (2, 4), (3, 3), (3, 4))


@dataclass(frozen=True)
class Place:
    """A node: the path to it, and what each player has seen and done."""

    path: tuple[int, ...] = ()
    known: tuple[tuple[object, ...], tuple[object, ...]] = ((), ())


class RandomGame:
    """A tree that is drawn from a seed: players know their own infosets and actions, and a bit of every node.

    Payoffs have many digits, so that a regret is exactly zero or clearly not, whatever the order of the sums.
    """

    def __init__(self, seed: int, *, depth: int) -> None:
        self.seed = seed
        self.depth = depth

    def initial(self) -> Place:
        return Place()

    def node(self, place: Place) -> Terminal | Chance[Place] | Decision[Place]:
        random = Random(f"{self.seed} {place.path}")
        if len(place.path) == self.depth or (place.path and random.random() < 0.15):
            return Terminal(payoff=random.uniform(-4, 4))
        count = random.choice((1, 2, 2, 3))
        kind = random.choice((0, 0, 1, 1, 2))
        if kind == 2:
            weights = [random.randint(1, 4) for _ in range(count)]
            outcomes = [(self._next(place, number), weight / sum(weights)) for number, weight in enumerate(weights)]
            return Chance(outcomes, is_public=random.random() < 0.5)
        key = (place.known[kind], random.randint(0, 1), count)
        return Decision(kind, key, {f"a{number}": self._next(place, number, kind, key) for number in range(count)})

    @staticmethod
    def _next(place: Place, number: int, player: int | None = None, key: object = None) -> Place:
        known = list(place.known)
        if player is not None:
            known[player] = (*known[player], (key, number))
        return Place((*place.path, number), (known[0], known[1]))


@st.composite
def random_trees(draw: st.DrawFn, *, max_depth: int = 5) -> ExtensiveForm:
    seed = draw(st.integers(0, 2**32))
    return build_custom_form(RandomGame(seed, depth=draw(st.integers(1, max_depth))))


class DealtCards(TypedDict):
    """The fields of a definition that say who acts first, and which cards there are and come."""

    first_player: tuple[int, ...]
    num_suits: int
    num_ranks: int
    num_hole_cards: int
    num_board_cards: tuple[int, ...]


@st.composite
def dealt_cards(
    draw: st.DrawFn, cards: Sequence[tuple[int, tuple[int, ...]]], decks: Sequence[tuple[int, int]]
) -> DealtCards:
    """A deal of `cards` from one of `decks` that has enough of them."""
    num_hole_cards, board = draw(st.sampled_from(cards))
    num_ranks, num_suits = draw(st.sampled_from(decks))
    assume(2 * num_hole_cards + sum(board) <= num_ranks * num_suits)
    return {
        "first_player": draw(st.tuples(*[st.integers(0, 1)] * len(board))),
        "num_suits": num_suits,
        "num_ranks": num_ranks,
        "num_hole_cards": num_hole_cards,
        "num_board_cards": board,
    }


@st.composite
def small_definitions(draw: st.DrawFn) -> GameDefinition:
    """Limit and no-limit games with a handful of cards and chips."""
    cards = draw(dealt_cards(CARDS, DECKS))
    rounds = len(cards["num_board_cards"])
    is_limit = draw(st.booleans())
    blinds = draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
    definition = GameDefinition(
        name="random",
        is_limit=is_limit,
        blinds=blinds,
        **cards,
        raise_sizes=draw(st.tuples(*[st.integers(1, 3)] * rounds)) if is_limit else (),
        max_raises=draw(st.tuples(*[st.integers(0, 2)] * rounds)),
        stacks=draw(st.tuples(st.integers(2, 6), st.integers(2, 6))),
    )
    try:
        build_extensive_form(definition, merge_suits=False, max_nodes=6000)
    except SizeError:
        assume(False)
    return definition


@st.composite
def tree_definitions(draw: st.DrawFn, *, merge_suits: bool = True, max_nodes: int = 20_000) -> GameDefinition:
    """Limit games without stacks that both engines can solve in no time."""
    cards = draw(dealt_cards(TREE_CARDS, TREE_DECKS))
    rounds = len(cards["num_board_cards"])
    definition = GameDefinition(
        name="random",
        is_limit=True,
        blinds=draw(st.tuples(st.integers(0, 6), st.integers(0, 6))),
        **cards,
        raise_sizes=draw(st.tuples(*[st.integers(1, 9)] * rounds)),
        max_raises=draw(st.tuples(*[st.integers(0, 3)] * rounds)),
    )
    try:
        count_form(definition, merge_suits=merge_suits, max_nodes=max_nodes)
    except SizeError:
        assume(False)
    return definition


GAME_MENUS = (
    "fcpa",
    "50%,100%,a",
    "33%,75% / 2.5x,a cap 2",
    "1c,3c / 2c cap 3",
    "100% / a; force-all-in 0.3",
    "50% / 3x; flop lead 25%; add-all-in 2; merge 0.2",
    "preflop 2.5x,a; e / e; no-limp",
)


@st.composite
def menu_games(draw: st.DrawFn, *, max_nodes: int = 20_000) -> Spot:
    """Whole no-limit games with a bet menu: a handful of cards, any blinds, and stacks that need not be equal."""
    cards = draw(dealt_cards(TREE_CARDS, TREE_DECKS))
    rounds = len(cards["num_board_cards"])
    blinds = draw(st.tuples(st.integers(0, 6), st.integers(0, 6)))
    stacks = draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
    definition = GameDefinition(
        name="random",
        is_limit=False,
        blinds=blinds,
        **cards,
        raise_sizes=(),
        max_raises=(UNLIMITED,) * rounds,
        stacks=(max(blinds) + stacks[0], max(blinds) + stacks[1]),
    )
    try:
        spot = Spot(definition, bets=draw(st.sampled_from(GAME_MENUS)))
        count_spot_form(spot, max_nodes=max_nodes)
    except (InputError, SizeError):  # a menu need not fit every game
        assume(False)
        raise
    return spot


@st.composite
def games_with_tables(draw: st.DrawFn) -> tuple[GameDefinition, BucketTable]:
    definition = draw(tree_definitions(merge_suits=False, max_nodes=4_000))
    counts = draw(st.tuples(*[st.integers(1, 3)] * definition.num_rounds))
    seed = draw(st.integers(0, 99))
    return definition, random_table(CardRounds.of(definition), counts, seed=seed, perfect_recall=True)
