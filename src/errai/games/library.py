"""The bundled games, and loading a game by its name or from a file."""

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path

from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.definition_text import parse_definition

DEFAULT_GAME = "holdem.nolimit.2p"  # of agents that were made for no game
_SUFFIX = ".game"
_MOST_BYTES = 100_000
_FOLDER = files("errai.games") / "definitions"


@cache
def bundled_games() -> tuple[str, ...]:
    """The names of the games that come with Errai, in alphabetical order."""
    return tuple(sorted(file.name.removesuffix(_SUFFIX) for file in _FOLDER.iterdir() if file.name.endswith(_SUFFIX)))


def load_game(name_or_path: str | Path) -> GameDefinition:
    """The bundled game of that name, or the one in that `.game` file."""
    text = str(name_or_path)
    if isinstance(name_or_path, str) and text in bundled_games():
        return parse_definition((_FOLDER / f"{text}{_SUFFIX}").read_text("utf-8"), name=text, source=f"{text}{_SUFFIX}")
    path = Path(name_or_path)
    if not text.endswith(_SUFFIX) and len(path.parts) <= 1:
        close = get_close_matches(text, bundled_games(), n=1)
        suggestion = f"did you mean `{close[0]}`? " if close else ""
        raise InputError(
            f"there is no game `{text}`",
            hint=f"{suggestion}bundled games are {', '.join(bundled_games())}; a file's name ends in `{_SUFFIX}`",
        )
    return parse_definition(_read(path), name=path.name.removesuffix(_SUFFIX), source=text)


def _read(path: Path) -> str:
    """The text of a small regular file: a pipe or a device could block, or never end."""
    try:
        if path.exists() and not path.is_dir() and not path.is_file():
            raise InputError(f"cannot read the game definition `{path}`: it is not a regular file")
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read the game definition `{path}`: {error.strerror}") from None
    except ValueError as error:  # a path with a null character
        raise InputError(f"cannot read the game definition `{path}`: {error}") from None
    if len(content) > _MOST_BYTES:
        raise InputError(f"cannot read the game definition `{path}`: it has more than {_MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"cannot read the game definition `{path}`: it is not UTF-8 text") from None
