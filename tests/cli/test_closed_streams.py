"""Each command with a standard stream that is closed, as `>&-` does in a shell."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from symkripke.cli import group

_NOTED = "'scarlett dagger ballroom; nobody'"

_COMMANDS = {
    "games": "games",
    "play": "play cluedo --rules study --seed 1 --log new.jsonl",
    "table": "table table.jsonl",
    "note": f"note table.jsonl {_NOTED}",
    "undo": "undo table.jsonl",
    "edit": f"edit table.jsonl 1 {_NOTED}",
    "list": "list table.jsonl",
    "begin": "begin perudo new.jsonl --set dice=1 --player ann --holds 5",
    "diagnose": "diagnose game.jsonl",
    "sheet": "sheet game.jsonl --player ann",
    "odds": "odds game.jsonl --player ann",
    "suggest": "suggest table.jsonl",
    "review": "review game.jsonl",
    "who": "who game.jsonl",
    "sample": "sample game.jsonl --player ann --seed 1",
    "ask": "ask game.jsonl true",
    "check": "check problem.skp",
    "puzzle": "puzzle muddy_children",
    "draw": "draw problem.skp",
    "convert": "convert problem.txt",
    "export": "export problem.skp p --format dimacs",
    "serve": "serve --help",
    "simulate": "simulate cluedo --rules study --games 1",
    "new-game": "new-game mine",
    "experiment": "experiment list",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "problem.skp").write_text("agents a\nfluent p\nactual p\ntrue? p\n", encoding="utf-8")
    (folder / "problem.txt").write_text("VARS 1\nLAW Top\nOBS a: 1\n", encoding="utf-8")
    setup = "--rules study --names ann,bob,cath --size 2/2/2"
    for command in (
        f"play cluedo {setup} --seed 1 --log game.jsonl",
        f"begin cluedo table.jsonl {setup} --player ann --holds candlestick",
        f"note table.jsonl {_NOTED}",
    ):
        assert _shell(command, "", folder).returncode == 0
    return folder


def _shell(command: str, end: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program in a shell, with `end` behind the command."""
    return subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m symkripke {command} {end}"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_command_is_tried() -> None:
    assert group.list_commands(click.Context(group)) == list(_COMMANDS)


@pytest.mark.parametrize("name", _COMMANDS)
def test_a_closed_stream_is_as_good_as_the_null_device(
    name: str, folder: Path, tmp_path: Path
) -> None:
    def run(end: str) -> tuple[int, str, str, dict[str, bytes]]:
        copy = shutil.copytree(folder, tmp_path / str(len(ends)))
        ends.append(end)
        done = _shell(_COMMANDS[name], end, copy)
        files = [file for file in copy.rglob("*") if file.is_file()]
        written = {str(file.relative_to(copy)): file.read_bytes() for file in files}
        # `simulate` says how long it took.
        out, errors = (re.sub(r"\d+\.\d+", "X", text) for text in (done.stdout, done.stderr))
        return done.returncode, out, errors, written

    ends: list[str] = []
    code, out, errors, written = run("")
    assert code == 0, errors
    assert out or errors
    assert run("<&-") == (code, out, errors, written)
    assert run(">&-") == (code, "", errors, written)
    assert run("2>&-") == (code, out, "", written)
