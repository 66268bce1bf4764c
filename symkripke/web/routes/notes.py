"""A real table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from symkripke.errors import InputError
from symkripke.web.pages import Handler, Server


async def page(server: Server, request: Request) -> Response:
    raise InputError("soon")


ROUTES: tuple[tuple[str, str, Handler], ...] = ()
