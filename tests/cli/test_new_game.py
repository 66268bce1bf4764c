"""`symkripke new-game`: the generated game can be played, and meets the contracts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.cli.support import run


def test_a_new_game_can_be_played_and_meets_the_contracts(tmp_path: Path) -> None:
    run("new-game", "lost_key", "--into", tmp_path)
    assert "already exists" in run("new-game", "lost_key", "--into", tmp_path, code=1).stderr
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
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
