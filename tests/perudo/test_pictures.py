"""The pictures of Perudo: of dice, of cups, of bids and of calls."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from symkripke.drawing.cards import Face, fan, round_table, symbols
from symkripke.model import Scene
from symkripke.play import GameState, Table
from symkripke.play.views.pictures import known_marks, pictures_for, pictures_of
from symkripke_games.perudo import GAME
from symkripke_games.perudo.pictures import PerudoPictures
from symkripke_games.perudo.rules import Bid, Call, Happening, Rolled
from symkripke_games.perudo.throws import Setup


@pytest.fixture(scope="module")
def played() -> Table[Setup, Happening]:
    table = Table.of(GAME, seed=7, players=3, dice=2)
    list(table)
    return table


def dice(faces: tuple[Face, ...] | list[Face]) -> list[str]:
    """The titles of the dice that are seen."""
    return [face.title for face in faces if face.is_content]


@pytest.mark.parametrize("faces", [6, 12])
def test_each_die_has_another_picture(faces: int) -> None:
    setup = GAME.setup(faces=faces)
    drawn = [pictures_for(GAME, setup).face(face) for face in GAME.cards(setup)]
    assert len({face.art for face in drawn}) == len({face.name for face in drawn}) == faces
    assert [face.art.count("<circle") for face in drawn[1:6]] == [2, 3, 4, 5, 6]
    assert not any(face.has_frame for face in drawn)


def test_only_a_wild_ace_has_a_sun() -> None:
    wild, plain = (pictures_for(GAME, GAME.setup(aces=aces)).face("1") for aces in (True, False))
    assert wild.title == plain.title == "ace"
    assert "<path" in wild.art
    assert "<path" not in plain.art


def test_dice_are_those_of_the_throw(played: Table[Setup, Happening]) -> None:
    for number in range(len(played.record.outcomes) + 1):
        moment = played.moment.after(number)
        pictures, words = pictures_of(moment), moment.layout.contents
        assert isinstance(pictures, PerudoPictures)
        assert words is not None
        assert isinstance(moment.state, Scene)
        said = words(moment.state.world)
        for player, faces in pictures.held(moment).items():
            assert dice([*faces]) == [pictures.die(int(f)).title for f in said[player].split()]


@pytest.mark.parametrize("seat", ["ann", "cath"])
def test_a_seat_sees_dice_of_others_only_after_a_call(
    played: Table[Setup, Happening], seat: str
) -> None:
    record = played.record.seen_by(seat)
    last = record.replay()
    position: GameState[Happening] = GAME.start(played.setup, None)
    for number in range(len(record.outcomes) + 1):
        if number:
            position = position.follow(record.outcomes[number - 1])
        moment, real = last.after(number), played.moment.after(number)
        pictures = pictures_of(moment)
        seen = pictures.in_view(moment, known_marks(moment, seat), position)
        held = pictures_of(real).held(real)
        if number and isinstance(record.outcomes[number - 1].public, Call):
            assert seen == held
            continue
        assert seen[seat] == held[seat]
        for player in played.setup.players:
            if player != seat:
                left = GAME.standing(played.setup, position, player).holds
                assert dice([*seen[player]]) == []
                assert [face.name for face in seen[player]] == ([f"cup-{left}"] if left else [])


def test_a_call_leads_from_the_caller_to_the_bidder(played: Table[Setup, Happening]) -> None:
    pictures, kinds, bid = pictures_for(GAME, played.setup), Counter[type](), None
    for outcome in played.record.outcomes:
        event, gesture = outcome.public, pictures.gesture(outcome)
        kinds[type(event)] += 1
        if isinstance(event, Bid):
            bid = event
            assert (gesture.player, list(gesture.arrows)) == (event.player, [])
            assert gesture.spoken[0].name == f"count-{event.quantity}"
            assert gesture.spoken[1].art == pictures.face(str(event.face)).art
        elif isinstance(event, Call):
            assert bid is not None
            (arrow,) = gesture.arrows
            assert (arrow.start, arrow.end) == (event.player, bid.player)
            assert gesture.spoken[0].name == f"call-{event.kind}"
    assert all(kinds[kind] for kind in (Bid, Call, Rolled))


def test_rows_and_kinds_of_moves_have_dice() -> None:
    pictures = pictures_for(GAME, GAME.setup())
    found = [pictures.row(next(iter(rows))) for rows in pictures.layout.groups.values()]
    assert [face and face.title for face in found] == ["ace", "two", "three", "four", "five", "six"]
    assert pictures.action("bid sixes") == found[-1]
    assert [action and action.title for action in map(pictures.action, ("dudo", "x"))] == [
        "dudo",
        None,
    ]


def test_dice_do_not_overlap() -> None:
    pictures = pictures_for(GAME, GAME.setup())
    assert isinstance(pictures, PerudoPictures)
    hand = [pictures.cup(0, 0), *(pictures.die(face) for face in range(1, 7))]
    drawn = fan(hand, 100, 0, 42, 112)
    places = [
        tuple(map(float, part.split(")")[0].replace("scale(", "").split()))
        for part in drawn.split("translate(")[1:]
    ]
    steps = {abs(x - y) for (x, a), (y, b) in pairwise(places) if a == b}
    size = float(drawn.split("scale(")[-1].split(")")[0]) * 32
    assert min(steps) >= size - 0.1


def test_pictures_are_short(played: Table[Setup, Happening]) -> None:
    table = Table.of(GAME, seed=7, players=6)
    moment = table.moment
    pictures = pictures_of(moment)
    drawn = pictures.table(None, {}, pictures.held(moment))
    rows = [pictures.row(row) for row in moment.layout.rows]
    assert len(round_table(drawn)) < 25_000
    assert len(symbols((*drawn.faces, *(row for row in rows if row is not None)))) < 15_000
