"""Options of a game beyond its rule sets, such as an edition, a size or a house rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from symkripke.argument_types import checked_all, type_named, unexpected
from symkripke.errors import InputError, UnknownName

_YES = ("yes", "true", "on", "1", "")
_NO = ("no", "false", "off", "0")


def text(given: str) -> str:
    """Return the text unchanged."""
    return given


def flag(given: str) -> bool:
    """Return True for yes and False for no; an option without a value means yes.

    Raise `InputError` for another text.
    """
    if given.casefold() in _YES:
        return True
    if given.casefold() in _NO:
        return False
    raise InputError(f"expected yes or no, got {given!r}")


def number(given: str) -> int:
    """Return a whole number. Raise `InputError` for another text."""
    try:
        return int(given)
    except ValueError:
        raise InputError(f"expected a whole number, got {given!r}") from None


def share(given: str) -> float:
    """Return a number from 0 to 1. Raise `InputError` for another text."""
    try:
        value = float(given)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f"expected a number from 0 to 1, got {given!r}")
    return value


def probability(given: str, *, zero: bool = True) -> Fraction:
    """Return an exact probability.

    Raise `InputError` for another text, and for 0 unless `zero`.
    """
    try:
        value = Fraction(given)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1 or not (value or zero):
        wanted = "from 0 to 1" if zero else "above 0, and at most 1"
        raise InputError(f"expected a probability {wanted}, got {given!r}")
    return value


def names(given: str) -> tuple[str, ...]:
    """Return the names in a comma-separated text. Raise `InputError` for an empty name."""
    parts = tuple(part.strip() for part in given.split(","))
    if not all(parts):
        raise InputError(f"expected names separated by commas, got {given!r}")
    return parts


def flag_or_names(given: str) -> bool | tuple[str, ...]:
    """Return True for yes (all), False for no (none), or comma-separated names (only these)."""
    if given.casefold() in (*_YES, *_NO):
        return flag(given)
    return names(given)


@dataclass(frozen=True)
class Option:
    """An option of a game.

    Attributes:
        summary: the effect of the option, in a few words.
        read: converts the input to a value; raises `InputError`.
        title: the label in forms: "Silence speaks". Empty: the name of the option in words.
        choices: the typed values that a form offers; empty: anything can be typed.
        file: the file that can be named instead: "a TOML file with a set of cards". Only commands
            offer this, because input from a browser must not open files.
        for_programs: whether the option concerns only players that are programs. It is not offered
            at a table of people.
    """

    summary: str
    read: Callable[[str], Any] = text
    title: str = ""
    choices: Sequence[str] = ()
    file: str = ""
    for_programs: bool = False

    @property
    def help(self) -> str:
        """The summary with the file that can be named instead, or with the only choices."""
        if self.file:
            return f"{self.summary}, or {self.file}"
        return f"{self.summary}: {', '.join(self.choices)}" if self.choices else self.summary

    def title_for(self, name: str) -> str:
        """Return the title of the option with this name."""
        return self.title or f"{name[:1].upper()}{name[1:]}".replace("_", " ")

    @property
    def offered(self) -> Sequence[str]:
        """The values that a form offers; for a flag, yes and no."""
        return ("yes", "no") if self.read is flag else self.choices


def chosen(title: str, known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the given options. Strings are parsed, and None is ignored.

    Raises:
        UnknownName: the game `title` has no such option.
        InputError: a value is invalid for its option, or the game has no options.
    """
    values = {}
    for name, value in given.items():
        if value is None:
            continue
        if name not in known:
            if not known:
                raise InputError(f"{title} has no options, got {name!r}")
            raise UnknownName(f"option of {title}", name, known)
        try:
            if isinstance(value, str):
                values[name] = known[name].read(value)
            else:
                values[name] = _fitting(known[name].read, value)
        except InputError as error:
            raise InputError(f"option {name}: {error}") from None
    return values


def _fitting(read: Callable[[str], Any], value: object) -> object:
    """Return the value if it has the type that `read` returns. Otherwise, raise `InputError`."""
    reader = read.func if isinstance(read, partial) else read
    kind = get_type_hints(reader)["return"]
    kinds = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    kinds = (*kinds, int) if float in kinds else kinds
    if not any(isinstance(value, get_origin(one) or one) for one in kinds):
        raise unexpected(" or ".join(type_named(get_origin(one) or one) for one in kinds), value)
    if isinstance(value, tuple):
        (parts,) = {get_args(one)[0] for one in kinds if get_origin(one) is tuple}
        checked_all(value, parts)
    return value


def typed_values(setup: object, known: Iterable[str]) -> dict[str, str]:
    """Return the values of options in a setup, as people type them, if they are simple."""
    values = {name: getattr(setup, name, None) for name in known}
    return {
        name: ("yes" if value else "no") if isinstance(value, bool) else str(value)
        for name, value in values.items()
        if isinstance(value, bool | int | str) and value != ""
    }
