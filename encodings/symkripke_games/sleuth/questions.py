"""What a question would tell: the expected information of questions, exactly.

The answer to a question follows from the deal. So what it tells of the deal, on average, is how
uncertain the answer is: its entropy, in bits. What the answer tells of the hidden gem is their
mutual information: with G the hidden gem and A the answer, H(G) + H(A) - H(G, A). Both follow from
the joint distribution of the answer and the hidden gem.

Deals are counted step by step (`symkripke_games.sleuth.deals`), with one more number kept for
each state: how many of the gems that are asked for the player holds, of each class of gems that
are alike (where only a number is said: of all). The deals are counted forwards and backwards with
this number, between the first and the last gem asked for. Joined at the hidden gem, the two counts
give the joint distribution. The ways before and behind that range are counted once for all
questions, by the hidden gem.

Gems of one class are as good as others of it, and so are players of whom the same is known; so
most questions early in a game are variants of a few, and later there is little to count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from math import comb, prod

import numpy as np

from symkripke.engines import Engine
from symkripke.play import View
from symkripke.play.player import SAME
from symkripke_games.sleuth.deals import Deals, Numbers, Quota
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
        return self.work()[0]

    @property
    def gem(self) -> float:
        """How many bits the answer tells about the hidden gem, on average."""
        return self.work()[1]


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
        self._known: dict[object, tuple[float, float]] = {}

    @cached_property
    def uncertainty(self) -> float:
        """The entropy of the hidden gem, in bits."""
        chances = self.deals.chances.values()
        return _entropy(np.array([places.get(HIDDEN, 0.0) for places in chances]))

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
        return _entropy(np.array([chance, 1.0 - chance]))

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
            self._known[key] = self._bits(self._stands[asked], count, shows)
        return self._known[key]

    # ---- the sums -------------------------------------------------------------------------

    def _bits(self, asked: str, count: Sequence[int], shows: bool) -> tuple[float, float]:
        """What the answer tells of the deal, and of the hidden gem.

        `count` is the number of gems of each class that are asked for; the first gems of the class
        are taken. A column says how many gems of each class the player holds (or how many in all,
        if only a number is said). It may stand for several equally likely answers. In each class,
        one gem asked for and one other gem stand for all of their kind as the hidden gem.
        """
        chain, alike_of = self.deals.chain(asked), self.deals.alike
        steps = chain.steps
        sizes = [number + 1 for number in count] if shows else [sum(count) + 1]
        strides = [prod(sizes[:number]) for number in range(len(sizes))]
        width = prod(sizes)
        alike = Counter(alike_of.values())
        seen: Counter[int] = Counter()
        # For each step by how much a gem that the player holds moves the column; 0: not asked for.
        moves: list[int] = []
        # For each gem that stands for some: its step, for how many, and what can be shown then.
        stands: list[tuple[int, int, list[int]]] = []
        for number, step in enumerate(steps):
            kind = alike_of[step.gem]
            mine, place = count[kind], seen[kind]
            seen[kind] += 1
            moves.append((strides[kind] if shows else 1) if place < mine else 0)
            if HIDDEN in step.moves and mine < alike[kind] == seen[kind]:
                stands.append((number, alike[kind] - mine, list(count)))
            elif HIDDEN in step.moves and place == 0 < mine:
                # The hidden gem itself is not shown: one less to choose from.
                less = [many - (other == kind) for other, many in enumerate(count)]
                stands.append((number, mine, less))
        first = next(number for number, move in enumerate(moves) if move)
        last = max(number for number, move in enumerate(moves) if move)
        forward = [_first_column(chain.before[first], width)]
        for number in range(first, last + 1):
            here = steps[number].forward.moved(forward[-1], asked, moves[number])
            forward.append(here)
        spread = _choices(_pairs(count, count)) if shows else np.ones(width)
        deal = _entropy(chain.behind[last + 1] @ forward[-1][:-1] / chain.total, spread)
        if not stands:  # the hidden gem is known
            return deal, 0.0
        backward = [_first_column(chain.behind[last + 1], width)]
        for number in range(last, first - 1, -1):
            back = steps[number].backward.moved(backward[-1], asked, moves[number])
            backward.append(back)
        backward.reverse()
        before = chain.before_hidden[first].T @ backward[0]
        behind = chain.behind_hidden[last + 1].T @ forward[-1]
        shares = np.empty((len(stands), width))
        spreads = np.ones((len(stands), width))
        for row, (number, _, less) in enumerate(stands):
            if number < first:
                shares[row] = before[alike_of[steps[number].gem]]
            elif number > last:
                shares[row] = behind[alike_of[steps[number].gem]]
            else:
                source, end = steps[number].moves[HIDDEN]
                here, back = forward[number - first], backward[number + 1 - first]
                shares[row] = _convolved(here[source].T @ back[end])
            if shows:
                spreads[row] = _choices(_pairs(less, count))
        uncertain = _uncertain(shares / chain.total, spreads).sum(axis=1)
        together = float(
            sum(many * bits for (_, many, _), bits in zip(stands, uncertain, strict=True))
        )
        return deal, min(max(self.uncertainty + deal - together, 0.0), self.uncertainty)


def _pairs(choose: Sequence[int], count: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """For each class with gems asked for: how many there are, and how many can be chosen."""
    return tuple((number, most) for number, most in zip(choose, count, strict=True) if most)


@lru_cache(maxsize=1_000)
def _choices(pairs: tuple[tuple[int, int], ...]) -> Numbers:
    """For each column (a number of gems of each class), in how many ways they can be chosen."""
    found = np.ones(1)
    for number, most in pairs:
        found = np.outer([comb(number, many) for many in range(most + 1)], found).ravel()
    return found


def _first_column(values: Numbers, width: int) -> Numbers:
    """Nothing is asked for so far; the last row is zeros, as `Sources` has it."""
    found = np.zeros((len(values) + 1, width))
    found[:-1, 0] = values
    return found


def _convolved(pairs: Numbers) -> Numbers:
    """The matrix that adds up what belongs to pairs of columns with the same sum."""
    width = len(pairs)
    found = np.zeros(2 * width - 1)
    for column in range(width):
        found[column : column + width] += pairs[column]
    return found[:width]


def _uncertain(shares: Numbers, ways: Numbers) -> Numbers:
    """What each share adds to an entropy, in bits, divided evenly among so many cases."""
    some = (shares > 0) & (ways > 0)
    shares, ways = np.where(some, shares, 1.0), np.where(some, ways, 1.0)
    return np.where(some, -shares * np.log2(shares / ways), 0.0)


def _entropy(shares: Numbers, ways: Numbers | float = 1.0) -> float:
    """In bits; each share is divided evenly among so many cases."""
    return float(_uncertain(shares, np.broadcast_to(ways, shares.shape)).sum())
