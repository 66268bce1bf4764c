"""The sessions of the README pages print what the pages say they print."""

from __future__ import annotations

import doctest
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from symkripke.play import Moment, Record
from tests.support.readme import PAGES, ROOT, examples, printed, rewritten

GAMES = ROOT / "encodings" / "symkripke_games"


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_console_examples(page: Path) -> None:
    """If a change is meant, `python -m tests.support.readme` writes the output anew."""
    text = page.read_text(encoding="utf-8")
    assert list(examples(text))
    assert rewritten(text) == text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_python_examples(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried >= (15 if page.parent == ROOT else 0)
    assert failed == 0


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([\w/-]+\.\w+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{named(page)}: {target}"


def told(game: str, folder: Path) -> Moment[Any, Any]:
    """The real table that the page of a game begins, after the events that are typed there."""
    text = (GAMES / game / "README.md").read_text(encoding="utf-8")
    os.chdir(folder)
    commands = [command for command, _ in examples(text)]
    begun = [command for command in commands if command.startswith("symkripke begin")]
    typed = [command for command in commands if command.startswith("symkripke note")]
    assert typed
    for command in (*begun, *typed):
        printed(command)
    return Record.read(folder / shlex.split(begun[0])[3]).replay()


def test_the_table_of_cluedo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    moment = told("cluedo", tmp_path)
    assert moment.turn == 3
    assert moment.ask("K[plum] holds(white, study)")
    assert not moment.at(1).ask("K[plum] holds(white, study)")
    assert moment.at(1).ask("K[plum] (holds(white, green) | holds(white, study))")


def test_the_table_of_kwartet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    moment = told("kwartet", tmp_path)
    assert moment.turn == 3
    assert moment.ask("K[ann] C[*] holds(bob, proud_rooster)")
    assert moment.ask("K[ann] C[*] holds(ann, smelly_goat)")
    assert moment.at(2).ask("K[ann] (M[bob] holds(cath, smelly_goat) & ~holds(cath, smelly_goat))")


def test_the_table_of_old_maid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    moment = told("old_maid", tmp_path)
    assert moment.turn == 3
    assert moment.at(1).ask("K[bob] holds(cath, queen)")
    ranks = ("ace", "king", "queen", "jack")
    assert all(moment.ask(f"Kw[bob] holds({who}, {r})") for who in ("ann", "cath") for r in ranks)
    assert not moment.at(2).ask("Kw[bob] holds(ann, ace)")


def test_the_table_of_sleuth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    moment = told("sleuth", tmp_path)
    assert moment.turn == 3
    assert moment.ask("K[bob] K[ann] holds(eve, rdc)")
    assert not moment.at(1).ask("K[bob] holds(eve, rdc)")


def test_the_table_of_perudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    moment = told("perudo", tmp_path)
    assert moment.turn == 4
    assert moment.at(2).ask("B[ann] has(bob, 1, 4) & ~K[ann] has(bob, 1, 4)")
    assert moment.at(3).ask("K[ann] has(bob, 3, 4)")
    assert moment.ask("K[ann] eA(ann, 2, 6)")
