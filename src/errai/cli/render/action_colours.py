"""The colours of actions, in the terminal and in pictures alike: fold red, call blue, raise green, as in the paper."""

from collections.abc import Sequence

ACTION_NAMES = {"f": "fold", "c": "call", "r": "raise"}
TERMINAL_COLOURS = {"f": "red", "c": "blue", "r": "green"}
PICTURE_COLOURS = {"f": "#d7473f", "c": "#4c78c8", "r": "#58a55c"}


def action_name(action: str, *, facing_bet: bool) -> str:
    """`call` and `raise` when there is a bet to answer, else `check` and `bet`; in no-limit games `raise to 300`."""
    names = ACTION_NAMES if facing_bet else {"c": "check", "r": "bet"}
    return names[action[0]] + (f" to {action[1:]}" if action[1:] else "")


def mark_up_mix(text: str, actions: Sequence[str], probabilities: Sequence[float]) -> str:
    """`text` on the colours of the actions, each as long as its probability."""
    ends = [round(sum(probabilities[: place + 1]) * len(text)) for place in range(len(actions))]
    starts = [0, *ends[:-1]]
    return "".join(
        f"[white on {TERMINAL_COLOURS[action[0]]}]{text[start:end]}[/]"
        for action, start, end in zip(actions, starts, ends, strict=True)
        if end > start
    )
