"""The colours of actions, in the terminal and in pictures alike: fold red, call blue, raise green, as in the paper."""

from collections.abc import Sequence

from errai.reports.state import StateReport

TERMINAL_COLOURS = {"f": "red", "c": "blue", "r": "green"}
_PICTURE_COLOURS = {"f": "#d7473f", "c": "#4c78c8", "r": "#58a55c"}
_PICTURE_RAISES = ("#9fd0a1", "#58a55c", "#2f7d34", "#14561a")  # of several sizes, from the smallest


def short_names(report: StateReport) -> list[str]:
    """What to call each action; in a limit game without the size, which is the same for all."""
    return [name.partition(" ")[0] if report.definition.is_limit else name for name in report.action_names]


def picture_colours(actions: Sequence[str]) -> list[str]:
    """The colour of each action in a picture; larger raises are darker."""
    raises = [action for action in actions if action[0] == "r"]
    last = len(_PICTURE_RAISES) - 1
    shades = {
        action: _PICTURE_RAISES[round(place * last / (len(raises) - 1))] if len(raises) > 1 else _PICTURE_COLOURS["r"]
        for place, action in enumerate(raises)
    }
    return [shades.get(action) or _PICTURE_COLOURS[action[0]] for action in actions]


def mark_up_mix(text: str, actions: Sequence[str], probabilities: Sequence[float]) -> str:
    """`text` on the colours of the actions, each as long as its probability."""
    ends = [round(sum(probabilities[: place + 1]) * len(text)) for place in range(len(actions))]
    starts = [0, *ends[:-1]]
    return "".join(
        f"[white on {TERMINAL_COLOURS[action[0]]}]{text[start:end]}[/]"
        for action, start, end in zip(actions, starts, ends, strict=True)
        if end > start
    )
