"""Which package of Errai may import which, read from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "errai"

# A room may import itself, the rooms named here, and `errors`. The table in CONTRIBUTING says what each is about.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "_native": set(),
    "workers": set(),
    "cards": {"_native"},
    "games": {"cards"},
    "trees": {"games", "cards", "_native"},
    "passes": {"trees", "games", "cards", "workers", "_native"},
    "solvers": {"passes", "trees", "_native"},
    "evaluate": {"passes", "trees", "games", "cards", "workers", "_native"},
    "reports": {"evaluate", "games", "cards"},
    "storage": {"games", "cards", "_native"},
    "play": {"evaluate", "games", "cards", "storage", "workers"},
    "solutions": {"reports", "evaluate", "solvers", "passes", "trees", "games", "cards", "storage"},
    "runs": {"reports", "solutions", "evaluate", "solvers", "passes", "trees", "games", "cards", "storage", "workers"},
    "agents": {"runs", "solutions", "evaluate", "games", "cards"},
    "bench": {
        "reports",
        "agents",
        "play",
        "solutions",
        "solvers",
        "trees",
        "games",
        "cards",
        "storage",
        "workers",
        "_native",
    },
    "errai": {"agents", "runs", "solutions", "reports", "solvers", "evaluate", "trees", "games", "cards"},
    "cli": {
        *("errai", "bench", "agents", "play", "runs", "solutions", "evaluate", "solvers", "trees", "games"),
        *("cards", "storage", "reports", "workers", "_native"),
    },
    "__main__": {"cli"},
}

# Libraries that only one package or one module may import.
HOMES = {
    "click": ["cli"],
    "rich": ["cli"],
    "matplotlib": ["cli/render/picture.py"],
    "pyarrow": ["storage/table_file.py"],
    "ray": ["workers/ray_cluster.py"],
    "concurrent": ["workers"],
    "multiprocessing": ["workers"],
}

MODULES = sorted(SOURCE.rglob("*.py"))


def imported_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            # `from errai import games` imports `errai.games`; `from errai import solve` imports the front door.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def package_of(path: Path) -> str:
    """`games` for `games/definition.py`, `solving` for `solving.py`, `errai` for the front door."""
    first = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "errai" if first == "__init__" else first


def errai_packages(path: Path) -> set[str]:
    names = [name.split(".") for name in imported_names(ast.parse(path.read_text()))]
    found = {parts[1] if parts[1] in ALLOWED else "errai" for parts in names if parts[0] == "errai"}
    return found - {package_of(path), "errors"}


def identify(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def test_every_room_is_in_the_table() -> None:
    assert {package_of(path) for path in MODULES} == ALLOWED.keys()


@pytest.mark.parametrize("path", MODULES, ids=identify)
def test_a_module_imports_only_the_layers_below_it(path: Path) -> None:
    assert errai_packages(path) <= ALLOWED[package_of(path)]


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_imported_only_in_its_home(library: str) -> None:
    importers = {
        identify(path)
        for path in MODULES
        if any(name.split(".")[0] == library for name in imported_names(ast.parse(path.read_text())))
    }
    assert importers
    assert all(importer.startswith(tuple(HOMES[library])) for importer in importers)


def test_threads_are_started_only_by_the_workers() -> None:
    """Locks and events are for everyone; the module itself would hide which of its names is used."""
    starters = {"threading", "threading.Thread", "threading.Timer", "_thread"}
    importers = {identify(path) for path in MODULES if starters & set(imported_names(ast.parse(path.read_text())))}
    assert importers == {"workers/background.py"}


@pytest.mark.parametrize("library", ["matplotlib", "ray"])
def test_a_library_that_is_optional_is_imported_only_when_it_is_used(library: str) -> None:
    for path in MODULES:
        top_level = ast.Module(
            body=[node for node in ast.parse(path.read_text()).body if isinstance(node, ast.Import | ast.ImportFrom)],
            type_ignores=[],
        )
        assert not any(name.split(".")[0] == library for name in imported_names(top_level)), path


@pytest.mark.parametrize("path", [path for path in MODULES if package_of(path) != "cli"], ids=identify)
def test_library_code_never_prints(path: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    assert not any(isinstance(call, ast.Name) and call.id == "print" for call in calls)
