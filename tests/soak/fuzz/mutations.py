"""Mutations of texts: by character, word and line, and by value in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

ODD_TEXTS = (
    *(
        "",
        " ",
        "\0",
        "\x1b[31mred\x1b[0m",
        "\x1b]0;title\x07",
        "\u202e",
        "é",
        "\ufeff",
        "K",
        "true",
    ),
    *("a" * 300, "__class__", "../x", "*", "-", "#1", "%s", "{0}", "[bold]", "9" * 5_000),
)
ODD_NUMBERS = (0, 1, -1, 2, 3, 7, 255, 256, 1_001, 65_536, 10**6, 10**12, 10**30, -(10**9))
_SIGNS = "~&|<>-=!?()[]{},;:#*+/\\'\"\n\t 0123456789abKMPCxyz\0é\x1b"
_WORD = re.compile(r"\w+|[^\w\s]")


def edited(parts: list[str], chance: Random, others: Sequence[str]) -> list[str]:
    """Remove, replace or insert a few parts."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        place, kept = chance.randrange(len(parts) + 1), chance.randrange(2)
        parts[place : place + 1 - kept] = chance.choice(([], [chance.choice(others)]))
    return parts


def _characters(text: str, chance: Random) -> str:
    return "".join(edited(list(text), chance, _SIGNS))


def _words(text: str, chance: Random) -> str:
    """Replace words of the text by other words of it, or by odd texts."""
    words = list(_WORD.finditer(text))
    if not words:
        return chance.choice(ODD_TEXTS)
    for _ in range(chance.choice((1, 1, 2, 4))):
        old, new = chance.choice(words), chance.choice(words)[0]
        if chance.random() < 0.2:
            new = chance.choice((*ODD_TEXTS, *map(str, ODD_NUMBERS)))
        text = text[: old.start()] + new + text[old.end() :]
        words = list(_WORD.finditer(text)) or words
    return text


def _lines(text: str, chance: Random) -> str:
    lines = text.split("\n")
    others = [*lines, chance.choice(lines) * chance.choice((2, 3, 50))]
    return "\n".join(edited(lines, chance, others))


def _cut(text: str, chance: Random) -> str:
    """Remove or repeat a part."""
    first, second = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    second = min(second, first + 200)
    if chance.random() < 0.3:
        return text[:first]
    return text[:first] + text[first:second] * chance.choice((0, 0, 2, 3)) + text[second:]


def mutated(text: str, chance: Random) -> str:
    """Return the text with one to three faults, sometimes with none."""
    ways: tuple[Callable[[str, Random], str], ...] = (_characters, _words, _words, _lines, _cut)
    for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 2, 3))):
        text = chance.choice(ways)(text, chance)
        text = text[:200_000]
    return text


_DEPTH = 100_000


def broken(text: str, chance: Random) -> str:
    """Return the text with a fault that decoders report in their own words, or with none.

    Bytes that are not UTF-8 are halves of surrogate pairs, as `surrogateescape` decodes them.
    """
    lines = text.split("\n")
    place = chance.choice((0, 0, len(lines) - 1, chance.randrange(len(lines))))
    what = chance.randrange(6)
    if what == 0:  # very deep, also as an unfinished last line
        opening = chance.choice(("[", "{", '{"a":', "(", "~", "[p] ", "K[a] "))
        lines[place] = opening * chance.choice((300, _DEPTH))
        if chance.random() < 0.5:
            del lines[place + 1 :]
    elif what == 1:  # deep because of the dots in a key or name
        lines[place] = f"{'a.' * 20_000}a = 1"
    elif what == 2:
        lines[place] += chance.choice(("\udc80", "\udcff\udcfe", "\udced\udca0\udc80"))
    elif what == 3:
        numbers = list(re.finditer(r"\d+", text))
        if numbers:
            found = chance.choice(numbers)
            huge = chance.choice(("9" * 5_000, "9" * 400, "1e999", "-1", "0x" + "f" * 5_000))
            return text[: found.start()] + huge + text[found.end() :]
    else:  # one bit in one byte
        data = bytearray(text.encode("utf-8", "surrogateescape"))
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        return data.decode("utf-8", "surrogateescape")
    return "\n".join(lines)


# ---- values ----------------------------------------------------------------------------


def odd_value(chance: Random) -> Any:
    """Return a JSON value that is likely to be wrong in its place."""
    values: tuple[Any, ...] = (None, True, 1.5, [], {}, [[]], ["plum"], {"plum": "rope"})
    return chance.choice((*values, chance.choice(ODD_TEXTS), chance.choice(ODD_NUMBERS)))


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return each container inside the value, with each of its keys."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        whole = waiting.pop()
        keys = list(whole) if isinstance(whole, dict) else range(len(whole))
        for key in keys:
            found.append((whole, key))
            if isinstance(whole[key], (dict, list)):
                waiting.append(whole[key])
    return found


def mutated_json(line: str, chance: Random) -> str:
    """Change, remove or rename one value of the line; mutate text that is not JSON as text."""
    try:
        data = json.loads(line)
    except ValueError:
        return mutated(line, chance)
    places = _places(data) if isinstance(data, (dict, list)) else []
    if not places:
        return json.dumps(odd_value(chance))
    whole, key = chance.choice(places)
    other, other_key = chance.choice(places)
    what = chance.randrange(5)
    if what == 0:
        del whole[key]
    elif what == 1:
        whole[key] = odd_value(chance)
    elif what == 2 and isinstance(whole, dict):
        whole[chance.choice(ODD_TEXTS)] = whole.pop(key)
    elif what == 3 and isinstance(whole[key], int):
        whole[key] = whole[key] + chance.choice((-1, 1, 1, 100, 10**9))
    else:
        whole[key] = json.loads(json.dumps(other[other_key]))
    return json.dumps(data)


def mutated_log(text: str, chance: Random) -> str:
    """Change a value, a line or the text of a log."""
    if chance.random() < 0.25:
        return mutated(text, chance)
    lines = text.splitlines()
    for _ in range(chance.choice((1, 1, 2))):
        number = chance.randrange(len(lines))
        if chance.random() < 0.7:
            lines[number] = mutated_json(lines[number], chance)
        else:
            lines = edited(lines, chance, lines) or [""]
    return "\n".join(lines) + "\n"
