"""Deals with counts: cards with features are dealt, then announced or seen.

These resemble deduction games that ask "how many red gems have you?", at any size: small deals are
tested against the explicit model, and deals of the size of Sleuth are timed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import factorial, prod
from random import Random

from symkripke.language import (
    Atom,
    Iff,
    Implies,
    atleast,
    atmost,
    disjunction,
    exactly,
    negation,
)
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
    evaluate,
)

HIDDEN, TABLE = "hidden", "table"

SLEUTH = {3: 11, 4: 8, 5: 7, 6: 5, 7: 5}
"""For each number of players of Sleuth, the size of a hand out of the 36 gems."""


@dataclass(frozen=True)
class Deal:
    """Cards with features: each player has a hand, one card is hidden, the rest lies face up.

    Attributes:
        kinds: the number of kinds of each feature; a card has one kind of each feature.
        players: the number of players.
        hand: the size of each hand.
    """

    kinds: tuple[int, ...]
    players: int
    hand: int

    @classmethod
    def of_sleuth(cls, players: int) -> Deal:
        """Return a deal of 36 gems, with four colours, three types and three quantities."""
        return cls((4, 3, 3), players, SLEUTH[players])

    @property
    def cards(self) -> list[tuple[int, ...]]:
        """All cards, each as the indices of its kinds."""
        return list(product(*map(range, self.kinds)))

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(f"p{number}" for number in range(1, self.players + 1))

    @property
    def up(self) -> int:
        """The number of cards on the table; one more is hidden."""
        return prod(self.kinds) - 1 - self.players * self.hand

    @property
    def number(self) -> int:
        """The number of deals."""
        each = factorial(self.hand) ** self.players * factorial(self.up)
        return int(factorial(prod(self.kinds)) // each)

    def at(self, card: Sequence[int], place: str) -> Atom:
        """Return the atom "the card is at the place"."""
        return Atom(f"location(c{''.join(map(str, card))})", place)

    def structure(self) -> KnowledgeStructure:
        """Return the structure before the first question and before anybody looks at the table."""
        places = {**dict.fromkeys(self.agents, self.hand), TABLE: self.up, HIDDEN: 1}
        places = {place: size for place, size in places.items() if size}
        fluents = [Fluent(self.at(card, HIDDEN).fluent, tuple(places)) for card in self.cards]
        law = [
            Constraint(
                exactly(size, [self.at(card, place) for card in self.cards]), f"{size} at {place}"
            )
            for place, size in places.items()
        ]
        seen = {
            agent: [Observable(self.at(card, agent), "own hand") for card in self.cards]
            for agent in self.agents
        }
        return KnowledgeStructure.of(Vocabulary.of(fluents, self.agents), law, seen)

    def scene(self, chance: Random) -> Scene:
        """Return a random deal."""
        places = [agent for agent in self.agents for _ in range(self.hand)]
        places += [TABLE] * self.up + [HIDDEN]
        chance.shuffle(places)
        names = [self.at(card, HIDDEN).fluent for card in self.cards]
        return Scene.of(self.structure(), dict(zip(names, places, strict=True)))

    def table_seen(self, scene: Scene) -> Event:
        """Return the event that shows the cards on the table."""
        up = [
            atom
            for card in self.cards
            if (atom := self.at(card, TABLE)) and scene.world[atom.fluent] == TABLE
        ]
        return Event("the table", tuple(Constraint(atom, "face up") for atom in up))

    def hint(self, scene: Scene, chance: Random) -> Event:
        """Return a true public statement about several players at once."""
        places = [*self.agents, HIDDEN]
        while True:
            some = [
                self.at(chance.choice(self.cards), chance.choice(places))
                for _ in range(chance.randint(2, 5))
            ]
            parts = [atom if chance.random() < 0.7 else negation(atom) for atom in some]
            relation = chance.choice((atleast, atmost, exactly))
            many = relation(chance.randint(0, 2), parts[1:])
            first = chance.choice((parts[0], negation(parts[0])))
            said = chance.choice(
                (disjunction(parts), many, Implies(first, many), Iff(first, many), negation(many))
            )
            if evaluate(said, scene.world):
                return Event("a hint", (Constraint(said, "a hint"),))

    def questions(self, scene: Scene, chance: Random) -> Iterator[Event]:
        """Yield endless questions: how many cards of one or two kinds does another player have?

        The number is public. If the question names two kinds, the asker also sees the cards.
        """
        for turn in range(10**6):
            asker = self.agents[turn % self.players]
            asked = chance.choice([agent for agent in self.agents if agent != asker])
            most = min(2, len(self.kinds))
            features = chance.sample(range(len(self.kinds)), chance.choice((1, most, most, most)))
            kind = {feature: chance.randrange(self.kinds[feature]) for feature in features}
            atoms = [
                self.at(card, asked)
                for card in self.cards
                if all(card[feature] == which for feature, which in kind.items())
            ]
            number = sum(scene.world[atom.fluent] == asked for atom in atoms)
            told = f"turn {turn}: {asked} has {number} of {kind}"
            looks = tuple(Observable(atom, told) for atom in atoms)
            yield Event(
                told,
                (Constraint(exactly(number, atoms), told),),
                observes={asker: looks} if len(features) > 1 else {},
            )
