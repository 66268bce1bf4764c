"""Parsers that are kept in the user's cache: the same as new ones, whatever lies there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lark import Lark

from symkripke.language import grammars

GRAMMAR = ("symkripke.language", "grammar.lark")


def tree(text: str) -> str:
    """How a parser for formulas, new or kept, reads a text."""
    return grammars.parser("formulas", GRAMMAR, start=["start"]).parse(text).pretty()


def test_a_kept_parser_reads_as_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = "K[a] ~M[b] p(x) -> q & atleast(2; r, s, t = u)"
    new = tree(text)
    (kept,) = (tmp_path / "symkripke").iterdir()
    written = kept.read_bytes()
    assert tree(text) == new
    assert kept.read_bytes() == written
    # What is damaged, and what was kept of another grammar, is made anew.
    for damage in b"", b"nonsense", written[:-100], b"0" * 64 + written[64:]:
        kept.write_bytes(damage)
        assert tree(text) == new
        assert kept.read_bytes()[:64] == written[:64]  # what it is good for
        assert len(kept.read_bytes()) > 10_000


def test_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("no folder")
    assert "K" in tree("K[a] p")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: Path(tmp_path / "file"))
    assert "K" in tree("K[a] p")
    assert (tmp_path / "file").read_text() == "no folder"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a folder has no owner here")
def test_what_others_may_write_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "symkripke"
    folder.mkdir()
    folder.chmod(0o777)
    assert "K" in tree("K[a] p")
    assert not list(folder.iterdir())


def test_what_lies_in_the_way_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link is not followed, a pipe is not waited for."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "symkripke"
    folder.mkdir(mode=0o700)
    other = tmp_path / "other.txt"
    other.write_text("mine", encoding="utf-8")
    kept = folder / "formulas.tables.json"
    kept.symlink_to(other)
    assert "K" in tree("K[a] p")
    assert other.read_text(encoding="utf-8") == "mine"
    if hasattr(os, "mkfifo"):
        kept.unlink()
        os.mkfifo(kept)
        assert "K" in tree("K[a] p")
        assert kept.is_fifo()


def test_a_folder_whose_name_is_no_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", f"{tmp_path}/\udcff")
    assert "K" in tree("K[a] p")


def test_no_code_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle in the cache is not even looked at, also of the name that was used before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "symkripke"
    folder.mkdir(mode=0o700)
    ran = tmp_path / "ran"
    code = b"cos\nsystem\n(S'touch " + str(ran).encode() + b"'\ntR."
    new = tree("K[a] p")
    good = (folder / "formulas.tables.json").read_bytes()
    for name in "formulas.parser", "formulas.tables.json":
        for start in b"", good[:64], good[:128]:
            (folder / name).write_bytes(start + code)
            assert tree("K[a] p") == new
    assert not ran.exists()
    assert json.loads((folder / "formulas.tables.json").read_bytes()[128:])


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a file has no owner here")
def test_a_file_that_others_may_write_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tree("K[a] p")
    kept = tmp_path / "symkripke" / "formulas.tables.json"
    read: list[object] = []
    loaded = grammars._loaded

    def counted(kept: dict[str, Any], live: dict[str, Any]) -> Lark:
        read.append(kept)
        return loaded(kept, live)

    monkeypatch.setattr(grammars, "_loaded", counted)
    tree("K[a] p")
    assert len(read) == 1
    kept.chmod(0o666)
    tree("K[a] p")
    assert len(read) == 1
    assert kept.stat().st_mode & 0o777 == 0o666  # left alone


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a file has no owner here")
def test_a_file_of_another_owner_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    new = tree("K[a] p")
    owner, asked = os.getuid(), iter([os.getuid()])
    # The folder is ours, and then whatever lies in it is another's.
    monkeypatch.setattr(os, "getuid", lambda: next(asked, owner + 1))
    monkeypatch.setattr(grammars, "_loaded", lambda *data: pytest.fail("it was read"))
    assert tree("K[a] p") == new


def test_a_folder_that_is_a_link_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    (tmp_path / "symkripke").symlink_to(other)
    assert "K" in tree("K[a] p")
    assert not list(other.iterdir())


@pytest.mark.parametrize("names", [{"XDG_CACHE_HOME": "here"}, {"HOME": "here"}])
def test_a_relative_folder_is_not_used(
    names: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be another one in each working folder, which others may have prepared."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    assert "K" in tree("K[a] p")
    assert not list(tmp_path.iterdir())


def test_the_version_of_lark_is_known_without_it() -> None:
    program = (
        "import sys; from symkripke.language import grammars; found = grammars._version_of_lark();"
        "assert 'lark' not in sys.modules; import lark; assert found == lark.__version__"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
