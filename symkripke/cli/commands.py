"""Commands whose parameters are declared once, as the defaults of the arguments of a function.

    @command()
    def sample(
        inquiry: Inquiry = inquiry("equal"),
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
    """What an argument of a command stands for."""

    def parameters(self, name: str) -> Iterator[click.Parameter]:
        """The parameters on the command line, given the argument's name."""

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        """The argument, given the values of all parameters."""


@dataclass(frozen=True)
class _One:
    """One parameter.

    Attributes:
        kind: the class of click.
        flags: how an option is written.
        attributes: what the class takes besides.
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
    """Several parameters, of which one value is made."""

    make: Callable[..., Any]
    parts: Mapping[str, _Part]

    def parameters(self, name: str) -> Iterator[click.Parameter]:
        for own, part in self.parts.items():
            yield from part.parameters(own)

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        return self.make(**{own: part.value(own, given) for own, part in self.parts.items()})


def argument(metavar: str | None = None, **attributes: Any) -> Any:
    """An argument without a flag; its attributes are those of `click.Argument`."""
    return _One(click.Argument, (), {"metavar": metavar, **attributes})


def option(flags: str, metavar: str | None, text: str | None, **attributes: Any) -> Any:
    """An option; its attributes are those of `click.Option`. A default is shown by the help.

    Args:
        flags: the flags, with blanks between them.
        metavar: what it takes, as the help calls it.
        text: the help.
        attributes: the rest.
    """
    shown = {"show_default": True} if "default" in attributes else {}
    more = {"metavar": metavar, "help": text, **shown, **attributes}
    return _One(click.Option, tuple(flags.split()), more)


def flag(flags: str, text: str) -> Any:
    """An option that takes nothing."""
    return _One(click.Option, tuple(flags.split()), {"is_flag": True, "help": text})


def path(flags: str, metavar: str, text: str, **attributes: Any) -> Any:
    """An option that takes a path, which must not be empty."""
    return option(flags, metavar, text, type=click.Path(), callback=named_path, **attributes)


def gathered(make: Callable[..., Any], **parts: Any) -> Any:
    """A group: `make` gets the values of the parts by their names."""
    return _Group(make, parts)


def named_path(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A path that is not empty; an empty one would mean the current folder."""
    if value is not None and not value.strip():
        raise click.BadParameter("expected a path, got an empty text")
    return value


def command(
    name: str | None = None, *, group: click.Group | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function; the defaults of its arguments say what they stand for.

    The docstring is the help. Behind a line with a backslash and a b, click keeps the lines as they
    are.

    Args:
        name: its name, if that of the function does not do.
        group: the group that it belongs to.
    """

    def made(function: Callable[..., Any]) -> click.Command:
        parts: dict[str, _Part] = {
            name: parameter.default
            for name, parameter in inspect.signature(function).parameters.items()
        }

        @wraps(function)
        def called(**given: Any) -> Any:
            # The limit of time is for each step, that of memory for the whole command.
            with within(memory=given.get("memory")):
                return function(**{name: part.value(name, given) for name, part in parts.items()})

        parameters = [p for own, part in parts.items() for p in part.parameters(own)]
        text = (inspect.getdoc(function) or "").replace("\\b\n", "\b\n")
        done = click.command(name, help=text, params=parameters)(called)
        if group is not None:
            group.add_command(done)
        return done

    return made
