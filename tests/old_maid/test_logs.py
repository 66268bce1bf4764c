"""Logs: a whole game, and one player's own table, in which what follows need not be told."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from symkripke.engines.sat import SatEngine
from symkripke.errors import LogError
from symkripke.play import Outcome, Record, Table
from symkripke.play.session.course import Seat
from symkripke_games.old_maid import GAME
from symkripke_games.old_maid.rules import Draw, drawn_name, holds_name, pairs_name


def played(seed: int, ranks: int = 5) -> Table[Any, Any]:
    table = Table(GAME, GAME.setup(rules="study", ranks=ranks), ("random",), seed)
    for _ in table:
        pass
    return table


def own_log(table: Table[Any, Any], me: str, *, counts: bool = True) -> Record[Any, Any]:
    """What `me` would write down at a real table; without counts, what it would type in."""
    dealt = tuple(
        rank
        for rank in table.setup.deck
        for _ in range(
            2 * int(table.deal[pairs_name(me, rank)]) + (table.deal[holds_name(me, rank)] == "true")
        )
    )
    outcomes = []
    for step in table.steps:
        public, secret = step.outcome.public, step.outcome.secret
        if isinstance(public, Draw):
            mine = me in (public.player, public.giver)
            rank = dict(secret)
            if not counts:
                if mine and public.discard is None and not secret:
                    assert public.count is not None
                    rank = {drawn_name(public.turn): next(iter(public.count.left))}
                public = msgspec.structs.replace(public, count=None)
            secret = rank if mine else {}
        outcomes.append(Outcome(public, secret))
    record = Record(GAME, table.setup, tuple(outcomes), seat=Seat(me, dealt))
    return Record.parse("\n".join(record.lines()))


def test_ones_own_table_without_counts() -> None:
    """After every event the player knows just what it knows in the scene."""
    for seed in range(6):
        table = played(seed)
        for me in table.setup.players:
            moment = own_log(table, me, counts=False).replay()
            engine = SatEngine()
            for events in range(len(table.scenes)):
                sheet = moment.after(events).sheet(me, engine)
                assert sheet.marks == table.moment.after(events).sheet(me).marks, (seed, me)


def changed(table: Table[Any, Any], old: str, new: str) -> str:
    lines = "\n".join(table.record.lines())
    found = re.sub(old, new, lines, count=1)
    assert found != lines, old
    return found


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (r'"turn":2', '"turn":3', "expected an event of turn 2, got one of 3"),
        (r'"drawer":(\d)', r'"drawer":9', "expected the drawer to have"),
        (r'"secret":\{"drawn\(1\)":"\w+"\}', '"secret":{"drawn(1)":"kng"}', "to give one of"),
        (r',"secret":\{"drawn\(1\)":"\w+"\}', "", "does not say which rank was drawn"),
        (r'"pairs\(ann, king\)":"1"', '"pairs(ann, king)":"0"', "cards of rank king in the deal"),
        (r'"ranks":5', '"ranks":14', "expected 2 to 13 ranks, got 14"),
        (r'"first":"\w+"', '"first":"zoe"', "to begin, got 'zoe'"),
        (r'"winners":\[.*?\]', '"winners":["zoe"]', "the result: expected winners"),
    ],
)
def test_impossible_logs(old: str, new: str, says: str) -> None:
    """One clear error that names the line."""
    for seed in range(40):
        table = played(seed)
        lines = "\n".join(table.record.lines())
        if re.search(old, lines):
            break
    with pytest.raises(LogError, match=re.escape(says)):
        Record.parse(changed(table, old, new)).replay()


def test_a_card_that_this_player_saw_must_be_told() -> None:
    for seed in range(20):
        table = played(seed)
        record = own_log(table, "ann")
        told = [n for n, outcome in enumerate(record.outcomes) if outcome.secret]
        if told:
            break
    outcomes = list(record.outcomes)
    outcomes[told[0]] = Outcome(outcomes[told[0]].public, {})
    with pytest.raises(LogError, match="ann saw something that is not told"):
        replace(record, outcomes=tuple(outcomes)).replay()


def test_wrong_hands() -> None:
    setup = GAME.setup(rules="study")
    for cards, says in (
        (("queen",), "expected ann to be dealt 5 cards, got 1"),
        (("quen",) * 5, "unknown rank 'quen'; did you mean 'queen'?"),
        (("queen",) * 4 + ("ace",), "expected at most 3 cards of rank queen, got 4"),
    ):
        with pytest.raises(ValueError, match=re.escape(says)):
            GAME.hand(setup, "ann", cards)
