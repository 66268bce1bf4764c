"""Printing to the terminal or to a pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from symkripke.errors import printable


class _Console(Console):
    """A console that raises the error of a closed pipe instead of ending the program."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def print(self, *objects: Any, **options: Any) -> None:
        """Print objects, and replace control characters, which may come from files."""
        super().print(*(_harmless(shown) for shown in objects), **options)


def _harmless(shown: Any) -> Any:
    if isinstance(shown, str):
        return printable(shown)
    if isinstance(shown, Padding):
        shown.renderable = _harmless(shown.renderable)
    if isinstance(shown, Text) and (plain := printable(shown.plain)) != shown.plain:
        shown.plain = plain  # the length and the styles stay the same
    return shown


def console(*, stderr: bool = False) -> Console:
    """Return a console that wraps lines on a terminal, and does not wrap them in a pipe."""
    made = _Console(stderr=stderr, highlight=False)
    if not made.is_terminal:
        made = _Console(
            stderr=stderr, highlight=False, soft_wrap=True, width=200, color_system=None
        )
    return made


def sentence(out: Console, text: str) -> None:
    """Print a sentence; on a terminal, wrap it between words, without trailing spaces."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    lines = [printable(text)]
    if out.is_terminal:
        lines = textwrap.wrap(lines[0], out.width, subsequent_indent=indent)
    out.print(Text("\n".join(lines)), soft_wrap=True)


def say(out: Console, text: Text) -> None:
    """Print a line; on a terminal, wrap it with the indentation of its start."""
    indent = len(text.plain) - len(text.plain.lstrip(" "))
    if out.is_terminal and indent and "\n" not in text.plain:
        out.print(Padding(text[indent:], (0, 0, 0, indent)))
    else:
        out.print(text)


def put_grid(
    headings: Sequence[str] | None, rows: Iterable[Sequence[str]], indent: int = 0
) -> None:
    """Print rows of texts; the last column is wrapped if necessary."""
    from rich.table import Table

    grid = Table(
        box=None, padding=(0, 2, 0, indent), header_style="bold", show_header=headings is not None
    )
    first, *others = headings or [""]
    grid.add_column(first, no_wrap=True)
    for heading in others:
        grid.add_column(heading)
    for row in rows:
        grid.add_row(*map(Text, row))
    console().print(grid)
