"""Logs typed by people: implied facts may be omitted, and impossible entries give an error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

import pytest
from msgspec import structs

from symkripke.errors import LogError
from symkripke.play import Outcome, Record, Table, game
from symkripke_games.old_maid.rules import Draw, drawn_name
from tests.support.played import played

CARDS: dict[str, Any] = {"rows": {}, "card": None, "drawn": None}

# The game, its options, the minds, and fields that nobody types.
TABLES: Mapping[str, tuple[str, dict[str, Any], tuple[str, ...], dict[str, Any]]] = {
    "old_maid": ("old_maid", {"rules": "study", "ranks": 5}, ("random",), {"count": None}),
    "perudo": (
        "perudo",
        {"players": 3, "dice": 2},
        ("believer", "odds", "bluffer"),
        {"claim": None, "verdict": None, "round": None},
    ),
    "kwartet": ("kwartet", {"rules": "study", "groups": 3}, ("first-order",), {}),
    "sleuth": (
        "sleuth",
        {"players": 3, "size": "3/2/2"},
        ("random",),
        CARDS,
    ),
    "sleuth, study": (
        "sleuth",
        {"rules": "study", "players": 3, "size": "3/2/2"},
        ("random",),
        CARDS,
    ),
}


@cache
def table(case: str, seed: int) -> Table[Any, Any]:
    name, options, minds, _ = TABLES[case]
    return played(game(name), minds, seed, **options)


def typed(case: str, player: str) -> Record[Any, Any]:
    """Return what the player would type at a real table, with dice in any order."""
    record, left_out = table(case, 4).record.seen_by(player), TABLES[case][3]
    outcomes = []
    for outcome in record.outcomes:
        public, secret = outcome.public, outcome.secret
        bare = {name: value for name, value in left_out.items() if hasattr(public, name)}
        if hasattr(public, "dice"):
            bare["dice"] = {name: tuple(reversed(dice)) for name, dice in public.dice.items()}
        mine = isinstance(public, Draw) and player in (public.player, public.giver)
        if mine and public.discard is None and not secret:
            # The numbers of cards show that this was the only card.
            secret = {drawn_name(public.turn): next(iter(public.count.left))}
        outcomes.append(Outcome(structs.replace(public, **bare), secret))
    return Record.parse("\n".join(replace(record, outcomes=tuple(outcomes)).lines()))


@pytest.mark.parametrize("case", TABLES)
def test_a_players_own_log(case: str) -> None:
    """After every event, the player has the same knowledge and beliefs as in the scene."""
    whole = table(case, 4).moment
    for player in whole.setup.players:
        moment = typed(case, player).replay()
        for events in range(0, len(table(case, 4).scenes), 2):
            mine, real = moment.after(events), whole.after(events)
            assert mine.perspective(player).seen == real.perspective(player).seen
            assert mine.marks(player) == real.marks(player)
            assert mine.marks(player, believing=True) == real.marks(player, believing=True)


@pytest.mark.parametrize(
    ("case", "old", "new", "says"),
    [
        ("kwartet", '"given":true', '"given":false', "and must give it"),
        ("old_maid", r'"turn":2', '"turn":3', "expected an event of turn 2, got one of 3"),
        ("old_maid", r'"drawer":(\d)', r'"drawer":9', "expected the drawer to have"),
        ("old_maid", r'"left":\{"king":\d', '"left":{"king":9', "expected rank king of"),
        ("old_maid", r'"secret":\{"drawn\(1\)', '"secret":{"drawn(2)', "no secret 'drawn(2)'"),
        (
            "old_maid",
            r'"secret":\{"drawn\(1\)":"\w+"\}',
            '"secret":{"drawn(1)":"kng"}',
            "to give one of",
        ),
        ("old_maid", r',"secret":\{"drawn\(1\)":"\w+"\}', "", "not say which rank was drawn"),
        ("old_maid", r'"pairs\(ann, king\)":"1"', '"pairs(ann, king)":"0"', "cards of rank king"),
        ("old_maid", r'"first":"\w+"', '"first":"zoe"', "to begin, got 'zoe'"),
        ("old_maid", r'"winners":\[.*?\]', '"winners":["zoe"]', "the result: expected winners"),
        ("perudo", r'"turn":2', '"turn":3', "line 4: expected an event of turn 2, got one of 3"),
        ("perudo", '"ann","quantity"', '"zoe","quantity"', "unknown player 'zoe'"),
        ("perudo", r'"quantity":1,', '"quantity":7,', "expected a bid of 1 to 6 dice, got 7"),
        ("perudo", r'"holds":\d', '"holds":9', "expected {'holds': 0, 'trust': 50}, got {'holds'"),
        ("perudo", r'"dice":\{"ann":\[\d,', '"dice":{"ann":[7,', "unknown face of a die '7'"),
        ("perudo", r'"dice":\{"ann":\[', '"dice":{"ann":[3,', "ann to have 2 dice, got 3"),
        ("perudo", r'"dice":\{"ann":\[\d,\d\],', '"dice":{', "ann to have 2 dice, got 0"),
        ("perudo", r'"die\(ann, 1\)":"\d"', '"die(ann, 1)":"0"', "unknown face of a die '0'"),
        ("perudo", r'"die\(ann, 1\)":"\d"', '"die(ann, 1)":"6"', "dice of ann in ascending order"),
        ("perudo", r'"die\(ann, 1\)":"\d",', "", "the deal does not say what die(ann, 1) is"),
        ("perudo", r'"loser":"\w+"', '"loser":"zoe"', "expected {'bidder':"),
        ("perudo", r'"dice\(bob\)":"', '"dice(bob)":"2 ', "expected bob to have 2 dice, got 3"),
        ("perudo", r'"dice\(bob\)"', '"dice(zoe)"', "unknown secret of a throw 'dice(zoe)'"),
        ("perudo", r',"secret":\{[^}]*\}', "", "no value for die("),
        ("perudo", r'"wild":true', '"wild":false', "expected {'dice':"),
        ("perudo", r'"winners":\["\w+"\]', '"winners":["zoe"]', "the result: expected winners"),
    ],
)
def test_impossible_logs(case: str, old: str, new: str, says: str) -> None:
    """There is one clear error, which names the line."""
    logs = ("\n".join(table(case, seed).record.lines()) for seed in count(4))
    wrong = re.sub(old, new, next(log for log in logs if re.search(old, log)), count=1)
    with pytest.raises(LogError, match=re.escape(says)):
        Record.parse(wrong).replay()
