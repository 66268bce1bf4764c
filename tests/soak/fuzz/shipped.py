"""The files of the package, and the examples on its pages, from which mutations start."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent.parent
# Longer logs take seconds to replay, which leaves too few inputs per minute.
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
"""A custom edition for each game that supports them."""


def _texts(folder: str, pattern: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).glob(pattern))]


def _blocks(kind: str, with_it: str) -> list[str]:
    """Return the blocks of a kind that contain a text, on all pages."""
    block = re.compile(rf"```{kind}[^\n]*\n(.*?)```", re.DOTALL)
    return [text for page in pages() for text in block.findall(page) if with_it in text]


@cache
def problems() -> tuple[str, ...]:
    """Return the puzzle files, the stories, and the problem files on the pages."""
    games = "encodings/symkripke_games"
    puzzles = [*_texts(f"{games}/puzzles", "*.skp"), *_texts(f"{games}/stories", "*.skp")]
    return (*puzzles, *_blocks("text", "agents"))


@cache
def smcdel() -> tuple[str, ...]:
    """Return the files in SMCDEL's format."""
    return tuple(_texts("tests/data/smcdel", "*.txt"))


@cache
def studies() -> tuple[str, ...]:
    """Return the studies in the package and on the pages."""
    found = _texts("encodings/symkripke_games/studies", "*.toml")
    return (*found, *_blocks("toml", "[[condition]]"))


@cache
def logs() -> tuple[str, ...]:
    """Return the golden logs that are not too long."""
    return tuple(t for t in _texts("tests/data/golden/logs", "*.jsonl") if len(t) <= _LONGEST)


@cache
def pages() -> tuple[str, ...]:
    """Return the pages that explain the program."""
    paths = [ROOT / "README.md"]
    for folder in ("symkripke", "encodings"):
        paths += sorted((ROOT / folder).rglob("README.md"))
    return tuple(path.read_text(encoding="utf-8") for path in paths)


@cache
def commands() -> tuple[tuple[str, ...], ...]:
    """Return the command lines on the pages, without the program's name."""
    lines = "\n".join(_blocks("console", "$ symkripke ")).splitlines()
    shown = [line[2:] for line in lines if line.startswith("$ symkripke ")]
    return tuple(tuple(shlex.split(line)[1:]) for line in shown)
