"""Parsers made from grammar files, and kept in the user's cache for the next start.

To work out the tables of a parser takes Lark ten times as long as to read them: 0.1 s for the
grammar of formulas, 0.2 s for that of problem files. What is kept is good for exactly this text
of the grammar, these options and this version of Lark; anything else is worked out anew.
"""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Any

from lark import Lark

from symkripke.language.operators import PREFIXES


def parser(name: str, *grammars: tuple[str, str], **options: Any) -> Lark:
    """A parser for the grammars, one after the other, each a package and its file.

    Args:
        name: of the file in which it is kept.
        grammars: what is read.
        options: Lark's; the parser is LALR.
    """
    text = "".join(
        resources.files(package).joinpath(file).read_text(encoding="utf-8")
        for package, file in grammars
    ).replace("{prefixes}", "|".join(PREFIXES))
    kept = _cache(f"{name}.parser")
    if kept:
        try:
            return Lark(text, parser="lalr", cache=kept, **options)
        except OSError:
            pass  # the disk is full, or the like
    return Lark(text, parser="lalr", **options)


def _cache(name: str) -> str:
    """The file; empty if there can be none: then nothing is kept."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "symkripke"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        whose, file = folder.stat(), folder / name
        if file.is_symlink() or (file.exists() and not file.is_file()):
            return ""  # somebody else's business
        str(file).encode()
    except (OSError, RuntimeError, UnicodeError):
        return ""
    if hasattr(os, "getuid") and (whose.st_uid != os.getuid() or whose.st_mode & 0o022):
        return ""  # what is kept is read as it stands: nobody else may write there
    return str(file)
