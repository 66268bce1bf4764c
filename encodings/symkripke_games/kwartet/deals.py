"""The deals that a player considers possible, group by group: counted exactly, and drawn.

All that is said and done in Kwartet is about one group, and public. Only the sizes of the hands
tie groups together. So for each group there is a short list of the ways in which its cards may have
been dealt; a deal is one way for each group, such that each player was dealt its number of cards.
The numbers of such deals are coefficients of a product of polynomials, one for each group: the
exponents say how many cards of the group each player was dealt. A polynomial is kept in one whole
number, each coefficient in its own bits (L. Kronecker's substitution). So numbers are exact, and
adding shifted copies multiplies.

The engines count the same from formulas. Here it takes a tenth of a millisecond, for players who
look at many positions (`symkripke_games.kwartet.thinking`).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, product
from random import Random

from symkripke_games.kwartet.rules import Happening, Opening, Setup

TABLE = -1
"""The place of a card that has been laid down; other places are seats, from 0."""

Way = tuple[int, ...]
"""For each card of a group the seat to which it was dealt."""


class Group:
    """What everybody knows of one group. Immutable; each event leads to another one.

    Attributes:
        ways: how its cards may have been dealt.
        moved: for each card its place, if it has moved; None if it is where it was dealt.
    """

    def __init__(self, ways: Sequence[Way], moved: tuple[int | None, ...]) -> None:
        """A group of which that is known."""
        self.ways = tuple(ways)
        self.moved = moved
        self._after: dict[tuple[object, ...], Group] = {}
        self._seen: dict[tuple[int, int], Seen] = {}

    def place(self, way: Way, card: int) -> int:
        """Where the card is now, if the group was dealt like that."""
        moved = self.moved[card]
        return way[card] if moved is None else moved

    def places(self, way: Way) -> Way:
        """Where all its cards are now."""
        return tuple(
            dealt if moved is None else moved for dealt, moved in zip(way, self.moved, strict=True)
        )

    def opened(self, owner: int | None) -> Group:
        """After the opening: its owner has laid it down, or nobody was dealt all of it."""
        if owner is not None:
            size = len(self.moved)
            return Group([(owner,) * size], (TABLE,) * size)
        return Group([way for way in self.ways if len(set(way)) > 1], self.moved)

    def asked(
        self, asker: int, asked: int, card: int, *, given: bool, down: bool, bluffing: bool
    ) -> Group:
        """After a question for one of its cards."""
        key = asker, asked, card, given, down, bluffing
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = self._asked(*key)
        return found

    def _asked(
        self, asker: int, asked: int, card: int, given: bool, down: bool, bluffing: bool
    ) -> Group:
        left = []
        for way in self.ways:
            places = self.places(way)
            if asker not in places or (places[card] == asked) != given:
                continue
            if not bluffing and places[card] == asker:
                continue
            complete = all(at == asker for other, at in enumerate(places) if other != card)
            if not given or complete == down:
                left.append(way)
        if down:
            return Group(left, (TABLE,) * len(self.moved))
        moved = list(self.moved)
        if given:
            moved[card] = asker
        return Group(left, tuple(moved))

    def seen(self, frame: Frame, own: int) -> Seen:
        """How a player sees it who was dealt these of its cards (the sum of their bits)."""
        key = frame.seat, own
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = Seen(self, frame, own)
        return found


class Seen:
    """How one player sees a group.

    Attributes:
        by_shift: the ways that it considers possible, by how many cards the others were dealt
            (as a shift of its frame).
        terms: for each shift the number of ways.
    """

    def __init__(self, group: Group, frame: Frame, own: int) -> None:
        """The ways in which that player was dealt these of its cards."""
        self.by_shift: dict[int, list[Way]] = {}
        for way in group.ways:
            if sum(1 << card for card, seat in enumerate(way) if seat == frame.seat) == own:
                shift = sum(frame.step[seat] for seat in way)
                self.by_shift.setdefault(shift, []).append(way)
        self.terms = [(shift, len(ways)) for shift, ways in self.by_shift.items()]
        self._group = group

    @cached_property
    def at(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """For each card and place where it may be: terms as above of the ways with it there."""
        found: dict[tuple[int, int], dict[int, int]] = {}
        for shift, ways in self.by_shift.items():
            for way in ways:
                for place in enumerate(self._group.places(way)):
                    counts = found.setdefault(place, {})
                    counts[shift] = counts.get(shift, 0) + 1
        return {place: list(counts.items()) for place, counts in found.items()}


@dataclass(frozen=True)
class Frame:
    """How a player counts the cards of the others.

    Attributes:
        seat: the player.
        step: for each seat by how many bits a card dealt to it shifts a polynomial.
        target: the shift of all cards together.
        width: the bits of a coefficient.
        within: the bits of all coefficients whose exponents are not too great; None if the others
            are two: then a sum that is too great can be told.
    """

    seat: int
    step: tuple[int, ...]
    target: int
    width: int
    within: int | None

    def multiplied(self, polynomial: int, terms: Sequence[tuple[int, int]]) -> int:
        """The product of a polynomial and one with these terms."""
        found = 0
        for shift, ways in terms:
            found += (polynomial << shift) * ways
        return found if self.within is None else found & self.within

    def coefficient(self, polynomial: int, shift: int) -> int:
        """The coefficient at that shift."""
        return (polynomial >> shift) & ((1 << self.width) - 1) if shift >= 0 else 0


@lru_cache(maxsize=64)
def frame_of(setup: Setup, seat: int) -> Frame:
    """The frame of the player at that seat."""
    sizes = list(setup.sizes.values())
    others = [other for other in range(len(sizes)) if other != seat]
    unknown = sum(sizes[other] for other in others)
    # Each unknown card has as many places as there are others.
    width = unknown * (len(others) - 1).bit_length() + 4
    step, stride, target = [0] * len(sizes), width, 0
    for other in others[:-1]:  # what the last one was dealt follows
        step[other] = stride
        target += stride * sizes[other]
        # Room for the sum of two exponents, and for those of a group that come on top.
        stride *= 2 * sizes[other] + 5
    if len(others) == 2:
        return Frame(seat, tuple(step), target, width, None)
    within = 0
    for exponents in product(*(range(sizes[other] + 1) for other in others[:-1])):
        shift = sum(n * step[other] for n, other in zip(exponents, others[:-1], strict=True))
        within |= ((1 << width) - 1) << shift
    return Frame(seat, tuple(step), target, width, within)


Known = tuple[Group, ...]
"""What everybody knows: of each group, in the order of the deck."""


@lru_cache(maxsize=16)
def dealt(setup: Setup) -> Known:
    """What everybody knows of a deal."""
    sizes = list(setup.sizes.values())
    ways = [
        way
        for way in product(range(len(sizes)), repeat=4)
        if all(way.count(seat) <= sizes[seat] for seat in way)
    ]
    return tuple(Group(ways, (None,) * 4) for _ in setup.groups)


@lru_cache(maxsize=1 << 10)
def opening(setup: Setup, down: tuple[tuple[str, str], ...]) -> Known:
    """What everybody knows after what was laid down at the beginning."""
    owners = {group: setup.players.index(player) for group, player in down}
    return tuple(
        group.opened(owners.get(name))
        for name, group in zip(setup.cards_of, dealt(setup), strict=True)
    )


def after(setup: Setup, known: Known, public: Happening) -> Known:
    """What everybody knows after an event."""
    if isinstance(public, Opening):
        return opening(setup, tuple(public.down.items()))
    group = setup.group_of[public.card]
    number = list(setup.cards_of).index(group)
    new = known[number].asked(
        setup.players.index(public.player),
        setup.players.index(public.asked),
        setup.cards_of[group].index(public.card),
        given=public.given,
        down=public.down,
        bluffing=setup.allow_bluff,
    )
    return (*known[:number], new, *known[number + 1 :])


class Deals:
    """The deals that a player considers possible.

    Attributes:
        frame: the player's.
        known: what everybody knows.
        own: for each group the cards that the player was dealt, as the sum of their bits.
    """

    def __init__(self, frame: Frame, known: Known, own: Sequence[int]) -> None:
        """Those in which the player was dealt that, as far as everybody knows."""
        self.frame = frame
        self.known = known
        self.own = own
        self._seen = [group.seen(frame, mine) for group, mine in zip(known, own, strict=True)]

    @cached_property
    def _before(self) -> list[int]:
        """For each group the product of the groups before it; then that of all."""
        found = [1]
        for seen in self._seen:
            found.append(self.frame.multiplied(found[-1], seen.terms))
        return found

    @cached_property
    def _behind(self) -> list[int]:
        """For each group the product of it and all groups behind it; then 1."""
        found = [1]
        for seen in reversed(self._seen):
            found.append(self.frame.multiplied(found[-1], seen.terms))
        return found[::-1]

    @cached_property
    def number(self) -> int:
        """How many there are."""
        return self.frame.coefficient(self._behind[0], self.frame.target)

    def chances(self, group: int) -> dict[tuple[int, int], float]:
        """How probable it is that a card of the group is at a place, if it may be there."""
        seen = self._seen[group]
        if len(seen.terms) == 1:
            ((_, whole),) = seen.terms
            return {place: ways[0][1] / whole for place, ways in seen.at.items()}
        others = self._before[group] * self._behind[group + 1]
        left = {shift: self._coefficient(others, shift) for shift, _ in seen.terms}
        found = {
            place: sum(number * left[shift] for shift, number in ways)
            for place, ways in seen.at.items()
        }
        return {place: number / self.number for place, number in found.items() if number}

    def _coefficient(self, others: int, shift: int) -> int:
        return self.frame.coefficient(others, self.frame.target - shift)

    def draw(self, chance: Random) -> tuple[Way, ...]:
        """One of them, each as likely as another: for each group how it was dealt."""
        left, found = self.frame.target, []
        for seen, behind in zip(self._seen, self._behind[1:], strict=True):
            shifts = list(seen.terms)
            if len(shifts) > 1:
                weights = [
                    number * self.frame.coefficient(behind, left - shift)
                    for shift, number in shifts
                ]
                sums = list(accumulate(weights))
                shift = shifts[bisect(sums, chance.randrange(sums[-1]))][0]
            else:
                shift = shifts[0][0]
            ways = seen.by_shift[shift]
            found.append(ways[0] if len(ways) == 1 else chance.choice(ways))
            left -= shift
        return tuple(found)
