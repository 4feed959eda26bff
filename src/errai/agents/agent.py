"""What an agent is: a strategy that can be played and judged.

An agent answers one question: at this public state (the betting and the board), with which probabilities does each hand
take each action? It answers for all hands at once, because that is what tracking a range by Bayes' rule needs. An agent
that does not look at its cards answers with one row for all of them.

    class Agent:                                            an `ActionProbabilities` holds
        name: str                                           fold          (num_hands,) or (1,)
        def action_probabilities(self, state, board)        call          (num_hands,) or (1,)
            -> ActionProbabilities                          raise_totals  (num_raises,)
                                                            raises        (num_hands, num_raises) or (1, num_raises)

Hands are in the order of `errai.cards.hands`. The raises are those that the agent uses at all, as totals over the whole
hand, smallest first. Some agents, like sampled translation, know their strategy only approximately; such an agent has a
second method of the same form, `played_probabilities`, from which its actions are really drawn.

An agent may declare what it does not look at, which makes it much cheaper to judge over a whole game:

    is_card_blind = True    its answer depends on the betting alone
    is_suit_blind = True    relabelling the suits of the board relabels the hands of its answer, and nothing else
    bucketed = strategy     the `BucketedStrategy` that all its answers come from

An agent of a limit game may also answer for many public states at once. The exact judge then asks it once for each
round of a board instead of once for each betting sequence, which is what a network or an array wants:

    def board_probabilities(self, states, board)            an array [state][hand][fold, call, raise], with 0 where an
        -> NDArray                                          action is not legal
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from errai.agents.python_file import blame, exits_raised
from errai.cards.hands import hands, num_hands, number_of_hand
from errai.errors import AgentError, ErraiError
from errai.games.acpc import format_betting
from errai.games.action_probabilities import ActionProbabilities
from errai.games.state import Action, BettingState

Float64Array = NDArray[np.float64]

# Further from one than this, a row of probabilities is a mistake and not a rounding.
SUM_TOLERANCE = 1e-6
LIMIT_ACTIONS = ("fold", "call", "raise")


class Agent(Protocol):
    """A strategy that can be asked for the probabilities of all hands."""

    name: str

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What each hand of the player whose turn it is does at this public state."""


@runtime_checkable
class SamplingAgent(Protocol):
    """An agent whose `action_probabilities` are an estimate."""

    def played_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What its actions are drawn from."""


class CheckedAgent:
    """An agent whose every answer is verified; an error names the agent and the public state.

    An agent without a name of its own goes by `name`.
    """

    def __init__(self, agent: Agent, *, name: str = "agent") -> None:
        self.agent = agent
        own_name = getattr(agent, "name", None)
        self.name = own_name if isinstance(own_name, str) else name
        self.tells_estimates = isinstance(agent, SamplingAgent)
        self.is_card_blind = bool(getattr(agent, "is_card_blind", False))
        self.is_suit_blind = self.is_card_blind or bool(getattr(agent, "is_suit_blind", False))
        self.bucketed = getattr(agent, "bucketed", None)
        self.board_probabilities = self._ask_whole_board if hasattr(agent, "board_probabilities") else None

    def action_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """The agent's answer, verified."""
        return self._ask(self.agent.action_probabilities, state, board)

    def played_probabilities(self, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        """What the agent's actions are drawn from, verified."""
        agent = self.agent
        played = agent.played_probabilities if isinstance(agent, SamplingAgent) else agent.action_probabilities
        return self._ask(played, state, board)

    def _ask_whole_board(self, states: Sequence[BettingState], board: tuple[int, ...]) -> Float64Array:
        """The agent's answer at many states of one round, verified: [state][hand][fold, call, raise]."""
        agent: Any = self.agent
        where = describe(states[0], board)
        try:
            with exits_raised():
                answer = np.asarray(agent.board_probabilities(states, board), dtype=np.float64)
        except BaseException as error:
            raise self._blame(error, f"for a whole board, {where}") from error
        mistake = find_mistake_on_board(answer, states, board)
        if mistake is not None:
            raise AgentError(f"agent `{self.name}` answered for a whole board with {mistake}")
        return answer

    def _ask(self, question: Any, state: BettingState, board: tuple[int, ...]) -> ActionProbabilities:
        try:
            with exits_raised():
                answer = question(state, board)
        except BaseException as error:
            raise self._blame(error, describe(state, board)) from error
        mistake = find_mistake(answer, state, board)
        if mistake is not None:
            raise AgentError(f"agent `{self.name}` answered with {mistake} {describe(state, board)}")
        checked: ActionProbabilities = answer
        return checked

    def _blame(self, error: BaseException, where: str) -> AgentError:
        if isinstance(error, ErraiError):  # ours, and written to be read
            return AgentError(f"agent `{self.name}` has no answer {where}: {error}", hint=error.hint)
        return blame(error, f"agent `{self.name}` raised", f" {where}")


@dataclass(frozen=True)
class AgentPlayer:
    """An agent that sits at the table with one hand and a generator of its own."""

    agent: CheckedAgent
    generator: np.random.Generator

    def act(self, state: BettingState, board: tuple[int, ...], hole_cards: Sequence[int]) -> Action:
        """A legal action."""
        return self.agent.played_probabilities(state, board).sample(number_of_hand(hole_cards), self.generator)


def generator_at(state: BettingState, board: Sequence[int], *, seed: int) -> np.random.Generator:
    """A generator that is always the same one at this public state, for agents that draw their answers."""
    public_state = f"{seed} {format_betting(state)} {sorted(board)}"
    digest = blake2b(public_state.encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "little"))


def describe(state: BettingState, board: Sequence[int]) -> str:
    """Where in the game this is, for messages."""
    deck = state.definition.deck
    return f"as player {state.actor} after the betting `{format_betting(state)}` on the board `{deck.text(board)}`"


def find_mistake(answer: object, state: BettingState, board: Sequence[int]) -> str | None:
    """What is wrong with an agent's answer; None if it is a strategy."""
    if not isinstance(answer, ActionProbabilities):
        return f"a `{type(answer).__name__}` instead of `ActionProbabilities`"
    definition = state.definition
    count = num_hands(definition.deck, definition.num_hole_cards)
    fold, call, totals, raises = answer.fold, answer.call, answer.raise_totals, answer.raises
    for name, array in (("fold", fold), ("call", call)):
        if array.shape not in ((count,), (1,)):
            return f"`{name}` of shape {array.shape} instead of ({count},) or (1,)"
    if totals.ndim != 1 or raises.shape not in ((count, len(totals)), (1, len(totals))):
        return f"`raises` of shape {raises.shape} for {len(totals)} raise totals and {count} hands"
    if len(totals):
        bounds = state.raise_bounds()
        if bounds is None:
            return f"a raise to {totals[0]} where none is legal"
        if totals[0] < bounds[0] or totals[-1] > bounds[1] or np.any(totals[1:] <= totals[:-1]):
            return f"raise totals that are not {bounds[0]} to {bounds[1]}, ascending"
    if not state.can_fold() and fold.any():
        return "a fold where the call is free"
    for name, array in (("fold", fold), ("call", call), ("raises", raises)):
        # Written so that NaN is caught as well.
        if array.size and not (smallest := _smallest(array)) >= 0.0:
            return f"`{name}` that holds {smallest:g}"
    sums = fold + call + raises.sum(axis=1) if len(totals) else fold + call
    if _smallest(sums) >= 1.0 - SUM_TOLERANCE and _smallest(-sums) >= -1.0 - SUM_TOLERANCE:
        return None
    wrong = np.flatnonzero(np.abs(sums - 1.0) > SUM_TOLERANCE)
    if len(sums) > 1:
        # Nobody can hold a hand that shares a card with the board.
        cards = hands(definition.deck, definition.num_hole_cards)[wrong]
        wrong = wrong[~np.isin(cards, board).any(axis=1)]
    if len(wrong):
        cards_text = definition.deck.text(hands(definition.deck, definition.num_hole_cards)[wrong[0]].tolist())
        whose = f" for the hand `{cards_text}`" if len(sums) > 1 else ""
        return f"probabilities that sum to {sums[wrong[0]]:g}{whose}"
    return None


def find_mistake_on_board(answer: Float64Array, states: Sequence[BettingState], board: tuple[int, ...]) -> str | None:
    """What is wrong with an answer for many states of a limit game; None if it is a strategy."""
    definition = states[0].definition
    shape = (len(states), num_hands(definition.deck, definition.num_hole_cards), len(LIMIT_ACTIONS))
    if answer.shape != shape:
        return f"an array of shape {answer.shape} instead of {shape}, {describe(states[0], board)}"
    possible = ~np.isin(hands(definition.deck, definition.num_hole_cards), board).any(axis=1)
    is_legal = np.array([[state.can_fold(), True, state.raise_bounds() is not None] for state in states])
    # Written so that NaN is caught as well.
    is_right = (answer >= 0.0).all(axis=(1, 2)) & ~(answer.any(axis=1) & ~is_legal).any(axis=1)
    is_right &= (np.abs(answer[:, possible].sum(axis=2) - 1.0) <= SUM_TOLERANCE).all(axis=1)
    if is_right.all():
        return None
    state = int(np.flatnonzero(~is_right)[0])
    return (
        f"probabilities that are negative, not legal or do not sum to 1 at state {state} of {len(states)}, "
        f"{describe(states[state], board)}"
    )


def _smallest(array: Float64Array) -> float:
    # Answers that are the same for all hands are many, and a reduction of one number takes microseconds.
    return array.item() if array.size == 1 else float(array.min())
