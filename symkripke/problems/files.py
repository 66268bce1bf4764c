"""Problem files of both formats, recognised by their content."""

from __future__ import annotations

import re
from collections.abc import Mapping

from symkripke.errors import InputError, UnknownName
from symkripke.files import read_text
from symkripke.problems.problem import Problem
from symkripke.records import dataclass

FORMATS = ("symkripke", "smcdel")
"""Our own text format, and the text format of SMCDEL."""


@dataclass(frozen=True, eq=False)
class Loaded:
    """A file that was read.

    Attributes:
        problem: the contents of the file.
        format: one of `FORMATS`.
        warnings: parts of the file that are easy to misread: see
            `symkripke.problems.smcdel.reader`.
    """

    problem: Problem
    format: str
    warnings: tuple[str, ...] = ()


def looks_like_smcdel(text: str) -> bool:
    """Return whether a text is probably in SMCDEL's format: its first word is VARS."""
    return re.match(r"\ufeff?(\s|--[^\n]*(\n|$))*VARS\b", text) is not None


def load(
    path: str,
    constants: Mapping[str, int | str] | None = None,
    format: str = "",  # noqa: A002
) -> Loaded:
    """Read the problem in a file.

    Args:
        path: the file.
        constants: values for names that a file in our format defines with `let`.
        format: one of `FORMATS`. By default, the content decides: SMCDEL files begin with VARS.

    Raises:
        ProblemError: the text is invalid; the message shows the file, and the line with a caret.
        UnknownName: there is no such format.
        InputError: there is no such file, or it is in SMCDEL's format and constants are given.
    """
    if format and format not in FORMATS:
        raise UnknownName("format", format, FORMATS)
    text = read_text(path)
    if text.startswith('{"log":'):
        raise InputError(
            f"{path} is the log of a game, not a problem: use `symkripke ask {path}` instead"
        )
    if format == "smcdel" or (not format and looks_like_smcdel(text)):
        if constants:
            raise InputError(f"{path} is in SMCDEL's format, which has no names to set")
        from symkripke.problems.smcdel.reader import read_smcdel

        loaded = read_smcdel(text, path)
        return Loaded(loaded.problem, "smcdel", loaded.warnings)
    from symkripke.problems.reader import read

    return Loaded(read(text, path, constants), "symkripke")
