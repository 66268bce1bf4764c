"""JSON into typed records, with errors in the words of the file rather than of the decoder."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from symkripke.errors import LogError, UnknownName

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "nothing (null)",
    "array": "a list",
    "object": "an object with names",
}


def decode(text: str | bytes, kind: Any, where: str) -> Any:
    """JSON text as a value of `kind`; `where` opens the message of an error.

    Raises:
        LogError: the text is no JSON, or has a value of another kind.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise LogError(f"{where}: {_in_words(str(error), kind)}") from None
    except RecursionError:
        raise LogError(f"{where}: this is nested too deeply to be a log") from None
    except msgspec.DecodeError as error:
        raise LogError(f"{where}: this is not JSON, or it is cut off ({error})") from None


def _in_words(message: str, kind: Any) -> str:
    """The decoder's message: "Expected `int`, got `str` - at `$.count.left[...]`"."""
    said, _, place = message.partition(" - at ")
    place = place.strip("`").removeprefix("$").removeprefix(".").replace("[...]", "")
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", said):
        if place:  # within the record: its own names would mislead
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
    """Words for a type of JSON: "int | null" is "a whole number or nothing (null)"."""
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))


def _structs(kind: Any) -> tuple[Any, ...]:
    found = getattr(kind, "__args__", (kind,))
    return tuple(struct for struct in found if hasattr(struct, "__struct_fields__"))


def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(name for struct in _structs(kind) for name in struct.__struct_fields__)
