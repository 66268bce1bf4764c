"""Commands whose parameters are declared once, as the defaults of the arguments of a function.

    @command()
    def sample(
        inquiry: Inquiry = inquiry(),
        number: int = option("--number", "N", "How many deals.", default=10),
        as_json: bool = JSON,
    ) -> None:

`gathered` makes one argument of several parameters, which commands share as a group.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, Protocol

import click

from symkripke.limits import within
from symkripke.records import dataclass


class _Part(Protocol):
    """The declaration of one argument of a command."""

    def parameters(self, name: str) -> Iterator[click.Parameter]:
        """Yield the parameters on the command line, given the argument's name."""

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        """Return the argument, given the values of all parameters."""


@dataclass(frozen=True)
class _One:
    """One parameter.

    Attributes:
        kind: the class of the parameter in click.
        flags: the flags of an option.
        attributes: further arguments of the class.
    """

    kind: type[click.Parameter]
    flags: tuple[str, ...]
    attributes: Mapping[str, Any]

    def parameters(self, name: str) -> Iterator[click.Parameter]:
        yield self.kind([*self.flags, name], **self.attributes)

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        return given[name]


@dataclass(frozen=True)
class _Group:
    """Several parameters that make up one value."""

    make: Callable[..., Any]
    parts: Mapping[str, _Part]

    def parameters(self, name: str) -> Iterator[click.Parameter]:
        for own, part in self.parts.items():
            yield from part.parameters(own)

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        return self.make(**{own: part.value(own, given) for own, part in self.parts.items()})


def argument(metavar: str | None = None, **attributes: Any) -> Any:
    """Declare a positional argument, with the attributes of `click.Argument`."""
    return _One(click.Argument, (), {"metavar": metavar, **attributes})


def option(flags: str, metavar: str | None, text: str | None, **attributes: Any) -> Any:
    """Declare an option. The help shows its default, if it has one.

    Args:
        flags: the flags, separated by spaces.
        metavar: the name of the value in the help.
        text: the help text.
        attributes: further attributes of `click.Option`.
    """
    shown = {"show_default": True} if "default" in attributes else {}
    more = {"metavar": metavar, "help": text, **shown, **attributes}
    return _One(click.Option, tuple(flags.split()), more)


def flag(flags: str, text: str) -> Any:
    """Declare an option without a value."""
    return _One(click.Option, tuple(flags.split()), {"is_flag": True, "help": text})


def path(flags: str, metavar: str, text: str, **attributes: Any) -> Any:
    """Declare an option whose value is a path that is not empty."""
    return option(flags, metavar, text, type=click.Path(), callback=named_path, **attributes)


def gathered(make: Callable[..., Any], **parts: Any) -> Any:
    """Declare a group of parts; `make` receives their values as keyword arguments."""
    return _Group(make, parts)


def named_path(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Return the path. Raise `BadParameter` if it is empty, which would mean the current folder."""
    if value is not None and not value.strip():
        raise click.BadParameter("expected a path, got an empty string")
    return value


def command(
    name: str | None = None, *, group: click.Group | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """Turn a function into a command; the defaults of its arguments declare the parameters.

    The docstring is the help. After a line with a backslash and a b, click does not rewrap lines.

    Args:
        name: the name of the command; by default, the name of the function.
        group: the group that the command belongs to.
    """

    def made(function: Callable[..., Any]) -> click.Command:
        parts: dict[str, _Part] = {
            name: parameter.default
            for name, parameter in inspect.signature(function).parameters.items()
        }

        @wraps(function)
        def called(**given: Any) -> Any:
            # The limit on time applies to each step, the limit on memory to the whole command.
            with within(memory=given.get("memory")):
                return function(**{name: part.value(name, given) for name, part in parts.items()})

        parameters = [p for own, part in parts.items() for p in part.parameters(own)]
        text = (inspect.getdoc(function) or "").replace("\\b\n", "\b\n")
        done = click.command(name, help=text, params=parameters)(called)
        if group is not None:
            group.add_command(done)
        return done

    return made
