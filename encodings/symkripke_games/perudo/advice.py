"""Advice in words: the value of each move, and the chance that it succeeds.

The value, by which advice and reviews rank moves, is the probability that the player loses no die
in this round. The chance that a bid is met, or that a call is right, is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from symkripke.engines import Engine
from symkripke.explain.text import percent
from symkripke.limits import look
from symkripke.play import Advice, Prospect
from symkripke.play.advisor import Advisor
from symkripke.play.player import SAME
from symkripke_games.perudo.bidding import Offer
from symkripke_games.perudo.players.basic import Odds, PerudoView, Situation
from symkripke_games.perudo.players.believing import Believer
from symkripke_games.perudo.replies import Move, Spot, doubts, keeps
from symkripke_games.perudo.rules import CALZA, Bid, Call, Doubt, Happening, Raise, moves
from symkripke_games.perudo.throws import Setup
from symkripke_games.perudo.words import faces_in_words

MINE, ALL = "my dice", "my dice and the bids"
"""The information on which chances are based."""

DEPTH = 1
"""The depth of the advice (see `replies`). The others are expected to use only their own dice."""


class PerudoAdvisor(Advisor[Setup, Happening]):
    """Advice on bids and calls."""

    def advise(
        self, view: PerudoView, engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """Return moves ranked by their value, then by their chance of success.

        Each move has the exact chances that the bid is met, or that the call is right. Return an
        empty list after a bid of the viewer, after a call, and for a player without dice.

        Raises:
            BudgetExceeded: the time or memory limit is exceeded.
        """
        last = view.record[-1] if view.record else None
        own_bid = isinstance(last, Bid) and last.player == view.player
        if own_bid or isinstance(last, Call) or not Situation.of(view).own:
            return []
        ranked = _valued(view, engine, _least(view))
        # Among moves with equal values, prefer the greater chance of success given the beliefs.
        return sorted(
            ranked,
            key=lambda advice: (
                -round(advice.gain / SAME),
                -Fraction(advice.data["chances"][ALL]),
            ),
        )

    def prospects(self, view: PerudoView, engine: Engine) -> Sequence[Prospect]:
        """Return the least bid on each face, and the calls that are legal now.

        Each move has two chances of success: given the viewer's own dice, and also given the
        beliefs drawn from the others' bids. On another player's turn, the moves are computed as if
        it were the viewer's turn. Return an empty tuple after a call, and for a player without
        dice.
        """
        if not Situation.of(view).own or (view.record and isinstance(view.record[-1], Call)):
            return ()
        return [
            Prospect(title(move), chances, _data(move))
            for move, chances in successes(view, engine, _least(view)).items()
        ]

    def made(
        self, view: PerudoView, engine: Engine, event: Happening, moves: Sequence[Advice]
    ) -> Advice | None:
        """Return the advice for the actual move, which may be a bid higher than the least bid."""
        if isinstance(event, Bid):
            return _valued(view, engine, [Raise(event.quantity, event.face)])[0]
        return super().made(view, engine, event, moves)


def _valued(view: PerudoView, engine: Engine, options: Sequence[Move]) -> list[Advice]:
    """Return the moves with their values and their chances.

    The value is the probability that the viewer loses no die in this round, as the player `depth-1`
    computes it (see `replies`). A bid may be higher than necessary. On another player's turn, the
    moves are valued as if it were the viewer's turn.
    """
    situation = Situation.of(view)
    spot, advice = Spot.of(situation, view.setup), []
    for move, chances in successes(view, engine, options).items():
        look()
        value, by_all, mine = keeps(spot, DEPTH, situation.own, move), chances[ALL], chances[MINE]
        reason, doubted, what = "", None, "right"
        if isinstance(move, Raise):
            doubted, what = doubts(spot, DEPTH, Offer(move.quantity, move.face)), "met"
            reason = f"the chance that it is doubted at once is {percent(Fraction(doubted))}; "
        reason += f"the chance that it is {what} is {percent(by_all)} by your dice and the bids"
        if by_all != mine:
            reason += f", {percent(mine)} by the dice alone"
        data = {
            **_data(move),
            "keeps": value,
            "doubted": doubted,
            "chances": {name: str(chance) for name, chance in chances.items()},
        }
        aim = "of losing no die in this round"
        advice.append(Advice(title(move), value, reason, data, move, "chance", aim))
    return advice


def _least(view: PerudoView) -> Sequence[Move]:
    """Return the least bid on each face, and the calls."""
    situation = Situation.of(view)
    return moves(view.setup, situation.now, situation.standing, view.player)


def successes(
    view: PerudoView, engine: Engine, options: Sequence[Move]
) -> Mapping[Move, Mapping[str, Fraction]]:
    """Return, for each move, the chances that the bid is met or that the call is right.

    The chance `MINE` is based on the viewer's own dice, and the chance `ALL` also on the viewer's
    beliefs because of the bids.
    """
    situation = Situation.of(view)
    bids = [move for move in options if isinstance(move, Raise)]
    calls = [move for move in options if isinstance(move, Doubt)]
    minds = {MINE: Odds(engine, Random(0)), ALL: Believer(engine, Random(0))}
    prospects = {name: mind.prospects(situation, bids, calls) for name, mind in minds.items()}
    return {move: {name: prospects[name][move] for name in minds} for move in options}


def title(move: Move) -> str:
    """Return the move in words."""
    if isinstance(move, Raise):
        return f"bid {faces_in_words(move.quantity, move.face)}"
    return "calza: it is exactly met" if move.kind == CALZA else "dudo: it is not met"


def _data(move: Move) -> dict[str, Any]:
    if isinstance(move, Raise):
        return {"bid": [move.quantity, move.face]}
    return {"call": move.kind}
