"""Pictures as files. The only module that imports matplotlib."""

import sys
from pathlib import Path
from typing import Any

from errai.errors import InputError, StorageError


def verify_can_draw(path: Path) -> None:
    """Raise an error about the picture's name or a missing library before any work is done."""
    if path.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise InputError(f"a picture's name must end in `.png`, `.svg` or `.pdf`; got `{path}`")
    if not path.absolute().parent.is_dir():
        raise StorageError(
            f"`{path}` cannot be written: there is no directory `{path.parent}`", hint="make the directory first"
        )
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError(
            "drawing needs matplotlib", hint=f"`{sys.executable} -m pip install matplotlib` installs it"
        ) from None


def new_figure(width: float, height: float) -> Any:
    """An empty figure; width and height in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: Any, path: Path) -> None:
    """Write the whole picture, or nothing."""
    partial = path.with_name(f".{path.stem}.partial{path.suffix}")
    try:
        figure.savefig(partial, bbox_inches="tight", pad_inches=0.1)
        partial.replace(path)
    except OSError as error:
        raise StorageError(f"`{path}` cannot be written: {error.strerror}", hint="name another file") from error
    finally:
        partial.unlink(missing_ok=True)
