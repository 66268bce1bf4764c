"""The house stays as it was planned: import roots, and arrows that run one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Each room may import from the rooms after it (and from errors).
ROOMS = ("cli", "problems", "play", "engines", "explain", "model", "language")


def imports(file: Path) -> set[str]:
    """The modules that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def test_encodings_is_an_import_root_and_no_package() -> None:
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


def test_arrows_run_one_way() -> None:
    for place, room in enumerate(ROOMS):
        allowed = {f"symkripke.{other}" for other in ROOMS[place:]} | {"symkripke.errors"}
        for file in (ROOT / "symkripke" / room).rglob("*.py"):
            for module in imports(file):
                if module == "symkripke" or not module.startswith("symkripke"):
                    continue
                home = ".".join(module.split(".")[:2])
                assert home in allowed, f"{file.relative_to(ROOT)} imports {module}"


def imported_modules(file: Path, modules: set[str]) -> set[str]:
    """Which of these modules a file imports, for types only or not."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (members & modules) or {node.module}
    return found & modules


def test_the_rooms_of_the_modal_search_import_each_other_in_one_direction() -> None:
    """No circles, not even for types: one room after the other can be taken away from above."""
    sat = ROOT / "symkripke" / "engines" / "sat"
    files = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts): file
        for room in ("modal", "swaps")
        for file in (sat / room).glob("*.py")
    }
    left = {module: imported_modules(file, set(files)) for module, file in files.items()}
    assert len(left) > 20
    while left:
        above = set(left).difference(*left.values())
        assert above, f"a circle among {sorted(left)}"
        for module in above:
            del left[module]


def test_games_know_nothing_of_the_command_line_and_rules_nothing_of_knowledge() -> None:
    for file in (ROOT / "encodings").rglob("*.py"):
        assert not any(module.startswith("symkripke.cli") for module in imports(file))
        if file.name == "rules.py":
            forbidden = ("symkripke.engines", "symkripke.language")
            assert not any(module.startswith(forbidden) for module in imports(file))
