"""The players whom a question reaches, and the players who are out."""

from __future__ import annotations

from symkripke.play import View
from symkripke_games.cluedo.rules import STUDY, Accusation, Happening, Setup


def asked_by(view: View[Setup, Happening]) -> tuple[str, ...]:
    """Return the players whom the viewer would ask, in order."""
    others = view.setup.after(view.player)
    if view.setup.rules != STUDY:
        return others
    return tuple(player for player in others if player not in out(view))


def out(view: View[Setup, Happening]) -> frozenset[str]:
    """Return the players who have accused wrongly."""
    return frozenset(
        public.player
        for public in view.record
        if isinstance(public, Accusation) and not public.right
    )
