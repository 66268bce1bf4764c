"""Access rights: the host, and the people who have the link of a table or a seat.

If the server listens to this machine alone, everybody who can reach it is its host. Otherwise the
host is whoever has opened the address with the key, which the server prints when it starts. All
other people need the link of a table or of a seat. Tokens of seats are derived from a secret in the
data folder, so they need not be stored, and stay the same after a restart.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from symkripke.errors import InputError
from symkripke.web.settings import Settings

SESSION = "symkripke_session"
HOST = "symkripke_host"
_LONG = 365 * 24 * 3600


class Forbidden(InputError):
    """The sender of the request may not do this."""


class Expired(Forbidden):
    """The form belongs to another session of the browser."""


class Access:
    """The access rights; see the module."""

    def __init__(self, settings: Settings) -> None:
        """Read the secret of the data folder, or make one."""
        self.settings = settings
        self._secret = _secret(settings.data / "secret")
        self.key = self.token("key", "host")

    def token(self, kind: str, *names: str) -> str:
        """A token of 128 bits, which cannot be guessed without the secret."""
        text = "\n".join((kind, *names)).encode()
        return hmac.new(self._secret, text, hashlib.sha256).hexdigest()[:32]

    # ---- the host ------------------------------------------------------------------------------

    def is_host(self, request: Request) -> bool:
        """Whether the request comes from the host, who may do everything."""
        if self.settings.is_local:
            return True
        return _same(request.cookies.get(HOST, ""), self.token("host", "cookie"))

    def need_host(self, request: Request) -> None:
        """Raises `Forbidden` for everybody else."""
        if not self.is_host(request):
            raise Forbidden("only the host of this server may do this: open the link with the key")

    def opens(self, key: str) -> bool:
        """Whether this is the key."""
        return _same(key, self.key)

    def opens_table(self, name: str, token: str) -> bool:
        """Whether this is the token of a table."""
        return _same(token, self.token("link of a table", name))

    def welcome(self, response: Response) -> None:
        """Set the cookie that marks the host's browser."""
        _set(response, HOST, self.token("host", "cookie"))

    # ---- forms of our own ----------------------------------------------------------------------

    def session(self, request: Request) -> str:
        """The session of the browser; a new one, if it has none."""
        found = request.cookies.get(SESSION, "")
        if len(found) == 32 and found.isalnum():
            return found
        if not hasattr(request.state, "session"):
            request.state.session = secrets.token_hex(16)
        made: str = request.state.session
        return made

    def form_token(self, request: Request) -> str:
        """The token that every form carries, so that no other site can send it."""
        return self.token("form", self.session(request))

    def check_form(self, request: Request, token: str) -> None:
        """Raises `Forbidden` unless the form came from a page that this browser got from here."""
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Forbidden("this form came from another site")
        known = SESSION in request.cookies
        if not known or not _same(token, self.form_token(request)):
            raise Expired("nothing was sent: reload the page, and enter it again")

    def remember(self, request: Request, response: Response) -> None:
        """Give the browser its session, if it is new."""
        if hasattr(request.state, "session"):
            _set(response, SESSION, request.state.session)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _set(response: Response, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=_LONG, httponly=True, samesite="lax", path="/")


def _secret(file: Path) -> bytes:
    """The secret of a data folder; made once, for the owner's eyes only."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        found = file.read_bytes()
        if len(found) < 32:
            raise InputError(
                f"{file}: expected a secret of 32 bytes; delete it for a new one"
            ) from None
        return found
    with os.fdopen(handle, "wb") as out:
        made = secrets.token_bytes(32)
        out.write(made)
    return made
