"""Games as Gambit's `.efg` files."""

from pathlib import Path

from errai.errors import InputError, StorageError
from errai.games.library import load_game
from errai.solutions.game_kinds import Game, build_form, pose
from errai.storage.durable_files import write_durably
from errai.trees.efg_reading import parse_efg
from errai.trees.efg_writing import format_efg
from errai.trees.extensive_form import ExtensiveForm

EFG_SUFFIX = ".efg"
_MOST_NODES = 5_000_000  # about 200 MB of text
_MOST_BYTES = 1_000_000_000


def is_efg(path: str | Path) -> bool:
    return Path(path).suffix.lower() == EFG_SUFFIX


def write_efg(game: str | Game, path: str | Path) -> int:
    """Write the tree of a game, exactly, for Gambit; the number of nodes."""
    path = Path(path)
    if not is_efg(path):
        raise InputError(f"the name of a Gambit file must end in `{EFG_SUFFIX}`; got `{path}`")
    form = build_form(pose(load_game(game) if isinstance(game, str) else game), max_nodes=_MOST_NODES)
    content = "".join(format_efg(form)).encode()
    try:
        write_durably(path, content)
    except OSError as error:
        raise StorageError(f"`{path}` cannot be written: {error.strerror}", hint="name another file") from error
    return form.num_nodes


def read_efg(path: str | Path) -> ExtensiveForm:
    """The two-player zero-sum game in a Gambit file."""
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise InputError(f"`{path}` is too large: it has more than {_MOST_BYTES:,} bytes")
        text = content.decode()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read the game `{path}`: {reason}") from None
    return parse_efg(text, source=str(path))
