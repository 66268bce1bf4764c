"""The names that a text may use: agents, fluents and values.

The parser looks up every name in a `Signature`, so that an unknown name is an error with its place
and near names. A vocabulary (`symkripke.model`) is one; `Syntax` accepts all names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from symkripke.errors import InputError
from symkripke.language.formulas import Atom, Formula, negation
from symkripke.language.names import Name


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
        """The formula `name(arguments)#version = value`; without a value, the proposition."""

    def fluent(self, name: str, arguments: Sequence[str], version: int | None) -> Name:
        """The name of the fluent `name(arguments)#version`."""


class Syntax:
    """A signature that allows every name."""

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
        """The atom, with the value "true" if none is given."""
        written = Name(name, arguments, version)
        if value == "false":
            return negation(Atom(written))
        return Atom(written, "true" if value is None else value)

    def fluent(self, name: str, arguments: Sequence[str], version: int | None) -> Name:
        """Any term."""
        return Name(name, arguments, version)
