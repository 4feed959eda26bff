"""The codec of chunks, one value at a time: the twin of `native/codec.hpp`, which gives the format.

`decode_packed` reads forwards with Python's own integers; `encode_packed` makes the same bytes backwards.
"""

import struct

import numpy as np

LEAST_STATE = 1 << 16
ESCAPE = 15
GROUP = 8  # hands with a common bit


def encode_plain(values):
    if not np.any(values.view(np.uint32)):
        return b""
    is_kept = values.view(np.uint32) != 0
    return np.packbits(is_kept, bitorder="little").tobytes() + values[is_kept].tobytes()


def first_counts():
    return np.tile([1 << 15] + [1 << (16 - symbol) for symbol in range(1, 16)], 54).astype(np.uint64)


def frequencies(counts):
    """[context][symbol], 1024 a context, none zero."""
    table = []
    for seen in counts.reshape(54, 16).tolist():
        total = float(sum(seen))
        row = [1 + (int(count / total * 1008) if total else 0) for count in seen]
        row[row.index(max(row))] += 1024 - sum(row)
        table.append(row)
    return table


def context_of(recent, before, above):
    """From the symbols of the two hands before, and of the same hand in the action before."""
    recent_class = [0, 1, 2, 3, 4, 4][recent] if recent < 6 else 5
    return 9 * recent_class + 3 * min(before, 2) + min(above, 2)


def num_raw_bits(symbol, has_sign):
    return 0 if symbol < 2 or symbol == ESCAPE else symbol - 2 + has_sign


def codes_of(values, scale):
    scaled = values * np.float32(scale) + np.float32(0.5)
    return np.minimum(scaled, np.float32(2**31 - 128)).astype(np.int64)


def actions_of(num_hands, lanes, actions, values):
    """Every action of every node as [hand][lane], a view."""
    first = 0
    for num_actions in actions:
        size = num_hands * num_actions * lanes
        node = values[first : first + size].reshape(num_hands, num_actions, lanes)
        yield from (node[:, action] for action in range(num_actions))
        first += size


def bitmap_bytes(num_hands, actions):
    bits = sum(actions) * -(-num_hands // GROUP)
    return -(-bits // 16) * 2


def coded_rows(num_hands, planes):
    """(number of the action, hand) of every row whose group of hands is not all zero, in the order of the chunk."""
    for number, plane in enumerate(planes):
        for hand in range(num_hands):
            if np.any(plane[hand // GROUP * GROUP : (hand // GROUP + 1) * GROUP]):
                yield number, hand


def symbol_and_raw(code, last):
    """The symbol, and the bits beside it with their number."""
    if code == 0:
        return 0, 0, 0
    residual = code - last
    width = abs(residual).bit_length()
    if width >= 14:
        return ESCAPE, 0, 0
    if width == 0:
        return 1, 0, 0
    raw = abs(residual) - (1 << (width - 1))
    return 1 + width, (2 * raw + (residual < 0) if last else raw), num_raw_bits(1 + width, last != 0)


def encode_packed(num_hands, lanes, actions, values, scale, counts=None):
    """The bytes, and what was counted."""
    codes = codes_of(values, scale)
    planes = [plane.tolist() for plane in actions_of(num_hands, lanes, actions, codes)]
    rows = list(coded_rows(num_hands, planes))
    seen = np.zeros((54, 16), dtype=np.uint64)
    if not rows:
        return b"", seen.ravel()

    def symbol_at(number, hand, lane):
        if number < 0 or hand < 0:
            return 0
        return symbol_and_raw(planes[number][hand][lane], planes[number][hand - 1][lane] if hand else 0)[0]

    table = frequencies(first_counts() if counts is None else counts)
    words, states = [], [LEAST_STATE] * lanes  # words from the last to the first

    def give(lane, limit):
        if states[lane] >= limit:
            words.append(states[lane] & 0xFFFF)
            states[lane] >>= 16

    for number, hand in reversed(rows):
        coded = []
        for lane in range(lanes):
            last = planes[number][hand - 1][lane] if hand else 0
            above = symbol_at(number - 1, hand, lane)
            context = context_of(symbol_at(number, hand - 1, lane), symbol_at(number, hand - 2, lane), above)
            coded.append((context, *symbol_and_raw(planes[number][hand][lane], last)))
        for lane in reversed(range(lanes)):
            context, symbol, raw, bits = coded[lane]
            if symbol == ESCAPE:
                words += [planes[number][hand][lane] >> 16, planes[number][hand][lane] & 0xFFFF]
            elif bits > 6:
                give(lane, 1 << (32 - (bits - 6)))
                states[lane] = states[lane] << (bits - 6) | raw >> 6
        for lane in reversed(range(lanes)):
            context, symbol, raw, bits = coded[lane]
            quick, frequency = min(bits, 6), table[context][symbol]
            give(lane, (frequency << 22) >> quick)
            state = states[lane] << quick | raw & ((1 << quick) - 1)
            states[lane] = (state // frequency << 10) + state % frequency + sum(table[context][:symbol])
            if hand % GROUP == 0:
                seen[context, symbol] += np.uint64(1)
    bits = [bool(np.any(plane[first : first + GROUP])) for plane in planes for first in range(0, num_hands, GROUP)]
    bitmap = np.packbits(bits, bitorder="little").tobytes().ljust(bitmap_bytes(num_hands, actions), b"\0")
    return bitmap + struct.pack(f"<{lanes}I", *states) + struct.pack(f"<{len(words)}H", *reversed(words)), seen.ravel()


def decode_packed(num_hands, lanes, actions, data, scale, counts=None):
    """The values; raises an error of some kind where `data` is no chunk of this shape."""
    codes = np.zeros(num_hands * sum(actions) * lanes, dtype=np.int64)
    if not data:
        return codes.astype(np.float32)
    size = bitmap_bytes(num_hands, actions)
    has_group = np.unpackbits(np.frombuffer(data[:size], dtype=np.uint8), bitorder="little")
    states = list(struct.unpack_from(f"<{lanes}I", data, size))
    rest = data[size + 4 * lanes :]
    words = iter(struct.unpack(f"<{len(rest) // 2}H", rest))
    table = frequencies(first_counts() if counts is None else counts)

    def pop(lane, bits):
        value = states[lane] & ((1 << bits) - 1)
        states[lane] >>= bits
        return value

    def refill(lane):
        if states[lane] < LEAST_STATE:
            states[lane] = states[lane] << 16 | next(words)

    above = [[0] * lanes for _ in range(num_hands)]
    for number, plane in enumerate(actions_of(num_hands, lanes, actions, codes)):
        recent, before, last = [0] * lanes, [0] * lanes, [0] * lanes
        for hand in range(num_hands):
            if not has_group[number * -(-num_hands // GROUP) + hand // GROUP]:
                recent, before, last = [0] * lanes, [0] * lanes, [0] * lanes
                above[hand] = [0] * lanes
                continue
            symbols, raws = [], []
            for lane in range(lanes):
                row = table[context_of(recent[lane], before[lane], above[hand][lane])]
                slot = states[lane] % 1024
                symbol = next(s for s in range(16) if slot < sum(row[: s + 1]))
                states[lane] = row[symbol] * (states[lane] >> 10) + slot - sum(row[:symbol])
                symbols.append(symbol)
                raws.append(pop(lane, min(num_raw_bits(symbol, last[lane] != 0), 6)))
                refill(lane)
            for lane, symbol in enumerate(symbols):
                bits = num_raw_bits(symbol, last[lane] != 0)
                if bits > 6:
                    raws[lane] |= pop(lane, bits - 6) << 6
                    refill(lane)
                if symbol == ESCAPE:
                    last[lane] = next(words) | next(words) << 16
                elif symbol == 0:
                    last[lane] = 0
                elif symbol > 1:
                    is_negative = last[lane] != 0 and raws[lane] & 1
                    residual = (1 << (symbol - 2)) + (raws[lane] >> (last[lane] != 0))
                    last[lane] += -residual if is_negative else residual
            plane[hand] = last
            recent, before, above[hand] = symbols, recent, symbols
    assert states == [LEAST_STATE] * lanes
    assert next(words, None) is None
    return codes.astype(np.float32) * np.float32(1 / np.float32(scale))
