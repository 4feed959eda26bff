"""How long the sides of a match over the ACPC protocol wait for each other, and where they meet."""

from dataclasses import dataclass

from errai.errors import InputError

LOCAL_HOST = "127.0.0.1"
ANSWER_SECONDS = 600.0  # for one action of a program, as the ACPC's dealer waits
SILENCE_SECONDS = 660.0  # of a dealer: one minute more than the ACPC's gives a player for a hand


@dataclass(frozen=True)
class MatchLimits:
    """How much time a player may take, and how many invalid actions; by default the ACPC's own limits."""

    response_seconds: float = 600.0
    hand_seconds: float = 600.0  # of one player's time in one hand
    average_hand_seconds: float = 7.0  # times the hands of the match: a player's time in the whole match
    start_seconds: float = 600.0  # until both clients are connected
    max_invalid_actions: int | None = None

    def __post_init__(self) -> None:
        for name in ("response_seconds", "hand_seconds", "average_hand_seconds", "start_seconds"):
            if not getattr(self, name) > 0:
                raise InputError(f"`{name}` must be positive; got {getattr(self, name)}")
        if self.max_invalid_actions is not None and self.max_invalid_actions < 0:
            raise InputError(f"`max_invalid_actions` must not be negative; got {self.max_invalid_actions}")
