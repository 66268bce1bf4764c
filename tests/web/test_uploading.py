"""Logs that the host uploads on the first page."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from symkripke.play import Record, Table, game
from symkripke.play.strategies import HUMAN
from symkripke.web.server import application
from symkripke.web.settings import Settings
from tests.web.support import form, log_of, options_of, path_of


@pytest.fixture(scope="module")
def played() -> Record[Any, Any]:
    """A whole short game."""
    table: Table[Any, Any] = Table.of(game("cluedo"), seed=4, **options_of("cluedo"))
    list(table)
    return table.record


def text_of(record: Record[Any, Any]) -> str:
    """A record as the text of a log."""
    return "".join(f"{line}\n" for line in record.lines())


def upload(
    client: TestClient, content: str | bytes, name: str = "my game.jsonl", **more: str
) -> Any:
    """Upload a file with the form of the first page."""
    sent = form(client.get("/").text, "/upload")
    return client.post("/upload", data={**sent.fields, **more}, files={"file": (name, content)})


def told(page: str) -> str:
    """The error message of a page."""
    found = re.search(r'class="problem"[^>]*>(.*?)</p', page, re.DOTALL)
    assert found is not None
    return html.unescape(found[1])


def test_an_uploaded_log_is_a_table_of_its_kind(
    client: TestClient, data: Path, played: Record[Any, Any]
) -> None:
    seat = played.setup.players[-1]
    going = replace(played, minds=(HUMAN, *played.minds[1:]), outcomes=(), result=None)
    kinds = {"watch": played, "real": played.seen_by(seat), "seats": going}
    marks = {"watch": 'id="play"', "real": 'class="noting"', "seats": "Sit down"}
    for kind, record in kinds.items():
        answer = upload(client, text_of(record))
        where = path_of(answer)
        assert re.fullmatch(r"/t/cluedo-\w{20}", where)
        assert marks[kind] in answer.text, kind
        assert text_of(Record.read(log_of(data, where))) == text_of(record)
        notes = log_of(data, where).with_suffix(".json").read_text()
        assert f'"kind":"{kind}"' in notes
    # The line endings and the byte order mark of other systems are accepted.
    other = b"\xef\xbb\xbf" + text_of(played).replace("\n", "\r\n").encode()
    where = path_of(upload(client, other))
    assert Record.read(log_of(data, where)).outcomes == played.outcomes


def test_what_is_no_log_is_refused_with_its_line(
    client: TestClient, data: Path, played: Record[Any, Any]
) -> None:
    lines = text_of(played).splitlines(keepends=True)
    shower = next(
        number
        for number, line in enumerate(lines)
        if '"shower":null' not in line and "shower" in line
    )
    wrong = {
        "": "is empty",
        "hello": "line 1: ",
        lines[0] + "x\n": "line 2: ",
        lines[0]: "expected a line with the truth",
        "".join([*lines[:2], '{"event":{"type":"nonsense"}}\n']): "line 3: ",
        "".join(lines[:-1]) + lines[2]: f"line {len(lines)}: ",
        "".join([*lines[:shower], lines[shower].replace('"secret":{', '"secret":{"x":"y",')]): (
            f"line {shower + 1}"
        ),
    }
    before = len([*(data / "tables").glob("*.jsonl")])
    for content, says in wrong.items():
        answer = upload(client, content or b"\n")
        assert answer.status_code == 422
        problem = told(answer.text)
        assert problem.startswith("my game.jsonl"), problem
        assert says in problem, problem
        assert 'id="games"' in answer.text  # the page stays
    assert "expected a text file in UTF-8" in told(upload(client, b"\xff\xfe\x00").text)
    nothing = client.post("/upload", data=form(client.get("/").text, "/upload").fields)
    assert nothing.status_code == 403  # another type of form has no token
    missing = upload(client, "x", name="")
    assert "choose the file of a log first" in told(missing.text)
    assert len([*(data / "tables").glob("*.jsonl")]) == before


def test_uploads_need_their_token_the_host_and_a_limit(
    tmp_path: Path, played: Record[Any, Any]
) -> None:
    settings = Settings(tmp_path, host="0.0.0.0", quick=1, slow=1, long=1, upload=20_000)
    app = application(settings)
    with TestClient(app) as host:
        log = {"file": ("a.jsonl", text_of(played))}
        assert host.post("/upload", files=log).status_code == 403
        host.get("/", params={"key": app.state.server.access.key})
        assert host.post("/upload", files=log).status_code == 403
        assert upload(host, text_of(played), form_token="x").status_code == 403
        assert upload(host, text_of(played)).status_code == 200
        large = upload(host, text_of(played) + "\n" * 20_000)
        assert large.status_code == 413
        assert "at most 20000 bytes" in large.text
        # Other forms still accept no files.
        other = form(host.get("/").text, "/start/cluedo")
        token = {"form_token": other.fields["form_token"]}
        assert host.post("/start/cluedo", data=token, files=log).status_code == 403
    assert len([*(tmp_path / "tables").glob("*.jsonl")]) == 1
