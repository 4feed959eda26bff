"""Random games and random hands of them, for hypothesis."""

from hypothesis import strategies as st

from errai.games.definition import UNLIMITED, GameDefinition
from errai.games.state import Action, BettingState, Raise, initial_state

BOARDS = ((0,), (0, 1), (0, 1, 1), (0, 3), (0, 3, 1), (0, 3, 1, 1))


@st.composite
def definitions(draw: st.DrawFn, *, max_stack: int = 60) -> GameDefinition:
    board = draw(st.sampled_from(BOARDS))
    rounds = len(board)
    is_limit = draw(st.booleans())
    blinds = draw(st.tuples(st.integers(0, 6), st.integers(0, 6)))
    first, second = (draw(st.integers(max(blind, 1), max_stack)) for blind in blinds)
    stacks = (first, second)
    if is_limit and draw(st.booleans()):
        stacks = (UNLIMITED, UNLIMITED)
    caps = st.integers(0, 4) if is_limit else st.integers(0, 4) | st.just(UNLIMITED)
    return GameDefinition(
        name="random",
        is_limit=is_limit,
        blinds=blinds,
        first_player=draw(st.tuples(*[st.integers(0, 1)] * rounds)),
        num_suits=4,
        num_ranks=13,
        num_hole_cards=draw(st.integers(1, 2)),
        num_board_cards=board,
        raise_sizes=draw(st.tuples(*[st.integers(1, 12)] * rounds)) if is_limit else (),
        max_raises=draw(st.tuples(*[caps] * rounds)),
        stacks=stacks,
    )


@st.composite
def actions_of(draw: st.DrawFn, state: BettingState) -> Action:
    """A legal action; small raises are likely, so that hands are long."""
    actions = state.legal_actions()
    raises = [action for action in actions if isinstance(action, Raise)]
    others = [action for action in actions if not isinstance(action, Raise)]
    likely = others + raises[:1] + raises[-1:]
    return draw(st.sampled_from(likely) | st.sampled_from(actions))


@st.composite
def hands(draw: st.DrawFn, games: st.SearchStrategy[GameDefinition] | None = None) -> list[BettingState]:
    """All states of a hand that is played out."""
    states = [initial_state(draw(definitions() if games is None else games))]
    while not states[-1].is_terminal:
        states.append(states[-1].apply(draw(actions_of(states[-1]))))
    return states
