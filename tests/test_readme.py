"""The sessions of the README pages print what the pages say they print."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import symkripke
import symkripke.engines
import symkripke.language
import symkripke.model
import symkripke.play
from symkripke.play import Moment, Record
from tests.support import picture
from tests.support.picture import sheet, words_of
from tests.support.readme import PAGES, ROOT, examples, printed, rewritten

GAMES = ROOT / "encodings" / "symkripke_games"


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_console_examples(page: Path) -> None:
    """If a change is meant, `python -m tests.support.readme` writes the output anew."""
    text = page.read_text(encoding="utf-8")
    assert rewritten(text) == text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_python_examples(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried == text_of(page).count("\n>>> ")
    assert failed == 0


def test_links_lead_somewhere() -> None:
    """To files, and to headings of the same page or of another one."""
    for page in PAGES:
        for target, heading in re.findall(r"\]\(([\w./-]*\.\w+)?(#[\w-]+)?\)", text_of(page)):
            file = page.parent / target if target else page
            assert file.exists(), f"{named(page)}: {target}"
            assert not heading or heading in headings(file), f"{named(page)}: {target}{heading}"


def headings(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    found = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {
        "#" + re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in found
    }


def text_of(page: Path) -> str:
    """What stands on the page."""
    return page.read_text(encoding="utf-8")


def test_the_front_page_is_short() -> None:
    """Its first two commands are what continuous integration runs."""
    text = text_of(ROOT / "README.md")
    assert text.count("\n") <= 200
    first, second = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert "symkripke play cluedo" in first
    assert "pytest" in second


def test_the_picture_shows_what_is_printed() -> None:
    """If a change is meant, `python -m tests.support.picture` draws it anew."""
    shown = sheet().plain.split()
    assert "Envelope" in shown
    assert words_of(text_of(picture.FILE)) == [*["symkripke", "sheet", "game.jsonl"], *shown]
    assert "url(" not in text_of(picture.FILE).replace("url(#", "")


def test_the_reference_is_built_without_warnings(tmp_path: Path) -> None:
    """By the command of the front page; every public name is in it."""
    assert "`pip install -e '.[docs]' && python -m docs`" in text_of(ROOT / "README.md")
    pytest.importorskip("pdoc", reason="the extra `docs` is not installed")
    command = [sys.executable, "-W", "error", "-m", "docs", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "index.html" in done.stdout
    for home in (symkripke, symkripke.language, symkripke.model, symkripke.engines, symkripke.play):
        page = text_of(tmp_path / f"{home.__name__.replace('.', '/')}.html")
        for name in home.__all__:
            assert f'id="{name}"' in page, f"{home.__name__}.{name}"


def test_the_citation_is_of_this_version() -> None:
    version = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["version"]
    cited = text_of(ROOT / "CITATION.cff")
    assert cited.count(f"version: {version}\n") == 2
    (holder,) = re.findall(r"Copyright \(c\) (\d+) (.+)", text_of(ROOT / "LICENSE"))
    assert f"  year: {holder[0]}\n" in cited
    assert cited.count(f"- name: {holder[1]}\n") == 2
    (released,) = re.findall(r"\ndate-released: (.+)", cited)
    assert f"\n## {version} ({released})\n" in text_of(ROOT / "CHANGELOG.md")


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
