"""Invalid requests: attacks on paths, tokens and forms, and bodies that are too large or broken.

Some requests go to the application; those that no client sends go byte by byte to a separate
server, while slow clients keep connections to it open.
"""

from __future__ import annotations

import socket
import time
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import click
import httpx2
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from symkripke.play import Table, game
from symkripke.play.strategies import HUMAN
from symkripke.web.access import Access
from symkripke.web.server import application
from symkripke.web.settings import Settings
from tests.soak.common import Found, contents
from tests.soak.serving import served, session_cookie

_NEVER = (b"Traceback", b"symkripke/web", b"site-packages", b"root:x:")
_TABLE = "wrong"

# ---- the requests --------------------------------------------------------------------------------

_AREAS = ("", "t", "s", "s/people/ann", "new", "real", "puzzles", "problems", "static")
_PAGES = ("", "ask", "play", "enter", "edit", "log", "remove", "choose", "review", "words")
_NAMES = (
    *("", "-", ".", "..", "a" * 5000, "éa", "cluedo", "con", "server.py", "review.css", _TABLE),
    *("../secret", "../../../../etc/passwd", "../" * 2000, "..%2fserver.py", "..%5csecret", "%00"),
    *("%2e%2e%2fsecret", "%2e%2e/log", "%252e%252e/secret", "%2fetc%2fpasswd", "/etc/passwd"),
    *("%ff%fe", "%c0%ae%c0%ae/log", "%", "%zz", "?%zz=%zz&&&=&;", "?key=%00", f"?key={'0' * 32}"),
    *("?set.edition=/etc/passwd", "?set.edition=..%2f..%2fsecret", "..;/log", "#../secret"),
    *(f"{_TABLE}.jsonl", f"..{_TABLE}", f"{_TABLE}%0a", f"{_TABLE}/../{_TABLE}", "<script>"),
    *("\N{MATHEMATICAL FRAKTUR SMALL T}able", "__proto__", f"tables/../{_TABLE}", "/evil.example/"),
)
_VALUES = (
    *("", "0", "-1", "9" * 20, "1e9", "nan", "None", "[", "{}", "K[" * 3000, "x" * 70_000, "<b>"),
    *("\0", "é" * 100, "'; drop table", "../..", "\r\nX: y", "ann"),
)
_FIELDS = (
    *("at", "player", "beside", "show", "text", "tap", "move", "c0", "q", "fact", "x0", "who0"),
    *("number", "events", "hand", "name0", "you", "rules", "set.edition", "seed", "step", "n"),
)
_METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "QUERY")
_HEADERS = ("Host", "Origin", "Sec-Fetch-Site", "Cookie", "X-Forwarded-For")
_ALIEN = ("evil.example", "null", "cross-site", "symkripke=%00;;=", "::")
_TYPES = (
    *("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"),
    *("application/json", "multipart/form-data", ""),
)

_some = st.sampled_from
_urls = st.builds(
    lambda *parts: "/".join(("", *filter(None, parts))),
    _some(_AREAS),
    _some(_NAMES) | st.just(_TABLE),
    _some(_PAGES),
)
_given = st.dictionaries(_some(_FIELDS), _some(_VALUES) | st.text(), max_size=5)
_bodies = st.builds(
    lambda start, more, size: start + more + b"x" * size,
    _some((b"", b"a=", b"--x\r\n", b"%", b"\xff\xfe", b"{")),
    st.binary(max_size=500),
    _some((0, 100, 63_000, 64_001, 300_000)),
)
# The forms have no token or a wrong one.
_forms = st.builds(lambda fields, token: {**fields, "form_token": token}, _given, _some(_VALUES))
_typed = st.builds(lambda kind: {"Content-Type": kind}, _some(_TYPES))
_headed = st.dictionaries(_some(_HEADERS), _some(_ALIEN), min_size=1)
_requests: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(dict, method=_some(_METHODS), url=_urls),
    st.builds(dict, method=st.just("GET"), url=_urls, params=_given),
    st.builds(dict, method=st.just("POST"), url=_urls, data=_forms),
    st.builds(dict, method=st.just("POST"), url=_urls, content=_bodies, headers=_typed),
    st.builds(dict, method=_some(("GET", "POST")), url=_urls, headers=_headed),
)


def _of_others(access: Access) -> st.SearchStrategy[dict[str, Any]]:
    """Return requests with valid tokens of another seat, table or session."""
    token, link = access.token, access.token("link of a table", _TABLE)
    ann, bob, away = (
        token("seat", *names) for names in (("people", "ann"), ("people", "bob"), ("other", "ann"))
    )
    paths = _some(
        (
            *(f"/s/people/bob/{ann}", f"/s/people/ann/{bob}", f"/s/people/ann/{away}"),
            *(f"/s/{_TABLE}/ann/{ann}", f"/s/people/Ann/{ann}", f"/s/people/ann/{ann[:-1]}"),
            *(f"/s/people/ann/{ann.upper()}x", f"/t/people.{link}", f"/t/{_TABLE}.{ann}"),
            *(f"/t/{_TABLE}.{token('key', 'host')}", f"/t/{_TABLE}"),
        )
    )
    # The seat or the table is right, but the form belongs to another session or to none.
    right = [f"/s/people/ann/{ann}/{form}" for form in ("choose", "resign", "go-on")]
    right.append(f"/t/{_TABLE}.{link}/play")
    (signed,) = session_cookie(access, form="1" * 32).values()
    host = b64encode(b'{"host": true, "form": "' + b"0" * 32 + b'"}').decode()
    forged = f"{host}.{signed.partition('.')[2]}"
    sessions = ("", signed, signed[:-1], forged, host, "null", "\x7f" * 32)
    pages = st.builds(str.__add__, paths, _some(("", "", "/ask", "/words", "/log")))
    posted = _some(right) | st.builds(str.__add__, paths, _some(("/choose", "/play")))
    cookies = st.builds(lambda one: {"Cookie": f"{access.cookie}={one}"}, _some(sessions))
    data = st.just({"form_token": "0" * 32, "move": "0", "c0": "0"})
    return st.builds(dict, method=st.just("GET"), url=pages) | st.builds(
        dict, method=st.just("POST"), url=posted, data=data, headers=cookies
    )


# ---- to the application --------------------------------------------------------------------------


def wrong_requests(found: Found, app: Starlette, secret: bytes, number: int, first: int) -> None:
    """Send `number` invalid requests to an application; `first` is the seed."""
    never = (*_NEVER, secret, secret.hex().encode())

    def send(request: dict[str, Any]) -> None:
        told = f"{request['method']} {request['url'][:120]}"
        try:
            answer = client.request(**request, follow_redirects=False)
        except (httpx2.InvalidURL, ValueError):
            return  # the client itself refuses to send it
        status = answer.status_code
        found.done[f"wrong requests, status {status}"] += 1
        found.check(status < 500 or status == 503, f"{status}: {told}")
        found.check(not _lets_in(request, status), f"let in, {status}: {told}")
        shows = any(inside in answer.content for inside in never)
        found.check(not shows, f"shows its insides: {told}")

    checks = settings(
        max_examples=number, database=None, deadline=None, suppress_health_check=[*HealthCheck]
    )
    with TestClient(app, raise_server_exceptions=False) as client:
        checks(seed(first)(given(_requests | _of_others(app.state.server.access))(send)))()


def _lets_in(request: Mapping[str, Any], status: int) -> bool:
    """Return whether a form is accepted, or a stranger is shown a table or seat."""
    if request["method"] == "POST":
        return status in (200, 201, 303)
    return urlsplit(request["url"]).path.startswith(("/t/", "/s/")) and status == 200


def begin_games(folder: Path) -> None:
    """Put a watched game and a game with two people into a folder of tables."""
    table: Table[Any, Any] = Table.of(game("cluedo"), players=3, seed=1)
    table.record.write(folder / f"{_TABLE}.jsonl")
    people = game("perudo")
    by_people = Table(people, people.setup(players=2), (HUMAN, HUMAN), 1)
    by_people.keep(folder / "people.jsonl")


# ---- byte by byte --------------------------------------------------------------------------------

_HOST = b"Host: localhost\r\n"
_CHUNKED = b"Transfer-Encoding: chunked\r\n"

LINES = (
    *(b"GET /", b"GET / HTTP/1.0", b"GET / HTTP/9.9", b"get / HTTP/1.1", b"PRI * HTTP/2.0"),
    *(
        b"CONNECT evil.example:443 HTTP/1.1",
        b"TRACE / HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
        b"\r\n\r\n",
    ),
    *(
        b"GET http://evil.example/ HTTP/1.1",
        b"GET /t/\xff\xfe HTTP/1.1",
        b"\x16\x03\x01" + bytes(50),
    ),
    b"GET / HTTP/1.1",
)
"""First lines of requests, including the right one."""

HEADS = (
    *(b"", _HOST, _HOST + b"Host: evil.example\r\n", b"Host: evil.example\r\n"),
    *(b"Host: localhost.evil.example:80\r\n", b"Host: testserver\r\n", b"Host localhost\r\n"),
    *(_HOST + b" folded: header\r\n", _HOST + b"X: \0\r\n", _HOST + b"X: a\r\n" * 20_000),
    _HOST + b"X: " + b"a" * 100_000 + b"\r\n",
    _HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
    _HOST + b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
    b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
)
"""Heads, each sent with each first line."""

BODIES = (
    *(b"Content-Length: -1\r\n\r\n", b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    *(b"Content-Length: 99999999999999999999\r\n\r\n", _CHUNKED + b"\r\nzz\r\n"),
    b"Content-Length: 5\r\n"
    + _CHUNKED
    + b"\r\n0\r\n\r\nGET /secret HTTP/1.1\r\n"
    + _HOST
    + b"\r\n",
    b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    _CHUNKED + b"\r\n1000\r\n" + b"a" * 4096 + b"\r\n" * 40,
    b"Expect: 100-continue\r\nContent-Length: 999999\r\n\r\n",
)
"""Headers with wrong lengths or encodings, each with the text that follows."""


def raw_requests(host: str, port: int, found: Found) -> None:
    """Send every wrong line, head and body, and every wrong address with some methods."""
    requests = [line + b"\r\n" + head + b"\r\n" for line, head in product(LINES, HEADS)]
    requests += [b"POST /problems HTTP/1.1\r\n" + _HOST + body for body in BODIES]
    for area, name in product(_AREAS, _NAMES):
        for method in Random(name).sample(_METHODS, 2):
            head = f"{method} /{area}/{name} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close"
            requests.append(f"{head}\r\nContent-Length: 3\r\n\r\na=1".encode())
    for request in requests:
        answer = _answer(host, port, request)
        status = int(answer[9:12]) if answer[:5] == b"HTTP/" else 0
        found.done[f"raw requests, status {status}"] += 1
        found.check(status < 500 or status == 503, f"{status}: {request[:100]!r}")
        found.check(status != 101, f"upgraded: {request[:100]!r}")
        shows = any(inside in answer for inside in _NEVER)
        found.check(not shows, f"shows its insides: {request[:100]!r}")


def _answer(host: str, port: int, request: bytes, *, is_all: bool = True) -> bytes:
    """Return the beginning of the answer to these bytes; nothing if the connection is closed.

    If `is_all`, tell the server that nothing more will come.
    """
    told = b""
    with socket.create_connection((host, port), timeout=20) as line, suppress(OSError):
        line.sendall(request)
        if is_all:
            line.shutdown(socket.SHUT_WR)
        while len(told) < 200_000 and (part := line.recv(65_536)):
            told += part
    return told


# ---- slow clients --------------------------------------------------------------------------------

_POST = b"POST /problems HTTP/1.1\r\n" + _HOST
SLOW = {
    "a body": (_POST + b"Content-Length: 60000\r\n\r\n", b"a"),
    "chunks": (_POST + _CHUNKED + b"\r\n", b"1\r\na\r\n"),
}
"""For each way to be slow, the bytes sent at first, and then once a second.

Slow heads, and clients that do not read, are left to a reverse proxy.
"""


def slow_clients(host: str, port: int, number: int, seconds: float, found: Found) -> None:
    """Keep `number` slow clients of each kind connected, and check other clients meanwhile."""
    lines: list[tuple[str, socket.socket]] = []
    for kind, (first, _) in SLOW.items():
        for _ in range(number):
            line = socket.create_connection((host, port), timeout=5)
            line.setblocking(False)
            line.send(first)
            lines.append((kind, line))
    end = time.monotonic() + seconds
    quick = Thread(target=_quick, args=(host, port, end, found))
    quick.start()
    while time.monotonic() < end:
        time.sleep(1)
        for kind, line in lines:
            with suppress(OSError):
                line.send(SLOW[kind][1])
    quick.join()
    for kind, line in lines:
        found.done[f"slow clients, {kind}"] += 1
        found.check(_is_closed(line), f"still open after {seconds:.0f} s: {kind}")
        line.close()


def _is_closed(line: socket.socket) -> bool:
    """Return whether the other side has closed a connection, after reading its bytes."""
    try:
        while line.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _quick(host: str, port: int, end: float, found: Found) -> None:
    """Ask for a page ten times a second, with a new connection each time."""
    request = f"GET /puzzles HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
    while time.monotonic() < end:
        answer = _answer(host, port, request.encode(), is_all=False)
        found.done["other clients meanwhile"] += 1
        found.check(answer.startswith(b"HTTP/1.1 200"), f"others got {answer[:40]!r}")
        time.sleep(0.1)


@click.command()
@click.option("--requests", "number", type=click.IntRange(1), default=1000, help="How many.")
@click.option("--seed", "first", type=int, default=0, help="Which.")
@click.option("--slow", type=click.IntRange(0, 150), default=30, help="Slow clients of each kind.")
@click.option("--seconds", type=float, default=25.0, help="How long they hold on.")
def web_wrong(number: int, first: int, slow: int, seconds: float) -> Found:
    """Send invalid requests: the server must not fail, change anything, or give anybody access.

    On real sockets, status 0 means that the connection was closed without an answer.
    """
    found = Found()
    with TemporaryDirectory() as name:
        folder = Path(name)
        app = application(Settings(folder, host="0.0.0.0"))
        begin_games(folder / "tables")
        before = contents(folder)
        wrong_requests(found, app, (folder / "secret").read_bytes(), number, first)
        with served(folder) as (host, port, _):
            raw_requests(host, port, found)
            slow_clients(host, port, slow, seconds, found)
        found.check(contents(folder) == before, "something in the folder has changed")
    return found
