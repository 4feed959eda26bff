"""Actions in the words of players: `fold`, `check`, `call`, `bet 94`, `raise 260`, `all-in`.

Amounts are what the player has then put in on the current street.
"""

from errai.games.menu_sizes import chips_before_street
from errai.games.state import Action, BettingState, Call, Fold, Raise


def describe_action(state: BettingState, action: Action) -> str:
    """What a player would call `action` at `state`."""
    match action:
        case Fold():
            return "fold"
        case Call():
            return "call" if state.can_fold() else "check"
        case Raise(total):
            if is_all_in(state, total):
                return "all-in"
            before = chips_before_street(state)
            return f"{'raise' if max(state.committed) > before else 'bet'} {total - before}"


def is_all_in(state: BettingState, total: int) -> bool:
    """Whether a raise to `total` puts in the stack of one of the players."""
    return total >= min(state.definition.stacks)
