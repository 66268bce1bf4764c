"""`symkripke draw`, and `draw` at the prompt of `symkripke check -`."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from symkripke.play import Record
from tests.cli.support import run
from tests.drawing.reading import read
from tests.support.golden import log_file
from tests.support.readme import ROOT, examples

MUDDY = """\
agents ann, bob
fluent muddy(c) for c in {ann, bob}
law "the father said so": muddy(ann) | muddy(bob)
ann sees muddy(bob)
bob sees muddy(ann)
actual muddy(ann), muddy(bob)
announce ~Kw[ann] muddy(ann)
announce muddy(ann)
"""


@pytest.fixture
def muddy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("muddy.skp").write_text(MUDDY)
    return "muddy.skp"


def test_models_steps_and_stories(muddy: str) -> None:
    sizes = {
        (): [1],
        ("--at", "0"): [3],
        ("--step",): [2, 1],
        ("--at", "0", "--step"): [3, 2],
        ("--story",): [3, 2, 1],
        ("--story", "--at", "1"): [3, 2],
    }
    for options, wanted in sizes.items():
        done = run("draw", muddy, *options)
        assert [len(panel.worlds) for panel in read(done.stdout).panels] == wanted


def test_files(muddy: str) -> None:
    assert run("draw", muddy, "-o", "a.svg").output == ""
    assert Path("a.svg").read_text().startswith("<svg")
    run("draw", muddy, "-o", "a.html")
    assert Path("a.html").read_text().startswith("<!DOCTYPE html>")
    assert run("draw", muddy, "--format", "html").stdout.startswith("<!DOCTYPE html>")


def test_options_reach_the_picture(muddy: str) -> None:
    options = ("--at", "0", "--agents", "bob", "--grey", "muddy(bob)", "--fluents", "muddy(bob)")
    panel = read(run("draw", muddy, *options).stdout).panels[0]
    assert {cell.agents for cell in panel.cells} == {("bob",)}
    assert {world.values for world in panel.worlds.values() if "true" in world.marks} == {
        (("muddy(bob)", "true"),)
    }
    panel = read(run("draw", muddy, "--at", "0", "--player", "Ann").stdout).panels[0]
    assert sum("seen" in world.marks for world in panel.worlds.values()) == 2
    panel = read(run("draw", muddy, "--at", "0", "--near", "1").stdout).panels[0]
    assert len(panel.worlds) == 3
    panel = read(run("draw", muddy, "--at", "0", "--why", "K[ann] muddy(ann)").stdout).panels[0]
    assert panel.steps == [(("ann",), "w1", "w2")]


# A log, and titles that its labels and its key show in place of ids.
TITLES = {
    "cluedo-classic-6": ("Green", "White: Kitchen"),
    "perudo-study": ("Bob", "Bob: die 1 = 2"),
    "sleuth-classic-3": ("Ann", "Bob: Blue Opal Pair (BOP)"),
}


@pytest.mark.parametrize("log", TITLES)
def test_pictures_of_games_have_titles(log: str) -> None:
    done = run("draw", str(log_file(log)), "--at", "3", "--near", "1")
    texts = re.findall(r">([^<>\n]+)<", done.stdout)
    for title in TITLES[log]:
        assert any(title in text for text in texts)
    moment = Record.read(log_file(log)).replay()
    ids = {*moment.structure.agents, *moment.layout.columns}
    assert not [text for text in texts if ids & set(re.findall(r"[a-z_]+", text))]
    done = run("draw", str(log_file(log)), "--at", "3", "--step", "--near", "1", "--json")
    pictures = json.loads(done.stdout)["pictures"]
    assert [picture["heading"] for picture in pictures] == ["after turn 3", "after turn 4"]
    assert pictures[0]["agents"] == list(moment.structure.agents)


def test_a_file_without_events(muddy: str) -> None:
    Path("quiet.skp").write_text("agents a\nfluent p\n")
    assert "nothing happens in quiet.skp" in run("draw", "quiet.skp", "--step", code=1).output


def test_parts_of_large_models_can_be_drawn(log: Path) -> None:
    large = run("draw", log, "--at", "0", code=3).output
    assert "options for large models: --near DEPTH, --why FORMULA" in large


def test_at_the_prompt(muddy: str) -> None:
    typed = (
        "draw x.svg\n"
        + MUDDY.partition("announce")[0]
        + "draw first.svg\ndraw step first.svg\n"
        + "".join(MUDDY.partition("announce")[1:])
        + "draw now.svg\ndraw step step.svg\ndraw story story.html\nundo\ndraw now.svg\n"
        "draw muddy.skp\ndraw a b\ndraw\n"
    )
    done = run("check", "-", typed=typed, code=1)
    assert "there is no model yet" in done.stderr
    assert "nothing has happened yet" in done.stderr
    assert len(read(Path("first.svg").read_text()).panels[0].worlds) == 3
    assert "drawn in now.svg" in done.output
    assert "muddy.skp already exists" in done.stderr
    assert done.stderr.count("expected draw FILE, draw step FILE or draw story FILE") == 2
    assert len(read(Path("step.svg").read_text()).panels) == 2
    assert Path("story.html").read_text().count('class="panel"') == 3
    # Files drawn in this session may be overwritten. After undo there is one more world.
    assert len(read(Path("now.svg").read_text()).panels[0].worlds) == 2


@pytest.mark.parametrize(
    ("page", "wanted"),
    [("README.md", 3), ("symkripke/problems/README.md", 1)],
)
def test_pictures_on_the_pages_are_up_to_date(
    page: str, wanted: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The committed files match the output of the commands on the pages."""
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = [command for command, _ in examples(text)]
    drawn = [command for command in commands if command.startswith("symkripke draw")]
    assert len(drawn) == wanted
    monkeypatch.chdir(tmp_path)
    if any("game.jsonl" in command for command in drawn):
        play = next(c for c in commands if c.startswith("symkripke play") and "game.jsonl" in c)
        run(*play.split()[1:])
    if "```text muddy.skp\n" in text:
        lines = text.partition("```text muddy.skp\n")[2].partition("```")[0]
        Path("muddy.skp").write_text(lines)
    for command in drawn:
        words = shlex.split(command)[1:]
        run(*words)
        name = words[words.index("-o") + 1]
        committed = ROOT / "docs" / "pictures" / name
        assert Path(name).read_text() == committed.read_text(), f"make {committed} anew: {command}"
        assert f"docs/pictures/{name}" in text
