"""Advice in words: whom to draw from, with the chances of each draw."""

from __future__ import annotations

from collections.abc import Sequence
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
"""The maximum number of ranks in the description of a draw."""


class OldMaidAdvisor(Advisor[Setup, Happening]):
    """Advice on whom to draw from."""

    noun = ("draw", "draws")
    _mind: Epistemic | None = None
    """The player that counts, which keeps its diagrams for later questions of a review."""

    def advise(
        self, view: OldMaidView, engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """Return the players to draw from, best first; one player if the rules leave no choice.

        All cards of a player are equally likely to be drawn. The best draw is the draw that is most
        likely to make a pair. Ties are broken by the greater expected number of common ranks, as by
        `epistemic` players, then by the lower probability of the queen. Return an empty list before
        the first draw, for a viewer without cards, and during a draw.

        Raises:
            BudgetExceeded: counting needs too much memory.
        """
        decision, setup, own = view.decision, view.setup, own_ranks(view)
        dealt = any(isinstance(public, Discards) for public in view.record)
        if not dealt or not own or (decision is not None and decision.kind != "draw"):
            return []
        if self._mind is None or self._mind.engine is not engine:
            self._mind = Epistemic(engine, Random(0))
        sizes = Notes.of(view).sizes
        givers = [player for player in setup.after(view.player) if sizes[player]]
        givers = givers if setup.choose else givers[:1]
        atoms = [holds(giver, rank) for giver in givers for rank in dict.fromkeys((*own, QUEEN))]
        shares = self._mind.shares(view, atoms)
        ranked = []
        for giver in givers:
            size = sizes[giver]
            pairs = {rank: shares[holds(giver, rank)] / size for rank in own}
            queen = Fraction(0) if QUEEN in own else shares[holds(giver, QUEEN)] / size
            pair = sum(pairs.values(), Fraction(0))
            ranked.append(((pair, pair * size, -queen), _draw(giver, size, pair, pairs, queen)))
        return [advice for _, advice in sorted(ranked, key=lambda draw: draw[0], reverse=True)]


def _draw(
    giver: str, cards: int, pair: Fraction, pairs: dict[str, Fraction], queen: Fraction
) -> Advice:
    """Return the advice for a draw, with the chances of pairs and of the odd queen."""
    reason = f"one of {number_of(cards, 'card')}: "
    if likely := sorted((rank for rank in pairs if pairs[rank]), key=lambda rank: -pairs[rank]):
        named = [f"{cards_of(rank, 2)} {percent(pairs[rank])}" for rank in likely[:_FEW]]
        if len(likely) > _FEW:
            named.append(f"{len(likely) - _FEW} more")
        reason += f"the chance of a pair is {percent(pair)} ({listed(named)})"
    else:
        reason += "no pair"
    if queen:
        reason += f", of {a_card_of(QUEEN)} that you cannot use {percent(queen)}"
    data = {
        "giver": giver,
        "pair": str(pair),
        "pairs": {rank: str(share) for rank, share in pairs.items()},
        "queen": str(queen),
        "cards": cards,
    }
    title = f"draw from {person(giver)}"
    return Advice(title, float(pair), reason, data, DrawFrom(giver), "chance", "of a pair")
