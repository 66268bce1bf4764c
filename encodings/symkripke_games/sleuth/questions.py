"""The exact expected information of questions.

The answer to a question follows from the deal. Its expected information about the deal is therefore
the entropy of the answer, in bits. Its expected information about the hidden gem is the mutual
information of the two. If G is the hidden gem and A is the answer, this is H(G) + H(A) - H(G, A).
Both values follow from the joint distribution of the answer and the hidden gem, which
`symkripke_games.sleuth.answer_sums` computes.

Gems of one class are interchangeable, and so are players about whom the same is known. Most
questions early in a game are therefore equivalent to a few others, and late in a game there is
little to count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from weakref import WeakKeyDictionary

import numpy as np

from symkripke.engines import Engine, Mark
from symkripke.engines import engine as new_engine
from symkripke.engines.base import CannotCount
from symkripke.engines.count.steps import Steps
from symkripke.play import View
from symkripke.play.dealing import location
from symkripke.play.hands import at
from symkripke.play.player import SAME
from symkripke_games.sleuth.answer_sums import DealSums, entropy, expected_information
from symkripke_games.sleuth.gems import HIDDEN, Elements
from symkripke_games.sleuth.rules import Happening
from symkripke_games.sleuth.setup import STUDY, Setup

_COUNTING: WeakKeyDictionary[Engine, Engine] = WeakKeyDictionary()


def counting(engine: Engine) -> Engine:
    """Return the engine; if it does not count worlds, a counting engine that belongs to it."""
    if not isinstance(engine, CannotCount):
        return engine
    if engine not in _COUNTING:
        _COUNTING[engine] = new_engine("bdd")
    return _COUNTING[engine]


@dataclass(frozen=True)
class CandidateQuestion:
    """A question with its expected information, which is computed on first use.

    Attributes:
        asked: the player who is asked.
        elements: the elements of the requested gems.
        open: the gems about which the answer may give information.
        work: the function that computes the information about the deal and the hidden gem, in bits.
    """

    asked: str
    elements: Elements
    open: tuple[str, ...]
    work: Callable[[], tuple[float, float]] = field(repr=False, compare=False)

    @property
    def deal(self) -> float:
        """The expected information about the deal, in bits."""
        return self._told[0]

    @property
    def gem(self) -> float:
        """The expected information about the hidden gem, in bits."""
        return self._told[1]

    @cached_property
    def _told(self) -> tuple[float, float]:
        """The cached information about the deal and about the hidden gem."""
        return self.work()


class Survey:
    """The questions of one view."""

    def __init__(self, engine: Engine, view: View[Setup, Happening]) -> None:
        """Create a survey whose results are computed on first use."""
        self._asked, self._view, self._setup = engine, view, view.setup
        self._others = view.setup.after(view.player)
        self._sums: dict[tuple[tuple[str, ...], ...], DealSums] = {}
        self._known: dict[tuple[str, tuple[int, ...], bool], tuple[float, float]] = {}

    # ---- the deals --------------------------------------------------------------------------

    @cached_property
    def places(self) -> Mapping[str, tuple[str, ...]]:
        """The possible places of each gem."""
        gems, places = [gem.id for gem in self._setup.edition.gems], self._setup.places
        atoms = [at(gem, place) for gem in gems for place in places]
        marks = iter(self._asked.sheet(self._view.perspective, atoms).marks)
        return {gem: tuple(place for place in places if next(marks) is not Mark.NO) for gem in gems}

    @cached_property
    def _deals(self) -> Steps:
        """The deals, counted gem by gem; indistinguishable players share one place."""
        return self._steps(self._setup.players)

    def _steps(self, merged: Sequence[str]) -> Steps:
        names = [location(gem.id) for gem in self._setup.edition.gems]
        return counting(self._asked).steps(self._view.perspective, names, merged=merged)

    @cached_property
    def chances(self) -> Mapping[str, Mapping[str, float]]:
        """The probability of each possible place of each gem."""
        marginals = self._deals.marginals
        return {gem.id: marginals[location(gem.id)] for gem in self._setup.edition.gems}

    @cached_property
    def _kind(self) -> dict[str, int]:
        """The index of the class of interchangeable gems, for each gem that is not located."""
        number = {name: n for n, names in enumerate(self._deals.interchangeable) for name in names}
        kinds: dict[object, int] = {}
        return {
            gem: kinds.setdefault(number.get(location(gem), gem), len(kinds))
            for gem, places in self.places.items()
            if len(places) > 1
        }

    @cached_property
    def uncertainty(self) -> float:
        """The entropy of the hidden gem, in bits."""
        chances = self.chances.values()
        return entropy(np.array([places.get(HIDDEN, 0.0) for places in chances]))

    @cached_property
    def _stands(self) -> dict[str, str]:
        """For each other player, the first player about whom the same is known."""
        representatives = {player: player for player in self._others}
        for group in self._deals.groups:
            first: dict[int, str] = {}
            number = dict(zip(group.values, group.numbers, strict=True))
            for player in self._others:
                if player in number:
                    representatives[player] = first.setdefault(number[player], player)
        return representatives

    def _apart(self, player: str) -> DealSums:
        """Return the sums over the deals in which this player is separate from all others."""
        left = [[v for v in group.values if v != player] for group in self._deals.groups]
        key = tuple(tuple(players) for players in left if len(players) > 1)
        if key not in self._sums:
            merged = [other for players in key for other in players]
            same = len(merged) == sum(len(group.values) for group in self._deals.groups)
            kind = {location(gem): kind for gem, kind in self._kind.items()}
            self._sums[key] = DealSums(self._deals if same else self._steps(merged), kind)
        return self._sums[key]

    # ---- questions --------------------------------------------------------------------------

    def questions(self, elements: Iterable[Elements]) -> list[CandidateQuestion]:
        """Return the questions for each of these subjects to each other player."""
        return [
            self.question(player, asked_for) for asked_for in elements for player in self._others
        ]

    def decisive(self) -> list[CandidateQuestion]:
        """Return the questions whose answer always determines the hidden gem."""
        possible = sum(HIDDEN in places for places in self.places.values())
        questions = []
        for elements in self._setup.edition.questions:
            for player in self._others:
                # Two cheap tests come first: there must be enough different answers, and the
                # entropy of the answer, bounded by the sum of its parts, must reach the
                # uncertainty.
                gems = self._open(player, elements)
                answers = 1 << len(gems) if self._shows(elements) else len(gems) + 1
                if not gems or answers < possible:
                    continue
                if sum(self._held(player, gem) for gem in gems) > self.uncertainty - SAME:
                    question = self.question(player, elements)
                    if question.gem > self.uncertainty - SAME:
                        questions.append(question)
        return questions

    def _held(self, player: str, gem: str) -> float:
        """Return the entropy of whether the player holds an open gem, in bits."""
        chance = self.chances[gem][player]
        return entropy(np.array([chance, 1.0 - chance]))

    def _open(self, asked: str, elements: Elements) -> tuple[str, ...]:
        """Return the gems with these elements that the player may hold and may lack."""
        return tuple(
            gem
            for gem in self._setup.edition.matching(elements)
            if asked in (there := self.places[gem]) and len(there) > 1
        )

    def _shows(self, elements: Elements) -> bool:
        return len(elements) == 2 or self._setup.rules == STUDY

    def question(self, asked: str, elements: Elements) -> CandidateQuestion:
        """Return a question to a player, whose information is computed on first use."""
        gems, shows = self._open(asked, elements), self._shows(elements)
        return CandidateQuestion(asked, elements, gems, partial(self._tells, asked, gems, shows))

    def _tells(self, asked: str, gems: Sequence[str], shows: bool) -> tuple[float, float]:
        """Return the information in an answer about these gems, cached for equivalent questions."""
        if not gems:
            return 0.0, 0.0
        count = [0] * (1 + max(self._kind.values()))
        for gem in gems:
            count[self._kind[gem]] += 1
        key = (self._stands[asked], tuple(count), shows or len(gems) == 1)
        if key not in self._known:
            stands, whole = key[0], key[2]
            deals = self._apart(stands)
            self._known[key] = expected_information(deals, stands, count, whole, self.uncertainty)
        return self._known[key]
