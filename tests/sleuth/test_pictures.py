"""The pictures: gems, question cards, and questions at the table."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from symkripke.drawing.cards import BACK, Arrow, card, symbols
from symkripke.play import Outcome, Table
from symkripke.play.positions import state_at
from symkripke.play.views.pictures import pictures_for
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.gems import FREE
from symkripke_games.sleuth.pictures import SleuthPictures
from symkripke_games.sleuth.rules import Declaration, Question

_WIDE = """
colours = ["Red", "Mauve", "Green", "Ochre", "Indigo", "Lime", "Teal", "Umber", "Amber", "Navy"]
types = ["Pearl", "Agate", "Beryl", "Coral", "Diamond", "Flint", "Garnet", "Jade", "Onyx", "Topaz"]
quantities = ["Few", "Pair", "Some", "Many", "All", "Dozens", "Two", "Nine"]
"""


def drawn(setup: Any) -> SleuthPictures:
    pictures = pictures_for(GAME, setup)
    assert isinstance(pictures, SleuthPictures)
    return pictures


@pytest.fixture(params=["classic", "3/2/2", "wide"])
def setup(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "classic":
        return GAME.setup()
    if request.param != "wide":
        return GAME.setup(players=3, size=request.param)
    file = tmp_path / "wide.toml"
    file.write_text(_WIDE)
    return GAME.setup(edition=str(file))


def look(face: Any) -> tuple[str, str]:
    """Return the art without its colour."""
    return face.art, face.sign


def test_each_gem_and_each_question_card_looks_different_without_colours_too(setup: Any) -> None:
    pictures, edition = drawn(setup), setup.edition
    gems = [pictures.face(gem.id) for gem in edition.gems]
    questions = [pictures.question_card(name) for name in dict.fromkeys(edition.cards)]
    faces = [*gems, *questions]
    assert len({look(face) for face in faces}) == len(faces)
    art_of = {face.symbol: face.art for face in faces}
    assert all(face.art == art_of[face.symbol] for face in faces)
    assert [face.label for face in gems] == [gem.id.upper() for gem in edition.gems]


def test_the_printed_set_is_drawn_as_it_is_called() -> None:
    pictures = drawn(GAME.setup())
    red, blue = pictures.face("rds"), pictures.face("bdc")
    assert (red.sign, red.art.count("<g ")) == ("R", 1)
    assert (blue.sign, blue.art.count("<g ")) == ("B", 3)
    assert red.tone != blue.tone
    assert len(symbols(pictures.face(gem.id) for gem in pictures.setup.edition.gems)) < 15_000
    assert len({face.name for face in pictures.emblem()}) == 4


def test_a_question_names_its_players_gems_and_answer() -> None:
    setup = GAME.setup(players=3)
    ann, bob, _ = setup.players
    pictures = drawn(setup)

    def given(number: int | None, elements: str, secret: str = "", used: str = "") -> Any:
        question = Question(
            turn=1,
            player=ann,
            asked=bob,
            elements=tuple(elements.split()),
            number=number,
            card=used or elements,
        )
        gems = {f"location({gem})": bob for gem in secret.split()}
        gesture = pictures.gesture(Outcome(question, gems))
        asks, gives = gesture.arrows
        assert (gesture.player, asks) == (ann, Arrow(ann, bob, "asks"))
        assert (gives.start, gives.end, gives.kind) == (bob, ann, "gives")
        return [face.name for face in gesture.spoken], list(gives.faces)

    spoken, shown = given(2, "red pearl", "rps rpc")
    assert spoken == ["ask-red-pearl"]
    assert [face.title for face in shown] == ["Red Pearl Solitaire", "Red Pearl Cluster"]
    assert given(2, "red pearl")[1] == [BACK, BACK]
    spoken, [number] = given(3, "red", used=FREE)
    assert spoken == ["ask-free", "ask-red"]
    assert number.title == "3 gems"
    assert given(0, "red pearl")[1][0].title == "0 gems"
    assert given(None, "red pearl")[1] == []  # study: an onlooker sees nothing


def test_a_declaration_is_not_asked_for() -> None:
    setup = GAME.setup(players=3)
    pictures = drawn(setup)
    declared = Declaration(turn=4, player=setup.players[1], gem="goc", right=False)
    outcome: Any = Outcome(declared, {})
    table = pictures.table(outcome, {}, {})
    assert [face.label for face in table.spoken] == ["GOC"]
    assert table.spoken_title == "declared: wrong"
    assert [seat.name for seat in table.seats if seat.is_due] == [setup.players[1]]
    assert not table.arrows


def test_the_board_shows_the_question_cards_of_the_player_whose_turn_it_is() -> None:
    table = Table.of(GAME, seed=3, players=4)
    list(islice(table, 5))
    moment = table.moment
    state: Any = state_at(table.record, moment)
    pictures = SleuthPictures(GAME, table.setup, moment.layout)
    board = pictures.board(state, table.record.outcomes[-1])
    faces = [pictures.question_card(name) for name in state.deck.rows[state.mover]]
    assert f"{moment.layout.person(state.mover)}&#x27;s question cards" in board
    assert board.count('<g class="card') == len(faces) == 4
    assert all(f"<title>{face.title}</title>" in board for face in faces)
    assert pictures.board(GAME.start(table.setup, None), None) == ""


def test_choices_of_a_question_have_pictures() -> None:
    pictures = drawn(GAME.setup())
    choices = [("red", "pearl"), ("red",), "pearl", "rds", "ann"]
    faces = [pictures.choice(value) for value in choices]
    assert all(face is not None and face.art for face in faces)
    assert pictures.choice(3) is None
    assert "<title>Red Pearl gems</title>" in card(pictures.question_card("red pearl"), 0, 0, 90)
