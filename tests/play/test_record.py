"""Logs: round trips, replay, and messages about broken logs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.errors import InputError, LogError, UnknownName
from symkripke.play import Record, Table
from symkripke_games.cluedo import GAME

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def table() -> Table[Any, Any]:
    made = Table(GAME, GAME.setup(players=3, size="4/4/4"), ("first-order",), 5)
    for _ in made:
        pass
    return made


@pytest.fixture
def lines(table: Table[Any, Any]) -> Lines:
    return [json.loads(line) for line in table.record.lines()]


def parse(lines: Lines) -> Record[Any, Any]:
    return Record.parse("".join(json.dumps(line) + "\n" for line in lines), "a.jsonl")


def test_round_trip_and_replay(table: Table[Any, Any], tmp_path: Path) -> None:
    record = table.record
    file = tmp_path / "game.jsonl"
    record.write(file)
    again = Record.read(file)
    assert list(again.lines()) == list(record.lines())
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]
    moment = again.replay()
    for events, scene in enumerate(table.scenes):
        state = moment.after(events).state
        assert dict(state.world) == dict(scene.world)  # type: ignore[union-attr]
        for player in table.setup.players:
            assert moment.after(events).sheet(player).marks == tuple(
                mark
                for _, mark in engine().sheet(scene.perspective(player), moment.sheet(player).atoms)
            )


def test_moments(table: Table[Any, Any]) -> None:
    moment = table.record.replay()
    assert moment.at(0).turn == 0
    assert len(moment.at(0).structure.stages) == 1
    assert moment.at(3).turn == 3
    last = table.steps[-1].turn
    assert moment.at(last).state is moment.state
    with pytest.raises(InputError, match=f"expected a turn from 0 to {last}, got {last + 1}"):
        moment.at(last + 1)
    with pytest.raises(InputError, match="events, got -1"):
        moment.after(-1)
    with pytest.raises(UnknownName, match="unknown player 'plum'"):
        moment.sheet("plum")


def test_older_logs_have_words_as_their_result(lines: Lines) -> None:
    """A log keeps the words of its result unchanged, even if this version would state others."""
    assert lines[-1]["result"]["words"].endswith(f"wins in turn {lines[-2]['event']['turn']}")
    for words in (lines[-1]["result"]["words"], "solved by mustard"):
        old = [*lines[:-1], {"result": words}]
        record = parse(old)
        record.replay()
        assert [json.loads(line) for line in record.lines()] == old
    with pytest.raises(LogError, match=r"expected 'the game continues', got 'mustard wins"):
        parse([*lines[:-2], {"result": "mustard wins in turn 1"}]).replay()


@pytest.mark.parametrize("older", [False, True])
def test_an_abandoned_game_can_be_read(older: bool) -> None:
    table = Table(GAME, GAME.setup(players=3), ("random",), 1, turns=4)
    for _ in table:
        pass
    assert table.result == "given up after 4 turns"
    lines = [json.loads(line) for line in table.record.lines()]
    assert lines[-1]["result"] == {"over": False, "winners": [], "words": table.result}
    if older:
        lines[-1]["result"] = table.result
    record = parse(lines)
    assert record.replay().events == len(table.steps)
    assert [json.loads(line) for line in record.lines()] == lines


def test_an_unfinished_game_is_a_log_too(table: Table[Any, Any]) -> None:
    early = Table(GAME, table.setup, ("first-order",), 5)
    early.step()
    early.step()
    record = parse([json.loads(line) for line in early.record.lines()])
    assert record.result is None
    assert record.replay().turn == 2


def seat_log(table: Table[Any, Any], player: str) -> Lines:
    """Return the log that `player` could have written at the table."""
    lines = [json.loads(line) for line in table.record.lines()]
    told: Lines = [{**lines[0], "minds": [], "seed": None}]
    holds = [c.id for c in table.setup.edition.cards if table.deal[f"location({c.id})"] == player]
    told.append({"seat": {"player": player, "holds": holds}})
    for line in lines[2:]:
        event = line.get("event", {})
        if player not in (event.get("player"), event.get("shower")):
            line.pop("secret", None)
        told.append(line)
    return told


GONE = object()

# The changed line and key ("": the line itself), the new value, and a part of the message.
CHANGES: list[tuple[str, str, Any, str]] = [
    ("header", "version", 2, r"line 1: expected version 1 of the log format, got 2"),
    ("header", "version", GONE, r'line 1: the version .* is missing \("version":1\)'),
    ("header", "log", "kripke", r"line 1: expected a header"),
    ("header", "game", "clued", r"line 1: unknown game 'clued'; did you mean 'cluedo'"),
    ("header", "setup.players", ["scarlett"], r"line 1: .*3 to 6 players, got 1"),
    ("header", "setup.players", 3, r"line 1: players: expected a list, got a whole number"),
    ("header", "setup.edition.rooms.0.tite", "Hall", r"line 1: unknown name 'tite'"),
    ("header", "extra", 1, r"line 1: unknown name in the entry 'extra'"),
    ("header", "minds", ["clever"] * 3, r"line 1: unknown kind of Cluedo player 'clever'"),
    ("truth", "", GONE, r"expected a line with the truth, or with a seat"),
    ("truth", "truth.location(dagger)", "nowhere", r"the truth: unknown place 'nowhere'"),
    ("truth", "truth.location(rop)", "scarlett", r"the truth: unknown card .*\(rop\)"),
    ("event", "", GONE, r"line \d+: expected an event of turn \d+"),
    ("event", "event.type", "sugestion", r"line \d+: unknown type .* mean 'suggestion'"),
    ("event", "event.cards", GONE, r"line \d+: cards is missing"),
    ("event", "event.card", "rope", r"line \d+: unknown name .* did you mean 'cards'"),
    ("event", "event.cards.0", "rope", r"line \d+: unknown card among the suspects 'rope'"),
    ("event", "event.turn", 99, r"line \d+: expected an event of turn \d+, got one of 99"),
    ("event", "event.player", "nobody", r"line \d+: unknown player 'nobody'"),
    ("event", "event.shower", None, r"line \d+: expected \w+(, \w+)* to (answer|show)"),
    ("event", "secret", GONE, r"line \d+: expected \w+ to show one of .*, got None"),
    ("event", "secret", {"shwn(1)": "rope"}, r"line \d+: there is no secret 'shwn\(1\)'"),
    ("event", "result", "over", r"line \d+: expected only an event on this line, got more"),
    (
        "last event",
        "",
        GONE,
        r"according to the rules, the game continues, but the log says that it is over",
    ),
    ("result", "result.winners", ["mustard", "white"], r"the result: expected winners \w+, got"),
    ("result", "result.over", False, r"the game is over, but the log says that it was given up"),
    ("result", "result.winner", "mustard", r"line \d+: unknown name 'winner' in result"),
]


def numbers(lines: Lines) -> dict[str, int]:
    shows = next(n for n, line in enumerate(lines) if line.get("event", {}).get("shower"))
    return {"header": 0, "truth": 1, "event": shows, "last event": -2, "result": -1}


@pytest.mark.parametrize(("where", "key", "value", "says"), CHANGES)
def test_broken_logs(where: str, key: str, value: Any, says: str, lines: Lines) -> None:
    changed: Any = lines
    *path, last = [str(numbers(lines)[where]), *filter(None, key.split("."))]
    for name in path:
        changed = changed[int(name) if isinstance(changed, list) else name]
    place: Any = int(last) if isinstance(changed, list) else last
    if value is GONE:
        del changed[place]
    else:
        changed[place] = value
    with pytest.raises(LogError, match=says):
        parse(lines).replay("a.jsonl")


@pytest.mark.parametrize(
    ("before", "line", "says"),
    [
        (1, "truth", r"line 3: a second truth"),
        (2, {"seat": {"player": "scarlett", "holds": []}}, r"expected a truth or a seat, got both"),
        (2, {}, r"line \d+: expected an event, a truth, a seat or a result"),
        (99, "event", r"line \d+: an event after the end of the game"),
    ],
)
def test_additional_lines(before: int, line: Any, says: str, lines: Lines) -> None:
    lines.insert(before, lines[numbers(lines)[line]] if isinstance(line, str) else line)
    with pytest.raises(LogError, match=says):
        parse(lines).replay("a.jsonl")


def test_a_turn_belongs_to_its_player(lines: Lines) -> None:
    event = lines[numbers(lines)["event"]]["event"]
    event["player"] = event["shower"]
    with pytest.raises(LogError, match=r"line \d+: turn \d+ is \w+'s, not \w+'s"):
        parse(lines).replay()


def test_the_truth_comes_first(lines: Lines) -> None:
    lines.insert(2, lines.pop(1))
    with pytest.raises(LogError, match="the truth must stand before the first event"):
        parse(lines)


def test_cut_off_anywhere_is_an_error_or_an_unfinished_game(table: Table[Any, Any]) -> None:
    text = "".join(line + "\n" for line in table.record.lines())
    for cut in range(0, len(text), 97):
        part = text[:cut]
        whole = part.splitlines() if text[cut : cut + 1] == "\n" or part.endswith("\n") else None
        if whole is None or len(whole) < 2:
            with pytest.raises(LogError, match=r"a\.jsonl"):
                Record.parse(part, "a.jsonl").replay("a.jsonl")
        else:
            assert len(Record.parse(part, "a.jsonl").replay("a.jsonl").states) >= len(whole) - 2


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_deeply_nested_last_line(end: str, table: Table[Any, Any]) -> None:
    text = "".join(line + "\n" for line in table.record.lines())
    for deep in ("[" * 100_000, '{"event":' + "[" * 100_000):
        with pytest.raises(LogError, match=r"^a\.jsonl, line \d+: "):
            Record.parse(f"{text}{deep}{end}", "a.jsonl")


def test_unreadable_and_unwritable_files(tmp_path: Path, table: Table[Any, Any]) -> None:
    with pytest.raises(LogError, match=r"cannot read .*none"):
        Record.read(tmp_path / "none")
    (tmp_path / "latin").write_bytes(b"\xff\xfe{")
    with pytest.raises(LogError, match=r"cannot read .*latin"):
        Record.read(tmp_path / "latin")
    with pytest.raises(LogError, match="cannot write"):
        table.record.write(tmp_path / "none" / "game.jsonl")
    with pytest.raises(LogError, match="cannot write"):
        table.record.write(tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {"latin"}


def test_a_seat_log_with_something_impossible(table: Table[Any, Any]) -> None:
    """The rules allow it, but it contradicts the player's knowledge."""
    lines = seat_log(table, "scarlett")
    mine = lines[1]["seat"]["holds"]
    category = {c.id: k for k, cs in enumerate(table.setup.edition.categories) for c in cs}
    cards = [cs[0].id for cs in table.setup.edition.categories]
    cards[category[mine[0]]] = mine[0]
    event = {
        "type": "accusation",
        "turn": 1,
        "player": "scarlett",
        "cards": cards,
        "right": True,
    }
    with pytest.raises(LogError, match=r"line 3: turn 1: .*it contradicts what is known"):
        parse([*lines[:2], {"event": event}]).replay("a.jsonl")


def test_a_seat_that_holds_too_few_cards_or_none_of_this_set(table: Table[Any, Any]) -> None:
    lines = seat_log(table, "scarlett")
    for holds, message in (
        (["dagger"], "expected scarlett to be dealt"),
        (["roppe", "kitchen", "hall"], "unknown card 'roppe'"),
        (["dagger", "dagger"], "card 'dagger' is given twice"),
    ):
        lines[1] = {"seat": {"player": "scarlett", "holds": holds}}
        with pytest.raises(LogError, match=f"the seat: {message}"):
            parse(lines).replay("a.jsonl")
    lines[1] = {"seat": {"player": "scarlet", "holds": []}}
    with pytest.raises(LogError, match="scarlet"):
        parse(lines).replay("a.jsonl")


def test_deep_and_foreign_files(tmp_path: Path, table: Table[Any, Any]) -> None:
    lines = list(table.record.lines())
    for place in range(3):
        deep = list(lines)
        deep[place] = deep[place][:-1] + ',"x":' + "[" * 100_000
        with pytest.raises(LogError, match="line"):
            Record.parse("\n".join(deep), "a.jsonl")
    (tmp_path / "wide").write_bytes("\n".join(lines).encode("utf-16"))
    with pytest.raises(LogError, match="expected text"):
        Record.read(tmp_path / "wide")
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert list(Record.read(tmp_path / "marked").lines()) == lines


def test_links_are_followed_and_devices_are_not_replaced(
    tmp_path: Path, table: Table[Any, Any]
) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    table.record.write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert Record.read(tmp_path / "target").outcomes
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        table.record.write(pipe)
        assert os.read(reader, 30).startswith(b'{"log":"symkripke"')
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_wrong_accuser_records_the_envelope() -> None:
    setup = GAME.setup(players=3, size="3/3/3")
    made = Table(GAME, setup, seed=1)
    inside = {f: "envelope" for f, place in made.deal.items() if place == "envelope"}
    cards = [name[len("location(") : -1] for name in inside]
    wrong = next(c.id for c in setup.edition.suspects if c.id not in cards)
    first = setup.players[0]
    holds = [name[len("location(") : -1] for name, place in made.deal.items() if place == first]
    event = {
        "type": "accusation",
        "turn": 1,
        "player": first,
        "cards": [wrong, *cards[1:]],
        "right": False,
    }
    head = [json.loads(line) for line in made.record.lines()][:1]
    head.append({"seat": {"player": first, "holds": holds}})
    told = parse([*head, {"event": event, "secret": inside}]).replay()
    assert told.ask(f"knows_solution({first})")
    with pytest.raises(LogError, match="saw something that the log does not"):
        parse([*head, {"event": event}]).replay()
    with pytest.raises(LogError, match="a suspect, a weapon and a room"):
        parse([*head, {"event": event, "secret": dict([next(iter(inside.items()))])}]).replay()


def test_turns_without_a_suggestion(table: Table[Any, Any]) -> None:
    lines = [json.loads(line) for line in table.record.lines()][:2]
    quiet = [
        {"event": {"type": "no-suggestion", "turn": turn, "player": player}}
        for turn, player in enumerate(table.setup.players, 1)
    ]
    moment = parse([*lines, *quiet]).replay()
    assert moment.turn == 3
    assert moment.sheet("scarlett").marks == moment.at(0).sheet("scarlett").marks
    with pytest.raises(LogError, match="turn 1 is scarlett's"):
        parse([*lines, quiet[1] | {"event": quiet[1]["event"] | {"turn": 1}}]).replay()


def test_a_key_given_twice_is_refused() -> None:
    """Otherwise, the last one would be used without notice."""
    record = Table(GAME, GAME.setup(players=3), seed=1).record
    header, truth = record.lines()
    twice = truth.replace('"truth":{', '"truth":{"location(rope)":"envelope",', 1)
    with pytest.raises(LogError, match=r"line 2: the key 'location\(rope\)' is given twice"):
        Record.parse(f"{header}\n{twice}")
    with pytest.raises(LogError, match="line 1: the key 'seed' is given twice"):
        Record.parse(header.replace('"seed":1', '"seed":2,"seed":1') + f"\n{truth}")
