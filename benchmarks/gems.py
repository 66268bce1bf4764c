"""Deals with counts: cards with features, dealt out, and what is told of them in public and seen.

Like the deduction games that ask "how many red gems have you?", of any size: small ones for tests
against the explicit model, and those of Sleuth to be timed.
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
"""For each number of players of Sleuth, how many of its 36 gems each holds."""


@dataclass(frozen=True)
class Deal:
    """So many kinds of each feature make the cards; each player has a hand, the rest lies open.

    Attributes:
        kinds: how many kinds each feature has; a card is a kind of each.
        players: how many players there are.
        hand: how many cards each of them holds.
    """

    kinds: tuple[int, ...]
    players: int
    hand: int

    @classmethod
    def of_sleuth(cls, players: int) -> Deal:
        """36 gems, of four colours, three types and three quantities."""
        return cls((4, 3, 3), players, SLEUTH[players])

    @property
    def cards(self) -> list[tuple[int, ...]]:
        """All cards."""
        return list(product(*map(range, self.kinds)))

    @property
    def agents(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(f"p{number}" for number in range(1, self.players + 1))

    @property
    def up(self) -> int:
        """How many cards lie on the table; one more is hidden."""
        return prod(self.kinds) - 1 - self.players * self.hand

    @property
    def number(self) -> int:
        """How many deals there are."""
        each = factorial(self.hand) ** self.players * factorial(self.up)
        return int(factorial(prod(self.kinds)) // each)

    def at(self, card: Sequence[int], place: str) -> Atom:
        """The card is there."""
        return Atom(f"location(c{''.join(map(str, card))})", place)

    def structure(self) -> KnowledgeStructure:
        """What all know before the first question; the table has not been looked at."""
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
        """A deal by chance."""
        places = [agent for agent in self.agents for _ in range(self.hand)]
        places += [TABLE] * self.up + [HIDDEN]
        chance.shuffle(places)
        names = [self.at(card, HIDDEN).fluent for card in self.cards]
        return Scene.of(self.structure(), dict(zip(names, places, strict=True)))

    def table_seen(self, scene: Scene) -> Event:
        """The cards on the table, face up."""
        up = [
            atom
            for card in self.cards
            if (atom := self.at(card, TABLE)) and scene.world[atom.fluent] == TABLE
        ]
        return Event("the table", tuple(Constraint(atom, "face up") for atom in up))

    def hint(self, scene: Scene, chance: Random) -> Event:
        """Something that is true, said to all: about several players at once."""
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
        """Questions without end: how many cards of a kind, or of two, has another player?

        The number is public; if two kinds are asked for, the asker looks at the cards.
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
