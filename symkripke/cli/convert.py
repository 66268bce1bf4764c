"""`symkripke convert`."""

from __future__ import annotations

import click

from symkripke.cli.options import Limits, limit_options, output_options, put


@click.command()
@click.argument("file", type=click.Path())
@output_options
@limit_options
def convert(file: str, output: str | None, force: bool, limits: Limits) -> None:
    """Turn a problem file in SMCDEL's text format into one in ours.

    The result is read again and checked to mean the same. Variable 3 becomes p3. A question about
    one state becomes a question about all worlds (valid?).
    """
    from symkripke.files import check_writable, read_text
    from symkripke.problems.smcdel.convert import convert as converted

    if output is not None:
        check_writable(output, replace=force)
    with limits.whole(f"converting {file}"):
        text = converted(read_text(file), file)
    put(text, output)
