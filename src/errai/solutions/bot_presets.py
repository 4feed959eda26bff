"""Bots that have a name: a game, a bet menu, a bucket table, and how long the abstract game is solved."""

from dataclasses import dataclass

LIMIT = "holdem.limit.2p"
NO_LIMIT = "holdem.nolimit.2p"


@dataclass(frozen=True)
class BotPreset:
    """What `errai bot build NAME` makes unless its options say something else."""

    summary: str
    game: str
    table: str
    iterations: int
    bets: str = ""
    algorithm: str = "lcfr"


PRESETS = {
    "limit-small": BotPreset("limit hold'em, a first bot", LIMIT, "ir-570-phs", 100),
    "limit": BotPreset("limit hold'em, 9,000 buckets per round", LIMIT, "ir-9000-ke-ko", 2_000),
    "nolimit-small": BotPreset(
        "no-limit hold'em, 200 big blinds, bets of the pot and all-in", NO_LIMIT, "ir-570-phs", 200, "fcpa"
    ),
    "nolimit": BotPreset(
        "no-limit hold'em, 200 big blinds, bets of half the pot, the pot and all-in",
        NO_LIMIT,
        "ir-570-ke-ko",
        1_000,
        "preflop 50%,100%,a cap 3; 50%,100%,a / 100%,a cap 2",
    ),
}
