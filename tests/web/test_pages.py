"""Every page and every form, without a browser."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from symkripke.engines import Mark
from symkripke.errors import NoAnswerWithin
from symkripke.play import Journal, Moment, Record, Table, game
from symkripke.play.review import Reviewing
from symkripke.play.strategies import HUMAN, considers, level_of
from symkripke.play.views.pictures import pictures_of
from symkripke.web.pages import Server
from symkripke.web.views import (
    asking,
    hosting,
    noting,
    puzzling,
    reviewing,
    sharing,
    sources,
)
from symkripke.web.views.demo import demo
from symkripke.web.views.opened import opened
from tests.support.demo import record
from tests.support.tables import kept_table
from tests.web.support import (
    SHORT,
    announced,
    begin,
    dealing,
    form,
    forms,
    log_of,
    options_of,
    path_of,
    put_table,
    send,
)


def server_of(client: TestClient) -> Server:
    """Return the server of a client."""
    found: Server = cast(Starlette, client.app).state.server
    return found


@pytest.mark.parametrize("name", SHORT)
def test_each_game_is_watched_played_queried_and_reviewed(
    client: TestClient, data: Path, name: str
) -> None:
    offered = html.unescape(client.get(f"/new/{name}").text)
    for mind in (played := game(name)).strategies:
        level = level_of(played, mind)
        small = f" <small>{level}</small>" if level else ""
        assert f"<dt>{mind}{small}</dt><dd>{considers(played, mind)}</dd>" in offered
    for option, declared in played.options.items():
        assert f">{option} <" not in offered
        assert declared.title, option
    assert "TOML" not in offered
    # It is watched to its end, and programs play it as they do elsewhere.
    where = path_of(begin(client, name))
    page = send(client, form(client.get(where).text, "/play")).text
    page = send(client, form(page, "/play"), events="100").text
    assert "/play" not in page
    table: Table[Any, Any] = Table.of(played, seed=SHORT[name][1], **options_of(name))
    record = Record.read(log_of(data, where))
    assert [outcome.public for outcome in record.outcomes] == [s.outcome.public for s in table]
    assert record.result is not None
    # Go back to any event, and show two players' knowledge at it.
    first, second, *_ = record.setup.players
    for show in ("sheet", "odds", "own", "words", "others"):
        asked = {"at": 1, "player": first, "beside": second, "show": show}
        page = client.get(where, params=asked).text
        assert announced(page) == f"Turn {table.steps[0].turn}"
        assert page.count('class="mind"') == 2
    assert "overview" in client.get(where, params={"at": 1, "show": "all"}).text
    assert "Unknown player" in client.get(where, params={"player": "nobody"}).text
    offers = forms(client.get(f"{where}/ask").text)
    menus = next(found for found in offers if "who0" in found.fields).fields
    nested = {"who0": first, "op0": "M", "who1": second, "op1": "K", "asked": "1"}
    page = client.get(f"{where}/ask", params={**menus, **nested}).text
    assert announced(page) in ("yes", "no")
    assert '<ul class="reasons">' in page
    believed = {**menus, "who0": "*CB", "who1": second, "op1": "B", "asked": "1"}
    assert "CB[*] (B[" in client.get(f"{where}/ask", params=believed).text
    assert announced(client.get(f"{where}/review").text) == "Reviewing the game ..."
    # At a person's seat, the first option of every choice is taken.
    page = begin(client, name, people=(0,)).text
    if "The game is over" not in page:
        move = form(page, "/choose")
        taps = {button[0]: button[1] for button in move.buttons if button[0]}
        chosen = {part: values[0] for part, values in move.choices.items()}
        assert send(client, move, **chosen, **taps).status_code == 200


@pytest.mark.parametrize("name", SHORT)
def test_each_cell_of_a_sheet_leads_to_its_reason(
    client: TestClient, data: Path, name: str
) -> None:
    where = path_of(begin(client, name))
    send(client, form(client.get(where).text, "/play"), events="4")
    log = opened(str(log_of(data, where)))
    at, moment = log.moment.events, log.moment
    player = log.setup.players[-1]
    seat, columns = log.setup.players.index(player), list(moment.layout.columns)
    marks = moment.marks(player)
    verdicts = set()
    for row, key in enumerate(pictures_of(moment).rows):
        for column in (0, seat, len(columns) - 1):
            key_of_cell = f"{seat}.{row}.{column}"
            asked: dict[str, str | int] = {"at": at, "player": player, "why": key_of_cell}
            page = client.get(where, params=asked).text
            known = marks[moment.layout.cells[key, columns[column]]] is not Mark.OPEN
            verdicts.add(known)
            shown = re.search(r'<p class="claim" data-announce>(.*?)</p>', page)
            assert shown, page
            if not moment.layout.counts:
                assert ("does not know whether" in shown[1]) is not known
            # The events that prove it are marked in the list.
            reason = page.partition('class="why"')[2]
            cited = re.findall(r'<li class="source[^>]*><a href="[^"]*at=(\d+)', reason)
            marked = re.findall(r'<li class="cited"><a href="[^"]*at=(\d+)', page)
            assert set(marked) == set(cited)
    assert True in verdicts
    for nonsense in ("x", "99.0.0", "0.0", "0.0.0.0", "-1.0.0", "<b>", "{}"):
        answer = client.get(where, params={"why": nonsense, "speed": nonsense})
        assert answer.status_code == 200
        assert "claim" not in answer.text


def test_one_click_on_the_first_page_watches_or_plays(client: TestClient) -> None:
    first = client.get("/").text
    assert "What does Plum know now?" in first
    for name in SHORT:
        start = next(found for found in forms(first) if found.action == f"/start/{name}")
        watched = send(client, start, watch="1")
        assert "/t/" in str(watched.url)
        assert "round-table" in watched.text
        seat = send(client, start, play="1")
        assert "/s/" in str(seat.url)
    for step in range(1, len(demo().tour) + 1):
        page = client.get("/tour", params={"step": step}).text
        assert f"Step {step} of {len(demo().tour)}" in page
        assert page.count('class="shown"') == 1


def test_the_recording_on_the_first_page_is_what_the_program_plays() -> None:
    """If this test fails, run `python -m tests.support.demo` to update the recording."""
    assert record() == demo()


# ---- a real table --------------------------------------------------------------------------------


def test_a_form_that_is_sent_twice_deals_once(client: TestClient) -> None:
    sent = dealing(client, "cluedo")
    seated = {**sent.fields, "mind1": "human"}
    page = client.get("/real/cluedo", params=_hand_told()).text
    told = form(page, "/real/cluedo").fields
    # Other values make another table, and so does the same form on a reloaded page.
    fresh = dealing(client, "cluedo").fields
    tables = set()
    for kind, fields in (("new", sent.fields), ("new", seated), ("new", fresh), ("real", told)):
        first, again = (client.post(f"/{kind}/cluedo", data=dict(fields)) for _ in range(2))
        assert path_of(first) == path_of(again)
        tables.add(path_of(first))
    assert len(tables) == 4


@pytest.mark.parametrize("where", ["/new/kwartet", "/real/kwartet"])
def test_typed_text_stays_when_rules_or_players_change(client: TestClient, where: str) -> None:
    typed = {"name0": "Zoe", "name1": "Dan", "name2": "Ann", "set.groups": "7", "players": "4"}
    more = {"mind1": "human", "title": "On Sunday", "seed": "12", "you": "1", "first": "2"}
    answer = client.get(where, params={**typed, **more, "form_token": "a" * 32, "once": "b"})
    sent = next(f for f in forms(answer.text) if "name0" in f.fields).fields
    kept = {**typed, "name3": "Bob"}
    if where.startswith("/new"):
        # Fields that belong to one page stay out of the address.
        assert not {"form_token", "once"} & answer.url.params.keys()
        kept |= {name: more[name] for name in ("mind1", "title", "seed")}
    else:
        kept |= {name: more[name] for name in ("you", "first")}
        assert '<option value="2" selected>Ann</option>' in answer.text
    assert kept.items() <= {"players": "4", **sent}.items()
    fewer = client.get(where, params={**typed, "players": "3"}).text
    assert "name3" not in next(f for f in forms(fewer) if "name0" in f.fields).fields


def _hand_told() -> dict[str, str]:
    query = {"name0": "Ann", "name1": "Bob", "name2": "Cath", "you": "2", "step": "hand"}
    return query | {"rules": "classic", "hand": "white dagger hall mustard candlestick kitchen"}


def test_an_event_sent_twice_is_entered_once(client: TestClient, data: Path) -> None:
    page = _real_table(client)
    where = form(page, "/enter").action.partition("/enter")[0]
    path = log_of(data, where)
    story = "ann: scarlett rope library; bob -; cath -"
    then = send(client, form(page, "/enter"), text=story)
    assert then.status_code == 200
    again = send(client, form(page, "/enter"), text="bob: scarlett rope library; cath -; ann -")
    assert again.status_code == 422
    assert "Another entry has been made in the meantime" in again.text
    assert "bob: scarlett rope library" in again.text  # the player can enter it again if it is true
    assert len(Record.read(path).outcomes) == 1
    # Undoing and editing also affect only entries that the sender has seen.
    undone = send(client, form(then.text, "/undo"))
    assert undone.status_code == 200
    edit = client.get(where, params={"edit": 1}).text
    assert 'id="anew"' not in edit
    send(client, form(undone.text, "/enter"), text=story)
    assert send(client, form(then.text, "/undo")).status_code == 200  # as the sender saw it
    send(client, form(undone.text, "/enter"), text="ann: scarlett")
    assert send(client, form(then.text, "/undo")).status_code == 422
    assert "scarlett" in Record.read(path).pending


def test_a_page_shows_new_entries_after_another_process_undid_all(
    client: TestClient, data: Path
) -> None:
    path = str(log_of(data, form(_real_table(client), "/enter").action))
    counts = [len(noting.noted(path, "suggest").events)]
    elsewhere = Journal.open(path)
    elsewhere.enter("ann: scarlett rope library; bob -; cath -")
    counts.append(len(noting.noted(path, "suggest").events))
    elsewhere.undo()
    counts.append(len(noting.noted(path, "suggest").events))
    assert counts == [0, 1, 0]


def test_addresses_of_forms_lead_back_to_the_page(client: TestClient) -> None:
    table = form(_real_table(client), "/enter").action.partition("/enter")[0]
    for where in ("play", "enter", "edit", "undo", "remove"):
        assert path_of(client.get(f"{table}/{where}")) == table
    seat = path_of(begin(client, "old_maid", people=(0,)))
    for where in ("choose", "go-on", "resign"):
        assert path_of(client.get(f"{seat}/{where}")) == seat
        assert client.get(f"{seat[:-1]}x/{where}").status_code == 403
    assert path_of(client.get("/problems")) == "/puzzles"


def test_names_stay_as_typed_or_are_refused(client: TestClient) -> None:
    sent = dealing(client, "cluedo")
    for wrong, says in (
        ({"name1": " ", "mind2": "human"}, "Every player needs a name"),
        ({"name1": "Zoë <b>"}, 'value="Zoë &lt;b&gt;"'),
        ({"set.size": "many"}, 'value="many"'),
    ):
        refused = client.post("/new/cluedo", data={**sent.fields, **wrong})
        assert refused.status_code == 422
        assert says in refused.text
    assert client.get("/real/cluedo", params={**_hand_told(), "name1": "<b>"}).status_code == 422
    # No name may exceed the limit of the form, so pages stay small.
    named = {"name0": "x" * 20_000, "name1": "Zoë", "name2": "aunt  May"}
    page = client.post("/new/cluedo", data={**sent.fields, **named}).text
    assert ">Zoë</a>" in page
    assert ">aunt May</a>" in page
    assert "x" * 31 not in page.casefold()


def _real_table(client: TestClient) -> str:
    """Return the page of a new real table for Cath."""
    page = client.get("/real/cluedo", params=_hand_told()).text
    begun = client.post("/real/cluedo", data=form(page, "/real/cluedo").fields)
    assert begun.status_code == 200
    found: str = begun.text
    return found


def test_entries_that_conflict_are_marked(client: TestClient, data: Path) -> None:
    page = _real_table(client)
    where = form(page, "/enter").action.partition("/enter")[0]
    log = log_of(data, where)
    first = "ann: scarlett rope library; bob -; cath -"
    for text in (first, "bob: no suggestion"):
        page = send(client, form(page, "/enter"), text=text).text
    later = "cath: scarlett rope library; ann -; bob !rope"
    refused = send(client, form(page, "/enter"), text=later)
    assert refused.status_code == 422
    assert 'class="clash"' in refused.text
    assert "cannot all be true" in refused.text
    assert len(Record.read(log).outcomes) == 2
    # A browser also sends the text field, but a button was tapped.
    sent = form(refused.text, "/enter")
    assert 'value="nonsense"' in send(client, sent, text="nonsense").text
    send(client, sent, text="nonsense", tap="Miss Scarlett")
    assert "Miss Scarlett" in Record.read(log).pending
    page = send(client, form(client.get(where).text, "/undo")).text
    # The first entry was the slip; without it, the second one is possible.
    page = client.get(where, params={"edit": 1}).text
    changed = "Ann asks for Miss Scarlett, Rope, Library. Bob shows a card."
    assert send(client, form(page, "/edit"), text=changed).status_code == 200
    answer = send(client, form(client.get(where).text, "/enter"), text=later)
    assert answer.status_code == 200, answer.text
    assert len(Record.read(log).outcomes) == 3
    suggested = client.get(where, params={"show": "suggest", "now": "1"})
    assert '<ol class="moves">' in suggested.text
    assert client.get(f"{where}/words", params={"text": "ro"}).json()


# ---- questions -----------------------------------------------------------------------------------


def test_a_long_search_is_cut(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_table(data, "long")
    path = str(data / "tables" / "long.jsonl")
    asked = {"q": "K[scarlett] K[mustard] knows_solution(scarlett)", "at": "1"}
    found = sources.question(path, "", 1, asked)
    assert found.answer is not None
    assert not found.cut
    monkeypatch.setitem(asking._UNITS, asking.Effort.USUAL, (1, 1))
    found = sources.question(path, "", 1, {**asked, "q": asked["q"] + " | false"})
    assert (found.cut, found.answer) == (True, None)


def test_a_longer_search_runs_in_parts_and_can_be_stopped(
    client: TestClient, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_table(data, "parts", seed=1)
    done: list[object] = []
    needed = 3
    work = server_of(client).work
    long = work.long

    async def cut(key: str, task: Callable[..., object], *more: object) -> object:
        """Let the search find its reason only in the third part."""
        done.extend(effort for effort in more[-1:] if effort != asking.Effort.LITTLE)
        found = await long(key, task, *more)
        assert isinstance(found, asking.Asking)
        assert found.answer is not None
        if done.count(asking.Effort.LONGER) >= needed:
            return found
        answer = replace(found.answer, reasons=(), cut=True, no_reason="long")
        return replace(found, answer=answer, cut=True)

    monkeypatch.setattr(work, "long", cut)
    monkeypatch.setattr(work, "slow", cut)

    def follow(page: str, what: str) -> str:
        found = re.search(rf'<a [^>]*{what}[^>]*href="([^"]*)"', page)
        assert found is not None
        return str(client.get(f"/t/parts/ask{html.unescape(found[1])}").text)

    page = client.get(
        "/t/parts/ask", params={"q": "K[scarlett] knows_solution(mustard)", "at": 0}
    ).text
    first = page = follow(page, 'id="longer"')
    assert done == [asking.Effort.USUAL]  # this page only says that it begins
    for part in (1, 2, 3):
        assert f"part {part} of 6" in page
        page = follow(page, "data-goes-on")
    assert done[1:] == [asking.Effort.LONGER] * 3
    assert "data-goes-on" not in page
    assert '<ul class="reasons">' in page
    # A stop is announced at once, and the search does not continue by itself.
    stopped = follow(first, 'id="stop"')
    assert len(done) == 4
    assert announced(stopped) == "The search was stopped."
    assert "data-goes-on" not in stopped
    # The search ends after a maximum number of parts.
    needed = 100
    page = follow(first, "data-goes-on")
    while "data-goes-on" in page:
        page = follow(page, "data-goes-on")
    assert done.count(asking.Effort.LONGER) == 3 + 6
    assert 'id="longer"' in page


def test_a_question_from_menus_is_answered_with_links_to_turns(
    client: TestClient, data: Path
) -> None:
    put_table(data, "asked", seed=7, players=6, size=None)
    asked = {"at": "20", "q": "K[green] at(library, scarlett)"}
    page = client.get("/t/asked/ask", params=asked).text
    assert announced(page) == "yes"
    assert "/t/asked?at=11" in page
    assert "/t/asked?at=17" in page
    chosen = {"at": "20", "who0": "plum", "op0": "K", "who1": "green", "op1": "K", "fact": "="}
    chosen |= {"x0": "location(library)", "x1": "scarlett", "asked": "1"}
    page = client.get("/t/asked/ask", params={**chosen, "draw": "why"}).text
    assert announced(page) == "no"
    assert "<mark>Library</mark>" in page
    assert "K[plum] (K[green] (location(library) = scarlett))" in page
    # The explained fact is stated once, and the cases that show it are drawn.
    assert page.count("Plum does not know that Green knows that Scarlett holds Library") == 1
    assert 'data-kind="way"' in page
    # Predict the answer before seeing it.
    waits = client.get("/t/asked/ask", params={**chosen, "predict": "1"}).text
    assert "data-announce" not in waits
    assert "What do you think?" in waits
    page = client.get("/t/asked/ask", params={**chosen, "predict": "1", "guess": "no"}).text
    assert "You answered no: right!" in page
    # A probability, and an invalid formula.
    page = client.get("/t/asked/ask", params={"q": "P[plum](at(rope, envelope))", "at": 14}).text
    assert announced(page) == "28.2%"
    page = client.get("/t/asked/ask", params={"q": "K[plum] nonsense"}).text
    assert "<q>K[plum] <mark>nonsense</mark></q>" in page
    words = client.get("/t/asked/ask/words", params={"text": "K[pl"}).json()
    assert [2, "plum"] in words


# ---- people --------------------------------------------------------------------------------------


def test_a_seat_is_shown_the_events_since_its_move(client: TestClient, data: Path) -> None:
    fields = dealing(client, "kwartet").fields
    players = {**fields, "seed": "7", "mind0": "human"}
    seat = path_of(client.post("/new/kwartet", data=players))
    log = str(log_of(data, seat))
    for _ in range(6):
        page = client.get(seat).text
        found = hosting.seat_page(log, "ann", None, "sheet")
        if found.since_move and found.lately > 2:
            break
        move = form(page, "/choose")
        send(client, move, **{part: values[0] for part, values in move.choices.items()})
    assert found.since_move
    mine = [event.number for event in found.events if event.story.startswith("Ann")]
    assert found.lately == found.last - mine[-1] + 1
    lately = page.partition('<div class="lately">')[2].partition("</div>")[0]
    assert "<summary>Since your move</summary>" in lately
    for event in found.events[-found.lately :]:
        assert event.story in lately
    assert found.events[mine[-1] - 1].story in lately  # with its result


def test_every_process_knows_the_pending_question(tmp_path: Path) -> None:
    played, path = game("cluedo"), tmp_path / "show.jsonl"
    minds = [HUMAN, "random", "random"]
    hosted = kept_table(path, played, played.setup(**options_of("cluedo")), minds, 4)
    asked = set[str]()
    while len(asked) < 3:
        while hosted.step() is not None:
            pass
        view = hosted.seat("scarlett")
        before = path.read_bytes()
        page = hosting.seat_page(str(path), "scarlett", None, "suggest")  # this call reads the log
        assert (page.ask, page.under_way) == (view.menu.ask, view.story_under_way)
        assert page.known.moves
        assert path.read_bytes() == before
        asked.add(page.ask.partition(" to ")[0])
        hosted.choose("scarlett", next(view.menu.moves))
    assert "Which card do you show" in asked


def test_options_that_a_seat_knows_to_be_wrong_are_marked(client: TestClient, data: Path) -> None:
    seat = path_of(begin(client, "cluedo", people=(0,)))
    log = str(log_of(data, seat))
    who = seat.split("/")[3]
    shown = hosting.seat_page(log, who, None, "sheet")
    action = next(one for one in shown.actions if one.title.startswith(("accuse", "declare")))
    hand = {face.title.partition(" (")[0] for face in shown.hand}
    marked = set()
    for part in action.parts:
        none = dict(part.groups).get("You can rule these out", [])
        assert {number for number, _, _ in none} == part.ruled_out
        marked |= {title for _, title, _ in none}
        numbers = [number for _, choices in part.groups for number, _, _ in choices]
        assert sorted(numbers) == list(range(len(numbers)))  # each choice occurs once
    assert hand <= marked
    page = client.get(seat).text
    for title in hand:
        assert f'{title}<span class="unseen"> (ruled out)</span>' in page
    # Nothing else is marked, because a question may well be about the player's own cards.
    others = [part.ruled_out for one in shown.actions if one is not action for part in one.parts]
    assert others
    assert not any(others)


def test_a_move_is_accepted_only_from_the_current_page(client: TestClient, data: Path) -> None:
    response = begin(client, "perudo", people=(0, 1))
    seats = re.findall(r'href="[^"]*(/s/[^"]+)"', response.text)
    pages = [client.get(seat).text for seat in seats]
    due = next(at for at, page in enumerate(pages) if "/choose" in page)
    first = next(f for f in forms(pages[due]) if "/choose" in f.action)
    chosen = {name: values[0] for name, values in first.choices.items()}
    assert send(client, first, **chosen).status_code == 200
    path = log_of(data, seats[0])
    before = path.read_text(encoding="utf-8")
    # The form is sent twice, or from a page in the browser's history.
    other = next(f for f in forms(client.get(seats[1 - due]).text) if "/choose" in f.action)
    for stale in (first, replace(other, fields={**other.fields, "seen": first.fields["seen"]})):
        again = send(client, stale, **chosen)
        assert again.status_code == 422
        assert "The game has moved on since you chose" in again.text
    assert path.read_text(encoding="utf-8") == before


def test_a_bid_is_a_number_in_steps_and_a_face(client: TestClient) -> None:
    seat = path_of(begin(client, "perudo", people=(0,)))
    page = client.get(seat).text
    bid = next(found for found in forms(page) if "n0" in found.fields)
    assert page.count('type="number"') == 1
    assert len(bid.choices["move"]) == page.count("data-least") > 1
    least, most = re.findall(r'name="n0" value="1" min="(\d+)" max="(\d+)"', page)[0]
    for wrong in (str(int(most) + 1), "0", "x", "1" * 600):
        refused = send(client, bid, n0=wrong, move=bid.choices["move"][0])
        assert refused.status_code == 422
        assert f"expected {least} to {most}" in html.unescape(refused.text)
    assert send(client, bid, n0=most, move=bid.choices["move"][-1]).status_code == 200
    assert f"Ann bids {most} sixes." in client.get(seat).text


def test_a_refused_move_is_explained_and_stays_editable(client: TestClient) -> None:
    seat = path_of(begin(client, "cluedo", people=(0,)))
    page = client.get(seat).text
    version = client.get(f"{seat}/changes").text
    assert f'data-version="{version}"' in page
    typing = next(f for f in forms(page) if "text" in f.fields)
    for typed, says in (
        ("scarlett dagger balroom", "“balroom” is not understood. Did you mean "),
        ("dagger", "Scarlett asks for Dagger ... And which suspect and which room?"),
    ):
        refused = send(client, typing, text=typed)
        assert refused.status_code == 422
        assert re.search(f'<p class="problem"[^>]*>{re.escape(says)}', refused.text)
        assert f'value="{typed}"' in refused.text
        assert '<details id="typing" open>' in refused.text
    # Nothing has changed, so no reload replaces the message.
    assert client.get(f"{seat}/changes").text == version


def test_the_host_sees_nothing_hidden_while_people_play(client: TestClient, data: Path) -> None:
    response = begin(client, "cluedo", people=(0, 1))
    where = path_of(response)
    assert where.startswith("/t/")
    seats = re.findall(r'href="[^"]*(/s/[^"]+)"', response.text)
    assert len(seats) == 2
    for hidden in ("/ask?q=true", "/review", "/log", "/ask"):
        assert client.get(f"{where}{hidden}").status_code in (403, 422)
    # Changing the note beside the log to another kind of table reveals nothing either.
    log_of(data, where).with_suffix(".json").write_text('{"kind":"watch"}')
    assert client.get(where).text.count("Sit down") == 2
    # A wrong token opens no seat.
    assert client.get(seats[0][:-1] + "x").status_code == 403
    # The lobby offers the log only to people who may get it.
    assert f"{where}/log" not in client.get("/", params={"all": 1}).text
    page = client.get(seats[0]).text
    page = send(client, form(page, "/resign")).text
    assert "resigns" in page
    assert f"{where}/log" in client.get("/", params={"all": 1}).text
    assert HUMAN in client.get(f"{where}/log").text


# ---- reviews and puzzles -------------------------------------------------------------------------


def test_a_finished_game_is_reviewed_and_shared_as_a_single_file(
    client: TestClient, data: Path
) -> None:
    table = put_table(data, "done", seed=4)
    for page, last in (("review?now=1", "/t/done/sharing"), ("sharing", "/t/done/share")):
        while last not in (shown := client.get(f"/t/done/{page}").text):
            assert "data-goes-on" in shown or "data-again" in shown
    assert announced(shown) == "Download the file"
    shared = client.get("/t/done/share")
    assert "attachment" in shared.headers["content-disposition"]
    assert not re.search(r'(?:src|href)="(?!#|data:)|<script', shared.text)
    # Every event is there, with the note sheets of all players.
    events = len(table.steps)
    assert shared.text.count('id="event-') == events + 1
    assert shared.text.count("<table class=sheet>") == 3 * (events + 1)
    assert all(html.escape(step.story) in shared.text for step in table.steps)
    assert len(shared.text) < 150_000


def test_a_review_that_takes_too_long_continues_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression test: an interrupted review was once taken as complete."""
    table = Table.of(game("old_maid"), seed=1, players=3, ranks="3")
    list(table)
    log = tmp_path / "game.jsonl"
    table.record.write(log)
    calls = 0

    def slow(self: Reviewing) -> object:
        nonlocal calls
        calls += 1
        if calls in (2, 6):
            raise NoAnswerWithin(1)
        return step(self)

    def sheets(self: sharing.Steps, moment: Moment[Any, Any]) -> object:
        nonlocal calls
        calls += 1
        if calls % 4 == 0:
            raise NoAnswerWithin(1)
        return made(self, moment)

    step, made = Reviewing.step, sharing.Steps._sheets
    monkeypatch.setattr(Reviewing, "step", slow)
    monkeypatch.setattr(sharing.Steps, "_sheets", sheets)
    shared = ""
    for _ in range(40):
        with suppress(NoAnswerWithin):
            if shared := reviewing.shared(str(log)):
                break
    events = len(table.steps)
    assert calls > 2 * events
    assert shared.count('class="step"') == events + 1
    assert "was stopped" not in shared
    assert reviewing.reviewed(str(log)).done == events


def test_puzzles_are_shown_step_by_step(client: TestClient) -> None:
    page = client.get("/puzzles/cheryls_birthday", params={"step": 3}).text
    assert "now 5 worlds" in page
    assert 'data-vanishes="true"' in page
    assert client.get("/puzzles/no_such").status_code == 422
    # A sentence describes each event, and the picture follows it.
    for step in (3, 4):
        page = client.get("/puzzles/sally_anne", params={"step": step}).text
        assert (">Anne moves the marble into the box.</a>" in page) == (step == 4)
        assert (">marble = box<" in page) == (step == 4)


def test_each_step_of_a_puzzle_is_a_scene_and_a_sentence_beside_its_formula(
    client: TestClient,
) -> None:
    page = client.get("/puzzles/muddy_children", params={"step": 6}).text
    scene = re.search(r'<svg class="stage".*?</svg>', page, re.DOTALL)
    assert scene is not None
    assert scene[0].count("face-prop-mud") == 4  # two foreheads, and the thoughts of the two
    assert "Child 3 does not know" in scene[0]
    assert html.escape("No child knows whether it is muddy.") in scene[0]
    beside = (
        r"<li class=\"is-said\".*?It is announced that no child knows.*?</p><code>announce nobody"
    )
    assert re.search(beside, page, re.DOTALL)
    for address in ("/puzzles/muddy_children?n=100&step=6", "/puzzles/gossip?n=8&step=7"):
        page = client.get(address).text
        used = set(re.findall(r'href="#(face-[^"]*)"', page))
        assert used <= set(re.findall(r'symbol id="([^"]*)"', page))
        assert "style=" not in page


def test_each_puzzle_in_the_list_has_a_picture(client: TestClient) -> None:
    page = client.get("/puzzles").text
    assert page.count('<svg class="stage"') == len(puzzling.listed().puzzles)
    used = set(re.findall(r'href="#(face-[^"]*)"', page))
    assert used <= set(re.findall(r'symbol id="([^"]*)"', page))
    assert len(page) < 100_000


def test_every_event_in_a_puzzle_has_a_sentence() -> None:
    for listed in puzzling.listed().puzzles:
        going = puzzling.going(listed.name, "", None, 999, False)
        said = [step.text for step in going.taken if step.kind == "said" and not step.words]
        assert [text for text in said if not text.startswith("announce ")] == []


def test_a_false_expectation_is_reported_once() -> None:
    typed = "agents ann\nfluent rain\nactual ~rain\nexpect rain\n"
    taken = puzzling.going("own", typed, None, 1, True).taken[-1]
    assert taken.verdict == "no"
    assert [text for _, _, text in taken.lines] == [
        "not rain: this is the case",
        "The text expects yes.",
    ]
    typed = 'agents a, bob\nfluent p\nwords p "there is a key"\nactual p\ntrue? p'
    assert puzzling.going("own", typed, None, 0, False).coming_words.endswith("there is a key?")


def test_a_users_own_problem_is_kept_and_shown(client: TestClient) -> None:
    page = client.get("/puzzles").text
    typed = "agents ann\nfluent p\nann sees p\nactual p\ntrue? K[ann] p"
    response = send(client, form(page, "/problems#own"), text=typed)
    assert path_of(response).startswith("/problems/")
    assert "My answer: yes" in response.text
    page = client.get(path_of(response), params={"step": 1, "guess": "yes", "why": "1"}).text
    assert "You answered yes: right!" in page
    wrong = send(
        client, form(client.get("/puzzles").text, "/problems#own"), text="agents ann\nfluent"
    )
    assert wrong.status_code == 422
    assert "line 2" in wrong.text


def test_the_lobby_finds_tables(client: TestClient, data: Path) -> None:
    page = begin(client, "perudo")
    log = log_of(data, path_of(page))
    copies = [log.with_name(f"copy-{number}.jsonl") for number in range(31)]
    for copy in copies:
        copy.write_bytes(log.read_bytes())
    rows = '<a class="row"'
    lobby = client.get("/").text
    assert lobby.count(rows) == 12
    assert client.get("/", params={"all": 1}).text.count(rows) > 30
    assert client.get("/", params={"find": "no such game"}).text.count(rows) == 0
    assert client.get("/", params={"find": "PERUDO ann"}).text.count(rows) == 12
    for copy in copies:
        copy.unlink()
