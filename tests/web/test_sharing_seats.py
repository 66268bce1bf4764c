"""The links of seats as QR codes, for other devices."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from symkripke.play import game
from symkripke.play.strategies import HUMAN
from symkripke.web.pages import qr_code
from symkripke.web.server import application
from symkripke.web.settings import Settings
from tests.support.tables import kept_table
from tests.web.support import options_of

SEAT = "/s/shared/scarlett/"


def host_page(data: Path, base: str, *, behind_proxy: bool = False, **headers: str) -> str:
    """The host's page of a table with people, opened at an address."""
    host = "127.0.0.1" if behind_proxy else "0.0.0.0"
    settings = Settings(data, host=host, behind_proxy=behind_proxy, quick=1, slow=1, long=1)
    app = application(settings)
    setup = game("cluedo").setup(**options_of("cluedo"))
    kept_table(data / "tables" / "shared.jsonl", game("cluedo"), setup, [HUMAN, HUMAN, "random"], 3)
    with TestClient(app, base_url=base, headers=headers) as client:
        client.get("/", params={"key": app.state.server.access.key})
        return client.get("/t/shared").text


def address_in(page: str) -> str:
    """The address of Scarlett's seat that can be copied; a script adds the name of the server."""
    found = re.search(r'value="([^"]*)" id="link-scarlett"', page)
    assert found is not None
    return found[1]


def test_the_code_of_each_seat_has_the_host_name_of_the_request(tmp_path: Path) -> None:
    page = host_page(tmp_path, "http://192.0.2.7:8000")
    assert address_in(page).startswith(SEAT)
    url = f"http://192.0.2.7:8000{address_in(page)}"
    assert page.count('class="qr"') == 2
    assert qr_code(url) in page
    assert "style=" not in qr_code(url)
    assert page.count('role="img" aria-label="QR code of the link for ') == 2


@pytest.mark.parametrize(("sent", "scheme"), [({}, "https"), ({"proto": "http"}, "http")])
def test_behind_a_proxy_the_code_has_the_scheme_that_people_use(
    tmp_path: Path, sent: dict[str, str], scheme: str
) -> None:
    headers = {f"x-forwarded-{name}": value for name, value in sent.items()}
    page = host_page(tmp_path, "http://tables.example.org", behind_proxy=True, **headers)
    assert qr_code(f"{scheme}://tables.example.org{address_in(page)}") in page


def test_no_code_leads_to_a_name_that_only_this_machine_has(tmp_path: Path) -> None:
    page = host_page(tmp_path, "http://localhost:8000")
    assert 'class="qr"' not in page
    assert "not at <code>localhost</code>" in page
    assert address_in(page).startswith(SEAT)
