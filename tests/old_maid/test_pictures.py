"""The pictures of Old Maid: of cards, of hands, and of draws."""

from __future__ import annotations

import pytest

from symkripke.drawing.cards import BACK, round_table, symbols
from symkripke.play import GameState as Position
from symkripke.play import Record, Table
from symkripke.play.views.pictures import known_marks, pictures_for, pictures_of
from symkripke_games.old_maid import GAME
from symkripke_games.old_maid.rules import Discards, Draw, Happening, Setup, State


@pytest.fixture(scope="module")
def played() -> Table[Setup, Happening]:
    table = Table.of(GAME, seed=7, players=4)
    list(table)
    return table


def positions(record: Record[Setup, Happening]) -> list[Position[Happening]]:
    """The positions after 0, 1, 2, ... events of a record."""
    found = [GAME.start(record.setup, record.truth)]
    for outcome in record.outcomes:
        found.append(found[-1].follow(outcome))
    return found


def test_each_rank_has_another_picture() -> None:
    setup = GAME.setup()
    faces = [pictures_for(GAME, setup).face(rank) for rank in GAME.cards(setup)]
    assert len({face.art for face in faces}) == len({face.title for face in faces}) == 13
    assert [face.art.count("M") for face in faces[4:]] == list(range(10, 1, -1))  # the hearts


def test_hands_are_those_of_the_rules(played: Table[Setup, Happening]) -> None:
    after = positions(played.record)
    for number in range(len(played.record.outcomes) + 1):
        moment = played.moment.after(number)
        for player, faces in pictures_of(moment).held(moment).items():
            names = [face.name for face in faces]
            if number:
                position = after[number]
                assert isinstance(position, State)
                assert position.hands is not None
                assert set(names) == position.hands[player]
            assert len(names) == GAME.standing(played.setup, after[number], player).holds


def test_a_mind_sees_its_own_hand_and_what_it_can_place(played: Table[Setup, Happening]) -> None:
    for number in range(len(played.record.outcomes) + 1):
        moment = played.moment.after(number)
        pictures = pictures_of(moment)
        real, marks = pictures.held(moment), known_marks(moment, "bob")
        seen = pictures.held(moment, marks)
        assert seen["bob"] == real["bob"]
        for player in played.setup.players:
            assert len(seen[player]) == len(real[player])
            assert all(face is BACK or face in real[player] for face in seen[player])
    first = played.moment.after(0)
    assert set(pictures_of(first).held(first, known_marks(first, "bob"))["ann"]) == {BACK}


@pytest.mark.parametrize("seat", ["ann", "dan"])
def test_a_seat_sees_the_cards_that_it_can_place(
    played: Table[Setup, Happening], seat: str
) -> None:
    record, placed = played.record.seen_by(seat), 0
    last = record.replay()
    for number, state in enumerate(positions(record)):
        moment, real = last.after(number), played.moment.after(number)
        pictures = pictures_of(moment)
        seen = pictures.in_view(moment, known_marks(moment, seat), state)
        assert seen[seat] == pictures.held(real)[seat]
        for player in played.setup.players:
            assert len(seen[player]) == GAME.standing(played.setup, state, player).holds
            faces = {face for face in seen[player] if face is not BACK}
            assert faces <= set(pictures.held(real, known_marks(real, seat))[player])
            placed += len(faces) * (player != seat)
    assert placed


@pytest.mark.parametrize("seat", [None, "ann", "bob"])
def test_a_draw_leads_from_the_giver_to_the_drawer(
    played: Table[Setup, Happening], seat: str | None
) -> None:
    record = played.record if seat is None else played.record.seen_by(seat)
    pictures = pictures_for(GAME, played.setup)
    for outcome in record.outcomes:
        event, gesture = outcome.public, pictures.gesture(outcome)
        if isinstance(event, Discards):
            laid = {rank for ranks in event.pairs.values() for rank in ranks}
            assert {face.name for face in gesture.spoken} == laid
            continue
        assert isinstance(event, Draw)
        (arrow,) = gesture.arrows
        assert (arrow.start, arrow.end, gesture.player) == (
            event.giver,
            event.player,
            event.player,
        )
        assert [face.name for face in gesture.spoken] == [event.discard] * 2 * bool(event.discard)
        if seat is None or seat in (event.giver, event.player):
            assert BACK not in arrow.faces
        elif event.discard is None and event.count is not None and len(event.count.left) > 1:
            assert list(arrow.faces) == [BACK]


def test_pictures_are_short(played: Table[Setup, Happening]) -> None:
    for number in (0, 1):
        moment = played.moment.after(number)
        pictures = pictures_of(moment)
        outcome = played.record.outcomes[0] if number else None
        table = pictures.table(outcome, {}, pictures.held(moment))
        rows = [pictures.of_row(row) for row in moment.layout.rows]
        assert len(round_table(table)) < 25_000
        assert len(symbols((*table.faces, *rows))) < 15_000
