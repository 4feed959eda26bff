"""The options of a run by name, and the settings that they make."""

from dataclasses import replace
from typing import Any, Unpack

from errai.games.definition import GameDefinition
from errai.games.definition_text import format_definition
from errai.runs.settings import RunMethod, RunSettings
from errai.trees.whole_game import choose_flops


class RunOptions(RunMethod, total=False):
    """The method, and the flops that are dealt: `AsKsQs,7h7d2c:2`, or how many, spread out."""

    flops: str


def new_settings(definition: GameDefinition, **options: Unpack[RunOptions]) -> RunSettings:
    """The settings of a new run."""
    settings = RunSettings(definition.name, format_definition(definition), bets=options.get("bets", ""))
    return change_settings(settings, **options)


def change_settings(settings: RunSettings, **options: Unpack[RunOptions]) -> RunSettings:
    """Settings with some of them replaced."""
    unknown = options.keys() - RunOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"a run has no option `{min(unknown)}`")
    method: Any = {name: value for name, value in options.items() if name != "flops"}
    flops = options.get("flops")
    if flops is not None:
        deck = settings.definition.deck
        chosen = choose_flops(settings.definition, flops)
        factors = tuple((deck.text(cards), factor) for cards, factor in chosen.items())
        settings = replace(settings, flop_factors=factors)
    return replace(settings, **method)
