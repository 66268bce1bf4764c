"""Names of players with any letters, from the form of a new table to its pages."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from symkripke.play import Record, Table, game
from symkripke.play.seats import player_id
from symkripke.play.words import person
from tests.web.support import SHORT, dealing, form, forms, log_of, path_of, send

NAMES = ("Zoë", "Łukasz McCoy", "Jean-Luc O'Brien")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Plum", "plum"),
        ("plum", "plum"),
        ("Aunt  May", "aunt_may"),
        ("Zoë", "zoë"),
        ("Zoe\u0308", "zoë"),  # with a combining diaeresis
        ("Straße", "straße"),
        ("İpek", "İpek"),
        ("McCoy", "McCoy"),
        ("DJ", "DJ"),
        ("Дмитрий", "дмитрий"),
        ("李雷", "李雷"),
        ("O'Brien", "o\u02bcbrien"),
        ("Jeanne d\u2019Arc", "Jeanne_d\u02bcArc"),
        ("Jean-Luc", "jean__luc"),
        ("Smith-McCoy", "Smith__McCoy"),
    ],
)
def test_a_name_is_shown_as_it_was_typed(typed: str, name: str) -> None:
    assert player_id(typed) == name
    shown = "Plum" if typed == "plum" else " ".join(typed.replace("e\u0308", "ë").split())
    shown = shown.replace("\u2019", "'")
    assert person(name) == shown
    assert player_id(shown) == name
    # Formulas and logs accept the name.
    moment = Table.of(game("cluedo"), minds=["random"], names=(name, "ann", "bob")).moment
    asked = moment.question(f"K[{name}] holds({name}, rope)")
    assert moment.question(str(asked)) == asked


@pytest.mark.parametrize("name", SHORT)
def test_people_with_any_letters_play_and_are_asked_about(
    client: TestClient, data: Path, name: str
) -> None:
    options, seed = SHORT[name]
    fields = {**dealing(client, name, **options).fields, "seed": str(seed), "mind1": "human"}
    fields |= {f"name{seat}": typed for seat, typed in enumerate(NAMES) if f"name{seat}" in fields}
    answer = client.post(f"/new/{name}", data=fields)
    assert answer.status_code == 200, answer.text
    where = path_of(answer)
    assert "Łukasz McCoy" in html.unescape(answer.text)
    assert unquote(where).split("/")[3] == "Łukasz_McCoy"
    log = Record.read(log_of(data, where))
    expected = ("zoë", "Łukasz_McCoy", "jean__luc_o\u02bcbrien")[: len(log.setup.players)]
    assert log.setup.players == expected
    page = client.get(where).text
    if "/choose" in page:
        move = form(page, "/choose")
        taps = {button[0]: button[1] for button in move.buttons if button[0]}
        chosen = {part: values[0] for part, values in move.choices.items()}
        answer = send(client, move, **chosen, **taps)
        assert answer.status_code == 200
        page = answer.text
    if "/resign" in page:
        send(client, form(page, "/resign"))
    # The page of the game that is over, a player there, and questions about it.
    table = f"/t/{where.split('/')[2]}"
    page = html.unescape(client.get(table, params={"player": "zoë", "show": "sheet"}).text)
    assert re.search(r'<h2 id="mind-zoë">.*Zoë', page)
    offered = forms(client.get(f"{table}/ask").text)
    asked = dict(next(found for found in offered if "who0" in found.fields).fields)
    asked |= {"who0": "Łukasz_McCoy", "op0": "M", "who1": "zoë", "op1": "K", "asked": "1"}
    page = html.unescape(client.get(f"{table}/ask", params=asked).text)
    assert re.search(r"Łukasz McCoy (considers it|does not consider it|knows)", page)
    assert "Zoë, Łukasz McCoy" in html.unescape(client.get("/", params={"all": 1}).text)
