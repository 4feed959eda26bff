"""Convergence curves of one or several methods as a picture. The only module that knows matplotlib."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from errai.errors import InputError, StorageError


def verify_can_plot(path: Path) -> None:
    """Raise what `plot_convergence` would raise about the picture's name or a missing library, before any work."""
    if path.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise InputError(f"a picture's name must end in `.png`, `.svg` or `.pdf`; got `{path}`")
    if not path.absolute().parent.is_dir():
        raise StorageError(
            f"`{path}` cannot be written: there is no directory `{path.parent}`", hint="make the directory first"
        )
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("drawing needs matplotlib", hint='`pip install "errai[plot]"` installs it') from None


def plot_convergence(path: Path, curves: Mapping[str, Sequence[tuple[int, float]]], *, title: str) -> None:
    """Draw exploitability over iterations, one line a name, both scales logarithmic."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for name, points in curves.items():
        drawn = [(iteration, value) for iteration, value in points if value > 0]
        axes.plot(
            [iteration for iteration, _ in drawn],
            [value for _, value in drawn],
            marker="o",
            markersize=3,
            linewidth=1.5,
            label=name,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(title)
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability (thousandths of a small bet)")
    axes.grid(which="major", color="0.85")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    partial = path.with_name(f".{path.stem}.partial{path.suffix}")
    try:
        figure.savefig(partial)
        partial.replace(path)
    except OSError as error:
        raise StorageError(f"`{path}` cannot be written: {error.strerror}", hint="name another file") from error
    finally:
        partial.unlink(missing_ok=True)
