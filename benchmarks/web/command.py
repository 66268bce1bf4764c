"""`python -m benchmarks web ...`.

The page and its clients are imported by the commands that need them: other benchmarks start sooner.
"""

from __future__ import annotations

import shutil
import statistics
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from benchmarks.common import show

if TYPE_CHECKING:
    from benchmarks.web.load import Measured


@click.group()
def web() -> None:
    """The page in the browser: leaks, wrong requests, load."""


@web.command()
@click.option("--moments", type=click.IntRange(1), default=1000)
@click.option("--seed", type=int, default=0)
def leaks(moments: int, seed: int) -> None:
    """Compare what is sent to seats with what would be sent if what is hidden were different."""
    from benchmarks.web.leaks import leaks as compared

    with TemporaryDirectory() as folder:
        found = compared(Path(folder), moments, seed)
    rows = [(name, f"{number:,}") for name, number in sorted(found.moments.items())]
    notes = [
        f"{found.pages:,} answers with {found.bytes:,} bytes compared",
        f"{found.examples:,} pairs of answers with example worlds, of which "
        f"{found.differing or 'none'} differ",
        *found.leaks,
    ]
    show("A seat's pages give nothing away", ("game", "moments"), rows, notes)
    if found.leaks:
        raise SystemExit(1)


@web.command()
@click.option("--requests", "number", type=click.IntRange(1), default=1000)
@click.option("--seed", type=int, default=0)
@click.option("--slow", type=click.IntRange(0, 150), default=30, help="Slow clients of each kind.")
@click.option("--seconds", type=float, default=25.0, help="How long they hold on.")
def wrong(number: int, seed: int, slow: int, seconds: float) -> None:
    """Send wrong requests: no error of the server, nothing changed, nothing told, nobody in."""
    from starlette.testclient import TestClient

    from benchmarks.web.load import served
    from benchmarks.web.sockets import Told, raw_requests, slow_clients
    from benchmarks.web.wrong import begin_games, wrong_requests
    from symkripke.web.server import application
    from symkripke.web.settings import Settings

    with TemporaryDirectory() as name:
        folder = Path(name)
        app = application(Settings(folder, host="0.0.0.0"))
        begin_games(folder / "tables")
        before = _contents(folder)
        with TestClient(app, raise_server_exceptions=False) as client:
            found = wrong_requests(client, "wrong", (folder / "secret").read_bytes(), number, seed)
        told = Told()
        with served(folder) as (host, port, _):
            raw_requests(host, port, told)
            slow_clients(host, port, slow, seconds, told)
        found.faults += told.faults
        if _contents(folder) != before:
            found.faults.append("something in the folder has changed")
    rows = [(str(status), f"{times:,}") for status, times in sorted(found.statuses.items())]
    show("Wrong requests", ("status", "answers"), rows, [])
    rows = [(str(status), f"{times:,}") for status, times in sorted(told.statuses.items())]
    middle, late, latest = (1000 * time for time in spread(told.quick))
    notes = [
        f"{told.closed} of {told.slow} slow bodies were closed after {seconds:.0f} s; meanwhile "
        f"others got {len(told.quick)} pages in {middle:.0f} ms (median), {late:.0f} (95%), "
        f"{latest:.0f} (most)",
        *(found.faults or ["no fault"]),
    ]
    show("On real sockets (0: closed without an answer)", ("status", "answers"), rows, notes)
    if found.faults:
        raise SystemExit(1)


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@web.command("load")
@click.option("--tables", type=click.IntRange(1), default=50)
@click.option("--browsers", type=click.IntRange(1), default=4)
@click.option("--every", type=float, default=5.0, help="Seconds between two requests of each.")
@click.option("--seconds", type=float, default=500.0, help="How long.")
def load_command(tables: int, browsers: int, every: float, seconds: float) -> None:
    """Many tables at once; in the end a kill, and a look at what it has lost."""
    from benchmarks.web.load import Load, measured

    load = Load(tables, browsers, every, seconds)
    with TemporaryDirectory() as name:
        found, lost = measured(Path(name), load)
    kinds = dict(found.seconds)
    kinds["question"] = [
        time for kind, times in kinds.items() if kind.startswith("question") for time in times
    ]
    rows = [
        (kind, f"{len(times):,}", *(f"{1000 * time:.0f}" for time in spread(times)))
        for kind, times in sorted(kinds.items())
        if times
    ]
    notes = [
        *used(found, seconds),
        *memory(found),
        f"{found.notices:,} changes were told to listening pages",
        f"after kill -9 with {found.unanswered} requests unanswered: "
        f"{len(lost)} of {len(found.told)} tables lost something",
        *lost,
        *(f"{times} times: {fault}" for fault, times in Counter(found.faults).items()),
    ]
    show("Load", ("request", "answers", "median ms", "95% ms", "most ms"), rows, notes)
    if lost or found.faults:
        raise SystemExit(1)


def spread(times: list[float]) -> tuple[float, float, float]:
    """The median, the 95th percentile, and the most."""
    ordered = sorted(times)
    return statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))], ordered[-1]


def used(found: Measured, seconds: float) -> list[str]:
    """What the load costs, in processor time."""
    first, last = found.samples[0], found.samples[-1]
    spent = [time - first.processor.get(process, 0.0) for process, time in last.processor.items()]
    server, *workers = (f"{time / seconds:.2f}" for time in spent)
    each = 1000 * sum(spent) / (last.answers - first.answers)
    return [
        f"{(last.answers - first.answers) / seconds:.1f} answers a second",
        f"processor time: {each:.1f} ms for an answer; a second: {server} s of the server, "
        f"{' + '.join(workers)} s of its workers, "
        f"{found.generator / seconds:.2f} s of the browsers",
    ]


def memory(found: Measured) -> list[str]:
    """The memory over the answers, in ten steps."""
    every = max(1, len(found.samples) // 10)
    told = [
        f"{sample.memory / 1e6:.0f} MB after {sample.answers:,}"
        for sample in (*found.samples[::every], found.samples[-1])
    ]
    return [f"memory (all processes): {', '.join(told)}"]


@web.command("pages")
@click.option("--game", "games", multiple=True, help="That game only; can be given again.")
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for a picture of each page at each width, light and dark.",
)
@click.option("--only", default="", help="Only kinds of pages with this text, as in 'ask'.")
@click.option("--chromium", default="chromium", help="The browser.")
def pages_command(games: tuple[str, ...], pictures: Path | None, only: str, chromium: str) -> None:
    """Look at all kinds of pages of all games: widths, light and dark, axe, console, policy."""
    from playwright.sync_api import sync_playwright

    from benchmarks.web.load import served
    from benchmarks.web.pages import look, look_plain, pages_of_all

    path = shutil.which(chromium)
    if path is None:
        raise click.ClickException(f"there is no {chromium}: --chromium says where the browser is")
    with TemporaryDirectory() as name:
        folder = Path(name)
        addresses = [page for page in pages_of_all(folder, games) if only in page.kind]
        with served(folder) as (host, port, _), sync_playwright() as started:
            browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
            address = f"http://{host}:{port}"
            found = look(browser, address, addresses, pictures=pictures)
            look_plain(browser, address, addresses, found)
            browser.close()
    kinds = Counter(page.game or "no game" for page in addresses)
    rows = [(game, f"{number:,}") for game, number in sorted(kinds.items())]
    notes = [
        f"{found.pages:,} pages, {found.views:,} views at all widths, light and dark; "
        f"{found.plain:,} pages without JavaScript",
        f"{found.rules:,} rules of axe kept; {len(found.faults)} faults",
        *found.faults,
    ]
    show("Pages in a real browser", ("game", "pages"), rows, notes)
    if found.faults:
        raise SystemExit(1)
