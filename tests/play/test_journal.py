"""Journals: append, incomplete events, undo, edit, kills, and two programs on one file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symkripke.errors import (
    InputError,
    JournalChanged,
    LogError,
    PhraseError,
    UnknownName,
    Unsupported,
)
from symkripke.play import Contradiction, Game, Journal, Outcome, Record, Seat, Table, read_hand
from symkripke.play.acts import Pending, describe_briefly
from symkripke_games import cluedo, kwartet, old_maid, perudo, sleuth
from tests.play.test_phrases import TABLES

SMALL: dict[str, tuple[Game[Any, Any], dict[str, Any]]] = {
    "cluedo": (cluedo.GAME, {"players": 3, "size": "3/3/4"}),
    "kwartet": (kwartet.GAME, {"players": 3, "groups": 3}),
    "old maid": (old_maid.GAME, {"players": 3, "ranks": 6}),
    "perudo": (perudo.GAME, {"players": 3, "dice": 2, "calza": True}),
    "sleuth": (sleuth.GAME, {"rules": "study", "players": 3, "size": "2/2/2"}),
}


def played(name: str, seed: int, events: int = 12) -> Record[Any, Any]:
    """Return the record of a game between minds, with the truth."""
    game, options = SMALL[name]
    table: Table[Any, Any] = Table.of(game, seed=seed, **options)
    for number, _ in enumerate(table, 1):
        if number == events:
            break
    return table.record


def begun(path: Path, record: Record[Any, Any]) -> Journal[Any, Any]:
    """Return a journal of the same game, without entries."""
    return Journal.begin(
        path, record.game, record.setup, seat=record.seat, truth=record.truth, replace=True
    )


def short(journal: Journal[Any, Any], outcome: Outcome[Any]) -> str:
    """Return the text that must be typed for the event."""
    return describe_briefly(journal.game.act(outcome), journal.situation, outcome)


def check_like_replay(journal: Journal[Any, Any]) -> None:
    """Check that the journal agrees with a fresh replay of its file, which must be complete."""
    again = Journal.open(journal.path)
    assert not again.note
    assert again.fault is None
    assert list(again.record.lines()) == list(journal.record.lines())
    assert again.pending == journal.pending
    moment = Record.read(journal.path).replay()
    assert moment.turns == journal.moment.turns
    for state, other in zip(moment.states, journal.moment.states, strict=True):
        assert [str(c.formula) for c in state.structure.law] == [
            str(c.formula) for c in other.structure.law
        ]
        assert getattr(state, "seen", None) == getattr(other, "seen", None)
    assert again.position == journal.position


# ---- entering events -----------------------------------------------------------------------------


def test_events_can_be_entered_all_at_once(tmp_path: Path) -> None:
    """They are separated by new lines or two semicolons; all of them are written, or none."""
    truth = played("cluedo", 1, events=4)
    record = truth.seen_by(truth.setup.players[0])
    journal = begun(tmp_path / "log.jsonl", record)
    story = [record.game.story(record.setup, o, journal.seat) for o in record.outcomes]
    before = journal.path.read_bytes()
    with pytest.raises(PhraseError):
        journal.enter("\n".join((*story, "and so on")))
    assert journal.path.read_bytes() == before
    assert not journal.entries
    journal.enter(f"{story[0]};;{story[1]}\n" + "\n\n".join(story[2:]))
    assert journal.record.outcomes == record.outcomes


def test_an_event_is_entered_in_parts(tmp_path: Path) -> None:
    """Each part is in the file, and a reopened journal continues."""
    setup = cluedo.GAME.setup(players=4, names=["tom", "anna", "lee", "bob"])
    seat = Seat("lee", ("rope", "white", "plum", "study"))
    journal = Journal.begin(tmp_path / "log.jsonl", cluedo.GAME, setup, seat=seat)
    for text in ("green", "rope", "study", "-", "yes"):
        entered = journal.enter(text)
        assert not entered.entries
        assert entered.pending == journal.pending
        journal = Journal.open(journal.path)
        assert journal.pending == entered.pending
    assert journal.pending is not None
    assert journal.pending.ask == "Which card do you show?"
    assert [choice.title for choice in journal.pending.choices] == ["Rope", "Study"]
    with pytest.raises(PhraseError, match="choose from: Rope or Study"):
        journal.enter("hall")
    (entry,) = journal.enter("rope").entries
    assert entry.story == "Tom asks for Reverend Green, Rope, Study. Anna passes. Lee shows Rope."
    assert dict(entry.outcome.secret) == {"shown(1)": "rope"}
    assert journal.pending is None
    check_like_replay(journal)


def test_undo_takes_back_one_line_of_a_begun_event(tmp_path: Path) -> None:
    """It does not take back all lines, and further entries can follow."""
    setup = cluedo.GAME.setup(players=3, names=["tom", "anna", "lee"])
    seat = Seat("lee", ("rope", "hall", "white", "plum", "study", "dagger"))
    journal = Journal.begin(tmp_path / "log.jsonl", cluedo.GAME, setup, seat=seat)
    for line in ("tom: no suggestion", "anna: pipe", "kitchen", "peacock"):
        journal.enter(line)
    assert journal.undo() == "peacock"
    assert journal.pending is not None
    assert Journal.open(journal.path).pending == journal.pending
    assert (journal.undo(), journal.undo()) == ("kitchen", "anna: pipe")
    assert journal.pending is None
    assert journal.undo() == "Tom makes no suggestion."
    with pytest.raises(InputError, match="no entry"):
        journal.undo()


def test_contradictions_are_refused(tmp_path: Path) -> None:
    """Nothing is written, and the journal continues."""
    setup = cluedo.GAME.setup(players=3, names=["tom", "anna", "lee"])
    seat = Seat("lee", ("rope", "hall", "white", "plum", "study", "dagger"))
    journal = Journal.begin(tmp_path / "log.jsonl", cluedo.GAME, setup, seat=seat)
    journal.enter("tom: green pipe study; anna -; lee !study")
    before = journal.path.read_bytes()
    with pytest.raises(Contradiction, match="this is impossible") as refused:
        journal.enter("anna: green pipe hall; nobody")
    assert (refused.value.forbidden_by, refused.value.number) == ("cards", 2)
    with pytest.raises(Contradiction) as forbidden:
        journal.append(journal.entries[0].outcome)
    assert forbidden.value.forbidden_by == "rules"
    assert journal.path.read_bytes() == before
    journal.enter("anna: no suggestion")
    with pytest.raises(Contradiction, match="it contradicts what is known"):
        journal.enter("lee: green pipe study; anna !")
    check_like_replay(journal)


def test_news_of_events(tmp_path: Path) -> None:
    """The news of an event consists of the cells of the note sheet that it changed."""
    record = played("cluedo", 4).seen_by("scarlett")
    journal = begun(tmp_path / "log.jsonl", record)
    known = journal.moment.marks("scarlett")
    for outcome in record.outcomes:
        journal.append(outcome)
        news = journal.news()
        now = journal.moment.marks("scarlett")
        assert news.marks == now
        changed = {c for c, mark in now.items() if known[c] is not mark}
        assert {news.layout.cells[place] for place in news.learned} == changed
        known = now
    assert "scarlett" in journal.news(len(record.outcomes)).knowers() or journal.news().learned


# ---- undo and edit -----------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.sampled_from(sorted(SMALL)), st.integers(0, 20), st.data())
def test_undo_and_edit_match_a_fresh_start(name: str, seed: int, data: Any) -> None:
    """The file always agrees with the journal, whatever the sequence of operations."""
    truth = played(name, seed)
    player = data.draw(st.sampled_from((None, *truth.setup.players)))
    record = truth if player is None else truth.seen_by(player)
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"journal-{os.getpid()}.jsonl"
    try:
        journal = begun(path, record)
        for _ in range(data.draw(st.integers(1, 14))):
            entries = journal.entries
            action = data.draw(st.sampled_from(("append", "append", "undo", "edit", "half")))
            if action == "append" and len(entries) < len(record.outcomes):
                journal.append(record.outcomes[len(entries)])
            elif action == "undo" and entries:
                journal.undo()
            elif action == "edit" and entries:
                # An entry is replaced by its own text.
                number = data.draw(st.integers(1, len(entries)))
                if journal.pending is None:
                    assert journal.edit(number, entries[number - 1].story) == (entries[number - 1],)
            elif action == "half" and journal.pending is None and journal.asked is not None:
                journal.enter(record.setup.players[0][:0] + _first_word(journal))
            check_like_replay(journal)
        assert journal.record.outcomes == record.outcomes[: len(journal.entries)]
    finally:
        path.unlink(missing_ok=True)


def _first_word(journal: Journal[Any, Any]) -> str:
    """Return the name of the player to move, or an empty string."""
    decision = journal.position.decision
    return "" if decision is None or journal.position.turn == 0 else decision.player


def test_an_entry_is_edited_and_later_ones_are_kept(tmp_path: Path) -> None:
    """Turns are renumbered."""
    setup = cluedo.GAME.setup(players=3, names=["tom", "anna", "lee"])
    seat = Seat("lee", ("rope", "hall", "white", "plum", "study", "dagger"))
    journal = Journal.begin(tmp_path / "log.jsonl", cluedo.GAME, setup, seat=seat)
    journal.enter("tom: no suggestion\nanna: green rope study; lee !rope")
    journal.enter("lee: green revolver hall; -; anna !green")
    assert [entry.turn for entry in journal.entries] == [1, 2, 3]
    wrong = "tom accuses scarlett revolver kitchen: wrong"
    changed = journal.edit(1, f"tom: scarlett revolver kitchen; anna -; lee -\n{wrong}")
    assert [entry.number for entry in changed] == [1, 2]
    assert [entry.turn for entry in journal.entries] == [1, 1, 2, 3]
    check_like_replay(journal)
    assert [entry.turn for entry in journal.edit(2, "")] == []
    before = journal.path.read_bytes()
    with pytest.raises(InputError, match=r"entry 2 no longer fits: Anna asks for"):
        journal.edit(1, "")
    with pytest.raises(PhraseError, match="this entry is incomplete: Does Anna show a card"):
        journal.edit(1, "tom: green rope study")
    with pytest.raises(InputError, match="expected the number of an entry"):
        journal.edit(9, "tom: no suggestion")
    assert journal.path.read_bytes() == before
    check_like_replay(journal)


def test_the_bid_that_was_doubted_can_be_corrected(tmp_path: Path) -> None:
    """The call's bid and verdict are recomputed, as are the suspects."""
    setup = perudo.GAME.setup(players=3, dice=3)
    journal = Journal.begin(tmp_path / "log", perudo.GAME, setup, seat=Seat("ann", ("1", "3", "5")))
    journal.enter("ann 2 fives")
    with pytest.raises(Contradiction) as wrong:
        journal.enter("bob 1 five")
    assert wrong.value.diagnose().suspects[0].text == "Bob bids 1 five."
    journal.edit(1, "ann 1 five")
    journal.enter("bob 2 fours;; cath dudo 444 226")
    for bid, verdict in (("2 sixes", "Cath is wrong"), ("4 fives", "Cath is right")):
        journal.edit(2, f"bob {bid}")
        assert journal.entries[1].story == f"Bob bids {bid}."
        assert f"Bob bid {bid}" in journal.entries[2].story
        assert verdict in journal.entries[2].story


def test_entries_are_counted_and_not_turns(tmp_path: Path) -> None:
    """Reasons and suspects give the numbers of entries, which may differ from those of turns."""
    game, options, seat, holds, before = TABLES["kwartet"]
    mine = Seat(seat, tuple(holds.split()))
    journal = Journal.begin(tmp_path / "log.jsonl", game, game.setup(**options), seat=mine)
    journal.enter(f"{before}\nann bob smelly goat no")
    with pytest.raises(Contradiction) as raised:
        journal.enter("bob cath fog no;; cath bob smelly goat yes")
    told = "\n".join(raised.value.diagnose().lines())
    assert "entry " in told
    assert "turn " not in told


# ---- kills, cuts, and other programs -----------------------------------------------------------


def test_a_cut_off_line_is_left_out(tmp_path: Path) -> None:
    """Wherever the last line is cut, the lines before it are complete."""
    record = played("kwartet", 5, events=3)
    journal = begun(tmp_path / "log.jsonl", record)
    for outcome in record.outcomes:
        journal.append(outcome)
    content = journal.path.read_bytes()
    start = content.rstrip(b"\n").rfind(b"\n") + 1
    for cut in range(start, len(content) + 1):
        journal.path.write_bytes(content[:cut])
        again = Journal.open(journal.path)
        # Only the line break at the end of the line may be missing.
        whole = cut >= len(content) - 1
        assert len(again.entries) == (3 if whole else 2)
        assert bool(again.note) == (start < cut and not whole)
        if not whole:
            again.append(record.outcomes[2])
        check_like_replay(again)
    for rest in (b"\0" * 20, b'{"event":\xff', b'{"pending":"\xc3'):
        journal.path.write_bytes(content + rest)
        again = Journal.open(journal.path)
        assert len(again.entries) == 3
        again.undo()
        check_like_replay(again)


_WRITER = """
import sys
from symkripke.play import Journal, Record
record, path = Record.read(sys.argv[1]), sys.argv[2]
journal = Journal.begin(path, record.game, record.setup, truth=record.truth, replace=True)
while True:
    for number, outcome in enumerate(record.outcomes, 1):
        journal.append(outcome)
        print(number, flush=True)
        if journal.asked is not None:
            journal.enter(journal.position.decision.player)
    while journal.entries:
        journal.undo()
        print(len(journal.entries), flush=True)
"""


def test_kills_lose_nothing_that_was_entered(tmp_path: Path) -> None:
    """After a `kill -9` at any time, the file has all confirmed entries and can be continued."""
    record = played("kwartet", 6, events=8)
    source, path = tmp_path / "source.jsonl", tmp_path / "log.jsonl"
    record.write(source)
    for stop in (1, 4, 13):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(source), str(path)], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            begun_with = [writer.stdout.readline() for _ in range(stop)]
            writer.send_signal(signal.SIGKILL)
            confirmed = [int(line) for line in (*begun_with, *writer.stdout.read().split())]
        journal = Journal.open(path)
        entries = len(journal.entries)
        # The last change may have been made without being confirmed.
        assert abs(entries - confirmed[-1]) <= 1
        assert journal.record.outcomes == record.outcomes[:entries]
        if entries < len(record.outcomes):
            journal.append(record.outcomes[entries])
        else:
            journal.undo()
        check_like_replay(journal)


def test_two_programs_at_one_log(tmp_path: Path) -> None:
    """The second program is refused, reads the log again, and can continue."""
    record = played("kwartet", 7, events=6)
    first = begun(tmp_path / "log.jsonl", record)
    second = Journal.open(first.path)
    first.append(record.outcomes[0])
    with pytest.raises(JournalChanged, match="changed by another program"):
        second.append(record.outcomes[0])
    assert second.record.outcomes == record.outcomes[:1]
    second.append(record.outcomes[1])
    with pytest.raises(JournalChanged):
        first.undo()
    assert first.record.outcomes == record.outcomes[:2]
    second.undo()
    with pytest.raises(JournalChanged):
        first.enter("x" if first.asked is None else _first_word(first))
    first.refresh()
    check_like_replay(first)
    check_like_replay(second)


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed write leaves no partial entry, neither on disk nor in the journal."""
    record = played("kwartet", 8, events=4)
    journal = begun(tmp_path / "log.jsonl", record)
    journal.append(record.outcomes[0])
    before = journal.path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        for change in (lambda: journal.append(record.outcomes[1]), journal.undo):
            with pytest.raises(LogError, match="No space left"):
                change()
            assert journal.path.read_bytes() == before
    journal.append(record.outcomes[1])
    check_like_replay(journal)
    assert [file.name for file in tmp_path.iterdir()] == ["log.jsonl"]


# ---- existing logs -----------------------------------------------------------------------------


def test_a_faulty_log_can_be_corrected(tmp_path: Path) -> None:
    """All entries before the fault can be queried; the faulty entry can be edited or undone."""
    record = played("kwartet", 9, events=6)
    journal = begun(tmp_path / "log.jsonl", record)
    for outcome in record.outcomes:
        journal.append(outcome)
    lines = journal.path.read_text().splitlines()
    wrong = json.loads(lines[4])
    wrong["event"]["given"] = not wrong["event"]["given"]
    wrong["event"].pop("down", None)
    lines[4] = json.dumps(wrong)
    journal.path.write_text("\n".join(lines) + "\n")
    faulty = Journal.open(journal.path)
    assert faulty.fault is not None
    assert faulty.fault.number == 2
    assert len(faulty.entries) == 6
    assert faulty.moment.events == 2
    with pytest.raises(InputError, match="correct it first"):
        faulty.append(record.outcomes[5])
    faulty.edit(3, record.game.story(record.setup, record.outcomes[2]))
    assert faulty.fault is None
    assert faulty.record.outcomes == record.outcomes
    check_like_replay(faulty)


def test_invalid_logs_cannot_be_begun(tmp_path: Path) -> None:
    """Invalid cases are a hand of the wrong size, an existing log, and neither seat nor truth."""
    setup = cluedo.GAME.setup(players=3)
    path = tmp_path / "log.jsonl"
    with pytest.raises(InputError, match="expected a seat or a truth"):
        Journal.begin(path, cluedo.GAME, setup)
    with pytest.raises(InputError, match="to be dealt 6 cards"):
        Journal.begin(path, cluedo.GAME, setup, seat=Seat("scarlett", ("rope",)))
    with pytest.raises((LogError, UnknownName)):
        Journal.begin(path, cluedo.GAME, setup, seat=Seat("nobody", ("rope",)))
    assert not path.exists()
    path.write_text("mine")
    record = played("cluedo", 0).seen_by("scarlett")
    with pytest.raises(InputError, match="already exists"):
        Journal.begin(path, record.game, record.setup, seat=record.seat)
    assert path.read_text() == "mine"
    with pytest.raises(LogError, match="cannot read"):
        Journal.open(tmp_path / "no such file")


def test_dealt_hands_are_parsed() -> None:
    """Cards may be in any order, by title or name; missing cards are asked for."""
    setup = cluedo.GAME.setup(players=6)
    assert read_hand(cluedo.GAME, setup, "plum", "Rope, lead pipe and hall") == (
        "rope",
        "lead_pipe",
        "hall",
    )
    found = read_hand(cluedo.GAME, setup, "plum", "rope")
    assert isinstance(found, Pending)
    assert found.ask == "Rope, and two more:"
    with pytest.raises(PhraseError, match="did you mean 'Rope'"):
        read_hand(cluedo.GAME, setup, "plum", "roep, hall, white")


def test_events_of_games_without_acts_cannot_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = played("kwartet", 10, events=1)
    journal = begun(tmp_path / "log.jsonl", record)
    monkeypatch.setattr(kwartet.GAME, "acts", ())
    monkeypatch.setattr(kwartet.GAME, "hand_act", None)
    with pytest.raises(Unsupported, match="events of Kwartet cannot be typed"):
        journal.enter("ann asks bob fog: no")
    with pytest.raises(Unsupported, match="hands of Kwartet cannot be typed"):
        read_hand(kwartet.GAME, record.setup, "ann", "fog")
