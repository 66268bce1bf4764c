"""A game begun on the pages continues at a terminal, and vice versa."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from symkripke.cli import group
from symkripke.play import Record, Table, game
from tests.web.support import SHORT, begin, form, forms, log_of, path_of, send


def at_a_terminal(log: Path, typed: str) -> str:
    """Continue a log at a terminal, and return the output."""
    result = CliRunner().invoke(group, ["play", "--resume", str(log)], input=typed)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_person_changes_interfaces_after_each_move(client: TestClient, data: Path) -> None:
    seat = path_of(begin(client, "cluedo", people=(0,)))
    log = log_of(data, seat)
    for _ in range(3):
        before = Record.read(log)
        at_a_terminal(log, "hint\ntake\nquit\n")
        between = Record.read(log)
        assert (between.outcomes, between.moves) != (before.outcomes, before.moves)
        if between.result is not None:
            break
        sitting = Table.open(log).seat(seat.split("/")[3])
        told = sitting.tell(next(sitting.menu.moves))
        typed = next(found for found in forms(client.get(seat).text) if "text" in found.fields)
        send(client, typed, text=told)
        after = Record.read(log)
        assert (after.outcomes, after.moves) != (between.outcomes, between.moves)
        if after.result is not None:
            break
    Record.read(log).replay()


@pytest.mark.parametrize("name", ["cluedo", "perudo"])
def test_a_game_of_minds_changes_interfaces(client: TestClient, data: Path, name: str) -> None:
    table = path_of(begin(client, name))
    log = log_of(data, table)
    send(client, form(client.get(table).text, "/play"), events="2")
    assert len(Record.read(log).outcomes) == 2
    told = at_a_terminal(log, "")
    assert "The game continues: 2 events so far." in told
    record = Record.read(log)
    assert record.result is not None
    # Both interfaces together play the same game as a single program.
    alone = Table(game(name), record.setup, record.minds, SHORT[name][1])
    list(alone)
    assert tuple(step.outcome for step in alone.steps) == record.outcomes
    assert f"{record.result.words[1:]}." in client.get(table).text


def test_the_usual_move_is_one_key_or_one_button(client: TestClient, data: Path) -> None:
    """Without a usual move, the key changes nothing, and there is no such button."""
    seat = path_of(begin(client, "cluedo", people=(0,)))
    _, _, name, who, _ = seat.split("/")
    log, copy, other = (data / "tables" / f"{kind}{name}.jsonl" for kind in ("", "copy-", "other-"))
    before = log.read_bytes()
    assert 'id="usual"' not in client.get(seat).text
    assert "(Enter: " not in at_a_terminal(log, "\nquit\n")
    assert log.read_bytes() == before
    at_a_terminal(log, "hint\ntake\nquit\n")
    for path in (copy, other):
        path.write_bytes(log.read_bytes())
    hosted = Table.open(copy)
    view = hosted.seat(who)
    assert view.menu.usual == view.menu.actions[0].move()  # the move that does nothing
    usual = view.tell(view.menu.usual)
    hosted.choose(who, view.menu.usual)
    expected = hosted.record
    assert f"(Enter: {usual.partition(' ')[2].rstrip('.')})" in at_a_terminal(other, "\nquit\n")
    page = client.get(seat).text
    button = next(found for found in forms(page) if found.fields.get("move") == "usual")
    assert button.buttons[0][2] == f"Usual move: {usual}"
    send(client, button)
    for path in (log, other):
        played = Record.read(path)
        assert played.outcomes[: len(expected.outcomes)] == expected.outcomes
        assert played.moves or played.outcomes != Record.read(copy).outcomes
