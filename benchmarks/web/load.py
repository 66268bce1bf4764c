"""Many tables at once: how long answers take, what memory is held, and what a kill loses."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx2

from symkripke.play import Record, Table, game

GAMES: Sequence[tuple[str, dict[str, Any]]] = (
    ("cluedo", {"players": 6}),
    ("cluedo", {"players": 3}),
    ("kwartet", {"players": 4}),
    ("old_maid", {"players": 4}),
    ("perudo", {"players": 3}),
)
QUESTIONS = {
    "cluedo": "K[{0}] knows_solution({1})",
    "kwartet": "K[{0}] holds(cath, fat_cow)",
    "old_maid": "M[{0}] holds({1}, queen)",
    "perudo": "K[{0}] eT(2, 3)",
}


@dataclass
class Measured:
    """What was measured.

    Attributes:
        seconds: by kind of request how long each took.
        faults: what was not answered as it should be.
        memory: bytes that the server and its processes hold, from time to time.
        events: for each table the event that the last answered request showed.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    events: dict[str, int] = field(default_factory=dict)


def set_tables(folder: Path, tables: int) -> list[str]:
    """Begin so many tables; their names."""
    folder.mkdir(parents=True)
    names = []
    for number in range(tables):
        name, options = GAMES[number % len(GAMES)]
        table = Table(game(name), game(name).setup(**options), (), number)
        names.append(f"{name.replace('_', '-')}-{number}")
        Record.of(table).write(folder / f"{names[-1]}.jsonl")
    return names


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server of a folder: its address, and its process."""
    command = ["-m", "symkripke", "serve", "--port", "0", "--no-open", "--data", str(folder)]
    with subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            for line in server.stdout:
                if found := re.search(r"http://\S+?(?=/\s*$)", line):
                    yield found[0], server
                    break
        finally:
            server.kill()


async def load(
    address: str, process: int, names: Sequence[str], browsers: int, seconds: float, every: float
) -> Measured:
    """Let so many browsers at each table send a request every so many seconds."""
    found = Measured()
    end = time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        group.create_task(_watch_memory(process, found, end))
        for number, name in enumerate(names):
            for browser in range(browsers):
                start = every * (number * browsers + browser) / (len(names) * browsers)
                group.create_task(_browse(address, name, browser, start, every, end, found))
    return found


async def _browse(
    address: str, name: str, browser: int, start: float, every: float, end: float, found: Measured
) -> None:
    """One browser: the first one of a table steps, and all look and ask."""
    chance = Random(f"{name}/{browser}")
    players: list[str] = []
    await asyncio.sleep(start)
    async with httpx2.AsyncClient(base_url=address, follow_redirects=True, timeout=60) as client:
        page = ""
        while time.monotonic() < end:
            begun = time.monotonic()
            kind = chance.choice(("step", "sheet", "sheet", "question")) if page else "page"
            try:
                if kind == "step" and browser == 0 and f"/t/{name}/play" in page:
                    token = re.search(r'name="form_token" value="(\w+)"', page)
                    assert token is not None
                    answer = await client.post(f"/t/{name}/play", data={"form_token": token[1]})
                elif kind == "step":
                    kind = "back"
                    answer = await client.get(f"/t/{name}", params={"at": chance.randrange(4)})
                elif kind == "sheet":
                    who = chance.choice(players)
                    answer = await client.get(f"/t/{name}", params={"player": who})
                elif kind == "question":
                    asked = QUESTIONS[name.rpartition("-")[0].replace("-", "_")]
                    query = {"q": asked.format(*players), "at": str(chance.randrange(6))}
                    answer = await client.get(f"/t/{name}/ask", params=query)
                else:
                    answer = await client.get(f"/t/{name}")
            except httpx2.HTTPError as error:
                found.faults.append(f"{kind} {name}: {error!r}")
                continue
            found.seconds[kind].append(time.monotonic() - begun)
            if answer.status_code != 200:
                found.faults.append(f"{kind} {name}: {answer.status_code}")
            if kind in ("page", "step"):
                page = answer.text
                players = re.findall(r'id="seat-(\w+)"', page)
                shown = re.search(r'<span class="place">(\d+) ', page)
                if shown is not None:
                    found.events[name] = max(found.events.get(name, 0), int(shown[1]))
            await asyncio.sleep(max(0.0, every - (time.monotonic() - begun)))


async def _watch_memory(process: int, found: Measured, end: float) -> None:
    while time.monotonic() < end:
        found.memory.append(held_by(process))
        await asyncio.sleep(2)


def held_by(process: int) -> int:
    """The bytes that a process and its children hold."""
    total = 0
    children: list[str] = []
    for task in Path(f"/proc/{process}/task").iterdir():  # each thread has its own
        with suppress(OSError):
            children += (task / "children").read_text().split()
    for number in (str(process), *children):
        try:
            pages = int(Path(f"/proc/{number}/statm").read_text().split()[1])
        except OSError:
            continue
        total += pages * os.sysconf("SC_PAGE_SIZE")
    return total


def lost_by_kill(folder: Path, names: Sequence[str], found: Measured) -> list[str]:
    """Which tables are not, in their logs, as their last answered request left them."""
    lost = []
    for name in names:
        events = len(Record.read(folder / f"{name}.jsonl").outcomes)
        if events < found.events.get(name, 0):
            lost.append(f"{name}: {events} events, {found.events[name]} were shown")
    return lost


def kill(process: subprocess.Popen[str]) -> None:
    """End a server at once, as `kill -9` does."""
    process.send_signal(signal.SIGKILL)
    process.wait()
