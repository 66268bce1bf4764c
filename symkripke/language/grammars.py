"""Parsers made from grammar files. Their tables are cached for the next start.

Lark needs ten times as long to compute the tables of a parser as to read them: 0.1 s for the
grammar of formulas, 0.2 s for that of problem files. The cache has plain data (JSON), never code.
It is used only for the same text of the grammar, the same options, and the same versions of Lark
and Python.

Problem files are read by `lalr`, from tables in a form of our own, so that Lark is not imported for
right texts.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from symkripke.installed import packaged_text
from symkripke.language.operators import PREFIXES
from symkripke.limits import LOOK_EVERY, look

if TYPE_CHECKING:
    from lark import Lark, Token

T = TypeVar("T")

# The length of a digest in hexadecimal digits. Two digests stand before the data: of the grammar
# with its options and versions, and of the data, so that damaged files are not used.
_DIGEST = 64

# Options of Lark that are objects of the program: they are not cached, and passed again on reading.
_LIVE = ("postlex", "lexer_callbacks", "transformer")

# Files that others than the owner may write are not read.
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class _Looking:
    """Checks the limits at intervals, because texts can be long."""

    always_accept = ()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        for number, token in enumerate(stream):
            if not number % LOOK_EVERY:
                look()
            yield token


class Grammar:
    """A grammar in files, with options of Lark, and what is made of it."""

    def __init__(
        self, name: str, files: Sequence[tuple[str, str]], options: dict[str, Any]
    ) -> None:
        """Nothing is made or read yet. See `parser` for the arguments."""
        self.name = name
        self.files = files
        self.options = {"parser": "lalr", "postlex": _Looking(), **options}

    @cached_property
    def _text(self) -> str:
        text = "".join(packaged_text(package, file) for package, file in self.files)
        return text.replace("{prefixes}", "|".join(PREFIXES))

    @cached_property
    def _live(self) -> dict[str, Any]:
        return {name: self.options[name] for name in _LIVE if name in self.options}

    @cached_property
    def _good_for(self) -> str:
        """What tables in the cache must have been made of."""
        plain = sorted((n, value) for n, value in self.options.items() if n not in self._live)
        live = sorted(self._live)
        return repr((self._text, plain, live, _version_of_lark(), sys.version_info[:2]))

    def parser(self) -> Lark:
        """A parser of Lark."""

        def made() -> Lark:
            from lark import Lark

            return Lark(self._text, **self.options)

        return self._kept("tables", made, lambda kept: _loaded(kept, self._live), _plain)

    def tables(self, always: Iterable[str]) -> dict[str, Any]:
        """Tables for `lalr.Reader`.

        Args:
            always: the terminals that every state allows.
        """

        def made() -> dict[str, Any]:
            from symkripke.language.lalr import exported

            return exported(self.parser(), tuple(always))

        return self._kept("states", made, lambda kept: kept, lambda tables: tables)

    def _kept(
        self,
        kind: str,
        make: Callable[[], T],
        loaded: Callable[[dict[str, Any]], T],
        plain: Callable[[T], dict[str, Any]],
    ) -> T:
        """What is in the cache; else what is made now, and kept there if that is possible."""
        folder = _cache()
        if folder is None:
            return make()
        file = folder / f"{self.name}.{kind}.json"
        data = _read(file, self._good_for)
        if data is not None:
            return loaded(json.loads(data))
        made = make()
        with suppress(OSError):  # the disk is full, or the like
            _write(file, self._good_for, json.dumps(plain(made)).encode())
        return made


def parser(name: str, *grammars: tuple[str, str], **options: Any) -> Lark:
    """A parser for the grammars, one after the other, each a package and its file.

    Args:
        name: the name of the cache file.
        grammars: for each grammar its package and file.
        options: options of Lark; the parser is LALR. A given `postlex` must check limits itself.
    """
    return Grammar(name, grammars, options).parser()


def _version_of_lark() -> str:
    """Read from its source: to import Lark takes longer than to read a small problem."""
    if "lark" not in sys.modules:
        found = re.search(r'^__version__.*"(.*)"', _source_of_lark(), re.MULTILINE)
        if found:
            return found[1]
    from lark import __version__

    return __version__


def _source_of_lark() -> str:
    spec = find_spec("lark")
    if spec is None or spec.origin is None:
        return ""
    return Path(spec.origin).read_text(encoding="utf-8")


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


def _read(file: Path, good_for: str) -> bytes | None:
    """The data in the cache; None if there are none for this grammar and these versions."""
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
    return data


def _plain(made: Lark) -> dict[str, Any]:
    """The tables of a parser, as Lark keeps them."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    tables, shared = made.memo_serialize([TerminalDef, Rule])
    tables["options"] = {n: v for n, v in tables["options"].items() if n not in _LIVE}
    return {"data": tables, "memo": shared}


def _write(file: Path, good_for: str, data: bytes) -> None:
    """Write data, completely or not at all. Raises `OSError`."""
    import tempfile

    with suppress(FileNotFoundError):
        if not _mine(file.lstat(), stat.S_ISREG):
            return  # the folder belongs to somebody else
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
    from lark import Lark

    # What Lark's own `load` does after it has unpickled a file.
    empty: Lark = Lark.__new__(Lark)
    return empty._load({"data": kept["data"], "memo": _numbered(kept["memo"])}, **live)


def _numbered(row: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in row.items()}
