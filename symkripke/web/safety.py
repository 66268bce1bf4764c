"""Middleware for every request: the security headers, and the check of the host name.

It is plain ASGI, so streams pass through it without buffering.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class SecurityHeaders:
    """Middleware that adds headers to restrict what pages may do in the browser."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and add the headers to the response."""

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, headed)


class HostCheck:
    """Middleware that rejects unknown Host headers, to prevent DNS rebinding.

    Starlette's `TrustedHostMiddleware` responds with a line of text that does not say which address
    to open.
    """

    def __init__(self, app: ASGIApp, host: str, refusal: ASGIApp) -> None:
        """Wrap an application; `refusal` answers requests for other names."""
        self.app = app
        self.refusal = refusal
        self._names = ("localhost", "127.0.0.1", "[::1]", host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or reject it if its Host header is unknown."""
        app = self.app
        if scope["type"] == "http":
            host = Headers(scope=scope).get("host", "")
            name = host if host.endswith("]") else host.rpartition(":")[0] or host
            if name not in (*self._names, scope["server"][0]):
                app = self.refusal
        await app(scope, receive, send)
