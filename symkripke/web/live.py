"""Notices that a table has changed: open pages listen to server-sent events.

A change by this server is reported at once. A change of the log by another program, such as the
terminal, is noticed within two seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from symkripke.errors import SymkripkeError

_SECONDS = 2.0
_LISTENERS = 64
"""The greatest number of pages that listen to one table."""

_ALL = 600
"""The greatest number of pages that listen to any table."""


class TooMany(SymkripkeError):
    """Too many pages listen already."""


class Live:
    """The pages that listen to each table."""

    def __init__(self) -> None:
        """Nobody yet."""
        self._listening: dict[str, set[asyncio.Event]] = {}

    def tell(self, name: str) -> None:
        """A table has changed."""
        for event in self._listening.get(name, ()):
            event.set()

    async def changes(self, name: str, log: Path) -> AsyncIterator[dict[str, str | int]]:
        """Events for a page that listens: one for each change, as long as the page is there."""
        event = asyncio.Event()
        stamp = _stamp(log)
        listeners = self._listening.setdefault(name, set())
        listeners.add(event)
        try:
            yield {"event": "hello", "data": "", "retry": 3000}
            while True:
                try:
                    async with asyncio.timeout(_SECONDS):
                        await event.wait()
                except TimeoutError:
                    if _stamp(log) == stamp:
                        continue
                event.clear()
                stamp = _stamp(log)
                yield {"event": "changed", "data": ""}
        finally:
            listeners.discard(event)
            if not listeners:
                self._listening.pop(name, None)

    def check(self, name: str) -> None:
        """Raises `TooMany` if no more pages can listen to this table."""
        everybody = sum(map(len, self._listening.values()))
        if len(self._listening.get(name, ())) >= _LISTENERS or everybody >= _ALL:
            raise TooMany("too many pages listen to this table: reload to see what is new")


def _stamp(log: Path) -> tuple[int, int]:
    try:
        about = log.stat()
    except OSError:
        return 0, 0
    return about.st_mtime_ns, about.st_size
