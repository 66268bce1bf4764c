"""The moves of a player: how good each is, and the chance that it succeeds.

Advice and reviews rank moves by one value (`worth`): the probability that the player loses no die
in this round. The chance that a bid is met, or that a call is right, is counted by an engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from symkripke.engines import Engine
from symkripke.explain.text import percent
from symkripke.limits import look
from symkripke.model import Perspective
from symkripke.play import Advice, Prospect, View
from symkripke.play.advisor import Advisor
from symkripke.play.player import SAME
from symkripke_games.perudo.bidding import Offer
from symkripke_games.perudo.knowledge import shows
from symkripke_games.perudo.players.basic import Odds, PerudoView, Situation
from symkripke_games.perudo.players.believing import Believer
from symkripke_games.perudo.replies import Move, Spot, doubts, keeps
from symkripke_games.perudo.rules import CALZA, DUDO, Bid, Call, Doubt, Happening, Raise, moves
from symkripke_games.perudo.throws import Setup
from symkripke_games.perudo.words import faces_in_words

MINE, ALL = "my dice", "my dice and the bids"
"""What chances are reckoned with."""

AIM = "to lose no die in this round"
"""The aim by which moves are ranked."""

DEPTH = 1
"""How deep the advice thinks (`replies`): the others are expected to go by their own dice."""


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
    options = moves(view.setup, situation.now, situation.standing, view.player)
    return [
        Prospect(title(move), chances, _data(move))
        for move, chances in successes(view, engine, options).items()
    ]


def successes(
    view: PerudoView, engine: Engine, options: Sequence[Move]
) -> dict[Move, dict[str, Fraction]]:
    """Return for each move the chances that the bid is met, or that the call is right.

    One chance is by the viewer's own dice (`MINE`), one by what it believes of the bids, too
    (`ALL`). Raises as `prospects` does.
    """
    situation = Situation.of(view)
    views = {MINE: view.perspective, ALL: believing(view.perspective, engine)}
    return {
        move: {name: _chance(engine, seen, situation, move) for name, seen in views.items()}
        for move in options
    }


def believing(perspective: Perspective, engine: Engine) -> Perspective:
    """What a player has seen, and what it believes that the bids say of others' dice.

    The belief of a bidder that its own bids are met is left out: the player made these bids, and
    learns nothing from them.
    """
    kept = engine.believed(perspective).kept
    return perspective.believing([soft for soft in kept if isinstance(soft.rank, int)])


def worth(view: PerudoView, move: Move) -> float:
    """Return the probability that the viewer loses no die in this round after that move.

    This is the value by which advice and reviews rank moves, as the player `depth-1` computes it
    (see `replies`). A bid may be higher than it has to be. On another player's turn, the move is
    weighed as if it were the viewer's turn.

    Raises:
        BudgetExceeded: the time or memory limit is exceeded.
    """
    look()
    situation = Situation.of(view)
    return keeps(Spot.of(situation, view.setup), DEPTH, situation.own, move)


def weighed(view: PerudoView) -> dict[Move, float]:
    """Return the least bid on each face and the calls, each with its `worth`."""
    situation = Situation.of(view)
    options = moves(view.setup, situation.now, situation.standing, view.player)
    return {move: worth(view, move) for move in options}


def advise(view: PerudoView, engine: Engine, number: int) -> Sequence[Advice]:
    """Return at most `number` moves, ranked by `worth`; of equal moves, the likeliest to succeed.

    Each has the exact chances that the bid is met, or that the call is right. The result is empty
    after a bid of the viewer's own, after a call, and for a player without dice.

    Raises:
        BudgetExceeded: the time or memory limit is exceeded.
    """
    if _is_own_bid(view) or _is_called(view):
        return []
    situation = Situation.of(view)
    if not situation.own:
        return []
    spot = Spot.of(situation, view.setup)
    values = weighed(view)
    bids = [move for move in values if isinstance(move, Raise)]
    calls = [move for move in values if isinstance(move, Doubt)]
    minds = {MINE: Odds(engine, Random(0)), ALL: Believer(engine, Random(0))}
    chances = {name: mind.prospects(situation, bids, calls) for name, mind in minds.items()}
    ranked = sorted(values, key=lambda move: (-round(values[move] / SAME), -chances[ALL][move]))
    found = []
    for move in ranked[:number]:
        all_told, mine = chances[ALL][move], chances[MINE][move]
        reason, doubted = "", None
        if isinstance(move, Raise):
            doubted = doubts(spot, DEPTH, Offer(move.quantity, move.face))
            reason = f"the chance that it is doubted at once is {percent(Fraction(doubted))}; "
        what = "met" if isinstance(move, Raise) else "right"
        reason += f"the chance that it is {what} is {percent(all_told)} by your dice and the bids"
        if all_told != mine:
            reason += f", {percent(mine)} by the dice alone"
        data = {
            **_data(move),
            "keeps": values[move],
            "doubted": doubted,
            "chances": {name: str(some[move]) for name, some in chances.items()},
        }
        found.append(Advice(title(move), values[move], reason, data, move, unit="chance", aim=AIM))
    return found


def _is_called(view: PerudoView) -> bool:
    """Whether the round has ended, and the next throw is still to come."""
    return bool(view.record) and isinstance(view.record[-1], Call)


def _is_own_bid(view: PerudoView) -> bool:
    """Whether the standing bid is the player's own: it is then for others to raise or call it."""
    last = view.record[-1] if view.record else None
    return isinstance(last, Bid) and last.player == view.player


def _chance(engine: Engine, seen: Perspective, situation: Situation, move: Move) -> Fraction:
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


def title(move: Move) -> str:
    """Return the move in words."""
    if isinstance(move, Raise):
        return f"bid {faces_in_words(move.quantity, move.face)}"
    return "calza: it is exactly met" if move.kind == CALZA else "dudo: it is not met"


def _data(move: Move) -> dict[str, Any]:
    if isinstance(move, Raise):
        return {"bid": [move.quantity, move.face]}
    return {"call": move.kind}


class PerudoAdvisor(Advisor[Setup, Happening]):
    """What to bid, and when to call."""

    def advise(
        self, view: View[Setup, Happening], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """See `advise`."""
        return advise(view, engine, number)

    def prospects(self, view: View[Setup, Happening], engine: Engine) -> Sequence[Prospect]:
        """The least bid on each face, and the calls."""
        return prospects(view, engine)
