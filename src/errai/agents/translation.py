"""Playing the real game with a strategy that knows only some sizes of raises.

Such an agent lives on an abstract betting tree. To ask it at a real public state, the betting is translated: folds and
calls stay what they are; a raise of x times the pot, between the abstract sizes A <= x <= B (in pots of the abstract
state), becomes one of the two. What the agent then answers is turned back: its raise of a fraction of the abstract pot
becomes the same fraction of the real pot.

hard      the nearer of A and B, A if they are equally near
soft      A with the probability (B - x)(1 + A) / ((B - A)(1 + x)), else B: the pseudo-harmonic mapping of Ganzfried and
          Sandholm 2013. Drawn anew at every decision for the whole betting, so the strategy that comes out is the mean
          over all translations.
sampled   soft, but the strategy is known only as the mean over n drawn translations; what is played is drawn from the
          exact mean, independently of them.

Raises below the smallest size become that size, those above the largest that one. Where the translated hand is over and
the real one is not (a large raise became all-in), and where an action has no counterpart (a raise where it knows none,
a limp in a game without limps), the agent checks and calls.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from errai.agents.agent import Agent, Float64Array, generator_at
from errai.errors import InputError
from errai.games.action_probabilities import ActionProbabilities
from errai.games.bet_sizes import fraction_of_raise_total, raise_total_of_fraction
from errai.games.definition import GameDefinition
from errai.games.state import Action, BettingState, Raise, initial_state

_CACHED_ANSWERS = 64  # of some 40 kB each
_CACHED_BETTING = 256

# Abstract states with the probability of each; None stands for having left the tree.
Translations = Mapping[BettingState | None, float]


class AbstractAgent(Agent, Protocol):
    """An agent that can be asked only where all raises so far were of its sizes."""

    def actions(self, state: BettingState) -> Sequence[Action]:
        """The actions of its tree at an abstract state, raises last and ascending, whoever is to act."""


def pseudo_harmonic(x: float, low: float, high: float) -> float:
    """The probability with which a raise of x pots becomes the lower one of two sizes around it."""
    return 1.0 if low == high else (high - x) * (1.0 + low) / ((high - low) * (1.0 + x))


def nearest(x: float, low: float, high: float) -> float:
    """1 where x is nearer to the lower size, else 0."""
    return float(x - low <= high - x)


class HardTranslation:
    """Raises become the nearest size."""

    share_of_lower = staticmethod(nearest)

    def __init__(self, agent: AbstractAgent) -> None:
        self.agent = agent
        self._begin_caches()
        self.name = f"{agent.name} (hard translation)"
        self.is_suit_blind = bool(getattr(agent, "is_suit_blind", False))

    def _begin_caches(self) -> None:
        # Whoever considers many raises asks for the same few abstract states again and again.
        self._ask = lru_cache(maxsize=_CACHED_ANSWERS)(self.agent.action_probabilities)
        self._after = lru_cache(maxsize=_CACHED_BETTING)(self._translate_betting)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the caches, which cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name not in {"_ask", "_after"}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._begin_caches()

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """The mean of the agent's answers over the translations of `state`."""
        return self._answer(state, board, self.translations(state))

    def translations(self, state: BettingState) -> Translations:
        """The abstract states that `state` becomes, with the probability of each."""
        return self._after(state.definition, tuple(action for actions in state.history for action in actions))[1]

    def _translate_betting(
        self, definition: GameDefinition, actions: tuple[Action, ...]
    ) -> tuple[BettingState, Translations]:
        """The state after some actions, and its translations."""
        if not actions:
            start = initial_state(definition)
            return start, {start: 1.0}
        real, before = self._after(definition, actions[:-1])
        after: defaultdict[BettingState | None, float] = defaultdict(float)
        for abstract, probability in before.items():
            for translated, share in self._translate(real, abstract, actions[-1]):
                after[translated] += probability * share
        return real.apply(actions[-1]), after

    def _translate(
        self, real: BettingState, abstract: BettingState | None, action: Action
    ) -> list[tuple[BettingState | None, float]]:
        if abstract is None or abstract.actor != real.actor:
            return [(None, 1.0)]
        actions = self.agent.actions(abstract)
        if isinstance(action, Raise):
            totals = [each.total for each in actions if isinstance(each, Raise)]
            if not totals:
                return [(None, 1.0)]
            shares = self._share_out(fraction_of_raise_total(real, action.total), abstract, totals)
            return [(abstract.apply_raise(total), share) for total, share in shares.items() if share > 0.0]
        return [(abstract.apply(action) if action in actions else None, 1.0)]

    def _share_out(self, x: float, abstract: BettingState, totals: Sequence[int]) -> dict[int, float]:
        fractions = [fraction_of_raise_total(abstract, total) for total in totals]
        above = next((place for place, fraction in enumerate(fractions) if fraction >= x), len(totals) - 1)
        below = max(above - 1, 0) if fractions[above] > x else above
        if x >= fractions[-1] or above == below:
            return {totals[above]: 1.0}
        share = self.share_of_lower(x, fractions[below], fractions[above])
        return {totals[below]: share, totals[above]: 1.0 - share}

    def _answer(self, state: BettingState, board: tuple[int, ...], translations: Translations) -> ActionProbabilities:
        fold: Float64Array = np.zeros(1)
        call: Float64Array = np.zeros(1)
        raises: dict[int, Float64Array] = {}
        for abstract, weight in translations.items():
            if abstract is None or abstract.actor != state.actor or abstract.round != state.round:
                call = call + weight
                continue
            answer = self._ask(abstract, board)
            if state.can_fold():
                fold, call = fold + weight * answer.fold, call + weight * answer.call
            else:
                call = call + weight * (answer.fold + answer.call)
            for column, abstract_total in enumerate(answer.raise_totals.tolist()):
                total = raise_total_of_fraction(state, fraction_of_raise_total(abstract, abstract_total))
                part = weight * answer.raises[:, column]
                if total is None:
                    call = call + part
                else:
                    raises[total] = raises.get(total, 0.0) + part
        totals = sorted(raises)
        columns = np.broadcast_arrays(*(raises[total] for total in totals)) if totals else []
        return ActionProbabilities(
            fold=fold, call=call, raise_totals=totals, raises=np.stack(columns, axis=1) if totals else ()
        )


class SoftTranslation(HardTranslation):
    """Raises become one of the two sizes around them by the pseudo-harmonic mapping."""

    share_of_lower = staticmethod(pseudo_harmonic)

    def __init__(self, agent: AbstractAgent) -> None:
        super().__init__(agent)
        self.name = f"{agent.name} (soft translation)"


class SampledTranslation(SoftTranslation):
    """Soft translation of which only `num_samples` draws are known."""

    def __init__(self, agent: AbstractAgent, *, num_samples: int = 10, seed: int = 0) -> None:
        if num_samples < 1:
            raise InputError(f"sampled translation needs at least 1 sample; got {num_samples}")
        super().__init__(agent)
        self.name = f"{agent.name} (soft translation, {num_samples} samples)"
        self.is_suit_blind = False  # the draws depend on the suits of the board
        self._num_samples = num_samples
        self._seed = seed

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """The mean of the agent's answers over drawn translations: the same draws for the same public state."""
        exact = self.translations(state)
        generator = generator_at(state, board, seed=self._seed)
        weights = np.array(list(exact.values()))
        drawn = generator.multinomial(self._num_samples, weights / weights.sum()) / self._num_samples
        return self._answer(state, board, dict(zip(exact, drawn.tolist(), strict=True)))

    def played_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """The exact mean, from which actions are drawn."""
        return self._answer(state, board, self.translations(state))


def translate(agent: AbstractAgent, how: str) -> HardTranslation:
    """The translation that `how` names: `hard`, `soft`, or `sampled-10` with a number of samples."""
    match how.partition("-"):
        case "hard", "", "":
            return HardTranslation(agent)
        case "soft", "", "":
            return SoftTranslation(agent)
        case "sampled", "-", number if number.isascii() and number.isdigit():
            return SampledTranslation(agent, num_samples=int(number))
    raise InputError(f"there is no translation `{how}`", hint="translations are `hard`, `soft` and `sampled-10`")
