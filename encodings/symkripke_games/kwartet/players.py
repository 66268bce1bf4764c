"""Strategies: whom to ask for which card. Each sees its view only."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from symkripke.engines import Engine
from symkripke.language import K
from symkripke.model import Perspective
from symkripke.play import Assessment
from symkripke_games.kwartet.knowledge import holds_group
from symkripke_games.kwartet.notes import Hand, KwartetView, Notes, Reader, in_play
from symkripke_games.kwartet.rules import Ask, location

Pair = tuple[str, str]
"""A question: the player to ask, and the card to ask for."""


class Asker:
    """What all players share: they see their hand and what lies open, and draw lots alike."""

    def __init__(self, engine: Engine, chance: Random) -> None:
        """A player that asks this engine, with a source of chance of its own."""
        self.engine = engine
        self.chance = chance
        self.reader = Reader()
        self.notes = Notes(engine)

    def choose(self, view: KwartetView) -> Any:
        """Ask; or, where the rules leave little choice, one of the moves there are."""
        decision = view.decision
        assert decision is not None
        if decision.options is not None:
            return self.chance.choice(decision.options)
        hand = Hand(view, self.reader.read(view))
        self.notes.take(self.perspective(view, hand))
        return Ask(*self.question(hand))

    def perspective(self, view: KwartetView, hand: Hand) -> Perspective:
        """What the player has seen, as far as it remembers it."""
        return view.perspective

    @abstractmethod
    def question(self, hand: Hand) -> Pair:
        """The question to ask."""

    def assess(self, view: KwartetView) -> Assessment:
        """The cards in play that it cannot place, and the cards that it can."""
        hand = Hand(view, self.reader.read(view))
        self.notes.take(self.perspective(view, hand))
        places = {card: (place,) for card, place in hand.board.places.items()}
        places.update({card: (view.player,) for card in hand.own})
        places.update(self.notes.places(in_play(hand), hand))
        located = {
            location(card.id): places[card.id][0]
            for card in view.setup.cards
            if len(places[card.id]) == 1
        }
        left = len(places) - len(located)
        return Assessment(left, located, left == 0)


class RandomAsker(Asker):
    """Asks anybody for anything that it may ask for."""

    def question(self, hand: Hand) -> Pair:
        """Any player with cards, any card of its groups that it does not hold."""
        return self.chance.choice(hand.others), self.chance.choice(hand.wanted)


class FirstOrder(Asker):
    """Asks for what it can get, by all that it knows of the cards.

    A card that it knows to be there; else a card that may be with a player that it knows to hold
    the group; else a card that may be there. (A card that has moved in the open needs no
    thinking: such a one comes first.)
    """

    def question(self, hand: Hand) -> Pair:
        """The best by that order; among equals by chance."""
        open_moves = self.public(hand)
        if open_moves:
            return self.pick(hand, open_moves)
        places = self.notes.places(hand.wanted, hand)
        known = [(where[0], card) for card, where in places.items() if len(where) == 1]
        if known:
            return self.pick(hand, known)
        maybe = [(player, card) for card, where in places.items() for player in where]
        likely = self.likely(hand, maybe)
        return self.pick(hand, likely or maybe)

    def public(self, hand: Hand) -> list[Pair]:
        """The wanted cards of which all know who has them."""
        found = [(self.notes.public(card), card) for card in hand.wanted]
        return [(player, card) for player, card in found if player is not None]

    def likely(self, hand: Hand, maybe: Iterable[Pair]) -> list[Pair]:
        """Those of these questions that go to a player known to hold a card of the group."""
        group_of = hand.setup.group_of
        holders: dict[Pair, bool] = {}
        found = []
        for player, card in maybe:
            key = player, group_of[card]
            if key not in holders:
                holders[key] = self.notes.knows_group(hand, *key)
            if holders[key]:
                found.append((player, card))
        return found

    def pick(self, hand: Hand, questions: Sequence[Pair]) -> Pair:
        """One of these, which are equally good so far: by chance."""
        return self.chance.choice(questions)


class SecondOrder(FirstOrder):
    """Like the first-order player, but keeps its groups secret as long as it can.

    Of questions that are equally good it prefers those about groups that all others already
    know it to hold: they tell least.
    """

    def pick(self, hand: Hand, questions: Sequence[Pair]) -> Pair:
        """One about a group that is no secret, if there is one."""
        group_of = hand.setup.group_of
        groups = dict.fromkeys(group_of[card] for _, card in questions)
        if len(groups) > 1:
            told = {group for group in groups if self.is_told(hand, group)}
            questions = [one for one in questions if group_of[one[1]] in told] or questions
        return self.chance.choice(questions)

    def is_told(self, hand: Hand, group: str) -> bool:
        """Whether the player knows that every other one knows that it holds the group."""
        mine = holds_group(hand.setup, hand.player, group)
        return all(self.notes.knows(K(other, mine)) for other in hand.others)


MINDS = {
    "first-order": FirstOrder,
    "second-order": SecondOrder,
    "random": RandomAsker,
}
