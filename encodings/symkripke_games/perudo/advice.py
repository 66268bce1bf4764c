"""The moves of a player, with the chances that they succeed: counted by an engine."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symkripke.engines import Engine
from symkripke.explain.text import percent
from symkripke.model import Perspective
from symkripke.play import Advice, Prospect
from symkripke_games.perudo.knowledge import shows
from symkripke_games.perudo.players.basic import PerudoView, Situation
from symkripke_games.perudo.rules import CALZA, DUDO, Bid, Call, Doubt, Raise, moves
from symkripke_games.perudo.words import faces_in_words

_HALF = Fraction(1, 2)

MINE, ALL = "my dice", "my dice and the bids"
"""What chances are reckoned with."""


def prospects(view: PerudoView, engine: Engine) -> Sequence[Prospect]:
    """The least bid on each face and the calls, as far as they are legal now.

    Each has the chance that it succeeds, given one's own dice; and given what is believed of the
    others' bids, too. If it is another player's turn, as if it were the viewer's. Empty if there is
    nothing to be bid: after a call, or for a player without dice.

    Raises:
        Unsupported: the engine does not count.
    """
    situation = Situation.of(view)
    if not situation.own or _is_called(view):
        return ()
    views = {MINE: view.perspective, ALL: believing(view.perspective, engine)}
    return [
        Prospect(
            _title(move),
            {name: _chance(engine, seen, situation, move) for name, seen in views.items()},
            _data(move),
        )
        for move in moves(view.setup, situation.now, situation.standing, view.player)
    ]


def believing(perspective: Perspective, engine: Engine) -> Perspective:
    """What a player has seen, and what it believes that the bids say of others' dice.

    That its own bids are met, as it is taken to believe, is left out: it made them, and learns
    nothing from them.
    """
    kept = engine.believed(perspective).kept
    return perspective.believing([soft for soft in kept if isinstance(soft.rank, int)])


def advise(view: PerudoView, engine: Engine, number: int) -> Sequence[Advice]:
    """So many moves, those first that most probably succeed by the dice and the bids.

    Of equally good ones the first by their faces, bids before calls. Where no bid stands, the least
    bids are all but certain, and say nothing: then the highest bid on each face that is more
    probably met than not, higher bids first. None after a bid of one's own. Raises as `prospects`
    does.
    """
    if _is_own_bid(view):
        return []
    situation = Situation.of(view)
    if situation.standing is None and not _is_called(view):
        return _openings(view, situation, engine)[:number]
    ranked = sorted(prospects(view, engine), key=lambda move: -move.chances[ALL])
    return [
        Advice(
            move.title,
            float(move.chances[ALL]),
            f"{percent(move.chances[ALL])} by one's own dice and the bids, "
            f"{percent(move.chances[MINE])} by the dice alone",
            {**move.data, "chances": {name: str(share) for name, share in move.chances.items()}},
        )
        for move in ranked[:number]
    ]


def _is_called(view: PerudoView) -> bool:
    """Whether the round has ended, and the next throw is still to come."""
    return bool(view.record) and isinstance(view.record[-1], Call)


def _is_own_bid(view: PerudoView) -> bool:
    """Whether the standing bid is the player's own: it is then for others to raise or call it."""
    last = view.record[-1] if view.record else None
    return isinstance(last, Bid) and last.player == view.player


def _openings(view: PerudoView, situation: Situation, engine: Engine) -> list[Advice]:
    """The highest bid on each face that is more probably met than not, higher ones first."""
    if not situation.own:
        return []
    found: list[tuple[int, Fraction, Advice]] = []
    left = sum(situation.now.dice.values())
    for face in range(1, view.setup.faces + 1):
        least = situation.manner.least(None, face)
        if least is None:
            continue

        def chance(quantity: int, face: int = face) -> Fraction:
            return _chance(engine, view.perspective, situation, Raise(quantity, face))

        # The more dice are bid, the less probable: the first bid that is rather not met, halving.
        first = bisect_left(range(least, left + 1), True, key=lambda bid: chance(bid) < _HALF)
        highest = max(least, least + first - 1)
        share = chance(highest)
        mine = situation.manner.count(situation.own, face)
        counts = f"{mine} {'counts' if mine == 1 else 'count'}"
        reason = f"{percent(share)} by one's own dice, of which {counts}"
        if highest < left:
            reason += f"; {percent(chance(highest + 1))} for one more"
        move = Raise(highest, face)
        data = {**_data(move), "chances": {MINE: str(share), ALL: str(share)}}
        found.append((highest, share, Advice(_title(move), float(share), reason, data)))
    found.sort(key=lambda bid: (-bid[0], -bid[1]))
    return [advice for _, _, advice in found]


def _chance(
    engine: Engine, seen: Perspective, situation: Situation, move: Raise | Doubt
) -> Fraction:
    """How probable it is that a bid is met; that a call is right."""
    left, manner = situation.now.dice, situation.manner

    def met(quantity: int, face: int) -> Fraction:
        return engine.probability(seen, shows(left, quantity, manner.counts_as(face)))

    if isinstance(move, Raise):
        return met(move.quantity, move.face)
    assert situation.standing is not None
    quantity, face = situation.standing
    if move.kind == DUDO:
        return 1 - met(quantity, face)
    return met(quantity, face) - met(quantity + 1, face)


def _title(move: Raise | Doubt) -> str:
    if isinstance(move, Raise):
        return f"bid {faces_in_words(move.quantity, move.face)}"
    return "calza: it is exactly met" if move.kind == CALZA else "dudo: it is not met"


def _data(move: Raise | Doubt) -> dict[str, Any]:
    if isinstance(move, Raise):
        return {"bid": [move.quantity, move.face]}
    return {"call": move.kind}
