"""Helpers for the tests of the pages: short games, and forms and links without a browser."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urljoin

import httpx2
from starlette.testclient import TestClient

from symkripke.play import Table, game
from symkripke.play.strategies import HUMAN
from symkripke.web.access import Access
from tests.support.tables import kept_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

Pages = dict[str, str]
"""Kinds of pages, with the address of one page of each."""

SHORT: Mapping[str, tuple[Mapping[str, str], int]] = {
    "cluedo": ({"players": "3", "set.size": "3/2/3"}, 4),
    "hanabi": ({"players": "2", "set.colours": "1", "set.ranks": "2", "set.hand": "1"}, 1),
    "kwartet": ({"players": "3", "set.groups": "3"}, 13),
    "old_maid": ({"players": "3", "set.ranks": "3"}, 1),
    "perudo": ({"players": "2", "set.dice": "1"}, 3),
    "sleuth": ({"players": "3", "set.size": "2/2/2"}, 4),
}
"""For each game, a small setup and a seed that make it short."""


def options_of(name: str) -> dict[str, Any]:
    """Return the short setup of a game, as arguments of `Game.setup`."""
    given = {key.removeprefix("set."): value for key, value in SHORT[name][0].items()}
    return {**given, "players": int(given["players"])}


@dataclass(frozen=True)
class Form:
    """A form of a page: its address, its fields with their values, its buttons and its choices."""

    method: str
    action: str
    fields: Mapping[str, str]
    buttons: tuple[tuple[str, str, str], ...]
    choices: Mapping[str, tuple[str, ...]]


def forms(page: str) -> list[Form]:
    """Return the forms of a page."""
    found = []
    for attributes, inside in re.findall(r"<form ([^>]*)>(.*?)</form>", page, re.DOTALL):
        fields: dict[str, str] = {}
        choices: dict[str, list[str]] = {}
        for tag in re.findall(r"<input ([^>]*)>", inside):
            name = _attribute(tag, "name")
            if not name:
                continue
            if _attribute(tag, "type") in ("radio", "checkbox"):
                choices.setdefault(name, []).append(_attribute(tag, "value"))
            else:
                fields[name] = _attribute(tag, "value")
        for tag, options in re.findall(r"<select ([^>]*)>(.*?)</select>", inside, re.DOTALL):
            told = re.findall(r"<option([^>]*)>(.*?)</option>", options, re.DOTALL)
            values = [
                _attribute(o, "value") if "value=" in o else html.unescape(t) for o, t in told
            ]
            chosen = [v for v, (o, _) in zip(values, told, strict=True) if "selected" in o]
            fields[_attribute(tag, "name")] = (chosen or values)[0]
        buttons = tuple(
            (_attribute(tag, "name"), _attribute(tag, "value"), re.sub("<[^>]*>", "", words))
            for tag, words in re.findall(r"<button([^>]*)>(.*?)</button>", inside, re.DOTALL)
        )
        found.append(
            Form(
                _attribute(attributes, "method") or "get",
                _attribute(attributes, "action"),
                fields,
                buttons,
                {name: tuple(values) for name, values in choices.items()},
            )
        )
    return found


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'(?:^|\s){name}="([^"]*)"', tag)
    return html.unescape(found[1]) if found else ""


def form(page: str, action: str) -> Form:
    """Return the form of a page whose address ends with `action`."""
    return next(f for f in forms(page) if f.action.partition("?")[0].endswith(action))


def send(client: TestClient, sent: Form, **values: str) -> Any:
    """Send a form with other values for some fields, and follow redirects."""
    return client.post(sent.action, data={**sent.fields, **values})


def announced(page: str) -> str:
    """Return the text that a screen reader announces for a new page."""
    found = re.search(r"<\w+[^>]* data-announce[^>]*>(.*?)</\w+>", page, re.DOTALL)
    assert found is not None
    return html.unescape(re.sub(r"<[^>]*>", "", found[1]).strip())


def dealing(client: TestClient, game: str, **options: str) -> Form:
    """Return the form that deals a new game."""
    page = client.get(f"/new/{game}", params=options).text
    return next(found for found in forms(page) if found.method == "post")


def begin(client: TestClient, game: str, *, people: tuple[int, ...] = ()) -> Any:
    """Begin a short game, and return the response with its first page."""
    options, seed = SHORT[game]
    seats = {f"mind{seat}": "human" for seat in people}
    found = dealing(client, game, **options)
    return client.post(f"/new/{game}", data={**found.fields, "seed": str(seed), **seats})


def log_of(data: Path, path: str) -> Path:
    """Return the log of the table at this address."""
    return data / "tables" / f"{path.split('/')[2]}.jsonl"


def put_table(data: Path, name: str, **options: Any) -> Table[Any, Any]:
    """Write a whole game of Cluedo as a table of the server."""
    table: Table[Any, Any] = Table.of(game("cluedo"), **(options_of("cluedo") | options))
    list(table)
    (data / "tables").mkdir(parents=True, exist_ok=True)
    table.record.write(data / "tables" / f"{name}.jsonl")
    return table


def path_of(response: Any) -> str:
    """Return the address of a response, without its query."""
    return str(response.url.path)


# ---- all pages -----------------------------------------------------------------------------------


def put_tables(folder: Path, *, short: bool = True) -> dict[str, Table[Any, Any]]:
    """Write, for each game, a finished one, one at a real table, and one in which people play.

    With `short`, all games are short; otherwise they have the usual size.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name in SHORT:
        options = options_of(name) if short else {}
        played, setup = game(name), game(name).setup(**options)
        table: Table[Any, Any] = Table.of(played, seed=SHORT[name][1], **options)
        list(table)
        table.record.write(folder / f"{name}-over.jsonl")
        seen = table.record.seen_by(setup.players[-1])
        part = replace(seen, outcomes=seen.outcomes[:1], result=None)
        part.write(folder / f"{name}-real.jsonl")
        minds = [HUMAN, *["random"] * (len(setup.players) - 2), HUMAN]
        found[name] = kept_table(folder / f"{name}-seats.jsonl", played, setup, minds, 3)
        while found[name].step() is not None:
            pass
    return found


def crawl(address: str, access: Access, waiting: list[str], *, whole: Sequence[str]) -> Pages:
    """Return each kind of page that links lead to from `waiting`, with the address of one page.

    For games not in `whole`, include only pages without a query. Check every page.
    """
    found: dict[str, str] = {}
    others = SHORT.keys() - {*whole}
    with httpx2.Client(base_url=address, timeout=120) as client:
        while waiting:
            path = waiting.pop(0)
            kind = kind_of(path)
            short = any(name in path for name in others)
            if kind in found or (short and len(kind.split()) > 1 and "show" not in kind):
                continue
            found[kind] = path
            answer = client.get(path)
            expected = 200 if "nonsense" not in path else 404 if path == "/nonsense" else 422
            assert answer.status_code == expected, (path, answer.status_code)
            assert access.key not in answer.text
            is_page = answer.headers["content-type"].startswith("text/html")
            if not is_page or "content-disposition" in answer.headers:
                del found[kind]
                continue
            assert re.search(r"<title>[^<]+</title>", answer.text), path
            assert "Traceback" not in answer.text
            base = str(answer.url.path)
            waiting += [urljoin(base, link) for link in links(answer.text) if "://" not in link]
    return found


def starts(
    access: Access, tables: Mapping[str, Table[Any, Any]], whole: Sequence[str]
) -> list[str]:
    """Return the starting pages of the crawl: pages without links to them, and seats."""
    found = []
    for name in whole:
        first, second, *_ = tables[name].setup.players
        mind = f"/t/{name}-over?at=1&player={first}&beside={second}&show="
        found += [mind + show for show in ("sheet", "odds", "words", "others")]
        asked = f"/t/{name}-over/ask?at=1&q={quote(next(iter(game(name).examples)))}"
        found += [asked, f"{asked}&draw=near", f"{asked}&predict=1", f"{asked} x"]
        found += [f"/t/{name}-over/review?now=1"]
    found += ["/puzzles/muddy_children?step=3&why=1", "/nonsense", "/new/nonsense", "/?all=1"]
    return found + [
        f"/s/{name}-seats/{who}/{access.token('seat', f'{name}-seats', who)}"
        for name, table in tables.items()
        for who in table.persons[: 2 if name in whole else 1]
    ]


def links(page: str) -> list[str]:
    """Return the addresses on this server that links and `get` forms of a page lead to."""
    found = [html.unescape(link) for link in re.findall(r'<a [^>]*href="([^"]*)"', page)]
    asked = [
        f"{sent.action}?{urlencode(sent.fields)}" for sent in forms(page) if sent.method == "get"
    ]
    return [link.partition("#")[0] for link in [*found, *asked] if link.partition("#")[0]]


def kind_of(address: str) -> str:
    """Return the kind of page; pages of one kind differ by a turn, a player or a puzzle."""
    path, _, query = address.partition("?")
    given = dict(parse_qsl(query))
    few = sorted(given.keys() & {"draw", "edit", "hand", "now", "predict", "q", "show", "why"})
    place = re.sub(r"/[0-9a-f]{32}|(/problems|/puzzles)/.*", r"\1/...", path)
    return " ".join([place, *few, given.get("show", "")])


# ---- in a browser --------------------------------------------------------------------------------


@cache
def _axe() -> str:
    package = resources.files("axe_playwright_python")
    return package.joinpath("axe.min.js").read_text(encoding="utf-8")


def faults(page: Page) -> list[str]:
    """Return the faults that axe finds, and "too wide" if the page does not fit the window."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(f"() => {{ {_axe()} }}")
    # The full results are long, and sending them would take most of the time.
    told = page.evaluate(
        "axe.run({resultTypes: ['violations']}).then(told => "
        "({violations: told.violations, passes: told.passes.length}))"
    )
    assert told["passes"] > 10
    return [*([] if fits(page) else ["too wide"])] + [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in told["violations"]
        for node in violation["nodes"]
    ]


def fits(page: Page) -> bool:
    """Return whether the page fits the width of the window."""
    told = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    return bool(page.evaluate(told))
