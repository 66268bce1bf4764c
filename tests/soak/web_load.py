"""Many tables at once: every request is answered, and a kill loses nothing.

At each table sit several browsers, and each sends a request every few seconds: a step, a sheet, or
a question with its reason. Steps play the games on; a game that is over makes room for a new one.
All browsers ask every two seconds whether their tables have changed. In the end the server is
killed in the middle of this, and another one is started on the same folder: every table must be as
the last answer left it.
"""

from __future__ import annotations

import asyncio
import html
import re
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click
import httpx2

from symkripke.errors import LogError
from symkripke.play import Record, game
from symkripke.play.session.log_file import LogFile
from tests.soak.common import Found
from tests.soak.serving import kill, served

GAMES: Sequence[str] = ("cluedo", "kwartet", "old_maid", "perudo", "sleuth")
NESTED = {
    "cluedo": "K[plum] K[green] ~holds(plum, rope)",
    "kwartet": "K[ann] Kw[bob] holds(cath, fat_cow)",
    "old_maid": "K[ann] K[bob] Kw[ann] holds(ann, queen)",
    "perudo": "K[ann] K[bob] eT(2, 3)",
    "sleuth": "K[ann] K[bob] Kw[ann] RDS",
}
"""Questions about knowledge of knowledge, besides the examples that each game gives."""

_CHECKS = 2.0
"""The seconds between two checks of a page, as in `app.js`."""


@dataclass(frozen=True)
class Load:
    """How much: tables, browsers at each, seconds between two requests of each, seconds in all."""

    tables: int = 50
    browsers: int = 4
    every: float = 5.0
    seconds: float = 500.0


@dataclass
class Measured:
    """What came of it.

    Attributes:
        found: the requests by kind, and the faults.
        waits: how long after it was due each request was answered, in seconds.
        told: for each table that was begun, the events that the last answered request showed.
    """

    found: Found
    waits: list[float] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)


class Browser:
    """A client that keeps its session, and the token that the forms of its pages carry."""

    def __init__(self, address: str) -> None:
        """A browser that has not opened any page yet."""
        self._client = httpx2.AsyncClient(base_url=address, follow_redirects=True, timeout=120)
        self._token = ""

    async def get(self, path: str, **query: str) -> httpx2.Response:
        """Open a page, and whatever it leads to."""
        return self._noted(await self._client.get(path, params=query))

    async def post(self, path: str, fields: Mapping[str, str]) -> httpx2.Response:
        """Send a form with the token of the last page."""
        data = {"form_token": self._token, **fields}
        return self._noted(await self._client.post(path, data=data))

    async def close(self) -> None:
        """End the connection."""
        await self._client.aclose()

    def _noted(self, page: httpx2.Response) -> httpx2.Response:
        if token := re.search(r'name="form_token" value="(\w+)"', page.text):
            self._token = token[1]
        return page


# ---- a table -------------------------------------------------------------------------------------


class Sat:
    """A table with its browsers: the game that is played there, and then the next one."""

    def __init__(self, name: str, measured: Measured) -> None:
        """No game has been begun yet."""
        self.game, self.measured = name, measured
        self.path, self.is_over, self.events = "", True, 0
        self.players: tuple[str, ...] = ()
        self._beginning = asyncio.Lock()

    async def request(self, browser: Browser, chance: Random) -> tuple[str, httpx2.Response]:
        """Send a request; says of which kind it was."""
        async with self._beginning:
            if self.is_over:
                return "begin", await self._begin(browser, chance)
        path, kind = self.path, chance.choice(("step", "sheet", "sheet", "question"))
        if kind == "step":
            page = await browser.post(f"{path}/play", {})
            if page.status_code == 403:  # a browser that has not seen any page yet
                await browser.get(path)
                page = await browser.post(f"{path}/play", {})
            self._note(path, page.text)
            return kind, page
        at = {} if chance.random() < 0.5 else {"at": str(chance.randrange(self.events + 1))}
        if kind == "sheet":
            show = {"show": "odds"} if chance.random() < 0.25 else {}
            return kind, await browser.get(path, player=chance.choice(self.players), **show, **at)
        page = await browser.get(f"{path}/ask", q=self._question(chance), **at)
        answered = page.status_code != 200 or '<h2 class="verdict' in page.text
        self.measured.found.check(answered, f"no answer: {self.game}, {page.url}")
        return kind, page

    def _question(self, chance: Random) -> str:
        """An example or a nested question, about other players than those that it names."""
        told = chance.choice((*game(self.game).examples, NESTED[self.game]))
        mixed = chance.sample(self.players, len(self.players))
        others = dict(zip(self.players, mixed, strict=True))
        return re.sub(r"\w+", lambda word: others.get(word[0], word[0]), told)

    async def _begin(self, browser: Browser, chance: Random) -> httpx2.Response:
        """Begin a game, as the page offers it."""
        page = await browser.get(f"/new/{self.game}")
        fields = dict(re.findall(r'<input name="(name\d+)"[^>]* value="([^"]*)"', page.text))
        for name in tuple(fields):
            seat = name.removeprefix("name")
            mind = rf'name="mind{seat}".*?value="([^"]*)"[^>]* selected'
            choice = re.search(mind, page.text, re.DOTALL)
            assert choice is not None
            fields[f"mind{seat}"] = choice[1]
        fields |= {"rules": game(self.game).rules[0], "seed": str(chance.randrange(10**6))}
        page = await browser.post(f"/new/{self.game}", fields)
        if page.status_code == 200:
            self.path, self.is_over, self.events = page.url.path, False, 0
            self.players = tuple(re.findall(r'id="seat-(\w+)"', page.text))
            self.measured.told[self.path] = []
        return page

    def _note(self, path: str, page: str) -> None:
        """Note what the table has come to, by the page after a step."""
        told = events_of(page)
        if len(told) > len(self.measured.told[path]):
            self.measured.told[path] = told
        if path == self.path:
            self.events = max(self.events, len(told))
            self.is_over = f'action="{path}/play"' not in page


def events_of(page: str) -> list[str]:
    """All events that a page tells, from the first one."""
    lines = re.findall(r'<li value="[1-9]\d*">(.*?)</li>', page, re.DOTALL)
    return [html.unescape(re.sub("<[^>]*>", "", line)).strip() for line in lines]


# ---- the load ------------------------------------------------------------------------------------


async def _load(address: str, server: subprocess.Popen[str], load: Load, got: Measured) -> None:
    found = got.found
    tables = [Sat(GAMES[number % len(GAMES)], got) for number in range(load.tables)]
    memory = [_memory(server.pid)]
    async with asyncio.TaskGroup() as group:
        begun = time.monotonic()
        for number in range(load.tables * load.browsers):
            table, due = tables[number % load.tables], begun + number * load.every / load.tables
            group.create_task(_browse(address, table, Random(number), due, load, got))
        for _ in range(10):
            await asyncio.sleep(load.seconds / 10)
            memory.append(_memory(server.pid))
        kill(server)  # each browser finds that the server has gone, and ends
    found.notes.append(f"MB of all processes: {', '.join(f'{held:.0f}' for held in memory)}")


async def _browse(
    address: str, table: Sat, chance: Random, due: float, load: Load, got: Measured
) -> None:
    """One browser: a request every so many seconds; if an answer takes longer, the next is late.

    How long an answer takes counts from when the request was due, or from the answer before.
    """
    browser = Browser(address)
    listening = asyncio.create_task(_listen(address, table))
    free = 0.0
    with suppress(httpx2.TransportError):
        while True:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            kind, page = await table.request(browser, chance)
            free, begun = time.monotonic(), max(due, free)
            got.waits.append(free - begun)
            got.found.done[kind] += 1
            right = page.status_code == 200
            told = f"{kind} {table.game}: {page.status_code} {page.text[-300:]}"
            got.found.check(right, told)
            due += load.every
    listening.cancel()
    await browser.close()


async def _listen(address: str, table: Sat) -> None:
    """A page that asks again and again whether its table has changed."""
    browser = Browser(address)
    with suppress(httpx2.TransportError):
        for _ in count():
            if table.path:
                await browser.get(f"{table.path}/changes")
            await asyncio.sleep(_CHECKS)
    await browser.close()


def _memory(server: int) -> float:
    """The MB that a server and its children hold; what they share is divided among them."""
    held = 0
    with suppress(OSError):
        children: list[str] = []
        for task in Path(f"/proc/{server}/task").iterdir():  # each thread has its own
            children += (task / "children").read_text().split()
        for process in (server, *children):
            told = Path(f"/proc/{process}/smaps_rollup").read_text()
            if found := re.search(r"^Pss:\s*(\d+) kB", told, re.MULTILINE):
                held += int(found[1])
    return held / 1000


async def _look_again(address: str, folder: Path, got: Measured) -> None:
    """Check that all tables are, by another server, as the last answered request left them."""
    browser = Browser(address)
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
    await browser.close()


@click.command()
@click.option("--tables", type=click.IntRange(1), default=50, help="How many tables.")
@click.option("--browsers", type=click.IntRange(1), default=4, help="Browsers at each table.")
@click.option("--every", type=float, default=5.0, help="Seconds between two requests of each.")
@click.option("--seconds", type=float, default=500.0, help="How long.")
def web_load(tables: int, browsers: int, every: float, seconds: float) -> Found:
    """Play at many tables at once; in the end a kill, and a look at what it has lost."""
    got = Measured(Found())
    with TemporaryDirectory() as name:
        folder = Path(name)
        with served(folder) as (host, port, server):
            load = Load(tables, browsers, every, seconds)
            asyncio.run(_load(f"http://{host}:{port}", server, load, got))
        with served(folder) as (host, port, _):
            asyncio.run(_look_again(f"http://{host}:{port}", folder, got))
    got.found.check(bool(got.waits), "no request was answered")
    waits = sorted(got.waits) or [0.0]
    late = waits[int(0.95 * (len(waits) - 1))]
    told = f"an answer took {statistics.median(waits):.2f} s (median), {late:.2f} s (95%)"
    got.found.notes.append(told)
    return got.found
