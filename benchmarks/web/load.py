"""Many tables at once: how long answers take, what they cost, and what a kill loses.

At each table sit several browsers, and each sends a request every few seconds: a step, a sheet, or
a question with its reason. Steps play the games on; a game that is over makes room for a new one.
All browsers ask every two seconds whether their tables have changed. In the end the server is
killed in the middle of this, and another one is started on the same folder: every table must be as
the last answer left it.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.web.browser import Browser, Gone, Page
from symkripke.errors import LogError
from symkripke.play import Record, game
from symkripke.play.session.log_file import LogFile

GAMES: Sequence[str] = ("cluedo", "kwartet", "old_maid", "perudo", "sleuth")
NESTED = {
    "cluedo": "K[plum] K[green] ~holds(plum, rope)",
    "kwartet": "K[ann] Kw[bob] holds(cath, fat_cow)",
    "old_maid": "K[ann] K[bob] Kw[ann] holds(ann, queen)",
    "perudo": "K[ann] K[bob] eT(2, 3)",
    "sleuth": "K[ann] K[bob] Kw[ann] RDS",
}
"""Questions about knowledge of knowledge, besides the examples that each game gives."""


@dataclass
class Sat:
    """A table with its browsers.

    Attributes:
        game: what is played.
        path: the address of the table; empty: none has been begun yet.
        players: their names.
        events: how many there are, by the last answer that told.
    """

    game: str
    path: str = ""
    players: tuple[str, ...] = ()
    events: int = 0
    is_over: bool = False
    beginning: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True)
class Place:
    """A browser, the number of its table and of its seat there, and its choices."""

    browser: Browser
    table: int
    seat: int
    chance: Random


@dataclass
class Sample:
    """A look at the server: when so many requests had been answered, its memory and its time.

    The time is that of each process, by its number: of the server itself, and of its workers.
    """

    answers: int
    memory: int
    processor: Mapping[int, float]


@dataclass
class Measured:
    """What was measured.

    Attributes:
        seconds: by kind of request, how long after it was due each was answered.
        faults: what was not answered as it should be.
        samples: looks at the server, from time to time.
        told: for each table that was begun, the events that the last answered request showed.
        notices: how often a page that asked was told of a change.
        unanswered: the requests that were under way when the server was killed.
        generator: the processor time of this process.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)
    notices: int = 0
    unanswered: int = 0
    generator: float = 0.0

    @property
    def answers(self) -> int:
        """The number of answers."""
        return sum(map(len, self.seconds.values()))


@dataclass(frozen=True)
class Load:
    """How much: tables, browsers at each, seconds between two requests of each, seconds in all."""

    tables: int = 50
    browsers: int = 4
    every: float = 5.0
    seconds: float = 500.0


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int, subprocess.Popen[str]]]:
    """A server of a folder: its host, its port, and its process, the first of a group."""
    command = ["-m", "symkripke", "serve", "--port", "0", "--no-open", "--data", str(folder)]
    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, process_group=0
    ) as server:
        assert server.stdout is not None
        try:
            for line in server.stdout:
                if found := re.search(r"http://\S+:(\d+)/\s*$", line):
                    yield "127.0.0.1", int(found[1]), server
                    break
        finally:
            kill(server)


def kill(server: subprocess.Popen[str]) -> None:
    """End a server and its workers at once, as `kill -9` does."""
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def measured(folder: Path, load: Load) -> tuple[Measured, list[str]]:
    """Let the load run, kill the server in the middle, and look what has been lost."""
    with served(folder) as (host, port, server):
        found = asyncio.run(_load(host, port, server, load))
    with served(folder) as (host, port, _):
        lost = asyncio.run(_lost(host, port, folder, found))
    return found, lost


# ---- the load ------------------------------------------------------------------------------------


async def _load(host: str, port: int, server: subprocess.Popen[str], load: Load) -> Measured:
    found = Measured()
    places = [
        Place(Browser(host, port), table, seat, Random(f"{table}/{seat}"))
        for table in range(load.tables)
        for seat in range(load.browsers)
    ]
    tables = [Sat(GAMES[number % len(GAMES)]) for number in range(load.tables)]
    for table, place in zip(tables, places[:: load.browsers], strict=True):
        begun = time.monotonic()
        await _request(place.browser, table, place.chance, found)
        found.seconds["begin"].append(time.monotonic() - begun)
    used = time.process_time()
    async with asyncio.TaskGroup() as group:
        watch = group.create_task(_watch(server.pid, found))
        begun = time.monotonic()
        tasks = [
            group.create_task(
                _browse(
                    place, tables[place.table], begun + load.every * n / len(places), load, found
                )
            )
            for n, place in enumerate(places)
        ]
        await asyncio.sleep(load.seconds)
        watch.cancel()
        found.samples.append(_sample(server.pid, found))
        found.generator = time.process_time() - used
        kill(server)
        await asyncio.sleep(1)  # requests under way find that the server has gone
        for task in tasks:
            task.cancel()
    return found


async def _browse(place: Place, table: Sat, due: float, load: Load, found: Measured) -> None:
    """One browser: a request every so many seconds; if an answer takes longer, the next is late.

    How long an answer takes counts from when the request was due, or from the answer before.
    """
    browser, listening, free = place.browser, Listening(), 0.0
    try:
        while True:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            listening.to(browser, table.path, found)
            kind, page = await _request(browser, table, place.chance, found)
            free, begun = time.monotonic(), max(due, free)
            found.seconds[kind].append(free - begun)
            if page.status != 200:
                found.faults.append(f"{kind} {table.game}: {page.status} {page.text[-300:]}")
            due += load.every
    except Gone:
        found.unanswered += 1
    finally:
        listening.end()
        browser.close()


_CHECKS = 2.0
"""The seconds between two checks of a page, as in `app.js`."""


class Listening:
    """A page that asks again and again whether its table has changed."""

    def __init__(self) -> None:
        """To nothing yet."""
        self._path = ""
        self._task: asyncio.Task[None] | None = None

    def to(self, browser: Browser, path: str, found: Measured) -> None:
        """Listen to this table, and no longer to another one."""
        if self._path != path:
            self.end()
            self._path = path
            self._task = asyncio.create_task(_listen(browser, path, found))

    def end(self) -> None:
        """Listen no longer."""
        if self._task is not None:
            self._task.cancel()


async def _request(
    browser: Browser, table: Sat, chance: Random, found: Measured
) -> tuple[str, Page]:
    """Send a request; says of which kind it was."""
    if not table.path or table.is_over:
        async with table.beginning:
            if not table.path or table.is_over:
                return "begin", await _begin(browser, table, chance, found)
    path, kind = table.path, chance.choice(("step", "sheet", "sheet", "question"))
    if kind == "step":
        page = await browser.post(f"{path}/play", {})
        if page.status == 403:  # a browser that has not seen any page yet
            await browser.get(path)
            page = await browser.post(f"{path}/play", {})
        _note(table, path, page, found)
        return kind, page
    at = {} if chance.random() < 0.5 else {"at": chance.randrange(table.events + 1)}
    if kind == "sheet":
        how = chance.choice(("", "", "", "odds"))
        shown = {"player": chance.choice(table.players), **({"show": how} if how else {})}
        return how or kind, await browser.get(path, **shown, **at)
    page = await browser.get(f"{path}/ask", q=question(table, chance), **at)
    answer = re.search(r'<h2 class="verdict', page.text)
    if page.status == 200 and answer is None:
        found.faults.append(f"no answer: {table.game}")
    return f"{kind}, {table.game}", page


def question(table: Sat, chance: Random) -> str:
    """An example of the game or a nested question, about other players than those that it names."""
    told = chance.choice((*game(table.game).examples, NESTED[table.game]))
    others = dict(zip(table.players, chance.sample(table.players, len(table.players)), strict=True))
    return re.sub(r"\w+", lambda word: others.get(word[0], word[0]), told)


async def _begin(browser: Browser, table: Sat, chance: Random, found: Measured) -> Page:
    """Begin a game, as the page offers it."""
    page = await browser.get(f"/new/{table.game}")
    fields = dict(re.findall(r'<input name="(name\d+)"[^>]* value="([^"]*)"', page.text))
    for name in tuple(fields):
        seat = name.removeprefix("name")
        choice = re.search(
            rf'name="mind{seat}".*?value="([^"]*)"[^>]* selected', page.text, re.DOTALL
        )
        assert choice is not None
        fields[f"mind{seat}"] = choice[1]
    fields |= {"rules": game(table.game).rules[0], "seed": str(chance.randrange(10**6))}
    page = await browser.post(f"/new/{table.game}", fields)
    if page.status != 200:
        return page
    table.path, table.is_over = page.path, False
    table.players = tuple(re.findall(r'id="seat-(\w+)"', page.text))
    table.events = 0
    found.told[page.path] = []
    return page


def _note(table: Sat, path: str, page: Page, found: Measured) -> None:
    """Note what the table has come to, by the page after a step."""
    told = events_of(page.text)
    if len(told) > len(found.told[path]):
        found.told[path] = told
    if path == table.path:
        table.events = max(table.events, len(told))
        table.is_over = f'action="{path}/play"' not in page.text


def events_of(page: str) -> list[str]:
    """All events that a page tells, from the first one."""
    lines = re.findall(r'<li value="[1-9]\d*">(.*?)</li>', page, re.DOTALL)
    return [html.unescape(re.sub("<[^>]*>", "", line)).strip() for line in lines]


async def _listen(browser: Browser, path: str, found: Measured) -> None:
    asking, version = browser.another(), ""
    try:
        with suppress(Gone):
            while True:
                page = await asking.get(f"{path}/changes")
                found.notices += bool(version) and page.text != version
                version = page.text
                await asyncio.sleep(_CHECKS)
    finally:
        asking.close()


# ---- the server's processes ----------------------------------------------------------------------

_BETWEEN = 5.0


async def _watch(server: int, found: Measured) -> None:
    while True:
        found.samples.append(_sample(server, found))
        await asyncio.sleep(_BETWEEN)


def _sample(server: int, found: Measured) -> Sample:
    every = processes(server)
    return Sample(
        found.answers, sum(map(held_by, every)), {process: used_by(process) for process in every}
    )


def processes(server: int) -> list[int]:
    """A process and its children."""
    children: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{server}/task").iterdir():  # each thread has its own
            children += map(int, (task / "children").read_text().split())
    return [server, *children]


def held_by(process: int) -> int:
    """The bytes that a process holds; what it shares with others is divided among them."""
    with suppress(OSError):
        told = Path(f"/proc/{process}/smaps_rollup").read_text()
        if found := re.search(r"^Pss:\s*(\d+) kB", told, re.MULTILINE):
            return 1024 * int(found[1])
    return 0


def used_by(process: int) -> float:
    """The seconds of processor time that a process has used."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


# ---- after the kill ------------------------------------------------------------------------------


async def _lost(host: str, port: int, folder: Path, found: Measured) -> list[str]:
    """Which tables are not, by another server, as the last answered request left them."""
    lost = []
    browser = Browser(host, port)
    for path, told in found.told.items():
        page = await browser.get(path)
        now = events_of(page.text)
        if now[: len(told)] != told:
            lost.append(f"{path}: {len(now)} events, {len(told)} were shown")
    for log in sorted((folder / "tables").glob("*.jsonl")):
        try:
            file = LogFile(log)
            Record.parse(file.text, log.name).replay(log.name)
        except LogError as error:
            lost.append(str(error))
        else:
            if file.note:
                lost.append(file.note)
    browser.close()
    return lost
