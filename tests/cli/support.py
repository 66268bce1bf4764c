"""Helpers to run the program: in this process, unless a test needs a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from symkripke.cli import group

SMALL: dict[str, tuple[str, ...]] = {
    "cluedo": ("--players", "3", "--size", "3/3/4"),
    "hanabi": ("--players", "3", "--set", "colours=2", "--set", "ranks=2", "--set", "hand=1"),
    "kwartet": ("--players", "3", "--set", "groups=3"),
    "old_maid": ("--rules", "study", "--players", "3", "--set", "ranks=6"),
    "perudo": ("--players", "3", "--set", "dice=1"),
    "sleuth": ("--players", "3", "--size", "3/3/2"),
}
"""Options that make a game of each kind short."""

SEAT = (
    *("--rules", "classic", "--names", "ann,bob,cath,dan", "--player", "cath"),
    *("--holds", "rope,white,plum,study"),
)
"""Options that begin the log of a real table of Cluedo."""


def run(*arguments: object, typed: str = "", code: int | None = 0, **environment: str) -> Result:
    """Run the program, and check its exit code unless `code` is None."""
    result = CliRunner().invoke(group, [*map(str, arguments)], input=typed, env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert code is None or result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def run_apart(*arguments: object, typed: str = "", **environment: str) -> tuple[int, str, str]:
    """Run the program in a separate process; return exit code, output and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "symkripke", *map(str, arguments)],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def lines(typed: Sequence[str]) -> str:
    """Return the input text, with a line break after each line."""
    return "".join(f"{line}\n" for line in typed)


def unmet(output: str, says: Sequence[str | None]) -> list[str]:
    """Return the expected parts that are missing, and the unexpected parts (after None) present."""
    behind = says.index(None) if None in says else len(says)
    wanted, unwanted = filter(None, says[:behind]), filter(None, says[behind:])
    lacking = [part for part in wanted if part not in output]
    return lacking + [f"not {part}" for part in unwanted if part in output]


def begun(folder: Path) -> Path:
    """Begin the log of a real table of Cluedo without events, and return its path."""
    log = folder / "table.jsonl"
    run("begin", "cluedo", log, *SEAT)
    return log
