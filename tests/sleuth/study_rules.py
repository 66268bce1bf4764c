"""The study's inferences, as its text states them: to compare with, never to play with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symkripke_games.sleuth.rules import Question
from symkripke_games.sleuth.setup import Setup


class StudyRules:
    """What the study's agent concludes: its lists, closed under its two rules.

    Of answers to others it makes nothing; of numbers, neither.
    """

    def __init__(
        self, setup: Setup, places: Mapping[str, str], record: Sequence[Question], agent: str
    ) -> None:
        self.gems = [gem.id for gem in setup.edition.gems]
        self.others = setup.after(agent)
        self.hand = setup.hand
        self.has: dict[str, set[str]] = {player: set() for player in setup.players}
        self.lacks: dict[str, set[str]] = {player: set() for player in setup.players}
        mine = {gem for gem in self.gems if places[gem] == agent}
        for gem in mine:
            self._is_with(agent, gem)
        for public in record:
            if public.player != agent or not (public.number is None or len(public.elements) == 2):
                continue
            for gem in setup.edition.matching(public.elements):
                if places[gem] == public.asked:
                    self._is_with(public.asked, gem)
                else:
                    self.lacks[public.asked].add(gem)
        while self._infer():
            pass

    def _is_with(self, player: str, gem: str) -> None:
        self.has[player].add(gem)
        for other in self.lacks:
            if other != player:
                self.lacks[other].add(gem)

    def may(self, player: str) -> set[str]:
        return set(self.gems) - self.has[player] - self.lacks[player]

    def _infer(self) -> bool:
        for player in self.others:
            may = self.may(player)
            if may and len(self.has[player]) == self.hand:
                self.lacks[player] |= may
                return True
            if may and len(self.has[player]) + len(may) == self.hand:
                for gem in may:
                    self._is_with(player, gem)
                return True
        return False

    @property
    def hidden(self) -> str | None:
        """The hidden gem, if it finds it."""
        known = set().union(*self.has.values())
        left = [gem for gem in self.gems if gem not in known]
        if len(left) == 1:
            return left[0]
        nobody = [gem for gem in left if all(gem in self.lacks[p] for p in self.others)]
        return nobody[0] if nobody else None
