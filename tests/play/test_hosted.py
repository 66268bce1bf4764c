"""Games with people: their views and moves, and continued games, which go on as they would have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from symkripke.errors import (
    InputError,
    JournalChanged,
    LogError,
    RuleError,
    UnknownName,
    Unsupported,
)
from symkripke.play import Record, Table, game
from symkripke.play.acts import Pending
from symkripke.play.strategies import HUMAN
from tests.support.tables import kept_table

SETUPS: dict[str, dict[str, Any]] = {
    "cluedo": {"players": 3, "size": "3/3/4"},
    "kwartet": {"players": 3, "rules": "study", "groups": 4},
    "sleuth": {"players": 3, "size": "3/3/2"},
}


def begun(name: str, path: Path, persons: tuple[int, ...] = (0,), seed: int = 5) -> Table[Any, Any]:
    played = game(name)
    setup = played.setup(**SETUPS[name])
    kind = next(iter(played.strategies))
    minds = [HUMAN if seat in persons else kind for seat in range(len(setup.players))]
    return kept_table(path, played, setup, minds, seed)


def test_a_pending_question_to_a_person_is_kept(tmp_path: Path) -> None:
    waits = False
    for seed in range(20):
        hosted = begun("cluedo", tmp_path / f"{seed}.jsonl", (0, 1, 2), seed)
        view = hosted.seat("scarlett")
        move = view.read("white, dagger, billiard" if seed % 2 else "me mustard candle ballroom")
        assert not isinstance(move, Pending)
        waits = hosted.choose("scarlett", move) is None
        if waits:
            break
    assert waits
    again = Table.open(hosted.path)
    assert again.waiting_for == hosted.waiting_for != "scarlett"
    shower = again.waiting_for
    assert shower is not None
    view = again.seat(shower)
    assert view.story_under_way == hosted.seat(shower).story_under_way != ""
    assert view.story_under_way.endswith(" shows a card.")
    assert again.seat("scarlett").story_under_way == view.story_under_way
    event = again.choose(shower, next(view.menu.moves))
    assert event is not None
    assert event.number == 1
    assert not Record.read(hosted.path).moves


def test_people_cannot_promise_to_accuse() -> None:
    setup = game("cluedo").setup(players=3, silence_speaks=True)
    with pytest.raises(RuleError, match="a human player may know the solution without"):
        Table(game("cluedo"), setup, [HUMAN] * 3)


def test_in_the_study_of_sleuth_only_certain_players_declare(tmp_path: Path) -> None:
    sleuth = game("sleuth")
    setup = sleuth.setup(rules="study", players=2, size="2/2/2")
    hosted = kept_table(tmp_path / "log.jsonl", sleuth, setup, [HUMAN] * 2, 1)
    assert hosted.step() is not None
    problems = set()
    view = hosted.seat("ann")
    for gem in setup.edition.gems:
        with pytest.raises(RuleError) as caught:
            hosted.choose("ann", view.read(f"declare {gem.id}"))
        problems.add(str(caught.value))
    assert len(problems) == 1
    assert "you cannot know yet" in problems.pop()


def test_resigning_ends_the_game(tmp_path: Path) -> None:
    hosted = begun("sleuth", tmp_path / "log.jsonl")
    assert hosted.step() is not None
    with pytest.raises(InputError, match="when the game is over"):
        _ = hosted.truth
    result = hosted.resign("ann")
    assert (result.over, result.words) == (False, "ann resigns in turn 1")
    again = Table.open(hosted.path)
    assert again.ended is not None
    assert again.step() is None
    assert again.waiting_for is None
    assert again.truth.events == 1
    with pytest.raises(InputError, match="Ann has nothing to decide now: the game is over"):
        _ = again.seat("ann").menu
    with pytest.raises(InputError, match="the game is over"):
        again.resign("ann")


def test_impossible_moves_are_refused_without_changes(tmp_path: Path) -> None:
    hosted = begun("kwartet", tmp_path / "log.jsonl")
    hosted.step()
    before = hosted.path.read_bytes()
    view = hosted.seat("ann")
    with pytest.raises(InputError, match="bob"):
        hosted.choose("bob", next(view.menu.moves))
    with pytest.raises(InputError, match="expected an action from 0 to 0, got 3"):
        view.menu.chosen(3)
    with pytest.raises(InputError, match="expected 2 choices, got 1"):
        view.menu.chosen(0, [0])
    with pytest.raises(InputError, match="expected a choice from 0 to 1, got 9"):
        view.menu.chosen(0, [9, 0])
    with pytest.raises(InputError, match="expected asked, card to be chosen"):
        view.menu.actions[0].move(asked="bob")
    with pytest.raises(InputError, match="expected one of Bob, Cath, got 'ann'"):
        view.menu.actions[0].move(asked="ann", card="x")
    assert hosted.path.read_bytes() == before
    assert view.menu.data()["actions"][0]["parts"][0]["choices"] == ["Bob", "Cath"]


def test_invalid_games_with_people(tmp_path: Path) -> None:
    played_game = game("perudo")
    setup = played_game.setup(players=2)
    path = tmp_path / "log.jsonl"
    with pytest.raises(InputError, match="expected 1 or 2 minds for 2 players, got 3"):
        kept_table(path, played_game, setup, ["human"] * 3, 0)
    with pytest.raises(UnknownName, match="oods"):
        kept_table(path, played_game, setup, ["human", "oods"], 0)
    hosted = kept_table(path, played_game, setup, ["human", "odds"], 0)
    with pytest.raises(InputError, match="already exists"):
        kept_table(path, played_game, setup, ["human", "odds"], 0)
    with pytest.raises(UnknownName, match="bob"):
        hosted.seat("bob")
    text = path.read_text()
    path.write_text(text.replace('"seed":0', '"seed":null'))
    with pytest.raises(InputError, match="cannot be continued: it lacks the seed or the players"):
        Table.open(path)
    path.write_text(text + '{"move":{"player":"bob","words":"2 fours"}}\n')
    with pytest.raises(LogError, match="it is not bob's turn"):
        Table.open(path)
    path.write_text(text + '{"move":{"player":"ann","words":"2 fours"}}\n')
    with pytest.raises(LogError, match="lacks the event of the move"):
        Table.open(path)
    path.write_text(text + '{"move":{"player":"ann","words":"2 tens"}}\n')
    with pytest.raises(LogError, match="cannot be made"):
        Table.open(path)


def test_a_game_that_people_cannot_play_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    played_game = game("perudo")
    monkeypatch.setattr(type(played_game), "people", None)
    with pytest.raises(Unsupported, match="people cannot play Perudo yet"):
        Table(played_game, played_game.setup(players=2), ["human"] * 2)


def test_a_log_that_became_invalid_is_not_continued(tmp_path: Path) -> None:
    hosted = begun("kwartet", tmp_path / "log.jsonl", (0, 1, 2))
    hosted.step()
    move = next(hosted.seat("ann").menu.moves)
    text = hosted.path.read_text()
    event = {"type": "question", "turn": 7, "player": "ann", "asked": "bob", "card": "x"}
    wrong = json.dumps({"event": {**event, "given": True}})
    hosted.path.write_text(f"{text}{wrong}\n")
    for _ in range(2):
        with pytest.raises(LogError):
            hosted.refresh()
        with pytest.raises(JournalChanged):
            hosted.choose("ann", move)
    assert hosted.path.read_text() == f"{text}{wrong}\n"
