"""What follows in Kwartet about where cards are, worked out group by group, without an engine.

All that is said and done is about one group, and public. Only the sizes of the hands tie groups
together. So what everybody knows (the law of `symkripke_games.kwartet.knowledge`) is

    (what was said of group 1) & ... & (what was said of group n) & (each was dealt so many cards)

*Ways.* With p players the four cards of a group can be dealt in p^4 ways. A set of ways is a whole
number with one bit for each way. "The card was dealt to Bob" is such a set, and what an event tells
of the group is a combination of them: each constraint of the event's formulas, with cards that have
moved put where everybody saw them go. A player's own cards are a set of ways, too.

*Sizes.* A way deals each player a number of the cards; these numbers, written as the digits of one
number, are its *share*. A deal is one way for each group, such that the shares sum up to the sizes
of the hands. So a way is possible if and only if its group allows it, and its share can be
completed: if a sum of shares of the groups before it (one of the set F), and its own, and a sum of
shares of the groups behind it, are the sizes. Let B be the set of the sums to which the groups
behind can add what is missing; then that is: F, moved by the share, meets B. Sets of sums are whole
numbers again, and to add a share to each sum is a shift. F and B are found from group to group,
from either end. (A digit has room for four cards more than the size of the hand: so a sum or
difference that leaves the range has a digit above its size, and is dropped by a mask.) The player's
own digit is left out, because its cards are known, and that of the last other one, because all
shares of a group have the same sum of digits.

So the answers are exactly those that an engine gives about the law and what the player has seen.
(The tests compare them.) The time is proportional to the number of groups, times the shares of a
group (5 if two others may have its cards, at most 70 with six players), times the length of the
sets of sums: 13 bits with three players and 24 cards, 324 with four and 52, 38,000 with six and 52.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import product

from symkripke.engines import Engine
from symkripke.engines.asked import no_world_left
from symkripke_games.kwartet.decks import SIZE
from symkripke_games.kwartet.notes import Hand, follows_held
from symkripke_games.kwartet.rules import Happening, Opening, Setup

_ON_TABLE = -1
"""The place of a card that was laid down; other places are seats, from 0."""

_ONLOOKER = -1
"""The seat of somebody who has no cards and sees none."""

_NOTES, _LAW = 1 << 16, 1 << 14
"""Where sets of sums have more bits, an engine is quicker: for what a player knows, and everybody.

Measured with 3 to 6 players and all groups. An engine is asked one question about what everybody
knows, and many about where cards are.
"""


class Ways:
    """The ways to deal a group to so many players; a set of them is a whole number.

    Attributes:
        dealt: for each card and each seat, those in which the card is dealt to that seat.
        every: all ways.
        whole: for each seat, the way in which it gets all cards.
    """

    def __init__(self, seats: int) -> None:
        """All ways for so many seats."""
        ways = list(product(range(seats), repeat=SIZE))
        self.every = (1 << len(ways)) - 1
        self.dealt = tuple(
            tuple(
                sum(1 << number for number, way in enumerate(ways) if way[card] == seat)
                for seat in range(seats)
            )
            for card in range(SIZE)
        )
        self.whole = tuple(1 << ways.index((seat,) * SIZE) for seat in range(seats))
        self._by_share: dict[tuple[int, ...], int] = {}
        for number, way in enumerate(ways):
            share = tuple(way.count(seat) for seat in range(seats))
            self._by_share[share] = self._by_share.get(share, 0) | 1 << number

    def with_own(self, seat: int, own: int) -> int:
        """Those in which that seat gets just these cards (as the sum of their bits)."""
        found = self.every
        if seat != _ONLOOKER:
            for card, dealt in enumerate(self.dealt):
                found &= dealt[seat] if own >> card & 1 else ~dealt[seat]
        return found

    def by_share(self, steps: Sequence[int], within: int) -> list[tuple[int, int]]:
        """The shares of these ways, each as a shift, with the ways that deal it.

        Args:
            steps: for each seat what a card adds to the shift.
            within: the ways.
        """
        found: dict[int, int] = {}
        for share, ways in self._by_share.items():
            if ways & within:
                shift = sum(step * cards for step, cards in zip(steps, share, strict=True))
                found[shift] = found.get(shift, 0) | ways & within
        return list(found.items())


@lru_cache(maxsize=8)
def ways_for(seats: int) -> Ways:
    """The ways for so many seats."""
    return Ways(seats)


class Sums:
    """How sums of shares are written, as one who sits at a seat sees them.

    Attributes:
        steps: for each seat what a card adds to a sum.
        sizes: the sum that is to be reached.
        valid: the sums with no digit above its size.
        own: for each set of own cards of a group (as the sum of their bits) the shares that are
            left to others, with their ways.
    """

    def __init__(self, setup: Setup, seat: int) -> None:
        """Those of the setup; `_ONLOOKER` sees all hands as open."""
        sizes = list(setup.sizes.values())
        others = [other for other in range(len(sizes)) if other != seat]
        steps, self.sizes, step = [0] * len(sizes), 0, 1
        self.valid = 1
        for other in others[:-1]:
            steps[other] = step
            self.sizes += step * sizes[other]
            self.valid = sum(self.valid << step * number for number in range(sizes[other] + 1))
            step *= sizes[other] + SIZE + 1
        self.steps = tuple(steps)
        ways = ways_for(len(sizes))
        sets = range(1 << SIZE) if seat != _ONLOOKER else (0,)
        self.own = [ways.by_share(self.steps, ways.with_own(seat, own)) for own in sets]


@lru_cache(maxsize=64)
def _sums(setup: Setup, seat: int) -> Sums:
    return Sums(setup, seat)


@lru_cache(maxsize=64)
def _length(setup: Setup, seat: int) -> int:
    """How many bits a set of sums has."""
    found = 1
    for size in [s for other, s in enumerate(setup.sizes.values()) if other != seat][:-1]:
        found *= size + SIZE + 1
    return found


class Common:
    """What everybody knows, event by event.

    Attributes:
        ways: for each group how it may have been dealt, as far as was said of this group.
        moved: for each group and card the seat where it is, or the table; None: it has not moved.
    """

    def __init__(self, setup: Setup) -> None:
        """After the deal."""
        self._setup = setup
        self._seats = {player: seat for seat, player in enumerate(setup.players)}
        self._all = ways_for(len(setup.players))
        self.ways = [self._all.every] * len(setup.groups)
        self.moved: list[list[int | None]] = [[None] * SIZE for _ in setup.groups]

    def now(self, group: int, card: int, seat: int) -> int:
        """The ways with which that seat holds the card now."""
        place = self.moved[group][card]
        if place is None:
            return self._all.dealt[card][seat]
        return self._all.every if place == seat else 0

    def hear(self, public: Happening) -> None:
        """Take up an event: all that its formulas say (`knowledge.event`)."""
        if isinstance(public, Opening):
            self._open(public)
            return
        number, card = place_of(self._setup)[public.card]
        asker, asked = self._seats[public.player], self._seats[public.asked]
        held = [self.now(number, other, asker) for other in range(SIZE)]
        left = self.ways[number] & (held[0] | held[1] | held[2] | held[3])
        if not self._setup.allow_bluff:
            left &= ~held[card]
        there = self.now(number, card, asked)
        if not public.given:
            self.ways[number] = left & ~there
            return
        complete = self._all.every
        for other, ways in enumerate(held):
            if other != card:
                complete &= ways
        self.ways[number] = left & there & (complete if public.down else ~complete)
        if public.down:
            self.moved[number] = [_ON_TABLE] * SIZE
        else:
            self.moved[number][card] = asker

    def _open(self, public: Opening) -> None:
        nobody = self._all.every & ~sum(self._all.whole)
        for number, group in enumerate(self._setup.cards_of):
            owner = public.down.get(group)
            if owner is None:
                self.ways[number] &= nobody
            else:
                self.ways[number] &= self._all.whole[self._seats[owner]]
                self.moved[number] = [_ON_TABLE] * SIZE


@lru_cache(maxsize=16)
def place_of(setup: Setup) -> Mapping[str, tuple[int, int]]:
    """For each card the number of its group, and its own in the group."""
    return {
        card: (number, place)
        for number, cards in enumerate(setup.cards_of.values())
        for place, card in enumerate(cards)
    }


def possible(common: Common, sums: Sums, own: Sequence[int]) -> list[int] | None:
    """For each group the ways that are possible; None if no deal is possible.

    Args:
        common: what everybody knows.
        sums: how sums of shares are written for who asks.
        own: for each group the cards that it was dealt, as the sum of their bits.
    """
    valid = sums.valid
    shares = [
        [(shift, allowed & ways) for shift, ways in sums.own[mine] if allowed & ways]
        for allowed, mine in zip(common.ways, own, strict=True)
    ]
    behind = [1 << sums.sizes]
    for terms in reversed(shares[1:]):
        last, reached = behind[-1], 0
        for shift, _ in terms:
            reached |= last >> shift
        behind.append(reached & valid)
    before, found = 1, []
    for terms, missing in zip(shares, reversed(behind), strict=True):
        left = reached = 0
        for shift, ways in terms:
            moved = before << shift
            if moved & missing:
                left |= ways
                reached |= moved
        if not left:
            return None
        found.append(left)
        before = reached & valid
    return found


def is_short(setup: Setup) -> bool:
    """Whether the sets of sums of a player are short enough for this to be the quickest way."""
    return _length(setup, 0) <= _NOTES


class GroupNotes:
    """Where a player knows, or thinks possible, that cards are: the answers of `notes.Notes`.

    They are for one game. Nothing is asked of an engine, and no scene is worked out: all follows
    from the public record and the cards that the player was dealt.
    """

    def __init__(self, setup: Setup, player: str, dealt: Collection[str], engine: Engine) -> None:
        """Nothing heard yet. The engine answers what would take longer here.

        Args:
            setup: the setup.
            player: whose notes.
            dealt: the cards that the player was dealt.
            engine: the engine.
        """
        self._setup = setup
        self._player = player
        self._engine = engine
        self._common = Common(setup)
        self._own = [
            sum(1 << place for place, card in enumerate(cards) if card in dealt)
            for cards in setup.cards_of.values()
        ]
        self._others = [
            (seat, other) for seat, other in enumerate(setup.players) if other != player
        ]
        self._heard = 0
        self._possible: list[int] | None = None
        """For each group the ways that the player considers possible, once it was asked."""
        self._lawful: list[int] | None = None
        """The same for somebody who sees no cards."""

    def hear(self, record: Sequence[Happening]) -> None:
        """Hear what is new in the record: what is asked from now on is about now."""
        if self._heard < len(record):
            for public in record[self._heard :]:
                self._common.hear(public)
            self._heard = len(record)
            self._possible = self._lawful = None

    def public(self, card: str, hand: Hand) -> str | None:
        """The place of the card if everybody knows it."""
        return hand.board.places.get(card)

    def _ways(self) -> list[int]:
        """For each group the ways that the player considers possible."""
        if self._possible is None:
            seat = self._setup.players.index(self._player)
            self._possible = possible(self._common, _sums(self._setup, seat), self._own)
            if self._possible is None:
                raise no_world_left((self._player,))
        return self._possible

    def places(self, cards: Sequence[str], hand: Hand) -> Mapping[str, tuple[str, ...]]:
        """For each of these cards (none of them own) the places it might have."""
        ways, where, moved = self._ways(), place_of(self._setup), hand.board.places
        dealt = ways_for(len(self._setup.players)).dealt
        found: dict[str, tuple[str, ...]] = {}
        for card in cards:
            place = moved.get(card)
            if place is not None:
                found[card] = (place,)
                continue
            group, number = where[card]
            allowed, dealt_to = ways[group], dealt[number]
            found[card] = tuple([other for seat, other in self._others if allowed & dealt_to[seat]])
        return found

    def knows_group(self, player: str, cards: Sequence[str], hand: Hand) -> bool:
        """Whether the owner of the notes knows that `player` holds at least one of these cards.

        The cards are those of one group that `player` may hold, but does not certainly hold.
        """
        if len(cards) < 2:
            return False  # one card that it might not hold
        return self._always_holds(self._ways(), player, cards)

    def is_told(self, group: str, hand: Hand) -> bool:
        """Whether it follows from what all have seen that the owner holds a card of the group."""
        setup = self._setup
        if _length(setup, _ONLOOKER) > _LAW:
            return follows_held(self._engine, hand.view.perspective, hand, group)
        if self._lawful is None:
            nothing = [0] * len(setup.groups)
            found = possible(self._common, _sums(setup, _ONLOOKER), nothing)
            self._lawful = nothing if found is None else found
        return self._always_holds(self._lawful, self._player, setup.cards_of[group])

    def _always_holds(self, ways: Sequence[int], player: str, cards: Sequence[str]) -> bool:
        """Whether with all these ways the player holds one of these cards, all of one group."""
        seat, where = self._setup.players.index(player), place_of(self._setup)
        none = ways[where[cards[0]][0]]
        for card in cards:
            none &= ~self._common.now(*where[card], seat)
        return not none
