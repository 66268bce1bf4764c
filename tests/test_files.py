"""Files are written whole or not at all, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from symkripke.files import renamed, sweep, write_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no file is removed there")

_WRITER = """
import sys
from symkripke.files import renamed
with renamed(sys.argv[1]) as aside:
    aside.write_text("half")
    print("writing", flush=True)
    sys.stdin.read()
"""


def test_only_remains_of_killed_writers_are_removed(tmp_path: Path) -> None:
    target, other = tmp_path / "game.jsonl", tmp_path / "other.jsonl"
    mine = tmp_path / ".game.jsonl.notes"
    mine.write_text("a file of somebody else", encoding="utf-8")
    for path in (target, other):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            os.kill(writer.pid, signal.SIGKILL)
    assert len(list(tmp_path.iterdir())) == 3
    with renamed(target) as living:
        living.write_text("first", encoding="utf-8")
        write_whole(target, "second")
        sweep(tmp_path)
        assert set(tmp_path.iterdir()) == {mine, target, living}
    assert set(tmp_path.iterdir()) == {mine, target}
    assert target.read_text(encoding="utf-8") == "first"
