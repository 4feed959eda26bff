"""Which boards of the last round an iteration visits: the twin of `native/board_draw.hpp`."""

_64_BITS = (1 << 64) - 1


def _key(seed: int, board: int, neighbours: int) -> int:
    """SplitMix64 of Steele, Lea and Flood (2014), without its lowest bits."""
    x = (seed + (board << 32 | neighbours) * 0x9E3779B97F4A7C15) & _64_BITS
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _64_BITS
    return (x ^ x >> 31) >> 8


def visited(seed: int, *, one_in: int, part: int, board: int, num_children: int) -> list[int]:
    """The children of a board that part `part` of a cycle visits: one of `one_in` neighbours each."""
    return [child for child in range(num_children) if (_key(seed, board, child // one_in) + child) % one_in == part]
