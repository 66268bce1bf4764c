"""What a question would tell: the expected information of questions, exactly.

The answer to a question follows from the deal. So what it tells of the deal, on average, is how
uncertain the answer is: its entropy, in bits. What the answer tells of the hidden gem is their
mutual information: with G the hidden gem and A the answer, H(G) + H(A) - H(G, A). Both follow from
the joint distribution of the answer and the hidden gem.

The sums are those of `symkripke_games.sleuth.answer_sums`.

Gems of one class are as good as others of it, and so are players of whom the same is known; so
most questions early in a game are variants of a few, and later there is little to count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from symkripke.engines import Engine
from symkripke.play import View
from symkripke.play.player import SAME
from symkripke_games.sleuth.answer_sums import entropy, told
from symkripke_games.sleuth.deals import Deals, Quota
from symkripke_games.sleuth.gems import HIDDEN, Elements
from symkripke_games.sleuth.rules import Happening
from symkripke_games.sleuth.setup import STUDY, Setup


@dataclass(frozen=True)
class Question:
    """A question with its expected information, which is computed on first use.

    Attributes:
        asked: who is asked.
        elements: for which gems.
        open: the gems of which the answer may say whether the player holds them.
        work: computes both values, in bits.
    """

    asked: str
    elements: Elements
    open: tuple[str, ...]
    work: Callable[[], tuple[float, float]] = field(repr=False, compare=False)

    @property
    def deal(self) -> float:
        """How many bits the answer tells about where the gems are, on average."""
        return self._told[0]

    @property
    def gem(self) -> float:
        """How many bits the answer tells about the hidden gem, on average."""
        return self._told[1]

    @cached_property
    def _told(self) -> tuple[float, float]:
        """Both values: players compare them several times."""
        return self.work()


class Survey:
    """The questions of one view.

    Attributes:
        deals: what the viewer considers possible.
        uncertainty: the entropy of the hidden gem now, in bits.
    """

    def __init__(self, engine: Engine, view: View[Setup, Happening]) -> None:
        """Everything is computed on first use."""
        self.deals = Deals(view, engine)
        self._setup = view.setup
        self._others = view.setup.after(view.player)
        self._known: dict[tuple[str, tuple[int, ...], bool], tuple[float, float]] = {}

    @cached_property
    def uncertainty(self) -> float:
        """The entropy of the hidden gem, in bits."""
        chances = self.deals.chances.values()
        return entropy(np.array([places.get(HIDDEN, 0.0) for places in chances]))

    @cached_property
    def _stands(self) -> dict[str, str]:
        """For each other player the first one of whom the same is known."""
        found: dict[str, str] = {}
        kinds: dict[object, str] = {}
        numbered = {quota.place for quota in self.deals.quotas if not self._is_hand(quota)}
        for player in self._others:
            mine = tuple(player in places for places in self.deals.places.values())
            sure = any(places == (player,) for places in self.deals.places.values())
            # A player known to hold a gem, or with known numbers, is like nobody else.
            kind: object = player if sure or player in numbered else mine
            found[player] = kinds.setdefault(kind, player)
        return found

    def _is_hand(self, quota: Quota) -> bool:
        open_there = sum(quota.place in self.deals.places[gem] for gem in self.deals.open)
        return len(quota.gems) == open_there

    def questions(self, elements: Iterable[Elements]) -> list[Question]:
        """Each of these questions to each other player."""
        return [
            self.question(player, asked_for) for asked_for in elements for player in self._others
        ]

    def decisive(self) -> list[Question]:
        """The questions after which, whatever the answer is, the hidden gem is known."""
        possible = sum(HIDDEN in places for places in self.deals.places.values())
        found = []
        for elements in self._setup.edition.questions:
            for player in self._others:
                # A cheap test first: there must be enough different answers, and the entropy of
                # the answer must reach that of the hidden gem. Its parts bound it from above.
                gems = self._open(player, elements)
                answers = 1 << len(gems) if self._shows(elements) else len(gems) + 1
                if not gems or answers < possible:
                    continue
                if sum(self._held(player, gem) for gem in gems) > self.uncertainty - SAME:
                    question = self.question(player, elements)
                    if question.gem > self.uncertainty - SAME:
                        found.append(question)
        return found

    def _held(self, player: str, gem: str) -> float:
        """How uncertain it is whether the player holds an open gem, in bits."""
        chance = self.deals.chances[gem][player]
        return entropy(np.array([chance, 1.0 - chance]))

    def _open(self, asked: str, elements: Elements) -> tuple[str, ...]:
        """The gems with these elements that the player may hold, and may not."""
        return tuple(
            gem
            for gem in self._setup.edition.matching(elements)
            if asked in (there := self.deals.places[gem]) and len(there) > 1
        )

    def _shows(self, elements: Elements) -> bool:
        return len(elements) == 2 or self._setup.rules == STUDY

    def question(self, asked: str, elements: Elements) -> Question:
        """What that question to that player tells."""
        gems, shows = self._open(asked, elements), self._shows(elements)
        return Question(asked, elements, gems, partial(self._tells, asked, gems, shows))

    def _tells(self, asked: str, gems: Sequence[str], shows: bool) -> tuple[float, float]:
        """What an answer about these gems tells; computed once for all equivalent questions."""
        if not gems:
            return 0.0, 0.0
        count = [0] * (1 + max(self.deals.alike.values()))
        for gem in gems:
            count[self.deals.alike[gem]] += 1
        key = (self._stands[asked], tuple(count), shows or len(gems) == 1)
        if key not in self._known:
            stands, whole = key[0], key[2]
            chain = self.deals.chain(stands)
            self._known[key] = told(chain, stands, count, whole, self.uncertainty)
        return self._known[key]
