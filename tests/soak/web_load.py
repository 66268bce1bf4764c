"""Many tables at once: the server answers every request, and a kill loses nothing.

Several browsers sit at each table, and each sends a request every few seconds: a step, a sheet, or
a question with its reason. Steps continue the games, and a new game replaces a finished one. All
browsers ask every two seconds whether their tables have changed. In the end the server is killed
under this load, and another one starts on the same folder. Every table must be as the last answer
left it.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import signal
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click
import httpx2

from symkripke.errors import LogError
from symkripke.play import Record, game
from symkripke.play.session.log_file import LogFile
from tests.soak.common import Found
from tests.soak.serving import served
from tests.web.support import forms

GAMES: Sequence[str] = ("cluedo", "kwartet", "old_maid", "perudo", "sleuth")
NESTED = {
    "cluedo": "K[plum] K[green] ~holds(plum, rope)",
    "kwartet": "K[ann] Kw[bob] holds(cath, fat_cow)",
    "old_maid": "K[ann] K[bob] Kw[ann] holds(ann, queen)",
    "perudo": "K[ann] K[bob] eT(2, 3)",
    "sleuth": "K[ann] K[bob] Kw[ann] RDS",
}
"""Questions about nested knowledge, besides the examples of each game."""

_CHECKS = 2.0
"""The interval between two checks of a page in seconds, as in `app.js`."""


@dataclass
class Measured:
    """The measurements of a run.

    Attributes:
        found: the requests by kind, and the faults.
        waits: the seconds between the due time and the answer of each request.
        told: for each table, the events on the page of the last answered request.
    """

    found: Found
    waits: list[float] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)


class Browser(httpx2.AsyncClient):
    """A client that keeps its session and the form token of its pages."""

    _token = ""

    @classmethod
    def of(cls, address: str) -> Browser:
        """Return a browser that has not opened any page yet."""
        return cls(base_url=address, follow_redirects=True, timeout=120)

    async def request(self, *given: Any, **options: Any) -> httpx2.Response:
        """Open a page, following redirects, and keep its form token."""
        page = await super().request(*given, **options)
        if token := re.search(r'name="form_token" value="(\w+)"', page.text):
            self._token = token[1]
        return page

    async def send_form(self, path: str, **fields: str) -> httpx2.Response:
        """Send a form with the token of the last page."""
        return await self.post(path, data={"form_token": self._token, **fields})


# ---- a table -------------------------------------------------------------------------------------


class Sat:
    """A table with its browsers, where one game follows another."""

    def __init__(self, name: str, measured: Measured) -> None:
        """Start without a game."""
        self.game, self.measured = name, measured
        self.path, self.is_over, self.events = "", True, 0
        self.players: tuple[str, ...] = ()
        self._beginning = asyncio.Lock()

    async def request(self, browser: Browser, chance: Random) -> tuple[str, httpx2.Response]:
        """Send a request; return its kind and the response."""
        async with self._beginning:
            if self.is_over:
                return "begin", await self._begin(browser, chance)
        path, kind = self.path, chance.choice(("step", "sheet", "sheet", "question"))
        if kind == "step":
            page = await browser.send_form(f"{path}/play")
            if page.status_code == 403:  # a browser that has not opened any page yet
                await browser.get(path)
                page = await browser.send_form(f"{path}/play")
            self._note(path, page.text)
            return kind, page
        at = {} if chance.random() < 0.5 else {"at": str(chance.randrange(self.events + 1))}
        if kind == "sheet":
            show = {"show": "odds"} if chance.random() < 0.25 else {}
            seen = {"player": chance.choice(self.players), **show, **at}
            return kind, await browser.get(path, params=seen)
        page = await browser.get(f"{path}/ask", params={"q": self._question(chance), **at})
        answered = page.status_code != 200 or '<h2 class="verdict' in page.text
        self.measured.found.check(answered, f"no answer: {self.game}, {page.url}")
        return kind, page

    def _question(self, chance: Random) -> str:
        """Return an example or a nested question, with randomly exchanged players."""
        told = chance.choice((*game(self.game).examples, NESTED[self.game]))
        mixed = chance.sample(self.players, len(self.players))
        others = dict(zip(self.players, mixed, strict=True))
        return re.sub(r"\w+", lambda word: others.get(word[0], word[0]), told)

    async def _begin(self, browser: Browser, chance: Random) -> httpx2.Response:
        """Begin the game that the page offers."""
        page = await browser.get(f"/new/{self.game}")
        asked = next(one for one in forms(page.text) if one.method == "post")
        fields = {**asked.fields, "seed": str(chance.randrange(10**6))}
        page = await browser.send_form(f"/new/{self.game}", **fields)
        if page.status_code == 200:
            self.path, self.is_over, self.events = page.url.path, False, 0
            self.players = tuple(re.findall(r'id="seat-(\w+)"', page.text))
            self.measured.told[self.path] = []
        return page

    def _note(self, path: str, page: str) -> None:
        """Record the state of the table, from the page after a step."""
        told = events_of(page)
        if len(told) > len(self.measured.told[path]):
            self.measured.told[path] = told
        if path == self.path:
            self.events = max(self.events, len(told))
            self.is_over = f'action="{path}/play"' not in page


def events_of(page: str) -> list[str]:
    """Return all events on a page, from the first one."""
    lines = re.findall(r'<li value="[1-9]\d*">(.*?)</li>', page, re.DOTALL)
    return [html.unescape(re.sub("<[^>]*>", "", line)).strip() for line in lines]


# ---- the load ------------------------------------------------------------------------------------


async def _load(
    address: str, process: int, number: int, browsers: int, every: float, seconds: float
) -> Measured:
    got = Measured(Found())
    tables = [Sat(GAMES[place % len(GAMES)], got) for place in range(number)]
    memory = [_memory(process)]
    async with asyncio.TaskGroup() as group:
        begun = time.monotonic()
        for place in range(number * browsers):
            table, due = tables[place % number], begun + place * every / number
            group.create_task(_browse(address, table, Random(place), due, every))
        for _ in range(10):
            await asyncio.sleep(seconds / 10)
            memory.append(_memory(process))
        os.killpg(process, signal.SIGKILL)  # each browser notices that the server is gone, and ends
    got.found.notes.append(f"MB of all processes: {', '.join(f'{held:.0f}' for held in memory)}")
    return got


async def _browse(address: str, table: Sat, chance: Random, due: float, every: float) -> None:
    """Run one browser: a request every `every` seconds, or later if an answer takes longer.

    The waiting time starts when the request was due, or when the previous answer came.
    """
    listening, free = asyncio.create_task(_listen(address, table)), 0.0
    found = table.measured.found
    with suppress(httpx2.TransportError):
        async with Browser.of(address) as browser:
            while True:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                kind, page = await table.request(browser, chance)
                free, begun = time.monotonic(), max(due, free)
                table.measured.waits.append(free - begun)
                found.done[kind] += 1
                told = f"{kind} {table.game}: {page.status_code} {page.text[-300:]}"
                found.check(page.status_code == 200, told)
                due += every
    listening.cancel()


async def _listen(address: str, table: Sat) -> None:
    """Run a page that repeatedly asks whether its table has changed."""
    with suppress(httpx2.TransportError):
        async with Browser.of(address) as browser:
            while True:
                if table.path:
                    await browser.get(f"{table.path}/changes")
                await asyncio.sleep(_CHECKS)


def _memory(server: int) -> float:
    """Return the MB held by a server and its children, with shared memory divided among them."""
    held = 0
    with suppress(OSError):
        children: list[str] = []
        for task in Path(f"/proc/{server}/task").iterdir():  # each thread has its own children
            children += (task / "children").read_text().split()
        for process in (server, *children):
            told = Path(f"/proc/{process}/smaps_rollup").read_text()
            if found := re.search(r"^Pss:\s*(\d+) kB", told, re.MULTILINE):
                held += int(found[1])
    return held / 1000


async def _look_again(address: str, folder: Path, got: Measured) -> None:
    """Check on another server that all tables are as the last answered request left them."""
    async with Browser.of(address) as browser:
        for path, told in got.told.items():
            now = events_of((await browser.get(path)).text)
            lost = f"{path}: {len(now)} events, {len(told)} were shown"
            got.found.check(now[: len(told)] == told, lost)
            got.found.done["tables after the kill"] += 1
    for log in sorted((folder / "tables").glob("*.jsonl")):
        try:
            file = LogFile(log)
            Record.parse(file.text, log.name).replay(log.name)
        except LogError as error:
            got.found.fault(str(error))
        else:
            got.found.check(not file.note, str(file.note))


@click.command()
@click.option("--tables", type=click.IntRange(1), default=50, help="How many tables.")
@click.option("--browsers", type=click.IntRange(1), default=4, help="Browsers at each table.")
@click.option("--every", type=float, default=5.0, help="Seconds between two requests of each.")
@click.option("--seconds", type=float, default=500.0, help="How long.")
def web_load(tables: int, browsers: int, every: float, seconds: float) -> Found:
    """Play at many tables at once, kill the server at the end, and check for lost events."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with served(folder) as (host, port, server):
            address = f"http://{host}:{port}"
            got = asyncio.run(_load(address, server.pid, tables, browsers, every, seconds))
        with served(folder) as (host, port, _):
            asyncio.run(_look_again(f"http://{host}:{port}", folder, got))
    got.found.check(bool(got.waits), "no request was answered")
    waits = sorted(got.waits) or [0.0]
    late = waits[int(0.95 * (len(waits) - 1))]
    told = f"an answer took {statistics.median(waits):.2f} s (median), {late:.2f} s (95%)"
    got.found.notes.append(told)
    return got.found
