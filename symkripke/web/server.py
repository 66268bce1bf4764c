"""The server: assembling its parts, and running it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import webbrowser
from collections.abc import AsyncIterator, Callable
from functools import partial
from importlib import resources

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from symkripke.errors import BudgetExceeded, InputError, JournalChanged, SymkripkeError
from symkripke.web.access import Expired, Forbidden
from symkripke.web.pages import Server
from symkripke.web.routes import ROUTES
from symkripke.web.safety import HostCheck, SecurityHeaders
from symkripke.web.settings import Settings
from symkripke.web.tables import NoTable
from symkripke.web.views.mistakes import mistake

_LOG = logging.getLogger("symkripke.web")

_SESSION_SECONDS = 365 * 24 * 3600

_CONNECTIONS = 900
"""The maximum number of connections, because most systems allow 1,024 open files."""


def application(settings: Settings) -> Starlette:
    """Return the application of a server. Raise `InputError` if the data folder is unusable."""
    server = Server(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        starting = asyncio.create_task(server.work.warm_up())
        try:
            yield
        finally:
            starting.cancel()
            server.work.end()

    routes: list[BaseRoute] = [
        Route(path, partial(handler, server), methods=[method]) for method, path, handler in ROUTES
    ]
    folder = str(resources.files("symkripke.web").joinpath("static"))
    routes.append(Mount("/static", StaticFiles(directory=folder)))
    checks = []
    if settings.is_local:  # otherwise keys and tokens decide
        checks = [Middleware(HostCheck, host=settings.host, refusal=_other_name(server))]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders),
            *checks,
            Middleware(
                SessionMiddleware,
                secret_key=server.access.session_key,
                session_cookie=server.access.cookie,
                max_age=_SESSION_SECONDS,
            ),
        ],
        exception_handlers=dict.fromkeys(
            (SymkripkeError, HTTPException, 500), partial(_faulty, server)
        ),
        lifespan=lifespan,
    )
    # A redirect would contain the host name of the request, which anybody can forge.
    app.router.redirect_slashes = False
    app.state.server = server
    return app


# ---- errors --------------------------------------------------------------------------------------

_FAULTS: tuple[tuple[type[Exception], int, str], ...] = (
    (Expired, 403, "This form has expired"),
    (Forbidden, 403, "Access denied"),
    (NoTable, 404, "Table not found"),
    (BudgetExceeded, 503, "This took too long"),
    (JournalChanged, 409, "The table has changed in the meantime"),
    (InputError, 422, "Invalid input"),
    (SymkripkeError, 503, "The request failed"),
    (Exception, 500, "Internal error"),
)

_ADVICE: dict[object, str] = {
    NoTable: "It may have been deleted, or the link is not complete.",
    404: "The address may be mistyped.",
    408: "Go back in your browser, and send it again.",
    413: "Go back in your browser, and send less.",
    500: "The error has been logged, and the tables are safe: try again, or continue elsewhere.",
}
"""Advice by the type of the error or, failing that, by the status of the response."""


async def _faulty(server: Server, request: Request, error: Exception) -> Response:
    """Return the page of an error."""
    status, title = next((code, title) for kind, code, title in _FAULTS if isinstance(error, kind))
    headers = None
    if isinstance(error, HTTPException):
        status, headers = error.status_code, error.headers
        title = "Page not found" if status == 404 else error.detail
    elif status == 500:
        _LOG.error("an error in %s", request.url.path, exc_info=error)
    again = "Try again" if status in (500, 503) else ""
    problem = {
        "title": title,
        "problem": mistake(error) if isinstance(error, SymkripkeError) else None,
        "advice": _ADVICE.get(type(error), _ADVICE.get(status, "")),
        "again": "Reload the page" if isinstance(error, Expired) else again,
    }
    response = server.page(request, "fault.html", status, **problem)
    response.headers.update(headers or {})
    return response


def _other_name(server: Server) -> HTMLResponse:
    """Return the page for requests with an unknown Host header, without links to tables."""
    context = {"title": "Unknown host name", "problem": None, "again": ""}
    context["advice"] = "Open the address that the server printed when it started."
    page = server.filled("fault.html", {**context, "is_host": False, "path": ""})
    return HTMLResponse(page, 421)


# ---- running -------------------------------------------------------------------------------------


def serve(
    settings: Settings,
    tell: Callable[[str], None] = print,
    *,
    opens: bool = True,
) -> None:
    """Serve until Ctrl-C.

    Args:
        settings: the settings of the server.
        tell: a function called with each line of output: the folder, the address.
        opens: whether to open a browser.

    Raises:
        InputError: the server cannot listen at the address, or cannot use the folder.
    """
    app = application(settings)
    server: Server = app.state.server
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        limit_concurrency=_CONNECTIONS,
        h11_max_incomplete_event_size=32_000,
    )
    try:
        socket = config.bind_socket()
    except SystemExit:
        raise InputError(
            f"cannot listen at {settings.host}, port {settings.port}: is it in use? "
            "Choose another one with --port"
        ) from None
    socket.listen(2048)  # early connections wait for the start, and are not refused
    host, port = socket.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{'localhost' if settings.is_local else shown}:{port}/"
    if not settings.is_local:
        address += f"?key={server.access.key}"
    tell(f"Tables are in {server.tables.folder}")
    tell(f"Open {address}")
    if not settings.is_local:
        tell(
            "Anybody with this link can do everything; share the links of tables and seats instead."
        )
    tell("Ctrl-C ends the server; nothing is lost.")
    if opens:
        webbrowser.open(address)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(uvicorn.Server(config).serve(sockets=[socket]))
