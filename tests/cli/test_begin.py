"""Logs of real tables, from the first line on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import SEAT, run


@pytest.mark.parametrize(
    "command",
    [
        ("begin", "cluedo", "FILE", *SEAT),
        ("play", "cluedo", "--players", "3", "--size", "2/2/3", "--seed", "1", "--log", "FILE"),
        ("convert", "tests/data/smcdel/muddy_children.smcdel.txt", "-o", "FILE"),
        ("draw", "three_hats", "-o", "FILE"),
        ("review", "LOG", "--brief", "--svg", "FILE"),
    ],
    ids=lambda words: words[0],
)
def test_files_are_replaced_only_with_force(
    command: tuple[str, ...], log: Path, tmp_path: Path
) -> None:
    """A replaced file also keeps its permissions."""
    file = tmp_path / "mine"
    file.write_text("notes of a year")
    file.chmod(0o600)
    words = [{"FILE": str(file), "LOG": str(log)}.get(word, word) for word in command]
    error = run(*words, code=1).stderr
    assert "already exists: choose another file, or replace it with --force" in error
    assert file.read_text() == "notes of a year"
    run(*words, "--force")
    assert file.read_text() != "notes of a year"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("wrong", [("--set", "foo=1"), ("--rules", "chess")])
def test_a_wrong_option_ends_a_piped_interview(wrong: tuple[str, ...], tmp_path: Path) -> None:
    """Regression test: the same error was once repeated endlessly."""
    done = run("table", tmp_path / "log", "--game", "cluedo", *wrong, typed="\n" * 9, code=1)
    assert done.stderr.count("Error: unknown") == 1


def test_back_asks_for_the_edition_again(tmp_path: Path) -> None:
    typed = "classic\nus\nback\nquit\n"
    done = run("table", tmp_path / "log", "--game", "cluedo", typed=typed, code=None)
    assert done.stdout.count("Which edition?") == 2


def test_names_with_apostrophes_and_hyphens_are_typed_as_people_write_them(tmp_path: Path) -> None:
    log, told = tmp_path / "log", "--names=Ann,O'Brien,Jean-Luc,Dan"
    holds = "rope,white,plum,study,hall"
    run("begin", "cluedo", log, told, "--player", "o'brien", "--holds", holds)
    for apostrophe in ("'", "\u2019"):
        who = f"O{apostrophe}Brien"
        entry = f"Ann asks for dagger, mustard, lounge. {who} passes. Jean-Luc passes. Dan passes."
        assert "O'Brien passes. Jean-Luc passes." in run("note", log, entry).stdout
        assert "yes" in run("ask", log, f"K[{who.lower()}] ~holds(jean__luc, dagger)").stdout
        run("undo", log)
