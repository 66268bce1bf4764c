"""The page of questions: ready-made questions, questions in words, and pictures of a question."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from symkripke.play import Moment, Table, game
from symkripke.web.views.asking import drawn, in_words, topic_of
from symkripke.web.views.suggesting import MOST, suggested
from tests.drawing.reading import read
from tests.web.support import SHORT, announced, begin, form, options_of, path_of, put_table, send


def moment_of(name: str) -> tuple[Table[Any, Any], Moment[Any, Any]]:
    """A game of the usual size after six events."""
    table: Table[Any, Any] = Table.of(game(name), minds=["random"], seed=7)
    while len(table.steps) < 6:
        table.step()
    return table, table.moment


@pytest.mark.parametrize("name", SHORT)
def test_ready_made_questions_are_about_what_is_open_at_each_moment(name: str) -> None:
    table, moment = moment_of(name)
    players = {moment.layout.person(player) for player in moment.setup.players}
    for number in range(moment.events + 1):
        now = moment.after(number)
        last = table.steps[number - 1].outcome if number else None
        found = suggested(now, last, now.marks)
        assert 4 <= len(found) <= MOST, number
        assert len({each.formula for each in found}) == len(found)
        for each in found:
            assert each.words == in_words(now, now.question(each.formula))
            assert each.formula.count(" = ") < 2  # it names facts instead of listing their cases
            assert each.words.startswith(("Does ", "How likely ", "Is it common knowledge "))
            assert any(player in each.words for player in players)
        # A probability is asked where the player is unsure.
        for each in found:
            if chance := re.fullmatch(r"P\[(\w+)\]\((.*)\)", each.formula):
                assert 0 < now.probability(chance[1], chance[2]) < 1, each
        asked = any("know" in each.words for each in found)
        assert asked, number


@pytest.mark.parametrize("name", SHORT)
def test_there_are_ready_made_questions_after_the_end(name: str) -> None:
    table: Table[Any, Any] = Table.of(game(name), seed=SHORT[name][1], **options_of(name))
    list(table)
    found = suggested(table.moment, table.steps[-1].outcome, table.moment.marks)
    assert found
    for each in found:
        assert each.words == in_words(table.moment, table.moment.question(each.formula))


def test_a_seat_is_asked_about_its_own_knowledge_only() -> None:
    table, moment = moment_of("cluedo")
    seen = table.record.seen_by("white").replay()
    assert suggested(moment, table.steps[-1].outcome, moment.marks)
    for each in suggested(seen, table.record.seen_by("white").outcomes[-1], seen.marks):
        assert each.words.startswith(("Does White ", "How likely does White "))


def test_one_click_asks_a_ready_made_question(client: TestClient, data: Path) -> None:
    put_table(data, "ready", seed=7, players=6, size=None)
    page = client.get("/t/ready/ask", params={"at": 9}).text
    found = re.findall(r'<a data-swap id="ready-\d" href="([^"]*)">([^<]*)</a>', page)
    assert len(found) == MOST
    words = html.unescape(found[0][1])
    assert words == "Does White know whether Peacock holds Mrs Peacock?"
    for link, _ in found:
        page = client.get(f"/t/ready/ask{html.unescape(link)}").text
        assert re.fullmatch(r"yes|no|[\d.]+%", announced(page))
        assert 'aria-current="true"' in page
        assert 'id="typing">' in page  # the formula stays folded
    else_ = next(link for link, text in found if "anyone else" in text)
    page = client.get(f"/t/ready/ask{html.unescape(else_)}").text
    assert "Somebody else knows that White knows whether Peacock holds Mrs Peacock." in page
    assert "K[scarlett] Kw[white]" not in page.partition("As a formula")[0].partition("Why</h3>")[2]


def test_the_sentence_keeps_what_was_chosen(client: TestClient) -> None:
    where = path_of(begin(client, "cluedo"))
    send(client, form(client.get(where).text, "/play"))
    chosen = {"who0": "mustard", "op0": "M", "who1": "scarlett", "op1": "Kw", "asked": "1"}
    chosen |= {"fact": "knows_solution", "x0": "mustard", "not": "1"}
    page = client.get(f"{where}/ask", params=chosen).text
    said = re.sub("<label|<span", " <", page.partition('<p class="gaps">')[2].partition("</p>")[0])
    selected = re.findall(r"selected>([^<]*)<", said)
    knowing = ["Mustard", "considers it possible that", "Scarlett", "knows whether"]
    assert selected == [*knowing, "Mustard"]
    assert "checked" in said
    assert "M[mustard] (Kw[scarlett] (~(knows_solution(mustard))))" in html.unescape(page)
    # A new sentence begins with a player.
    page = client.get(f"{where}/ask").text
    assert '<option value="scarlett" selected>Scarlett</option>' in page


@pytest.mark.parametrize(
    ("name", "text", "agents", "fluents"),
    [
        ("cluedo", "Kw[plum] at(rope, envelope)", ("plum",), ("location(rope)",)),
        ("cluedo", "P[green](at(rope, envelope))", ("green",), ("location(rope)",)),
        ("cluedo", "C[*] holds(plum, rope)", (), ("location(rope)",)),
        ("cluedo", "at(rope, envelope)", (), ("location(rope)",)),
        ("kwartet", "K[dan] knows_place(bob, fat_cow)", ("bob", "dan"), ("location(fat_cow)",)),
        ("old_maid", "Kw[bob] holds(ann, king)", ("bob",), ("holds(ann, king)",)),
        ("perudo", "K[bob] eA(ann, 2, 6)", ("bob",), tuple(f"die(ann, {n})" for n in range(1, 6))),
    ],
)
def test_a_drawing_shows_what_the_question_is_about(
    name: str, text: str, agents: tuple[str, ...], fluents: tuple[str, ...]
) -> None:
    _, moment = moment_of(name)
    topic = topic_of(moment, moment.question(text))
    assert (topic.agents, topic.fluents) == (agents, fluents)
    panel = read(drawn(moment, text, "near")).panels[0]
    assert {agent for cell in panel.cells for agent in cell.agents} <= {
        *(agents or moment.setup.players)
    }
    for world in panel.worlds.values():
        assert {fluent for fluent, _ in world.values} <= {*fluents}
    if len(agents) == 1:  # no two worlds look the same
        shown = [world.values for world in panel.worlds.values()]
        assert len({*shown}) == len(shown)


def test_the_solution_is_drawn_as_the_cards_that_it_may_be() -> None:
    _, moment = moment_of("cluedo")
    topic = topic_of(moment, moment.question("K[plum] knows_solution(green)"))
    assert topic.agents == ("green", "plum")
    assert len(topic.facts) == len(topic.fluents) == 21
    lines = [
        line
        for world in read(drawn(moment, "knows_solution(plum)", "near")).panels[0].worlds.values()
        for line in world.lines
    ]
    assert any(line.startswith("Envelope:") for line in lines)
