"""A seat's page does not depend on what the seat cannot see.

At moments of many games, the deal is replaced by another one that the seat considers possible, with
the same record (`benchmarks.secrecy` makes it). Then everything that is sent to the seat must be
the same, byte for byte: status, headers and body of pages, questions with their reasons and
drawings, hints, answers to wrong moves, refusals, and the stream of events. Each moment has the
page itself, and some of the other requests by chance.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote, urlencode

from starlette.testclient import TestClient
from starlette.types import Message, Scope

from benchmarks.secrecy import SETUPS, Watched, any_move, other_game
from symkripke.errors import InputError
from symkripke.play import PersonView, game
from symkripke.play.strategies import HUMAN
from symkripke.web.pages import Server
from symkripke.web.server import application
from symkripke.web.settings import Settings

_SHOWS = ("odds", "words", "others", "suggest")
_TURNS = 14

_MORE = 5
"""So many requests are sent at each moment besides that for the page itself."""

_QUESTIONS = (
    "K[{me}] {cell}",
    "M[{me}] {cell}",
    "Kw[{me}] {cell}",
    "P[{me}]({cell})",
    "Kw[{other}] {cell}",
    "K[{me}] Kw[{other}] {cell}",
    "M[{me}] K[{other}] {cell}",
    "C[*] {cell}",
    "{cell}",
    "{cell} &",
)
"""Questions about a cell of the note sheet; not all of them can be answered."""


@dataclass
class Found:
    """What came of a check.

    Attributes:
        moments: so many moments were compared, by game.
        pages: so many answers of the server were compared ...
        bytes: ... with so many bytes.
        streams: so many streams of events were compared.
        leaks: the addresses that told something.
    """

    moments: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    bytes: int = 0
    streams: int = 0
    leaks: list[str] = field(default_factory=list)


class Side:
    """A server of its own, and the browser of the seat."""

    def __init__(self, folder: Path) -> None:
        """In a new folder; the secret is the same on both sides, and so are tokens."""
        folder.mkdir()
        (folder / "secret").write_bytes(b"the same on both sides: 32 bytes")
        settings = Settings(
            folder, quick=1, slow=1, seconds=120, patience=120, rate=1e6, burst=1_000_000
        )
        app = application(settings)
        self.server: Server = app.state.server
        self.tables = self.server.tables.folder
        self.client = TestClient(app, cookies={"symkripke_session": "0" * 32})

    def told(self, address: str, table: str) -> list[tuple[str, object]]:
        """What the stream of events of a table tells at first, and of a change."""
        sent: list[tuple[str, object]] = []

        async def listen() -> None:
            enough = asyncio.Event()

            async def receive() -> Message:
                await enough.wait()
                return {"type": "http.disconnect"}

            async def send(message: Message) -> None:
                body: bytes = message.get("body", b"")
                sent.append((message["type"], body or message.get("headers")))
                if b"hello" in body:
                    self.server.live.tell(table)
                if b"changed" in body or message.get("status", 200) != 200:
                    enough.set()

            scope = self.scope(address)
            async with asyncio.timeout(60):
                await self.client.app(scope, receive, send)

        assert self.client.portal is not None
        self.client.portal.call(listen)
        return sent

    def scope(self, address: str) -> Scope:
        """A request of the seat's browser for a stream."""
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": unquote(address),
            "raw_path": address.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"testserver")],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
        }

    def sent(self, address: str, form: dict[str, str] | None) -> tuple[int, bytes, object]:
        """All that is sent: the status, the body, and the headers but for the date."""
        method = "GET" if form is None else "POST"
        answer = self.client.request(method, address, data=form)
        headers = sorted((k, v) for k, v in answer.headers.items() if k != "date")
        return answer.status_code, answer.content, headers


_LONG_AGO = 1_700_000_000


def leaks(folder: Path, moments: int, seed: int) -> Found:
    """Compare so many moments."""
    found = Found()
    sides = Side(folder / "actual"), Side(folder / "other")
    (folder / "games").mkdir()
    with sides[0].client, sides[1].client:
        for number, name in _games(seed):
            _observe(found, sides, folder / "games", name, number, moments)
            if found.moments.total() >= moments:
                return found
    raise AssertionError


def _games(seed: int) -> Iterator[tuple[int, str]]:
    while True:
        for name in SETUPS:
            yield seed, name
        seed += 1


def _observe(
    found: Found, sides: tuple[Side, Side], folder: Path, name: str, seed: int, moments: int
) -> None:
    """Play a game, and compare what is sent at each moment at which a person must choose."""
    played, chance = game(name), Random(f"{name}/{seed}/web")
    setup = played.setup(**SETUPS[name])
    minds = [HUMAN, next(iter(played.strategies)), HUMAN]
    path = folder / f"{name}-{seed}.jsonl"
    hosted = Watched.begin(path, played, setup, minds, seed)
    assert isinstance(hosted, Watched)
    (folder / "other").mkdir(exist_ok=True)
    while not hosted.is_over and hosted._state.turn <= _TURNS:
        if hosted.step() is not None or (who := hosted.waiting_for) is None:
            continue
        view = hosted.view(who)
        if hosted.events and chance.random() < 0.6 and not hosted._choices:
            other: Any = None
            with suppress(InputError):  # a deal that the rules do not write like this
                other = other_game(hosted, view, folder / "other", chance)
            if other is not None:
                asked = _question(view, chance)
                _compare(found, sides, path, other.path, who, asked, chance)
                if found.moments.total() >= moments:
                    return
        hosted.choose(who, any_move(view, chance))


def _compare(
    found: Found,
    sides: tuple[Side, Side],
    path: Path,
    other: Path,
    who: str,
    asked: str,
    chance: Random,
) -> None:
    """Put both logs into the folders, and ask both servers for the same."""
    table = path.stem.replace("_", "-")
    # The lobby says when a table changed: long ago, so that it is the same words at any time.
    changed = _LONG_AGO + found.moments.total()
    for side, log in zip(sides, (path, other), strict=True):
        copied = side.tables / f"{table}.jsonl"
        copied.write_bytes(log.read_bytes())
        os.utime(copied, (changed, changed))
    found.moments[path.stem.rpartition("-")[0]] += 1
    base = f"/s/{table}/{who}/{sides[0].server.access.token('seat', table, who)}"
    token = sides[0].server.access.token("form", "0" * 32)
    requests = _requests(base, table, who, asked, token, chance)
    for address, form in requests:
        mine, others = (side.sent(address, form) for side in sides)
        found.pages += 1
        found.bytes += len(mine[1])
        if mine != others:
            found.leaks.append(address)
    stream = f"{base}/changes"
    heard, others_heard = (side.told(stream, table) for side in sides)
    found.streams += 1
    if heard != others_heard:
        found.leaks.append(stream)


def _question(view: PersonView[Any, Any], chance: Random) -> str:
    """A question about some cell of the note sheet."""
    cell = chance.choice(list(view.moment.layout.cells.values()))
    other = chance.choice([name for name in view.setup.players if name != view.player])
    return chance.choice(_QUESTIONS).format(me=view.player, other=other, cell=f"({cell})")


def _requests(
    base: str, table: str, who: str, about: str, token: str, chance: Random
) -> list[tuple[str, dict[str, str] | None]]:
    """What a seat can ask for: the page, and some of the rest."""
    # What has a wrong number, or is not understood, is refused, and changes nothing.
    wrong = {"form_token": token, "move": "0", "c0": "99999", "text": ""}
    typed = {"form_token": token, "text": "xyzzy 3"}
    stale = {"form_token": token, "move": "0", "c0": "0", "seen": "0" * 16}
    at = f"&at={chance.randrange(6)}"
    more: list[tuple[str, dict[str, str] | None]] = [
        (f"{base}?show={chance.choice(_SHOWS)}{at}", None),
        (f"{base}/ask?{urlencode({'q': about})}", None),
        (f"{base}/ask?{urlencode({'q': about})}{at}", None),
        (f"{base}/ask?{urlencode({'q': about, 'draw': chance.choice(('near', 'why'))})}", None),
        (f"{base}/ask?{urlencode({'q': about, 'predict': '1'})}", None),
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
    return [(base, None), *chance.sample(more, _MORE)]
