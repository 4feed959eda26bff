"""The exact exploitability of a strategy that is named or given as an object."""

import os
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from errai.agents.agent import Agent, CheckedAgent
from errai.agents.loading import load_strategy
from errai.errors import InputError
from errai.evaluate.exploitability import Exploitability
from errai.evaluate.flat_best_response import exploitability_flat
from errai.evaluate.flop_judges import build_judge
from errai.evaluate.flop_totals import FlopJudge, FlopTotals, total_over_flops
from errai.games.definition import GameDefinition
from errai.games.library import load_game
from errai.solutions.game_kinds import Game, pose

OnShare = Callable[[float], None]


def exploitability(
    game: str | Game,
    strategy: Agent | str | NDArray[np.float64],
    *,
    num_threads: int | None = None,
    on_progress: OnShare | None = None,
) -> Exploitability:
    """The exact exploitability of a strategy of both players.

    Of a whole limit game, given by name or definition, a strategy is an agent (see `errai.agents.agent`) or a text that
    names one, such as `call=0.5,raise=0.5` or the directory of a solution; `on_progress` receives the share that is
    done. All cores are used, unless the agent is an object that looks at its cards. Of the tree of a game made in
    Python, a strategy is an array with a probability for each infoset-action.
    """
    posed = pose(load_game(game) if isinstance(game, str) else game)
    if posed.form is not None:
        return exploitability_flat(posed.form, np.asarray(strategy), with_value=True)
    if posed.definition is None or posed.start is not None:
        raise InputError(
            f"a strategy is judged in a whole game; `{posed.name}` is a spot",
            hint="`solve(spot).exploitability()` judges the solution of a spot",
        )
    if isinstance(strategy, np.ndarray):
        raise InputError(
            f"a strategy of `{posed.name}` is an agent or the name of one; got an array",
            hint="arrays are strategies of trees: `errai.build_custom_form` makes one",
        )
    definition = posed.definition
    named = strategy if isinstance(strategy, str) else None
    agent = CheckedAgent(strategy) if not isinstance(strategy, str) else load_strategy(strategy, definition)
    judge = build_judge(definition, agent)

    def report(totals: FlopTotals) -> None:
        if on_progress is not None:
            on_progress(totals.share_of(judge))

    totals = total_over_flops(
        judge,
        num_threads=num_threads or os.cpu_count() or 1,
        make_judge=None if named is None else partial(make_judge, named, definition),
        on_flop=report,
    )
    return judge.finish(totals.total)


def make_judge(strategy: str, definition: GameDefinition) -> FlopJudge:
    """The judge of a strategy that a text names; a worker process makes its own."""
    return build_judge(definition, load_strategy(strategy, definition))
