"""The names that a text may use: agents, fluents and values.

The parser looks up every name in a `Signature`, so that the error for an unknown name shows its
place and similar names. A vocabulary (`symkripke.model`) is a signature; `Syntax` accepts any name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from symkripke.errors import InputError
from symkripke.language.formulas import Atom, Formula, negation
from symkripke.language.linear import Sum
from symkripke.language.names import Name


class Signature(Protocol):
    """The names that formulas may use. Every method raises `UnknownName` for other names."""

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents, in order."""

    def agent(self, name: str) -> str:
        """Return the agent of this name."""

    def proposition(
        self, name: str, arguments: Sequence[str], version: int | None, value: str | None
    ) -> Formula:
        """Return `name(arguments)#version = value`, or the proposition if `value` is None."""

    def fluent(self, name: str, arguments: Sequence[str], version: int | None) -> Name:
        """Return the name of the fluent `name(arguments)#version`."""

    def number(self, name: str, arguments: Sequence[str], version: int | None) -> Sum | None:
        """Return the number `name(arguments)#version`; None if there is no such number."""


class Syntax:
    """A signature that allows every name."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Raise `InputError`, because no agents are declared and `*` has no meaning."""
        raise InputError(
            "'*' stands for all agents, and no agents are declared here: read it by "
            "structure.parse(text), or name them"
        )

    def agent(self, name: str) -> str:
        """Return the name unchanged."""
        return name

    def proposition(
        self, name: str, arguments: Sequence[str], version: int | None, value: str | None
    ) -> Formula:
        """Return the atom, with the value "true" if none is given."""
        written = Name(name, arguments, version)
        if value == "false":
            return negation(Atom(written))
        return Atom(written, "true" if value is None else value)

    def fluent(self, name: str, arguments: Sequence[str], version: int | None) -> Name:
        """Return the name of the term."""
        return Name(name, arguments, version)

    def number(self, name: str, arguments: Sequence[str], version: int | None) -> None:
        """Return None: whether a name is a number, and an integer, is not known."""
