"""The deals that a player considers possible, counted group by group.

Every event in Kwartet is about one group of cards, and only the sizes of the hands connect groups.
A *way* deals the cards of one group, and a set of ways is a number with a bit for each way. The
number of deals is a coefficient of a product of polynomials, one for each group, with one variable
for each other player. A polynomial is stored as one integer, with each coefficient in its own bits
(L. Kronecker's substitution).

With a general engine, a game of four players of depth 1 would take 4.6 times as long, and a game of
three players of depth 0 would take 6 times as long.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, product
from math import prod
from operator import and_, or_
from random import Random
from weakref import WeakKeyDictionary

from symkripke.engines.caches import along_history
from symkripke.language import And, Atom, Formula, Not, Or
from symkripke.language.formulas import fold
from symkripke.language.walk import atoms
from symkripke.limits import check
from symkripke.model import KnowledgeStructure, Perspective, World
from symkripke.play.dealing import location
from symkripke_games.kwartet.rules import Setup

_LAWS: WeakKeyDictionary[KnowledgeStructure, tuple[int, ...] | None] = WeakKeyDictionary()


class _Ways:
    """All ways to deal a group of `size` cards to these players.

    Attributes:
        all: the ways; each names the player of each card.
        every: the set of all ways.
        having: for each card, by its place in the group, the set of ways that deal it to each
            player.
    """

    def __init__(self, players: Sequence[str], size: int) -> None:
        self.all = list(product(players, repeat=size))
        self.every = (1 << len(self.all)) - 1
        self.having = [
            {
                player: sum(1 << n for n, way in enumerate(self.all) if way[place] == player)
                for player in players
            }
            for place in range(size)
        ]

    def true(self, names: Sequence[str], formula: Formula) -> int:
        """Return the set of ways at which a formula about these fluents is true."""

        def visit(part: Formula, parts: tuple[int, ...]) -> int:
            match part:
                case Atom(name, value):
                    return self.having[names.index(name)].get(value, 0)
                case Not():
                    return self.every & ~parts[0]
                case And():
                    return reduce(and_, parts, self.every)
            assert isinstance(part, Or)
            return reduce(or_, parts, 0)

        return fold(formula, visit)


_ways = lru_cache(maxsize=16)(_Ways)


class _Terms:
    """The polynomial of one group.

    Attributes:
        members: the ways by share. A share encodes, as one number, how many cards a way adds to
            each hand.
        numbers: each share with its number of ways.
    """

    def __init__(self, ways: _Ways, steps: tuple[tuple[str, int], ...], left: int) -> None:
        """Create the polynomial of the set `left` of ways.

        Args:
            ways: all ways to deal the group.
            steps: for each player, the share that one of their cards adds.
            left: the set of ways that remain possible.
        """
        step = dict(steps)
        self.members: dict[int, list[tuple[str, ...]]] = {}
        for number, way in enumerate(ways.all):
            if left >> number & 1:
                self.members.setdefault(sum([step[player] for player in way]), []).append(way)
        self.numbers = [(share, len(ways)) for share, ways in self.members.items()]

    @cached_property
    def having(self) -> dict[tuple[int, str], dict[int, int]]:
        """The number of ways of each share, for each card (by its place) and player."""
        terms: dict[tuple[int, str], dict[int, int]] = {}
        for share, ways in self.members.items():
            for way in ways:
                for held in enumerate(way):
                    numbers = terms.setdefault(held, {})
                    numbers[share] = numbers.get(share, 0) + 1
        return terms


_terms = lru_cache(maxsize=1 << 13)(_Terms)


def _law(setup: Setup, structure: KnowledgeStructure) -> tuple[int, ...]:
    """Return, for each group, the set of ways that the law allows."""
    groups = [[location(card) for card in cards] for cards in setup.cards_of.values()]
    number_of = {name: number for number, names in enumerate(groups) for name in names}
    ways = [_ways(setup.players, len(names)) for names in groups]

    def after(before: tuple[int, ...], stage: KnowledgeStructure) -> tuple[int, ...]:
        law, stack = list(before), [constraint.formula for constraint in stage.law.added]
        while stack:
            formula = stack.pop()
            about = {number_of[atom.fluent] for atom in atoms(formula)}
            if len(about) == 1:
                [number] = about
                law[number] &= ways[number].true(groups[number], formula)
            elif isinstance(formula, And):  # otherwise the formula states the size of a hand
                stack.extend(formula.operands)
        return tuple(law)

    numbers = along_history(structure, _LAWS, tuple(each.every for each in ways), after)
    assert numbers is not None
    return numbers


class Deals:
    """The deals that a player considers possible."""

    def __init__(self, setup: Setup, perspective: Perspective) -> None:
        """Prepare the deals that the law and the player's own cards allow."""
        self._setup, self._perspective = setup, perspective
        *others, _ = (player for player in setup.players if player != perspective.agent)
        steps, length = dict.fromkeys(setup.players, 0), 1
        self._digits: list[tuple[int, int]] = []
        for player in others:  # the size of the last player's hand follows from the others
            steps[player], size = length, setup.sizes[player]
            self._digits.append((length, size))
            length *= 2 * size + 1 + max(map(len, setup.cards_of.values()))
        self._steps = tuple(steps.items())
        self._target = sum(step * size for step, size in self._digits)

    @cached_property
    def _polynomials(self) -> dict[str, _Terms]:
        setup, me = self._setup, self._perspective.agent
        mine = {atom.fluent for atom in self._perspective.seen if atom.value == me}
        polynomials = {}
        for (group, cards), left in zip(
            setup.cards_of.items(), _law(setup, self._perspective.structure), strict=True
        ):
            ways = _ways(setup.players, len(cards))
            for card, having in zip(cards, ways.having, strict=True):
                left &= having[me] if location(card) in mine else ~having[me]
            polynomials[group] = _terms(ways, self._steps, left)
        return polynomials

    @cached_property
    def _width(self) -> int:
        """The number of bits of a coefficient."""
        ways = (sum(number for _, number in each.numbers) for each in self._polynomials.values())
        return prod(ways).bit_length() + 1

    def _products(self, terms: Iterable[_Terms]) -> list[int]:
        """Return 1 and the products of the first polynomial, of the first two, and so on."""
        width, products = self._width, [1]
        mask = (1 << width) - 1
        for length, size in self._digits:  # drop terms that exceed the size of a hand
            mask = sum(mask << length * n * width for n in range(size + 1))
        for each in terms:
            check()
            before = products[-1]
            products.append(mask & sum((before << s * width) * n for s, n in each.numbers))
        return products

    @cached_property
    def _before(self) -> list[int]:
        return self._products(self._polynomials.values())

    @cached_property
    def _behind(self) -> list[int]:
        return self._products(reversed(self._polynomials.values()))[::-1]

    def _coefficient(self, polynomial: int, share: int) -> int:
        width = self._width
        return polynomial >> share * width & (1 << width) - 1 if share >= 0 else 0

    @cached_property
    def number(self) -> int:
        """The number of deals."""
        return self._coefficient(self._behind[0], self._target)

    def chances(self, group: str) -> dict[tuple[str, str], float]:
        """Return, for each card of a group, the probability that each player was dealt it."""
        cards, terms = self._setup.cards_of[group], self._polynomials[group]
        number = list(self._polynomials).index(group)
        rest = self._before[number] * self._behind[number + 1]
        others = {share: self._coefficient(rest, self._target - share) for share in terms.members}
        return {
            (cards[place], player): weight / self.number
            for (place, player), numbers in terms.having.items()
            if (weight := sum(others[share] * ways for share, ways in numbers.items()))
        }

    def draw(self, chance: Random) -> World:
        """Return a random deal; all deals are equally likely."""
        left, deal = self._target, dict[str, str]()
        for (group, terms), behind in zip(self._polynomials.items(), self._behind[1:], strict=True):
            share = terms.numbers[0][0]
            if len(terms.numbers) > 1:
                sums = list(
                    accumulate(n * self._coefficient(behind, left - s) for s, n in terms.numbers)
                )
                share = terms.numbers[bisect(sums, chance.randrange(sums[-1]))][0]
            ways = terms.members[share]
            way = ways[0] if len(ways) == 1 else chance.choice(ways)
            deal.update(zip(map(location, self._setup.cards_of[group]), way, strict=True))
            left -= share
        return deal
