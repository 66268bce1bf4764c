"""Styled lines, which are printed without rich if the output has no styles.

Importing rich takes as long as answering the questions of a small file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import click

from symkripke.errors import printable
from symkripke.explain.text import Line

Part: TypeAlias = tuple[str, str]
"""A text and the name of its style in rich."""

KINDS = {"claim": "bold", "source": "", "world": "dim", "note": "dim"}
"""The styles of the lines of an explanation."""

# With these environment variables, rich treats a pipe as a terminal.
_FORCING = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")

_TAB = 8


def _is_plain() -> bool:
    return not sys.stdout.isatty() and not any(map(os.environ.get, _FORCING))


def write_line(*parts: Part) -> None:
    """Print a line made of these parts; on a terminal, wrap it between words."""
    if _is_plain():
        _write_plainly("".join(text for text, _ in parts))
        return
    from rich.text import Text

    from symkripke.cli.console import console

    console().print(Text.assemble(*parts))


def write_explanation(lines: Iterable[Line]) -> None:
    """Print the indented lines of an explanation; on a terminal, wrap them."""
    for line in lines:
        text = "  " * (line.indent + 1) + line.text
        if _is_plain():
            _write_plainly(text)
            continue
        from rich.text import Text

        from symkripke.cli.console import console, say

        say(console(), Text(text, style=KINDS[line.kind]))


def write_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None
) -> None:
    """Print a table: drawn on a terminal, aligned text in a pipe.

    Args:
        head: the headings of the columns.
        rows: the rows.
        title: the title of a table of numbers, with names in its first column; None for a table of
            words.
    """
    if title is not None:
        click.echo()
    if sys.stdout.isatty():
        from rich.table import Table

        from symkripke.cli.console import console

        drawn = Table(title=title, title_justify="left")
        for number, name in enumerate(head):
            justify: Literal["left", "right"] = "right" if number and title is not None else "left"
            drawn.add_column(name, justify=justify, no_wrap=title is None and number == 0)
        for row in rows:
            drawn.add_row(*row)
        console().print(drawn)
        return
    if title is not None:
        click.echo(title)
    indent, align = ("", str.ljust) if title is None else ("  ", str.rjust)
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = map(align, row[1:], widths[1:])
        click.echo(indent + "  ".join([row[0].ljust(widths[0]), *cells]).rstrip())


def _write_plainly(text: str) -> None:
    click.echo(printable(text).expandtabs(_TAB))
