"""The house stays as it was planned: import roots, and arrows that run one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Each room may import from the rooms after it (and from errors).
ROOMS = ("cli", "problems", "play", "engines", "explain", "model", "language")

# Beside the command line: what it may import, and that nobody imports it.
TESTING = ("testing", "play", "engines", "explain", "model", "language")


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
    chains = [ROOMS[place:] for place in range(len(ROOMS))]
    for room, *below in (*chains, TESTING):
        allowed = {f"symkripke.{other}" for other in (room, *below)} | {"symkripke.errors"}
        for file in (ROOT / "symkripke" / room).rglob("*.py"):
            for module in imports(file):
                if module == "symkripke" or not module.startswith("symkripke"):
                    continue
                home = ".".join(module.split(".")[:2])
                assert home in allowed, f"{file.relative_to(ROOT)} imports {module}"


def test_nothing_of_the_product_imports_the_contracts() -> None:
    """They need pytest, which users do not have."""
    for folder in ("symkripke", "encodings"):
        for file in (ROOT / folder).rglob("*.py"):
            if (ROOT / "symkripke" / "testing") in file.parents:
                continue
            found = imports(file)
            assert not any(module.startswith(("symkripke.testing", "pytest")) for module in found)


def test_games_know_nothing_of_the_command_line_and_rules_nothing_of_knowledge() -> None:
    for file in (ROOT / "encodings").rglob("*.py"):
        assert not any(module.startswith("symkripke.cli") for module in imports(file))
        if file.name == "rules.py":
            forbidden = ("symkripke.engines", "symkripke.language")
            assert not any(module.startswith(forbidden) for module in imports(file))
