"""Wrong requests: tricks with paths, tokens and forms, and bodies that are too large or broken."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, cast
from urllib.parse import urlsplit

import click
import httpx2
from starlette.applications import Starlette
from starlette.testclient import TestClient

from symkripke.play import Table, game
from symkripke.play.strategies import HUMAN
from symkripke.web.access import Access
from symkripke.web.pages import Server
from symkripke.web.server import application
from symkripke.web.settings import Settings
from tests.soak.common import Found
from tests.soak.raw_http import raw_requests, slow_clients
from tests.soak.serving import served, session_cookie

_PATHS: tuple[str, ...] = (
    "/",
    "/t/{}",
    "/t/{}/ask",
    "/t/{}/play",
    "/t/{}/enter",
    "/t/{}/edit",
    "/t/{}/log",
)
_PATHS += ("/t/{}/remove", "/s/{}/ann/{}", "/s/{}/ann/{}/choose", "/new/{}", "/real/{}")
_PATHS += ("/puzzles/{}", "/problems/{}", "/problems", "/static/{}", "/review.css", "/t/{}/review")
_NAMES: tuple[str, ...] = (
    "..",
    "../secret",
    "%2e%2e%2fsecret",
    "..%5c..%5csecret",
    "secret",
    "a" * 5000,
    "\x00",
)
_NAMES += ("%00", "con", "tables/../../secret", "{table}", "{table}.jsonl", "..{table}", "éa", "-")
_NAMES += ("%ff%fe", "{table}%0a", ".", "{table}/../{table}", "__proto__", "cluedo", "<script>")
_VALUES: tuple[str, ...] = (
    "",
    "0",
    "-1",
    "99999999999999999999",
    "x" * 70_000,
    "\x00",
    "é" * 100,
    "1e9",
    "None",
)
_VALUES += ("[", "K[" * 3000, "{}", "'; drop table", "<b>", "../..", "\r\nX: y", "nan", "ann")
_FIELDS: tuple[str, ...] = (
    "at",
    "player",
    "beside",
    "show",
    "text",
    "tap",
    "move",
    "c0",
    "q",
    "fact",
    "x0",
    "who0",
)
_FIELDS += ("number", "events", "hand", "name0", "you", "rules", "set.edition", "seed", "step", "n")
_METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH")

_NEVER = (b"Traceback", b"symkripke/web", b"site-packages")


def wrong_requests(
    found: Found, client: TestClient, table: str, secret: bytes, number: int, seed: int
) -> None:
    """Send so many wrong requests; `table` is a table that there is."""
    chance = Random(seed)
    server: Server = cast(Starlette, client.app).state.server
    makers = (_path, _query, _form, _body, _headers, partial(_of_others, server.access))
    for place in range(number):
        maker: Callable[[Random, str], dict[str, Any]] = makers[place % len(makers)]
        request = maker(chance, table)
        told = f"{request['method']} {str(request['url'])[:120]}"
        try:
            answer = client.request(**request, follow_redirects=False)
        except (httpx2.InvalidURL, ValueError):
            continue  # the client itself does not send it
        status = answer.status_code
        found.done[f"wrong requests, status {status}"] += 1
        found.check(status < 500 or status == 503, f"{status}: {told}")
        let_in = _lets_in(request, status, is_host=server.settings.is_local)
        found.check(not let_in, f"let in, {status}: {told}")
        never = (*_NEVER, secret, secret.hex().encode())
        shows = any(inside in answer.content for inside in never)
        found.check(not shows, f"shows its insides: {told}")


def begin_games(folder: Path) -> None:
    """Put a game that is watched and one with two people into a folder of tables."""
    table: Table[Any, Any] = Table.of(game("cluedo"), players=3, seed=1)
    table.record.write(folder / "wrong.jsonl")
    people = game("perudo")
    by_people = Table(people, people.setup(players=2), (HUMAN, HUMAN), 1)
    by_people.keep(folder / "people.jsonl")


def _lets_in(request: dict[str, Any], status: int, *, is_host: bool) -> bool:
    """Whether a form is taken, or somebody else than the host is shown a table or a seat."""
    if request["method"] == "POST":
        return status in (200, 201, 303)
    path = urlsplit(str(request["url"])).path
    return not is_host and path.startswith(("/t/", "/s/")) and status == 200


def _of_others(access: Access, chance: Random, table: str) -> dict[str, Any]:
    """Tokens that are right, but for another seat, another table or another session."""
    token = access.token
    ann, bob, away = (token("seat", *names) for names in _SEATS)
    paths = [
        f"/s/people/bob/{ann}",
        f"/s/people/ann/{bob}",
        f"/s/people/ann/{away}",
        f"/s/{table}/ann/{ann}",
        f"/s/people/Ann/{ann}",
        f"/s/people/ann/{ann[:-1]}",
        f"/s/people/ann/{ann.upper()}x",
        f"/t/people.{token('link of a table', table)}",
        f"/t/{table}.{ann}",
        f"/t/{table}.{token('key', 'host')}",
        f"/t/{table}",
    ]
    path = chance.choice(paths) + chance.choice(("", "", "/ask", "/words", "/log"))
    if chance.random() < 0.5:
        return {"method": "GET", "url": path}
    # The seat is the right one, or the table; but the form is that of another session, or of none.
    right = [f"/s/people/ann/{ann}/{form}" for form in ("choose", "resign", "go-on")]
    right.append(f"/t/{table}.{token('link of a table', table)}/play")
    (signed,) = session_cookie(access, form="1" * 32).values()
    host = b64encode(b'{"host": true, "form": "' + b"0" * 32 + b'"}').decode()
    forged = f"{host}.{signed.partition('.')[2]}"
    session = chance.choice(("", signed, signed[:-1], forged, host, "null", "\x7f" * 32))
    data = {"form_token": "0" * 32, "move": "0", "c0": "0"}
    headers = {"Cookie": f"{access.cookie}={session}"}
    url = chance.choice((*right, f"{path}/choose", f"{path}/play"))
    return {"method": "POST", "url": url, "data": data, "headers": headers}


_SEATS = (("people", "ann"), ("people", "bob"), ("other", "ann"))


def _address(chance: Random, table: str) -> str:
    path = chance.choice(_PATHS)
    while "{}" in path:
        path = path.replace("{}", chance.choice(_NAMES).replace("{table}", table), 1)
    return path


def _path(chance: Random, table: str) -> dict[str, Any]:
    return {"method": chance.choice(_METHODS), "url": _address(chance, table)}


def _pairs(chance: Random) -> Iterator[tuple[str, str]]:
    for _ in range(chance.randrange(1, 6)):
        yield chance.choice(_FIELDS), chance.choice(_VALUES)


def _query(chance: Random, table: str) -> dict[str, Any]:
    path = chance.choice(_PATHS).replace("{}", table)
    return {"method": "GET", "url": path, "params": dict(_pairs(chance))}


def _form(chance: Random, table: str) -> dict[str, Any]:
    """A form without a token, or with a wrong one."""
    path = chance.choice(_PATHS).replace("{}", table)
    data = {**dict(_pairs(chance)), "form_token": chance.choice(_VALUES)}
    return {"method": "POST", "url": path, "data": data}


def _body(chance: Random, table: str) -> dict[str, Any]:
    """A body that is too large, or none of a form."""
    kinds: tuple[str, ...] = (
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
    )
    kinds += ("application/json", "multipart/form-data", "")
    size = chance.choice((0, 1, 100, 63_999, 64_001, 300_000))
    body = chance.choice((b"a=", b"--x\r\n", b"%", b"\xff\xfe", b"{")) + bytes(
        chance.randrange(256) for _ in range(min(size, 500))
    )
    body += b"x" * max(0, size - len(body))
    return {
        "method": "POST",
        "url": chance.choice(_PATHS).replace("{}", table),
        "content": body,
        "headers": {"Content-Type": chance.choice(kinds)},
    }


def _headers(chance: Random, table: str) -> dict[str, Any]:
    """Hosts, origins and cookies that are not ours."""
    headers = {
        chance.choice(("Host", "Origin", "Sec-Fetch-Site", "Cookie", "X-Forwarded-For")): (
            chance.choice(("evil.example", "null", "cross-site", "symkripke=%00;;=", "::"))
        )
    }
    path = chance.choice(_PATHS).replace("{}", table)
    return {"method": chance.choice(("GET", "POST")), "url": path, "headers": headers}


@click.command()
@click.option("--requests", "number", type=click.IntRange(1), default=1000, help="How many.")
@click.option("--seed", type=int, default=0, help="Which.")
@click.option("--slow", type=click.IntRange(0, 150), default=30, help="Slow clients of each kind.")
@click.option("--seconds", type=float, default=25.0, help="How long they hold on.")
def web_wrong(number: int, seed: int, slow: int, seconds: float) -> Found:
    """Send wrong requests: no error of the server, nothing changed, nothing told, nobody in.

    On real sockets, status 0 means that the connection was closed without an answer.
    """
    found = Found()
    with TemporaryDirectory() as name:
        folder = Path(name)
        app = application(Settings(folder, host="0.0.0.0"))
        begin_games(folder / "tables")
        before = _contents(folder)
        secret = (folder / "secret").read_bytes()
        with TestClient(app, raise_server_exceptions=False) as client:
            wrong_requests(found, client, "wrong", secret, number, seed)
        with served(folder) as (host, port, _):
            raw_requests(host, port, found)
            slow_clients(host, port, slow, seconds, found)
        found.check(_contents(folder) == before, "something in the folder has changed")
    return found


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
