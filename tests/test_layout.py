"""The layout of the packages: import roots, and imports in one direction."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import symkripke

ROOT = Path(__file__).parent.parent

# Modules that every package may import.
FOUNDATION = {
    f"symkripke.{name}"
    for name in (
        "argument_types",
        "decoding",
        "errors",
        "file_lock",
        "files",
        "installed",
        "limits",
        "pictures",
        "process_memory",
        "records",
    )
}

# Each package may import from the packages after it.
ROOMS = (
    "cli",
    "experiments",
    "problems",
    "play",
    "drawing",
    "engines",
    "explain",
    "model",
    "language",
)

# The server, which the command line starts, and the packages that it may import. Nothing else
# imports the server.
WEB = ("web", "problems", "play", "drawing", "engines", "explain", "model", "language")

# The contracts, which nothing imports, and the packages that they may import.
TESTING = ("testing", "play", "drawing", "engines", "explain", "model", "language")


MODULES: dict[str, Path] = {}
"""The files of the packages, by module name."""
for root, package in ((ROOT, "symkripke"), (ROOT / "encodings", "symkripke_games")):
    for file in (root / package).rglob("*.py"):
        parts = file.relative_to(root).with_suffix("").parts
        MODULES[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file


def imports(file: Path) -> set[str]:
    """Return the modules that a file imports, even in functions and for type checkers."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & MODULES.keys() or {node.module}
    return found


def reachable(start: str, graph: dict[str, set[str]]) -> set[str]:
    """Return the modules that this one imports directly or indirectly."""
    found: set[str] = set()
    stack = [start]
    while stack:
        new = graph[stack.pop()] - found
        found |= new
        stack.extend(new)
    return found


def test_encodings_is_an_import_root_but_not_a_package() -> None:
    """A package of that name would shadow the standard library's, which every start imports."""
    assert not (ROOT / "encodings" / "__init__.py").exists()
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'encodings'}"}
    command = "import encodings.utf_8, symkripke_games.cluedo, symkripke; print('ok')"
    done = subprocess.run(
        [sys.executable, "-c", command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "ok\n", done.stderr


def test_imports_run_one_way() -> None:
    chains = [ROOMS[place:] for place in range(len(ROOMS))]
    for room, *below in (*chains, TESTING, WEB):
        allowed = {f"symkripke.{other}" for other in (room, *below)} | FOUNDATION
        for file in (ROOT / "symkripke" / room).rglob("*.py"):
            for module in imports(file):
                if module == "symkripke" or not module.startswith("symkripke"):
                    continue
                if file.name == "serve.py" and module.startswith("symkripke.web."):
                    continue
                home = ".".join(module.split(".")[:2])
                assert home in allowed, f"{file.relative_to(ROOT)} imports {module}"


def test_the_server_knows_no_game_by_name() -> None:
    """Everything on the page comes from `Game`, so games from other packages get it for free."""
    names = re.compile(
        r"symkripke_games|\b(cluedo|kwartet|old_maid|perudo|sleuth)\b", re.IGNORECASE
    )
    for file in (ROOT / "symkripke" / "web").rglob("*"):
        if file.suffix in (".py", ".html", ".js", ".css"):
            assert not names.search(file.read_text(encoding="utf-8")), file


def test_lower_layers_do_not_import_by_name() -> None:
    """The layers would not show an import by name."""
    for room in ("language", "model", "explain"):
        for file in (ROOT / "symkripke" / room).rglob("*.py"):
            assert "import_module" not in file.read_text(encoding="utf-8"), file


def test_no_modules_import_each_other() -> None:
    """This includes imports in functions and for type checkers."""
    graph = {name: imports(file) & MODULES.keys() - {name} for name, file in MODULES.items()}
    assert [name for name in graph if name in reachable(name, graph)] == []


def test_the_product_does_not_import_the_contracts() -> None:
    """The contracts need pytest, which users may lack. A file for `new-game` is only copied."""
    copied = ROOT / "encodings" / "symkripke_games" / "skeleton" / "described.py"
    for folder in ("symkripke", "encodings"):
        for file in (ROOT / folder).rglob("*.py"):
            if file == copied or (ROOT / "symkripke" / "testing") in file.parents:
                continue
            found = imports(file)
            assert not any(module.startswith(("symkripke.testing", "pytest")) for module in found)


def test_games_do_not_import_the_command_line_and_rules_do_not_import_knowledge() -> None:
    for file in (ROOT / "encodings").rglob("*.py"):
        assert not any(module.startswith("symkripke.cli") for module in imports(file))
        if file.name == "rules.py":
            forbidden = ("symkripke.engines", "symkripke.language")
            assert not any(module.startswith(forbidden) for module in imports(file))


def test_the_front_package_finds_each_name_where_type_checkers_do() -> None:
    """It searches its packages in order, so an earlier one must not have another object."""
    front = ast.parse((ROOT / "symkripke" / "__init__.py").read_text(encoding="utf-8"))
    [checking] = [part for part in front.body if isinstance(part, ast.If)]
    homes = {
        name.asname or name.name: (found.module, name.name)
        for found in checking.body
        if isinstance(found, ast.ImportFrom) and found.module
        for name in found.names
    }
    assert {*homes} >= {*symkripke.__all__} - {*vars(symkripke)}
    for name in {*homes} & {*symkripke.__all__}:
        home, there = homes[name]
        assert getattr(symkripke, name) is getattr(import_module(home), there), name
