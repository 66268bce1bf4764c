"""Strategies: whom to ask for which card. Each strategy sees only its view."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Self

from symkripke.engines import Engine
from symkripke.errors import check_name
from symkripke.language import Atom
from symkripke.model import Perspective
from symkripke.play import Assessment
from symkripke.play.dealing import location
from symkripke.play.player import EnginePlayer
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.kwartet.knowledge import event as knowledge_of
from symkripke_games.kwartet.knowledge import remembered_as
from symkripke_games.kwartet.marks import BASIC, MEANT, THINKING, Marks
from symkripke_games.kwartet.notes import Conclusions, Hand, KwartetView, Notes, Reader, in_play
from symkripke_games.kwartet.rules import Ask, Question

Pair = tuple[str, str]
"""A question: the player to ask, and the card to ask for."""

EXACT = "exact"
"""The way of thinking that draws all conclusions."""


class Asker(EnginePlayer):
    """The base of all players, which see their hand and the open cards.

    A player sits at one table, and keeps notes of its conclusions there.
    """

    def __init__(self, engine: Engine, chance: Random) -> None:
        """Create a player without notes."""
        super().__init__(engine, chance)
        self.reader = Reader()
        self.notes: Conclusions = Notes(engine)

    def choose(self, view: KwartetView) -> Any:
        """Return a question, or a random choice where the rules list the legal moves."""
        decision = view.decision
        assert decision is not None
        if decision.options is not None:
            return self.chance.choice(decision.options)
        hand = Hand(view, self.reader)
        self.think(view, hand)
        return Ask(*self.question(hand))

    def think(self, view: KwartetView, hand: Hand) -> None:
        """Note the player's current knowledge."""
        self.note(view, hand)

    def note(self, view: KwartetView, hand: Hand) -> None:
        """Update the notes to the current perspective."""
        self.notes.read(view, self.reader)

    @abstractmethod
    def question(self, hand: Hand) -> Pair:
        """Return the question to ask."""

    def assess(self, view: KwartetView) -> Assessment:
        """Return the number of cards in play that the player cannot place, and the known places."""
        hand = Hand(view, self.reader)
        self.note(view, hand)
        places = {card: TABLE for card, place in hand.board.places.items() if place == TABLE}
        places.update(dict.fromkeys(hand.own, view.player))
        places.update(self.notes.located(in_play(hand), hand))
        located = {
            location(card.id): places[card.id] for card in view.setup.cards if card.id in places
        }
        left = len(view.setup.cards) - len(located)
        return Assessment(left, located, left == 0)


class RandomAsker(Asker):
    """Asks anybody for any card that the rules allow, including bluffs if they are allowed."""

    def think(self, view: KwartetView, hand: Hand) -> None:
        """Do nothing, because this player's questions need no conclusions."""

    def question(self, hand: Hand) -> Pair:
        """Return a random player with cards, and a random card of a group in the hand."""
        cards: Sequence[str] = hand.wanted
        if hand.setup.allow_bluff:
            cards = [card for group in hand.groups for card in hand.setup.cards_of[group]]
        return self.chance.choice(hand.others), self.chance.choice(cards)


class FirstOrder(Asker):
    """Asks for cards whose places it knows.

    If it knows the place of no card that it wants, it asks for a card that may be with a player who
    certainly holds a card of the group, or else for a card that may be with the asked player. Cards
    whose places everybody knows come first.
    """

    def question(self, hand: Hand) -> Pair:
        """Return a best question in the order of this class; choose randomly among equals."""
        wanted = hand.wanted
        return self.chance.choice(self.sure(hand, wanted) or self.guesses(hand, wanted))

    def sure(self, hand: Hand, cards: Sequence[str]) -> list[Pair]:
        """Return the questions for these cards to which the answer is known to be yes.

        If everybody knows the places of some of these cards, return questions for those cards only,
        because others can get them, too.
        """
        pairs = [(self.notes.public(card, hand), card) for card in cards]
        moved = [(player, card) for player, card in pairs if player is not None]
        if moved:
            return moved
        return [(player, card) for card, player in self.notes.located(cards, hand).items()]

    def guesses(self, hand: Hand, cards: Sequence[str]) -> list[Pair]:
        """Return the questions for these cards to which the answer may be yes.

        If some players are known to hold a card of the group, return only questions to them.
        """
        group_of = hand.setup.group_of
        possible: dict[Pair, list[str]] = {}
        for card, where in self.notes.places(cards, hand).items():
            for player in where:
                possible.setdefault((player, group_of[card]), []).append(card)
        likely = {
            (player, group): some
            for (player, group), some in possible.items()
            if self.notes.knows_group(player, some, hand)
        }
        return [
            (player, card) for (player, _), some in (likely or possible).items() for card in some
        ]


class Reasoner(FirstOrder):
    """A first-order player that can draw its conclusions in another way.

    `second-order:basic`, for example, reasons like the program of the Kwartet project
    (`symkripke_games.kwartet.marks`).
    """

    thinking = EXACT

    def __init__(self, engine: Engine, chance: Random, thinking: str | None = None) -> None:
        """Create a player with a way of thinking; by default, that of its kind."""
        super().__init__(engine, chance)
        thinking = thinking or self.thinking
        if thinking != EXACT:
            self.notes = Marks(thinking)

    @classmethod
    def tuned(cls, text: str) -> Callable[[Engine, Random], Self]:
        """Return a factory of players that think in the way named by `text`.

        Raises:
            UnknownName: there is no such way of thinking.
        """
        check_name("way of thinking", text, (EXACT, *THINKING))
        return partial(cls, thinking=text)

    def announced(self, hand: Hand, cards: Sequence[str]) -> list[str]:
        """Return the cards of groups that everybody knows the player to hold."""
        group_of = hand.setup.group_of
        groups = dict.fromkeys(group_of[card] for card in cards)
        announced = {group for group in groups if self.notes.is_told(group, hand)}
        return [card for card in cards if group_of[card] in announced]


class SecondOrder(Reasoner):
    """Like the first-order player, but before it asks, it considers what the others know.

    It prefers questions about groups that the others already know it to hold, because they reveal
    least. It does so among cards that it is sure to get, and again when it must guess. Its other
    groups stay secret.
    """

    def question(self, hand: Hand) -> Pair:
        """Return a question that surely succeeds, else a guess; prefer groups that are known."""
        wanted = hand.wanted
        sure = self.sure(hand, wanted)
        if sure:
            announced = set(self.announced(hand, [card for _, card in sure]))
            return self.chance.choice([pair for pair in sure if pair[1] in announced] or sure)
        return self.chance.choice(self.guesses(hand, self.announced(hand, wanted) or wanted))


class Patient(SecondOrder):
    """Asks only about groups that everybody knows it to hold, as long as it can.

    It therefore waits even to ask for cards whose places it knows, unless it can complete the group
    at once, so that nobody can use the information.
    """

    def question(self, hand: Hand) -> Pair:
        """Return a question about a group that can be completed; else prefer announced groups."""
        wanted = hand.wanted
        places = self.notes.located(wanted, hand)
        for group in hand.groups:
            lacking = [card for card in hand.setup.cards_of[group] if card not in hand.own]
            if all(card in places for card in lacking):
                return places[lacking[0]], lacking[0]
        cards = self.announced(hand, wanted) or wanted
        return self.chance.choice(self.sure(hand, cards) or self.guesses(hand, cards))


class Alternating(Patient):
    """Asks like the patient player in one turn, and like the first-order player in the next.

    The Kwartet project names alternating strategies as an improvement. A turn lasts until an answer
    is no. The first turn is patient.
    """

    def question(self, hand: Hand) -> Pair:
        """Return a patient question after an even number of turns, else a first-order one."""
        turns = sum(
            isinstance(public, Question) and public.player == hand.player and not public.given
            for public in hand.view.record
        )
        return FirstOrder.question(self, hand) if turns % 2 else super().question(hand)


class Focused(Reasoner):
    """Asks about one group at a time, in an order of its own, drawn by lot.

    It pays no attention to what the others know. Its share of wins shows what is gained by asking
    about few groups, without keeping the others secret.
    """

    def __init__(self, engine: Engine, chance: Random, thinking: str | None = None) -> None:
        """Create a player whose order of groups has a separate source of randomness."""
        super().__init__(engine, chance, thinking)
        self._order = Random(chance.random())
        self._rank: dict[str, float] = {}

    def question(self, hand: Hand) -> Pair:
        """Return a question about the first of the groups in the hand."""
        for group in hand.setup.cards_of:
            if group not in self._rank:
                self._rank[group] = self._order.random()
        first = min(hand.groups, key=self._rank.__getitem__)
        cards = [card for card in hand.wanted if hand.setup.group_of[card] == first]
        return self.chance.choice(self.sure(hand, cards) or self.guesses(hand, cards))


class FirstOrderAsCoded(Reasoner):
    """The first-order player of the Kwartet project, as its program plays.

    It asks for any card that it has located, else for a card that is not crossed out for a player
    with the group, else for any card that is not crossed out. `first-order-as-coded:advanced` adds
    the program's advanced thinking.
    """

    thinking = BASIC

    def sure(self, hand: Hand, cards: Sequence[str]) -> list[Pair]:
        """Return the questions for located cards, whether everybody knows their places or not."""
        return [(player, card) for card, player in self.notes.located(cards, hand).items()]


class SecondOrderAsCoded(FirstOrderAsCoded):
    """The second-order player of the Kwartet project, as its program plays.

    As long as everybody knows it to hold a group, it asks only about such groups, and leaves even
    located cards of other groups where they are. Within these groups it asks as the first-order
    player does. `second-order-as-coded:advanced` adds the program's advanced thinking.
    """

    def question(self, hand: Hand) -> Pair:
        """Return a question about announced groups, if there are any."""
        cards = self.announced(hand, hand.wanted) or hand.wanted
        return self.chance.choice(self.sure(hand, cards) or self.guesses(hand, cards))


class FirstOrderAsMeant(FirstOrderAsCoded):
    """The first-order player with advanced thinking as the Kwartet project describes it.

    The program stops this thinking at the first card with two possible places; this player goes on.
    """

    thinking = MEANT


class SecondOrderAsMeant(SecondOrderAsCoded):
    """The second-order player with advanced thinking as the Kwartet project describes it."""

    thinking = MEANT


class Forgetful(FirstOrder):
    """A first-order player that forgets each event with probability P, set by `--set forgets=P`.

    It never recalls a forgotten event, and does not notice that it forgets. It knows the
    consequences of the events that it remembers and of the cards that it can see
    (`knowledge.remembered_as`), so it is never wrong. Its memory is a separate structure, updated
    after each event.
    """

    def __init__(self, engine: Engine, chance: Random) -> None:
        """Create a player whose lapses of memory have a separate source of randomness.

        The lapses are therefore the same however often the player is asked for a move.
        """
        super().__init__(engine, chance)
        self.notes = self._kept = Notes(engine)
        self._lapses = Random(chance.random())
        self._memory: Perspective | None = None
        self._heard = Reader()
        self._count = 0

    def note(self, view: KwartetView, hand: Hand) -> None:
        """Update the notes to the player's memory."""
        self._kept.take(self.remembered(view))

    def remembered(self, view: KwartetView) -> Perspective:
        """Return the perspective of the events that the player remembers."""
        if self._memory is None:
            self._memory = view.perspective.after(0)
        setup = view.setup
        while self._count < len(view.record):
            public = view.record[self._count]
            self._count += 1
            before = self._memory.structure
            sizes = None if self._heard.board is None else self._heard.board.sizes
            if self._lapses.random() < setup.forgets:
                event = remembered_as(setup, public, before, sizes)
            else:
                event = knowledge_of(setup, public)
            heard = replace(view, record=view.record[: self._count])
            own = {location(card) for card in Hand(heard, self._heard).own}
            self._memory = self._memory.update(
                event,
                [
                    Atom(change.fluent, view.player)
                    for change in event.changes
                    if change.fluent in own and not isinstance(change.to, str)
                ],
            )
        return self._memory


STRATEGIES = {
    "second-order": SecondOrder,
    "first-order": FirstOrder,
    "patient": Patient,
    "forgetful": Forgetful,
    "random": RandomAsker,
    "alternating": Alternating,
    "focused": Focused,
    "first-order-as-coded": FirstOrderAsCoded,
    "second-order-as-coded": SecondOrderAsCoded,
    "first-order-as-meant": FirstOrderAsMeant,
    "second-order-as-meant": SecondOrderAsMeant,
}
