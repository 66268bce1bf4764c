"""From whom to draw, in words, with the chances of each draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from symkripke.engines import Engine
from symkripke.explain.text import listed, percent
from symkripke.play import Advice
from symkripke.play.advisor import Advisor
from symkripke.play.words import number_of, person
from symkripke_games.old_maid.acts import OldMaidView
from symkripke_games.old_maid.knowledge import a_card_of, cards_of, holds
from symkripke_games.old_maid.players import Epistemic, Notes, own_ranks
from symkripke_games.old_maid.rules import QUEEN, Discards, DrawFrom, Happening, Setup

_FEW = 3
"""So many ranks of pairs are named."""


@dataclass(frozen=True)
class Draw:
    """What a draw from a player may bring.

    Attributes:
        giver: from whom.
        cards: how many cards that player has.
        pairs: for each rank that makes a pair, how probable it is to be drawn.
        queen: how probable it is that a queen comes that makes no pair.
    """

    giver: str
    cards: int
    pairs: dict[str, Fraction]
    queen: Fraction

    @property
    def pair(self) -> Fraction:
        """How probable a pair is."""
        return sum(self.pairs.values(), Fraction(0))


def draws(view: OldMaidView, mind: Epistemic, givers: Sequence[str]) -> list[Draw]:
    """What a draw from each of these may bring, the best first: any of its cards comes as likely.

    Most probable pairs first; of equally probable ones, where more ranks in common are expected (as
    players of the kind `epistemic` choose), then where a queen is less probable.
    """
    own, sizes = own_ranks(view), Notes.of(view).sizes
    ranks = list(dict.fromkeys((*own, QUEEN)))
    atoms = [holds(giver, rank) for giver in givers for rank in ranks]
    shares = mind.shares(view, atoms)
    found = []
    for giver in givers:
        size = sizes[giver]
        pairs = {rank: shares[holds(giver, rank)] / size for rank in own}
        queen = Fraction(0) if QUEEN in own else shares[holds(giver, QUEEN)] / size
        found.append(Draw(giver, size, pairs, queen))
    found.sort(key=lambda draw: (draw.pair, draw.pair * draw.cards, -draw.queen), reverse=True)
    return found


class OldMaidAdvisor(Advisor[Setup, Happening]):
    """From whom to draw."""

    noun = ("draw", "draws")
    _mind: Epistemic | None = None
    """What counts: a review asks it again and again, and it keeps its diagrams."""

    def advise(
        self, view: OldMaidView, engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """The players to draw from, the best first; one player if the rules leave no choice.

        The result is empty before the first draw, for a viewer without cards, and during a draw.

        Raises:
            BudgetExceeded: there is no room to count.
        """
        decision, setup = view.decision, view.setup
        dealt = any(isinstance(public, Discards) for public in view.record)
        if not dealt or not own_ranks(view) or (decision is not None and decision.kind != "draw"):
            return []
        sizes = Notes.of(view).sizes
        givers = [player for player in setup.after(view.player) if sizes[player]]
        if self._mind is None or self._mind.engine is not engine:
            self._mind = Epistemic(engine, Random(0))
        return [
            _told(draw) for draw in draws(view, self._mind, givers if setup.choose else givers[:1])
        ]


def _told(draw: Draw) -> Advice:
    likely = sorted(
        ((rank, share) for rank, share in draw.pairs.items() if share),
        key=lambda pair: -pair[1],
    )
    reason = f"one of {number_of(draw.cards, 'card')}: "
    if likely:
        named = [f"{cards_of(rank, 2)} {percent(share)}" for rank, share in likely[:_FEW]]
        if len(likely) > _FEW:
            named.append(f"{len(likely) - _FEW} more")
        reason += f"the chance of a pair is {percent(draw.pair)} ({listed(named)})"
    else:
        reason += "no pair"
    if draw.queen:
        reason += f", of {a_card_of(QUEEN)} that you cannot use {percent(draw.queen)}"
    return Advice(
        f"draw from {person(draw.giver)}",
        float(draw.pair),
        reason,
        {
            "giver": draw.giver,
            "pair": str(draw.pair),
            "pairs": {rank: str(share) for rank, share in draw.pairs.items()},
            "queen": str(draw.queen),
            "cards": draw.cards,
        },
        DrawFrom(draw.giver),
        unit="chance",
        aim="of a pair",
    )
