"""`symkripke convert`."""

from __future__ import annotations

import click

from symkripke.cli.commands import argument, command
from symkripke.cli.options import LIMITS, OUTPUT, Limits, Output


@command()
def convert(
    file: str = argument(type=click.Path()),
    output: Output = OUTPUT,
    limits: Limits = LIMITS,
) -> None:
    r"""Convert a FILE in the text format of SMCDEL into a problem file.

    \b
    symkripke convert muddy.smcdel.txt -o muddy.skp

    The result is read again, and checked to have the same meaning. Variable 3 becomes p3. A
    question about one state becomes a question about all worlds (valid?).
    """
    from symkripke.files import read_text
    from symkripke.problems.smcdel.convert import convert as converted

    output.check()
    with limits.whole(f"converting {file}"):
        text = converted(read_text(file), file)
    output.put(text)
