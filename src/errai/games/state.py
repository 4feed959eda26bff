"""The public side of a hand: who put in what, whose turn it is, what may be done. No cards.

The rules are those of the ACPC dealer:

1. A fold is legal only when a call would cost something.
2. A call matches the larger commitment, or puts in the rest of the stack.
3. A raise in limit adds the round's raise size to the larger commitment, or goes all-in below that. In no-limit it adds
   at least the big blind and at least the largest raise of this round, or goes all-in.
4. Nobody raises beyond `max_raises` of the round, against an opponent who is all-in, or when a call takes the stack.
5. A round ends with a call, unless the call is the first action of the round and the opponent can still act.
6. When a round ends and somebody is all-in, the rounds that are left have no actions and the hand goes to the showdown.

Every possible action has three methods: `verify_` raises a `RuleError` that says which rule it breaks, `can_` answers,
`apply_` returns the state after it.
"""

from dataclasses import dataclass

from errai.errors import RuleError
from errai.games.definition import GameDefinition


@dataclass(frozen=True, slots=True)
class Fold:
    """Give up the pot."""


@dataclass(frozen=True, slots=True)
class Call:
    """Match the opponent's commitment; when there is nothing to match, check."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Raise to `total`: all that the player will have put in over the whole hand."""

    total: int


Action = Fold | Call | Raise
FOLD = Fold()
CALL = Call()


@dataclass(frozen=True, slots=True)
class BettingState:
    """A point in the betting of a hand; `initial_state` and `apply` are the ways to get one."""

    definition: GameDefinition
    history: tuple[tuple[Action, ...], ...]  # of each round up to this one
    actor: int | None  # None when the betting is over
    committed: tuple[int, int]
    folded_player: int | None
    raises_this_round: int
    least_raise: int  # chips that the next raise of no-limit adds at least, unless it is all-in

    @property
    def round(self) -> int:
        return len(self.history) - 1

    @property
    def is_terminal(self) -> bool:
        return self.actor is None

    @property
    def is_showdown(self) -> bool:
        return self.actor is None and self.folded_player is None

    @property
    def call_chips(self) -> int:
        """What a call costs the player whose turn it is."""
        actor = self._actor()
        return min(max(self.committed), self.definition.stacks[actor]) - self.committed[actor]

    def raise_bounds(self) -> tuple[int, int] | None:
        """The smallest and the largest total of a raise, the same number in limit; None where there is no raise."""
        actor = self.actor
        if actor is None:
            return None
        definition = self.definition
        stack = definition.stacks[actor]
        opponent = 1 - actor
        highest = max(self.committed)
        if (
            highest >= stack
            or self.committed[opponent] >= definition.stacks[opponent]
            or self.raises_this_round >= definition.max_raises[len(self.history) - 1]
        ):
            return None
        if definition.is_limit:
            total = min(highest + definition.raise_sizes[len(self.history) - 1], stack)
            return total, total
        return min(highest + self.least_raise, stack), stack

    def legal_actions(self) -> tuple[Action, ...]:
        """Fold, call and raises, smallest first; in no-limit that is every size there is."""
        if self.actor is None:
            return ()
        actions: list[Action] = [FOLD, CALL] if self.can_fold() else [CALL]
        bounds = self.raise_bounds()
        if bounds is not None:
            actions.extend(Raise(total) for total in range(bounds[0], bounds[1] + 1))
        return tuple(actions)

    def apply(self, action: Action) -> "BettingState":
        """The state after `action`."""
        match action:
            case Fold():
                return self.apply_fold()
            case Call():
                return self.apply_call()
            case Raise(total):
                return self.apply_raise(total)

    def can_fold(self) -> bool:
        return self.actor is not None and self.call_chips > 0

    def verify_fold(self) -> None:
        if not self.can_fold():
            raise RuleError(f"player {self._actor()} cannot fold: the call is free")

    def apply_fold(self) -> "BettingState":
        self.verify_fold()
        return self._after(FOLD, actor=None, committed=self.committed, folded_player=self.actor)

    def can_call(self) -> bool:
        return self.actor is not None

    def verify_call(self) -> None:
        self._actor()

    def apply_call(self) -> "BettingState":
        actor = self._actor()
        opponent = 1 - actor
        stacks = self.definition.stacks
        committed = _replaced(self.committed, actor, self.committed[actor] + self.call_chips)
        opponent_is_all_in = committed[opponent] >= stacks[opponent]
        if not self.history[-1] and not opponent_is_all_in:
            return self._after(CALL, actor=opponent, committed=committed)
        history = (*self.history[:-1], (*self.history[-1], CALL))
        if opponent_is_all_in or committed[actor] >= stacks[actor]:
            return _showdown(self.definition, history, committed)
        return _next_round(self.definition, history, committed)

    def can_raise(self, total: int | None = None) -> bool:
        """Whether a raise to `total` is legal; without `total`, whether any raise is."""
        bounds = self.raise_bounds()
        return bounds is not None and (total is None or bounds[0] <= total <= bounds[1])

    def verify_raise(self, total: int | None = None) -> None:
        actor = self._actor()
        bounds = self.raise_bounds()
        if bounds is None:
            raise RuleError(f"player {actor} cannot raise: {self._why_no_raise(actor)}")
        low, high = bounds
        if total is not None and not low <= total <= high:
            allowed = f"exactly {low}" if low == high else f"{low} to {high}"
            raise RuleError(f"player {actor} must raise to a total of {allowed} chips; got {total}")

    def apply_raise(self, total: int | None = None) -> "BettingState":
        """The state after a raise to `total`, which may be left out where only one total is legal, as in limit."""
        self.verify_raise(total)
        if total is None:
            total = self._only_total()
        actor = self._actor()
        return BettingState(
            self.definition,
            (*self.history[:-1], (*self.history[-1], Raise(total))),
            1 - actor,
            _replaced(self.committed, actor, total),
            None,
            self.raises_this_round + 1,
            max(self.least_raise, total - max(self.committed)),
        )

    def payoff_chips(self, player: int, winner: int | None = None) -> int:
        """What `player` wins in a finished hand; `winner` is the showdown's, None for a tie; a fold needs none."""
        if self.actor is not None:
            raise RuleError(f"the hand is not over: player {self.actor} is to act")
        if self.folded_player is not None:
            winner = 1 - self.folded_player
        if winner is None:
            return 0
        # What one put in beyond the other's whole commitment was never matched and goes back.
        matched = min(self.committed)
        return matched if player == winner else -matched

    def _actor(self) -> int:
        if self.actor is None:
            raise RuleError("the betting of this hand is over: nobody is to act")
        return self.actor

    def _only_total(self) -> int:
        low, high = self.raise_bounds() or (0, 0)
        if low < high:
            raise RuleError(f"a raise needs its total, {low} to {high} chips; got none")
        return low

    def _why_no_raise(self, actor: int) -> str:
        definition = self.definition
        limit = definition.max_raises[self.round]
        if self.raises_this_round >= limit:
            return f"{self.raises_this_round} raises were made of the {limit} that round {self.round + 1} allows"
        if self.committed[1 - actor] >= definition.stacks[1 - actor]:
            return f"the opponent is all-in with {self.committed[1 - actor]} chips"
        return f"a call to {max(self.committed)} chips takes the whole stack of {definition.stacks[actor]}"

    def _after(
        self, action: Action, *, actor: int | None, committed: tuple[int, int], folded_player: int | None = None
    ) -> "BettingState":
        return BettingState(
            self.definition,
            (*self.history[:-1], (*self.history[-1], action)),
            actor,
            committed,
            folded_player,
            self.raises_this_round,
            self.least_raise,
        )


def initial_state(definition: GameDefinition) -> BettingState:
    """The betting before the first action: the blinds are in."""
    committed = definition.blinds
    all_in = [chips >= stack for chips, stack in zip(committed, definition.stacks, strict=True)]
    if all(all_in):
        return _showdown(definition, ((),), committed)
    first = definition.first_player[0]
    return BettingState(
        definition, ((),), 1 - first if all_in[first] else first, committed, None, 0, _big_blind(definition)
    )


def _next_round(
    definition: GameDefinition, history: tuple[tuple[Action, ...], ...], committed: tuple[int, int]
) -> BettingState:
    if len(history) == definition.num_rounds:
        return _showdown(definition, history, committed)
    first = definition.first_player[len(history)]
    return BettingState(definition, (*history, ()), first, committed, None, 0, _big_blind(definition))


def _showdown(
    definition: GameDefinition, history: tuple[tuple[Action, ...], ...], committed: tuple[int, int]
) -> BettingState:
    rounds_left = definition.num_rounds - len(history)
    return BettingState(definition, history + ((),) * rounds_left, None, committed, None, 0, _big_blind(definition))


def _big_blind(definition: GameDefinition) -> int:
    return max(*definition.blinds, 1)


def _replaced(committed: tuple[int, int], player: int, chips: int) -> tuple[int, int]:
    return (chips, committed[1]) if player == 0 else (committed[0], chips)
