"""The exact exploitability of whatever can be judged, in one word."""

import os
from collections.abc import Callable
from functools import partial
from typing import Any, overload

from errai.agents.agent import Agent, CheckedAgent
from errai.agents.loading import load_strategy
from errai.evaluate import exploitability as of_arrays
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flop_judges import build_judge
from errai.evaluate.flop_totals import FlopJudge, FlopTotals, total_over_flops
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.passes.tree_values import Weights
from errai.trees.extensive_form import ExtensiveForm
from errai.trees.public_tree import PublicTree
from errai.trees.sequence_form import Float64Array

OnShare = Callable[[float], None]


@overload
def exploitability(game: ExtensiveForm, strategy: Float64Array, *, num_threads: int = 1) -> Exploitability: ...


@overload
def exploitability(game: PublicTree, strategy: Weights, *, num_threads: int = 1) -> Exploitability: ...


@overload
def exploitability(
    game: GameDefinition | str,
    strategy: Agent | str,
    *,
    num_threads: int | None = None,
    on_progress: OnShare | None = None,
) -> Exploitability: ...


def exploitability(
    game: Any, strategy: Any, *, num_threads: int | None = None, on_progress: OnShare | None = None
) -> Exploitability:
    """The exact exploitability of a strategy of both players.

    Of a whole limit game, given by name or definition, a strategy is an agent (see `errai.agents.agent`) or a text that
    names one, as `call=0.5,raise=0.5`; `on_progress` hears which share is done. It takes all cores, unless the agent is
    an object that looks at its cards. In an `ExtensiveForm` a strategy is a probability for each infoset-action; on a
    `PublicTree` a pair of `LaneArray`s of weights.
    """
    if isinstance(game, ExtensiveForm | PublicTree):
        return of_arrays.exploitability(game, strategy, num_threads=num_threads or 1)
    definition = load_game(game) if isinstance(game, str) else game
    by_name = isinstance(strategy, str)
    agent = load_strategy(strategy, definition) if by_name else CheckedAgent(strategy)
    judge = build_judge(definition, agent)

    def tell(sums: FlopTotals) -> None:
        if on_progress is not None:
            on_progress(sums.share_of(judge))

    sums = total_over_flops(
        judge,
        num_threads=num_threads or os.cpu_count() or 1,
        make_judge=partial(make_judge, strategy, definition) if by_name else None,
        on_flop=tell,
    )
    return judge.finish(sums.total)


def make_judge(strategy: str, definition: GameDefinition) -> FlopJudge:
    """The judge of a strategy that a text names; a worker process makes its own."""
    return build_judge(definition, load_strategy(strategy, definition))
