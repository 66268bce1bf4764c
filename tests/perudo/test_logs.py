"""Logs: whole games, one player's own table, and what cannot have happened."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec
import pytest

from symkripke.engines import engine
from symkripke.errors import InputError, LogError
from symkripke.play import Outcome, Record, Table
from symkripke.play.odds import odds
from symkripke.play.session.course import Seat
from symkripke_games.perudo import GAME
from symkripke_games.perudo.rules import Rolled
from symkripke_games.perudo.throws import dice_name, die_name


@cache
def played(seed: int = 4) -> Table[Any, Any]:
    setup = GAME.setup(players=3, dice=2)
    table = Table(GAME, setup, ("believer", "odds", "bluffer"), seed)
    for _ in table:
        pass
    return table


def own_log(table: Table[Any, Any], me: str) -> Record[Any, Any]:
    """What `me` would type in at a real table: nothing that follows from the rules."""
    dealt = tuple(table.deal[die_name(me, place)] for place in (2, 1))
    outcomes = []
    for step in table.steps:
        public, secret = step.outcome.public, step.outcome.secret
        bare: dict[str, Any] = {"claim": None, "verdict": None, "round": None}
        bare = {name: none for name, none in bare.items() if hasattr(public, name)}
        if hasattr(public, "dice"):
            bare["dice"] = {p: tuple(reversed(mine)) for p, mine in public.dice.items()}
        secret = {name: value for name, value in secret.items() if name == dice_name(me)}
        outcomes.append(Outcome(msgspec.structs.replace(public, **bare), secret))
    return Record(GAME, table.setup, tuple(outcomes), seat=Seat(me, dealt))


def test_memory_stays_flat() -> None:
    """A round has a structure of its own, with its own bids only."""
    table = played()
    most = max(len(scene.structure.stages) for scene in table.scenes)
    bids = longest = 0
    for step in table.steps:
        bids = 0 if isinstance(step.outcome.public, Rolled) else bids + 1
        longest = max(longest, bids)
    assert most == longest + 1
    assert longest < len(table.steps) / 2


def test_ones_own_table() -> None:
    """After every event the player knows and believes just what it does in the scene."""
    table, bdd = played(), engine("bdd")
    for me in table.setup.players:
        moment = Record.parse("\n".join(own_log(table, me).lines())).replay()
        for events in range(0, len(table.scenes), 3):
            mine, real = moment.after(events), table.moment.after(events)
            assert mine.perspective(me).seen == real.perspective(me).seen
            assert mine.marks(me) == real.marks(me)
            assert mine.marks(me, believing=True) == real.marks(me, believing=True)
        assert odds(moment.after(1), me, bdd) == odds(table.moment.after(1), me, bdd)
        with pytest.raises(InputError, match="only what"):
            moment.perspective(next(p for p in table.setup.players if p != me))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (r'"turn":2', '"turn":3', "line 4: expected an event of turn 2, got one of 3"),
        (r'"quantity":1,', '"quantity":7,', "expected a bid of 1 to 6 dice, got 7"),
        (r'"holds":\d', '"holds":9', "expected {'holds': 0, 'trust': 50}, got {'holds': 9,"),
        (r'"dice":\{"ann":\[\d,', '"dice":{"ann":[7,', "unknown face of a die '7'"),
        (r'"dice":\{"ann":\[', '"dice":{"ann":[3,', "expected ann to have 2 dice, got 3"),
        (r'"dice":\{"ann":\[\d,\d\],', '"dice":{', "expected ann to have 2 dice, got 0"),
        (r'"die\(ann, 1\)":"\d"', '"die(ann, 1)":"0"', "unknown face of a die '0'"),
        (r'"die\(ann, 1\)":"\d"', '"die(ann, 1)":"6"', "the dice of ann in ascending order"),
        (r'"die\(ann, 1\)":"\d",', "", "the deal does not say what die(ann, 1) is"),
        (r'"loser":"\w+"', '"loser":"zoe"', "expected {'bidder':"),
        (r'"dice\(bob\)":"', '"dice(bob)":"2 ', "expected bob to have 2 dice, got 3"),
        (r'"dice\(bob\)"', '"dice(zoe)"', "unknown secret of a throw 'dice(zoe)'"),
        (r',"secret":\{[^}]*\}', "", "no value for die("),
        (r'"wild":true', '"wild":false', "expected {'dice':"),
        (r'"winners":\["\w+"\]', '"winners":["zoe"]', "the result: expected winners"),
    ],
)
def test_impossible_logs(old: str, new: str, says: str) -> None:
    """One clear error that names the line."""
    lines = "\n".join(played().record.lines())
    changed = re.sub(old, new, lines, count=1)
    assert changed != lines
    with pytest.raises(LogError, match=re.escape(says)):
        Record.parse(changed).replay()


def test_dice_that_were_not_thrown() -> None:
    table = played()
    lines = list(table.record.lines())
    call = next(n for n, line in enumerate(lines) if '"call"' in line)
    shown = re.search(r'"ann":\[(\d),(\d)\]', lines[call])
    assert shown is not None
    other = "1" if shown[1] != "1" else "2"
    lines[call] = lines[call].replace(shown[0], f'"ann":[{other},{shown[2]}]', 1)
    with pytest.raises(LogError, match=f"line {call + 1}: ann shows .*, but threw {shown[1]} "):
        Record.parse("\n".join(lines)).replay()


def test_at_ones_own_table() -> None:
    """Own dice must be told after each throw, and are known when others show them wrongly."""
    record = own_log(played(), "ann")
    throw = next(n for n, o in enumerate(record.outcomes) if isinstance(o.public, Rolled))
    outcomes = list(record.outcomes)
    outcomes[throw] = Outcome(outcomes[throw].public, {})
    changed = Record(GAME, record.setup, tuple(outcomes), seat=record.seat)
    with pytest.raises(LogError, match=r"ann saw something that is not told: die\(ann, 1\)"):
        changed.replay()
    assert record.seat is not None
    wrong = Seat("ann", ("1", "1") if record.seat.holds != ("1", "1") else ("2", "2"))
    changed = Record(GAME, record.setup, record.outcomes, seat=wrong)
    with pytest.raises(LogError, match="it does not fit what is known"):
        changed.replay()


def test_hands() -> None:
    setup = GAME.setup(players=3, dice=2)
    assert GAME.hand(setup, "bob", ("5", "2")) == {"die(bob, 1)": "2", "die(bob, 2)": "5"}
    for cards, says in (
        (("1",), "expected bob to have 2 dice, got 1"),
        (("1", "7"), "unknown face of a die '7'"),
    ):
        with pytest.raises(InputError, match=re.escape(says)):
            GAME.hand(setup, "bob", cards)
