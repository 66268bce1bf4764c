"""Errors about arguments of the wrong type.

Public functions declare the types that they take. Most do not look at them beforehand, since that
costs time: a function with the decorator `explained` compares what it was given with what it
declares only after something failed. Where all arguments are as declared, the error is one of
this package, and is not touched.

Arguments that would be taken without an error, and fail much later, are checked at once: see
`checked` and `checked_all`.
"""

from __future__ import annotations

import re
from collections import abc
from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from inspect import signature
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from symkripke.errors import InputError, SymkripkeError, clipped

P = ParamSpec("P")
T = TypeVar("T")

_NAMES: Mapping[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    dict: "a dict",
    NoneType: "None",
}


class _Mismatch(NamedTuple):
    """The expected type in words, and the value that was given instead."""

    wanted: str
    given: object


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
        raise unexpected(wanted or _named(kind), given, where)
    return given


def checked_all(given: Iterable[T], kind: type[T], where: str = "") -> tuple[T, ...]:
    """All of them, each of that type; raises `InputError` for anything else, and for a text."""
    # Thousands of events are made in a game: tuples of exactly that type are the quick case.
    if type(given) is tuple:
        found = given
    elif isinstance(given, str) or not isinstance(given, abc.Iterable):
        raise unexpected(f"several, each {_named(kind)}", given, where)
    else:
        found = tuple(given)
    if not found or {*map(type, found)} == {kind}:
        return found
    for value in found:
        if not isinstance(value, kind):
            raise unexpected(_named(kind), value, where)
    return found


def repeated(given: Iterable[T]) -> T | None:
    """Return the first value that was given before; None if all differ."""
    seen: set[T] = set()
    for value in given:
        if value in seen:
            return value
        seen.add(value)
    return None


def explained(function: Callable[P, T]) -> Callable[P, T]:
    """A function whose errors say which argument is not of the type that is declared, if one is."""

    @wraps(function)
    def calling(*arguments: P.args, **options: P.kwargs) -> T:
        try:
            return function(*arguments, **options)
        except SymkripkeError:
            raise
        except Exception:
            check_arguments(function, *arguments, **options)
            raise

    return calling


def check_arguments(function: Callable[P, object], *arguments: P.args, **options: P.kwargs) -> None:
    """Raises `InputError` if an argument is not of the type that the function declares."""
    try:
        bound = signature(function).bind(*arguments, **options).arguments
    except TypeError:  # too few, or too many: Python says so
        return
    kinds = _declared(function, bound)
    for name, value in bound.items():
        mismatch = _mismatch(value, kinds[name]) if name in kinds else None
        if mismatch is not None:
            raise unexpected(mismatch.wanted, mismatch.given, name) from None


def check_result(function: Callable[..., object], given: object) -> None:
    """Raises `InputError` if a value is not of the type that the function declares to return."""
    while isinstance(function, partial):
        function = function.func
    kind = _declared(function, ("return",)).get("return", object)
    mismatch = _mismatch(given, kind)
    if mismatch is not None:
        raise unexpected(mismatch.wanted, mismatch.given)


def _declared(function: Callable[..., object], names: Iterable[str]) -> Mapping[str, Any]:
    """The types that a function declares of these parameters."""
    declared = getattr(function, "__annotations__", {})
    stated = SimpleNamespace(__annotations__={n: declared[n] for n in names if n in declared})
    return get_type_hints(stated, getattr(function, "__globals__", {}))


def _mismatch(value: object, kind: Any) -> _Mismatch | None:
    """The mismatch between a value and the type it should have; None if it fits."""
    if isinstance(kind, TypeVar):
        kind = kind.__bound__
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        found = [_mismatch(value, part) for part in parts]
        if None in found:
            return None
        # A list with one wrong element is wrong in that element.
        inner = next((wrong for wrong in found if wrong and wrong.given is not value), None)
        return inner or _Mismatch(_named(kind), value)
    if origin is Literal:
        return None if value in parts else _Mismatch(_named(kind), value)
    base = origin or kind
    if base in (object, Any) or not isinstance(base, type):
        return None
    if not _is_a(value, base) or (isinstance(value, str) and parts):
        return _Mismatch(_named(kind), value)
    return _mismatch_inside(value, base, parts)


def _mismatch_inside(value: object, base: type, parts: tuple[Any, ...]) -> _Mismatch | None:
    """The first mismatch among the elements of a collection; iterators are not read."""
    if isinstance(value, abc.Mapping) and len(parts) == 2:
        pairs = [(key, parts[0]) for key in value] + [(held, parts[1]) for held in value.values()]
    elif base is tuple and parts and parts[-1] is not Ellipsis:
        if not isinstance(value, tuple) or len(value) != len(parts):
            return _Mismatch(f"a tuple of {len(parts)}", value)
        pairs = list(zip(value, parts, strict=True))
    elif parts and isinstance(value, abc.Collection):
        pairs = [(element, parts[0]) for element in value]
    else:
        return None
    return next(filter(None, (_mismatch(element, kind) for element, kind in pairs)), None)


def _is_a(value: object, base: type) -> bool:
    if base is float:
        return isinstance(value, int | float)
    if getattr(base, "_is_protocol", False) and base.__module__ != abc.__name__:
        promised = {name for part in base.__mro__ for name in vars(part) if name[0] != "_"}
        return all(hasattr(value, name) for name in promised)
    return isinstance(value, base)


def _named(kind: Any) -> str:
    """A type in words: "a formula or text"."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _NAMES:
        return _NAMES[kind]
    if origin in (Union, UnionType):
        words = [_named(part) for part in parts]
        return f"{', '.join(words[:-1])} or {words[-1]}"
    if origin is Literal:
        return f"one of {', '.join(map(str, parts))}"
    if origin is abc.Callable or kind is abc.Callable:
        return "a function"
    if origin is tuple and parts[-1] is not Ellipsis:
        return f"a tuple of {len(parts)}"
    if origin in (abc.Mapping, dict):
        return "a dict"
    if origin is not None and issubclass(origin, abc.Iterable) and len(parts) in (1, 2):
        return f"several, each {_named(parts[0])}"
    name = getattr(origin or kind, "__name__", str(kind))
    return _with_article(_spaced(name))


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
