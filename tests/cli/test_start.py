"""Imports of the commands: heavy modules wait until they are used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "numpy",
    "polars",
    "z3",
    "oxidd",  # the package reads its own version; its modules alone are light
    "pysat",
    "pysolvers",
    "rich",
    "msgspec",
    "matplotlib",
    "importlib.metadata",
    "importlib.resources",
    "tempfile",
    "symkripke.engines.sat",
    "symkripke.engines.sat.modal.search",
    "symkripke.engines.sat.explain.explainer",
    "symkripke.engines.bdd",
    "symkripke.engines.count.likelihoods",
    "symkripke.engines.count.sum_counter",
    "symkripke.engines.smt",
    "symkripke.engines.explicit",
    "symkripke.play",
    "symkripke.problems",
    "symkripke.problems.reader",
    "symkripke.problems.smcdel.reader",
}
"""Modules that are slow to import, or import many others."""

SHOWN = {"rich", "msgspec", "symkripke.play"}
CLAUSES = {"pysolvers", "symkripke.engines.sat"}
SEARCH = {"symkripke.engines.sat.modal.search"}
DIAGRAMS = {"symkripke.engines.bdd"}
SUMS = {"symkripke.engines.count.sum_counter"}
FILES = {"symkripke.problems", "symkripke.problems.reader"}

PROGRAM = """
import sys
from symkripke.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
    print("imported", *sorted(sys.modules))
"""


def imported(*arguments: str) -> set[str]:
    """Return the heavy modules that the command has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True
    )
    *_, last = done.stdout.splitlines()
    word, *modules = last.split()
    assert word == "imported"
    return HEAVY.intersection(modules)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("--help", set()),
        # The players of all games are listed, but none of them computes or asks anything.
        ("games cluedo --json", SHOWN - {"rich"}),
        ("puzzle three_hats --engine sat --no-count", FILES | CLAUSES | SEARCH | DIAGRAMS),
        # Large sums are counted with numpy. Output to a pipe does not need rich.
        ("puzzle muddy_children --n 120", FILES | CLAUSES | DIAGRAMS | SUMS | {"numpy"}),
        ("puzzle muddy_children --n 10 --engine bdd --no-count", FILES | DIAGRAMS),
    ],
)
def test_what_a_command_imports(command: str, expected: set[str]) -> None:
    assert imported(*command.split()) == expected


def test_imports_of_ask(log: Path) -> None:
    """The SAT engine answers a question; the search handles a question about others' knowledge."""
    asked = imported("ask", str(log), "K[white] knows_solution(mustard)")
    assert asked == SHOWN - {"rich"} | CLAUSES | SEARCH


def test_imports_for_a_small_smcdel_file(tmp_path: Path) -> None:
    file = tmp_path / "muddy.smcdel.txt"
    file.write_text("VARS 1, 2\nLAW Top\nOBS a: 2\nUPDATE! (1 | 2)\nWHERE? a knows whether 1\n")
    reader = {"symkripke.problems", "symkripke.problems.smcdel.reader"}
    assert imported("check", str(file)) == DIAGRAMS | reader


def test_imports_of_the_package_alone() -> None:
    """`import symkripke` imports nothing heavy; names are imported on first use."""
    program = "import sys, symkripke; symkripke.parse; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert HEAVY.isdisjoint(done.stdout.split())
