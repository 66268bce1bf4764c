"""Commands with a closed standard stream, as with `>&-` in a shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# If the stream stayed closed, the files that these commands write would get its number.
COMMANDS = {
    "play": "play cluedo --rules study --seed 1 --log new",
    "begin": "begin perudo new --set dice=1 --player ann --holds 5",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_closed_stream_acts_like_the_null_device(name: str, tmp_path: Path) -> None:
    def run(end: str) -> tuple[int, str, str, bytes]:
        done = subprocess.run(
            ["sh", "-c", f"exec {sys.executable} -m symkripke {COMMANDS[name]} --force {end}"],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout, done.stderr, (tmp_path / "new").read_bytes()

    code, out, errors, written = run("")
    assert code == 0, errors
    assert out or errors
    assert run("<&-") == (code, out, errors, written)
    assert run(">&-") == (code, "", errors, written)
    assert run("2>&-") == (code, out, "", written)
