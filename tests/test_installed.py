"""Entry points and packaged files, compared with `importlib.metadata` and `importlib.resources`."""

from __future__ import annotations

import sys
import zipfile
from importlib import metadata, resources
from pathlib import Path

import pytest

from symkripke.installed import EntryPoint, entry_points, packaged_text

GROUPS = ("symkripke.games", "symkripke.puzzles", "console_scripts", "pytest11", "nothing.at.all")

POINTS = """
# What is not of the group comes before and after.
[other]
one = nowhere:ONE
[symkripke.games]
 beta = json
alpha=json : JSONDecoder.decode
; = x
gamma = json:loads [fast]
[last]
"""


def installed(folder: Path, name: str, points: str = POINTS) -> None:
    place = folder / name
    place.mkdir(parents=True)
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: Some.Thing\nVersion: 1\n")
    (place / "entry_points.txt").write_text(points)


def by_library(group: str) -> list[tuple[str, str, str]]:
    found = sorted(metadata.entry_points(group=group), key=lambda entry: entry.name)
    return [(e.name, e.value, e.dist.name if e.dist else "") for e in found]


@pytest.mark.parametrize("group", GROUPS)
def test_installed_entry_points(group: str) -> None:
    assert [tuple(entry) for entry in entry_points(group)] == by_library(group)


def test_entry_points_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are blanks, comments and sections; of two packages with one name, the first counts."""
    installed(tmp_path / "a", "some_thing-1.0.dist-info")
    installed(tmp_path / "b", "some.thing-2.0.dist-info", "[symkripke.games]\nsecond = json\n")
    installed(tmp_path / "c", "third.egg-info", "[symkripke.games]\nthird = json\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / name) for name in ("no", "a", "b", "c")])
    found = entry_points("symkripke.games")
    assert [tuple(entry) for entry in found] == by_library("symkripke.games")
    assert [entry.name for entry in found] == [";", "alpha", "beta", "gamma", "third"]
    loaded = {entry.name: entry.load for entry in found if entry.name != ";"}
    expected = {e.name: e.load for e in metadata.entry_points(group="symkripke.games")}
    for name, load in loaded.items():
        assert load() is expected[name]()


def test_an_archive_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("zipped-1.dist-info/METADATA", "Name: zipped\n")
        packed.writestr("zipped-1.dist-info/entry_points.txt", "[g]\nx = zipped_package:X\n")
        packed.writestr("zipped_package/__init__.py", "X = 3\n")
        packed.writestr("zipped_package/some.txt", "r\u00e9sum\u00e9\n")
    monkeypatch.syspath_prepend(archive)
    assert entry_points("g") == [EntryPoint("x", "zipped_package:X", "zipped")]
    assert entry_points("g")[0].load() == 3
    assert packaged_text("zipped_package", "some.txt") == "r\u00e9sum\u00e9\n"


def test_a_packaged_text() -> None:
    name = "symkripke.language"
    expected = resources.files(name).joinpath("GRAMMAR.md").read_text(encoding="utf-8")
    assert packaged_text(name, "GRAMMAR.md") == expected
    with pytest.raises(OSError, match=r"none\.md"):
        packaged_text(name, "none.md")
