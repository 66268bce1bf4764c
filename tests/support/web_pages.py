"""All kinds of pages of all games in a real browser: at every width, light and dark.

On each page nothing may be wider than the window, axe may find nothing serious, and the browser's
console must stay empty: it reports errors of scripts and violations of the policy. Without
JavaScript, each page must show what it shows with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from symkripke.errors import InputError
from symkripke.play import Table, game, game_names
from symkripke.play.strategies import HUMAN
from symkripke.play.words import person
from symkripke.web.access import Access
from symkripke.web.pages import query
from symkripke.web.settings import Settings
from symkripke.web.views.asking import menus
from symkripke.web.views.beginning import dealt

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS = ((360, 740), (768, 1024), (1440, 900))
SCHEMES: Sequence[Literal["light", "dark"]] = ("light", "dark")

_SHOWS = ("sheet", "odds", "words", "others")
_PATIENCE = 120_000


@dataclass(frozen=True)
class Address:
    """A page that is looked at.

    Attributes:
        game: of which game; empty: of none.
        kind: what kind of page: "watch, odds".
        path: its address.
        shows: a selector of what is there when the page is complete.
    """

    game: str
    kind: str
    path: str
    shows: str = "#page > *"


@dataclass
class Looked:
    """What was found on the pages.

    Attributes:
        pages: addresses that were opened.
        views: pages, each at one width and in one scheme.
        plain: pages that were opened without JavaScript.
        rules: rules of axe that were kept, on all views together.
        faults: what is wrong, and where.
    """

    pages: int = 0
    views: int = 0
    plain: int = 0
    rules: int = 0
    faults: list[str] = field(default_factory=list)


# ---- which pages there are -----------------------------------------------------------------------


def general_pages(folder: Path) -> list[Address]:
    """The pages that belong to no game; one problem is put into the data folder."""
    (folder / "problems").mkdir(exist_ok=True)
    name = "0" * 32
    (folder / "problems" / f"{name}.skp").write_text("agents ann\nfluent p\nann sees p\nactual p\n")
    return [
        Address("", "lobby", "/"),
        Address("", "puzzles", "/puzzles"),
        Address("", "puzzle, begun", "/puzzles/muddy_children"),
        Address("", "puzzle, with reason", "/puzzles/muddy_children?step=3&guess=yes&why=1"),
        Address("", "puzzle, drawn", "/puzzles/cheryls_birthday?step=3"),
        Address("", "puzzle, over", "/puzzles/three_hats?step=99"),
        Address("", "problem", f"/problems/{name}"),
        Address("", "fault", "/new/nonsense"),
        Address("", "nothing there", "/nonsense"),
    ]


def pages_of(folder: Path, name: str, **options: Any) -> list[Address]:
    """The pages of a game; its tables are put into the data folder of a server.

    Args:
        folder: the data folder.
        name: the game.
        options: of the game.
    """
    seed = 7
    table: Table[Any, Any] = Table.of(game(name), seed=seed, **options)
    list(table)
    tables = folder / "tables"
    tables.mkdir(parents=True, exist_ok=True)
    short = name.replace("_", "-")
    record = table.record
    record.write(tables / f"{short}-watched.jsonl")
    first, second, third = (
        record.setup.players[0],
        record.setup.players[1],
        record.setup.players[-1],
    )
    noted = record.seen_by(third)
    noted = replace(noted, outcomes=noted.outcomes[: min(6, len(noted.outcomes) - 1)], result=None)
    noted.write(tables / f"{short}-real.jsonl")
    found = [
        *_beginnings(name),
        *_watched(f"/t/{short}-watched", first, second, len(record.outcomes)),
        *_asked(f"/t/{short}-watched", first, second, menus(table.moment).facts[0].name),
        *_real(f"/t/{short}-real"),
        *_seats(folder, name, seed, options),
    ]
    return [replace(address, game=name) for address in found]


def _beginnings(name: str) -> Iterator[Address]:
    yield Address("", "new", f"/new/{name}")
    yield Address("", "real, names", f"/real/{name}")
    played = game(name)
    players = [person(player) for player in played.setup().players]
    names = {f"name{seat}": player for seat, player in enumerate(players)}
    asked = {"step": "hand", "rules": played.rules[0], **names, "you": 0}
    yield Address("", "real, hand", f"/real/{name}{query(**asked)}", ".taps")
    hand = _hand(name, players)
    yield Address(
        "", "real, dealt", f"/real/{name}{query(**asked, hand=hand)}", "form[method=post]"
    )


def _hand(name: str, players: Sequence[str]) -> str:
    """A hand as it is typed, one card after another: the first of what can be told each time."""
    hand = ""
    while (asked := dealt(name, game(name).rules[0], players, "", {}, players[0], hand)).ask:
        hand += f"{asked.choices[0]}\n"
    return hand


def _watched(table: str, first: str, second: str, last: int) -> Iterator[Address]:
    middle = last // 2
    yield Address("", "watch, the deal", f"{table}?at=0", ".watch")
    yield Address("", "watch, the end", table, ".result")
    for show in _SHOWS:
        asked = query(at=middle, player=first, beside=second, show=show)
        yield Address("", f"watch, {show}", f"{table}{asked}", ".mind")
    yield Address("", "review", f"{table}/review?now=1", ".review")


def _asked(table: str, first: str, second: str, fact: str) -> Iterator[Address]:
    nested = {
        "who0": first,
        "op0": "M",
        "who1": second,
        "op1": "K",
        "asked": "1",
        "at": "3",
        "fact": fact,
    }
    yield Address("", "ask", f"{table}/ask", ".builder")
    yield Address("", "ask, answered", f"{table}/ask{query(**nested)}", ".verdict")
    chain = nested | {"op0": "K", "who2": first, "op2": "Kw"}
    yield Address("", "ask, a chain", f"{table}/ask{query(**chain)}", ".verdict")
    drawn = f"{table}/ask{query(**nested, draw='near')}"
    yield Address("", "ask, drawn", drawn, ".verdict")
    yield Address("", "ask, predict", f"{table}/ask{query(predict=1, **nested)}", "h2")
    yield Address(
        "", "ask, a fault", f"{table}/ask{query(q='K[' + first + '] nonsense')}", ".problem"
    )


def _real(table: str) -> Iterator[Address]:
    for show in (*_SHOWS, "suggest"):
        asked = query(show=show if show != "sheet" else None, now=1)
        yield Address("", f"real, {show}", f"{table}{asked}", ".entry")
    yield Address("", "real, edit", f"{table}?edit=2", "#anew")
    yield Address("", "real, ask", f"{table}/ask", ".builder")


def _seats(folder: Path, name: str, seed: int, options: dict[str, Any]) -> Iterator[Address]:
    """The page of a person who must choose, the host's page, and a game that somebody has ended."""
    played, access = game(name), Access(Settings(folder))
    setup = played.setup(**options)
    minds = [HUMAN, *[next(iter(played.strategies))] * (len(setup.players) - 2), HUMAN]
    for ended in (False, True):
        table = f"{name.replace('_', '-')}-{'over' if ended else 'seats'}"
        path = folder / "tables" / f"{table}.jsonl"
        hosted, who = None, None
        while hosted is None or who is None:  # a short game may end before anybody has a choice
            hosted = Table(played, setup, minds, seed)
            hosted.keep(path, replace=True)
            while hosted.step() is not None:
                pass
            who, seed = hosted.waiting_for, seed + 1
        seat = f"/s/{table}/{who}/{access.token('seat', table, who)}"
        if ended:
            hosted.resign(who)
            yield Address("", "seat, over", seat, ".result")
            continue
        yield Address("", "host", f"/t/{table}", ".links")
        for show in (*_SHOWS, "suggest"):
            asked = query(show=show if show != "sheet" else None, now=1)
            kind = "hints" if show == "suggest" else show
            yield Address("", f"seat, {kind}", f"{seat}{asked}", "form.move")
        idle = next(player for player in hosted.persons if player != who)
        seat = f"/s/{table}/{idle}/{access.token('seat', table, idle)}"
        yield Address("", "seat, waiting", seat, ".noting")


# ---- looking -------------------------------------------------------------------------------------


def look(
    browser: Browser,
    host: str,
    addresses: Iterable[Address],
    *,
    widths: Sequence[tuple[int, int]] = WIDTHS,
    schemes: Sequence[Literal["light", "dark"]] = SCHEMES,
    pictures: Path | None = None,
) -> Looked:
    """Open all addresses, and look at each at all widths in all schemes.

    Each address is opened once: the server needs far longer for some pages than the browser does.
    Pictures go into a folder, if wanted.
    """
    found = Looked()
    with _page(browser, host, found) as page:
        for address in addresses:
            if not _open(page, address, found):
                continue
            found.pages += 1
            for (width, height), scheme in product(widths, schemes):
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme)
                where = f"{address.game} {address.kind} ({address.path}), {width}, {scheme}"
                found.views += 1
                wrong, kept = faults(page)
                found.faults += [f"{where}: {fault}" for fault in wrong]
                found.rules += kept
                if pictures is not None:
                    _picture(page, pictures, address, width, scheme)
    return found


def look_plain(browser: Browser, host: str, addresses: Iterable[Address], found: Looked) -> None:
    """Open all addresses without JavaScript: what is to be shown is there, and fits in."""
    with _page(browser, host, found, scripts=False) as page:
        width, height = WIDTHS[0]
        page.set_viewport_size({"width": width, "height": height})
        for address in addresses:
            if _open(page, address, found):
                found.plain += 1
                where = f"{address.game} {address.kind} ({address.path}), without JavaScript"
                if not fits(page):
                    found.faults.append(f"{where}: wider than the window")
                dead = page.locator(".script:visible").count()
                if dead:
                    found.faults.append(f"{where}: {dead} things that need JavaScript are shown")


@contextmanager
def _page(
    browser: Browser,
    host: str,
    found: Looked,
    *,
    scripts: bool = True,
) -> Iterator[Page]:
    """A page; what the console says becomes faults."""
    context = browser.new_context(base_url=host, java_script_enabled=scripts)
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)
    # The browser reports answers with the status of an error, too: they are expected.
    page.on(
        "console",
        lambda said: (
            None
            if "the server responded with" in said.text
            else found.faults.append(f"{page.url}, console: {said.text}")
        ),
    )
    page.on("pageerror", lambda error: found.faults.append(f"{page.url}, script: {error}"))
    yield page
    context.close()


def _open(page: Page, address: Address, found: Looked) -> bool:
    from playwright.sync_api import TimeoutError as TooLate

    for _ in range(40):
        answer = page.goto(address.path)
        if answer is None or answer.status >= 500:
            found.faults.append(f"{address.path}: {answer and answer.status}")
            return False
        try:
            # A review is made in parts; without JavaScript, somebody must reload its page.
            page.wait_for_selector(address.shows, state="attached", timeout=_PATIENCE / 20)
            return True
        except TooLate:
            if "/review" not in address.path:
                break
    found.faults.append(f"{address.game} {address.kind} ({address.path}): no {address.shows}")
    return False


def _picture(page: Page, folder: Path, address: Address, width: int, scheme: str) -> None:
    name = "-".join(re.findall(r"\w+", f"{address.game} {address.kind}"))
    (folder / scheme).mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / scheme / f"{name}-{width}.png", full_page=True)


@cache
def _axe() -> str:
    package = resources.files("axe_playwright_python")
    return package.joinpath("axe.min.js").read_text(encoding="utf-8")


def faults(page: Page) -> tuple[list[str], int]:
    """What is wrong with a page as it is shown now; and how many rules of axe it keeps."""
    found = [] if fits(page) else [f"wider than the window: {', '.join(wide_parts(page))}"]
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(f"() => {{ {_axe()} }}")
    # What is kept is long, and only counted: most of the time would go into sending it.
    told = page.evaluate(
        "axe.run({resultTypes: ['violations']}).then(told => "
        "({violations: told.violations, passes: told.passes.length}))"
    )
    found += [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in told["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]
    return found, int(told["passes"])


def fits(page: Page) -> bool:
    """Whether the page is no wider than the window."""
    told = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    return bool(page.evaluate(told))


def wide_parts(page: Page) -> list[str]:
    """The elements that are wider than the window, and not within one that scrolls."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('main *')].filter(part => {"
        "const box = part.getBoundingClientRect();"
        "if (box.right <= document.documentElement.clientWidth) return false;"
        "for (let up = part.parentElement; up; up = up.parentElement)"
        "  if (getComputedStyle(up).overflowX !== 'visible') return false;"
        "return true}).slice(0, 3).map(part => part.outerHTML.slice(0, 100))"
    )
    return found


def pages_of_all(folder: Path, names: Sequence[str] = ()) -> list[Address]:
    """The pages of all games that are installed, and those that belong to no game."""
    for name in names:
        if name not in game_names():
            raise InputError(f"expected a game ({', '.join(game_names())}), got {name!r}")
    found = general_pages(folder)
    for name in names or game_names():
        found += pages_of(folder, name)
    return found
