"""Draws from a deck with copies, as in Hanabi: random games with the knowledge of all players.

There are 50 cards of 25 kinds, and each player sees all hands except their own. `DrawsTable.direct`
computes, without any engine, what a player can tell about their own cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain
from math import factorial
from random import Random
from typing import NamedTuple

from symkripke.language import Atom, Formula, conjunction, disjunction, negation
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
)
from symkripke.play.draws import drawn

HINTS, LIVES = 8, 3


@dataclass(frozen=True)
class Deck:
    """A deck with a kind of card for each colour and number.

    Attributes:
        colours: the number of colours.
        copies: for each number, from 1, the number of copies in each colour.
    """

    colours: int = 5
    copies: tuple[int, ...] = (3, 2, 2, 2, 1)

    @property
    def kinds(self) -> dict[str, int]:
        """The number of copies of each kind."""
        return {
            f"{colour}{number}": copies
            for colour in "abcdefgh"[: self.colours]
            for number, copies in enumerate(self.copies, 1)
        }

    @property
    def cards(self) -> list[str]:
        """The kind of each card."""
        return [kind for kind, copies in self.kinds.items() for _ in range(copies)]


class Move(NamedTuple):
    """An action at the table.

    Attributes:
        kind: "draw", "reveal" (a card is played or discarded) or "hint".
        player: the index of the player who draws, reveals or receives the hint.
        card: the index of the card in the deck; -1 for a hint.
        feature: for a hint, the colour or the number that it names.
    """

    kind: str
    player: int
    card: int
    feature: str


class DrawsTable:
    """A table at which a game is played, with the knowledge of all players.

    Attributes:
        hands: for each player, the indices of their cards in the deck, oldest first.
        scene: the structure and the actual world.
        drawn: the number of cards that have been drawn.
    """

    def __init__(self, deck: Deck, players: int, hand: int, chance: Random) -> None:
        """Shuffle the deck and deal the hands."""
        self.deck = deck
        self.kinds = deck.kinds
        self.order = deck.cards
        chance.shuffle(self.order)
        self.players = [f"p{number}" for number in range(1, players + 1)]
        self.hands = [list(range(n * hand, (n + 1) * hand)) for n in range(players)]
        self.drawn = players * hand
        self.public: list[int] = []
        self.fitting: dict[int, list[tuple[str, bool]]] = {}
        names = [f"card({place})" for place in range(self.drawn)]
        law, likelihoods = drawn(self.kinds, (), names, "the deal")
        structure = KnowledgeStructure.of(
            Vocabulary.of([Fluent(name, tuple(self.kinds)) for name in names], self.players),
            law,
            {
                player: [
                    seen
                    for other, cards in enumerate(self.hands)
                    if other != number
                    for card in cards
                    for seen in self._sights(card)
                ]
                for number, player in enumerate(self.players)
            },
            likelihoods=likelihoods,
        )
        self.scene = Scene.of(
            structure, {name: self.order[place] for place, name in enumerate(names)}
        )

    def _sights(self, card: int) -> list[Observable]:
        return [Observable(atom, "a hand of others") for atom in self.atoms(card)]

    def atoms(self, card: int) -> list[Atom]:
        """Return, for each kind, the atom "the card is of this kind"."""
        return [Atom(f"card({card})", kind) for kind in self.kinds]

    def event(self, move: Move) -> tuple[Event, Mapping[str, str]]:
        """Return the event of a move, with the values of its own fluents."""
        match move.kind:
            case "draw":
                before = [f"card({place})" for place in range(move.card)]
                fluent = Fluent(f"card({move.card})", tuple(self.kinds))
                law, likelihoods = drawn(self.kinds, before, (fluent.name,), "a draw")
                sights = tuple(self._sights(move.card))
                others = [p for n, p in enumerate(self.players) if n != move.player]
                event = Event(
                    "a draw",
                    law,
                    (fluent,),
                    {player: sights for player in others},
                    likelihoods=likelihoods,
                )
                return event, {fluent.name: self.order[move.card]}
            case "reveal":
                said: Formula = Atom(f"card({move.card})", self.order[move.card])
                return Event("a card is shown", (Constraint(said, "shown"),)), {}
        parts = []
        for card in self.hands[move.player]:
            fits = disjunction(a for a in self.atoms(card) if move.feature in a.value)
            parts.append(fits if move.feature in self.order[card] else negation(fits))
        return Event("a hint", (Constraint(conjunction(parts), "a hint"),)), {}

    def make(self, move: Move) -> None:
        """Update the hands and what is known about the cards."""
        if move.kind == "draw":
            self.hands[move.player].append(move.card)
            self.drawn += 1
        elif move.kind == "reveal":
            self.hands[move.player].remove(move.card)
            self.public.append(move.card)
        else:
            for card in self.hands[move.player]:
                told = move.feature, move.feature in self.order[card]
                self.fitting.setdefault(card, []).append(told)

    def direct(self, player: int) -> list[dict[str, Fraction]]:
        """Return the probabilities of the kinds for each of the player's own cards, from the deck.

        The unseen cards of the deck are numbered. The own cards are distinct numbers, each from a
        set. Choices of distinct elements are counted by inclusion and exclusion over the partitions
        of the own cards (the Moebius function of the partition lattice).
        """
        hands = (hand for number, hand in enumerate(self.hands) if number != player)
        left = self.deck.cards
        for card in chain(self.public, *hands):
            left.remove(self.order[card])
        of_kind = {kind: 0 for kind in self.kinds}
        for number, kind in enumerate(left):
            of_kind[kind] |= 1 << number
        own = self.hands[player]
        sets = [
            sum(
                of_kind[kind]
                for kind in self.kinds
                if all((feature in kind) is fits for feature, fits in self.fitting.get(card, ()))
            )
            for card in own
        ]
        whole = _choices(sets)
        return [
            {
                kind: Fraction(
                    _choices([*sets[:slot], sets[slot] & cards, *sets[slot + 1 :]]), whole
                )
                for kind, cards in of_kind.items()
            }
            for slot in range(len(own))
        ]


def _choices(sets: Sequence[int]) -> int:
    """Count the ways to choose distinct elements, one from each set (sets are bit masks)."""
    found = 0
    for partition in _partitions(len(sets)):
        product_of_blocks = 1
        for block in partition:
            common = -1
            for place in block:
                common &= sets[place]
            sign = -1 if len(block) % 2 == 0 else 1
            product_of_blocks *= sign * factorial(len(block) - 1) * common.bit_count()
            if not product_of_blocks:
                break
        found += product_of_blocks
    return found


@cache
def _partitions(size: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return all partitions of the numbers below `size`."""
    if not size:
        return ((),)
    found = []
    for smaller in _partitions(size - 1):
        found.append((*smaller, (size - 1,)))
        for place, block in enumerate(smaller):
            found.append((*smaller[:place], (*block, size - 1), *smaller[place + 1 :]))
    return tuple(found)


def moves(table: DrawsTable, chance: Random) -> Iterator[tuple[Move, int]]:
    """Yield random moves until the end of the game, each with the player who is to move then.

    The caller must make each move before it asks for the next. Cards that fit are played more often
    than others.
    """
    players = len(table.players)
    heights: dict[str, int] = {}
    hints, lives, last = HINTS, LIVES, players
    mover = 0
    while lives and last:
        after = (mover + 1) % players
        choice = chance.choice(["play", "discard", "hint"] if hints else ["play", "discard"])
        hand = table.hands[mover]
        if choice == "hint":
            told = chance.choice([n for n in range(players) if n != mover])
            card = table.order[chance.choice(table.hands[told])]
            hints -= 1
            yield Move("hint", told, -1, chance.choice(card)), after
        else:
            fitting = [c for c in hand if _fits(table.order[c], heights)]
            card_played = chance.choice(hand)
            if choice == "play" and (fitting or lives > 1):
                card_played = chance.choice(fitting or hand)
                kind = table.order[card_played]
                if _fits(kind, heights):
                    heights[kind[0]] = int(kind[1])
                else:
                    lives -= 1
            else:
                hints = min(HINTS, hints + 1)
            yield Move("reveal", mover, card_played, ""), after
            if table.drawn < len(table.order):
                yield Move("draw", mover, table.drawn, ""), after
        if table.drawn == len(table.order):
            last -= 1
        mover = after


def _fits(kind: str, heights: Mapping[str, int]) -> bool:
    return int(kind[1]) == heights.get(kind[0], 0) + 1
