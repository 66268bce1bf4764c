"""Basic strategies: random, first-order and higher-order players."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from symkripke.engines import Engine
from symkripke.language import Atom
from symkripke.model import Perspective
from symkripke.play import Assessment, View
from symkripke.play.dealing import location
from symkripke.play.player import EnginePlayer
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.rules import (
    Accuse,
    Done,
    Happening,
    Setup,
    Show,
    Suggest,
    Suggestion,
    Triple,
    shown,
)

CluedoView = View[Setup, Happening]


class Detective(EnginePlayer):
    """The base of all players, which accuse when one solution is left and show cards at random.

    Attributes:
        notices: whether the player notices that a single solution is left as soon as that follows
            from its observations. If so, not accusing shows that it does not know the solution.
    """

    notices: ClassVar[bool] = False

    def choose(self, view: CluedoView) -> Any:
        """Return an accusation if the solution is certain, else another move for the decision."""
        decision = view.decision
        assert decision is not None
        if decision.kind == "show":
            assert decision.options is not None
            return self.show(view, [option.card for option in decision.options])
        answer = self.accusation(view)
        if answer is not None:
            return Accuse(answer)
        return Done() if decision.kind == "accuse" else Suggest(self.suggest(view))

    def show(self, view: CluedoView, cards: Sequence[str]) -> Show:
        """Return a random card of those that can be shown."""
        return Show(self.chance.choice(cards))

    def accusation(self, view: CluedoView) -> Triple | None:
        """Return the solution if the player considers only one possible, else None."""
        left = self.solutions(view)
        return next(iter(left)) if len(left) == 1 else None

    def suggest(self, view: CluedoView) -> Triple:
        """Return a random question for cards that may be in the envelope or that the player holds.

        The player's own cards are cover: they force the others to pass or to show the wanted card.
        A question for three own cards gives no information, so it is asked only if there is no
        other.
        """
        possible = self.possible(view)
        own = set(own_cards(view))
        choices = [
            [card.id for card in category if card.id in possible or card.id in own]
            for category in view.setup.edition.categories
        ]
        if all(own.issuperset(category) for category in choices):
            return self.any_of(choices)
        while True:
            asked = self.any_of(choices)
            if not own.issuperset(asked):
                return asked

    def any_of(self, choices: Sequence[Sequence[str]]) -> Triple:
        """Return a random card of each category."""
        suspect, weapon, room = (self.chance.choice(cards) for cards in choices)
        return suspect, weapon, room

    def possible(self, view: CluedoView) -> set[str]:
        """Return the cards that may be in the envelope, to the player's knowledge."""
        return {card for triple in self.solutions(view) for card in triple}

    @abstractmethod
    def solutions(self, view: CluedoView) -> Sequence[Triple]:
        """Return the solutions that the player considers possible."""

    @abstractmethod
    def located(self, view: CluedoView) -> Mapping[str, str]:
        """Return the known locations of cards, by fluent."""

    def assess(self, view: CluedoView) -> Assessment:
        """Return the number of solutions that the player considers possible, and known places."""
        left = len(self.solutions(view))
        return Assessment(left, self.located(view), left == 1)


class FirstOrder(Detective):
    """Keeps a list of the cards that it has seen, and considers every triple of others possible.

    As in the study, passes and cards shown to others give it no information.
    """

    def solutions(self, view: CluedoView) -> Sequence[Triple]:
        """Return every triple without a seen card."""
        suspects, weapons, rooms = self._unseen(view)
        return [(s, w, r) for s in suspects for w in weapons for r in rooms]

    def possible(self, view: CluedoView) -> set[str]:
        """Return the cards that the player has not seen."""
        return {card for category in self._unseen(view) for card in category}

    def located(self, view: CluedoView) -> Mapping[str, str]:
        """Return the places of the seen cards, and of the solution if it is certain."""
        seen = seen_cards(view)
        places = {location(card): place for card, place in seen.items()}
        unseen = self._unseen(view)
        if all(len(category) == 1 for category in unseen):
            places.update({location(category[0]): ENVELOPE for category in unseen})
        return places

    def _unseen(self, view: CluedoView) -> list[list[str]]:
        seen = seen_cards(view)
        return [
            [card.id for card in category if card.id not in seen]
            for category in view.setup.edition.categories
        ]


class RandomAsker(FirstOrder):
    """Asks random questions, and keeps the first-order list in order to know when to accuse."""

    def suggest(self, view: CluedoView) -> Triple:
        """Return a random suspect, weapon and room."""
        return self.any_of(
            [[card.id for card in category] for category in view.setup.edition.categories]
        )


class HigherOrder(Detective):
    """Knows all consequences of its observations, including events between other players."""

    notices = True

    def __init__(self, engine: Engine, chance: Random) -> None:
        """Create a player with an engine and its own source of randomness."""
        super().__init__(engine, chance)
        # Caches: solutions are requested several times per event, and the same few triples recur.
        self._last: tuple[Perspective, Sequence[Triple]] | None = None
        self._triples: dict[frozenset[Atom], Triple] = {}

    def solutions(self, view: CluedoView) -> Sequence[Triple]:
        """Return the solutions at the worlds that the player considers possible, exactly."""
        if self._last is None or self._last[0] is not view.perspective:
            sets = self.engine.possibilities(view.perspective, envelope_atoms(view.setup))
            self._last = view.perspective, sorted(self._triple(view.setup, cards) for cards in sets)
        return self._last[1]

    def _triple(self, setup: Setup, inside: frozenset[Atom]) -> Triple:
        """Return the solution with these atoms, which state the cards in the envelope."""
        triple = self._triples.get(inside)
        if triple is None:
            cards = {atom.fluent.arguments[0] for atom in inside}
            suspect, weapon, room = (
                next(card.id for card in category if card.id in cards)
                for category in setup.edition.categories
            )
            triple = self._triples[inside] = suspect, weapon, room
        return triple

    def located(self, view: CluedoView) -> Mapping[str, str]:
        """Return the places of all cards whose place follows from the observations."""
        fluents = view.perspective.structure.vocabulary.fluents
        atoms = [
            atom for card in view.setup.edition.cards for atom in fluents[location(card.id)].atoms
        ]
        return self.engine.sheet(view.perspective, atoms).known()


def own_cards(view: CluedoView) -> list[str]:
    """Return the cards of the viewer's own hand."""
    return [card for card, place in seen_cards(view).items() if place == view.player]


def seen_cards(view: CluedoView) -> dict[str, str]:
    """Return the holder of each card that the player has seen: their own and shown cards."""
    seen = {
        atom.fluent.arguments[0]: atom.value
        for atom in view.perspective.seen
        if atom.fluent.functor == "location"
    }
    showers = {
        shown(public.turn): public.shower
        for public in view.record
        if isinstance(public, Suggestion) and public.player == view.player
    }
    for atom in view.perspective.seen:
        shower = showers.get(atom.fluent)
        if shower is not None:
            seen[atom.value] = shower
    return seen
