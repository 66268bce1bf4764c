"""A browser's part, as cheap as it can be: on this machine the server needs the processors."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from itsdangerous import TimestampSigner

from symkripke.web.access import Access


class Gone(Exception):
    """The server has closed the connection, or there is no server."""


@dataclass(frozen=True)
class Page:
    """An answer: its status, where it was in the end, and its text."""

    status: int
    path: str
    text: str


class Browser:
    """A connection that is kept, a session, and the token that the forms of its pages carry."""

    def __init__(self, host: str, port: int) -> None:
        """A browser that has not opened any page yet."""
        self._host, self._port = host, port
        self._cookies: dict[str, str] = {}
        self._token = ""
        self._lines: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, **query: object) -> Page:
        """Open a page, and whatever it leads to; raises `Gone`."""
        return await self._followed("GET", f"{path}?{urlencode(query)}" if query else path, b"")

    async def post(self, path: str, fields: Mapping[str, str]) -> Page:
        """Send a form with the token of the last page; raises `Gone`."""
        body = urlencode({"form_token": self._token, **fields}).encode()
        return await self._followed("POST", path, body)

    def another(self) -> Browser:
        """Return another browser of the same server."""
        return Browser(self._host, self._port)

    def close(self) -> None:
        """End the connection."""
        if self._lines is not None:
            self._lines[1].close()
        self._lines = None

    async def _followed(self, method: str, path: str, body: bytes) -> Page:
        while True:
            status, headers, text = await self._asked(method, path, body)
            if status != 303:
                if found := re.search(r'name="form_token" value="(\w+)"', text):
                    self._token = found[1]
                return Page(status, path, text)
            method, path, body = "GET", headers["location"], b""

    async def _asked(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], str]:
        if self._lines is not None:
            with suppress(Gone):  # the server may have closed a connection that lay idle
                return await self._on_a_line(method, path, body)
        self._lines = await self._connected()
        return await self._on_a_line(method, path, body)

    async def _on_a_line(
        self, method: str, path: str, body: bytes
    ) -> tuple[int, dict[str, str], str]:
        assert self._lines is not None
        reader, writer = self._lines
        try:
            writer.write(self._head(method, path, body) + body)
            status, headers = await _headers(reader)
            content = await reader.readexactly(int(headers.get("content-length", 0)))
        except (OSError, Gone, asyncio.IncompleteReadError) as error:
            self.close()
            raise Gone(repr(error)) from error
        if "set-cookie" in headers:
            name, _, value = headers["set-cookie"].partition(";")[0].partition("=")
            self._cookies[name] = value
        if headers.get("connection") == "close":
            self.close()
        return status, headers, content.decode()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            return await asyncio.open_connection(self._host, self._port)
        except OSError as error:
            raise Gone(repr(error)) from error

    def _head(self, method: str, path: str, body: bytes) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._host}:{self._port}"]
        if self._cookies:
            told = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            lines.append(f"Cookie: {told}")
        if method == "POST":
            lines.append("Content-Type: application/x-www-form-urlencoded")
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join((*lines, "", "")).encode()


async def _headers(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer; raises `Gone`."""
    try:
        told = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    except (OSError, asyncio.IncompleteReadError) as error:
        raise Gone(repr(error)) from error
    headers = {}
    for line in told[1:]:
        with suppress(ValueError):
            name, value = line.split(": ", 1)
            headers[name.lower()] = value
    return int(told[0].split()[1]), headers


def session_cookie(access: Access, **values: object) -> dict[str, str]:
    """The cookie of a session with these values, as the server signs it."""
    told = b64encode(json.dumps(values).encode())
    return {access.cookie: TimestampSigner(access.session_key).sign(told).decode()}
