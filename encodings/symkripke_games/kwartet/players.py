"""Strategies: whom to ask for which card. Each sees its view only."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from symkripke.engines import Engine
from symkripke.language import Atom
from symkripke.model import Perspective
from symkripke.play import Assessment
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.kwartet.knowledge import event as knowledge_of
from symkripke_games.kwartet.knowledge import holds_group, remembered_as
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
        places = {card: (place,) for card, place in hand.board.places.items() if place == TABLE}
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
        return self.pick(hand, self.likely(hand, maybe) or maybe)

    def public(self, hand: Hand) -> list[Pair]:
        """The wanted cards of which all know who has them."""
        found = [(self.notes.public(card), card) for card in hand.wanted]
        return [(player, card) for player, card in found if player is not None]

    def likely(self, hand: Hand, maybe: Sequence[Pair]) -> list[Pair]:
        """Those of these questions that go to a player known to hold a card of the group."""
        group_of = hand.setup.group_of
        cards: dict[Pair, list[str]] = {}
        for player, card in maybe:
            cards.setdefault((player, group_of[card]), []).append(card)
        return [
            (player, card)
            for (player, group), some in cards.items()
            if self.notes.knows_group(player, group, some)
            for card in some
        ]

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
        """Whether it follows from what all have seen that the player holds the group.

        Then all know, and know that all know: for what can be said without operators of
        knowledge, to follow from the law is to be common knowledge.
        """
        if any(hand.board.places.get(card) == hand.player for card in hand.setup.cards_of[group]):
            return True  # it was given one in the open
        mine = holds_group(hand.setup, hand.player, group)
        return bool(self.engine.valid(self.notes.perspective.structure, mine))


class Patient(SecondOrder):
    """Waits: as long as it can, it asks only about groups that all know it to hold.

    Also for cards of which it knows where they are; except where it then gets all that it lacks
    of the group, so that nobody has use for what it tells.
    """

    def question(self, hand: Hand) -> Pair:
        """A card that completes a group; else the best about a group that is no secret."""
        group_of, cards_of = hand.setup.group_of, hand.setup.cards_of
        places = self.notes.places(hand.wanted, hand)
        for group in hand.groups:
            lacking = [card for card in cards_of[group] if card not in hand.own]
            if all(len(places[card]) == 1 for card in lacking):
                return places[lacking[0]][0], lacking[0]
        told = [group for group in hand.groups if self.is_told(hand, group)]
        if told:
            hand.wanted = tuple(card for card in hand.wanted if group_of[card] in told)
        return super().question(hand)


class Forgetful(FirstOrder):
    """A first-order player that forgets each event with the probability `Setup.forgets`.

    For ever, and without knowing it; it knows what follows from the events that it remembers
    and from what lies before its eyes (`knowledge.remembered_as`), so it is never wrong. Its
    memory is a structure of its own that grows event by event.
    """

    def __init__(self, engine: Engine, chance: Random) -> None:
        """A player whose lapses have a source of chance of their own.

        So they are the same however often it is asked.
        """
        super().__init__(engine, chance)
        self._lapses = Random(chance.random())
        self._memory: Perspective | None = None
        self._heard = Reader()
        self._count = 0

    def perspective(self, view: KwartetView, hand: Hand) -> Perspective:
        """What it remembers of what it has seen."""
        if self._memory is None:
            self._memory = view.perspective.after(0)
        setup = view.setup
        while self._count < len(view.record):
            public = view.record[self._count]
            self._count += 1
            before = self._memory.structure
            if self._lapses.random() < setup.forgets:
                event = remembered_as(setup, public, before)
            else:
                event = knowledge_of(setup, public)
            board = self._heard.read(replace(view, record=view.record[: self._count]))
            own = {location(card) for card in Hand(view, board).own}
            self._memory = self._memory.update(
                event,
                [
                    Atom(change.fluent, view.player)
                    for change in event.changes
                    if change.fluent in own and not isinstance(change.to, str)
                ],
            )
        return self._memory


MINDS = {
    "second-order": SecondOrder,
    "first-order": FirstOrder,
    "patient": Patient,
    "forgetful": Forgetful,
    "random": RandomAsker,
}
