"""Access rights: the host, and the people who have the link of a table or a seat.

If the server accepts connections from this machine only, everybody who can reach it is its host.
Otherwise the host is anybody who has opened the address with the key, which the server prints when
it starts. All other people need the link of a table or of a seat. Tokens of seats are derived from
a secret in the data folder, so they need not be stored, and they stay the same after a restart.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from starlette.requests import Request

from symkripke.errors import InputError
from symkripke.web.settings import Settings


class Forbidden(InputError):
    """A request that its sender is not allowed to make."""


class Expired(Forbidden):
    """A form that belongs to another session of the browser."""


class Access:
    """The access rights of a server.

    Attributes:
        key: the key that opens the server for its host.
        session_key: the key that signs browser sessions.
        cookie: the name of the session cookie.
    """

    def __init__(self, settings: Settings) -> None:
        """Read the secret of the data folder, or create it."""
        self.settings = settings
        self._secret = _secret(settings.data / "secret")
        self.key = self.token("key", "host")
        self.session_key = self.token("session", "key")
        # Browsers share cookies between ports, so servers of different data folders on this machine
        # need cookies with different names.
        self.cookie = f"symkripke_{self.token('session', 'cookie')[:8]}"

    def token(self, kind: str, *names: str) -> str:
        """Return a token of 128 bits, which cannot be guessed without the secret."""
        text = "\n".join((kind, *names)).encode()
        return hmac.new(self._secret, text, hashlib.sha256).hexdigest()[:32]

    def opens(self, token: str, kind: str, *names: str) -> bool:
        """Return whether `token` is the token of this kind and these names."""
        return _same(token, self.token(kind, *names))

    # ---- the host ------------------------------------------------------------------------------

    def is_host(self, request: Request) -> bool:
        """Return whether the request comes from the host, who may do everything."""
        return self.settings.is_local or "host" in request.session

    def need_host(self, request: Request) -> None:
        """Raise `Forbidden` unless the request comes from the host."""
        if not self.is_host(request):
            raise Forbidden("only the host of this server may do this: open the link with the key")

    # ---- forms of our own ----------------------------------------------------------------------

    def form_token(self, request: Request) -> str:
        """Return the CSRF token of forms."""
        token: str = request.session.setdefault("form", secrets.token_hex(16))
        return token

    def check_form(self, request: Request, token: str) -> None:
        """Raise `Forbidden` unless the form has the CSRF token of this browser's session."""
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Forbidden("this form came from another site")
        known = request.session.get("form", "")
        if not known or not _same(token, known):
            raise Expired("nothing was sent: reload the page, and enter it again")


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _secret(file: Path) -> bytes:
    """Return the secret of a data folder, created once and readable only by its owner."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = file.read_bytes()
        if len(secret) < 32:
            raise InputError(
                f"{file}: expected a secret of 32 bytes; delete the file to get a new one"
            ) from None
        return secret
    with os.fdopen(handle, "wb") as out:
        made = secrets.token_bytes(32)
        out.write(made)
    return made
