"""The files that ship, and the examples of their pages: where mutations start."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent.parent
_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
_BLOCK = re.compile(r"```text[^\n]*\n(.*?)```", re.DOTALL)

_STUDY = re.compile(r"```toml[^\n]*\n(.*?)```", re.DOTALL)

# Logs longer than this take seconds to replay: too few inputs a minute.
_LONGEST = 40_000

EDITIONS = {
    "cluedo": """title = "Office"
suspects = ["Ann", "Bob", "Cid", "Dan"]
weapons = ["Stapler", "Scissors"]
rooms = ["Kitchen", "Lift", "Roof"]
""",
    "sleuth": """colours = ["Red", "Blue", "Green"]
types = ["Diamond", "Opal"]
quantities = ["Single", "Pair"]
free = 2
""",
    "kwartet": """"Farm animals" = ["Smelly goat", "Cow", "Pig", "Hen"]
"Trees" = ["Oak", "Elm", "Ash", "Fir"]
"Birds" = ["Owl", "Tit", "Jay", "Kite"]
""",
}
"""An edition of one's own for each game that has editions."""


def _texts(folder: str, pattern: str) -> list[tuple[str, str]]:
    return [
        (path.name, path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / folder).glob(pattern))
    ]


@cache
def problems() -> tuple[str, ...]:
    """The puzzle files, the stories, and the problem files of the pages."""
    found = [
        text
        for folder in ("puzzles", "stories")
        for _, text in _texts(f"encodings/symkripke_games/{folder}", "*.skp")
    ]
    for page in pages():
        found += [block for block in _BLOCK.findall(page) if "agents" in block]
    return tuple(found)


@cache
def smcdel() -> tuple[str, ...]:
    """The files in SMCDEL's format."""
    return tuple(text for _, text in _texts("tests/data/smcdel", "*.txt"))


@cache
def studies() -> tuple[str, ...]:
    """The studies that ship, and those of the pages."""
    found = [text for _, text in _texts("encodings/symkripke_games/studies", "*.toml")]
    for page in pages():
        found += [block for block in _STUDY.findall(page) if "[[condition]]" in block]
    return tuple(found)


@cache
def logs() -> tuple[str, ...]:
    """The golden logs that are not too long."""
    found = _texts("tests/data/golden/logs", "*.jsonl")
    return tuple(text for _, text in found if len(text) <= _LONGEST)


@cache
def pages() -> tuple[str, ...]:
    """The pages that explain the program."""
    paths = [ROOT / "README.md"]
    for folder in ("symkripke", "encodings"):
        paths += sorted((ROOT / folder).rglob("README.md"))
    return tuple(path.read_text(encoding="utf-8") for path in paths)


@cache
def commands() -> tuple[tuple[str, ...], ...]:
    """The command lines of the pages, without the name of the program."""
    lines = [
        line[2:]
        for page in pages()
        for block in _CONSOLE.findall(page)
        for line in block.splitlines()
        if line.startswith("$ symkripke ")
    ]
    return tuple(tuple(shlex.split(line)[1:]) for line in lines)
