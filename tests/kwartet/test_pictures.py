"""The pictures: emblems of groups, cards, piles on the table, and questions."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from symkripke.drawing.cards import Arrow, card, round_table, symbols
from symkripke.play import Outcome, Table
from symkripke.play.views.pictures import pictures_for, pictures_of
from symkripke_games.kwartet import GAME
from symkripke_games.kwartet.decks import DECKS, TABLE
from symkripke_games.kwartet.pictures import KwartetPictures
from symkripke_games.kwartet.rules import Opening, Question

_OWN = """
Birds = ["Owl", "Wren", "Robin", "Swift"]
Birches = ["Silver", "Downy", "River", "Paper"]
Bir = ["Ale", "Stout", "Lager", "Porter"]
Weather = ["Hail", "Sleet", "Frost", "Dew"]
Cheese = ["Gouda", "Brie", "Feta", "Edam"]
"""


@pytest.fixture(params=[*DECKS, "own"])
def setup(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param in DECKS:
        return GAME.setup(edition=request.param)
    file = tmp_path / "own.toml"
    file.write_text(_OWN)
    return GAME.setup(players=3, edition=str(file))


def drawn(setup: Any) -> KwartetPictures:
    pictures = pictures_for(GAME, setup)
    assert isinstance(pictures, KwartetPictures)
    return pictures


def test_each_card_looks_different_without_its_label_and_colour_too(setup: Any) -> None:
    pictures = drawn(setup)
    faces = [pictures.face(each.id) for each in setup.cards]
    assert len({(face.art, face.sign, face.dots) for face in faces}) == len(faces)
    art_of = {face.symbol: face.art for face in faces}
    assert all(face.art == art_of[face.symbol] for face in faces)
    assert len(symbols(faces)) < 15_000
    assert [face.title for face in faces] == [each.title for each in setup.cards]
    assert [face.group for face in faces] == [setup.group_of[each.id] for each in setup.cards]


def test_dots_and_signs_are_drawn() -> None:
    pictures = drawn(GAME.setup())
    assert 'class="dots" d="M3.8 7h0M3.8 12h0M3.8 17h0"' in card(pictures.face("fat_cow"), 0, 0, 42)
    queen = drawn(GAME.setup(edition="ranks")).face("queen_of_hearts")
    assert (queen.sign, queen.symbol) == ("Q", "suit-hearts")
    assert ">Q</text>" in card(queen, 0, 0, 42)


def test_a_question_names_its_players_and_its_card() -> None:
    setup = GAME.setup(players=3)
    ann, bob, _ = setup.players
    pictures = drawn(setup)
    asked = Question(turn=1, player=ann, asked=bob, card="fog", given=False)
    refused = pictures.gesture(Outcome(asked, {}))
    assert (refused.player, [face.title for face in refused.spoken]) == (ann, ["Fog"])
    assert list(refused.arrows) == [Arrow(ann, bob, "asks")]
    gave = Question(turn=1, player=ann, asked=bob, card="fog", given=True)
    _, gives = pictures.gesture(Outcome(gave, {})).arrows
    assert (gives.start, gives.end) == (bob, ann)
    assert [face.title for face in gives.faces] == ["Fog"]
    assert pictures.gesture(Outcome(Opening(turn=0), {})).arrows == ()


def test_a_group_lies_on_the_table_once() -> None:
    table = Table.of(GAME, seed=7, players=4)
    list(table)
    pictures: Any = pictures_of(table.moment)
    held = pictures.held(table.moment)
    titles = [group.title for group in table.setup.groups]
    assert sorted(face.title for face in held[TABLE]) == sorted(titles)
    assert all(face.is_pile for face in held[TABLE])
    assert not any(held[player] for player in table.setup.players)
    assert len(round_table(pictures.table(None, {}, held))) < 25_000


def test_a_table_with_all_cards_stays_small() -> None:
    table = Table.of(GAME, seed=7, players=3)
    list(islice(table, 1))
    dealt = table.moment.after(0)
    pictures: Any = pictures_of(dealt)
    held = pictures.held(dealt)
    assert sum(map(len, held.values())) == 52
    whole = round_table(pictures.table(None, {}, held))
    assert len(whole) < 25_000
    assert whole.count('<g class="card') == 52
