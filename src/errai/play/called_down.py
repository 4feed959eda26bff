"""What a hand is worth if nothing but checks and calls follow: the baseline of local best response and of AIVAT.

With M chips from each player in the pot (the dead pot of a spot included) and the edge e, the probability of winning
less that of losing, the pot pays M e. Rake R is taken from the winner, or from both at a tie: R (1 + e) / 2 less.
"""

from fractions import Fraction

from errai.games.state import BettingState


def matched_chips(state: BettingState, total: int) -> int:
    """What each player has put in from the start of the betting once `total` is called, as far as the stacks go."""
    return min(total, *state.definition.stacks)


def called_down_chips(state: BettingState, total: int, edge: float, probability: float = 1.0) -> float:
    """What a player wins if a commitment of `total` is called and nobody bets any more.

    `edge` is summed over hands that have the given probability together.
    """
    chips = matched_chips(state, total) + dead_share_chips(state)
    return chips * edge - rake_chips(state, chips) * (probability + edge) / 2


def won_by_fold_chips(state: BettingState, folder: int) -> float:
    """What the opponent of `folder` wins if `folder` gives up at `state`, facing a bet."""
    chips = state.committed[folder] + dead_share_chips(state)
    return chips - rake_chips(state, chips)


def lost_by_fold_chips(state: BettingState, folder: int) -> float:
    """What `folder` loses by giving up."""
    return state.committed[folder] + dead_share_chips(state)


def dead_share_chips(state: BettingState) -> float:
    """Half of what lay in the middle before the betting of a spot."""
    return state.definition.dead_pot_chips / 2


def rake_chips(state: BettingState, chips: float) -> float:
    """What is taken from a pot with `chips` from each player."""
    rake = state.definition.rake
    return 0.0 if rake is None else float(rake.of_pot(2 * Fraction(chips)))
