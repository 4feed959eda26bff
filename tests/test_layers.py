"""Which package of Errai may import which, read from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "errai"

# A package may import itself, the packages named here, and `errors`.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "_native": set(),
    "cards": {"_native"},
    "games": {"cards", "_native"},
    "solvers": {"games", "cards", "_native"},
    "evaluate": {"games", "cards", "_native"},
    "agents": {"games", "cards", "storage", "solving", "cluster"},
    "storage": {"games", "cards", "_native"},
    "solving": {"games", "cards", "solvers", "evaluate", "storage"},
    "cluster": {"games", "cards", "solvers", "evaluate", "solving", "storage"},
    "judging": {"agents", "evaluate", "games"},
    "__main__": {"cli"},
    "errai": {"games", "cards", "solvers", "evaluate", "solving", "storage", "judging", "cluster"},
    "bench": {"games", "cards", "solvers", "evaluate", "solving", "agents", "cluster", "storage", "_native"},
    "cli": {
        *("errai", "bench", "_native", "games", "cards", "solvers", "evaluate", "solving", "storage", "agents"),
        *("cluster", "judging"),
    },
}

# Libraries that only one package or one module may import.
HOMES = {
    "click": ["cli"],
    "rich": ["cli"],
    "matplotlib": ["cli/picture.py"],
    "pyarrow": ["storage/table_file.py"],
    "ray": ["cluster/ray_runner.py"],
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
