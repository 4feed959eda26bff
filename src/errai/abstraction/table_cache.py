"""The tables that are built, in the user's cache directory.

A table is found by its name and by the cards of the game, as in `pr-10-phs@13x4-2-0.3.1.1.buckets`: 13 ranks of 4
suits, 2 hole cards, and the board cards of each round. Beside it, while it is built, is a directory with the steps that
are done.
"""

import os
from pathlib import Path

from errai.abstraction.bucket_table import BucketTable
from errai.abstraction.build import build_table
from errai.abstraction.build_steps import OnProgress, ignore_progress
from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.checkpoints import Checkpoints
from errai.abstraction.recipe import Recipe, parse_recipe
from errai.abstraction.table_file import TableHeader, load_table, read_header, save_table
from errai.errors import StorageError
from errai.storage.durable_files import copy_durably, writing

SUFFIX = ".buckets"


class TableCache:
    """The directory in which tables are kept: `directory`, or that of the user."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory or _user_directory()

    def path(self, name: str, cards: CardRounds) -> Path:
        """Where a table is, once it is built."""
        boards = ".".join(map(str, cards.num_board_cards))
        game = f"{cards.deck.num_ranks}x{cards.deck.num_suits}-{cards.num_hole_cards}-{boards}"
        return self.directory / f"{parse_recipe(name, cards).name}@{game}{SUFFIX}"

    def build(self, recipe: Recipe, *, num_threads: int, on_progress: OnProgress = ignore_progress) -> BucketTable:
        """Build a table and keep it; a table that is there already is not built again."""
        path = self.path(recipe.name, recipe.cards)
        if path.exists():
            return load_table(path, num_threads=num_threads)
        checkpoints = Checkpoints(path.with_suffix(".building"))
        table = build_table(recipe, checkpoints, num_threads=num_threads, on_progress=on_progress)
        save_table(path, table, num_threads=num_threads)
        checkpoints.remove()
        return table

    def open(self, name: str, cards: CardRounds, *, num_threads: int = 1) -> BucketTable:
        """A table that is built."""
        path = self.path(name, cards)
        if not path.exists():
            raise StorageError(
                f"the table `{name}` is not built for this game: there is no `{path}`",
                hint=f"`errai abstract build {name}` builds it; `--game` says for which game",
            )
        return load_table(path, num_threads=num_threads)

    def tables(self) -> list[tuple[Path, TableHeader]]:
        """All tables that are built, by name."""
        return [(path, read_header(path)) for path in sorted(self.directory.glob(f"*{SUFFIX}"))]

    def add(self, file: Path) -> TableHeader:
        """Keep a copy of a file that holds a table, after a check of all its bytes."""
        load_table(file)
        header = read_header(file)
        path = self.path(header.name, header.cards)
        with writing(path, again="errai abstract build"):
            path.parent.mkdir(parents=True, exist_ok=True)
            copy_durably(file, path)
        return header

    def copy(self, name: str, cards: CardRounds, target: Path) -> None:
        """Write a table that is built to a file elsewhere."""
        self.open(name, cards)
        with writing(target, again="errai abstract export"):
            copy_durably(self.path(name, cards), target)


def _user_directory() -> Path:
    given = os.environ.get("XDG_CACHE_HOME", "")
    # The specification of XDG says that a relative path is to be ignored.
    cache = Path(given) if given and Path(given).is_absolute() else Path.home() / ".cache"
    return cache / "errai" / "abstractions"
