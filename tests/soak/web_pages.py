"""All kinds of pages of all games in a real browser: at every width, light and dark.

The pages are those that links lead to, for tables of the usual size. On each page, nothing may be
wider than the window, axe may find nothing, and the browser's console must stay empty,
because it reports script errors and policy violations. Without JavaScript, each page must also fit,
and show nothing that needs it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import click
from playwright.sync_api import Browser, Page, sync_playwright

from symkripke.web.access import Access
from symkripke.web.settings import Settings
from tests.soak.common import Found
from tests.soak.serving import served
from tests.web.support import SHORT, Pages, crawl, faults, fits, put_tables, starts

_SIZES = ((360, 740), (768, 1024), (1440, 900))
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_PATIENCE = 120_000


def look(browser: Browser, host: str, pages: Pages, found: Found) -> None:
    """Open each page once, and check it at all widths, light and dark."""
    with _page(browser, host, found) as page:
        for path in pages.values():
            page.goto(path)
            page.wait_for_selector("[data-goes-on]", state="detached")
            found.done["pages"] += 1
            for (width, height), scheme in product(_SIZES, _SCHEMES):
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme)
                for fault in faults(page):
                    found.fault(f"{path}, {width}, {scheme}: {fault}")
                found.done["views at all widths, light and dark"] += 1


def look_plain(browser: Browser, host: str, pages: Pages, found: Found) -> None:
    """Open each page without JavaScript."""
    with _page(browser, host, found, scripts=False) as page:
        page.set_viewport_size({"width": 360, "height": 740})
        for path in pages.values():
            page.goto(path)
            found.check(fits(page), f"{path}, without JavaScript: wider than the window")
            dead = page.locator(".script:visible").count()
            found.check(not dead, f"{path}: {dead} things that need JavaScript are shown")
            found.done["pages without JavaScript"] += 1


@contextmanager
def _page(browser: Browser, host: str, found: Found, *, scripts: bool = True) -> Iterator[Page]:
    """Open a page whose console messages become faults."""
    context = browser.new_context(base_url=host, java_script_enabled=scripts)
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)

    def note(said: str) -> None:
        # The browser also reports responses with an error status, which are expected.
        found.check("the server responded with" in said, f"{page.url}: {said}")

    page.on("console", lambda message: note(message.text))
    page.on("pageerror", lambda error: note(str(error)))
    yield page
    context.close()


@click.command()
@click.option(
    "--game",
    "games",
    multiple=True,
    type=click.Choice([*SHORT]),
    help="All of its pages.",
)
@click.option("--only", default="", help="Only pages whose address has this text, as in 'ask'.")
def web_pages(games: tuple[str, ...], only: str) -> Found:
    """Check all kinds of pages of all games: widths, light and dark, axe, console, policy."""
    found, chromium = Found(), shutil.which("chromium")
    if chromium is None:
        raise click.ClickException("there is no chromium")
    with TemporaryDirectory() as name:
        folder, whole = Path(name), games or tuple(SHORT)
        tables, access = put_tables(folder / "tables", short=False), Access(Settings(folder))
        with served(folder) as (host, port, _), sync_playwright() as started:
            address = f"http://{host}:{port}"
            pages = crawl(address, access, starts(access, tables, whole), whole=whole)
            pages = {kind: path for kind, path in pages.items() if only in path}
            browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            look(browser, address, pages, found)
            look_plain(browser, address, pages, found)
            browser.close()
    return found
