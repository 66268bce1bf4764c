"""Errors about arguments of the wrong type, where they would be taken and fail much later."""

from __future__ import annotations

import re
from collections import abc
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from symkripke.errors import InputError, clipped

T = TypeVar("T")

_NAMES: Mapping[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    dict: "a dict",
}


def unexpected(wanted: str, given: object, where: str = "") -> InputError:
    """The error for something of a wrong type: "expected a formula, got the number 3"."""
    place = f"{where}: " if where else ""
    return InputError(f"{place}expected {wanted}, got {described(given)}")


def described(given: object) -> str:
    """A value in words, cut if it is long: "the number 3", "the text 'p'", "a scene"."""
    if given is None or isinstance(given, bool):
        return str(given)
    if isinstance(given, int | float):
        return f"the number {clipped(_shown(given))}"
    if isinstance(given, str):
        return f"the text {clipped(given)!r}"
    if isinstance(given, bytes | list | tuple | dict | set | frozenset):
        return f"{_with_article(type(given).__name__)}: {clipped(_shown(given))}"
    return _with_article(_spaced(type(given).__name__))


def checked(given: object, kind: type[T], wanted: str = "", where: str = "") -> T:
    """The value, which has that type; raises `InputError` for any other."""
    if not isinstance(given, kind):
        raise unexpected(wanted or type_named(kind), given, where)
    return given


def checked_all(given: Iterable[T], kind: type[T], where: str = "") -> tuple[T, ...]:
    """All of them, each of that type; raises `InputError` for anything else, and for a text."""
    # Thousands of events are made in a game: tuples of exactly that type are the quick case.
    if type(given) is tuple:
        found = given
    elif isinstance(given, str) or not isinstance(given, abc.Iterable):
        raise unexpected(f"several, each {type_named(kind)}", given, where)
    else:
        found = tuple(given)
    if not found or {*map(type, found)} == {kind}:
        return found
    for value in found:
        if not isinstance(value, kind):
            raise unexpected(type_named(kind), value, where)
    return found


def type_named(kind: type) -> str:
    """A type in words: "a knowledge structure"."""
    return _NAMES.get(kind) or _with_article(_spaced(kind.__name__))


def _spaced(name: str) -> str:
    """`KnowledgeStructure` as "knowledge structure"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.lstrip("_")).lower()
    return words.replace("multi pointed", "multi-pointed")


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def _shown(given: object) -> str:
    """The value as Python writes it; numbers of thousands of digits cannot be written."""
    try:
        return repr(given)
    except Exception:
        return "..."
