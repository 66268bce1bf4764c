"""Decoding of JSON and TOML, with errors in the terms of the file, not of the decoder.

All external data is decoded here, because decoders raise errors of many kinds and accept values
that are nested more deeply than Python's stack.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from symkripke.errors import LogError, UnknownName, long_number
from symkripke.limits import repeated

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "nothing (null)",
    "array": "a list",
    "object": "an object with names",
}

_DEEPEST = 100
"""The maximum depth of nested lists and tables in values without a typed record."""

_MANY_DOTS = re.compile(rf"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){{{_DEEPEST}}}")
"""The pattern of a dotted name with `_DEEPEST` parts."""

_MANY_DIGITS = re.compile(r"\b0[xob][\da-fA-F_]{1000}")
"""The pattern of a hexadecimal, octal or binary number that is too long to print."""

_TOO_DEEP = "this is nested too deeply"


class WrongValue(ValueError):
    """A value that does not fit its typed record.

    Attributes:
        path: the path to the value: names of entries, and indices of lists. It ends with the name
            of an unknown or missing entry.
        expected: the expected value, in words; for a wrong entry name, "unknown" or "required".
    """

    def __init__(self, path: tuple[str | int, ...], expected: str) -> None:
        """Store the path to the value."""
        super().__init__(f"{path}: {expected}")
        self.path = path
        self.expected = expected


class CutOff(LogError):
    """A JSON text that ends too early, as after a crash."""


def from_json(text: str | bytes, kind: Any, where: str, *, unique: bool = False) -> Any:
    """Decode JSON text to a value of `kind`; error messages begin with `where`.

    With `unique`, a repeated key is an error; otherwise its last value is used.

    Raises:
        LogError: the text is not JSON, or a value has another kind.
    """
    try:
        found = msgspec.json.decode(text, type=kind)
        if unique:
            _check_keys(text, where)
    except msgspec.ValidationError as error:
        raise LogError(f"{where}: {_in_words(str(error), kind)}") from None
    except LogError:
        raise
    except RecursionError:
        raise LogError(f"{where}: {_TOO_DEEP}") from None
    except ValueError as error:  # including msgspec's errors and lone surrogates
        fault = CutOff if "truncated" in str(error) else LogError
        raise fault(f"{where}: this is not JSON, or it is cut off ({error})") from None
    if _is_deep(found):
        raise LogError(f"{where}: {_TOO_DEEP}")
    return found


def from_toml(text: str) -> dict[str, Any]:
    """Return the entries of a TOML text; raise `ValueError` if it is invalid."""
    import tomllib  # for files only

    if too_long := long_number(text):
        raise ValueError("{} (at line {}, column {})".format(*too_long))
    if _MANY_DOTS.search(text):  # tomllib would read it without recursion, using much memory
        raise ValueError(_TOO_DEEP)
    if _MANY_DIGITS.search(text):
        raise ValueError("a whole number has more than 1,000 digits")
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if _is_deep(found):  # a key with many dots is read without recursion
        raise ValueError(_TOO_DEEP)
    return found


def from_values(values: Any, kind: Any) -> Any:
    """Convert plain values, such as those of a TOML text, to a value of `kind`.

    Raises:
        WrongValue: a value has another kind.
    """
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        # The error has no fields, only its message: https://github.com/msgspec/msgspec/issues/264
        said, _, place = str(error).partition(" - at ")
        path = [int(part) if part.isdigit() else part for part in re.findall(r"[\w-]+", place)]
        if entry := re.fullmatch(r"Object (contains unknown|missing required) field `(.*)`", said):
            raise WrongValue((*path, entry[2]), entry[1].split()[-1]) from None
        said = said.partition(", got ")[0].replace(" | null", "").replace("`object`", "a table")
        said = said.replace(" of length >= 1", " that is not empty")
        said = said.replace(">=", "of at least").replace("<=", "of at most")
        said = re.sub(r"`([^`]*)`", lambda part: _kinds(part[1]), said)
        raise WrongValue(tuple(path), said.removeprefix("Expected ")) from None


def _is_deep(value: Any) -> bool:
    """Return whether lists and dicts are nested too deeply to print or compare them."""
    level = [value]
    for _ in range(_DEEPEST):
        inner = [each for each in level if isinstance(each, list | dict)]
        level = [part for each in inner for part in (each.values() if type(each) is dict else each)]
        if not level:
            return False
    return True


def _check_keys(text: str | bytes, where: str) -> None:
    """Raise `LogError` if a key occurs twice."""
    import json  # msgspec accepts repeated keys

    def check(pairs: list[tuple[str, Any]]) -> None:
        twice = repeated(key for key, _ in pairs)
        if twice is not None:
            raise LogError(f"{where}: the key {twice!r} is given twice")

    json.loads(text, object_pairs_hook=check)


def _in_words(message: str, kind: Any) -> str:
    """Rewrite the decoder's message, such as "Expected `int`, got `str` - at `$.left[...]`"."""
    said, _, place = message.partition(" - at ")
    place = place.strip("`").removeprefix("$").removeprefix(".").replace("[...]", "")
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", said):
        if place:  # nested: the names of the outer record would mislead
            return f"unknown name {found[1]!r} in {place}"
        return str(UnknownName("name in the entry", found[1], _fields(kind)))
    if found := re.fullmatch(r"Object missing required field `(.*)`", said):
        return f"{found[1]} is missing"
    if found := re.fullmatch(r"Invalid value '(.*)'", said):
        tags = [str(struct.__struct_config__.tag) for struct in _structs(kind)]
        return str(UnknownName(place or "value", found[1], tags if place == "type" else ()))
    said = re.sub(r"`([^`]*)`", lambda part: _kinds(part[1]), said)
    said = f"{said[:1].lower()}{said[1:]}"
    return f"{place}: {said}" if place else said


def _kinds(names: str) -> str:
    """Return a type of JSON in words: "int | null" is "a whole number or nothing (null)"."""
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))


def _structs(kind: Any) -> tuple[Any, ...]:
    found = getattr(kind, "__args__", (kind,))
    return tuple(struct for struct in found if hasattr(struct, "__struct_fields__"))


def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(name for struct in _structs(kind) for name in struct.__struct_fields__)
