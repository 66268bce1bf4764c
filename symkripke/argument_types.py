"""Type checks for arguments that would otherwise be accepted and fail much later."""

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
    """Return the error for a value of the wrong type: "expected a formula, got the number 3"."""
    place = f"{where}: " if where else ""
    return InputError(f"{place}expected {wanted}, got {described(given)}")


def described(given: object) -> str:
    """Return a value in words, clipped: "the number 3", "the text 'p'", "a scene"."""
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
    """Return the value, or raise `InputError` if it has another type."""
    if not isinstance(given, kind):
        raise unexpected(wanted or type_named(kind), given, where)
    return given


def checked_all(given: Iterable[T], kind: type[T], where: str = "") -> tuple[T, ...]:
    """Return the values as a tuple; raise `InputError` for a string, or a value of another type."""
    # A game creates thousands of events, so the usual case is fast: a tuple of exactly this type.
    if type(given) is tuple:
        values = given
    elif isinstance(given, str) or not isinstance(given, abc.Iterable):
        raise unexpected(f"several, each {type_named(kind)}", given, where)
    else:
        values = tuple(given)
    if not values or {*map(type, values)} == {kind}:
        return values
    for value in values:
        if not isinstance(value, kind):
            raise unexpected(type_named(kind), value, where)
    return values


def type_named(kind: type) -> str:
    """Return a type in words: "a knowledge structure"."""
    return _NAMES.get(kind) or _with_article(_spaced(kind.__name__))


def _spaced(name: str) -> str:
    """Return `KnowledgeStructure` as "knowledge structure"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.lstrip("_")).lower()
    return words.replace("multi pointed", "multi-pointed")


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def _shown(given: object) -> str:
    """Return the `repr` of a value, or "..." if `repr` fails, as for a very long number."""
    try:
        return repr(given)
    except Exception:
        return "..."
