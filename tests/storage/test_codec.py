"""The codec of chunks: round trips, equality with its twin byte for byte, and damage."""

import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from errai._native import available_levels, kernels, level
from errai.errors import InputError, StorageError
from errai.storage.codec import CODINGS, ChunkShape, Coding, SymbolModel, decode_chunk, encode_chunk, zero_counts
from errai.storage.flop_file import checksum
from reference import codec as reference


def like_regrets(shape: ChunkShape, seed: int, largest: float) -> NDArray[np.float32]:
    """Neighbours alike or the same, half of everything zero, now and then a jump: what regrets look like."""
    generator = np.random.default_rng(seed)
    nodes = []
    for num_actions in shape.actions:
        steps = generator.standard_normal((shape.num_hands, num_actions, shape.lanes)) * generator.choice(
            [0, 0, 0, 1, 1, 30, largest], (shape.num_hands, num_actions, shape.lanes)
        )
        steps *= generator.random((shape.num_hands, num_actions, 1)) < 0.5
        nodes.append(np.maximum(np.cumsum(steps, axis=0), 0).ravel())
    return np.concatenate(nodes).astype(np.float32)


shapes = st.builds(
    ChunkShape,
    num_hands=st.integers(1, 45),
    lanes=st.integers(1, 16),
    actions=st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple),
)
seeds = st.integers(0, 2**32 - 1)
jumps = st.sampled_from([0.0, 10.0, 1e3, 1e5, 1e8])
codings = st.sampled_from(CODINGS)


@given(shapes, seeds, jumps)
def test_a_plain_chunk_comes_back_bit_for_bit(shape: ChunkShape, seed: int, largest: float) -> None:
    values = like_regrets(shape, seed, largest)
    data = encode_chunk(shape, values)
    assert data == reference.encode_plain(values)
    assert decode_chunk(shape, data).tobytes() == values.tobytes()


@given(shapes, seeds, jumps, st.sampled_from([4.0, 1.0, 1 / 64]), codings)
def test_a_packed_chunk_comes_back_to_the_nearest_unit_and_zeros_stay_zero(
    shape: ChunkShape, seed: int, largest: float, scale: float, coding: Coding
) -> None:
    regrets = like_regrets(shape, seed, largest)
    decoded = decode_chunk(shape, encode_chunk(shape, regrets, scale=scale, coding=coding), scale=scale)
    # Half a unit, and what a float of this size cannot distinguish; a unit is larger where codes would exceed 15 bits.
    unit = max(1 / scale, float(regrets.max()) / 2**14)
    assert np.all(np.abs(decoded - regrets) <= 0.5 * unit + np.spacing(regrets))
    assert not decoded[regrets == 0].any()
    again = decode_chunk(shape, encode_chunk(shape, decoded, scale=scale, coding=coding), scale=scale)
    assert again.tobytes() == decoded.tobytes(), "what is a whole number of units must not change any more"


@settings(max_examples=25, deadline=None)
@given(shapes, seeds, jumps, st.booleans())
def test_a_packed_chunk_has_the_bytes_the_twin_makes_and_the_values_the_twin_reads(
    shape: ChunkShape, seed: int, largest: float, is_first: bool
) -> None:
    values = like_regrets(shape, seed, largest)
    counts = zero_counts()
    if not is_first:
        encode_chunk(shape, like_regrets(shape, seed + 1, largest), scale=1.0, counts=counts)
    model, seen = SymbolModel(None if is_first else counts), zero_counts()
    data = encode_chunk(shape, values, scale=1.0, model=model, counts=seen)
    arguments = (shape.num_hands, shape.lanes, shape.actions)
    twin, twin_seen = reference.encode_packed(*arguments, values, 1.0, None if is_first else counts)
    assert data == twin
    assert np.array_equal(seen, twin_seen)
    read = reference.decode_packed(*arguments, data, 1.0, None if is_first else counts)
    assert np.array_equal(decode_chunk(shape, data, scale=1.0, model=model), read)


@settings(max_examples=50, deadline=None)
@given(shapes, seeds, jumps)
def test_a_fast_chunk_has_the_bytes_the_twin_makes_and_the_values_of_a_small_one(
    shape: ChunkShape, seed: int, largest: float
) -> None:
    values = like_regrets(shape, seed, largest)
    data = encode_chunk(shape, values, scale=1.0, coding="fast")
    arguments = (shape.num_hands, shape.lanes, shape.actions)
    assert data == reference.encode_packed(*arguments, values, 1.0, is_fast=True)[0]
    read = decode_chunk(shape, data, scale=1.0)
    assert np.array_equal(read, reference.decode_packed(*arguments, data, 1.0))
    assert np.array_equal(read, decode_chunk(shape, encode_chunk(shape, values, scale=1.0), scale=1.0))


@pytest.mark.parametrize("width", range(17))
def test_a_fast_chunk_keeps_residuals_of_any_width(width: int) -> None:
    shape = ChunkShape(num_hands=9, lanes=16, actions=(2, 3))
    generator = np.random.default_rng(width)
    largest = max(1, (1 << width) // 2)  # of a residual, up or down
    values = np.minimum(generator.integers(0, largest, shape.num_values, endpoint=True), 32767).astype(np.float32)
    data = encode_chunk(shape, values, scale=1.0, coding="fast")
    assert data == reference.encode_packed(9, 16, (2, 3), values, 1.0, is_fast=True)[0]
    assert np.array_equal(decode_chunk(shape, data, scale=1.0), values)


@pytest.mark.parametrize("largest", [16383, 16383.6, 16384, 32767, 32767.4, 32768, 65536, 1e30])
def test_codes_around_the_most_that_fit_have_the_bytes_of_the_twin(largest: float) -> None:
    shape = ChunkShape(9, 5, (2, 3))
    values = like_regrets(shape, 3, 10.0)
    values[17] = largest
    seen = zero_counts()
    data = encode_chunk(shape, values, scale=1.0, counts=seen)
    twin, twin_seen = reference.encode_packed(9, 5, (2, 3), values, 1.0)
    assert data == twin
    assert np.array_equal(seen, twin_seen)


@pytest.mark.parametrize("least_shift", [0, 3, 9, 40])
def test_a_chunk_in_coarser_units_has_the_bytes_of_the_twin(least_shift: int) -> None:
    shape = ChunkShape(9, 5, (2, 3))
    values = like_regrets(shape, 5, 2000.0)
    seen = zero_counts()
    data = kernels.encode_packed(shape.native, values, 1.0, SymbolModel().native, seen, least_shift)
    twin, twin_seen = reference.encode_packed(9, 5, (2, 3), values, 1.0, least_shift=least_shift)
    assert data == twin
    assert np.array_equal(seen, twin_seen)
    decoded = decode_chunk(shape, data, scale=1.0)
    assert np.abs(decoded - values).max() <= 2.0**least_shift / 2
    assert (least_shift == 40) == (data == b"")


@pytest.mark.parametrize("rounding", [1 / 32, 0.25, 0.75, 31 / 32])
def test_a_chunk_that_is_rounded_elsewhere_has_the_bytes_of_the_twin(rounding: float) -> None:
    shape = ChunkShape(9, 5, (2, 3))
    values = like_regrets(shape, 6, 2000.0)
    seen = zero_counts()
    data = kernels.encode_packed(shape.native, values, 1.0, SymbolModel().native, seen, rounding=rounding)
    twin, twin_seen = reference.encode_packed(9, 5, (2, 3), values, 1.0, rounding=rounding)
    assert data == twin
    assert np.array_equal(seen, twin_seen)
    decoded = decode_chunk(shape, data, scale=1.0)
    assert np.array_equal(decoded, np.floor(values + np.float32(rounding)))
    # What was rounded once keeps its codes, wherever it is rounded next.
    assert kernels.encode_packed(shape.native, decoded, 1.0, SymbolModel().native, rounding=1 - rounding) == data


Chunk = tuple[ChunkShape, bytes, float, SymbolModel]


def decode_together(chunks: Sequence[Chunk]) -> list[NDArray[np.float32]]:
    """All chunks at once; each is (shape, bytes, scale, model)."""
    values = [np.full(shape.num_values, np.nan, dtype=np.float32) for shape, *_ in chunks]
    kernels.decode_packed(
        [
            kernels.PackedChunk(shape.native, data, scale, model.native, decoded)
            for (shape, data, scale, model), decoded in zip(chunks, values, strict=True)
        ]
    )
    return values


@given(st.lists(st.tuples(shapes, jumps, st.booleans()), min_size=1, max_size=3), seeds)
def test_chunks_that_are_decoded_together_have_the_values_of_each_alone(
    drawn: list[tuple[ChunkShape, float, bool]], seed: int
) -> None:
    chunks = []
    for number, (shape, largest, is_zero) in enumerate(drawn):
        values = like_regrets(shape, seed + number, largest) * (not is_zero)
        counts = zero_counts()
        encode_chunk(shape, values, scale=1.0, counts=counts)
        model, scale = (SymbolModel(counts), 1.0) if number == 0 else (SymbolModel(), 0.25)
        coding: Coding = "fast" if (seed + number) % 3 == 0 else "small"
        chunks.append((shape, encode_chunk(shape, values, scale=scale, model=model, coding=coding), scale, model))
    for decoded, (shape, data, scale, model) in zip(decode_together(chunks), chunks, strict=True):
        assert decoded.tobytes() == decode_chunk(shape, data, scale=scale, model=model).tobytes()


def test_four_chunks_are_not_decoded_together() -> None:
    shape = ChunkShape(num_hands=1, lanes=1, actions=(2,))
    with pytest.raises(ValueError, match="at most three chunks"):
        decode_together([(shape, b"", 1.0, SymbolModel())] * 4)


def test_a_chunk_of_zeros_takes_no_bytes() -> None:
    shape = ChunkShape(num_hands=100, lanes=16, actions=(2, 3))
    zeros = np.zeros(shape.num_values, dtype=np.float32)
    assert encode_chunk(shape, zeros) == encode_chunk(shape, zeros, scale=1.0) == b""
    assert encode_chunk(shape, zeros, scale=1.0, coding="fast") == b""
    assert not decode_chunk(shape, b"").any()
    assert not decode_chunk(shape, b"", scale=1.0).any()


def test_a_hand_that_is_like_the_hand_before_takes_a_bit_of_eight_hands() -> None:
    row = like_regrets(ChunkShape(num_hands=1, lanes=16, actions=(2, 3)), 2, 10.0) + 1
    few, many = (ChunkShape(hands, 16, (2, 3)) for hands in (8, 808))

    def same_hands(shape: ChunkShape) -> NDArray[np.float32]:
        nodes = row[: 2 * 16], row[2 * 16 :]
        return np.concatenate([np.tile(node, shape.num_hands) for node in nodes])

    # A bit for each of five actions and of 1 or 101 groups of eight hands, in whole words.
    bits = 2 * -(-5 * 101 // 16) - 2
    assert (
        len(encode_chunk(many, same_hands(many), scale=1.0))
        == len(encode_chunk(few, same_hands(few), scale=1.0)) + bits
    )


def test_changes_of_hands_that_a_chunk_does_not_have_are_damage() -> None:
    shape = ChunkShape(num_hands=3, lanes=16, actions=(2,))
    data = bytearray(encode_chunk(shape, like_regrets(shape, 4, 10.0) + np.float32(1), scale=1.0))
    first_changes = 8 + 2
    for changes in (data[first_changes] | 1 << 3, 0):
        data[first_changes] = changes
        with pytest.raises(StorageError, match="changes where it has no hands"):
            decode_chunk(shape, bytes(data), scale=1.0)


def test_a_model_of_the_version_before_takes_fewer_bytes() -> None:
    shape = ChunkShape(num_hands=1_000, lanes=16, actions=(2, 3, 3))
    values = like_regrets(shape, 1, 10.0)
    counts = zero_counts()
    first = encode_chunk(shape, values, scale=1.0, counts=counts)
    assert len(encode_chunk(shape, values, scale=1.0, model=SymbolModel(counts))) < 0.9 * len(first)


CHUNK = ChunkShape(num_hands=30, lanes=16, actions=(2, 3))


@pytest.mark.parametrize(("scale", "coding"), [(None, "small"), (1.0, "small"), (1.0, "fast")])
def test_every_truncated_or_longer_chunk_is_refused(scale: float | None, coding: Coding) -> None:
    data = encode_chunk(CHUNK, like_regrets(CHUNK, 1, 1e4), scale=scale, coding=coding)
    for size in range(1, len(data)):
        with pytest.raises(StorageError, match=f"it has {size} bytes"):
            decode_chunk(CHUNK, data[:size], scale=scale)
    with pytest.raises(StorageError):
        decode_chunk(CHUNK, data + b"\0\0", scale=scale)


@settings(max_examples=300)
@given(st.data())
def test_damaged_bytes_are_refused_or_decoded_but_never_more(data: st.DataObject) -> None:
    coding = data.draw(codings)
    content = bytearray(encode_chunk(CHUNK, like_regrets(CHUNK, 1, 1e4), scale=1.0, coding=coding))
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    margin, untouched = 64, np.float32(-1)

    def decode_plain(values: NDArray[np.float32]) -> None:
        kernels.decode_plain(CHUNK.native, bytes(content), values)

    def decode_packed(values: NDArray[np.float32]) -> None:
        kernels.decode_packed([kernels.PackedChunk(CHUNK.native, bytes(content), 1.0, SymbolModel().native, values)])

    for decode in (decode_plain, decode_packed):
        around = np.full(CHUNK.num_values + 2 * margin, untouched)
        with suppress(RuntimeError):
            decode(around[margin:-margin])
        assert np.all(around[:margin] == untouched)
        assert np.all(around[-margin:] == untouched)


def test_a_pair_is_refused_where_either_chunk_is_cut_off_or_longer() -> None:
    whole = encode_chunk(CHUNK, like_regrets(CHUNK, 1, 1e4), scale=1.0)
    model = SymbolModel()
    for damaged in [*(whole[:size] for size in range(1, len(whole), 7)), whole[:-2], whole + b"\0\0"]:
        for first, second in ((whole, damaged), (damaged, whole)):
            with pytest.raises(RuntimeError, match="a packed chunk"):
                decode_together([(CHUNK, first, 1.0, model), (CHUNK, second, 1.0, model)])


@settings(max_examples=300)
@given(st.data())
def test_a_pair_with_damaged_bytes_is_refused_or_decoded_as_each_alone(data: st.DataObject) -> None:
    model = SymbolModel()
    chunks = []
    for seed in (1, 2):
        coding = data.draw(codings)
        content = bytearray(encode_chunk(CHUNK, like_regrets(CHUNK, seed, 1e4), scale=1.0, coding=coding))
        for _ in range(data.draw(st.integers(0, 4))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        chunks.append(bytes(content))
    first, second = ((CHUNK, content, 1.0, model) for content in chunks)
    try:
        alone = [decode_chunk(CHUNK, content, scale=1.0) for content in chunks]
    except StorageError:
        with pytest.raises(RuntimeError, match="a packed chunk"):
            decode_together([first, second])
    else:
        assert np.array_equal(decode_together([first, second]), alone)


def test_a_fast_chunk_with_negative_codes_other_rows_or_bits_at_its_end_is_refused() -> None:
    shape = ChunkShape(num_hands=1, lanes=16, actions=(1,))
    values = np.zeros(shape.num_values, dtype=np.float32)
    values[3] = 5.0
    whole = encode_chunk(shape, values, scale=1.0, coding="fast")
    # A head, a word of bits, one of changes, a mask, a width, a residual of 4 bits (5 as 9) and zeros.
    assert whole == struct.pack("<HHIHHHBB", 0, 1, 1, 1, 1, 1 << 3, 4, 9) + bytes(16)
    for place, byte, message in (
        (2, 2, "unknown coding"),
        (4, 2, "another number of rows"),
        (15, 8, "was damaged"),  # -5
        (15, 9 | 1 << 4, "was damaged"),
        (16, 1, "was damaged"),
        (14, 12, "ends too early"),
    ):
        data = bytearray(whole)
        data[place] = byte
        with pytest.raises(StorageError, match=message):
            decode_chunk(shape, bytes(data), scale=1.0)


def test_a_chunk_with_another_model_or_shape_is_refused() -> None:
    counts = zero_counts()
    data = encode_chunk(CHUNK, like_regrets(CHUNK, 1, 1e4), scale=1.0, counts=counts)
    with pytest.raises(StorageError, match="coded with another model"):
        decode_chunk(CHUNK, data, scale=1.0, model=SymbolModel(counts))
    with pytest.raises(StorageError):
        decode_chunk(ChunkShape(num_hands=30, lanes=16, actions=(2, 2)), data, scale=1.0)
    with pytest.raises(StorageError, match="more lanes than its shape"):
        decode_chunk(ChunkShape(num_hands=30, lanes=15, actions=(2, 3)), data, scale=1.0)


def test_what_cannot_be_a_chunk_is_named_with_both_numbers() -> None:
    with pytest.raises(InputError, match="1 to 16 lanes; got 17"):
        ChunkShape(num_hands=1, lanes=17, actions=(2,))
    with pytest.raises(InputError, match="at least one hand, one node and one action; got 0 hands"):
        ChunkShape(num_hands=0, lanes=1, actions=(2,))
    with pytest.raises(InputError, match=r"has 2400 contiguous values of type `float32`; got shape \(3,\)"):
        encode_chunk(CHUNK, np.zeros(3, dtype=np.float32))
    with pytest.raises(InputError, match="no negative values"):
        encode_chunk(CHUNK, np.full(CHUNK.num_values, -1, dtype=np.float32))
    with pytest.raises(InputError, match="`scale` must be positive; got `0`"):
        encode_chunk(CHUNK, np.zeros(CHUNK.num_values, dtype=np.float32), scale=0)
    with pytest.raises(InputError, match="made of 1024 counts of type `uint64`; got 3 of type `uint64`"):
        SymbolModel(np.zeros(3, dtype=np.uint64))
    with pytest.raises(InputError, match="made of 1024 counts of type `uint64`; got 3 of type `uint64`"):
        encode_chunk(CHUNK, np.zeros(CHUNK.num_values, dtype=np.float32), scale=1, counts=np.zeros(3, dtype=np.uint64))


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("is_fast", [False, True])
def test_a_value_that_is_not_finite_is_never_coded(wrong: float, place: int, is_fast: bool) -> None:
    shape = ChunkShape(num_hands=3, lanes=5, actions=(3,))
    values = np.ones(shape.num_values, dtype=np.float32)
    values[place] = wrong
    with pytest.raises(RuntimeError, match="not finite"):
        kernels.encode_packed(shape.native, values, 1.0, SymbolModel().native, zero_counts(), is_fast=is_fast)


@pytest.mark.parametrize("name", [name for name in available_levels() if name != level])
def test_every_level_makes_the_same_bytes_and_reads_them(name: str) -> None:
    code = (
        "from storage.test_codec import *\n"
        "import hashlib\n"
        "shapes = [ChunkShape(200, lanes, (2, 3, 3)) for lanes in (16, 9, 8, 5)] + [ChunkShape(45, 1, (1,))]\n"
        "shapes = [shape for shape in shapes for _ in CODINGS]\n"
        "codings = [coding for _ in shapes for coding in CODINGS]\n"
        "data = [encode_chunk(shape, like_regrets(shape, 7, 1e5), scale=0.5, coding=coding)"
        " for shape, coding in zip(shapes, codings)]\n"
        "read = [decode_chunk(shape, each, scale=0.5).tobytes() for shape, each in zip(shapes, data)]\n"
        "print(hashlib.sha256(b''.join(data + read)).hexdigest())"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "ERRAI_NATIVE_LEVEL": one, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for one in (name, level)
    ]
    assert printed[0] == printed[1]


@given(st.binary(min_size=1, max_size=200), st.data())
def test_the_checksum_sees_every_single_damaged_byte(content: bytes, data: st.DataObject) -> None:
    damaged = bytearray(content)
    damaged[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    assert checksum(np.frombuffer(content, dtype=np.uint8)) != checksum(np.frombuffer(bytes(damaged), dtype=np.uint8))


def test_the_checksum_sees_zeros_at_the_end() -> None:
    sums = {checksum(np.zeros(size, dtype=np.uint8)) for size in range(100)}
    assert len(sums) == 100
