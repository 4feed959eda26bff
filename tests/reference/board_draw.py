"""Which boards of the last round an iteration visits: the twin of `native/board_draw.hpp`."""

_64_BITS = (1 << 64) - 1


def _key(seed: int, board: int, child: int) -> int:
    """SplitMix64 of Steele, Lea and Flood (2014)."""
    x = (seed + (board << 32 | child) * 0x9E3779B97F4A7C15) & _64_BITS
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _64_BITS
    return x ^ x >> 31


def visited(seed: int, *, one_in: int, part: int, board: int, num_children: int) -> list[int]:
    """The children of a board that part `part` of a cycle visits: it orders them and deals them out."""
    in_order = sorted(range(num_children), key=lambda child: _key(seed, board, child))
    return sorted(child for place, child in enumerate(in_order) if (place + board) % one_in == part)
