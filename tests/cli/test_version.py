"""`symkripke --version`: the version, and in a checkout the commit."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from symkripke.cli import group

CHECKOUT = Path(__file__).parent.parent.parent / ".git"


def test_the_version_names_the_commit_of_a_checkout() -> None:
    commit = r" \(commit [0-9a-f]{7,}\)" if CHECKOUT.exists() else ""
    printed = CliRunner().invoke(group, ["--version"]).output
    assert re.fullmatch(rf"symkripke {re.escape(version('symkripke'))}{commit}\n", printed)


def test_the_version_needs_no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    printed = CliRunner().invoke(group, ["--version"]).output
    assert printed == f"symkripke {version('symkripke')}\n"
