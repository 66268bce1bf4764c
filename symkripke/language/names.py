"""The names of fluents: a functor, arguments, and a number for a version.

A name is parsed once, where it comes from a text, and written once, when it is made. A name is
also its own written form, a `str`: texts and names find each other in mappings, and print alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self


class Name(str):
    """The name of a fluent, such as `at(rope, envelope)#2`.

    Attributes:
        functor: the word before the brackets, `at`.
        arguments: the words in the brackets; empty if there are no brackets.
        version: the number behind the `#`; None for a plain name. Version 0 is the first one.
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
        """Make the name of these parts."""
        plain = f"{functor}({', '.join(arguments)})" if arguments else functor
        name = super().__new__(cls, plain if version is None else f"{plain}#{version}")
        name.functor = str(functor)
        name.arguments = tuple(map(str, arguments))
        name.version = version
        name.plain = name if version is None else Name(functor, arguments)
        return name

    @classmethod
    def of(cls, written: str) -> Name:
        """Return the name with that written form; a name itself is returned as it is.

        A text that is no term, as programs may use for their own atoms, is a functor as a whole.
        """
        if isinstance(written, Name):
            return written
        plain, _, number = written.partition("#")
        functor, bracket, rest = plain.partition("(")
        arguments = rest[:-1].split(", ") if bracket else ()
        name = cls(functor, arguments, int(number) if number.isdecimal() else None)
        return name if name == written else cls(written)

    def at(self, version: int) -> Name:
        """Return the name of that version."""
        name = super().__new__(Name, f"{self.plain}#{version}")
        name.functor, name.arguments = self.functor, self.arguments
        name.version, name.plain = version, self.plain
        return name

    @property
    def is_version(self) -> bool:
        """Whether it names a version, also the first one."""
        return self.version is not None

    def __reduce__(self) -> tuple[Any, ...]:
        return Name, (self.functor, self.arguments, self.version)
