"""Which package of Errai may import which, read from the source."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "errai"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"

# A room may import itself, the rooms named here, and `errors`. The table in CONTRIBUTING says what each is about.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "_native": set(),
    "workers": set(),
    "cards": {"_native"},
    "games": {"cards"},
    "trees": {"games", "cards", "_native"},
    "abstraction": {"storage", "games", "cards", "workers", "_native"},
    "passes": {"trees", "games", "cards", "workers", "_native"},
    "solvers": {"passes", "trees", "_native"},
    "evaluate": {"passes", "trees", "games", "cards", "workers", "_native"},
    "reports": {"evaluate", "games", "cards"},
    "storage": {"games", "cards", "_native"},
    "openspiel": {"games", "cards"},
    "play": {"reports", "evaluate", "games", "cards", "storage", "workers"},
    "solutions": {
        *("reports", "evaluate", "solvers", "passes", "trees", "abstraction", "openspiel", "games", "cards", "storage"),
    },
    "runs": {"reports", "solutions", "evaluate", "solvers", "passes", "trees", "games", "cards", "storage", "workers"},
    "agents": {"play", "reports", "runs", "solutions", "evaluate", "games", "cards", "storage", "workers"},
    "bench": {
        "abstraction",
        "evaluate",
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
    "errai": {"agents", "runs", "solutions", "openspiel", "reports", "solvers", "evaluate", "trees", "games", "cards"},
    "cli": {
        *("errai", "bench", "serve", "agents", "play", "runs", "solutions", "evaluate", "solvers", "trees", "games"),
        *("cards", "abstraction", "storage", "reports", "workers", "_native"),
    },
    "serve": {"agents", "play", "runs", "solutions", "reports", "storage", "games", "cards"},
    "__main__": {"cli"},
}

# Libraries that only one package or one module may import.
HOMES = {
    "click": ["cli"],
    "rich": ["cli"],
    "matplotlib": ["cli/render/picture.py"],
    "pandas": ["solutions/dataframe.py", "solutions/solution.py"],
    "pokerkit": ["storage/pokerstars.py"],
    "pyarrow": ["storage/table_file.py"],
    "pyspiel": ["openspiel/library.py"],
    "open_spiel": ["openspiel/library.py"],
    "ray": ["workers/ray_cluster.py"],
    "starlette": ["serve"],
    "uvicorn": ["serve"],
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


@pytest.mark.parametrize("library", ["matplotlib", "pandas", "pokerkit", "ray"])
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


# The kinds of games and the trees that are made of them. Only the registry of games may ask which one it holds.
GAME_TYPES = {"BettingTree", "ExtensiveForm", "GameDefinition", "PublicTree", "Spot", "WholeGame"}
REGISTRIES = {"solutions/game_kinds.py"}


def named(node: ast.AST) -> set[str]:
    """Every name that occurs in an expression, with or without a module before it."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def asked_types(tree: ast.AST) -> set[str]:
    """The types that a module asks for with `isinstance`, a class pattern, or `type(...)`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, types]):
                found |= named(types)
            case ast.MatchClass(cls=pattern):
                found |= named(pattern)
            case ast.Compare() if any(
                isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "type"
                for part in ast.walk(node)
            ):
                found |= named(node)
    return found


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(game, Spot)",
        "isinstance(game, trees.PublicTree | int)",
        "isinstance(game, (int, WholeGame))",
        "match game:\n    case GameDefinition():\n        pass",
        "type(game) is ExtensiveForm",
        "type(game) == ExtensiveForm",
        "type(game) in (ExtensiveForm, int)",
    ],
)
def test_every_way_to_ask_for_a_type_is_seen(source: str) -> None:
    assert asked_types(ast.parse(source)) & GAME_TYPES


@pytest.mark.parametrize("path", MODULES, ids=identify)
def test_only_the_registry_asks_what_kind_of_game_or_tree_it_holds(path: Path) -> None:
    if identify(path) not in REGISTRIES:
        assert not asked_types(ast.parse(path.read_text())) & GAME_TYPES


def only_re_exports(tree: ast.Module) -> bool:
    """Whether a module that imports something adds nothing of its own."""
    rest = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    is_docstring = [isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in rest]
    is_all = [isinstance(node, ast.Assign) and "__all__" in named(node) for node in rest]
    return len(rest) < len(tree.body) and all(map(any, zip(is_docstring, is_all, strict=True)))


def test_a_module_that_only_re_exports_is_recognised() -> None:
    assert only_re_exports(ast.parse('"""Doc."""\nfrom a import b\n__all__ = ["b"]\n'))
    assert not only_re_exports(ast.parse('"""Doc."""\n'))
    assert not only_re_exports(ast.parse("from a import b\nc = b()\n"))


@pytest.mark.parametrize("path", [path for path in MODULES if path != SOURCE / "__init__.py"], ids=identify)
def test_no_module_only_re_exports(path: Path) -> None:
    assert not only_re_exports(ast.parse(path.read_text()))


def test_contributing_describes_every_room_with_the_rooms_that_it_may_import() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", CONTRIBUTING.read_text(), re.MULTILINE)
    assert {room: set(re.findall(r"`(\w+)`", known)) for room, known in rows} == ALLOWED


def test_contributing_names_only_modules_that_exist() -> None:
    named = re.findall(r"`(\w+(?:/\w+)+\.py)`", CONTRIBUTING.read_text())
    assert len(named) > 30
    assert [path for path in named if not (SOURCE / path).exists() and not (ROOT / path).exists()] == []
