"""Names in printed text: neither internal names nor ids of objects with a title."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from symkripke.play import Record
from tests.support.golden import TRANSCRIPTS, log_file, transcript_file
from tests.support.reasons import GAMES, PROBLEMS, PUZZLES, problem, puzzle, reason

# Internal names: bits of numbers, auxiliary fluents and agents, and versions of fluents.
INTERNAL = re.compile(
    r"_bit\d|\bseen_\d|\bheard_\d|_hears_|_without_|\w#\d|\)#\d|too long to be shown|binary digit"
)

# Lines for experts: the engine that answered, and what it found.
EXPERT = ("the law speaks", "engine", "depends on")


def raw_atoms(text: str, names: Iterable[str]) -> list[str]:
    """Return the atoms in formula notation, such as "holds(plum, lead_pipe)"."""
    return re.findall(rf"~?\b(?:{'|'.join(names)})\([^)]*\)", text)


def with_title(text: str, log: str) -> list[str]:
    """Return the ids in a text that have a title on the note sheet, such as "lead_pipe"."""
    moment = Record.read(log_file(log)).replay()
    layout = moment.layout
    rows = [row.partition("(")[2].removesuffix(")") for row in layout.rows]
    ids = [name for name in (*rows, *layout.columns) if "_" in name]
    return [name for name in ids if re.search(rf"\b{name}\b", text)]


def below(told: str) -> str:
    """Return the explanation without the line that repeats the question."""
    return told.partition("\n")[2]


@pytest.mark.parametrize(("log", "turn", "formula"), GAMES)
def test_reasons_in_games(log: str, turn: int, formula: str) -> None:
    told = below(reason(log, turn, formula))
    assert told.strip()
    definitions = Record.read(log_file(log)).replay().structure.vocabulary.definitions
    assert not INTERNAL.search(told), told
    assert not raw_atoms(told, [*definitions, "location", "die", "pairs"]), told
    assert not with_title(told, log), told
    assert not [words for words in EXPERT if words in told], told
    _nothing_twice(told)


def _nothing_twice(told: str) -> None:
    """Check that no line repeats the previous line."""
    lines = [line.strip(" :.") for line in told.splitlines()]
    assert all(first != second for first, second in pairwise(lines)), told


@pytest.mark.parametrize("name", PUZZLES)
def test_reasons_in_puzzles(name: str) -> None:
    told = puzzle(name)
    assert not INTERNAL.search(told), told
    assert not [words for words in EXPERT if words in told], told


@pytest.mark.parametrize("name", PROBLEMS)
def test_reasons_in_problem_files(name: str, tmp_path: Path) -> None:
    told = problem(name, tmp_path)
    assert not INTERNAL.search(told), told
    assert not [words for words in EXPERT if words in told], told


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcripts(name: str) -> None:
    told = below(transcript_file(name).read_text(encoding="utf-8"))
    assert not INTERNAL.search(told)
    assert not raw_atoms(told, ("holds", "at", "location", "solution", "eA", "eT", "die", "met"))
    assert not re.findall(r"\b[a-z]+_[a-z_]+\b", told)


def test_the_check_finds_internal_names() -> None:
    for text in ("~x_bit1", "seen_7 = 1", "p#2", "has(2, 0)#1", "b_hears_p13 knows"):
        assert INTERNAL.search(text)
    assert raw_atoms("Ann knows ~eA(bob, 3, 3)", ["eA"]) == ["~eA(bob, 3, 3)"]
    assert with_title("Plum has lead_pipe", "cluedo-classic-6") == ["lead_pipe"]
