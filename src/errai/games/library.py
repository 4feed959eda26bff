"""The bundled games, and loading a game by its name or from a file."""

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path

from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.games.definition_text import parse_definition

_SUFFIX = ".game"
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
    try:
        content = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read the game definition `{text}`: {reason}") from None
    return parse_definition(content, name=path.name.removesuffix(_SUFFIX), source=text)
