"""Regression tests for inputs that once caused a traceback or a misleading message."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import pytest

from symkripke.errors import RuleError
from tests.cli.support import run


@pytest.mark.parametrize("law", ["exactly(85; p(i) for i in 1..171)", "true"])
def test_more_interchangeable_fluents_than_float_factorials_allow(law: str, tmp_path: Path) -> None:
    file = tmp_path / "alike.skp"
    text = f"agents a\nfluent p(i) for i in 1..171\nlaw {law}\nwhere? p(1)\n"
    file.write_text(text, encoding="utf-8")
    result = run("check", str(file), "--json")
    told = json.loads(result.stdout)
    worlds = told["start"]["worlds"]
    share = 85 / 171 if law != "true" else 1 / 2
    assert told["steps"][0]["worlds"] == pytest.approx(worlds * share)
    assert worlds == (2**171 if law == "true" else comb(171, 85))


def test_a_name_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that fits is accepted, even if the temporary file would need a longer one."""
    monkeypatch.chdir(tmp_path)
    game = ("play", "cluedo", "--rules", "study", "--seed", "1", "--brief", "--log")
    fits = f"{'a' * 244}.jsonl"
    run(*game, fits)
    assert [path.name for path in tmp_path.iterdir()] == [fits]
    result = run(*game, f"{'a' * 251}.jsonl", code=1)
    assert "File name too long" in result.stderr
    assert "Turn" not in result.stdout  # so that it fails before the game
    assert max(map(len, result.stderr.splitlines())) < 200


def test_a_guess_is_not_certain() -> None:
    """The last line shows the winner's knowledge before the accusation, not after it."""
    study = ("play", "cluedo", "--rules", "study", "--players", "2", "--size", "3/2/2", "--brief")
    for mind, end in (("-guesser:0.3", "with 2 solutions left.\n"), ("", "certain.\n")):
        shown = run(*study, "--minds", f"higher-order{mind}", "--seed", "1").stdout
        assert shown.endswith(end)


ESCAPE = "\x1b]0;owned\x07\x1b[31m\u202e"


def test_escapes_in_files_do_not_reach_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "escapes.skp"
    text = f'agents a\nfluent p\nlaw "{ESCAPE}why": p\nsay "{ESCAPE}said"\nvalid? K[a] p\n'
    for last in ("", f"true? {ESCAPE}\n"):
        file.write_text(text + last, encoding="utf-8")
        result = run("check", file, "--why", code=int(bool(last)))
        printed = result.stdout + result.stderr
        assert not any(sign in printed for sign in ESCAPE if not sign.isprintable())


def test_long_values_are_cut_in_messages(tmp_path: Path) -> None:
    long = "x" * 5_000
    file = tmp_path / "edition.toml"
    for text in (f'suspects = "{long}"', f"suspects = [{', '.join(['12345'] * 3_000)}]"):
        file.write_text(text, encoding="utf-8")
        result = run("play", "cluedo", "--edition", file, code=1)
        assert 10 < len(result.stderr) < 1_300
    assert len(str(RuleError(f"expected this, got {long!r} and {long!r} here"))) < 500
    assert str(RuleError("short 'a' and 'b'")) == "short 'a' and 'b'"
