"""Knowledge and probabilities in Hanabi, compared with two independent references.

* Small decks: all ways to draw the cards are listed, filtered by what the rules show to each
  player, and weighed by the orders of the rest of the deck. This gives K, nested K and P.
* Full decks: the unseen cards are numbered, and the own cards are distinct numbers, each from a set
  that the hints allow. Such choices are counted by inclusion and exclusion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from math import factorial, prod
from operator import eq
from random import Random
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.language import Atom, Formula, K, Kw, negation
from symkripke.play import Table, game

GAME = game("hanabi")
Deck = tuple[str, ...]

# ---- the game as the rules tell it ---------------------------------------------------------------


class Told:
    """A game that is followed by its public events, with the place in the deck of each card."""

    def __init__(self, setup: Any) -> None:
        self.players = setup.players
        self.hands = {
            player: list(range(seat * setup.size, (seat + 1) * setup.size))
            for seat, player in enumerate(setup.players)
        }
        self.drawn = len(setup.players) * setup.size
        self.facts: list[tuple[int, Callable[[str], bool]]] = []
        self.heights: dict[str, int] = dict.fromkeys(setup.suits, 0)
        self.gone: Counter[str] = Counter()
        self.copies = setup.kinds
        self.shown: set[int] = set()

    def follow(self, public: Any) -> None:
        """Note what everybody learns from an event."""
        if hasattr(public, "feature"):
            for place, card in enumerate(self.hands[public.told], 1):
                if card >= 0:
                    named = place in public.places
                    self.facts.append((card, partial(agrees, named, public.feature)))
            return
        hand = self.hands[public.player]
        card = hand[public.place - 1]
        self.facts.append((card, partial(eq, public.kind)))
        self.shown.add(card)
        hand[public.place - 1] = self.drawn if public.draws else -1
        self.drawn += public.draws
        if public.fits:
            self.heights[public.kind.split("_")[0]] += 1
        else:
            self.gone[public.kind] += 1

    def use(self, kind: str) -> str:
        """Return whether a kind is playable, useless or neither."""
        suit, rank = kind.split("_")
        height = self.heights[suit]
        needed = [f"{suit}_{n}" for n in range(height + 1, int(rank) + 1)]
        if not needed or any(self.gone[k] == self.copies[k] for k in needed):
            return "useless"
        return "playable" if len(needed) == 1 else "later"

    def card(self, player: str, place: int) -> int:
        """Return the place in the deck of a card in a hand; -1 if there is none."""
        return self.hands[player][place - 1]


def agrees(named: bool, feature: str, kind: str) -> bool:
    """Return whether a card of this kind is named by a hint, or is not."""
    return named == fits(feature, kind)


def fits(feature: str, kind: str) -> bool:
    """Return whether a kind has a colour or rank; multicoloured cards have each colour."""
    suit, rank = kind.split("_")
    return feature == rank if feature.isdigit() else suit in (feature, "multi")


Fact = tuple[str, int, str]
"""A player, a place, and a colour, a rank or a use: the card there has it."""


def is_true(told: Told, deck: Deck, fact: Fact) -> bool:
    """Return whether a fact is true if the deck has this order."""
    player, place, word = fact
    kind = deck[told.card(player, place)]
    return word in kind.split("_") or told.use(kind) == word


def formula(scene: Any, fact: Fact) -> Formula:
    """Return the formula for a fact, in the names that people type."""
    player, place, word = fact
    name = f"{word}({player}, {place})"
    text = name if word in ("playable", "useless") else f"has({player}, {place}, {word})"
    parsed: Formula = scene.structure.parse(text)
    return parsed


def facts(told: Told, player: str, chance: Random) -> Iterator[Fact]:
    """Yield the facts about the cards of a hand."""
    words = [*told.heights, *dict.fromkeys(kind.split("_")[1] for kind in told.copies)]
    for place in range(1, len(told.hands[player]) + 1):
        if told.card(player, place) >= 0:
            yield player, place, chance.choice(words)
            yield player, place, "playable"
            yield player, place, "useless"


# ---- small decks ---------------------------------------------------------------------------------


class Listed:
    """The ways to draw the cards drawn so far that agree with the public events."""

    def __init__(self, setup: Any) -> None:
        self.copies = setup.kinds
        self.decks: list[Deck] = [()]

    def keep(self, told: Told, number: int) -> None:
        """Draw the new cards, and drop what contradicts the last facts, from this number on."""
        for _ in range(told.drawn - len(self.decks[0])):
            self.decks = [
                (*deck, kind)
                for deck in self.decks
                for kind, copies in self.copies.items()
                if deck.count(kind) < copies
            ]
        new = told.facts[number:]
        self.decks = [d for d in self.decks if all(says(d[card]) for card, says in new)]

    def orders(self, decks: Iterable[Deck]) -> int:
        """Return how many orders of the whole deck begin with one of these."""
        return sum(map(self._orders, decks))

    def _orders(self, deck: Deck) -> int:
        left = [copies - deck.count(kind) for kind, copies in self.copies.items()]
        return factorial(sum(left)) // prod(map(factorial, left))

    def sees(self, deck: Deck, player: str) -> tuple[str, ...]:
        """Return the cards that others have drawn, all of which the player has seen."""
        return tuple(deck[card] for card in self.seen_cards[player])

    def note_sights(self, told: Told, drawn_by: Mapping[int, str]) -> None:
        """Update the cards that each player sees when they are drawn."""
        self.seen_cards = {
            player: [card for card, owner in drawn_by.items() if owner != player]
            for player in told.players
        }
        self.cells: dict[str, dict[tuple[str, ...], list[Deck]]] = {}
        for player in told.players:
            cells = self.cells[player] = {}
            for deck in self.decks:
                cells.setdefault(self.sees(deck, player), []).append(deck)

    def cell(self, deck: Deck, player: str) -> list[Deck]:
        """Return the draws that a player considers possible if the draws are these."""
        return self.cells[player][self.sees(deck, player)]

    def knows(self, told: Told, deck: Deck, player: str, fact: Fact) -> bool:
        """Return whether the player knows a fact if the deck is `deck`."""
        return all(is_true(told, other, fact) for other in self.cell(deck, player))


SMALL: Mapping[str, Mapping[str, Any]] = {
    "8 cards": {"players": 2, "colours": 2, "ranks": 2, "hand": 2},
    "8 cards, 3 players": {"players": 3, "colours": 2, "ranks": 2, "hand": 2},
    "10 cards": {"players": 2, "colours": 1, "hand": 3},
    "12 cards": {"players": 2, "colours": 2, "ranks": 3, "hand": 2},
    "12 cards, 3 players": {"players": 3, "colours": 2, "ranks": 3, "hand": 2},
    "multicolour": {"rules": "multicolour", "players": 2, "colours": 1, "ranks": 2, "hand": 2},
    "four ranks": {"players": 2, "colours": 1, "ranks": 4, "hand": 2},
}


def small_games(options: Mapping[str, Any], seed: int, minds: str) -> int:
    """Play a game, compare answers after each event, and return the number of answers."""
    setup = GAME.setup(**options)
    table: Any = Table(GAME, setup, (minds,), seed)
    chance, told, answers = Random(seed), Told(setup), 0
    sat, counter = engine("auto"), engine("auto", "bayes")
    drawn_by = {card: player for player, hand in told.hands.items() for card in hand}
    deck: list[str] = [table.deal[f"card({player}, {place})"] for player, place in setup.places]
    listed = Listed(setup)
    number = 0
    for step in table:
        public = step.outcome.public
        told.follow(public)
        if getattr(public, "draws", False):
            drawn_by[told.drawn - 1] = public.player
            deck += step.outcome.secret.values()
        listed.keep(told, number)
        number = len(told.facts)
        listed.note_sights(told, drawn_by)
        actual = tuple(deck)
        scene, (me, other) = table.scene, chance.sample(setup.players, 2)
        mine = listed.cell(actual, me)
        view = scene.perspective(me)
        for fact in [*facts(told, me, chance), *facts(told, other, chance)]:
            said = formula(scene, fact)
            assert bool(sat.holds(scene, K(me, said))) is listed.knows(told, actual, me, fact)
            true = listed.orders(d for d in mine if is_true(told, d, fact))
            assert counter.probability(view, said) == Fraction(true, listed.orders(mine))
            answers += 2
        for fact in facts(told, other, chance):
            said = formula(scene, fact)
            aware = {d: listed.knows(told, d, other, fact) for d in mine}
            assert bool(sat.holds(scene, K(me, K(other, said)))) is all(aware.values())
            assert bool(sat.holds(scene, K(me, negation(K(other, said))))) is not any(
                aware.values()
            )
            answers += 2
        for fact in facts(told, me, chance):
            said = formula(scene, fact)
            sure = all(
                len({is_true(told, e, fact) for e in listed.cell(d, other)}) == 1 for d in mine
            )
            assert bool(sat.holds(scene, K(me, Kw(other, said)))) is sure
            answers += 1
    return answers


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("minds", ["random", "cautious"])
def test_small_decks(name: str, minds: str) -> None:
    """K, nested K and P are those of a list of all ways to draw the cards."""
    assert small_games(SMALL[name], 7, minds) > 40


# ---- full decks ----------------------------------------------------------------------------------


def choices(sets: list[int]) -> int:
    """Count the ways to choose distinct elements, one from each set (sets are bit masks)."""
    return sum(
        prod(
            (-1) ** (len(block) - 1) * factorial(len(block) - 1) * common(sets, block).bit_count()
            for block in partition
        )
        for partition in partitions(len(sets))
    )


def common(sets: list[int], block: tuple[int, ...]) -> int:
    """Return the elements that these sets have in common."""
    elements = -1
    for place in block:
        elements &= sets[place]
    return elements


@cache
def partitions(size: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return all partitions of the numbers below `size` into blocks."""
    if not size:
        return [()]
    found = []
    for smaller in partitions(size - 1):
        found.append((*smaller, (size - 1,)))
        for place, block in enumerate(smaller):
            found.append((*smaller[:place], (*block, size - 1), *smaller[place + 1 :]))
    return found


def full_game(players: int, seed: int, minds: str, every: int = 1) -> tuple[int, int]:
    """Play a full game, and return the numbers of compared answers about K and probabilities."""
    setup = GAME.setup(players=players)
    table: Any = Table(GAME, setup, (minds,), seed)
    told, sat, counter = Told(setup), engine("auto"), engine("bdd", "bayes")
    known = chances = 0
    for step in table:
        told.follow(step.outcome.public)
        state = table.state
        if table.decision is None or len(table.steps) % every:
            continue
        me = state.mover
        held = [place for place in range(1, setup.size + 1) if told.card(me, place) >= 0]
        left = Counter(setup.kinds) - told.gone
        left -= Counter(f"{s}_{n}" for s, h in told.heights.items() for n in range(1, h + 1))
        left -= Counter(kind for (player, _), kind in state.cards.items() if player != me)
        unseen = list(left.elements())
        sets = []
        for place in held:
            says = [fact for card, fact in told.facts if card == told.card(me, place)]
            fit = (1 << n for n, kind in enumerate(unseen) if all(fact(kind) for fact in says))
            sets.append(sum(fit))
        whole = choices(sets)
        view = table.scene.perspective(me)
        atoms = {(p, k): Atom(f"card({me}, {p})", k) for p in held for k in setup.kinds}
        shares = counter.marginals(view, atoms.values())
        kinds = {k: sum(1 << n for n, u in enumerate(unseen) if u == k) for k in setup.kinds}
        for slot, place in enumerate(held):
            ways = {
                kind: choices([*sets[:slot], sets[slot] & mask, *sets[slot + 1 :]])
                for kind, mask in kinds.items()
            }
            assert sum(ways.values()) == whole
            for kind, number in ways.items():
                assert shares[atoms[place, kind]] == Fraction(number, whole), (place, kind)
                chances += 1
            possible = {kind for kind, number in ways.items() if number}
            words = [*setup.suits, *map(str, range(1, 6)), "playable", "useless"]
            for word in words:
                expected = all(word in k.split("_") or told.use(k) == word for k in possible)
                asked = K(me, formula(table.scene, (me, place, word)))
                assert bool(sat.holds(view, asked)) is expected, (place, word)
                known += 1
    return known, chances


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_full_decks(players: int) -> None:
    """K and P of all own cards are those of a direct count of the unseen cards."""
    known, chances = full_game(players, 40 + players, "cautious", every=12)
    assert known > 150
    assert chances > 300
