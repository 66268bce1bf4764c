"""Diagnosis of contradictory logs: the conflict is minimal, and the suspects are the repairs."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.errors import ImpossibleEntry, RuleError
from symkripke.language import Formula
from symkripke.model import evaluate
from symkripke.play import Contradiction, Journal, Outcome, Record, game
from symkripke.play.dealing import location
from symkripke.play.diagnosis import Clash, Diagnosis, clash_of, diagnose
from symkripke.play.session.course import Seat
from symkripke_games.cluedo.rules import Suggestion, shown
from symkripke_games.kwartet.rules import Opening, Question

CLUEDO = game("cluedo")
SETUP = CLUEDO.setup(players=3, names=("ann", "bob", "cath"), size="2/2/3")


def log(*outcomes: Outcome[Any], holds: Sequence[str] = ("green", "rope")) -> Record[Any, Any]:
    """Return Ann's log of a small game of Cluedo."""
    return Record(CLUEDO, SETUP, outcomes, seat=Seat("ann", tuple(holds)))


def cards() -> list[str]:
    return [card.id for card in SETUP.edition.cards]


def asked(
    turn: int, names: Sequence[str], passes: str = "", shower: str | None = None, card: str = ""
) -> Outcome[Suggestion]:
    """Return a suggestion; the turn determines the player who makes it."""
    player = SETUP.players[(turn - 1) % 3]
    public = Suggestion(
        turn=turn,
        player=player,
        cards=(names[0], names[1], names[2]),
        passes=tuple(passes.split()),
        shower=shower,
    )
    return Outcome(public, {shown(turn): card} if card else {})


def small_log() -> tuple[Record[Any, Any], list[str], list[str], list[str]]:
    """Return a log in which Bob passes on a card that he showed, and all cards."""
    suspects, weapons, rooms = (
        [card.id for card in category] for category in SETUP.edition.categories
    )
    hand = (suspects[0], *([weapons[0]] if sizes()[0] == 2 else []))
    others = (suspects[1], weapons[1], rooms[0])
    record = log(
        asked(1, others, shower="bob", card=rooms[0]),
        asked(2, (suspects[0], weapons[0], rooms[1]), "", "cath"),
        asked(3, others, "ann bob"),
        holds=hand,
    )
    return record, suspects, weapons, rooms


def sizes() -> tuple[Any, ...]:
    return tuple(SETUP.hands)


def test_a_pass_on_a_card_that_was_shown() -> None:
    record, *_ = small_log()
    assert diagnose(replace(record, outcomes=record.outcomes[:1])) is None
    found = _diagnosis(record)
    assert (found.kind, found.entry, found.turn) == ("cards", 3, 3)
    assert {premise.entry for premise in found.clash} == {1, 3}
    assert {suspect.entry for suspect in found.suspects} >= {1, 3}
    assert sum(suspect.likelihood for suspect in found.suspects) == pytest.approx(1)
    told = [suspect for suspect in found.suspects if suspect.entry == 3]
    assert any("Bob shows a card" in words for words in told[0].perhaps)


def test_violations_of_the_rules_are_distinguished() -> None:
    record, *_ = small_log()
    public = msgspec.structs.replace(record.outcomes[1].public, player="ann")
    wrong = replace(record, outcomes=(record.outcomes[0], Outcome(public, {})))
    found = diagnose(wrong)
    assert found is not None
    assert (found.kind, found.entry, found.clash) == ("rules", 2, ())
    assert "turn 2 is bob's, not ann's" in found.problem
    assert found.suspects[0].entry == 2
    assert "Bob, not Ann" in found.suspects[0].perhaps


def test_a_duplicate_or_missing_entry() -> None:
    record, *_ = small_log()
    twice = replace(record, outcomes=(record.outcomes[0], record.outcomes[0]))
    assert _diagnosis(twice).suspects[0].perhaps[0] == "it was entered twice"
    missing = replace(record, outcomes=(record.outcomes[0], record.outcomes[2]))
    assert _diagnosis(missing).suspects[0].perhaps[0] == "an entry is missing before it"


def test_a_refused_entry_of_a_journal_is_diagnosed(tmp_path: Any) -> None:
    record, *_ = small_log()
    path = tmp_path / "table.jsonl"
    journal = Journal.begin(path, CLUEDO, SETUP, seat=record.seat)
    for outcome in record.outcomes[:2]:
        journal.append(outcome)
    with pytest.raises(Contradiction) as refused:
        journal.append(record.outcomes[2])
    assert refused.value.diagnose() == diagnose(record)
    assert journal.diagnose() is None
    record.write(path)
    assert Journal.open(path).diagnose() == diagnose(record, "table.jsonl")


def test_a_wrong_own_card_is_a_suspect() -> None:
    """Bob shows Ann a card that she has recorded as her own."""
    record, suspects, weapons, rooms = small_log()
    assert record.seat is not None
    mine = record.seat.holds[0]
    wrong = log(
        asked(1, (suspects[0], weapons[1], rooms[0]), shower="bob", card=mine),
        holds=record.seat.holds,
    )
    found = diagnose(wrong)
    assert found is not None
    assert found.clash[0].entry == 0
    hand = next(suspect for suspect in found.suspects if suspect.entry == 0)
    assert hand.perhaps


def test_an_impossible_seat() -> None:
    found = diagnose(log(holds=("nothing",)))
    assert found is not None
    assert (found.entry, found.kind) == (0, "rules")


@cache
def worlds() -> tuple[dict[str, str], ...]:
    """Return every deal of the small game, with all cards that may have been shown in two turns."""
    places = (*SETUP.players, "envelope")
    found = []
    for chosen in itertools.product(places, repeat=len(cards())):
        deal = {location(card): place for card, place in zip(cards(), chosen, strict=True)}
        try:
            CLUEDO.start(SETUP, deal)
        except RuleError:
            continue
        record, *_ = small_log()
        first, second = (outcome.public.cards for outcome in record.outcomes[:2])
        found += [
            {**deal, shown(1): one, shown(2): two} for one, two in itertools.product(first, second)
        ]
    return tuple(found)


def listed(formulas: Sequence[Formula]) -> bool:
    """Return whether all formulas are true together in some world, by trying all worlds."""
    return any(all(evaluate(formula, world) for formula in formulas) for world in worlds())


def test_the_conflict_is_minimal_by_listing_all_worlds() -> None:
    record, *_ = small_log()
    found = clash_of(record, 2)
    assert found is not None
    clash: Clash = found[0]
    said = [statement.formula for statement in clash.clash]
    assert not listed([*clash.given, *said])
    for left_out in said:
        rest = [formula for formula in said if formula is not left_out]
        assert listed([*clash.given, *rest])
    for entry in range(4):
        rest = [part.formula for part in clash.stated if part.entry != entry]
        suspected = entry in [suspect.entry for suspect in _diagnosis(record).suspects]
        assert listed([*clash.given, *rest]) == suspected, entry


def _diagnosis(record: Record[Any, Any], name: str = "log") -> Diagnosis:
    found = diagnose(record, name)
    assert found is not None
    return found


# ---- other games ---------------------------------------------------------------------------------


def test_kwartet_a_card_that_has_moved() -> None:
    played = game("kwartet")
    setup = played.setup(players=3, names=("ann", "bob", "cath"), rules="study")
    group, other = list(setup.cards_of.values())[:2]
    held = (group[0], other[0], *[cards[0] for cards in list(setup.cards_of.values())[2:]])
    more = [cards[1] for cards in list(setup.cards_of.values())[2:]]
    hand = (*held, *more)[: setup.sizes["ann"]]
    given = Question(turn=1, player="ann", asked="bob", card=group[1], given=True)
    again = Question(turn=2, player="ann", asked="cath", card=group[1], given=True)
    record = Record(
        played,
        setup,
        (Outcome(Opening(turn=0), {}), Outcome(given, {}), Outcome(again, {})),
        seat=Seat("ann", tuple(hand)),
    )
    found = _diagnosis(record)
    assert (found.kind, found.entry) == ("rules", 3)
    assert {premise.entry for premise in found.clash} == {2, 3}
    assert {suspect.entry for suspect in found.suspects} == {2, 3}


# ---- the command line ----------------------------------------------------------------------------


def test_the_command(tmp_path: Any) -> None:
    record, *_ = small_log()
    path = tmp_path / "slip.jsonl"
    record.write(path)
    run = CliRunner().invoke(group, ["diagnose", str(path)])
    assert run.exit_code == 1
    assert run.output.splitlines() == list(_diagnosis(Record.read(path), str(path)).lines())
    assert "most likely first" in run.output
    as_json = CliRunner().invoke(group, ["diagnose", str(path), "--json"])
    assert as_json.exit_code == 1
    data = json.loads(as_json.output)["diagnosis"]
    assert msgspec.convert(data, Diagnosis) == diagnose(Record.read(path), str(path))
    replace(record, outcomes=record.outcomes[:2]).write(path)
    right = CliRunner().invoke(group, ["diagnose", str(path)])
    assert (right.exit_code, right.output[:17]) == (0, "Nothing is wrong:")


def test_turns_before_the_fault_can_be_queried(tmp_path: Any) -> None:
    record, _, _, rooms = small_log()
    path = tmp_path / "slip.jsonl"
    record.write(path)
    with pytest.raises(ImpossibleEntry) as refused:
        record.replay()
    assert refused.value.number == 2
    asking = ["ask", str(path), f"K[ann] holds(bob, {rooms[0]})"]
    early = CliRunner().invoke(group, [*asking, "--at", "1"])
    assert early.exit_code == 0
    assert "yes" in early.output
    late = CliRunner().invoke(group, asking)
    assert late.exit_code == 1
    assert "turns up to 2 can be asked about" in str(late.exception or late.output) + late.output
