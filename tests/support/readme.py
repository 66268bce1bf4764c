"""The examples of the README pages; `python -m tests.support.readme` updates their output."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from click.testing import CliRunner

from symkripke.cli import group

ROOT = Path(__file__).parent.parent.parent
PAGES = (
    ROOT / "README.md",
    *sorted((ROOT / "symkripke").rglob("*.md")),
    *sorted((ROOT / "encodings").rglob("*.md")),
)
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)

# A file that the examples of a page use: "```text muddy.skp", and its lines.
_FILE = re.compile(r"```\w+ ([\w.]+)\n(.*?)```", re.DOTALL)

# How many of the first and last lines of the output are shown.
_SHOWN = {
    "symkripke play sleuth": (20, 14),
    "symkripke play cluedo --players 6 --seed 7 --log": (9, 9),
    "symkripke play perudo": (12, 6),
    "symkripke play kwartet": (16, 8),
    "symkripke play old_maid": (14, 12),
    "symkripke play": (12, 30),
}


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield each `$ command` in the console blocks, with the output printed below it."""
    for block in _BLOCK.findall(text):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            yield command, output


def files(text: str) -> dict[str, str]:
    """Return the files that the examples of a page use, by name."""
    return dict(_FILE.findall(text))


def rows(text: str) -> Iterator[tuple[bool, str, list[str]]]:
    """Yield the rows of tables of commands: whether it is slow, the command, and its results."""
    for line in re.findall(r"^\| .*symkripke .* \|$", text, re.MULTILINE):
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        command = re.fullmatch(r"(slow: )?`(symkripke .*)`", cells[2])
        assert command, line
        yield bool(command[1]), command[2], re.findall(r"`([^`]*)`", cells[3])


def printed(command: str, typed: Sequence[str] = ()) -> str:
    """Return the output of a command line, with trailing blanks removed from lines.

    Input lines appear at the place where they are read, after "> ".
    """
    words = shlex.split(command)
    assert words[0] == "symkripke"
    lines = "".join(f"{line}\n" for line in typed)
    runner = CliRunner(echo_stdin=True)
    result = runner.invoke(group, words[1:], input=lines, catch_exceptions=False)
    # A log diagnosed on a page is contradictory, so the command fails.
    assert result.exit_code == (1 if words[1] == "diagnose" else 0), result.output
    left = list(typed)
    shown = []
    for line in result.stdout.splitlines():
        is_typed = bool(left) and line == left[0]
        shown.append(f"> {left.pop(0)}".rstrip() if is_typed else line.rstrip())
    assert not left, f"these were not read: {left}"
    return "".join(f"{line}\n" for line in shown)


def typed_in(output: str) -> tuple[str, ...]:
    """Return the input lines of an example."""
    return tuple(line[1:].strip() for line in output.splitlines() if re.match(r">( |$)", line))


def shortened(command: str, output: str) -> str:
    """Return the output as the README shows it, with `...` for omitted lines."""
    for start, (first, last) in _SHOWN.items():
        if command.startswith(start) and "--human" not in command:
            lines = output.splitlines(keepends=True)
            return "".join([*lines[:first], "...\n", *lines[-last:]])
    return output


def rewritten(text: str) -> str:
    """Return a page with the current output of every example."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        for name, content in files(text).items():
            Path(name).write_text(content, encoding="utf-8")
        try:
            now = {
                command: shortened(command, printed(command, typed_in(output)))
                for command, output in examples(text)
            }
        finally:
            os.chdir(before)
    return _BLOCK.sub(
        lambda block: (
            "```console\n"
            + "".join(f"$ {command}\n{now[command]}" for command, _ in examples(block[0]))
            + "```"
        ),
        text,
    )


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
