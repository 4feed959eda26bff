"""The ways to count a hand of local best response."""

from enum import IntEnum


class Estimator(IntEnum):
    """How a hand is counted; `errai.play.lbr_hand` says what each is."""

    PLAIN = 0
    IMAGINARY = 1
    AIVAT = 2
