"""Which method solves an abstract game, unless the user names one, and why.

1. `dense` for a table with perfect recall and few buckets: every iteration takes all deals into account, and costs what
   the buckets cost. Not where it would count only some of the boards and all of them can be walked.
2. `boards` for any other table where the game is small enough to walk all its boards in every iteration.
3. `sampled` for all else.

`cfr-br` is never the default: its iterations take three times as long, and it is for whoever minds exploitability more.
"""

from typing import NamedTuple

from errai.abstraction.joint_weights import MOST_BUCKETS
from errai.abstraction.recipe import Recipe
from errai.games.definition import GameDefinition
from errai.solutions.bot_design import BotRequest, can_walk_all_boards, num_counted_boards
from errai.solutions.bot_method_names import Method


class MethodChoice(NamedTuple):
    """A method, and the reason for it in one sentence."""

    method: Method
    reason: str


def choose_method(definition: GameDefinition, bets: str, recipe: Recipe) -> MethodChoice:
    """The method for a game and a table."""
    request = BotRequest(definition, bets)
    is_walkable = can_walk_all_boards(request.game_counts)
    is_small = recipe.num_buckets(recipe.cards.num_rounds - 1) <= MOST_BUCKETS
    num_boards, is_exact = num_counted_boards(recipe.cards, request.joint_boards)
    if recipe.perfect_recall and is_small and (is_exact or not is_walkable):
        counted = "all boards" if is_exact else f"{num_boards:,} boards"
        return MethodChoice("dense", f"with perfect recall, pairs of buckets are counted once, on {counted}")
    if is_walkable:
        return MethodChoice("boards", "the game is small enough to walk all boards in every iteration")
    why = f"more than {MOST_BUCKETS:,} buckets in the last round" if recipe.perfect_recall else "imperfect recall"
    return MethodChoice("sampled", f"the boards are too many to walk, and {why} rules out counting pairs of buckets")


def method_reason(request: BotRequest, recipe: Recipe) -> str:
    """Why a request is solved by its method."""
    choice = choose_method(request.definition, request.bets, recipe)
    if choice.method == request.method:
        return choice.reason
    flops = request.drawn_flops
    drawn = "" if flops is None else f", with {flops:,} flop{'' if flops == 1 else 's'} drawn in every iteration"
    return f"as asked{drawn}; the default is `{choice.method}`"
