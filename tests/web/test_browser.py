"""The pages in a real browser: clicks, keys, two browsers at one table, no script, axe."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from symkripke.play import Table
from symkripke.play import game as game_named
from tests.web.browsing import (
    MEASURE,
    at,
    boxes,
    by_keys,
    by_tap,
    changed,
    deal,
    place,
    play,
    press,
    press_and_see,
    shifts,
    shows,
    sit,
    slow_down,
    tap,
    until,
)
from tests.web.conftest import watched_page
from tests.web.support import SHORT, faults, fits, put_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright")

_PHONE: Any = {"width": 360, "height": 740}
_DESKTOP: Any = {"width": 1280, "height": 800}


@pytest.fixture
def plain(browser: Browser, address: str) -> Iterator[Page]:
    """Yield a page in a browser that runs no scripts."""
    yield from watched_page(browser, address, scripts=False)


# ---- the first page ------------------------------------------------------------------------------


def test_the_recording_turns_by_itself_pauses_and_stands_still_on_request(page: Page) -> None:
    page.clock.install()
    page.goto("/")
    frame, button = page.locator("figcaption .shown"), page.locator("[data-pause]")

    def after_a_turn() -> str:
        page.clock.run_for(3_300)
        # The picture and the text belong to the same moment.
        numbers = page.locator("[data-frame].shown").evaluate_all(
            "all => all.map(f => f.dataset.frame)"
        )
        assert len(numbers) == 2
        assert numbers[0] == numbers[1]
        return frame.inner_text()

    first = frame.inner_text()
    assert "Solutions left: " in first
    second = after_a_turn()
    assert second != first
    button.click()
    assert button.inner_text() == "Play"
    assert after_a_turn() == second
    button.click()
    assert after_a_turn() != second
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    assert button.inner_text() == "Play"
    assert after_a_turn() == first


@pytest.mark.parametrize("window", [_PHONE, _DESKTOP], ids=["phone", "desktop"])
def test_one_click_watches_and_the_tour_leads_to_a_seat(page: Page, window: Any) -> None:
    page.set_viewport_size(window)
    page.goto("/")
    assert shows(page, "button:has-text('Watch a game')", whole=True)
    page.click("button:has-text('Watch a game')")
    page.wait_for_selector(".watch")
    page.click("#next")
    at(page, 1)
    page.goto("/")
    page.click("a:has-text('tour')")
    page.wait_for_selector("html.js .tour")  # keys need the script
    titles = set()
    while page.locator("#next").count():
        titles.add(page.inner_text("#step"))
        assert shows(page, ".tour .round-table")
        page.keyboard.press("ArrowRight")
        until(page, lambda: page.inner_text("#step") not in titles)
    assert len(titles) > 2
    page.click("button:has-text('Play now')")
    page.wait_for_selector(".seat")


# ---- watching ------------------------------------------------------------------------------------


@pytest.fixture
def watch(page: Page, served_data: Path) -> Callable[..., None]:
    """Return a function that opens a finished game of Cluedo."""
    put_table(served_data, "watched", seed=SHORT["cluedo"][1])

    def opened(query: str, window: Any = _DESKTOP) -> None:
        page.set_viewport_size(window)
        page.goto(f"/t/watched?{query}")

    return opened


def test_a_whole_game_is_watched_by_clicks_and_nothing_moves(page: Page) -> None:
    page.set_viewport_size(_DESKTOP)
    page.add_init_script(MEASURE)
    deal(page, "cluedo")
    page.click("#seat-mustard")
    page.wait_for_selector("#mind-mustard")
    page.reload()  # the measurement starts here
    before = boxes(page)
    while page.locator("#next[aria-disabled=true]").count() == 0:
        now = place(page)
        page.click("#next")
        at(page, now + 1)
        assert boxes(page) == before
        # The event, the table and the mind are next to each other.
        assert shows(page, ".event", whole=True)
        assert shows(page, ".round-table", whole=True)
        assert shows(page, "#mind-mustard")
        assert shows(page, ".log [aria-current]")
    assert page.locator(".result").count() == 1
    last = place(page)
    assert last > 1
    # Use keys to go back to the deal, and one event forward.
    page.locator("body").press("Home")
    at(page, 0)
    page.locator("body").press("ArrowRight")
    at(page, 1)
    page.click("#back")
    at(page, 0)
    # The game plays by itself to the end; then there is nothing to play.
    entries = page.evaluate("history.length")
    page.select_option("#speed", "350")
    page.click("#play")
    page.wait_for_selector(".result")
    assert place(page) == last
    assert page.get_attribute("#play", "aria-disabled") == "true"
    assert boxes(page) == before
    assert shifts(page) < 0.01
    # Events are not entries in the browser's history.
    assert page.evaluate("history.length") == entries


@pytest.mark.parametrize("window", [_PHONE, _DESKTOP], ids=["phone", "desktop"])
def test_each_cell_shows_its_reason_in_view(
    page: Page, watch: Callable[..., None], window: Any
) -> None:
    watch("at=4&player=scarlett", window)
    cells, all_cited = page.locator(".sheet button"), set()
    for number in range(cells.count() - 2, 0, -4):
        page.evaluate("scrollTo(0, 0)")
        value = cells.nth(number).get_attribute("value")
        cells.nth(number).tap()
        page.wait_for_selector(f".sheet button[value='{value}'][aria-pressed]")
        assert shows(page, ".why .claim", whole=True)
        assert shows(page, ".sheet button[aria-pressed]", whole=True)
        # The turns of the reason are marked in the list, and lead there.
        links = page.locator(".why .reasons a")
        turns = {link.evaluate("link => link.href") for link in links.all()}
        marked = {a.evaluate("link => link.href") for a in page.locator(".log .cited a").all()}
        assert turns == marked
        all_cited |= turns
    assert all_cited
    page.click(".why .close")
    page.wait_for_selector(".why", state="detached")
    cells.nth(2).tap()
    link = page.locator(".why .reasons a").first
    turn = int(re.findall("at=([0-9]+)", str(link.get_attribute("href")))[0])
    link.tap()
    at(page, turn)


def test_arrow_keys_move_in_a_sheet(page: Page, watch: Callable[..., None]) -> None:
    watch("at=3&player=mustard")
    press(page, ".sheet button", "ArrowRight")
    focused = "document.activeElement.value"
    assert page.evaluate(focused) == "1.0.1"
    for key, cell in (("Down", "1.1.1"), ("Left", "1.1.0"), ("Left", "1.1.0"), ("Up", "1.0.0")):
        page.keyboard.press(f"Arrow{key}")
        assert page.evaluate(focused) == cell
        assert page.locator("[aria-busy]").count() == 0  # even at the edge, no step
    page.keyboard.press("Enter")
    page.wait_for_selector(".why")
    # The focus stays, and the arrow keys move on from there.
    assert page.inner_text("#status") == page.inner_text(".why .claim")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "1.1.0"
    assert place(page) == 3
    # The Tab key leaves the sheet at once.
    page.keyboard.press("Tab")
    assert not page.evaluate("Boolean(document.activeElement.closest('.sheet'))")


def test_the_graph_shows_values_and_leads_to_turns(page: Page, watch: Callable[..., None]) -> None:
    watch("at=2&player=mustard")

    def points() -> list[tuple[float, float]]:
        parts = [hit.bounding_box() for hit in page.locator(".hits path").all()]
        return [(box["x"] + box["width"] / 2, box["y"] + 60) for box in parts if box is not None]

    page.locator("section.chart").scroll_into_view_if_needed()
    assert "circle" in page.inner_text("[data-readout]")
    at_event = points()
    page.mouse.move(*at_event[3])
    assert re.match("turn 3: Scarlett [0-9]+, Mustard [0-9]+,", page.inner_text("[data-readout]"))
    page.mouse.click(*at_event[3])
    at(page, 3)
    assert page.inner_text("[data-readout]").startswith("turn 3:")
    page.mouse.move(*at_event[4])
    page.mouse.down()
    for event in (3, 2, 1):
        page.mouse.move(*at_event[event])
    page.mouse.up()
    at(page, 1)
    assert page.locator("#seat-mustard[aria-current]").count() == 1
    # Dragging with a finger works, too.
    page.set_viewport_size(_PHONE)
    page.tap("label:has(#pane-chart)")
    page.locator("svg.chart").scroll_into_view_if_needed()
    at_event = points()
    finger = page.context.new_cdp_session(page)
    for kind, event in (("Start", 1), ("Move", 2), ("Move", 3), ("Move", 4), ("End", 4)):
        x, y = at_event[event]
        touched = [] if kind == "End" else [{"x": x, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touched})
    at(page, 4)
    assert page.inner_text("[data-readout]").startswith("turn 4:")


def test_two_minds_are_compared_and_everybody_has_an_overview(
    page: Page, watch: Callable[..., None]
) -> None:
    watch("at=1&player=scarlett")
    page.select_option("#beside", "white")
    page.wait_for_selector("#mind-white")
    page.click("#show-sheet")
    page.wait_for_selector("#show-sheet[aria-current]")
    page.click("#next")
    at(page, 2)
    assert [one.inner_text().split()[0] for one in page.locator(".mind h2").all()] == [
        "Scarlett",
        "White",
    ]
    first, second = (one.inner_text() for one in page.locator(".mind .sheet").all())
    assert first != second
    page.click("#show-all")
    page.wait_for_selector(".overview")
    assert page.locator(".overview thead th").all_inner_texts()[1:] == [
        "Scarlett",
        "Mustard",
        "White",
    ]
    known = page.locator(".overview td.yes").count()
    page.locator("body").press("End")
    page.wait_for_selector(".result")
    assert page.locator(".overview td.yes").count() > known
    page.click("#seat-white")
    page.wait_for_selector("#mind-white")
    page.click("#eyes")
    page.wait_for_selector("#eyes[aria-current]")


def test_on_a_phone_tabs_keep_their_choice(page: Page, watch: Callable[..., None]) -> None:
    watch("at=1", _PHONE)
    panes = {"mind": ".minds", "chart": "section.chart", "log": ".log"}
    for turn, pane in ((2, "chart"), (3, "log"), (4, "mind")):
        page.tap(f"label:has(#pane-{pane})")
        page.tap("#next")
        at(page, turn)
        for name, part in panes.items():
            assert page.locator(part).is_visible() == (name == pane)
            assert page.locator(f"#pane-{name}").is_checked() == (name == pane)
    # A tap on a player at the table shows the player's mind, and the step buttons stay.
    page.tap("label:has(#pane-log)")
    page.locator(".round-table a").nth(1).tap()
    page.wait_for_selector("#mind-mustard")
    until(page, lambda: shows(page, ".mind .sheet"))
    page.tap("#back")
    at(page, 3)
    assert shows(page, ".mind .sheet")
    assert shows(page, "#next", whole=True)
    assert fits(page)
    page.evaluate("scrollTo(0, 0)")
    assert shows(page, ".event", whole=True)


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


@pytest.mark.parametrize("game", SHORT)
def test_a_whole_game_is_played_by_taps_on_a_phone(page: Page, game: str) -> None:
    page.set_viewport_size(_PHONE)
    page.goto("/")
    page.locator(f"form[action='/start/{game}'] [name=play]").last.tap()
    page.wait_for_selector(".seat .hand")
    if game in ("perudo", "sleuth"):  # long games
        sit(page, game)
    play(page, by_tap)
    page.locator("a:has-text('Look at the whole game')").tap()
    page.wait_for_selector(".watch .result")
    assert fits(page)


@pytest.mark.parametrize("game", SHORT)
def test_a_whole_game_is_played_by_keys_and_without_script(
    page: Page, plain: Page, game: str
) -> None:
    sit(page, game)
    play(page, by_keys)
    plain.set_viewport_size(_PHONE)
    sit(plain, game)
    play(plain, by_tap)


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
    """Answers take half a second here, and background requests must not cancel them."""
    slow_down(page, 500)
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
    page.wait_for_selector("html.js .puzzle")
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
    network = slow_down(page, 500)
    for card in ("Mrs White", "Lead Pipe"):  # no tap is lost, however fast
        page.click(f".taps button:text-is('{card}')")
    network.detach()
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


def test_no_page_has_a_fault(page: Page, plain: Page, every_page: dict[str, str]) -> None:
    """On every kind of page, axe finds nothing, nothing is too wide, and there are no errors.

    Without scripts, pages fit, too, and show nothing that needs a script.

    Half of the pages are checked on a phone, and the other half on a wide screen; half of each are
    dark.
    """
    others = [name for name in SHORT if name != "cluedo"]
    views: Any = cycle(product((_PHONE, _DESKTOP), ("light", "dark")))
    for path in every_page.values():
        if any(name in path for name in others) and not path.endswith("-over"):
            continue
        page.goto(path)
        page.wait_for_selector("[data-goes-on]", state="detached")
        page.set_viewport_size(_PHONE)
        assert fits(page), path
        window, scheme = next(views)
        page.set_viewport_size(window)
        page.emulate_media(color_scheme=scheme)
        assert faults(page) == [], (path, window, scheme)
    plain.set_viewport_size(_PHONE)
    for path in [*every_page.values()][::4]:
        plain.goto(path)
        assert fits(plain), path
        assert plain.locator(".script:visible").count() == 0, path


def test_without_script_every_action_is_a_plain_form(plain: Page) -> None:
    deal(plain, "cluedo")
    for event in (1, 2):
        plain.click("#next")
        at(plain, event)
    assert plain.locator("a:has-text('Reload')").is_visible()
    plain.click("#back")
    at(plain, 1)
    plain.click("#seat-mustard")
    plain.wait_for_selector("#mind-mustard")
    plain.select_option("#beside", "white")
    plain.click("button:has-text('Show')")
    plain.wait_for_selector("#mind-white")
    plain.click(".sheet button >> nth=3")
    plain.wait_for_selector(".sheet button[aria-pressed]")
    assert shows(plain, ".why .claim")
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
    until(page, lambda: asked)  # a single tab asks the server
    other = page.context.new_page()
    other.goto("/puzzles")
    tell = "([url, version]) => new BroadcastChannel('changes').postMessage([url, version])"
    other.evaluate(tell, ["/t/another/changes", "new"])
    version = page.get_attribute("main", "data-version")
    other.evaluate(tell, [first, version])
    assert shown == []
    # A message from another tab is enough to update the page; meanwhile, this tab does not ask.
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
    # Without further messages, this tab asks again.
    other.evaluate("(timer) => clearInterval(timer)", timer)
    until(page, lambda: len(asked) > count)
