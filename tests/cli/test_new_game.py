"""`symkripke new-game`: what it writes can be played, and keeps the contracts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.errors import InputError
from symkripke.play.new_game import new_game


def test_a_new_game_is_played_and_keeps_the_contracts(tmp_path: Path) -> None:
    run = CliRunner().invoke(group, ["new-game", "lost_key", "--into", str(tmp_path)])
    assert run.exit_code == 0, run.output
    folder, site = tmp_path / "lost_key", tmp_path / "site"
    text = "\n".join(path.read_text() for path in folder.rglob("*.*") if path.is_file())
    assert "skeleton" not in text.casefold()
    pip = ["-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    _python(*pip, "--target", str(site), str(folder))
    paths = [str(site), os.environ.get("PYTHONPATH", "")]
    installed = {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    told = _python("-m", "symkripke", "play", "lost_key", "--seed", "2", **installed)
    assert "Lost key, classic rules" in told
    assert re.search(r"(\w+) \(knower\) wins in turn \d+: \1 has found the hidden card\.", told)
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    assert "passed" in _python(*tests, str(folder / "tests"), **installed)


def _python(*arguments: str, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Lost key", "expected a name of small letters"),
        ("class", "no word of Python"),
        ("cluedo", "there is a game 'cluedo' already"),
        ("json", "there is a Python module 'json' already"),
        ("here", "exists already"),
    ],
)
def test_wrong_names(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "here").mkdir()
    with pytest.raises(InputError, match=problem):
        new_game(name, tmp_path)
    run = CliRunner().invoke(group, ["new-game", name, "--into", str(tmp_path)])
    assert run.exit_code != 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here"]
    assert not list((tmp_path / "here").iterdir())


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a folder in which lost_key is made"):
        new_game("lost_key", tmp_path / "nowhere")
    assert not list(tmp_path.iterdir())
