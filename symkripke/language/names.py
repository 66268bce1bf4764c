"""The names of fluents: a functor, arguments, and a number for a version.

A name is a `str` that equals its written form, so a name and its text are the same key of a
mapping. The parts are parsed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self


class Name(str):
    """The name of a fluent, such as `at(rope, envelope)#2`.

    Attributes:
        functor: the word before the brackets, `at`.
        arguments: the words in the brackets; empty if there are no brackets.
        version: the number after the `#`; None for a plain name. The first version is 0.
        plain: the name without its version.
    """

    __slots__ = ("arguments", "functor", "plain", "version")

    functor: str
    arguments: tuple[str, ...]
    version: int | None
    plain: Name

    def __new__(
        cls, functor: str, arguments: Sequence[str] = (), version: int | None = None
    ) -> Self:
        """Create the name from its parts."""
        plain = f"{functor}({', '.join(arguments)})" if arguments else functor
        name = super().__new__(cls, plain if version is None else f"{plain}#{version}")
        name.functor = str(functor)
        name.arguments = tuple(map(str, arguments))
        name.version = version
        name.plain = name if version is None else Name(functor, arguments)
        return name

    @classmethod
    def of(cls, written: str) -> Name:
        """Return the name with this written form; a `Name` is returned unchanged.

        A text that is not a term, such as a program's own atom, becomes a plain functor.
        """
        if isinstance(written, Name):
            return written
        plain, _, number = written.partition("#")
        functor, bracket, rest = plain.partition("(")
        arguments = rest[:-1].split(", ") if bracket else ()
        name = cls(functor, arguments, int(number) if number.isdecimal() else None)
        return name if name == written else cls(written)

    def at(self, version: int) -> Name:
        """Return the name with this version."""
        name = super().__new__(Name, f"{self.plain}#{version}")
        name.functor, name.arguments = self.functor, self.arguments
        name.version, name.plain = version, self.plain
        return name

    @property
    def is_version(self) -> bool:
        """True if the name has a version, including version 0."""
        return self.version is not None

    def __reduce__(self) -> tuple[Any, ...]:
        return Name, (self.functor, self.arguments, self.version)
