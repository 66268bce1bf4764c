"""Servers for all tests: in this process for most, and in their own for tests with a browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from symkripke.web.access import Access
from symkripke.web.server import application
from symkripke.web.settings import Settings
from tests.web.browsing import PATIENCE
from tests.web.support import crawl, put_tables, starts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = os.environ.get("SYMKRIPKE_CHROMIUM") or shutil.which("chromium") or ""


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the tables."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def client(data: Path) -> Iterator[TestClient]:
    """Yield a client of a server that runs in this process."""
    settings = Settings(data, quick=1, slow=1, long=1, seconds=120)
    with TestClient(application(settings)) as found:
        yield found


@contextmanager
def served(folder: Path, seconds: int = 120) -> Iterator[str]:
    """Run a server in a separate process, as the command starts it, and yield its address."""
    command = ["-m", "symkripke", "serve", "--port", "0", "--no-open", "--seconds", str(seconds)]
    command += ["--data", str(folder)]
    with subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            for line in server.stdout:
                if found := re.search(r"http://\S+?(?=/\s*$)", line):
                    yield found[0]
                    break
        finally:
            server.kill()


@pytest.fixture(scope="session")
def served_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of the separate server."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def address(served_data: Path) -> Iterator[str]:
    """Yield the address of the separate server."""
    with served(served_data) as found:
        yield found


@pytest.fixture(scope="session")
def every_page(served_data: Path, address: str) -> dict[str, str]:
    """Return each kind of page that links lead to from the first one, with the address of one page.

    For games other than Cluedo, include only pages without a query.
    """
    tables, access = put_tables(served_data / "tables"), Access(Settings(served_data))
    return crawl(address, access, starts(access, tables, ["cluedo"]), whole=["cluedo"])


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield Debian's Chromium. Without it, skip the tests, or fail if it is required."""
    required = os.environ.get("SYMKRIPKE_BROWSER") == "required"
    if not CHROMIUM:
        if required:
            pytest.fail("no chromium, and SYMKRIPKE_BROWSER=required")
        pytest.skip("needs chromium (apt install chromium, or SYMKRIPKE_CHROMIUM)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """Yield a page of a new browser; at the end, its console must be empty."""
    yield from watched_page(browser, address)


def watched_page(browser: Browser, address: str, *, scripts: bool = True) -> Iterator[Page]:
    """Yield a page; check for errors, violations of the policy and requests to other hosts.

    It has a touch screen, too.
    """
    context = browser.new_context(base_url=address, java_script_enabled=scripts, has_touch=True)
    found = context.new_page()
    found.set_default_timeout(PATIENCE)
    said: list[str] = []
    context.on(
        "request",
        lambda sent: None if sent.url.startswith((address, "blob:")) else said.append(sent.url),
    )
    # The browser also reports requests that the server refuses on purpose.
    found.on(
        "console",
        lambda told: (
            said.append(told.text) if "the server responded with" not in told.text else None
        ),
    )
    found.on("pageerror", lambda error: said.append(str(error)))
    yield found
    context.close()
    assert said == []
