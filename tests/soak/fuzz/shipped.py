"""The files that ship, and the examples of their pages: where mutations start."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent.parent
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


def _texts(folder: str, pattern: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).glob(pattern))]


def _blocks(kind: str, with_it: str) -> list[str]:
    """The blocks of that kind on the pages that have a certain text."""
    block = re.compile(rf"```{kind}[^\n]*\n(.*?)```", re.DOTALL)
    return [text for page in pages() for text in block.findall(page) if with_it in text]


@cache
def problems() -> tuple[str, ...]:
    """The puzzle files, the stories, and the problem files of the pages."""
    games = "encodings/symkripke_games"
    puzzles = [*_texts(f"{games}/puzzles", "*.skp"), *_texts(f"{games}/stories", "*.skp")]
    return (*puzzles, *_blocks("text", "agents"))


@cache
def smcdel() -> tuple[str, ...]:
    """The files in SMCDEL's format."""
    return tuple(_texts("tests/data/smcdel", "*.txt"))


@cache
def studies() -> tuple[str, ...]:
    """The studies that ship, and those of the pages."""
    found = _texts("encodings/symkripke_games/studies", "*.toml")
    return (*found, *_blocks("toml", "[[condition]]"))


@cache
def logs() -> tuple[str, ...]:
    """The golden logs that are not too long."""
    return tuple(t for t in _texts("tests/data/golden/logs", "*.jsonl") if len(t) <= _LONGEST)


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
    lines = "\n".join(_blocks("console", "$ symkripke ")).splitlines()
    shown = [line[2:] for line in lines if line.startswith("$ symkripke ")]
    return tuple(tuple(shlex.split(line)[1:]) for line in shown)
