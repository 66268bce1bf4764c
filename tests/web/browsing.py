"""Steps of the tests with a browser: dealing, playing, keys, and waiting."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.support import SHORT, fits

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Locator, Page

PATIENCE = 60_000
"""The time in milliseconds after which a test no longer waits for a part of a page."""


def until(page: Page, found: Callable[[], object]) -> None:
    """Wait until `found()` is true; the policy forbids scripts that wait inside the page."""
    for _ in range(PATIENCE // 25):
        if found():
            return
        page.wait_for_timeout(25)
    pytest.fail(f"this did not come: {found}")


def changed(page: Page, part: str, told: str) -> bool:
    """Return whether the text of a part of the page has changed."""
    return page.inner_text(part) != told


def place(page: Page) -> int:
    """Return the number of the shown event."""
    return int(page.inner_text(".transport .place").split()[0])


def at(page: Page, event: int) -> None:
    """Wait until this event is shown."""
    until(page, lambda: place(page) == event)


def shows(page: Page, part: str, whole: bool = False) -> bool:
    """Return whether the beginning of a part of the page is on the screen, or the whole part.

    Nothing else may lie over it.
    """
    return bool(
        page.locator(part).first.evaluate(
            "(one, whole) => { const { left, right, top, bottom } = one.getBoundingClientRect();"
            "const y = whole ? bottom - 3 : Math.min(top + 40, bottom - 3);"
            "const seen = document.elementFromPoint((left + right) / 2, y);"
            "return top >= 0 && y < innerHeight && one.contains(seen) }",
            whole,
        )
    )


MEASURE = (
    "window.shifted = 0; new PerformanceObserver(told => { for (const entry of told.getEntries())"
    " window.shifted += entry.value }).observe({type: 'layout-shift', buffered: true})"
)
"""A script that adds up the layout shifts of a page."""


def boxes(page: Page) -> Any:
    """Return the positions of the parts that must not move."""
    return page.evaluate(
        "['.event', '.round-table', '.transport', '.chart', '.log', '.minds', '#next'].map(one => {"
        "const box = document.querySelector(one).getBoundingClientRect();"
        "return [one, Math.round(box.x), Math.round(box.y + scrollY), Math.round(box.width)]})"
    )


def shifts(page: Page) -> float:
    """Return the layout shift that the browser measured since `page` was opened."""
    return float(page.evaluate("window.shifted"))


def slow_down(page: Page, latency: int) -> CDPSession:
    """Delay all answers by this number of milliseconds, until the returned session is detached."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    speed = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", {**speed, "latency": latency})
    return network


def tap(page: Page, *words: str) -> None:
    """Tap answers one after another."""
    for word in words:
        told = page.inner_text("#page")
        page.click(f".taps button:text-is('{word}')")
        until(page, partial(changed, page, "#page", told))


def press(page: Page, part: str | Locator, key: str = "Enter") -> None:
    """Go to a part of the page with the Tab key, and press a key there.

    First wait for the script: without it, forms lead to new pages, which arrive in parts.
    """
    page.wait_for_selector("html.js")
    wanted = page.locator(part).first if isinstance(part, str) else part
    wanted.wait_for()
    for _ in range(150):
        page.keyboard.press("Tab")
        if wanted.evaluate("part => part === document.activeElement"):
            shown = wanted.evaluate("part => getComputedStyle(part).outlineStyle")
            assert shown != "none", f"nobody sees that {part} has the focus"
            page.keyboard.press(key)
            return
    pytest.fail(f"the tabulator key does not lead to {part}")


def press_and_see(page: Page, part: str, answered: str) -> None:
    """Press a button by a key, and wait until the text of a part of the page changes."""
    said = page.inner_text(answered)
    press(page, part)
    until(page, partial(changed, page, answered, said))


def deal(page: Page, game: str, *, people: tuple[int, ...] = ()) -> None:
    """Begin a short game by clicks, where possible."""
    options, seed = SHORT[game]
    query = "&".join(f"{name}={value}" for name, value in options.items())
    page.goto(f"/new/{game}?{query}")
    for seat in people:
        page.select_option(f"[name=mind{seat}]", "human")
    page.click("summary:has-text('More rules')")
    page.fill("[name=seed]", str(seed))
    page.click(".actions button:has-text('Deal')")
    page.wait_for_url(re.compile(r"/[ts]/"))


def sit(page: Page, game: str) -> None:
    """Sit down at a short game, at a seat that has a choice."""
    deal(page, game, people=(int(game == "old_maid"),))


def by_tap(part: Locator) -> None:
    """Choose an option or press a button with a finger."""
    part.tap()


def by_keys(part: Locator) -> None:
    """Choose an option or press a button with the Tab key and others."""
    option = part.locator("input")
    if not option.count():
        press(part.page, part)
        return
    group = part.locator("xpath=ancestor::fieldset").locator("[type=radio]")
    chosen = group.and_(part.page.locator(":checked"))
    press(part.page, chosen if chosen.count() else group.first, "Space")
    while not option.is_checked():
        part.page.keyboard.press("ArrowDown")


def play(page: Page, choose: Callable[[Locator], None]) -> None:
    """Make different moves at a seat until the game is over."""
    moves = 0
    while page.locator(".result").count() == 0:
        form, version = page.locator("form.move").first, seen_version(page)
        if form.count():
            for part in form.locator("fieldset:has(label)").all():
                options = part.locator("label")
                choose(options.nth(3 * moves % options.count()))
            buttons = form.locator("button:visible:not([data-step])")
            choose(buttons.nth(moves % buttons.count()))
            moves += 1
        until(page, partial(has_other_version, page, version))
        assert fits(page)
    assert moves


def seen_version(page: Page) -> str | None:
    """Return the version of the table that is shown."""
    return page.get_attribute("#page", "data-version")


def has_other_version(page: Page, version: str | None) -> bool:
    """Return whether another version is shown."""
    return seen_version(page) != version
