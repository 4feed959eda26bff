"""Values of a spot as players count them: with the pot that is there already."""

from errai.evaluate.exploitability import Exploitability
from errai.games.spot import Spot


def values_with_pot(spot: Spot, judged: Exploitability) -> list[float]:
    """What each player takes out of the pot, less what they still put in; together the pot, less the rake."""
    assert judged.value_chips is not None
    second_value = -judged.value_chips if judged.second_value_chips is None else judged.second_value_chips
    dead_share = spot.dead_pot_chips / 2
    first, second = spot.root.committed
    return [judged.value_chips + first + dead_share, second_value + second + dead_share]
