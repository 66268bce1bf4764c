"""Parsers that are kept in the user's cache: the same as new ones, whatever lies there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
    kept = folder / "formulas.parser"
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
