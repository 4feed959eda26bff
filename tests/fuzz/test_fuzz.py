"""Damaged input, seeded: everything that reads bytes either returns or raises a `StorageError`.

Every test mutates valid content for `ERRAI_FUZZ_SECONDS` (default: 1); `make fuzz` takes a minute each. The seed of a
failure is in its message.
"""

import os
import random
import resource
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import errai
from errai._native import kernels
from errai.errors import StorageError
from errai.games.library import load_game
from errai.passes.section_pass import PassArrays, pass_over_sections
from errai.storage.codec import CODINGS, ChunkShape, SymbolModel, decode_chunk, encode_chunk
from errai.storage.flop_file import _TAIL, FlopFile, checksum
from errai.storage.ledger import Ledger
from errai.trees.public_tree import build_public_tree

SECONDS = float(os.environ.get("ERRAI_FUZZ_SECONDS", "1"))
MOST_EXTRA_BYTES = 2 << 30  # no damaged content may allocate more


def mutate(content: bytes, generator: random.Random) -> bytes:
    """Some changes: bytes, bits, extreme 32-bit numbers, cuts, insertions, moves, repetitions."""
    data = bytearray(content)
    for _ in range(generator.choice([1, 1, 2, 4, 16])):
        if not data:
            return bytes(data)
        at = generator.randrange(len(data))
        kind = generator.randrange(7)
        if kind == 0:
            data[at] = generator.randrange(256)
        elif kind == 1:
            data[at] ^= 1 << generator.randrange(8)
        elif kind == 2:
            value = generator.choice([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, len(data), generator.getrandbits(32)])
            data[at : at + 4] = value.to_bytes(4, "little")
        elif kind == 3:
            del data[at : at + generator.choice([1, 2, 4, 100, len(data)])]
        elif kind == 4:
            data[at:at] = generator.randbytes(generator.choice([1, 2, 4, 64]))
        elif kind == 5:
            data[at:at] = data[: generator.randrange(64)]
        else:
            begin = generator.randrange(len(data))
            data[at : at + 16] = data[begin : begin + 16]
    return bytes(data)


@contextmanager
def bounded_memory() -> Iterator[None]:
    """An allocation far beyond what valid content needs fails."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # it reserves terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (used + MOST_EXTRA_BYTES, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def seeds() -> Iterator[int]:
    end = perf_counter() + SECONDS
    seed = 0
    with bounded_memory():
        while perf_counter() < end:
            yield seed
            seed += 1
    assert seed >= 3, "too slow to be a test"


def regrets(shape: ChunkShape, seed: int) -> np.ndarray:
    steps = np.random.default_rng(seed).normal(scale=1e3, size=shape.num_values)
    return np.maximum(np.cumsum(steps), 0).astype(np.float32)


@pytest.mark.parametrize("scale", [None, 1.0])
def test_a_damaged_chunk_is_decoded_or_refused(scale: float | None) -> None:
    for seed in seeds():
        generator = random.Random(seed)
        actions = tuple(generator.choices((1, 2, 3), k=generator.randint(1, 4)))
        shape = ChunkShape(generator.randint(1, 60), generator.randint(1, 16), actions)
        coding = generator.choice(CODINGS)
        content = mutate(encode_chunk(shape, regrets(shape, seed), scale=scale, coding=coding), generator)
        with suppress(StorageError):
            decode_chunk(shape, content, scale=scale)


def test_damaged_chunks_are_decoded_together_or_refused() -> None:
    model = SymbolModel()
    for seed in seeds():
        generator = random.Random(seed)
        chunks = []
        for player in range(generator.randint(1, 3)):
            shape = ChunkShape(generator.randint(1, 40), generator.randint(1, 16), (3, 2))
            coding = generator.choice(CODINGS)
            data = mutate(encode_chunk(shape, regrets(shape, seed + player), scale=1.0, coding=coding), generator)
            values = np.empty(shape.num_values, dtype=np.float32)
            chunks.append(kernels.PackedChunk(shape.native, data, 1.0, model.native, values))
        with suppress(RuntimeError):
            kernels.decode_packed(chunks)


class DamagedSections:
    """Sections of an array, some of them damaged."""

    def __init__(self, sections: list[bytes], scale: float, generator: random.Random) -> None:
        self.scales = [scale, scale]
        self.model = self.next_model = None
        self._sections = [mutate(section, generator) if generator.random() < 0.5 else section for section in sections]

    def read(self, section: int) -> np.ndarray:
        return np.frombuffer(self._sections[section], dtype=np.uint8)


class KeptSections:
    def __init__(self) -> None:
        self.sections: list[bytes] = []

    def write(self, section: np.ndarray) -> None:
        self.sections.append(section.tobytes())


def zero_sections(count: int) -> list[bytes]:
    return [b""] * count


@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_a_pass_over_damaged_sections_ends_or_is_refused(scale: float) -> None:
    tree = build_public_tree(load_game("leduc"), precision="float32")
    reach = np.asarray(tree.root_reach(0), dtype=np.float32)
    count = 1 + len(tree.rounds[1].boards)

    def update(own: DamagedSections, opponent: DamagedSections) -> list[bytes]:
        sink = KeptSections()
        arrays = PassArrays(own, opponent, own_sink=sink)
        pass_over_sections(tree, arrays, mode="update", player=1, reach=reach)
        return [sink.sections[-1], *sink.sections[:-1]]

    untouched = random.Random()
    untouched.random = lambda: 1.0  # type: ignore[method-assign]
    nothing = DamagedSections(zero_sections(count), scale, untouched)
    valid = update(nothing, nothing)
    assert any(valid)
    for seed in seeds():
        generator = random.Random(seed)
        with suppress(RuntimeError):
            update(DamagedSections(valid, scale, generator), DamagedSections(zero_sections(count), scale, generator))


# Three rounds on a deck of six cards: three flops.
MINI = replace(
    load_game("rhode-island"),
    name="mini",
    blinds=(5, 5),
    raise_sizes=(10, 20, 20),
    max_raises=(1, 1, 1),
    num_suits=2,
    num_ranks=3,
)


@pytest.fixture(scope="module")
def run_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("fuzz") / "run"
    errai.solve_whole(MINI, directory, goal=errai.Goal(iterations=3), with_average=True)
    return directory


def with_valid_checksums(content: bytes, generator: random.Random) -> bytes:
    """The file of a flop with another footer, whose checksum is right."""
    length, _, magic = _TAIL.unpack(content[-_TAIL.size :])
    begin = len(content) - _TAIL.size - length
    footer = mutate(content[begin : begin + length], generator)
    return content[:begin] + footer + _TAIL.pack(len(footer), checksum(np.frombuffer(footer, dtype=np.uint8)), magic)


def test_the_damaged_file_of_a_flop_is_read_or_refused(run_directory: Path, tmp_path: Path) -> None:
    contents = [path.read_bytes() for path in sorted(run_directory.rglob("*.flop"))]
    assert contents
    path = tmp_path / "damaged.flop"
    for seed in seeds():
        generator = random.Random(seed)
        content = generator.choice(contents)
        path.write_bytes(generator.choice([mutate, with_valid_checksums])(content, generator))
        with suppress(StorageError), FlopFile(path) as file:
            file.verify()


def test_a_damaged_ledger_is_read_or_refused(run_directory: Path, tmp_path: Path) -> None:
    content = (run_directory / "ledger.sqlite").read_bytes()
    path = tmp_path / "ledger.sqlite"
    for seed in seeds():
        path.write_bytes(mutate(content, random.Random(seed)))
        for left in (*tmp_path.glob("*-wal"), *tmp_path.glob("*-shm"), *tmp_path.glob("*-journal")):
            left.unlink()
        with suppress(StorageError), closing(Ledger.open(tmp_path)) as ledger:
            ledger.verify()
            for number in range(1, ledger.passes_done + 1):
                ledger.pass_record(number)
                for flop in ledger.answered(number):
                    ledger.answer(number, flop)
            ledger.preflop_arrays()
            ledger.measurements()


@pytest.mark.parametrize("settings", [{"engine": "flat"}, {"engine": "lanes", "precision": "uint16"}], ids=str)
def test_a_damaged_solution_is_read_or_refused(settings: dict[str, Any], tmp_path: Path) -> None:
    errai.solve("leduc", algorithm="cfr+", iterations=3, **settings).save(tmp_path / "solution")
    files = {path: path.read_bytes() for path in (tmp_path / "solution").iterdir()}
    for seed in seeds():
        generator = random.Random(seed)
        path = generator.choice(list(files))
        path.write_bytes(mutate(files[path], generator))
        with suppress(StorageError):
            stored = errai.open(tmp_path / "solution")
            stored.verify()
            stored.query()
        path.write_bytes(files[path])
