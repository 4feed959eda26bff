"""Bucket tables as files.

    errai-buckets 1\\n        the format and its version; a reader refuses another one
    8 bytes                  the length of the header, little-endian
    header                   UTF-8 JSON, see below
    32 bytes                 the SHA-256 of the header
    blocks                   in the order in which the header lists them

The header has `errai` (the version of the program), `name`, `perfect_recall`, `cards` (`num_ranks`, `num_suits`,
`num_hole_cards`, `num_board_cards`: which game the table is for) and `rounds`, each with `num_buckets`, `grouping` and
the arrays `labels` and, where the round has one, `within`. An array has `dtype`, `shape` and `blocks`, a list of
`bytes` and `sha256` of each. A block is 4 Mi numbers, or the rest: their lowest bytes, then their next bytes, and so
on, compressed with zlib. Bytes of the same weight resemble each other, which makes them smaller together.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.bucket_table import BucketTable, RoundBuckets
from errai.abstraction.card_rounds import CardRounds
from errai.cards.deck import Deck
from errai.errors import InputError, StorageError
from errai.storage.durable_files import partial_path, replace_durably, writing
from errai.workers.pools import map_in_order

VERSION = 1

_MAGIC = b"errai-buckets "
_NUMBERS_PER_BLOCK = 2**22
_LEVEL = 6
_MOST_HEADER_BYTES = 2**24
_DTYPES = {"uint16": np.uint16, "uint32": np.uint32}
_AGAIN = "delete it and build the table again, or import a copy"


@dataclass(frozen=True)
class TableHeader:
    """What a file says about its table, without the arrays."""

    name: str
    cards: CardRounds
    perfect_recall: bool
    counts: tuple[int, ...]
    errai_version: str


def save_table(path: Path, table: BucketTable, *, num_threads: int) -> None:
    """Write a table in one step: a reader sees the whole file or none."""
    blocks: list[bytes] = []

    def describe(array: NDArray[Any]) -> dict[str, Any]:
        packed = list(map_in_order(_pack, _blocks(array), num_threads=num_threads, max_ahead=num_threads))
        blocks.extend(packed)
        entries = [{"bytes": len(block), "sha256": hashlib.sha256(block).hexdigest()} for block in packed]
        return {"dtype": array.dtype.name, "shape": list(array.shape), "blocks": entries}

    rounds = []
    for stored in table.rounds:
        entry = {"num_buckets": stored.num_buckets, "grouping": stored.grouping, "labels": describe(stored.labels)}
        rounds.append(entry if stored.within is None else {**entry, "within": describe(stored.within)})
    cards = table.cards
    header = json.dumps(
        {
            "errai": installed_version("errai"),
            "name": table.name,
            "perfect_recall": table.perfect_recall,
            "cards": {
                "num_ranks": cards.deck.num_ranks,
                "num_suits": cards.deck.num_suits,
                "num_hole_cards": cards.num_hole_cards,
                "num_board_cards": cards.num_board_cards,
            },
            "rounds": rounds,
        }
    ).encode()
    start = [_MAGIC + b"%d\n" % VERSION, len(header).to_bytes(8, "little"), header, hashlib.sha256(header).digest()]
    with writing(path, again="errai abstract build"):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = partial_path(path)
        try:
            with open(partial, "xb") as file:
                file.writelines([*start, *blocks])
                file.flush()
                os.fsync(file.fileno())
            replace_durably(partial, path)
        finally:
            partial.unlink(missing_ok=True)


def load_table(path: Path, *, num_threads: int = 1) -> BucketTable:
    """Read a table; every byte is checked."""
    with _reading(path) as file:
        content = _read_content(path, file)
        header = _header(path, content)
        try:
            rounds = tuple(_read_round(path, file, entry, num_threads) for entry in content["rounds"])
            if file.read(1):
                raise StorageError(f"`{path}` is damaged: it has bytes after its end", hint=_AGAIN)
            return BucketTable(header.name, header.cards, header.perfect_recall, rounds)
        except (KeyError, TypeError, ValueError, InputError) as error:
            raise StorageError(f"`{path}` is not a table: {error}", hint=_AGAIN) from error


def read_header(path: Path) -> TableHeader:
    """What a file says about its table; only the header is checked."""
    with _reading(path) as file:
        return _header(path, _read_content(path, file))


def _reading(path: Path) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        raise StorageError(
            f"`{path}` cannot be read: {error.strerror}", hint="`errai abstract list` shows the tables that are built"
        ) from error


def _read_content(path: Path, file: BinaryIO) -> dict[str, Any]:
    first = file.readline(64)
    if not first.startswith(_MAGIC):
        raise StorageError(f"`{path}` is not a bucket table", hint="`errai abstract export` writes one")
    found = first.removeprefix(_MAGIC).strip().decode("ascii", "replace")
    if found != str(VERSION):
        raise StorageError(
            f"`{path}` has version {found}; this program reads version {VERSION}",
            hint="build the table again, or install the version of errai that wrote it",
        )
    length = int.from_bytes(file.read(8), "little")
    header = file.read(length) if length <= _MOST_HEADER_BYTES else b""
    if hashlib.sha256(header).digest() != file.read(32):
        raise StorageError(f"`{path}` is damaged: the SHA-256 of its header does not match", hint=_AGAIN)
    content: dict[str, Any] = json.loads(header)
    return content


def _header(path: Path, content: dict[str, Any]) -> TableHeader:
    try:
        cards = content["cards"]
        return TableHeader(
            name=str(content["name"]),
            cards=CardRounds(
                Deck(cards["num_ranks"], cards["num_suits"]), cards["num_hole_cards"], tuple(cards["num_board_cards"])
            ),
            perfect_recall=bool(content["perfect_recall"]),
            counts=tuple(int(entry["num_buckets"]) for entry in content["rounds"]),
            errai_version=str(content["errai"]),
        )
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise StorageError(f"`{path}` is not a table: {error}", hint=_AGAIN) from error


def _read_round(path: Path, file: BinaryIO, entry: dict[str, Any], num_threads: int) -> RoundBuckets:
    labels = _read_array(path, file, entry["labels"], num_threads)
    within = _read_array(path, file, entry["within"], num_threads) if "within" in entry else None
    return RoundBuckets(int(entry["num_buckets"]), tuple(entry["grouping"]), labels, within)


def _read_array(path: Path, file: BinaryIO, entry: dict[str, Any], num_threads: int) -> NDArray[Any]:
    dtype = np.dtype(_DTYPES[entry["dtype"]])
    shape = tuple(int(size) for size in entry["shape"])
    array: NDArray[Any] = np.empty(int(np.prod(shape)), dtype=dtype)

    def unpack(block: tuple[int, bytes, str]) -> None:
        number, packed, expected = block
        part = array[number * _NUMBERS_PER_BLOCK : (number + 1) * _NUMBERS_PER_BLOCK]
        if hashlib.sha256(packed).hexdigest() != expected:
            raise StorageError(f"`{path}` is damaged: the SHA-256 of a block does not match", hint=_AGAIN)
        planes = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(dtype.itemsize, len(part))
        part.view(np.uint8).reshape(len(part), dtype.itemsize)[:] = planes.T

    packed_blocks = (
        (number, file.read(int(block["bytes"])), str(block["sha256"])) for number, block in enumerate(entry["blocks"])
    )
    if len(entry["blocks"]) != -(-array.size // _NUMBERS_PER_BLOCK):
        raise StorageError(f"`{path}` is damaged: an array has the wrong number of blocks", hint=_AGAIN)
    for _ in map_in_order(unpack, packed_blocks, num_threads=num_threads, max_ahead=num_threads):
        pass
    return array.reshape(shape)


def _blocks(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    flat = np.ascontiguousarray(array).ravel()
    for first in range(0, flat.size, _NUMBERS_PER_BLOCK):
        yield flat[first : first + _NUMBERS_PER_BLOCK]


def _pack(block: NDArray[Any]) -> bytes:
    planes = np.ascontiguousarray(block.view(np.uint8).reshape(len(block), block.dtype.itemsize).T)
    return zlib.compress(planes.tobytes(), _LEVEL)
