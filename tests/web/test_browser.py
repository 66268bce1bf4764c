"""The pages in a real browser: clicks, keys, two browsers at one table, no script, axe."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from symkripke.play import Table
from symkripke.play import game as game_named
from tests.web.conftest import watched_page
from tests.web.support import SHORT, faults, fits

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright")

_SOON = 300_000


@pytest.fixture
def plain(browser: Browser, address: str) -> Iterator[Page]:
    """Yield a page in a browser that runs no scripts."""
    yield from watched_page(browser, address, scripts=False)


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


def place(page: Page) -> int:
    """Return the number of the shown event."""
    return int(page.inner_text(".transport .place").split()[0])


def at(page: Page, event: int) -> None:
    """Wait until this event is shown."""
    until(page, lambda: place(page) == event)


def until(page: Page, found: Callable[[], object]) -> None:
    """Wait until `found()` is true; the policy forbids scripts that wait inside the page."""
    for _ in range(_SOON // 25):
        if found():
            return
        page.wait_for_timeout(25)
    pytest.fail(f"this did not come: {found}")


def changed(page: Page, part: str, told: str) -> bool:
    """Return whether the text of a part of the page has changed."""
    return page.inner_text(part) != told


def shows(page: Page, part: str) -> bool:
    """Return whether the top of a part of the page is on the screen."""
    where = "one => one.getBoundingClientRect().top"
    top = float(page.locator(part).first.evaluate(where))
    assert page.viewport_size is not None
    return 0 <= top < page.viewport_size["height"] - 40


def boxes(page: Page) -> Any:
    """Return the positions of the parts that must not move."""
    return page.evaluate(
        "['.transport', '.players', '.chart', '.log', '.knowledge', '#next'].map(one => {"
        "const box = document.querySelector(one).getBoundingClientRect();"
        "return [one, Math.round(box.x), Math.round(box.y + scrollY), Math.round(box.width)]})"
    )


def shifts(page: Page) -> float:
    """Return the layout shift that the browser measured since `page` was opened."""
    return float(page.evaluate("window.shifted"))


_MEASURE = (
    "window.shifted = 0; new PerformanceObserver(told => { for (const entry of told.getEntries())"
    " window.shifted += entry.value }).observe({type: 'layout-shift', buffered: true})"
)


# ---- watching ------------------------------------------------------------------------------------


def test_a_whole_game_is_watched_by_clicks_and_nothing_moves(page: Page) -> None:
    page.add_init_script(_MEASURE)
    deal(page, "cluedo")
    page.select_option("#player", index=1)
    page.wait_for_selector(".mind")
    page.reload()  # the measurement starts here
    before = boxes(page)
    while page.locator("#next[aria-disabled=true]").count() == 0:
        now = place(page)
        page.click("#next")
        at(page, now + 1)
        assert boxes(page) == before
    assert page.locator(".result").count() == 1
    last = place(page)
    assert last > 1
    # Go back by keys: to the deal, and one event forward.
    page.locator("body").press("Home")
    at(page, 0)
    page.locator("body").press("ArrowRight")
    at(page, 1)
    # The game plays by itself to the end; then there is nothing to play.
    entries = page.evaluate("history.length")
    page.select_option("#speed", "350")
    page.click("#play")
    page.wait_for_selector(".result", timeout=_SOON)
    assert place(page) == last
    assert page.get_attribute("#play", "aria-disabled") == "true"
    assert boxes(page) == before
    assert shifts(page) < 0.01
    # A click on the graph leads to an event, and events are not entries in the browser's history.
    page.locator(".chart a").nth(1).dispatch_event("click")
    at(page, 1)
    assert page.get_attribute("#play", "aria-disabled") is None
    assert page.evaluate("history.length") == entries


def test_on_a_phone_an_opened_mind_is_visible_with_the_step_buttons(
    page: Page,
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    deal(page, "cluedo")
    page.click("#next")
    at(page, 1)
    page.click("#seat-mustard")
    page.wait_for_selector("#mind-mustard")
    until(page, lambda: shows(page, "#mind-mustard"))
    assert shows(page, ".mind .sheet")
    assert shows(page, "#next")
    assert "Takes everything into account" in page.inner_text(".mind .considers")
    page.click("#next")
    at(page, 2)
    assert shows(page, ".mind .sheet")
    assert fits(page)
    cut = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).length"
    assert page.locator(".players .held span").evaluate_all(cut) == 0  # no card is cut off
    page.evaluate("scrollTo(0, 0)")
    assert shows(page, ".event")
    assert shows(page, "#next")


def test_kinds_of_players_are_described_where_they_are_chosen(page: Page) -> None:
    page.goto("/new/cluedo?players=3")
    told = [page.inner_text(f"#says{seat}") for seat in range(3)]
    assert told[0].startswith("Takes everything into account")
    assert told[1:] == ["", ""]  # the same text as above
    page.select_option("#mind1", "first-order")
    until(page, lambda: page.inner_text("#says1").startswith("Crosses off only the cards"))
    assert page.inner_text("#says2") == told[0]
    page.select_option("#mind2", "human")
    until(page, lambda: "link of this seat" in page.inner_text("#says2"))


def test_all_tabs_of_two_browsers_follow_a_table(
    browser: Browser, address: str, page: Page
) -> None:
    """Browsers open at most six connections to a server, so no tab may keep one."""
    deal(page, "cluedo")
    other = browser.new_context(base_url=address)
    tabs = [other.new_page(), *(page.context.new_page() for _ in range(7))]
    for tab in tabs:
        tab.goto(page.url)
        assert place(tab) == 0
    page.click("#next")
    for tab in (page, *tabs):
        at(tab, 1)
    other.close()


def test_a_page_continues_when_the_server_is_back(browser: Browser, address: str) -> None:
    page = browser.new_context(base_url=address).new_page()
    deal(page, "cluedo")
    page.context.set_offline(True)
    page.click("#next")
    page.wait_for_selector("#notice:has-text('cannot be reached')")
    page.context.set_offline(False)
    page.wait_for_selector("#notice", state="hidden")
    page.click("#next")
    at(page, 1)
    page.context.close()


# ---- sitting -------------------------------------------------------------------------------------


def test_a_person_plays_by_keys(page: Page) -> None:
    deal(page, "cluedo", people=(0,))
    form = page.locator("form.move").first
    form.wait_for()
    for field in form.locator("fieldset").all():
        field.locator("input").first.focus()
        page.keyboard.press("Space")
        assert field.locator("input").first.is_checked()
    form.locator("button").last.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#usual")
    # The button is gone, and the focus moves to the current question.
    assert page.evaluate("document.activeElement.matches('[data-announce], #page')")
    # Enter makes the usual move, except if a link has the focus.
    events = page.locator(".entry-list li").count()
    page.focus("#tab-odds")
    page.keyboard.press("Enter")
    page.wait_for_selector("#tab-odds[aria-current]")
    assert page.locator(".entry-list li").count() == events
    assert page.locator("#usual").count() == 1
    assert page.evaluate("document.activeElement.id") == "tab-odds"
    page.evaluate("document.activeElement.blur()")
    asked = page.inner_text("[data-announce]")
    page.keyboard.press("Enter")
    until(page, lambda: changed(page, "[data-announce]", asked))


def test_typed_text_and_partial_choices_stay_at_a_seat(page: Page) -> None:
    deal(page, "cluedo", people=(0,))
    chosen = page.locator("form.move [type=radio]").nth(1)
    page.locator("form.move label.tap").nth(1).click()
    page.click("#tab-suggest")
    page.wait_for_selector(".moves")
    assert chosen.is_checked()
    page.click("#typing summary")
    page.fill("#text", "xyzzy")
    page.click("button:has-text('Make the move')")
    page.wait_for_selector(".problem")
    with page.expect_response(lambda answer: answer.url.endswith("/changes")):
        pass  # nothing has changed
    assert page.locator(".problem:has-text('“xyzzy” is not understood')").count() == 1
    assert page.input_value("#text") == "xyzzy"
    assert chosen.is_checked()


def test_a_real_table_is_kept_by_keys(page: Page) -> None:
    """Answers take almost a second here, and background requests must not cancel them."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    speed = {"offline": False, "latency": 900, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", speed)
    page.goto("/real/cluedo?players=3&set.size=3/3/3")
    press(page, "#you", "ArrowDown")
    press(page, ".actions button:has-text('Next: your hand')")
    page.wait_for_selector("html.js .taps")
    while page.locator(".taps").count():
        press_and_see(page, ".taps button", "main")
    press(page, "button:has-text('Begin')")
    page.wait_for_selector("html.js .entry")
    while page.locator(".entry-list li").count() == 0:
        press_and_see(page, ".taps button", ".entry")
    press(page, "#tab-suggest")
    page.wait_for_selector(".moves")
    press(page, ".entry-list .change")
    page.wait_for_selector("#anew")
    press(page, "a:has-text('Cancel')")
    page.wait_for_selector("#anew", state="detached")
    press(page, "#undo")
    page.wait_for_selector(".entry-list li", state="detached")
    press(page, "#text", "x")
    page.keyboard.press("Enter")
    page.wait_for_selector(".problem-box mark:has-text('x')")


def test_a_puzzle_and_a_review_are_gone_through_by_keys(page: Page) -> None:
    page.goto("/puzzles")
    press(page, "a[href$=muddy_children]")
    page.wait_for_selector(".puzzle")
    for step in (1, 2, 3, 4):
        page.keyboard.press("ArrowRight")
        at(page, step)
    press(page, "#guess-yes")
    page.wait_for_selector(".guess:has-text('right!')")
    assert page.evaluate("document.activeElement.matches('[data-announce]')")
    press(page, "#why")
    page.wait_for_selector(".reasons")
    for key, step in (("ArrowLeft", 4), ("End", 9), ("Home", 0)):
        page.keyboard.press(key)
        at(page, step)
    deal(page, "perudo")
    press(page, "#finish")
    page.wait_for_selector(".result")
    press(page, "a:has-text('Review and share')")
    page.wait_for_selector(".review")
    press(page, "a:has-text('Share as one file')")
    page.wait_for_selector("a[download]")
    with page.expect_download() as shared:
        press(page, "a[download]")
    assert shared.value.suggested_filename == "perudo.html"


def press_and_see(page: Page, part: str, answered: str) -> None:
    """Press a button by a key, and wait until the text of a part of the page changes."""
    said = page.inner_text(answered)
    press(page, part)
    until(page, partial(changed, page, answered, said))


def press(page: Page, part: str, key: str = "Enter") -> None:
    """Go to a part of the page with the Tab key, and press a key there.

    First wait for the script: without it, forms lead to new pages, which arrive in parts.
    """
    page.wait_for_selector("html.js")
    wanted = page.locator(part).first
    wanted.wait_for()
    for _ in range(150):
        page.keyboard.press("Tab")
        if wanted.evaluate("part => part === document.activeElement"):
            shown = wanted.evaluate("part => getComputedStyle(part).outlineStyle")
            assert shown != "none", f"nobody sees that {part} has the focus"
            page.keyboard.press(key)
            return
    pytest.fail(f"the tabulator key does not lead to {part}")


def test_two_people_in_two_browsers_play_to_the_end_by_clicks(
    browser: Browser, address: str, page: Page
) -> None:
    deal(page, "perudo", people=(0, 1))
    links = [link.get_attribute("href") for link in page.locator("a:has-text('Sit down')").all()]
    both = [page, browser.new_context(base_url=address).new_page()]
    for seat, link in zip(both, links, strict=True):
        seat.goto(str(link))
    while page.locator(".result").count() == 0:
        (due,) = [seat for seat in both if seat.locator("form.move").count()]
        shown = [seat.inner_text("main") for seat in both]
        due.locator("form.move").first.locator("button").last.click()
        # The other seat is updated without a reload.
        for seat, before in zip(both, shown, strict=True):
            until(seat, partial(changed, seat, "main", before))
    both[1].context.close()
    page.click("text=Look at the whole game")
    page.wait_for_selector(".watch")


# ---- a real table --------------------------------------------------------------------------------


def test_a_real_table_is_kept_with_one_thumb_and_a_slip_is_corrected(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/real/cluedo?players=3")
    for seat, name in enumerate(("Ann", "Bob", "Cath")):
        page.fill(f"[name=name{seat}]", name)
    assert page.locator("#you option").all_inner_texts() == ["Ann", "Bob", "Cath"]
    page.select_option("#you", "Ann")
    page.click("summary:has-text('More rules')")
    page.fill("[name='set.size']", "3/3/3")
    page.click(".actions button:has-text('Next: your hand')")
    for card in ("Mrs White", "Lead Pipe"):
        page.click(f".taps button:text-is('{card}')")
        page.wait_for_load_state()
    page.click("button:has-text('Begin')")
    page.wait_for_url(re.compile("/t/"))
    tap(page, "Miss Scarlett", "Candlestick", "Ballroom", "passes", "passes")
    page.wait_for_selector("#entry-1")
    # Nobody has any of these cards, so Bob cannot have been shown one.
    tap(page, "Miss Scarlett", "Candlestick", "Ballroom", "shows")
    page.wait_for_selector(".clash")
    assert "cannot all be true" in page.inner_text(".problem-box")
    # Refused input has no address of its own; a reload shows the table.
    page.reload()
    assert page.inner_text(".entry h2").startswith("Does Cath")
    tap(page, "shows")
    page.wait_for_selector(".clash")
    page.click("#entry-1 a.change")
    page.fill(
        "#anew",
        "Ann asks for Miss Scarlett, Candlestick, Ballroom. Bob passes. Cath shows Ballroom.",
    )
    page.click("#change")
    page.wait_for_selector("#entry-1:has-text('Cath shows')")
    page.fill("#text", "cath !")
    tap(page, "shows")
    page.wait_for_selector("#entry-2")
    assert fits(page)
    tops = page.locator(".tabs a").evaluate_all("all => all.map(one => one.offsetTop)")
    assert len(set(tops)) == 1
    page.click("#undo")
    page.wait_for_selector("#entry-2", state="detached")
    # Typed text is completed.
    page.fill("#text", "")
    page.locator("#text").press_sequentially("colonel mus")
    page.click(".way:has-text('Colonel Mustard')")
    assert page.input_value("#text") == "Colonel Mustard"
    assert faults(page) == []


def tap(page: Page, *words: str) -> None:
    """Tap answers one after another."""
    for word in words:
        told = page.inner_text("#page")
        page.click(f".taps button:text-is('{word}')")
        until(page, partial(changed, page, "#page", told))


# ---- questions -----------------------------------------------------------------------------------


def test_on_a_phone_worlds_scroll_sideways_below_fixed_places(
    page: Page, served_data: Path
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    table: Table[Any, Any] = Table.of(game_named("sleuth"), seed=7)
    while len(table.steps) < 8:
        table.step()
    table.record.write(served_data / "tables" / "worlds.jsonl")
    page.goto("/t/worlds/ask?q=M[dan] M[eve] M[cath] (location(bop) = bob)")
    page.wait_for_selector(".beside")
    page.evaluate("document.querySelector('.scroll > .beside').style.width = '60rem'")
    page.evaluate("document.querySelector('.scroll:has(> .beside)').scrollLeft = 300")
    left = "one => one.getBoundingClientRect().left"
    box = float(page.locator(".scroll:has(> .beside)").evaluate(left))
    for name in page.locator(".beside tbody th").all():
        assert abs(float(name.evaluate(left)) - box) < 2
    assert fits(page)


# ---- looks and access ----------------------------------------------------------------------------


def test_no_page_has_a_fault(page: Page, every_page: dict[str, str]) -> None:
    """On every kind of page, axe finds nothing, nothing is too wide, and there are no errors.

    Half of the pages are dark on a phone, and the other half on a wide screen.
    """
    others = [name for name in SHORT if name != "cluedo"]
    schemes: Any = cycle(("light", "dark", "dark", "light"))
    for path in every_page.values():
        if any(name in path for name in others) and not path.endswith("-over"):
            continue
        page.goto(path)
        page.wait_for_selector("[data-goes-on]", state="detached")
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=next(schemes))
            assert faults(page) == [], (path, width)


def test_pages_without_script_fit_and_show_nothing_that_needs_it(
    plain: Page, every_page: dict[str, str]
) -> None:
    plain.set_viewport_size({"width": 360, "height": 740})
    for path in [*every_page.values()][::4]:
        plain.goto(path)
        assert fits(plain), path
        assert plain.locator(".script:visible").count() == 0, path


def test_without_script_every_action_is_a_plain_form(plain: Page) -> None:
    deal(plain, "cluedo")
    plain.click("#next")
    plain.click("#next")
    assert place(plain) == 2
    assert plain.locator("a:has-text('Reload')").is_visible()
    plain.click("#back")
    assert place(plain) == 1
    plain.select_option("#player", index=1)
    plain.click("button:has-text('Show')")
    assert plain.locator(".mind").count() == 1
    plain.click("text=Ask a question")
    plain.select_option("#who0", index=1)
    plain.click("#ask")
    assert plain.inner_text(".verdict") in ("yes", "no")
    deal(plain, "cluedo", people=(0,))
    form = plain.locator("form.move").first
    for field in form.locator("fieldset").all():
        field.locator("label.tap").first.click()
    form.locator("button").last.click()
    assert plain.locator(".problem").count() == 0


def test_one_tab_asks_for_changes_and_tells_the_others(page: Page) -> None:
    deal(page, "cluedo", people=(0, 1))
    first = page.get_attribute("main", "data-changes")
    asked: list[str] = []
    shown: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url) if "/changes" in sent.url else None)
    page.on("request", lambda sent: shown.append(sent.url) if sent.url == page.url else None)
    until(page, lambda: asked)  # alone, it asks
    other = page.context.new_page()
    other.goto("/puzzles")
    tell = "([url, version]) => new BroadcastChannel('changes').postMessage([url, version])"
    other.evaluate(tell, ["/t/another/changes", "new"])
    version = page.get_attribute("main", "data-version")
    other.evaluate(tell, [first, version])
    assert shown == []
    # What another tab tells is enough to show the page again, and nothing is asked meanwhile.
    telling = f"(told) => setInterval(() => ({tell})(told), 100)"
    timer = other.evaluate(telling, [first, version])
    other.wait_for_timeout(3000)
    count = len(asked)
    other.wait_for_timeout(5000)
    assert len(asked) == count
    assert shown == []
    other.evaluate(tell, [first, "new"])
    until(page, lambda: shown)
    assert len(asked) == count
    # Once nobody tells, it asks again.
    other.evaluate("(timer) => clearInterval(timer)", timer)
    until(page, lambda: len(asked) > count)
