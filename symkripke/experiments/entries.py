"""The lines of a TOML file, so that error messages can point at an entry.

The standard library's reader does not report lines of entries. This module searches the text for
the header of the table and the name of the entry.
"""

from __future__ import annotations

import re
from collections import Counter

from symkripke.errors import InputError, clipped

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]#]+?)\s*\]\]?\s*(#.*)?$")
_ENTRY = re.compile(r'\s*"?([\w-]+)"?\s*[.=]')

Path = tuple[str | int, ...]
"""The path to an entry: names, and indices of tables among those with the same header."""


class ExperimentError(InputError):
    """An error in an experiment's file, with the place, the expected and the actual value.

    Attributes:
        line: the line of the error, from 1.
    """

    def __init__(self, file: str, line: int, problem: str, text: str) -> None:
        """Compose the message from the place, the problem and the line itself."""
        self.line = line
        lines = text.splitlines()
        shown = f"\n  {clipped(lines[line - 1].rstrip())}" if 0 < line <= len(lines) else ""
        super().__init__(f"{file}, line {line}: {problem}{shown}")


def line_of(text: str, path: Path, value: object = "") -> int:
    """Return the line of an entry, or of the entry above it if it does not exist.

    Args:
        text: the text of the file.
        path: the path to the entry.
        value: the wrong value in the entry, if any: an entry can have several lines.
    """
    lines = _lines(text)
    ways = [path[:length] for length in range(len(path), 0, -1)]
    if path[:1] == ("condition",):  # entries above all conditions apply to each
        ways.insert(max(len(path) - 2, 0), path[2:3])
    first = next((lines[way] for way in ways if way in lines), 1)
    if value == "":
        return first
    whole = re.compile(rf"(?<![\w.]){re.escape(str(value))}(?![\w.])")
    for number, line in enumerate(text.splitlines()[first - 1 :], start=first):
        if number > first and (_HEADER.match(line) or _ENTRY.match(line)):
            break
        if whole.search(line):
            return number
    return first


def _lines(text: str) -> dict[Path, int]:
    """Return the line number of each header and entry."""
    line_numbers: dict[Path, int] = {}
    tables: Counter[str] = Counter()
    table: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            name, *inner = header[2].replace('"', "").replace(" ", "").split(".")
            tables[name] += header[1] == "[["
            table = (name, tables[name] - 1, *inner) if tables[name] else (name, *inner)
            line_numbers.setdefault((name,), number)
            line_numbers.setdefault(table, number)
        elif entry := _ENTRY.match(line):
            line_numbers.setdefault((*table, entry[1]), number)
    return line_numbers
