"""All kinds of pages of all games in a real browser (`tests/support/web_pages.py` says which)."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from playwright.sync_api import sync_playwright

from tests.soak.common import Found
from tests.soak.serving import served
from tests.support.web_pages import look, look_plain, pages_of_all


@click.command()
@click.option("--game", "games", multiple=True, help="That game only; can be given again.")
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for a picture of each page at each width, light and dark.",
)
@click.option("--only", default="", help="Only kinds of pages with this text, as in 'ask'.")
@click.option("--chromium", default="chromium", help="The browser.")
def web_pages(games: tuple[str, ...], pictures: Path | None, only: str, chromium: str) -> Found:
    """Look at all kinds of pages of all games: widths, light and dark, axe, console, policy."""
    found = Found()
    path = shutil.which(chromium)
    if path is None:
        raise click.ClickException(f"there is no {chromium}: --chromium says where the browser is")
    with TemporaryDirectory() as name:
        folder = Path(name)
        addresses = [page for page in pages_of_all(folder, games) if only in page.kind]
        with served(folder) as (host, port, _), sync_playwright() as started:
            browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
            address = f"http://{host}:{port}"
            looked = look(browser, address, addresses, pictures=pictures)
            look_plain(browser, address, addresses, looked)
            browser.close()
    for page in addresses:
        found.done[f"pages, {page.game or 'no game'}"] += 1
    found.done["views at all widths, light and dark"] = looked.views
    found.done["pages without JavaScript"] = looked.plain
    found.done["rules of axe that were kept"] = looked.rules
    for told in looked.faults:
        found.fault(told)
    return found
