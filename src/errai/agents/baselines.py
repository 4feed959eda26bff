"""Strategies that need no solving: the ones of the paper on local best response, and more.

A `Mixture` does the same with every hand: it gives weights to fold, call and kinds of raises. An action that is not
legal turns into the nearest that is: a fold where the call is free into that call, a raise where there is none into a
call.

    raise           every legal total equally often             pot-raise   a call, then the pot on top
    clipped-raise   every total up to the stack equally         all-in      the largest legal total
                    often, one too small becoming the           min-raise   the smallest legal total
                    smallest legal one

In limit games there is one size, and all five are the same. `UniformRandom` takes every legal action equally often,
each raise size being an action of its own. A `SeededMixture` looks at its cards: its weights are drawn anew for every
public state and hand, the same ones for the same seed.
"""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from errai.agents.agent import Agent, generator_at
from errai.cards.hands import num_hands
from errai.errors import InputError
from errai.games.action_probabilities import ActionProbabilities
from errai.games.bet_sizes import raise_total_of_fraction
from errai.games.state import BettingState

MIXTURE_ACTIONS = ("fold", "call", "raise", "clipped-raise", "min-raise", "pot-raise", "all-in")


class Mixture:
    """Weights of actions, whatever the cards."""

    is_card_blind = True

    def __init__(self, weights: Mapping[str, float], *, name: str | None = None) -> None:
        for action, weight in weights.items():
            if action not in MIXTURE_ACTIONS:
                raise InputError(f"a mixture knows no action `{action}`", hint=f"it knows {', '.join(MIXTURE_ACTIONS)}")
            if not 0.0 <= weight < float("inf"):
                raise InputError(f"the weight of `{action}` must be at least 0; got `{weight:g}`")
        total = sum(weights.values())
        if not total > 0.0:
            raise InputError("a mixture needs a positive weight; got none")
        self.name = name or ",".join(f"{action}={weight:g}" for action, weight in weights.items())
        self._weights = tuple(weights.get(action, 0.0) / total for action in MIXTURE_ACTIONS)
        self._raises = sum(self._weights[2:]) > 0.0

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """The same for all hands."""
        bounds = state.raise_bounds() if self._raises else None
        pot_total = raise_total_of_fraction(state, 1.0) if self._raises else None
        return _mix(self._weights, state.can_fold(), bounds, pot_total or 0)


class UniformRandom:
    """Every legal action equally often, each raise size on its own."""

    name = "random"
    is_card_blind = True

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """The same for all hands."""
        return _spread(state.can_fold(), state.raise_bounds())


class SeededMixture:
    """Arbitrary but reproducible: every hand has weights of its own at every public state."""

    def __init__(self, seed: int) -> None:
        self.name = f"seed={seed}"
        self._seed = seed

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """Weights drawn for this public state: fold, call, smallest raise, pot-sized raise, all-in."""
        definition = state.definition
        generator = generator_at(state, board, seed=self._seed)
        bounds = state.raise_bounds()
        totals = sorted({*bounds, raise_total_of_fraction(state, 1.0) or bounds[0]}) if bounds else []
        weights = generator.random((num_hands(definition.deck, definition.num_hole_cards), 2 + len(totals)))
        if not state.can_fold():
            weights[:, 0] = 0.0
        weights /= weights.sum(axis=1, keepdims=True)
        return ActionProbabilities(fold=weights[:, 0], call=weights[:, 1], raise_totals=totals, raises=weights[:, 2:])


BASELINES: Mapping[str, Agent] = {
    "always-call": Mixture({"call": 1}, name="always-call"),
    "always-fold": Mixture({"fold": 1}, name="always-fold"),
    "always-raise": Mixture({"min-raise": 1}, name="always-raise"),
    "call-or-raise": Mixture({"call": 1, "raise": 1}, name="call-or-raise"),
    "call-or-clipped-raise": Mixture({"call": 1, "clipped-raise": 1}, name="call-or-clipped-raise"),
    "all-in-or-fold": Mixture({"fold": 1, "all-in": 1}, name="all-in-or-fold"),
    "random": UniformRandom(),
}


@lru_cache(maxsize=64)
def _mix(
    weights: tuple[float, ...], can_fold: bool, bounds: tuple[int, int] | None, pot_total: int
) -> ActionProbabilities:
    fold, call, any_raise, clipped_raise, min_raise, pot_raise, all_in = weights
    if not can_fold:
        fold, call = 0.0, fold + call
    if bounds is None:
        return ActionProbabilities(fold=fold, call=1.0 - fold)
    low, high = bounds
    totals = np.arange(low, high + 1) if any_raise or clipped_raise else np.unique([low, pot_total, high])
    raises = np.full(len(totals), any_raise / len(totals) + clipped_raise / high)
    too_small = clipped_raise * (low - 1) / high
    np.add.at(raises, np.searchsorted(totals, [low, pot_total, high]), [too_small + min_raise, pot_raise, all_in])
    used = raises > 0.0
    return ActionProbabilities(fold=fold, call=call, raise_totals=totals[used], raises=raises[used])


@lru_cache(maxsize=64)
def _spread(can_fold: bool, bounds: tuple[int, int] | None) -> ActionProbabilities:
    totals = np.arange(bounds[0], bounds[1] + 1) if bounds else np.arange(0)
    share = 1.0 / (can_fold + 1 + len(totals))
    raises = np.full(len(totals), share)
    return ActionProbabilities(fold=share * can_fold, call=share, raise_totals=totals, raises=raises)
