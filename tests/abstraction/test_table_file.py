from pathlib import Path

import numpy as np
import pytest

from errai.abstraction.bucket_table import BucketTable, random_table
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.recipe import parse_recipe
from errai.abstraction.table_cache import TableCache
from errai.abstraction.table_file import load_table, read_header, save_table
from errai.cards.deck import Deck
from errai.errors import StorageError

SMALL = CardRounds(Deck(4, 2), 2, (0, 2, 1))


@pytest.fixture
def table() -> BucketTable:
    return random_table(SMALL, (2, 3, 2), seed=4, perfect_recall=True)


def test_a_table_comes_back_from_its_file(tmp_path: Path, table: BucketTable) -> None:
    path = tmp_path / "some.buckets"
    save_table(path, table, num_threads=2)
    loaded = load_table(path, num_threads=2)
    assert (loaded.name, loaded.cards, loaded.perfect_recall, loaded.counts) == (
        table.name,
        SMALL,
        True,
        table.counts,
    )
    for stored, expected in zip(loaded.rounds, table.rounds, strict=True):
        assert stored.grouping == expected.grouping
        assert stored.labels.dtype == expected.labels.dtype
        assert np.array_equal(stored.labels, expected.labels)
        assert (stored.within is None) == (expected.within is None)
        if stored.within is not None and expected.within is not None:
            assert np.array_equal(stored.within, expected.within)
    assert read_header(path).counts == table.counts


def test_every_damaged_byte_is_noticed_and_the_file_is_named(tmp_path: Path, table: BucketTable) -> None:
    path = tmp_path / "some.buckets"
    save_table(path, table, num_threads=1)
    content = path.read_bytes()
    for place in [*range(0, len(content), 37), len(content) - 1]:
        damaged = bytearray(content)
        damaged[place] ^= 4
        path.write_bytes(bytes(damaged))
        with pytest.raises(StorageError, match=r"some\.buckets"):
            load_table(path)
    for short in (content[:-1], content[:100], content[:5], b"", content + b"x"):
        path.write_bytes(short)
        with pytest.raises(StorageError, match=r"some\.buckets"):
            load_table(path)


def test_another_version_is_refused_with_a_hint(tmp_path: Path, table: BucketTable) -> None:
    path = tmp_path / "some.buckets"
    save_table(path, table, num_threads=1)
    path.write_bytes(path.read_bytes().replace(b"errai-buckets 1\n", b"errai-buckets 2\n"))
    with pytest.raises(StorageError, match=r"has version 2; this program reads version 1$") as caught:
        load_table(path)
    assert caught.value.hint == "build the table again, or install the version of errai that wrote it"


def test_the_cache_builds_once_and_keeps_nothing_but_the_table(tmp_path: Path) -> None:
    cache = TableCache(tmp_path)
    recipe = parse_recipe("pr-2-phs", SMALL)
    with pytest.raises(StorageError, match=r"^the table `pr-2-phs` is not built for this game") as caught:
        cache.open("pr-2-phs", SMALL)
    assert caught.value.hint is not None
    assert "errai abstract build pr-2-phs" in caught.value.hint
    built = cache.build(recipe, num_threads=1)
    path = cache.path("pr-2-phs", SMALL)
    assert [found.name for found in tmp_path.iterdir()] == ["pr-2-phs@4x2-2-0.2.1.buckets"] == [path.name]
    written = path.stat().st_mtime_ns
    again = cache.build(recipe, num_threads=1)
    assert path.stat().st_mtime_ns == written
    assert np.array_equal(built.rounds[2].labels, again.rounds[2].labels)
    assert [header.name for _, header in cache.tables()] == ["pr-2-phs"]


def test_the_users_cache_directory_is_that_of_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert TableCache().directory == tmp_path / "errai" / "abstractions"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert TableCache().directory == Path.home() / ".cache" / "errai" / "abstractions"
