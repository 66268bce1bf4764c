"""Checks around every request (host name, size, rate), and the security headers for browsers.

These are plain ASGI layers: streams (server-sent events) pass through them without buffering.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from html import escape

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from symkripke.web.settings import Settings

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Pages may load files from this server only. Inline scripts and styles are forbidden."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_BODY_SECONDS = 10.0
"""The time after which the server stops waiting for the body of a request."""

_ADDRESSES = 10_000


class Headed:
    """Adds the headers that tell browsers what pages may do."""

    def __init__(self, app: ASGIApp) -> None:
        """Around this application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the class."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, headed)


class Named:
    """Refuses requests for other host names, so no other site can reach it under its own name.

    Only for a server that listens to this machine alone; otherwise keys and tokens decide.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Around this application."""
        self.app = app
        self.settings = settings
        self._names = ("localhost", "127.0.0.1", "[::1]", settings.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the class."""
        if scope["type"] == "http" and self.settings.is_local:
            host = Headers(scope=scope).get("host", "")
            name = host if host.endswith("]") else host.rpartition(":")[0] or host
            if name not in (*self._names, scope["server"][0]):
                await _refuse(
                    421, f"This server is not called {name[:80]!r}.", scope, receive, send
                )
                return
        await self.app(scope, receive, send)


class Rated:
    """Limits the requests a second from one address; further requests are refused.

    Files that pages need, such as their style, are refused only after as many requests more: so a
    page that tells of the refusal has its style.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Around this application."""
        self.app = app
        self.settings = settings
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the class."""
        if scope["type"] == "http" and not self._allows(scope):
            await _refuse(429, "Too many requests: wait a moment.", scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _allows(self, scope: Scope) -> bool:
        client = scope.get("client")
        address = str(client[0]) if client else ""
        now = time.monotonic()
        left, since = self._left.pop(address, (float(self.settings.burst), now))
        left = min(self.settings.burst, left + (now - since) * self.settings.rate)
        is_file = scope["path"].startswith("/static/")
        allowed = left >= (1 - self.settings.burst if is_file else 1)
        self._left[address] = left - 1 if allowed else left, now
        while len(self._left) > _ADDRESSES:
            self._left.popitem(last=False)
        return allowed


class Sized:
    """Reads whole bodies, up to a size and within a time, before the handler gets them."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Around this application."""
        self.app = app
        self.most = settings.body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the class."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        if length.isdecimal() and (len(length) > 12 or int(length) > self.most):
            await _refuse(413, f"Too much: at most {self.most} bytes.", scope, receive, send)
            return
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                body = await self._read(receive)
        except TimeoutError:
            await _refuse(408, "The request did not come in time.", scope, receive, send)
            return
        if body is None:
            await _refuse(413, f"Too much: at most {self.most} bytes.", scope, receive, send)
            return
        is_read = False

        async def again() -> Message:
            nonlocal is_read
            if is_read:
                return await receive()
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, again, send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body; None if it is too large."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > self.most:
                return None
            if not message.get("more_body", False):
                return bytes(body)


_REFUSAL = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{text} · symkripke</title>
<link rel="stylesheet" href="/static/app.css">
</head>
<body>
<main id="page">
<section class="narrow">
<h1>{text}</h1>
<p>{advice}</p>
</section>
</main>
</body>
</html>
"""

_ADVICE = {
    408: "Go back in your browser, and send it again.",
    413: "Go back in your browser, and send less.",
    421: "Open the address that the server printed when it started.",
    429: "Then reload the page. Nothing is lost.",
}


async def _refuse(status: int, text: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer without the application: with a page for browsers, with a line for all others."""
    headers = {"Retry-After": "1"} if status == 429 else None
    answer: Response
    if "text/html" in Headers(scope=scope).get("accept", ""):
        page = _REFUSAL.format(text=escape(text), advice=_ADVICE[status])
        answer = HTMLResponse(page, status, headers)
    else:
        answer = PlainTextResponse(f"{text}\n", status, headers)
    await answer(scope, receive, send)
