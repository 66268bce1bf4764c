"""The moves of a player, with the chances that they succeed: counted by an engine."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symkripke.engines import Engine
from symkripke.explain.text import percent
from symkripke.model import Perspective
from symkripke.play import Advice, Prospect
from symkripke_games.perudo.knowledge import shows
from symkripke_games.perudo.players.basic import PerudoView, Situation
from symkripke_games.perudo.rollouts import weighed
from symkripke_games.perudo.rules import CALZA, DUDO, Bid, Call, Doubt, Raise, moves
from symkripke_games.perudo.words import faces_in_words

MINE, ALL = "my dice", "my dice and the bids"
"""What chances are reckoned with."""

_AIM = "to lose no die in this round"


def prospects(view: PerudoView, engine: Engine) -> Sequence[Prospect]:
    """The least bid on each face and the calls, as far as they are legal now.

    Each move has two chances of success: given the viewer's own dice, and given the beliefs drawn
    from the others' bids, too. On another player's turn, the moves are computed as if it were the
    viewer's turn. The result is empty after a call, and for a player without dice.

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

    The belief of a bidder that its own bids are met is left out: the player made these bids, and
    learns nothing from them.
    """
    kept = engine.believed(perspective).kept
    return perspective.believing([soft for soft in kept if isinstance(soft.rank, int)])


def advise(view: PerudoView, engine: Engine, number: int) -> Sequence[Advice]:
    """So many moves, those first after which the player most often keeps its dice in this round.

    The round is played on from here with dice as far as bids are believed, by players that believe
    bids (see `rollouts`). Besides, the exact chance that a bid is met, or a call is right. None
    after a bid of one's own, or a call. Raises as `prospects` does.
    """
    if _is_own_bid(view) or _is_called(view):
        return []
    situation = Situation.of(view)
    if not situation.own:
        return []
    views = {MINE: view.perspective, ALL: believing(view.perspective, engine)}
    found = []
    for tried in weighed(view, engine)[:number]:
        move = tried.move
        chances = {name: _chance(engine, seen, situation, move) for name, seen in views.items()}
        reason = f"you lose no die in {tried.kept} of {tried.rounds} rounds played on from here"
        if isinstance(move, Raise):
            at_once = f"in {tried.called or 'none'} of them"
            reason += f", and your bid is doubted at once {at_once}"
        what = "met" if isinstance(move, Raise) else "right"
        reason += (
            f"; the chance that it is {what} is {percent(chances[ALL])} by your dice and the bids"
        )
        if chances[ALL] != chances[MINE]:
            reason += f", {percent(chances[MINE])} by the dice alone"
        data = {
            **_data(move),
            "kept": tried.kept,
            "rounds": tried.rounds,
            "called": tried.called,
            "chances": {name: str(share) for name, share in chances.items()},
        }
        share = tried.kept / tried.rounds
        found.append(Advice(_title(move), share, reason, data, move, aim=_AIM))
    return found


def _is_called(view: PerudoView) -> bool:
    """Whether the round has ended, and the next throw is still to come."""
    return bool(view.record) and isinstance(view.record[-1], Call)


def _is_own_bid(view: PerudoView) -> bool:
    """Whether the standing bid is the player's own: it is then for others to raise or call it."""
    last = view.record[-1] if view.record else None
    return isinstance(last, Bid) and last.player == view.player


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
