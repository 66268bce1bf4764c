"""The key moments of a review, and tables that begin from them."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from symkripke.play import Record, Table, game
from symkripke.play.review import FAULT, LUCK, NEWS, SIGNS, Reviewing, key_moments
from symkripke.play.strategies import HUMAN
from symkripke.web.views import hosting
from tests.web.support import SHORT, form, forms, log_of, options_of, path_of, send


def reviewed(client: TestClient, name: str) -> str:
    """The page of a finished review."""
    while "Key moments" not in (page := client.get(f"/t/{name}/review?now=1").text):
        assert "data-goes-on" in page
    return page


def put(data: Path, name: str, kind: str) -> Record[Any, Any]:
    """A whole short game as a table of the server."""
    table: Table[Any, Any] = Table.of(game(kind), seed=SHORT[kind][1], **options_of(kind))
    list(table)
    table.record.write(data / "tables" / f"{name}.jsonl")
    return table.record


@pytest.mark.parametrize("name", SHORT)
def test_a_person_plays_on_from_a_key_moment(client: TestClient, data: Path, name: str) -> None:
    record = put(data, f"keys-{name}", name)
    page = reviewed(client, f"keys-{name}")
    assert page.index("Key moments") < page.index('class="review"')
    again = [each for each in forms(page) if each.action.endswith("/again")]
    assert 1 <= len(again) <= 3
    for sent in again:
        events = int(sent.fields["events"])
        assert f'href="/t/keys-{name}?at={events + 1}"' in page
        answer = send(client, sent)
        assert answer.status_code == 200
        where = path_of(answer)
        log = Record.read(log_of(data, where))
        who = where.split("/")[3]
        assert log.outcomes[:events] == record.outcomes[:events]
        assert log.truth == record.truth
        # The mover of that event is a person; the others play as they did.
        assert hosting.branch(f"{data}/tables/keys-{name}.jsonl", events).player == who
        for player, mind, before in zip(log.setup.players, log.minds, record.minds, strict=True):
            assert mind == (HUMAN if player == who else before)
        assert "/choose" in answer.text or "The game is over" in answer.text, events
        # The same form leads to the same table; hidden cards stay hidden.
        assert path_of(send(client, sent)) == where
        status = 403 if log.result is None else 200
        assert client.get(f"/t/{where.split('/')[2]}/log").status_code == status


def test_without_the_deal_a_key_moment_leads_to_a_question(client: TestClient, data: Path) -> None:
    record = put(data, "keys", "cluedo")
    seat = record.setup.players[0]
    record.seen_by(seat).write(data / "tables" / "keys-seen.jsonl")
    page = reviewed(client, "keys-seen")
    assert "/again" not in page
    assert "/t/keys-seen/ask?at=" in page
    token = {"form_token": form(reviewed(client, "keys"), "/again").fields["form_token"]}
    refused = client.post("/t/keys-seen/again", data={**token, "events": "0"})
    assert refused.status_code == 422
    assert "lacks the deal" in refused.text
    # Forms need their token; there is no table from after the end.
    assert client.post("/t/keys/again", data={"events": "0"}).status_code == 403
    late = client.post("/t/keys/again", data={**token, "events": "999"})
    assert f"xpected 0 to {len(record.outcomes) - 1} events, got 999" in late.text
    # While people play, nobody may begin a table from their game.
    minds = (HUMAN, *record.minds[1:])
    replace(record, minds=minds, result=None, outcomes=()).write(data / "tables" / "going.jsonl")
    going = client.post("/t/going/again", data={**token, "events": "0"})
    assert going.status_code == 403


def test_the_key_moments_are_the_greatest_of_their_sorts() -> None:
    table: Table[Any, Any] = Table.of(game("cluedo"), seed=7, players=6)
    list(table)
    work = Reviewing(table.record)
    list(work)
    review = work.review()
    found = {moment.sort: moment for moment in key_moments(review)}
    assert [*found] == [LUCK, FAULT, NEWS]
    lost = {
        event.number: event.appraisal.best - event.appraisal.value
        for event in review.events
        if event.appraisal is not None
    }
    assert found[FAULT].event == max(lost, key=lambda number: lost[number])
    assert found[NEWS].turn == min(review.certain.values())
    luck = review.events[found[LUCK].event - 1]
    cut = re.fullmatch(
        r"Luck (?:cut|halved) (\w+)'s solutions from (\d+) to (\d+)", found[LUCK].words
    )
    assert cut is not None
    who = next(player for player, title in review.titles.items() if title == cut[1])
    assert luck.learned()[who] == (int(cut[2]), int(cut[3]))


def test_the_graph_marks_the_luck_and_the_mistakes_of_a_reviewed_game(
    client: TestClient, data: Path
) -> None:
    record = put(data, "marks", "cluedo")
    assert "to mark luck and mistakes" in client.get("/t/marks").text
    reviewed(client, "marks")
    page = client.get("/t/marks?at=3").text
    chart = page.partition('class="panel chart"')[2].partition("</section>")[0]
    work = Reviewing(record)
    list(work)
    expected = [found for found in key_moments(work.review(), 5) if found.sort != NEWS]
    assert {found.sort for found in expected} == {LUCK, FAULT}
    for found in expected:
        assert f">{SIGNS[found.sort]}</text>" in chart
        (said,) = re.findall(rf'\?at={found.event}["&][^>]*><title>(.*?)</title>', chart)
        assert found.words in html.unescape(said)
    assert "a mistake" in chart
    assert "to mark luck" not in chart


def test_luck_counts_what_happened_against_the_odds() -> None:
    table: Table[Any, Any] = Table.of(game("old_maid"), seed=7, players=4)
    list(table)
    work = Reviewing(table.record)
    list(work)
    (luck,) = (moment for moment in key_moments(work.review()) if moment.sort == LUCK)
    assert "drew the odd queen" in html.unescape(luck.words)  # less likely than avoiding it
