"""The betting of a limit game against an opponent who looks at no cards, as programs for `native/judge/card_blind.hpp`.

The opponent's hands stay equally likely, so a decision is one number for each hand of the responder:

1. At its own decision the responder takes the best action; at the opponent's it gets the mean of what follows.
2. A fold is worth chips, a showdown chips times the hand's edge, the end of a round whatever the next one is worth.
3. Two decisions with the same chips, the same probabilities and the same sequels have the same values and are one. A
   constant mixture in hold'em thus begins the river in 16 ways, as many as there are pots, instead of 567.
4. What the opponent never does is left out, and so is all that would follow.
"""

from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np

from errai._native import kernels
from errai.errors import InputError
from errai.games.acpc import format_betting
from errai.games.action_probabilities import ActionProbabilities
from errai.games.definition import GameDefinition
from errai.games.state import BettingState, initial_state
from errai.games.strategies import WholeGameStrategy

_SAME = 1e-12  # probabilities of different hands that differ by less are rounded differently


@dataclass(frozen=True)
class BlindAction:
    """What an opponent does who does not look at its cards."""

    fold: float
    call: float
    raise_: float


@dataclass(frozen=True)
class _Source:
    """Where a value comes from: a column at the end of the round, or a decision in it."""

    is_end: bool
    index: int


@dataclass(frozen=True)
class _Decision:
    is_own: bool
    call: _Source | None
    raise_: _Source | None
    fold_chips: float
    action: BlindAction


_OWN = BlindAction(0.0, 0.0, 0.0)


@dataclass
class RoundProgram:
    """The decisions of a round in the order in which they can be computed, and its columns."""

    decisions: dict[_Decision, int] = field(default_factory=dict)
    columns: dict[_Source, int] = field(default_factory=dict)

    def add(self, decision: _Decision) -> _Source:
        return _Source(is_end=False, index=self.decisions.setdefault(decision, len(self.decisions)))

    def column(self, source: _Source) -> int:
        return self.columns.setdefault(source, len(self.columns))

    def compile(self, num_inputs: int, outputs: list[_Source] | None = None) -> kernels.BettingProgram:
        """As the kernels take it; the columns at the start of the round are `outputs`, by default all that are used."""

        def place(source: _Source) -> int:
            return source.index if source.is_end else num_inputs + source.index

        decisions = [
            kernels.BlindDecision(
                is_own=decision.is_own,
                call=None if decision.call is None else place(decision.call),
                raise_=None if decision.raise_ is None else place(decision.raise_),
                fold=decision.fold_chips,
                p_fold=decision.action.fold,
                p_call=decision.action.call,
                p_raise=decision.action.raise_,
            )
            for decision in self.decisions
        ]
        return kernels.BettingProgram(num_inputs, decisions, [place(source) for source in outputs or self.columns])


class BlindBetting:
    """The betting of `definition` as player 0 and as player 1 responds to `strategy`."""

    def __init__(self, definition: GameDefinition, strategy: WholeGameStrategy) -> None:
        if not definition.is_limit:
            raise InputError(
                f"exact best responses need limit betting; `{definition.name}` is no-limit",
                hint="`errai lbr` bounds what a strategy of a no-limit game can lose",
            )
        self._definition = definition
        self._strategy = strategy
        self._actions: dict[BettingState, BlindAction] = {}
        self.rounds = [RoundProgram() for _ in range(definition.num_rounds)]
        self.showdown_chips: dict[float, int] = {}  # what each player has put in, and its column
        self._roots = [self._start(initial_state(definition), 0, player) for player in (0, 1)]

    @property
    def num_states(self) -> int:
        """How many public states the strategy was asked about."""
        return len(self._actions)

    @cached_property
    def programs(self) -> list[kernels.BettingProgram]:
        """The compiled rounds; the first has two columns, one a responder."""
        widths = [len(program.columns) for program in self.rounds[1:]] + [len(self.showdown_chips)]
        compiled = [program.compile(width) for program, width in zip(self.rounds, widths, strict=True)]
        return [self.rounds[0].compile(widths[0], self._roots), *compiled[1:]]

    def mixed_value(self, state: BettingState | None = None) -> float:
        """What player 0 wins when both play the strategy: nobody has an edge, so it is what folds bring."""
        state = state or initial_state(self._definition)
        if state.is_terminal:
            return 0.0 if state.is_showdown else float(state.payoff_chips(0))
        action = self._action(state)
        value = 0.0
        if action.fold:
            value += action.fold * self.mixed_value(state.apply_fold())
        if action.call:
            value += action.call * self.mixed_value(state.apply_call())
        if action.raise_:
            value += action.raise_ * self.mixed_value(state.apply_raise())
        return value

    def _start(self, state: BettingState, round_: int, player: int) -> _Source:
        """The value at the start of a round, in which nobody can act if somebody is all-in."""
        if state.is_terminal:
            return self.rounds[round_].add(
                _Decision(True, self._end(state, round_, player), None, -inf, _OWN),
            )
        return self._decide(state, player)

    def _end(self, state: BettingState, round_: int, player: int) -> _Source:
        """The column at the end of `round_`, after which the next one or the showdown begins."""
        if round_ + 1 < self._definition.num_rounds:
            column = self.rounds[round_ + 1].column(self._start(state, round_ + 1, player))
        else:
            chips = float(state.payoff_chips(player, winner=player))
            column = self.showdown_chips.setdefault(chips, len(self.showdown_chips))
        return _Source(is_end=True, index=column)

    def _decide(self, state: BettingState, player: int) -> _Source:
        """The value of a decision."""
        is_own = state.actor == player
        action = _OWN if is_own else self._action(state)

        def after(next_state: BettingState) -> _Source:
            goes_on = not next_state.is_terminal and next_state.round == state.round
            return self._decide(next_state, player) if goes_on else self._end(next_state, state.round, player)

        fold_chips = -inf if is_own else 0.0
        if state.can_fold() and (is_own or action.fold):
            fold_chips = float(state.apply_fold().payoff_chips(player))
        call = after(state.apply_call()) if is_own or action.call else None
        raise_ = after(state.apply_raise()) if state.can_raise() and (is_own or action.raise_) else None
        return self.rounds[state.round].add(_Decision(is_own, call, raise_, fold_chips, action))

    def _action(self, state: BettingState) -> BlindAction:
        if state not in self._actions:
            dealt = sum(self._definition.num_board_cards[: state.round + 1])
            self._actions[state] = self._ask(state, tuple(range(dealt)))
        return self._actions[state]

    def _ask(self, state: BettingState, board: tuple[int, ...]) -> BlindAction:
        answer: ActionProbabilities = self._strategy.action_probabilities(state, board)
        for probabilities in (answer.fold, answer.call, answer.raises):
            if len(probabilities) > 1 and np.ptp(probabilities, axis=0).max(initial=0.0) > _SAME:
                raise InputError(
                    f"`{self._strategy.name}` declares itself card-blind, but its hands do not all do the same "
                    f"after the betting `{format_betting(state)}`",
                    hint="leave `is_card_blind` out of a strategy that looks at its cards",
                )
        raise_ = float(answer.raises[0].sum())
        return BlindAction(float(answer.fold[0]), float(answer.call[0]), raise_)
