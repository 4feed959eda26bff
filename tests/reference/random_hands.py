"""Hands that are played at random: the obvious way from a deal to a finished hand."""

import random
from collections.abc import Iterator

from errai.games.definition import GameDefinition
from errai.games.played_hand import PlayedHand
from errai.games.state import CALL, FOLD, Action, BettingState, Raise, initial_state
from errai.play.hand_start import HandStart


def random_action(state: BettingState, source: random.Random) -> Action:
    """Any legal action; folds and large raises are rare, so that hands get long."""
    point = source.random()
    bounds = state.raise_bounds()
    if point < 0.07 and state.can_fold():
        return FOLD
    if point > 0.5 and bounds is not None:
        return Raise(source.randint(*bounds) if source.random() < 0.2 else bounds[0])
    return CALL


def random_hands(definition: GameDefinition, *, count: int, seed: int) -> Iterator[PlayedHand]:
    source = random.Random(seed)
    for number in range(count):
        state = initial_state(definition)
        while not state.is_terminal:
            state = state.apply(random_action(state, source))
        yield PlayedHand(number, HandStart(definition).deal(seed=seed, number=number), state, ("Ann", "Bob"))
