"""The server: puts the parts together, and runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import webbrowser
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from importlib import resources
from typing import ClassVar

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from uvicorn.protocols.http.h11_impl import H11Protocol

from symkripke.errors import BudgetExceeded, InputError, JournalChanged, SymkripkeError
from symkripke.web.access import Expired, Forbidden
from symkripke.web.pages import Handler, Server
from symkripke.web.routes import ROUTES
from symkripke.web.safety import Headed, Named, Rated, Sized
from symkripke.web.settings import Settings
from symkripke.web.tables import NoTable
from symkripke.web.views.mistakes import mistake
from symkripke.web.work import Busy

_LOG = logging.getLogger("symkripke.web")


def application(settings: Settings) -> Starlette:
    """The application of a server; raises `InputError` if its folder cannot be used."""
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
        Route(path, partial(_handled, server, handler), methods=[method])
        for method, path, handler in ROUTES
    ]
    folder = str(resources.files("symkripke.web").joinpath("static"))
    routes.append(Mount("/static", StaticFiles(directory=folder)))
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Headed),
            Middleware(Named, settings=settings),
            Middleware(Rated, settings=settings),
            Middleware(Sized, settings=settings),
        ],
        exception_handlers={
            HTTPException: partial(_not_found, server),
            500: partial(_broken, server),
        },
        lifespan=lifespan,
    )
    # A redirect would have the name from the request, which anybody can forge.
    app.router.redirect_slashes = False
    app.state.server = server
    return app


async def _handled(server: Server, handler: Handler, request: Request) -> Response:
    """The answer of a handler; errors become a page with their message."""
    try:
        return await handler(server, request)
    except SymkripkeError as error:
        return _faulty(server, request, error)


_STATUS: tuple[tuple[type[SymkripkeError], int, str], ...] = (
    (Expired, 403, "This form has expired"),
    (Forbidden, 403, "Access denied"),
    (NoTable, 404, "There is no such table"),
    (Busy, 503, "Too busy"),
    (BudgetExceeded, 503, "This takes too long"),
    (JournalChanged, 409, "The table has changed meanwhile"),
    (InputError, 422, "Invalid input"),
    (SymkripkeError, 503, "This did not work"),
)


def _faulty(server: Server, request: Request, error: SymkripkeError) -> Response:
    status, title = next(
        (status, title) for kind, status, title in _STATUS if isinstance(error, kind)
    )
    is_lost = isinstance(error, NoTable)
    advice = "It may have been deleted, or the link is not complete." if is_lost else ""
    again = "Try again" if status == 503 else ""
    if isinstance(error, Expired):
        again = "Reload the page"
    told = {"title": title, "problem": mistake(error), "advice": advice, "again": again}
    return server.page(request, "fault.html", status, **told)


async def _not_found(server: Server, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    is_missing = error.status_code == 404
    told = {
        "title": "There is nothing here" if is_missing else error.detail,
        "problem": None,
        "advice": "The address may be mistyped." if is_missing else "",
        "again": "",
    }
    return server.page(request, "fault.html", error.status_code, **told)


async def _broken(server: Server, request: Request, error: Exception) -> Response:
    _LOG.error("an error in %s", request.url.path, exc_info=error)
    told = {"title": "Something is broken", "problem": None, "again": "Try again"}
    told["advice"] = "It has been noted. Tables lose nothing by it: try again, or go on elsewhere."
    return server.page(request, "fault.html", 500, **told)


# ---- running -------------------------------------------------------------------------------------


class _Patient(H11Protocol):
    """A connection that does not wait for ever, and one of not too many from its address.

    It is closed if a request that has begun is not complete after some time, or if an answer is not
    read. Between two requests uvicorn waits, which has a limit of its own.
    """

    seconds = 15.0
    most = 200
    """The greatest number of connections from one address."""

    _from: ClassVar[Counter[str]] = Counter()
    _timer: asyncio.TimerHandle | None = None
    _address = ""
    _is_unread = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._from[self._address] += 1
        if self._from[self._address] > self.most:
            transport.abort()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._from[self._address] -= 1
        if not self._from[self._address]:
            del self._from[self._address]
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        sender = self.conn.their_state
        if sender is h11.SEND_BODY or (sender is h11.IDLE and self.conn.trailing_data[0]):
            self._wait()
        elif not self._is_unread:
            self._stop()

    def pause_writing(self) -> None:
        self._is_unread = True
        self._wait()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._is_unread = False
        self._stop()
        super().resume_writing()

    def _wait(self) -> None:
        """Close the connection after some time, if nothing stops that before."""
        if self._timer is None:
            self._timer = self.loop.call_later(self.seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


_CONNECTIONS = 2_000
"""The greatest number of connections in all; fewer where the system allows fewer open files."""

_OTHER_FILES = 100


def _connections() -> int:
    """How many connections there may be."""
    try:
        import resource
    except ImportError:  # Windows
        return _CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return (
        _CONNECTIONS if soft == resource.RLIM_INFINITY else min(_CONNECTIONS, soft - _OTHER_FILES)
    )


def serve(
    settings: Settings,
    tell: Callable[[str], None] = print,
    *,
    opens: bool = True,
) -> None:
    """Serve until Ctrl-C.

    Args:
        settings: the settings of the server.
        tell: is called with each line about the server: its address and folder.
        opens: whether a browser is opened.

    Raises:
        InputError: the server cannot listen at the address, or cannot use the folder.
    """
    app = application(settings)
    server: Server = app.state.server
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=_Patient,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        limit_concurrency=_connections(),
        h11_max_incomplete_event_size=32_000,
    )
    try:
        socket = config.bind_socket()
    except SystemExit:
        raise InputError(
            f"cannot listen at {settings.host}, port {settings.port}: is it in use? --port chooses "
            "another one"
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
        tell("Who has this link can do everything; share the links of tables and seats instead.")
    tell("Ctrl-C ends the server; nothing is lost.")
    if opens:
        webbrowser.open(address)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(uvicorn.Server(config).serve(sockets=[socket]))
