"""The README pages: their examples print what the pages show."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import symkripke
import symkripke.engines
import symkripke.language
import symkripke.model
import symkripke.play
from symkripke.play import Record
from tests.support.readme import PAGES, ROOT, examples, files, printed, rewritten, rows

GAMES = ROOT / "encodings" / "symkripke_games"


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_console_examples(page: Path) -> None:
    """After an intended change, `python -m tests.support.readme` updates the output."""
    text = page.read_text(encoding="utf-8")
    assert rewritten(text) == text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_python_examples(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried == text_of(page).count("\n>>> ")
    assert failed == 0


def test_links_have_targets() -> None:
    """They lead to files, and to headings of the same page or of another one."""
    for page in PAGES:
        for target, heading in re.findall(r"\]\(([\w./-]*\.\w+)?(#[\w-]+)?\)", text_of(page)):
            file = page.parent / target if target else page
            assert file.exists(), f"{named(page)}: {target}"
            assert not heading or heading in headings(file), f"{named(page)}: {target}{heading}"


def headings(page: Path) -> set[str]:
    """Return the headings of a page in the form that links use."""
    found = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {
        "#" + re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in found
    }


def text_of(page: Path) -> str:
    """Return the text of the page."""
    return page.read_text(encoding="utf-8")


def test_the_front_page_is_short() -> None:
    """Continuous integration runs its first two commands."""
    text = text_of(ROOT / "README.md")
    assert text.count("\n") <= 200
    first, second = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert "symkripke play cluedo" in first
    assert "pytest" in second


def test_the_reference_is_built_without_warnings(tmp_path: Path) -> None:
    """The front page gives the command, and the reference contains every public name."""
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


PROJECTS = (GAMES / "PROJECTS.md").read_text(encoding="utf-8").split("\n## ")[1:]


@pytest.mark.parametrize("game", PROJECTS, ids=lambda text: text.partition("\n")[0])
def test_commands_for_the_statements_of_the_projects(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands print lines that begin with the results; slow ones exist."""
    monkeypatch.chdir(tmp_path)
    for name, content in files(game).items():
        Path(name).write_text(content, encoding="utf-8")
    for command in "".join(re.findall(r"```sh\n(.*?)```", game, re.DOTALL)).splitlines():
        printed(command)
    outputs: dict[str, list[str]] = {}
    for slow, command, results in rows(game):
        if slow:
            shown = command.replace(" run ", " show ")
            printed(command + " --help" if shown == command else shown)
        elif command not in outputs:
            outputs[command] = [" ".join(line.split()) for line in printed(command).splitlines()]
        for result in results:
            begins = re.compile(re.escape(result) + r"(?!\w)")
            assert any(map(begins.match, outputs[command])), f"{result}: {command}"


# A question that the page of a game answers for a player at the real table: turn, question, answer.
ASKED = {
    "cluedo": (
        (3, "K[plum] holds(white, study)", True),
        (1, "K[plum] holds(white, study)", False),
        (1, "K[plum] (holds(white, green) | holds(white, study))", True),
    ),
    "kwartet": (
        (3, "K[ann] C[*] holds(bob, proud_rooster)", True),
        (3, "K[ann] C[*] holds(ann, smelly_goat)", True),
        (2, "K[ann] (M[bob] holds(cath, smelly_goat) & ~holds(cath, smelly_goat))", True),
    ),
    "old_maid": (
        (3, "Kw[bob] holds(ann, ace) & Kw[bob] holds(cath, queen)", True),
        (1, "K[bob] holds(cath, queen)", True),
        (2, "Kw[bob] holds(ann, ace)", False),
    ),
    "perudo": (
        (4, "K[ann] eA(ann, 2, 6)", True),
        (2, "B[ann] has(bob, 1, 4) & ~K[ann] has(bob, 1, 4)", True),
        (3, "K[ann] has(bob, 3, 4)", True),
    ),
    "sleuth": ((3, "K[bob] K[ann] holds(eve, rdc)", True), (1, "K[bob] holds(eve, rdc)", False)),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_game_at_a_real_table(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's statements about its events are true."""
    monkeypatch.chdir(tmp_path)
    commands = [command for command, _ in examples(text_of(GAMES / name / "README.md"))]
    (begun,) = [command for command in commands if command.startswith("symkripke begin")]
    typed = [command for command in commands if command.startswith("symkripke note")]
    for command in (begun, *typed):
        printed(command)
    moment = Record.read(shlex.split(begun)[3]).replay()
    assert moment.turn == ASKED[name][0][0]
    for turn, question, answer in ASKED[name]:
        assert bool(moment.at(turn).ask(question)) is answer, question
