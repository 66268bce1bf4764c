"""Every page and every form, without a browser."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from symkripke.errors import NoAnswerWithin
from symkripke.play import Advice, Journal, Moment, Record, Table, game
from symkripke.play.review import Reviewing
from symkripke.play.strategies import HUMAN
from symkripke.web.pages import Server
from symkripke.web.views import (
    asking,
    hosting,
    knowing,
    noting,
    puzzling,
    reviewing,
    sharing,
    sources,
)
from tests.support.tables import kept_table
from tests.web.support import SHORT, announced, begin, form, forms, options_of, path_of, send


def name_of(path: str) -> str:
    """The name of the table in an address."""
    return path.split("/")[2]


def server_of(client: TestClient) -> Server:
    """The parts of the server of a client."""
    found: Server = cast(Starlette, client.app).state.server
    return found


def test_the_lobby_has_every_game_and_every_table(client: TestClient) -> None:
    page = client.get("/").text
    for name in SHORT:
        assert f"/new/{name}" in page
        assert f"/real/{name}" in page


@pytest.mark.parametrize("game_name", SHORT)
def test_a_game_is_watched_event_by_event(client: TestClient, data: Path, game_name: str) -> None:
    response = begin(client, game_name)
    assert response.status_code == 200
    where = path_of(response)
    options, seed = SHORT[game_name]
    given = {key.removeprefix("set."): value for key, value in options.items()}
    players = int(given.pop("players"))
    steps = list(Table.of(game(game_name), seed=seed, players=players, **given))
    page = response.text
    for step in steps:
        page = send(client, form(page, "/play")).text
        assert re.sub(r"\W+", " ", step.story) in re.sub(r"\W+", " ", page.replace("&#39;", "'"))
    assert "/play" not in page
    log = data / "tables" / f"{name_of(where)}.jsonl"
    record = Record.read(log)
    assert [outcome.public for outcome in record.outcomes] == [s.outcome.public for s in steps]
    assert record.result is not None
    # Back to any event, and each player's knowledge then.
    for show in ("sheet", "odds", "words", "others"):
        query = {"at": 1, "player": record.setup.players[0], "beside": record.setup.players[1]}
        page = client.get(where, params={**query, "show": show}).text
        assert announced(page) == (f"Turn {steps[0].turn}")
        assert page.count('class="panel mind"') == 2
    assert "Unknown player" in client.get(where, params={"player": "nobody"}).text


def test_a_table_of_the_terminal_is_a_table_here_and_goes_on_there(
    client: TestClient, data: Path
) -> None:
    table = Table.of(game("cluedo"), seed=6, players=3, size="3/2/3")
    next(iter(table))
    table.record.write(data / "tables" / "mine.jsonl")
    page = client.get("/t/mine").text
    page = send(client, form(page, "/play")).text
    steps = list(table)
    record = Record.read(data / "tables" / "mine.jsonl")
    assert len(record.outcomes) == 2
    assert record.outcomes[1] == steps[0].outcome
    # What another program adds is there with the next request.
    table.record.write(data / "tables" / "mine.jsonl")
    assert table.result.split()[0] in client.get("/t/mine").text.casefold()


# ---- a real table --------------------------------------------------------------------------------


def test_a_form_that_is_sent_twice_deals_once(client: TestClient) -> None:
    sent = next(f for f in forms(client.get("/new/cluedo").text) if f.method == "post")
    first, again = (client.post("/new/cluedo", data=dict(sent.fields)) for _ in range(2))
    assert path_of(first) == path_of(again)
    assert "0 <small>of 0" in again.text
    # Other values are another table; so is the same form of a page that is asked for again.
    other = client.post("/new/cluedo", data={**sent.fields, "seed": "5"})
    fresh = next(f for f in forms(client.get("/new/cluedo").text) if f.method == "post")
    anew = client.post("/new/cluedo", data=dict(fresh.fields))
    assert len({path_of(page) for page in (first, other, anew)}) == 3
    seated = {**fresh.fields, "mind1": "human"}
    assert len({path_of(client.post("/new/cluedo", data=seated)) for _ in range(2)}) == 1
    page = client.get("/real/cluedo", params=_hand_told()).text
    begun = [client.post("/real/cluedo", data=form(page, "/real/cluedo").fields) for _ in range(2)]
    assert path_of(begun[0]) == path_of(begun[1])


@pytest.mark.parametrize("where", ["/new/kwartet", "/real/kwartet"])
def test_what_is_typed_stays_when_rules_or_players_change(client: TestClient, where: str) -> None:
    typed = {"name0": "Zoe", "name1": "Dan", "name2": "Ann", "set.groups": "7", "players": "4"}
    more = {"mind1": "human", "title": "On Sunday", "seed": "12", "you": "1", "first": "2"}
    answer = client.get(where, params={**typed, **more, "form_token": "a" * 32, "once": "b"})
    sent = next(f for f in forms(answer.text) if "name0" in f.fields)
    assert [sent.fields[f"name{seat}"] for seat in range(4)] == ["Zoe", "Dan", "Ann", "Bob"]
    assert sent.fields["set.groups"] == "7"
    if where.startswith("/new"):
        # What belongs to one page stays out of the address.
        assert "form_token" not in str(answer.url)
        assert "once" not in str(answer.url)
        kept = ("human", "On Sunday", "12")
        assert tuple(sent.fields[name] for name in ("mind1", "title", "seed")) == kept
    else:
        assert (sent.fields["you"], sent.fields["first"]) == ("1", "2")
        assert '<option value="2" selected>Ann</option>' in answer.text
    fewer = client.get(where, params={**typed, "players": "3"}).text
    sent = next(f for f in forms(fewer) if "name0" in f.fields)
    assert "name3" not in sent.fields


@pytest.mark.parametrize("game_name", SHORT)
def test_pages_say_what_kinds_of_players_take_into_account(
    client: TestClient, game_name: str
) -> None:
    played = game(game_name)
    page = html.unescape(client.get(f"/new/{game_name}").text)
    for mind in played.strategies:
        says = played.considers[mind]
        assert f"<dt>{mind}</dt><dd>{says}</dd>" in page
        assert not re.search(r"order|epistemic|`|_|depth", says)
    table = path_of(begin(client, game_name))
    player = played.setup(**options_of(game_name)).players[0]
    page = html.unescape(client.get(table, params={"player": player}).text)
    first = played.considers[next(iter(played.strategies))]
    assert page.count(first) == 2  # below the players, and where a mind is opened
    people = html.unescape(begin(client, game_name, people=(0, 1)).text)
    assert people.count(first) == (1 if int(SHORT[game_name][0]["players"]) > 2 else 0)


def test_options_have_the_words_of_the_game_and_offer_no_files(client: TestClient) -> None:
    for where in ("/new/", "/real/"):
        for name in SHORT:
            page = client.get(f"{where}{name}").text
            assert "TOML" not in page
            for option, declared in game(name).options.items():
                assert f">{option} <" not in page, option
                assert declared.title, option
        page = client.get(f"{where}cluedo").text
        assert "Players who accuse at once <small>" in page
        assert "<option>2016</option>" in page
        assert '<select name="set.aces">' in client.get(f"{where}perudo").text


def _hand_told() -> dict[str, str]:
    query = {"name0": "Ann", "name1": "Bob", "name2": "Cath", "you": "2", "step": "hand"}
    return query | {"rules": "classic", "hand": "white dagger hall mustard candlestick kitchen"}


def test_a_real_table_takes_taps_and_texts_and_undoes_them(client: TestClient, data: Path) -> None:
    query = {"name0": "Ann", "name1": "Bob", "name2": "Cath", "you": "0", "step": "hand"}
    query |= {"rules": "classic", "set.size": "3/3/3"}
    page = client.get("/real/cluedo", params=query).text
    # The hand, card by card.
    hand = []
    while form(page, "").method == "get":
        asked = form(page, "")
        hand.append(next(value for name, value, _ in asked.buttons if name == "tap"))
        page = client.get("/real/cluedo", params={**asked.fields, "tap": hand[-1]}).text
        if 'action="/real/cluedo"' in page:
            break
    assert hand == ["Miss Scarlett", "Colonel Mustard"]
    response = client.post("/real/cluedo", data=form(page, "/real/cluedo").fields)
    where, page = path_of(response), response.text
    assert announced(page) == "What does Ann ask for?"
    path = data / "tables" / f"{name_of(where)}.jsonl"
    assert Journal.open(path).seat == "ann"
    # An event, tap by tap.
    for card in ("Mrs White", "Candlestick", "Ballroom"):
        page = send(client, form(page, "/enter"), tap=card).text
    assert announced(page) == "Does Bob show a card?"
    page = send(client, form(page, "/enter"), tap="passes").text
    assert announced(page) == "Does Cath show a card?"
    page = send(client, form(page, "/enter"), tap="passes").text
    story = "Ann asks for Mrs White, Candlestick, Ballroom. Bob passes. Cath passes."
    assert story in page
    # What is not understood changes nothing, and is there to be mended.
    refused = send(client, form(page, "/enter"), text="nonsense")
    assert refused.status_code == 422
    assert 'value="nonsense"' in refused.text
    assert Journal.open(path).entries[0].story.startswith(story)
    # An entry is changed, then taken back.
    page = client.get(where, params={"edit": 1}).text
    changed = story.replace("Cath passes", "Cath shows Ballroom")
    response = send(client, form(page, "/edit"), text=changed)
    assert response.status_code == 200
    assert Journal.open(path).entries[0].story.startswith(changed)
    page = send(client, form(response.text, "/undo")).text
    assert "None yet." in page
    assert Journal.open(path).entries == ()


def test_what_was_refused_does_not_stand_in_the_way_of_a_tap(
    client: TestClient, data: Path
) -> None:
    page = _real_table(client)
    path = data / "tables" / f"{name_of(form(page, '/enter').action)}.jsonl"
    refused = send(client, form(page, "/enter"), text="nonsense").text
    # A browser sends what is in the field, too: but a button was tapped.
    page = send(client, form(refused, "/enter"), text="nonsense", tap="Miss Scarlett").text
    assert "Miss Scarlett" in Record.read(path).pending
    # Who types beside boxes that are ticked, and tells what is typed, tells that.
    typed = {"text": "rope", "tap": "Dagger", "by": "text"}
    send(client, form(page, "/enter"), **typed)
    assert "rope" in Record.read(path).pending


def test_what_is_sent_twice_is_told_once(client: TestClient, data: Path) -> None:
    page = _real_table(client)
    name = name_of(form(page, "/enter").action)
    path = data / "tables" / f"{name}.jsonl"
    story = "ann: scarlett rope library; bob -; cath -"
    then = send(client, form(page, "/enter"), text=story)
    assert then.status_code == 200
    again = send(client, form(page, "/enter"), text="bob: scarlett rope library; cath -; ann -")
    assert again.status_code == 422
    assert "Something else has been told meanwhile" in again.text
    assert "bob: scarlett rope library" in again.text  # to be told again, if it is true
    assert len(Record.read(path).outcomes) == 1
    # Nor is more taken back, or another entry changed, than who asks for it has seen.
    undone = send(client, form(then.text, "/undo"))
    assert undone.status_code == 200
    edit = client.get(f"/t/{name}", params={"edit": 1}).text
    assert 'id="anew"' not in edit
    send(client, form(undone.text, "/enter"), text=story)
    assert send(client, form(then.text, "/undo")).status_code == 200  # it is as it was seen
    send(client, form(undone.text, "/enter"), text="ann: scarlett")
    assert send(client, form(then.text, "/undo")).status_code == 422
    assert "scarlett" in Record.read(path).pending


def test_a_page_shows_what_is_told_also_after_another_process_took_all_back(
    client: TestClient, data: Path
) -> None:
    name = name_of(form(_real_table(client), "/enter").action)
    path = str(data / "tables" / f"{name}.jsonl")
    counts = [len(noting.noted(path, "suggest").events)]
    elsewhere = Journal.open(path)
    elsewhere.enter("ann: scarlett rope library; bob -; cath -")
    counts.append(len(noting.noted(path, "suggest").events))
    elsewhere.undo()
    counts.append(len(noting.noted(path, "suggest").events))
    assert counts == [0, 1, 0]


def test_where_forms_are_sent_leads_back_to_the_page(client: TestClient) -> None:
    table = f"/t/{name_of(form(_real_table(client), '/enter').action)}"
    for where in ("play", "enter", "edit", "undo", "remove"):
        assert path_of(client.get(f"{table}/{where}")) == table
    seat = path_of(begin(client, "old_maid", people=(0,)))
    for where in ("choose", "go-on", "resign"):
        assert path_of(client.get(f"{seat}/{where}")) == seat
        assert client.get(f"{seat[:-1]}x/{where}").status_code == 403
    assert path_of(client.get("/problems")) == "/puzzles"


def test_every_seat_needs_a_name(client: TestClient) -> None:
    sent = next(f for f in forms(client.get("/new/cluedo").text) if f.method == "post")
    refused = client.post("/new/cluedo", data={**sent.fields, "name1": " ", "mind2": "human"})
    assert refused.status_code == 422
    assert "Every player needs a name" in refused.text
    # A name stays as it is typed, or is refused.
    refused = client.post("/new/cluedo", data={**sent.fields, "name1": "Zoë <b>"})
    assert refused.status_code == 422
    assert "&#39;Zoë &lt;b&gt;&#39; cannot be used" in refused.text
    assert 'value="Zoë &lt;b&gt;"' in refused.text
    refused = client.post("/new/cluedo", data={**sent.fields, "set.size": "many"})
    assert refused.status_code == 422
    assert 'value="many"' in refused.text
    refused = client.get("/real/cluedo", params={**_hand_told(), "name1": "Zoë <b>"})
    assert refused.status_code == 422
    assert 'value="Zoë &lt;b&gt;"' in refused.text
    named = {"name1": "Zoë", "name2": "aunt  May"}
    page = client.post("/new/cluedo", data={**sent.fields, **named}).text
    assert ">Zoë</a>" in page
    assert ">Aunt May</a>" in page
    # None is longer than the form takes: a page must stay a page.
    long = client.post("/new/cluedo", data={**sent.fields, "name1": "x" * 20_000})
    assert long.status_code == 200
    assert "x" * 31 not in long.text.casefold()


def _real_table(client: TestClient) -> str:
    """The page of a new real table, of Cath."""
    page = client.get("/real/cluedo", params=_hand_told()).text
    begun = client.post("/real/cluedo", data=form(page, "/real/cluedo").fields)
    assert begun.status_code == 200
    found: str = begun.text
    return found


def test_what_clashes_with_an_entry_is_marked(client: TestClient, data: Path) -> None:
    record = Record.parse(
        "\n".join(
            (
                '{"log":"symkripke","version":1,"game":"cluedo","setup":'
                + json.dumps(_setup())
                + ',"minds":[],"seed":null}',
                '{"seat":{"player":"ann","holds":' + json.dumps(_hand()) + "}}",
            )
        )
    )
    path = data / "tables" / "clash.jsonl"
    record.write(path)
    page = client.get("/t/clash").text
    for text in ("ann: scarlett candlestick ballroom; bob -; cath -",):
        response = send(client, form(page, "/enter"), text=text)
        page = response.text
        assert response.status_code == 200, page
    response = send(
        client,
        form(page, "/enter"),
        text="bob: scarlett candlestick ballroom; cath !",
    )
    assert response.status_code == 422
    assert 'class="clash"' in response.text
    assert "cannot all be true" in response.text
    assert len(Record.read(path).outcomes) == 1
    # Which entry had the slip: the first one is changed, and now the second fits.
    page = client.get("/t/clash", params={"edit": 1}).text
    changed = "Ann asks for Miss Scarlett, Candlestick, Ballroom. Bob passes. Cath shows Ballroom."
    assert send(client, form(page, "/edit"), text=changed).status_code == 200
    response = send(
        client, form(client.get("/t/clash").text, "/enter"), text="bob: sc ca ba; cath !"
    )
    assert response.status_code == 200, response.text
    assert len(Record.read(path).outcomes) == 2
    suggested = client.get("/t/clash", params={"show": "suggest", "now": "1"})
    assert '<ol class="moves">' in suggested.text
    assert client.get("/t/clash/words", params={"text": "ro"}).json()


def _setup() -> dict[str, object]:
    import msgspec

    made = game("cluedo").setup(names=("ann", "bob", "cath"), size="3/3/3")
    found: dict[str, object] = msgspec.to_builtins(made)
    return found


def _hand() -> list[str]:
    made = game("cluedo").setup(names=("ann", "bob", "cath"), size="3/3/3")
    cards = game("cluedo").cards(made)
    return [cards[2], cards[5]]


# ---- questions -----------------------------------------------------------------------------------


def test_a_search_that_takes_long_goes_on_if_that_is_asked_for(
    client: TestClient, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.of(game("old_maid"), seed=5, players=4)
    while len(table.steps) < 16:
        table.step()
    path = data / "tables" / "long.jsonl"
    table.record.write(path)
    asked = {"at": "16", "q": "M[bob] K[ann] holds(cath, queen)"}
    done: list[object] = []
    work = server_of(client).work
    long = work.long

    async def noted(key: str, task: Callable[..., object], *more: object) -> object:
        done.append(more[-1])
        return await long(key, task, *more)

    monkeypatch.setattr(work, "long", noted)
    client.get("/t/long/ask", params={"at": "16", "q": "K[bob] holds(ann, queen)"})
    assert not done  # no other process is needed for what is found soon
    # The answer is found, its reason is not; with half of the work there is no answer either.
    page = client.get("/t/long/ask", params=asked).text
    assert done == [asking.Effort.USUAL]
    assert announced(page) == "no"
    assert "to find one takes longer than usual." in page
    assert "&amp;longer=1&amp;begins=1" in page
    monkeypatch.setitem(asking._UNITS, asking.Effort.USUAL, (1_000, 1_000))
    found = sources.question(str(path), "", 15, {"q": asked["q"]})
    assert found.cut
    assert found.answer is None
    assert found.problem == "This takes longer than usual to answer."
    easy = {"q": "K[ann] holds(cath, queen)"}
    found = sources.question(str(path), "", 14, easy, asking.Effort.LONGER)
    assert found.answer is not None
    assert not found.cut


def test_a_longer_search_goes_on_in_parts_and_can_be_stopped(
    client: TestClient, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.of(game("cluedo"), seed=1, **options_of("cluedo"))
    table.step()
    table.record.write(data / "tables" / "parts.jsonl")
    done: list[object] = []
    needed = 3
    work = server_of(client).work
    long = work.long

    async def cut(key: str, task: Callable[..., object], *more: object) -> object:
        """The search finds its reason in the third part only."""
        done.append(more[-1])
        found = await long(key, task, *more)
        assert isinstance(found, asking.Asking)
        assert found.answer is not None
        if done.count(asking.Effort.LONGER) >= needed:
            return found
        return replace(found, answer=replace(found.answer, reasons=(), cut=True, no_reason="long"))

    async def little(key: str, task: Callable[..., object], *more: object) -> object:
        found = await long(key, task, *more)
        assert isinstance(found, asking.Asking)
        return replace(found, cut=True)

    monkeypatch.setattr(work, "long", cut)
    monkeypatch.setattr(work, "slow", little)

    def link(page: str, what: str) -> str:
        found = re.search(rf'<a [^>]*{what}[^>]*href="([^"]*)"', page)
        assert found is not None
        return f"/t/parts/ask{html.unescape(found[1])}"

    page = client.get("/t/parts/ask", params={"q": "K[scarlett] knows_solution(mustard)"}).text
    assert done == [asking.Effort.USUAL]
    first = page = client.get(link(page, 'id="longer"')).text
    assert done == [asking.Effort.USUAL]  # this page only says that it begins
    for part in (1, 2, 3):
        assert announced(page) in (
            f"Searching for longer, part {part} of 6: at most 120 seconds each ...",
            "yes",
            "no",
        )
        assert f"part {part} of 6" in page
        page = client.get(link(page, "data-goes-on")).text
    assert done[1:] == [asking.Effort.LONGER] * 3
    assert "data-goes-on" not in page
    assert '<ul class="reasons">' in page
    # Who stops it sees that at once, and can go on.
    stopped = client.get(link(first, 'id="stop"')).text
    assert len(done) == 4
    assert announced(stopped) == "The search was stopped."
    assert "Search on" in stopped
    assert "data-goes-on" not in stopped
    # It ends after so many parts.
    needed = 100
    page = client.get(link(first, "data-goes-on")).text
    while "data-goes-on" in page:
        page = client.get(link(page, "data-goes-on")).text
    assert done.count(asking.Effort.LONGER) == 3 + 6
    assert "Nothing was found in 6 parts of 120 seconds." in page
    assert 'id="longer"' in page


def test_questions_about_dice_have_the_words_of_bids(client: TestClient, data: Path) -> None:
    table = Table.of(game("perudo"), seed=7, players=3)
    list(table)
    table.record.write(data / "tables" / "dice.jsonl")
    page = client.get("/t/dice/ask", params={"at": "3", "q": "eT(2, 6)"}).text
    assert "2 or more of all dice show sixes." in page
    assert '<option value="6">sixes</option>' in page
    page = client.get("/t/dice/ask", params={"at": "3", "q": "met(2, 1)"}).text
    assert "2 or more of all dice show aces." in page


def test_a_question_from_menus_is_answered_with_links_to_turns(
    client: TestClient, data: Path
) -> None:
    table = Table.of(game("cluedo"), seed=7, players=6)
    list(table)
    table.record.write(data / "tables" / "asked.jsonl")
    asked = {"at": "20", "q": "K[green] at(library, scarlett)"}
    page = client.get("/t/asked/ask", params=asked).text
    assert announced(page) == "yes"
    assert "Green knows that Scarlett holds Library." in page
    assert "/t/asked?at=11" in page
    assert "/t/asked?at=17" in page
    chosen = {"at": "20", "who0": "plum", "op0": "K", "who1": "green", "op1": "K", "fact": "="}
    chosen |= {"x0": "location(library)", "x1": "scarlett", "asked": "1"}
    page = client.get("/t/asked/ask", params=chosen).text
    assert announced(page) == "no"
    assert "<mark>Library</mark>" in page
    assert "K[plum] (K[green] (location(library) = scarlett))" in page
    # What is explained is said once.
    assert page.count("Plum does not know that Green knows that Scarlett holds Library") == 1
    assert "Plum considers this possible:" in page
    # The menus read as sentences.
    assert ">Scarlett holds …</option>" in page
    assert ">… is in the envelope</option>" in page
    assert ">… knows the solution</option>" in page
    # Predict, then see.
    waits = client.get("/t/asked/ask", params={**chosen, "predict": "1"}).text
    assert announced_or_none(waits) is None
    assert "What do you think?" in waits
    assert "Is it true that Plum knows that Green knows that Scarlett holds Library?" in waits
    page = client.get("/t/asked/ask", params={**chosen, "predict": "1", "guess": "no"}).text
    assert "You said no: right!" in page
    # Drawn: the cases that show it.
    page = client.get("/t/asked/ask", params={**chosen, "draw": "why"}).text
    assert 'class="panel"' in page
    assert 'data-kind="way"' in page
    # A probability, and what is no formula.
    page = client.get("/t/asked/ask", params={"q": "P[plum](at(rope, envelope))", "at": 14}).text
    assert announced(page) == "28.2%"
    assert "24086/85523" in page
    page = client.get("/t/asked/ask", params={"q": "K[plum] nonsense"}).text
    assert "Unknown proposition &#39;nonsense&#39;; expected one of" in page
    assert "<q>K[plum] <mark>nonsense</mark></q>" in page
    words = client.get("/t/asked/ask/words", params={"text": "K[pl"}).json()
    assert [2, "plum"] in words


def announced_or_none(page: str) -> str | None:
    """What is announced, if anything is."""
    return announced(page) if "data-announce" in page else None


# ---- people --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_name", SHORT)
def test_a_person_plays_a_game_to_its_end(client: TestClient, game_name: str) -> None:
    response = begin(client, game_name, people=(0,))
    where = path_of(response)
    assert where.startswith("/s/")
    page = response.text
    for turn in range(60):
        if "The game is over" in page:
            break
        moves = [f for f in forms(page) if f.action.partition("?")[0].endswith("/choose")]
        chosen = moves[0]
        taps = [b for b in chosen.buttons if b[0]]
        values = {name: options[turn % len(options)] for name, options in chosen.choices.items()}
        if taps:
            name, value, _ = taps[turn % len(taps)]
            values[name] = value
        response = send(client, chosen, **values)
        assert response.status_code == 200, response.text
        page = response.text
    else:
        pytest.fail("the game has no end")
    table = "/t/" + name_of(where)
    assert client.get(table).status_code == 200
    for show in ("odds", "words", "others"):
        assert client.get(where, params={"show": show, "now": "1"}).status_code == 200
    # There is nothing to hint at any more.
    assert "Hints" not in page
    page = client.get(where, params={"show": "suggest", "now": "1"}).text
    assert '<ol class="moves">' not in page


def test_a_seat_is_told_what_happened_since_its_move(client: TestClient, data: Path) -> None:
    fields = next(f for f in forms(client.get("/new/kwartet").text) if f.method == "post").fields
    players = {**fields, "seed": "7", "mind0": "human"}
    seat = path_of(client.post("/new/kwartet", data=players))
    log = str(data / "tables" / f"{name_of(seat)}.jsonl")
    for _ in range(6):
        page = client.get(seat).text
        found = hosting.seat_page(log, "ann", None, "sheet")
        if found.since_move and found.lately > 1:
            break
        move = form(page, "/choose")
        send(client, move, **{part: values[0] for part, values in move.choices.items()})
    assert found.since_move
    mine = [event.number for event in found.events if event.story.startswith("Ann")]
    assert found.lately == found.last - mine[-1]
    lately = page.partition('<div class="lately">')[2].partition("</div>")[0]
    assert f"{found.lately - 1} more since your move" in lately
    for event in found.events[-found.lately :]:
        assert event.story in lately
    assert found.events[mine[-1] - 1].story not in lately


def test_dice_are_written_in_one_way(tmp_path: Path) -> None:
    played = game("perudo")
    minds = (HUMAN, "random", "random")
    hosted = kept_table(tmp_path / "dice.jsonl", played, played.setup(players=3), minds, 5)
    hands = set[str]()
    for _ in range(12):
        while hosted.step() is not None:
            pass
        if hosted.waiting_for is None:
            break
        view = hosted.seat("ann")
        hands.add(" ".join(hosting.page_of(view, None, "").hand))
        hosted.choose("ann", view.menu.usual or view.menu.chosen(0, (0,)))
    assert len(hands) > 1  # after another throw, too
    assert all(re.fullmatch("[1-6]( [1-6])*", hand) for hand in hands)


def test_what_a_hint_is_worth_says_of_what_and_beside_the_best() -> None:
    moves = [
        Advice("bid 3 aces", 0.75, "so", {}, unit="chance", aim="to lose no die"),
        Advice("dudo", 0.75, "so", {}, unit="chance", aim="to lose no die"),
        Advice("bid 4 aces", 0.72, "so", {}, unit="chance", aim="to lose no die"),
        Advice("wait", 0.0, "so", {}, unit="chance"),
    ]
    told = knowing.weighed(moves)
    assert [(move.gain, move.beside) for move in told] == [
        ("75% chance to lose no die", ""),
        ("75% chance to lose no die", "the same"),
        ("72% chance to lose no die", "3 percentage points less"),
        ("", ""),
    ]
    assert [round(move.share) for move in told] == [75, 75, 72, 0]
    # Of bits the bars are parts of the best; a chance among them is no number of bits.
    asked = [
        Advice("ask", 0.5, "so", {}),
        Advice("accuse", 0.9, "so", {}, unit="chance", aim="to be right"),
        Advice("ask less", 0.25, "so", {}),
    ]
    told = knowing.weighed(asked)
    assert [move.gain for move in told] == ["0.50 bits", "90% chance to be right", "0.25 bits"]
    assert [round(move.share) for move in told] == [100, 90, 50]


@pytest.mark.parametrize("game_name", ["kwartet", "perudo"])
def test_chances_of_hints_say_of_what(client: TestClient, game_name: str) -> None:
    seat = path_of(begin(client, game_name, people=(0,)))
    page = client.get(seat, params={"show": "suggest", "now": "1"}).text
    told = re.findall(r'<span class="muted">(\d+% chance[^<]*)</span>', page)
    assert told
    assert all(re.match(r"\d+% chance (of|to) \w+", line) for line in told)


def test_every_process_knows_what_a_person_is_asked(tmp_path: Path) -> None:
    played, path = game("cluedo"), tmp_path / "show.jsonl"
    minds = [HUMAN, "random", "random"]
    hosted = kept_table(path, played, played.setup(**options_of("cluedo")), minds, 4)
    asked = set[str]()
    while len(asked) < 3:
        while hosted.step() is not None:
            pass
        view = hosted.seat("scarlett")
        before = path.read_bytes()
        page = hosting.seat_page(str(path), "scarlett", None, "suggest")  # reads the log
        assert (page.ask, page.under_way) == (view.menu.ask, view.story_under_way)
        assert page.known.moves
        assert path.read_bytes() == before
        asked.add(page.ask.partition(" to ")[0])
        hosted.choose("scarlett", next(view.menu.moves))
    assert "Which card do you show" in asked


@pytest.mark.parametrize("game_name", ["cluedo", "sleuth"])
def test_what_a_seat_can_know_to_be_wrong_is_marked_where_it_chooses(
    client: TestClient, data: Path, game_name: str
) -> None:
    seat = path_of(begin(client, game_name, people=(0,)))
    log = str(data / "tables" / f"{name_of(seat)}.jsonl")
    who = seat.split("/")[3]
    shown = hosting.seat_page(log, who, None, "sheet")
    action = next(one for one in shown.actions if one.title.startswith(("accuse", "declare")))
    hand = {title.partition(" (")[0] for title in shown.hand}
    marked = set()
    for part in action.parts:
        none = dict(part.groups).get("You can know that it is none of these", [])
        assert {number for number, _ in none} == part.ruled_out
        marked |= {title for _, title in none}
        numbers = [number for _, choices in part.groups for number, _ in choices]
        assert sorted(numbers) == list(range(len(numbers)))  # each choice is there once
    assert hand <= marked
    page = client.get(seat).text
    for title in hand:
        assert f'{title}<span class="unseen"> (ruled out)</span>' in page
    # Nothing else is marked: a question may well be about one's own cards.
    others = [part for one in shown.actions if one is not action for part in one.parts]
    assert others
    assert not any(part.ruled_out for part in others)


def test_a_move_is_taken_only_from_the_page_as_it_is(client: TestClient, data: Path) -> None:
    response = begin(client, "perudo", people=(0, 1))
    seats = re.findall(r'href="[^"]*(/s/[^"]+)"', response.text)
    pages = [client.get(seat).text for seat in seats]
    due = next(at for at, page in enumerate(pages) if "/choose" in page)
    first = next(f for f in forms(pages[due]) if "/choose" in f.action)
    name, value, _ = next(button for button in first.buttons if button[0])
    assert send(client, first, **{name: value}).status_code == 200
    path = data / "tables" / f"{name_of(seats[0])}.jsonl"
    before = path.read_text(encoding="utf-8")
    # Sent twice, or from a page that the browser's way back leads to.
    other = next(f for f in forms(client.get(seats[1 - due]).text) if "/choose" in f.action)
    for stale in (first, replace(other, fields={**other.fields, "seen": first.fields["seen"]})):
        again = send(client, stale, **{name: value})
        assert again.status_code == 422
        assert "The game has gone on since you chose" in again.text
    assert path.read_text(encoding="utf-8") == before


def test_a_refused_move_is_told_in_a_sentence_and_stays_to_be_mended(client: TestClient) -> None:
    seat = path_of(begin(client, "cluedo", people=(0,)))
    page = client.get(seat).text
    version = client.get(f"{seat}/changes").text
    assert f'data-version="{version}"' in page
    typing = next(f for f in forms(page) if "text" in f.fields)
    for typed, says in (
        ("scarlett dagger balroom", "“balroom” is not understood. Did you mean "),
        ("xyzzy", "“xyzzy” is not understood here: expected a suspect"),
        ("dagger", "Scarlett asks for Dagger ... And which suspect and which room?"),
    ):
        refused = send(client, typing, text=typed)
        assert refused.status_code == 422
        told = re.search('<p class="problem"[^>]*>(.*?)</p>', refused.text)
        assert told is not None
        assert told[1].startswith(says)
        assert f'value="{typed}"' in refused.text
        assert '<details id="typing" open>' in refused.text
    # Nothing has changed, so no page is loaded again over the message.
    assert client.get(f"{seat}/changes").text == version


def test_the_host_sees_nothing_hidden_while_people_play(client: TestClient, data: Path) -> None:
    response = begin(client, "cluedo", people=(0, 1))
    where = path_of(response)
    assert where.startswith("/t/")
    seats = re.findall(r'href="[^"]*(/s/[^"]+)"', response.text)
    assert len(seats) == 2
    for hidden in ("/ask?q=true", "/review", "/log", "/ask"):
        assert client.get(f"{where}{hidden}").status_code in (403, 422)
    # Nor if what is noted beside the log is another kind of table.
    (data / "tables" / f"{name_of(where)}.json").write_text('{"kind":"watch"}')
    assert client.get(where).text.count("Sit down") == 2
    # A wrong token opens no seat.
    assert client.get(seats[0][:-1] + "x").status_code == 403
    # The lobby offers the log only to those who get it.
    assert f"{where}/log" not in client.get("/", params={"all": 1}).text
    page = client.get(seats[0]).text
    page = send(client, form(page, "/resign")).text
    assert "resigns" in page
    assert f"{where}/log" in client.get("/", params={"all": 1}).text
    assert HUMAN in client.get(f"{where}/log").text


# ---- looking back, puzzles -----------------------------------------------------------------------


def test_a_review_shows_at_once_that_it_has_begun(
    client: TestClient, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.of(game("perudo"), seed=SHORT["perudo"][1], **options_of("perudo"))
    list(table)
    table.record.write(data / "tables" / "begun.jsonl")
    monkeypatch.setattr(server_of(client).work, "long", None)  # nobody waits for the work
    page = client.get("/t/begun/review").text
    assert announced(page) == "Looking back over the game ..."
    assert 'data-goes-on href="/t/begun/review?now=1"' in page


def test_a_finished_game_is_reviewed_and_shared_as_one_file(client: TestClient, data: Path) -> None:
    table = Table.of(game("cluedo"), seed=4, players=3, size="3/2/3")
    list(table)
    table.record.write(data / "tables" / "done.jsonl")
    for _ in range(30):
        page = client.get("/t/done/review", params={"now": "1"}).text
        if 'class="review"' in page:
            break
    assert "/t/done/sharing" in page
    for _ in range(30):
        page = client.get("/t/done/sharing").text
        if "/t/done/share" in page:
            break
    assert announced(page) == "Download the file"
    shared = client.get("/t/done/share")
    assert "attachment" in shared.headers["content-disposition"]
    assert shared.text.startswith("<!DOCTYPE html>")
    assert not re.search(r'(?:src|href)="(?!#|data:)', shared.text)
    assert "<script" not in shared.text
    # Every event is there, with the note sheets of all players.
    events = len(list(table.steps))
    assert [f'id="event-{n}"' in shared.text for n in range(events + 2)] == [True] * (
        events + 1
    ) + [False]
    assert shared.text.count("<table class=sheet>") == 3 * (events + 1)
    assert all(html.escape(step.story) in shared.text for step in table.steps)
    assert len(shared.text) < 150_000
    # Players have the colours of the pages.
    assert "--seat-0: #b3261e;" in client.get("/static/app.css").text
    assert "--seat-0: #b3261e;" in shared.text
    assert ".seat-0 { color: var(--seat-0); }" in shared.text
    assert ".review-chart { --chart-0: var(--seat-0);" in shared.text
    assert client.get("/review.css").headers["content-type"].startswith("text/css")


def test_a_review_that_takes_too_long_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, a review that was interrupted was taken for complete."""
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


def test_puzzles_are_gone_through_step_by_step(client: TestClient) -> None:
    assert "Muddy children" in client.get("/puzzles").text
    page = client.get("/puzzles/cheryls_birthday").text
    assert "10 worlds" in page
    page = client.get("/puzzles/cheryls_birthday", params={"step": 3}).text
    assert "now 5 worlds" in page
    assert 'data-vanishes="true"' in page
    assert 'fill="var(--drawing-paper, #ffffff)"' in page
    page = client.get("/puzzles/cheryls_birthday", params={"step": 5}).text
    assert (
        "It is announced both that Bernard knows the month and that Bernard knows the day" in page
    )
    assert '<code class="muted">announce Kv[bernard] (month, day)</code>' in page
    assert "What is still possible?" in client.get("/puzzles/cheryls_birthday?step=7").text
    assert (
        "Is it true that the marble is in the box?" in client.get("/puzzles/sally_anne?step=6").text
    )
    page = client.get("/puzzles/muddy_children", params={"n": 2, "step": 99}).text
    assert "That is all." in page
    assert client.get("/puzzles/no_such").status_code == 422


def test_what_happens_in_a_puzzle_is_told_in_sentences(client: TestClient) -> None:
    page = client.get("/puzzles/sally_anne", params={"step": 3}).text
    assert "<p>Anne moves the marble into the box.</p>" in page  # what comes next
    page = client.get("/puzzles/sally_anne", params={"step": 4}).text
    assert ">Anne moves the marble into the box.</a>" in page
    assert '<code class="muted">do move(anne, box)</code>' in page
    page = client.get("/puzzles/sally_anne", params={"step": 12}).text
    assert "do move(anne, box)" not in page.partition("The problem as a text")[0]
    # In all puzzles, whatever happens has a sentence.
    for listed in puzzling.listed():
        going = puzzling.going(listed.name, "", None, 999, False)
        said = [step for step in going.taken if step.kind == "said" and not step.words]
        assert [step for step in said if not step.text.startswith("announce ")] == []
    why = puzzling.going("sally_anne", "", None, 7, True).taken[-1]
    assert [line for _, _, line in why.lines][:3:2] == [
        "These 4 facts prove it:",
        "2. Sally does not notice: Anne moves the marble into the box (believed)",
    ]
    # A plan is told in sentences, too; and "a" is a word, whoever is called so.
    plan = puzzling.going("coin_in_the_box", "", None, 999, False)
    told = [line for step in plan.taken for _, _, line in step.lines]
    assert "1. Ann distracts Carl  now 4 worlds" in told
    typed = 'agents a, bob\nfluent p\nwords p "there is a key"\nactual p\ntrue? p'
    assert puzzling.going("own", typed, None, 0, False).coming_words.endswith("there is a key?")


def test_a_problem_of_ones_own_is_kept_and_gone_through(client: TestClient) -> None:
    page = client.get("/puzzles").text
    typed = "agents ann\nfluent p\nann sees p\nactual p\ntrue? K[ann] p"
    response = send(client, form(page, "/problems#own"), text=typed)
    assert path_of(response).startswith("/problems/")
    assert "I say yes" in response.text
    page = client.get(path_of(response), params={"step": 1, "guess": "yes", "why": "1"}).text
    assert "You said yes: right!" in page
    wrong = send(
        client, form(client.get("/puzzles").text, "/problems#own"), text="agents ann\nfluent"
    )
    assert wrong.status_code == 422
    assert "line 2" in wrong.text


def test_the_lobby_finds_tables(client: TestClient, data: Path) -> None:
    page = begin(client, "perudo")
    log = data / "tables" / f"{path_of(page).removeprefix('/t/')}.jsonl"
    copies = [log.with_name(f"copy-{number}.jsonl") for number in range(31)]
    for copy in copies:
        copy.write_bytes(log.read_bytes())
    try:
        rows = '<a class="row"'
        lobby = client.get("/").text
        assert lobby.count(rows) == 30
        assert "The newest 30 of" in lobby
        assert client.get("/", params={"all": 1}).text.count(rows) > 30
        assert client.get("/", params={"find": "no such game"}).text.count(rows) == 0
        found = client.get("/", params={"find": "PERUDO ann"}).text
        assert found.count(rows) == 30
        assert "the newest of them" in found
    finally:
        for copy in copies:
            copy.unlink()


def test_long_sheets_are_shown_in_parts(client: TestClient) -> None:
    fields = next(f for f in forms(client.get("/new/kwartet").text) if f.method == "post").fields
    table = path_of(client.post("/new/kwartet", data={**fields, "seed": "1"}))
    page = client.get(table, params={"player": "ann"}).text
    assert page.count('<table class="sheet"') == 4
    assert ", part 4 of 4</caption>" in page
    assert len(re.findall('<th scope="row">', page)) == 52


def test_the_picture_of_a_puzzle_follows_what_is_done_and_questions_are_answered_yes_or_no(
    client: TestClient,
) -> None:
    left = client.get("/puzzles/sally_anne", params={"step": 3}).text
    moved = client.get("/puzzles/sally_anne", params={"step": 4}).text
    assert ">marble = box<" not in left
    assert ">marble = box<" in moved
    asked = client.get("/puzzles/two_generals", params={"step": 5, "why": "1"}).text
    assert "as expected" not in asked
    assert '<strong class="good">yes</strong>' in asked
    assert "facts prove it" in asked
    # What the text expects, and is not so, is said once with its reason.
    typed = "agents ann\nfluent rain\nactual ~rain\nexpect rain\n"
    taken = puzzling.going("own", typed, None, 1, True).taken[-1]
    assert taken.verdict == "no"
    assert [text for _, _, text in taken.lines] == [
        "not rain: that is really so",
        "The text expects yes.",
    ]
