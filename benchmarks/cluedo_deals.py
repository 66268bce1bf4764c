"""A second method to count, weigh and draw deals of Cluedo: dynamic programming over the cards.

It shares nothing with the engines: no formula, no structure, no diagram. Its input is the public
record and what one player saw. Card by card it tracks how many cards each hand still takes, which
categories already have their card in the envelope, and how many of the three cards of each show the
shower holds, while that number still matters. The cards are ordered so that few shows are open at
any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from symkripke.play.dealing import location
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.rules import Accusation, Happening, Setup, Suggestion, shown

State = tuple[tuple[int, ...], tuple[bool, ...], tuple[int, ...]]
"""The number of cards that each hand still takes; for each category, whether its card is in the
envelope; and for each show, the number of its cards that the shower holds so far (0 again once
all of them are dealt).
"""


@dataclass(frozen=True)
class Show:
    """A show: the shower, the three cards, and six times the weight of holding k of them."""

    shower: str
    cards: tuple[str, ...]
    weights: tuple[int, ...]


class Dealing:
    """The deals that one player considers possible, by weight."""

    def __init__(
        self,
        setup: Setup,
        player: str | None,
        world: Mapping[str, str],
        record: Sequence[Happening],
        weighting: str,
    ) -> None:
        """Derive the possible places of the cards from the record and from what `player` saw.

        If `player` is None, use only what is public. `world` is the actual world; only the part
        that the player saw is read. `weighting` is "deals" (each deal has weight 1), "equal" (the
        total is the number of worlds) or "bayes".

        Raises:
            ValueError: hands are not given as total sizes (the study's patterns are not).
        """
        if not all(isinstance(hand, int) for hand in setup.hands):
            raise ValueError("only hands of so many cards of any kind")
        self.setup = setup
        self.cards = [card.id for card in setup.edition.cards]
        self.places = {card: [*setup.players, ENVELOPE] for card in self.cards}
        self.shows: list[Show] = []
        self.wrong: list[tuple[str, ...]] = []
        if player is not None:
            for card in self.cards:
                mine = world[location(card)] == player
                self._there(card, player, mine)
        for public in record:
            if isinstance(public, Suggestion):
                self._suggestion(public, player, world, weighting)
            elif isinstance(public, Accusation):
                if public.right:
                    for card in public.cards:
                        self._there(card, ENVELOPE, True)
                    continue
                if public.player == player:
                    for card in self.cards:
                        inside = world[location(card)] == ENVELOPE
                        self._there(card, ENVELOPE, inside)
                self.wrong.append(public.cards)
        self._kind = {
            card.id: kind
            for kind, category in enumerate(setup.edition.categories)
            for card in category
        }
        self._order()
        self._memo: dict[tuple[int, State], int] = {}
        self._next: dict[tuple[int, State], list[tuple[str, int, State]]] = {}
        self._odds: dict[tuple[int, State], list[float]] = {}

    def _there(self, card: str, place: str, is_there: bool) -> None:
        """Record whether the card is at that place."""
        self.places[card] = [x for x in self.places[card] if (x == place) == is_there]

    def _suggestion(
        self, public: Suggestion, player: str | None, world: Mapping[str, str], weighting: str
    ) -> None:
        for passer in public.passes:
            for card in public.cards:
                self._there(card, passer, False)
        if public.shower is None:
            return
        saw = player in (public.player, public.shower)
        if saw:
            card = world[shown(public.turn)]
            self._there(card, public.shower, True)
        by_weighting: dict[str, list[int | Fraction]] = {
            "deals": [0, 1, 1, 1],
            "equal": [0, 1, 1, 1] if saw else [0, 1, 2, 3],
            "bayes": [0, 1, Fraction(1, 2), Fraction(1, 3)] if saw else [0, 1, 1, 1],
        }
        self.shows.append(
            Show(public.shower, public.cards, tuple(int(6 * w) for w in by_weighting[weighting]))
        )

    def _order(self) -> None:
        """Order the cards: located ones first, then the card that leaves the fewest shows open."""
        groups = [set(show.cards) for show in self.shows] + [set(cards) for cards in self.wrong]
        done = {card for card in self.cards if len(self.places[card]) == 1}
        order = [card for card in self.cards if card in done]
        while len(order) < len(self.cards):

            def opened(card: str) -> tuple[int, int]:
                after = done | {card}
                open_groups = sum(bool(group & after) and not group <= after for group in groups)
                return open_groups, self.cards.index(card)

            best = min((card for card in self.cards if card not in done), key=opened)
            done.add(best)
            order.append(best)
        self.cards = order
        place = {card: number for number, card in enumerate(order)}
        self._last = [max(place[card] for card in group) for group in groups]
        self._ends = {
            kind: max(place[c] for c in order if self._kind[c] == kind)
            for kind in set(self._kind.values())
        }

    # ---- weigh ----------------------------------------------------------------------------

    @property
    def start(self) -> State:
        """Return the state before the first card."""
        hands = tuple(hand for hand in self.setup.hands if isinstance(hand, int))
        return hands, (False,) * len(self._ends), (0,) * (len(self.shows) + len(self.wrong))

    def total(self) -> Fraction:
        """Return the total weight of all deals."""
        return Fraction(self._after(0, self.start), 6 ** len(self.shows))

    def _after(self, number: int, state: State) -> int:
        """Return the weight of all ways to deal the cards from `number` on, times 6 per show."""
        if number == len(self.cards):
            return 1
        key = number, state
        if key not in self._memo:
            self._memo[key] = sum(
                weight * self._after(number + 1, after) for _, weight, after in self._ways(*key)
            )
        return self._memo[key]

    def _ways(self, number: int, state: State) -> list[tuple[str, int, State]]:
        """Return the card's possible places, each with its weight factor and the next state."""
        key = number, state
        if key not in self._next:
            self._next[key] = list(self._possible(number, state))
        return self._next[key]

    def _possible(self, number: int, state: State) -> Iterator[tuple[str, int, State]]:
        card = self.cards[number]
        kind = self._kind[card]
        last = number == self._ends[kind]
        hands, inside, held = state
        for place in self.places[card]:
            left, there = list(hands), inside
            if place == ENVELOPE:
                if inside[kind]:
                    continue
                there = tuple(one or which == kind for which, one in enumerate(inside))
            else:
                seat = self.setup.players.index(place)
                if not left[seat]:
                    continue
                left[seat] -= 1
            if last and not there[kind]:
                continue
            weight, counts = self._shows(number, card, place, held)
            if weight:
                yield place, weight, (tuple(left), there, counts)

    def _shows(
        self, number: int, card: str, place: str, held: tuple[int, ...]
    ) -> tuple[int, tuple[int, ...]]:
        """Return the weight factor and the counts of all shows after placing the card."""
        weight, counts = 1, list(held)
        for which, show in enumerate(self.shows):
            if card in show.cards:
                counts[which] += place == show.shower
                if number == self._last[which]:
                    weight *= show.weights[counts[which]]
                    counts[which] = 0
                elif counts[which] and len(set(show.weights[1:])) == 1:
                    counts[which] = 1  # one card is as good as more
        for which, cards in enumerate(self.wrong, len(self.shows)):
            if card in cards:
                counts[which] += place == ENVELOPE
                if number == self._last[which]:
                    weight *= counts[which] < len(cards)
                    counts[which] = 0
        return weight, tuple(counts)

    # ---- ask it ---------------------------------------------------------------------------

    def share(self, card: str, place: str) -> Fraction:
        """Return the probability that the card is at the place."""
        narrow = copy(self)
        narrow.places = {**self.places, card: [x for x in self.places[card] if x == place]}
        narrow._memo, narrow._next, narrow._odds = {}, {}, {}
        return narrow.total() / self.total()

    def draw(self, chance: Random) -> dict[str, str]:
        """Draw a deal by weight; return the place of each card."""
        deal, state = {}, self.start
        for number, card in enumerate(self.cards):
            key = number, state
            ways = self._ways(number, state)
            if key not in self._odds:
                self._odds[key] = [float(w * self._after(number + 1, to)) for _, w, to in ways]
            ((deal[card], _, state),) = chance.choices(ways, self._odds[key])
        return deal
