"""What a text may speak of: the names of agents, fluents and values.

The parser asks a `Signature` about every name it reads, so that an unknown one is an error
with a place and near names. A vocabulary (`symkripke.model`) is one; `Syntax` accepts all names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from symkripke.errors import InputError
from symkripke.language.formulas import Atom, Formula, negation


def term(name: str, arguments: Sequence[str] = (), version: int | None = None) -> str:
    """The one way to write a term: `name`, `name(a, b)`, `name(a, b)#2`."""
    written = f"{name}({', '.join(arguments)})" if arguments else name
    return written if version is None else f"{written}#{version}"


class Signature(Protocol):
    """The names that formulas may use. Every method raises `UnknownName` for others."""

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents, in order."""

    def agent(self, name: str) -> str:
        """The agent of that name."""

    def proposition(
        self, name: str, arguments: Sequence[str], version: int | None, value: str | None
    ) -> Formula:
        """What `name(arguments)#version = value` says; without a value, the proposition."""

    def fluent(self, name: str, arguments: Sequence[str], version: int | None) -> str:
        """The fluent `name(arguments)#version`, by its one written form."""


class Syntax:
    """The signature in which every name is good: for reading text as text."""

    @property
    def agents(self) -> tuple[str, ...]:
        """There is no list of agents here; raises `InputError` (`*` has no meaning)."""
        raise InputError(
            "'*' stands for all agents, and no agents are declared here: read it by "
            "structure.parse(text), or name them"
        )

    def agent(self, name: str) -> str:
        """Any name."""
        return name

    def proposition(
        self, name: str, arguments: Sequence[str], version: int | None, value: str | None
    ) -> Formula:
        """The atom, with the value "true" where none is given."""
        written = term(name, arguments, version)
        if value == "false":
            return negation(Atom(written))
        return Atom(written, "true" if value is None else value)

    def fluent(self, name: str, arguments: Sequence[str], version: int | None) -> str:
        """Any term."""
        return term(name, arguments, version)
