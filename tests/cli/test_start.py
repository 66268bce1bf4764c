"""What commands import: what is heavy waits until it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "numpy",
    "polars",
    "z3",
    "oxidd",
    "pysat",
    "lark",
    "rich",
    "msgspec",
    "matplotlib",
    "networkx",
    "importlib.metadata",
    "symkripke.engines.sat",
    "symkripke.engines.bdd",
    "symkripke.engines.smt",
    "symkripke.engines.explicit",
    "symkripke.play",
    "symkripke.problems",
}
"""What takes longest to import, or brings much more with it."""

SHOWN = {"rich", "importlib.metadata", "msgspec", "symkripke.play"}
CLAUSES = {"pysat", "symkripke.engines.sat"}
DIAGRAMS = {"oxidd", "symkripke.engines.bdd"}
FILES = {"lark", "symkripke.problems"}

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
    """A question is read, and asked of clauses."""
    used = SHOWN | CLAUSES | {"lark"}
    assert imported("ask", log, "K[ann] knows_solution(bob)") == used


@pytest.mark.parametrize(
    ("puzzle", "more"),
    [
        (("three_hats", "--no-count"), CLAUSES | DIAGRAMS),
        (("three_hats", "--engine", "sat", "--no-count"), CLAUSES | DIAGRAMS),
        (("three_hats",), CLAUSES | DIAGRAMS | {"numpy"}),
        (("muddy_children", "--n", "10", "--engine", "bdd", "--no-count"), DIAGRAMS),
        (("russian_cards", "--text"), set()),
    ],
)
def test_puzzles(puzzle: tuple[str, ...], more: set[str]) -> None:
    """Worlds are counted with numpy; where they are not, nothing is."""
    found = imported("puzzle", *puzzle)
    shown = {"rich"} if "--text" not in puzzle else set()
    assert found - SHOWN - FILES == more
    assert shown <= found


def test_the_package_alone() -> None:
    """What `import symkripke` brings is nothing; its names come one by one."""
    program = (
        "import sys, symkripke; found = set(sys.modules); symkripke.parse; print(*found);"
        "print('lark' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    modules, parsed = done.stdout.splitlines()
    assert HEAVY.isdisjoint(modules.split())
    assert parsed == "False"  # not before a text is read
