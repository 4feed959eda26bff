"""Figures that others printed, with their sources, as they come with the package.

`published/figures.json` has what the text of the papers states; nothing in it is read off a picture.
`published/cepheus_preflop.json` is the preflop strategy of the published solution of limit hold'em: by the betting so
far and the class of the hand, the probabilities of fold, call and raise, and how often the hand gets there.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

_FOLDER = files("errai.reports") / "published"

PreflopMix = tuple[float, float, float, float]  # fold, call, raise, reach


@cache
def published_figures() -> dict[str, Any]:
    """Everything that was printed, by topic."""
    figures: dict[str, Any] = json.loads((_FOLDER / "figures.json").read_text("utf-8"))
    return figures


@cache
def published_preflop() -> dict[str, dict[str, PreflopMix]]:
    """The preflop strategy of the published solution; the first decision is `initial`."""
    content = json.loads((_FOLDER / "cepheus_preflop.json").read_text("utf-8"))
    return {betting: {hand: tuple(mix) for hand, mix in hands.items()} for betting, hands in content.items()}
