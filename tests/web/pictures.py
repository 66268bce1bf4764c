"""`python -m tests.web.pictures FOLDER` takes pictures of the pages for the README."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from symkripke.play import Table, game

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WATCHED = "/t/cluedo?at=20&player=plum"
PICTURES = {
    "web-watch": (WATCHED, 1000, 800),
    "web-phone": ("/t/kitchen", 390, 860),
    "web-ask": (
        "/t/cluedo/ask?at=20&who0=plum&op0=K&who1=green&op1=K&fact=%3D"
        "&x0=location(library)&x1=scarlett&asked=1",
        1120,
        760,
    ),
}
"""The page of each picture, and the size of the window."""


def tables(folder: Path) -> None:
    """Write the logs of the tables that are shown."""
    folder.mkdir(parents=True)
    table: Table[Any, Any] = Table.of(game("cluedo"), seed=7, players=6)
    list(table)
    record = table.record
    record.write(folder / "cluedo.jsonl")
    seen = record.seen_by("green")
    replace(seen, outcomes=seen.outcomes[:9], result=None).write(folder / "kitchen.jsonl")


def take(browser: Browser, address: str, folder: Path) -> None:
    """Take all pictures."""
    for name, (path, width, height) in PICTURES.items():
        context = browser.new_context(base_url=address, viewport={"width": width, "height": height})
        page = context.new_page()
        page.set_default_timeout(180_000)
        page.goto(path)
        page.screenshot(path=folder / f"{name}.png")
        context.close()


def main(folder: Path) -> None:
    """Serve the tables, and take the pictures into the folder."""
    from playwright.sync_api import sync_playwright

    from tests.web.conftest import CHROMIUM, served

    with TemporaryDirectory() as data:
        tables(Path(data) / "tables")
        with served(Path(data)) as address, sync_playwright() as started:
            browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            take(browser, address, folder)
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
