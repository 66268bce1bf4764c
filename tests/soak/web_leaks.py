"""A seat's page does not depend on anything that the seat cannot see.

At moments of many games, the deal is replaced by another one that the seat considers possible, with
the same record (made by `secrecy`). Then everything that the server sends to the seat must be the
same, byte for byte: status, headers and body of pages, questions with their reasons and drawings,
hints, answers to wrong moves, refusals, and the version of the table. Each moment has the page
itself, its version, questions whose answers show example worlds, and a random choice of other
requests.

Before that, one of the two servers answers other questions, of this seat and of others. So the
processes that make the pages have different histories.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import click
from starlette.testclient import TestClient

from symkripke.engines import Mark
from symkripke.language import Formula
from symkripke.play import PersonView
from symkripke.web.pages import Server
from symkripke.web.server import application
from symkripke.web.settings import Settings
from tests.soak.common import Found
from tests.soak.secrecy import SETUPS, moments
from tests.soak.serving import session_cookie

_SHOWS = ("odds", "words", "others", "suggest")

_MORE = 5
"""The number of requests at each moment, besides the page itself and the examples."""

_BEFORE = 4
"""The number of questions sent to only one of the servers before a moment is compared."""

_QUESTIONS = (
    *("K[{me}] {cell}", "M[{me}] {cell}", "Kw[{me}] {cell}", "P[{me}]({cell})"),
    *("Kw[{other}] {cell}", "K[{me}] Kw[{other}] {cell}", "M[{me}] K[{other}] {cell}"),
    *("C[*] {cell}", "{cell}", "{cell} &"),
)
"""Questions about a cell of the note sheet; not all of them have answers."""

_TOKEN = "0" * 32
"""The token of forms, which is the same in both browsers."""

_EXAMPLES = (*_QUESTIONS[2:7], "M[{me}] M[{other}] {cell}")
"""Questions about a cell that is open for the seat; most of their answers show worlds."""


_ONCE = re.compile(rb'name="once" value="[0-9a-f]+"')


class Side:
    """A separate server, with the browser of the seat."""

    def __init__(self, folder: Path) -> None:
        """Use a new folder; both sides have the same secret, and therefore the same tokens."""
        folder.mkdir()
        (folder / "secret").write_bytes(b"the same on both sides: 32 bytes")
        settings = Settings(folder, quick=1, slow=1, seconds=120)
        app = application(settings)
        self.server: Server = app.state.server
        self.tables = self.server.tables.folder
        self.client = TestClient(app, cookies=session_cookie(self.server.access, form=_TOKEN))

    def sent(self, address: str, form: dict[str, str] | None) -> tuple[int, bytes, object]:
        """Return everything that is sent: the status, the body, and headers except the date.

        The random value of a form that takes effect once is left out.
        """
        method = "GET" if form is None else "POST"
        answer = self.client.request(method, address, data=form)
        headers = sorted((k, v) for k, v in answer.headers.items() if k != "date")
        return answer.status_code, _ONCE.sub(b"", answer.content), headers


_LONG_AGO = 1_700_000_000


def compare(found: Found, folder: Path, number: int, seed: int) -> None:
    """Compare `number` moments, except during a pending choice, which no log contains."""
    sides = Side(folder / "actual"), Side(folder / "there")
    with sides[0].client, sides[1].client:
        for at, name in ((at, name) for at in count(seed) for name in SETUPS):
            for hosted, view, other, chance in moments(name, at, folder, 0.6):
                if not hosted._choices:
                    paths = hosted.path, other.path
                    _compare(found, sides, paths, view, hosted.persons, chance)
                if found.done.total() >= number:
                    return


def _compare(
    found: Found,
    sides: tuple[Side, Side],
    logs: tuple[Path, Path],
    view: PersonView[Any, Any],
    persons: Sequence[str],
    chance: Random,
) -> None:
    """Put both logs into the folders, and send the same requests to both servers."""
    table, who = logs[0].stem.replace("_", "-"), view.player
    # The lobby shows when a table changed; a time long ago always gives the same words.
    changed = _LONG_AGO + found.done.total()
    for side, log in zip(sides, logs, strict=True):
        copied = side.tables / f"{table}.jsonl"
        copied.write_bytes(log.read_bytes())
        os.utime(copied, (changed, changed))
    found.done[table.rpartition("-")[0]] += 1
    access = sides[0].server.access
    seats = {name: f"/s/{table}/{name}/{access.token('seat', table, name)}" for name in persons}
    for _ in range(_BEFORE):
        sides[1].sent(_ask(chance.choice([*seats.values()]), _question(view, chance)), None)
    base = seats[who]
    requests = _requests(base, table, who, _question(view, chance), _TOKEN, chance)
    for address, form in [*requests, *_examples(base, view, chance)]:
        mine, others = (side.sent(address, form) for side in sides)
        found.check(mine == others, address)


def _ask(base: str, question: str, **more: str) -> str:
    """Return the address of a question at a seat."""
    return f"{base}/ask?{urlencode({'q': question, **more})}"


def _examples(
    base: str, view: PersonView[Any, Any], chance: Random
) -> Iterator[tuple[str, dict[str, str] | None]]:
    """Yield questions about cells that are open for the seat, and a drawing."""
    marks = view.moment.marks(view.player)
    cells = [cell for cell, mark in marks.items() if mark is Mark.OPEN]
    for template in chance.sample(_EXAMPLES, 2) if cells else ():
        asked = _about(template, chance.choice(cells), view, chance)
        yield _ask(base, asked), None
    yield _ask(base, "true", draw="near"), None


def _question(view: PersonView[Any, Any], chance: Random) -> str:
    """Return a question about a random cell of the note sheet."""
    cell = chance.choice(list(view.moment.layout.cells.values()))
    return _about(chance.choice(_QUESTIONS), cell, view, chance)


def _about(template: str, cell: Formula, view: PersonView[Any, Any], chance: Random) -> str:
    """Fill a template with a cell and a random other player."""
    other = chance.choice([name for name in view.setup.players if name != view.player])
    return template.format(me=view.player, other=other, cell=f"({cell})")


def _requests(
    base: str, table: str, who: str, about: str, token: str, chance: Random
) -> list[tuple[str, dict[str, str] | None]]:
    """Return the requests of a seat: its page, and some of the others."""
    # Forms with wrong numbers or invalid text are refused, and change nothing.
    wrong = {"form_token": token, "move": "0", "c0": "99999", "text": ""}
    typed = {"form_token": token, "text": "xyzzy 3"}
    stale = {"form_token": token, "move": "0", "c0": "0", "seen": "0" * 16}
    at = f"&at={chance.randrange(6)}"
    more: list[tuple[str, dict[str, str] | None]] = [
        (f"{base}?now=1&show={chance.choice(_SHOWS)}{at}", None),
        (_ask(base, about), None),
        (f"{_ask(base, about)}{at}", None),
        (_ask(base, about, draw=chance.choice(("near", "why"))), None),
        (_ask(base, about, predict="1"), None),
        (f"{base}/ask?who0={who}&op0=Kw&fact=%3D&asked=1", None),
        (f"{base}/ask/words?text={chance.choice('abcdefghijklmKMP')}", None),
        (f"{base}/words?text={chance.choice('abcdefghijklm')}", None),
        (f"/t/{table}", None),
        (f"/t/{table}/ask?q=true", None),
        (f"/t/{table}/ask/words?text=K", None),
        (f"/t/{table}/log", None),
        (f"/t/{table}/review", None),
        (f"/t/{table}/share", None),
        (f"{base}/choose", wrong),
        (f"{base}/choose", typed),
        (f"{base}/choose", stale),
        (f"{base}/choose", {**typed, "form_token": "0"}),
        ("/", None),
    ]
    return [(base, None), (f"{base}/changes", None), *chance.sample(more, _MORE)]


@click.command()
@click.option("--moments", "number", type=click.IntRange(1), default=1000, help="How many.")
@click.option("--seed", type=int, default=0, help="The first game.")
def web_leaks(number: int, seed: int) -> Found:
    """Check that seats receive the same bytes whatever is hidden from them."""
    found = Found()
    with TemporaryDirectory() as folder:
        compare(found, Path(folder), number, seed)
    return found
