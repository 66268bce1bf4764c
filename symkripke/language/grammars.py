"""Parsers made from grammar files. Their tables are cached for the next start.

Lark needs ten times as long to compute the tables of a parser as to read them: 0.1 s for the
grammar of formulas, 0.2 s for that of problem files. The cache has plain data (JSON), never code.
It is used only for the same text of the grammar, the same options, and the same versions of Lark
and Python.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from lark import Lark, Token, __version__
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import TerminalDef

from symkripke.installed import packaged_text
from symkripke.language.operators import PREFIXES
from symkripke.limits import LOOK_EVERY, look

# The length of a digest in hexadecimal digits. Two digests stand before the data: of the grammar
# with its options and versions, and of the data, so that damaged files are not used.
_DIGEST = 64

# Options of Lark that are objects of the program: they are not cached, and passed again on reading.
_LIVE = ("postlex", "lexer_callbacks", "transformer")

# Files that others than the owner may write are not read.
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class _Looking(PostLex):
    """Checks the limits at intervals, because texts can be long."""

    always_accept = ()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        for number, token in enumerate(stream):
            if not number % LOOK_EVERY:
                look()
            yield token


def parser(name: str, *grammars: tuple[str, str], **options: Any) -> Lark:
    """A parser for the grammars, one after the other, each a package and its file.

    Args:
        name: the name of the cache file.
        grammars: for each grammar its package and file.
        options: options of Lark; the parser is LALR. A given `postlex` must check limits itself.
    """
    text = "".join(packaged_text(package, file) for package, file in grammars).replace(
        "{prefixes}", "|".join(PREFIXES)
    )
    options = {"parser": "lalr", "postlex": _Looking(), **options}
    folder = _cache()
    if folder is None:
        return Lark(text, **options)
    file = folder / f"{name}.tables.json"
    live = {name: options[name] for name in _LIVE if name in options}
    plain = sorted((name, value) for name, value in options.items() if name not in live)
    good_for = repr((text, plain, sorted(live), __version__, sys.version_info[:2]))
    made = _read(file, good_for, live)
    if made is None:
        made = Lark(text, **options)
        with suppress(OSError):  # the disk is full, or the like
            _write(file, good_for, made)
    return made


def _cache() -> Path | None:
    """The cache folder, made if it does not exist; None if there is none: nothing is cached."""
    try:
        told = os.environ.get("XDG_CACHE_HOME")
        base = Path(told) if told else Path.home() / ".cache"
        folder = base / "symkripke"
        os.fsencode(folder).decode("utf-8")
        if not folder.is_absolute():
            return None  # a relative path would be another folder in each working folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _mine(folder.lstat(), stat.S_ISDIR) else None
    except (OSError, RuntimeError, ValueError):
        return None


def _mine(status: os.stat_result, is_kind: Any) -> bool:
    """Whether it is of that kind and no link, belongs to this user, and only they may write it."""
    owned = not hasattr(os, "getuid") or (
        status.st_uid == os.getuid() and not status.st_mode & _BY_OTHERS
    )
    return bool(is_kind(status.st_mode)) and owned


def _read(file: Path, good_for: str, live: dict[str, Any]) -> Lark | None:
    """The parser in the cache; None if there is none for this grammar and these versions."""
    # Links are not followed, and pipes do not block.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(os.open(file, flags), "rb") as kept:
            if not _mine(os.fstat(kept.fileno()), stat.S_ISREG):
                return None
            written = kept.read()
    except OSError:
        return None
    data = written[2 * _DIGEST :]
    if written[: 2 * _DIGEST] != _digest(good_for.encode()) + _digest(data):
        return None
    return _loaded(json.loads(data), live)


def _write(file: Path, good_for: str, made: Lark) -> None:
    """Write the tables of a parser, completely or not at all. Raises `OSError`."""
    with suppress(FileNotFoundError):
        if not _mine(file.lstat(), stat.S_ISREG):
            return  # the folder belongs to somebody else
    tables, shared = made.memo_serialize([TerminalDef, Rule])
    tables["options"] = {n: v for n, v in tables["options"].items() if n not in _LIVE}
    data = json.dumps({"data": tables, "memo": shared}).encode()
    number, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")
    try:
        with open(number, "wb") as kept:
            kept.write(_digest(good_for.encode()) + _digest(data) + data)
        os.replace(name, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _loaded(kept: dict[str, Any], live: dict[str, Any]) -> Lark:
    """The parser with these tables; numbers that are keys are text in JSON."""
    tables = kept["data"]["parser"]["parser"]
    tables["tokens"] = _numbered(tables["tokens"])
    tables["states"] = {int(key): _numbered(row) for key, row in tables["states"].items()}
    # What Lark's own `load` does after it has unpickled a file.
    empty: Lark = Lark.__new__(Lark)
    return empty._load({"data": kept["data"], "memo": _numbered(kept["memo"])}, **live)


def _numbered(row: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in row.items()}
