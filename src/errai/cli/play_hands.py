"""The terminal of `errai play`: whom one plays against, what one types, and what one sees."""

import re
import sys
from collections.abc import Callable

from errai.agents.advice import advise, advise_by_agent
from errai.agents.agent import CheckedAgent
from errai.agents.loading import find_stored, load_agent
from errai.agents.solved import SolvedAgent
from errai.agents.starting import choose_start
from errai.cli.output import stderr_console
from errai.cli.render.play_table import print_advice, print_table
from errai.errors import InputError
from errai.games.action_text import describe_action
from errai.games.bet_sizes import raise_total_of_fraction
from errai.games.menu_sizes import chips_before_street
from errai.games.state import CALL, FOLD, Action, BettingState, Raise
from errai.play.hand_start import HandStart
from errai.play.session import PlaySession, Table
from errai.reports.play import Advice
from errai.runs.opening import open_strategy
from errai.solutions.solve import solve

_DEFAULT_GAME = "leduc"
_DEFAULT_ITERATIONS = 1000
_HELP = "f fold, c check or call, r raise (rN to N on this street, p the pot, a all-in), q quit"

Advise = Callable[[Table, Action], Advice | None]


def find_opponent(agent: str | None, game: str | None) -> tuple[HandStart, CheckedAgent, Advise]:
    """Where hands begin, who plays there, and who gives advice: the opponent's own strategy."""
    if agent is None:
        stderr_console().print(f"solving {_DEFAULT_GAME} to play against; `errai play PATH` plays a saved solution")
        solution = solve(_DEFAULT_GAME, iterations=_DEFAULT_ITERATIONS)
        assert solution.definition is not None
        solved = CheckedAgent(SolvedAgent(solution, name="solution"))
        return (
            HandStart(solution.definition),
            solved,
            lambda table, action: advise(solution, table.state, table.board, table.own_cards, action),
        )
    start = choose_start([agent], game)
    opponent = load_agent(agent, start.definition)
    if (named := find_stored(agent)) is not None:
        stored = open_strategy(named.path)
        return start, opponent, lambda table, action: advise(stored, table.state, table.board, table.own_cards, action)
    return (
        start,
        opponent,
        lambda table, action: advise_by_agent(opponent, table.state, table.board, table.own_cards, action),
    )


def play_hands(session: PlaySession, hands: int | None, advisor: Advise | None) -> None:
    """Deal until the player stops, or so many hands are over."""
    console = stderr_console()
    console.print(f"[dim]{_HELP}[/dim]", soft_wrap=True)
    while hands is None or session.num_hands < hands:
        table = session.deal()
        shown = 0
        while not table.is_over:
            print_table(console, table, first_event=shown)
            shown = len(table.events)
            action = _read_action(table.state)
            if action is None:
                return
            advice = None if advisor is None else advisor(table, action)
            console.print(f"  you {describe_action(table.state, action)}")
            if advisor is not None:
                print_advice(console, advice)
            table = session.act(action)
            shown += 1
        print_table(console, table, first_event=shown)


def _read_action(state: BettingState) -> Action | None:
    """What the player types; None to stop."""
    console = stderr_console()
    while True:
        console.print("> ", end="")
        try:
            text = sys.stdin.readline()
        except KeyboardInterrupt:
            return None
        if not text or text.strip().lower() in ("q", "quit"):
            return None
        try:
            action = parse_typed_action(state, text.strip().lower())
            state.apply(action)
        except InputError as error:
            console.print(f"{error}; {error.hint or _HELP}", markup=False, soft_wrap=True)
            continue
        return action


def parse_typed_action(state: BettingState, text: str) -> Action:
    """`f`, `c`, `k` (check), `r`, `r300` (to 300 on this street), `p`, `a`; whole words are understood too."""
    match text:
        case "f" | "fold":
            return FOLD
        case "c" | "k" | "call" | "check":
            return CALL
    bounds = state.raise_bounds()
    if bounds is None:
        raise InputError(f"`{text}` is not possible here: there is no raise", hint="f, c or q")
    low, high = bounds
    match text:
        case "r" | "raise" | "b" | "bet":
            return Raise(low)
        case "a" | "all-in":
            return Raise(high)
        case "p" | "pot":
            return Raise(raise_total_of_fraction(state, 1.0) or low)
    amount = re.fullmatch(r"(?:r|b|raise|bet)? ?([0-9]{1,12})", text)
    if amount is None:
        raise InputError(f"`{text}` is not an action")
    before = chips_before_street(state)
    total = before + int(amount[1])
    if not low <= total <= high:
        raise InputError(f"a raise goes to {low - before:,} to {high - before:,} on this street; got {amount[1]}")
    return Raise(total)
