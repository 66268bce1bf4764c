"""Leads: gems that may be hidden and that several other players are known not to hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from symkripke.explain.text import listed
from symkripke.play import View
from symkripke.play.words import person
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.rules import Happening
from symkripke_games.sleuth.setup import STUDY, Setup

if TYPE_CHECKING:
    from symkripke_games.sleuth.questions import CandidateQuestion, Survey


@dataclass(frozen=True)
class Lead:
    """A gem that a player asks about to find out whether it is hidden.

    Attributes:
        gem: the gem, which may be hidden.
        lack: the other players who are known not to hold it; at least half of the others.
        may: the other players who may hold it.
    """

    gem: str
    lack: tuple[str, ...]
    may: tuple[str, ...]

    def reason(self, setup: Setup) -> str:
        """Return the reason for following this lead, in words."""
        lack = listed([person(player) for player in self.lack])
        do = "does" if len(self.lack) == 1 else "do"
        title = setup.edition.titles[self.gem]
        may = " or ".join(map(person, self.may))
        return f"following a lead: {lack} {do} not hold the {title}; only {may} may"


def best_leads(view: View[Setup, Happening], survey: Survey) -> Iterator[list[Lead]]:
    """Yield all leads in groups; the gems that the fewest players may hold come first."""
    others = view.setup.after(view.player)
    ranked = []
    for gem, places in survey.places.items():
        may = tuple(player for player in others if player in places)
        lack = tuple(player for player in others if player not in places)
        if HIDDEN in places and may and 2 * len(lack) >= len(others):
            ranked.append(Lead(gem, lack, may))
    ranked.sort(key=lambda lead: len(lead.may))
    for _, leads in groupby(ranked, key=lambda lead: len(lead.may)):
        yield list(leads)


def settles(setup: Setup, question: CandidateQuestion, lead: Lead) -> bool:
    """Return whether the answer reveals if the asked player holds the gem of the lead.

    It does so if gems are shown, or if the number can depend only on this gem.
    """
    if question.asked not in lead.may or lead.gem not in question.open:
        return False
    shown = setup.rules == STUDY or len(question.elements) == 2
    return shown or len(question.open) == 1
