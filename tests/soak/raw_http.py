"""Requests that no browser sends, byte by byte on real sockets, and clients that are slow."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread

from tests.soak.common import Found

_NEVER = (b"Traceback", b"symkripke/web", b"site-packages", b"root:x:")
_SECONDS = 20.0

HEADS: tuple[bytes, ...] = (
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost.evil.example:80\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: testserver\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n",
    b"GET /\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"get / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(50),
    b"\r\n\r\n\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n folded: header\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: \x00\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 20_000 + b"\r\n",
    b"GET /t/x/changes HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
    b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n",
    b"POST /problems HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /problems HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n"
    b"\r\nab",
    b"POST /problems HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"POST /problems HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /secret HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /problems HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
    b"0\r\n\r\n",
    b"POST /problems HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /problems HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"1000\r\n"
    + b"a" * 4096
    + b"\r\n" * 40,
    b"POST /problems HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
    b"Content-Length: 999999\r\n\r\n",
)
"""Whole requests: heads, hosts, lengths and upgrades that are wrong in some way."""

PATHS: tuple[bytes, ...] = (
    b"/../../../../etc/passwd",
    b"/static/../server.py",
    b"/static/..%2fserver.py",
    b"/static/%2e%2e/server.py",
    b"/static/%252e%252e/server.py",
    b"/static/..%5cserver.py",
    b"/static//etc/passwd",
    b"/static/%00",
    b"/static/" + b"a" * 300,
    b"/static/" + b"../" * 2000,
    b"//evil.example/",
    b"/t/%2e%2e%2fsecret",
    b"/t/%2e%2e/log",
    b"/t/..;/log",
    b"/t/%00/log",
    b"/t/\xff\xfe",
    b"/t/%ff%fe/log",
    b"/t/%c0%ae%c0%ae/log",
    b"/t/" + "\N{MATHEMATICAL FRAKTUR SMALL T}able".encode(),
    b"/t/" + b"a" * 20_000,
    b"/s/a/b/%00",
    b"/s/../../secret/b/c",
    b"/s/%2e%2e/%2e%2e/" + b"0" * 32,
    b"/problems/%2e%2e%2fsecret",
    b"/puzzles/..%2f..%2fsecret",
    b"/new/%2fetc%2fpasswd",
    b"/new/cluedo?set.edition=/etc/passwd",
    b"/new/cluedo?set.edition=..%2f..%2fsecret",
    b"/?key=%00",
    b"/?key=" + b"0" * 32,
    b"/#../secret",
    b"/%",
    b"/%zz",
    b"/?%zz=%zz&&&=&;",
)
"""Addresses as no client writes them."""

METHODS = (b"GET", b"POST", b"PUT", b"DELETE", b"HEAD", b"PATCH", b"QUERY")


def raw_requests(host: str, port: int, found: Found) -> None:
    """Send every wrong head, and every wrong address with every method."""
    requests = list(HEADS)
    for path in PATHS:
        for method in METHODS:
            body = b"a=1" if method in (b"POST", b"PUT", b"PATCH", b"QUERY") else b""
            head = (
                b"%s %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
            )
            requests.append(head % (method, path, host.encode(), port, len(body)) + body)
    for request in requests:
        answer = _answer(host, port, request)
        status = int(answer[9:12]) if answer[:5] == b"HTTP/" else 0
        found.done[f"raw requests, status {status}"] += 1
        if status >= 500 and status != 503:
            found.fault(f"{status}: {request[:100]!r}")
        if b" /" in request[:8] and status == 101:
            found.fault(f"upgraded: {request[:100]!r}")
        if any(inside in answer for inside in _NEVER):
            found.fault(f"shows its insides: {request[:100]!r}")


def _answer(host: str, port: int, request: bytes, *, is_all: bool = True) -> bytes:
    """The beginning of what is sent for these bytes; nothing if the connection is closed.

    `is_all`: whether the server is told that nothing more will come.
    """
    told = b""
    with socket.create_connection((host, port), timeout=_SECONDS) as line:
        with suppress(OSError):
            line.sendall(request)
        if is_all:
            with suppress(OSError):
                line.shutdown(socket.SHUT_WR)
        with suppress(OSError):
            while len(told) < 200_000 and (part := line.recv(65_536)):
                told += part
    return told


# ---- slow clients --------------------------------------------------------------------------------

_POST = b"POST /problems HTTP/1.1\r\nHost: localhost\r\n"
SLOW: Mapping[str, tuple[bytes, bytes]] = {
    "a body": (_POST + b"Content-Length: 60000\r\n\r\n", b"a"),
    "chunks": (_POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
}
"""For each way to be slow, what is sent at first, and what then once a second.

Slow heads, and clients that do not read, are left to a reverse proxy.
"""


def slow_clients(host: str, port: int, number: int, seconds: float, found: Found) -> None:
    """Let so many slow clients of each kind hold on, and see how others fare meanwhile."""
    lines: list[tuple[str, socket.socket]] = []
    for kind, (first, _) in SLOW.items():
        for _ in range(number):
            line = socket.create_connection((host, port), timeout=5)
            line.setblocking(False)
            line.send(first)
            lines.append((kind, line))
    quick = Thread(target=_quick, args=(host, port, seconds, found))
    quick.start()
    end = time.monotonic() + seconds
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
    """Whether the other side has closed a connection; what it has sent is read."""
    try:
        while line.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _quick(host: str, port: int, seconds: float, found: Found) -> None:
    """Others, each with a connection of its own, who ask for a page ten times a second."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        request = f"GET /puzzles HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
        answer = _answer(host, port, request.encode(), is_all=False)
        found.done["other clients meanwhile"] += 1
        if not answer.startswith(b"HTTP/1.1 200"):
            found.fault(f"others got {answer[:40]!r}")
        time.sleep(0.1)
