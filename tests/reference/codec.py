"""The codec of chunks, one value at a time: the twin of `native/codec/chunks.hpp`, which gives the format.

`decode_packed` reads forwards with Python's own integers; `encode_packed` makes the same bytes backwards.
"""

import struct
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Float32Array = NDArray[np.float32]
Codes = NDArray[np.int64]
Counts = NDArray[np.uint64]
Plane = list[list[int]]  # the codes of one action, [hand][lane]

LEAST_STATE = 1 << 16
GROUP = 8  # hands whose changes are one byte
LANES = 16  # a chunk of fewer is coded with zeros in the others
LEAST_SIZE = [0, 0, 1, 2, 4, 8, 24, 88]  # of a residual, by class
SIZE_BITS = [0, 0, 0, 1, 2, 4, 6, 7]
ESCAPED_SIZE = 88 + 127
LEVEL = [0, 1, 2, 2, 3, 3, 3, 3]  # what the next symbol knows of a class


def encode_plain(values: Float32Array) -> bytes:
    if not np.any(values.view(np.uint32)):
        return b""
    is_kept = values.view(np.uint32) != 0
    kept: Float32Array = values[is_kept]
    return np.packbits(is_kept, bitorder="little").tobytes() + kept.tobytes()


def first_counts() -> Counts:
    return np.tile([1 << (16 - even - odd) for even in range(8) for odd in range(8)], 16).astype(np.uint64)


def frequencies(counts: Counts) -> list[list[int]]:
    """[context][symbol], 1024 per context, none zero."""
    table = []
    for seen in counts.reshape(16, 64).tolist():
        total = float(sum(seen))
        row = [1 + (int(count / total * (1024 - 64)) if total else 0) for count in seen]
        row[row.index(max(row))] += 1024 - sum(row)
        table.append(row)
    return table


def shift_of(values: Float32Array, scale: float) -> int:
    shift, most = 0, np.max(values)
    while np.ldexp(most, -shift) * np.float32(scale) + np.float32(0.5) >= 1 << 15:
        shift += 1
    return shift


def actions_of(num_hands: int, lanes: int, actions: Sequence[int], values: Codes) -> Iterator[Codes]:
    """Every action of every node as [hand][lane], a view."""
    first = 0
    for num_actions in actions:
        size = num_hands * num_actions * lanes
        node = values[first : first + size].reshape(num_hands, num_actions, lanes)
        yield from (node[:, action] for action in range(num_actions))
        first += size


def bitmap_bytes(num_hands: int, actions: Sequence[int]) -> int:
    bits = sum(actions) * -(-num_hands // GROUP)
    return -(-bits // 16) * 2


def class_and_raw(code: int, last: int) -> tuple[int, int, int]:
    """The class of a code, and the bits beside it with their number."""
    if code == 0:
        return 0, 0, 0
    size = min(abs(code - last), ESCAPED_SIZE)
    if size == 0:
        return 1, 0, 0
    its_class = max(c for c in range(2, 8) if size >= LEAST_SIZE[c])
    raw, bits = size - LEAST_SIZE[its_class], SIZE_BITS[its_class]
    return (its_class, 2 * raw + (code < last), bits + 1) if last else (its_class, raw, bits)


def changes_of(plane: Plane) -> list[bool]:
    """Of each hand: whether its row differs from that of the hand before, or from zeros."""
    return [codes != before for codes, before in zip(plane, [[0] * LANES, *plane], strict=False)]


def change_bytes(plane: Plane) -> list[int]:
    """Of each group."""
    changes = changes_of(plane)
    return [
        sum(change << i for i, change in enumerate(changes[first : first + GROUP]))
        for first in range(0, len(plane), GROUP)
    ]


def encode_stream(planes: Sequence[Plane], table: Sequence[Sequence[int]], seen: Counts) -> tuple[bytes, bytes]:
    """The states and words of some actions; `seen` takes in the first row of each group that has any."""
    words: list[int] = []  # from the last to the first
    states = [LEAST_STATE] * (LANES // 2)

    def give(pair: int, limit: int) -> None:
        if states[pair] >= limit:
            words.append(states[pair] & 0xFFFF)
            states[pair] >>= 16

    for plane in reversed(planes):
        context, last, rows = [0] * (LANES // 2), [0] * LANES, []
        counted = -1  # the last group of which a row was seen
        for hand, (codes, changes) in enumerate(zip(plane, changes_of(plane), strict=True)):
            if not changes:
                continue
            coded = [class_and_raw(code, before) for code, before in zip(codes, last, strict=True)]
            symbols = [8 * even[0] + odd[0] for even, odd in zip(coded[::2], coded[1::2], strict=True)]
            escaped = [code for code, before in zip(codes, last, strict=True) if is_escaped(code, before)]
            rows.append((context, symbols, coded, escaped))
            if hand // GROUP != counted:
                counted = hand // GROUP
                for pair, symbol in enumerate(symbols):
                    seen[context[pair], symbol] += np.uint64(1)
            context = [4 * LEVEL[symbol // 8] + LEVEL[symbol % 8] for symbol in symbols]
            last = codes
        for context, symbols, coded, escaped in reversed(rows):
            words += reversed(escaped)
            for pair in reversed(range(LANES // 2)):
                (_, even_raw, even_bits), (_, odd_raw, odd_bits) = coded[2 * pair], coded[2 * pair + 1]
                give(pair, 1 << (32 - even_bits - odd_bits))
                states[pair] = (states[pair] << odd_bits | odd_raw) << even_bits | even_raw
            for pair in reversed(range(LANES // 2)):
                row = table[context[pair]]
                frequency, start = row[symbols[pair]], sum(row[: symbols[pair]])
                give(pair, frequency << 22)
                states[pair] = (states[pair] // frequency << 10) + states[pair] % frequency + start
    return struct.pack("<8I", *states), struct.pack(f"<{len(words)}H", *reversed(words))


def is_escaped(code: int, last: int) -> bool:
    return code != 0 and abs(code - last) >= ESCAPED_SIZE


def encode_packed(
    num_hands: int,
    lanes: int,
    actions: Sequence[int],
    values: Float32Array,
    scale: float,
    counts: Counts | None = None,
    least_shift: int = 0,
    rounding: float = 0.5,
    is_fast: bool = False,
) -> tuple[bytes, Counts]:
    """The bytes, and what was counted."""
    shift = max(shift_of(values, scale), least_shift)
    codes = (values * np.float32(scale / 2**shift) + np.float32(rounding)).astype(np.int64)
    seen = np.zeros((16, 64), dtype=np.uint64)
    if not codes.any():
        return b"", seen.ravel()
    planes = [
        np.pad(plane, ((0, 0), (0, LANES - lanes))).tolist() for plane in actions_of(num_hands, lanes, actions, codes)
    ]
    changes = [byte for plane in planes for byte in change_bytes(plane)]
    bits = np.packbits(np.array(changes) > 0, bitorder="little").tobytes()
    bits = bits.ljust(bitmap_bytes(num_hands, actions), b"\0")
    some = bytes(byte for byte in changes if byte)
    where = bits + some + b"\0" * (len(some) % 2)
    if is_fast:
        num_rows = sum(byte.bit_count() for byte in some)
        return struct.pack("<HHI", shift, 1, num_rows) + where + encode_fast_rows(planes), seen.ravel()
    table = frequencies(first_counts() if counts is None else counts)
    (states, words), odd = (encode_stream(planes[stream::2], table, seen) for stream in (0, 1))
    head = struct.pack("<HHI", shift, 0, len(words) // 2) + where
    return head + states + words + b"".join(odd), seen.ravel()


def encode_fast_rows(planes: Sequence[Plane]) -> bytes:
    """Masks, widths and residuals of the rows that differ from the row before."""
    masks, widths, values, num_bits = [], [], 0, 0
    for plane in planes:
        for codes, before in zip(plane, [[0] * LANES, *plane], strict=False):
            residuals = [code - last for code, last in zip(codes, before, strict=True)]
            if not any(residuals):
                continue
            written = [2 * abs(residual) - 2 + (residual > 0) for residual in residuals if residual]
            bits = max(written).bit_length()
            masks.append(sum((residual != 0) << lane for lane, residual in enumerate(residuals)))
            widths.append(min(bits, 15))
            for value in written:
                values |= value << num_bits
                num_bits += bits if bits < 15 else 16
    widths += [0] * (len(widths) % 2)
    nibbles = bytes(low | high << 4 for low, high in zip(widths[::2], widths[1::2], strict=True))
    return struct.pack(f"<{len(masks)}H", *masks) + nibbles + values.to_bytes(-(-num_bits // 8), "little") + b"\0" * 16


def decode_fast_rows(planes: Sequence[Codes], changes: NDArray[np.uint8], data: bytes, num_rows: int) -> None:
    """Fills the planes [hand][lane] of all actions; `changes`: [action][group]."""
    masks = iter(struct.unpack_from(f"<{num_rows}H", data))
    nibbles, values = data[2 * num_rows :][: -(-num_rows // 2)], data[2 * num_rows + -(-num_rows // 2) :]
    widths = iter([nibble for byte in nibbles for nibble in (byte & 15, byte >> 4)])
    left, num_bits = int.from_bytes(values, "little"), 0
    for plane, of_groups in zip(planes, changes, strict=True):
        last = [0] * LANES
        for hand in range(len(plane)):
            if of_groups[hand // GROUP] >> hand % GROUP & 1:
                mask, width = next(masks), next(widths)
                bits = width if width < 15 else 16
                for lane in range(LANES):
                    if mask >> lane & 1:
                        value, left, num_bits = left & (1 << bits) - 1, left >> bits, num_bits + bits
                        last[lane] += value // 2 + 1 if value % 2 else -(value // 2) - 1
            plane[hand] = last[: plane.shape[1]]
    assert next(masks, None) is None
    assert left == 0
    assert len(values) == -(-num_bits // 8) + 16


def decode_stream(
    planes: Sequence[Codes], changes: NDArray[np.uint8], data: bytes, table: Sequence[Sequence[int]]
) -> None:
    """Fills the planes [hand][lane] of some actions; `changes`: [action][group]."""
    states: list[int] = list(struct.unpack_from("<8I", data))
    words = iter(struct.unpack(f"<{len(data) // 2 - 16}H", data[32:]))

    def refill(pair: int) -> None:
        if states[pair] < LEAST_STATE:
            states[pair] = states[pair] << 16 | next(words)

    def pop(pair: int, bits: int) -> int:
        value = states[pair] & ((1 << bits) - 1)
        states[pair] >>= bits
        return value

    for plane, of_groups in zip(planes, changes, strict=True):
        context, last = [0] * (LANES // 2), [0] * LANES
        for hand in range(len(plane)):
            if not of_groups[hand // GROUP] >> hand % GROUP & 1:
                plane[hand] = last[: plane.shape[1]]
                continue
            classes: list[int] = []
            sizes: list[int] = []
            for pair in range(LANES // 2):
                row, slot = table[context[pair]], states[pair] % 1024
                symbol = next(s for s in range(64) if slot < sum(row[: s + 1]))
                states[pair] = row[symbol] * (states[pair] >> 10) + slot - sum(row[:symbol])
                refill(pair)
                classes += [symbol // 8, symbol % 8]
                context[pair] = 4 * LEVEL[symbol // 8] + LEVEL[symbol % 8]
            for lane, its_class in enumerate(classes):
                has_sign = its_class > 1 and last[lane] != 0
                raw = pop(lane // 2, SIZE_BITS[its_class] + has_sign)
                if lane % 2:
                    refill(lane // 2)
                sizes.append(LEAST_SIZE[its_class] + (raw >> has_sign))
                residual = -sizes[lane] if has_sign and raw & 1 else sizes[lane]
                last[lane] = last[lane] + residual if its_class else 0
            last = [next(words) if sizes[lane] == ESCAPED_SIZE else last[lane] for lane in range(LANES)]
            plane[hand] = last[: plane.shape[1]]
    assert states == [LEAST_STATE] * (LANES // 2)
    assert next(words, None) is None


def decode_packed(
    num_hands: int, lanes: int, actions: Sequence[int], data: bytes, scale: float, counts: Counts | None = None
) -> Float32Array:
    """The values; raises an error of some kind where `data` is no chunk of this shape."""
    codes = np.zeros(num_hands * sum(actions) * lanes, dtype=np.int64)
    if not data:
        return codes.astype(np.float32)
    shift, coding, count = struct.unpack_from("<HHI", data)
    begin = 8 + bitmap_bytes(num_hands, actions)
    num_groups = -(-num_hands // GROUP)
    bits = np.unpackbits(np.frombuffer(data[8:begin], dtype=np.uint8), bitorder="little")
    has_changes = bits[: sum(actions) * num_groups].astype(bool)
    changes = np.zeros(len(has_changes), dtype=np.uint8)
    num_changes = int(has_changes.sum())
    changes[has_changes] = np.frombuffer(data[begin : begin + num_changes], dtype=np.uint8)
    begin += num_changes + num_changes % 2
    planes = list(actions_of(num_hands, lanes, actions, codes))
    of_actions = changes.reshape(-1, num_groups)
    if coding == 1:
        decode_fast_rows(planes, of_actions, data[begin:], count)
    else:
        table = frequencies(first_counts() if counts is None else counts)
        middle = begin + 32 + 2 * count
        for stream, part in enumerate((data[begin:middle], data[middle:])):
            decode_stream(planes[stream::2], of_actions[stream::2], part, table)
    unit = np.float32(np.ldexp(np.float32(1) / np.float32(scale), shift))
    return codes.astype(np.float32) * unit
