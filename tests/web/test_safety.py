"""Access control and robustness: no unauthorised access, no crashes and no leaks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from symkripke.errors import InputError
from symkripke.play import Table, game
from symkripke.web.safety import POLICY
from symkripke.web.server import application
from symkripke.web.settings import Settings
from tests.web.support import begin, dealing, form, path_of, send


def test_pages_allow_only_content_from_the_server(client: TestClient) -> None:
    for address in ("/", "/puzzles", "/t/none", "/static/app.js"):
        headers = client.get(address).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in POLICY
    assert re.findall(r"script-src ([^;]*)", POLICY) == ["'self'"]
    assert "unsafe" not in POLICY
    page = client.get("/").text
    assert not re.search(r"<script(?![^>]* src=)", page)
    assert " style=" not in page
    assert not re.search(r"\son\w+=", page)


def test_a_form_of_another_page_is_refused(client: TestClient) -> None:
    response = begin(client, "cluedo")
    where = path_of(response)
    sent = form(response.text, "/play")
    for wrong in ({"form_token": ""}, {"form_token": "0" * 32}):
        refused = send(client, sent, **wrong)
        assert refused.status_code == 403
        assert "This form has expired" in refused.text
        assert "Reload the page" in refused.text
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert client.post(sent.action, data=dict(sent.fields), headers=headers).status_code == 403
    # Requests without a session, with a forged one or with another browser's are also refused.
    (name,) = client.cookies
    browser = TestClient(client.app)
    browser.get("/")
    mine = client.cookies[name]
    for session in ("", "1" * 32, mine[:-1], f"{mine[:9]}A{mine[10:]}", browser.cookies[name]):
        other = TestClient(client.app, cookies={name: session})
        assert other.post(sent.action, data=dict(sent.fields)).status_code == 403
    assert "0 <small>of 0" in client.get(where).text


@pytest.mark.parametrize("charset", ["punycode", "utf-7", "none"])
def test_forms_that_our_pages_do_not_send(charset: str, client: TestClient) -> None:
    """With a form of several parts, the sender could choose the encoding of its text."""
    part = 'Content-Disposition: form-data; name="{}"\r\n\r\n{}\r\n--x'
    fields = "\r\n".join(part.format(name, "+2AA-") for name in ("form_token", "text"))
    headers = {"Content-Type": f"multipart/form-data; boundary=x; charset={charset}"}
    for address in ("/problems", "/new/cluedo"):
        answer = client.post(address, content=f"--x\r\n{fields}--\r\n", headers=headers)
        assert answer.status_code in (403, 404, 405), charset


def test_files_in_the_folder_that_are_no_logs(data: Path, client: TestClient) -> None:
    """The lobby omits them, and their own page describes the fault."""
    header = '{"log":"symkripke","game":"cluedo","setup":{"players":["a"]}}'
    contents = ("[" * 100_000, "[]", "{}", '{"log":[]}', '{"log":"symkripke","setup":3}', header)
    for number, content in enumerate((*map(str.encode, contents), b"\xff", b"")):
        log = data / "tables" / f"broken-{number}.jsonl"
        log.write_bytes(content)
        log.with_suffix(".json").write_bytes(content)
        assert client.get("/").status_code == 200
        assert client.get(f"/t/broken-{number}").status_code == 422
        for suffix in (".json", ".jsonl"):
            log.with_suffix(suffix).unlink()


def test_requests_for_other_host_names_are_refused(client: TestClient) -> None:
    answer = client.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert client.get("/", headers={"Host": "localhost:8000"}).status_code == 200


@pytest.mark.parametrize("beyond", [{"host": "0.0.0.0"}, {"behind_proxy": True}])
def test_other_machines_need_a_key(beyond: dict[str, Any], tmp_path: Path) -> None:
    app = application(Settings(tmp_path, **beyond, quick=1, slow=1, long=1))
    with TestClient(app) as stranger:
        assert "You need a link" in stranger.get("/").text
        assert stranger.get("/new/cluedo").status_code == 403
        assert stranger.get("/", params={"key": "0" * 32}).url.query == b""
        assert "You need a link" in stranger.get("/").text
        assert stranger.get("/puzzles").status_code == 200
        host = TestClient(app)
        assert "Who knows what?" in host.get("/", params={"key": app.state.server.access.key}).text
        # A link to a table allows watching, but not continuing the game.
        Table.of(game("cluedo"), seed=4).record.write(tmp_path / "tables" / "seen.jsonl")
        seen = f"/t/{app.state.server.address('seen')}"
        assert "/play" in host.get(seen).text
        page = stranger.get(seen).text
        assert "All events" in page
        assert "/play" not in page
        sent = form(host.get(seen).text, "/play")
        token = re.search(r'name="form_token" value="(\w+)"', stranger.get("/puzzles").text)
        assert token is None
        assert send(stranger, sent).status_code == 403
        assert stranger.get(f"{seen}/log").status_code == 403
    # The key is the same after a restart.
    assert application(Settings(tmp_path, **beyond)).state.server.access.key == (
        app.state.server.access.key
    )
    assert (tmp_path / "secret").stat().st_mode & 0o77 == 0


def test_no_link_follows_a_forged_name(tmp_path: Path) -> None:
    app = application(Settings(tmp_path, host="0.0.0.0", quick=1, slow=1, long=1))
    with TestClient(app, headers={"Host": "evil.example"}) as host:
        host.get("/", params={"key": app.state.server.access.key})
        pages = [begin(host, "cluedo", people=(0, 1)), host.get("/"), host.get("/new/cluedo")]
        for path in ("/static", "/puzzles/", "/new/cluedo/"):
            pages.append(host.get(path, follow_redirects=False))
        for page in pages:
            assert "evil.example" not in page.text
            assert "evil.example" not in str(page.headers)


def test_large_requests_are_refused(tmp_path: Path) -> None:
    app = application(Settings(tmp_path, quick=1, slow=1, long=1, body=1000))
    with TestClient(app) as client:
        answers = [client.post("/problems", content=b"x" * size) for size in (1000, 1001, 100_000)]
        assert [answer.status_code for answer in answers] == [403, 413, 413]
        assert answers[1].headers["connection"] == "close"
        assert "at most 1000 bytes" in answers[1].text


def test_invalid_server_settings(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot use the folder"):
        application(Settings(tmp_path / "file"))
    (tmp_path / "tables").write_text("")
    with pytest.raises(
        InputError, match=f"the folder {tmp_path}: .* Choose a writable folder with --data"
    ):
        application(Settings(tmp_path))
    with pytest.raises(InputError, match="port"):
        Settings(tmp_path, port=70_000)


@pytest.mark.parametrize("option", ["rules", "self", "nothing"])
def test_unknown_options_of_a_game_are_refused(client: TestClient, option: str) -> None:
    more = {f"set.{option}": "x"}
    sent = dealing(client, "cluedo").fields
    hand = {"name0": "Ann", "name1": "Bob", "name2": "Cath", "step": "hand", "you": "0"}
    answers = (
        client.get("/new/cluedo", params=more),
        client.get("/real/cluedo", params=hand | more),
        client.post("/new/cluedo", data={**sent, **more}),
        client.post("/real/cluedo", data={**sent, **hand, **more}),
    )
    assert [answer.status_code for answer in answers] == [422] * 4
    assert all("Unknown option" in answer.text for answer in answers)


def test_no_address_opens_a_file(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "cards.toml").write_text("secret = 1")
    for name in (f"{tmp_path}/cards.toml", f"{tmp_path}/none.toml", "../secret", "cards.TOML"):
        for page in ("/new/cluedo", "/real/cluedo"):
            answer = client.get(page, params={"set.edition": name})
            assert answer.status_code == 422
            assert "Option edition: expected" in answer.text


def test_a_table_with_a_guessable_name_has_an_unguessable_link(tmp_path: Path) -> None:
    app = application(Settings(tmp_path, host="0.0.0.0", quick=1, slow=1, long=1))
    table = Table.of(game("perudo"), seed=4, players=2, dice=1)
    table.record.write(tmp_path / "tables" / "game.jsonl")
    with TestClient(app) as host:
        host.get("/", params={"key": app.state.server.access.key})
        (link,) = re.findall(r'class="row" href="(/t/[^"]+)"', host.get("/").text)
        assert re.fullmatch(r"/t/game\.[0-9a-f]{32}", link)
        stranger = TestClient(app)
        assert "Table not found" not in stranger.get(link).text
        # Links on the page carry the token.
        ask = re.search(r'href="(/t/[^"]*/ask)', stranger.get(link).text)
        assert ask is not None
        assert stranger.get(ask[1], params={"q": "K[ann] eT(1, 6)"}).status_code == 200
        assert stranger.get(f"{link}/review").status_code == 200
        wrong = ("/t/game", "/t/game.", f"/t/game.{'0' * 32}", link[:-1], f"{link}.", "/t/none")
        for address in wrong:
            for page in ("", "/ask", "/ask/words", "/review", "/changes", "/play"):
                answer = stranger.get(f"{address}{page}")
                assert answer.status_code == 404
                assert "Table not found" in answer.text
        # The host does not need the token, and links are the same after a restart.
        assert host.get("/t/game").status_code == 200
    assert application(Settings(tmp_path, host="0.0.0.0")).state.server.address("game") == link[3:]
