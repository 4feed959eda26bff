"""Whether a line of betting keeps to the actions that a spot offers: its bet menu may leave legal raises out."""

from typing import Protocol

from errai.errors import InputError
from errai.games.acpc import format_action
from errai.games.state import Action, BettingState


class OfferingSpot(Protocol):
    """What decides which lines there are."""

    @property
    def root(self) -> BettingState: ...

    def actions(self, state: BettingState) -> tuple[Action, ...]: ...

    def format_betting(self, state: BettingState) -> str: ...


def verify_offered(spot: OfferingSpot, state: BettingState) -> None:
    """Raise an `InputError` at the first action below the spot's root that the spot does not offer."""
    here = spot.root
    if state.history[: here.round] != here.history[: here.round] or state.round < here.round:
        raise InputError(
            f"the betting must begin with `{spot.format_betting(here)}`; got `{spot.format_betting(state)}`",
            hint="only what is below the spot was solved",
        )
    for actions in state.history[here.round :]:
        for action in actions:
            if action not in spot.actions(here):
                line = spot.format_betting(here)
                place = f"after `{line}`" if line else "where the spot begins"
                offered = ", ".join(f"`{_written(here, other)}`" for other in spot.actions(here))
                raise InputError(
                    f"the betting tree has no action `{_written(here, action)}` {place}",
                    hint=f"the bet menu offers {offered} there",
                )
            here = here.apply(action)


def _written(state: BettingState, action: Action) -> str:
    return format_action(action, is_limit=state.definition.is_limit)
