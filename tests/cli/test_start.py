"""What commands import: what is heavy waits until it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "numpy",
    "polars",
    "z3",
    "oxidd",  # the package, which asks for its version; its modules alone are light
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
"""What takes longest to import, or brings much more with it."""

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


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The log of a small game of Cluedo."""
    file = tmp_path_factory.mktemp("start") / "game.jsonl"
    command = ["play", "cluedo", "--players", "3", "--size", "2/2/2", "--names", "ann,bob,cid"]
    command += ["--seed", "1", "--minds", "random", "--brief", "--log", str(file)]
    subprocess.run([sys.executable, "-m", "symkripke", *command], check=True, capture_output=True)
    return str(file)


def imported(*arguments: str) -> set[str]:
    """Which of the heavy modules the command imports until it is done."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True
    )
    *_, last = done.stdout.splitlines()
    word, *modules = last.split()
    assert word == "imported"
    return HEAVY.intersection(modules)


def test_help() -> None:
    assert imported("--help") == set()
    assert imported("ask", "--help") <= {"symkripke.play", "msgspec"}


def test_games() -> None:
    """All players of all games are looked at; none of them reckons or asks."""
    assert imported("games") == SHOWN
    assert imported("games", "cluedo", "--json") == SHOWN - {"rich"}


def test_ask(log: str) -> None:
    """A question is read, and asked of clauses: one about what others know, by the search."""
    asked = imported("ask", log, "K[ann] knows_solution(bob)")
    assert asked == SHOWN - {"rich"} | CLAUSES | SEARCH


@pytest.mark.parametrize(
    ("puzzle", "more"),
    [
        (("three_hats", "--no-count"), CLAUSES | DIAGRAMS),
        (("three_hats", "--engine", "sat", "--no-count"), CLAUSES | SEARCH | DIAGRAMS),
        (("three_hats",), CLAUSES | DIAGRAMS),
        (("cheryls_birthday",), DIAGRAMS),
        (("muddy_children", "--n", "40"), CLAUSES | DIAGRAMS | SUMS),
        (("muddy_children", "--n", "120"), CLAUSES | DIAGRAMS | SUMS | {"numpy"}),
        (("muddy_children", "--n", "10", "--engine", "bdd", "--no-count"), DIAGRAMS),
    ],
)
def test_puzzles(puzzle: tuple[str, ...], more: set[str]) -> None:
    """Long sums are counted with numpy. A pipe gets its lines without rich; no game is there."""
    assert imported("puzzle", *puzzle) == FILES | more


def test_the_text_of_a_puzzle() -> None:
    """Nothing reads it."""
    assert imported("puzzle", "russian_cards", "--text") == {"symkripke.problems"}


TEN_LINES = """-- Three muddy children
VARS 1, 2, 3
LAW Top
OBS alice: 2, 3
    bob: 1, 3
    carol: 1, 2
UPDATE! (1 | 2 | 3)
WHERE? alice knows whether 1
UPDATE! ~(alice knows whether 1) & ~(bob knows whether 2) & ~(carol knows whether 3)
WHERE? bob knows that 2
"""


def test_a_small_file_of_smcdel(tmp_path: Path) -> None:
    file = tmp_path / "muddy.smcdel.txt"
    file.write_text(TEN_LINES)
    reader = {"symkripke.problems", "symkripke.problems.smcdel.reader"}
    assert imported("check", str(file)) == DIAGRAMS | reader


def test_a_small_file(tmp_path: Path) -> None:
    """Worlds are counted in diagrams; what an agent knows of a fact is asked of clauses."""
    file = tmp_path / "two.txt"
    file.write_text(
        "agents a, b\nfluent p\nfluent q\na sees p\nb sees q\nlaw p | q\n"
        "actual p, q\ntrue? K[a] p\nannounce p & q\ntrue? K[b] p\n"
    )
    assert imported("check", str(file)) == FILES | DIAGRAMS | CLAUSES


def test_the_package_alone() -> None:
    """What `import symkripke` brings is nothing; its names come one by one."""
    program = "import sys, symkripke; symkripke.parse; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert HEAVY.isdisjoint(done.stdout.split())
