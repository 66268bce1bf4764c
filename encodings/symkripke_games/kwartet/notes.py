"""The notes of a player, which keep their conclusions between questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from symkripke.engines import Engine, Mark
from symkripke.language import K, disjunction
from symkripke.model import Fixed, KnowledgeStructure, Perspective
from symkripke.play import View
from symkripke.play.dealing import location
from symkripke.play.hands import holds
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.kwartet.knowledge import holds_group
from symkripke_games.kwartet.rules import Board, Happening, Opening, Setup

KwartetView = View[Setup, Happening]


class Reader:
    """A reader of the public record that keeps the current board and the player's own cards."""

    def __init__(self) -> None:
        """Create a reader that has read no events."""
        self.board: Board | None = None
        self.dealt: frozenset[str] = frozenset()
        """The cards that the player was dealt."""
        self.own: set[str] = set()
        """The cards that the player holds now."""
        self.games = 0
        """The number of restarts: one for each game, and one for each step back."""
        self._record: Sequence[Happening] = ()

    def read(self, view: KwartetView) -> Board:
        """Return the current board, after reading the new events only."""
        known, record = len(self._record), view.record
        if (
            self.board is None
            or self.board.setup is not view.setup
            or not (len(record) >= known and (not known or record[known - 1] is self._record[-1]))
        ):
            self.board, known = Board.of(view.setup), 0
            self.games += 1
            card_at = view.setup.card_at
            self.dealt = frozenset(
                card_at[atom.fluent] for atom in view.dealt.seen if atom.value == view.player
            )
            self.own = set(self.dealt)
        for public in record[known:]:
            if isinstance(public, Opening) or public.given:  # otherwise no card has moved
                self.board = self.board.after(public)
                self._move(public, view)
        self._record = record
        return self.board

    def _move(self, public: Happening, view: KwartetView) -> None:
        """Update the player's own cards after an event in which cards move."""
        if isinstance(public, Opening):
            for group in public.down:
                self.own.difference_update(view.setup.cards_of[group])
        elif public.down:
            self.own.difference_update(view.setup.cards_of[view.setup.group_of[public.card]])
        elif public.player == view.player:
            self.own.add(public.card)
        elif public.asked == view.player:
            self.own.discard(public.card)


class Hand:
    """The cards that a player sees without reasoning: their own hand and the open cards.

    Attributes:
        view: the player's view.
        setup: the setup.
        player: the player who holds the hand.
        board: the open cards.
        own: the cards that the player holds.
    """

    def __init__(self, view: KwartetView, reader: Reader) -> None:
        """Take the current hand, after the reader has read the record of the view."""
        self.view = view
        self.setup = view.setup
        self.player = view.player
        self.board = reader.read(view)
        self.own = frozenset(reader.own)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups in which the player holds a card, in the order of the deck."""
        group_of = self.setup.group_of
        held = {group_of[card] for card in self.own}
        return tuple([group for group in self.setup.cards_of if group in held])

    @property
    def wanted(self) -> tuple[str, ...]:
        """The cards that the player may ask for without bluffing: those that their groups lack."""
        own, group_of = self.own, self.setup.group_of
        held = {group_of[card] for card in own}
        return tuple(
            [
                card
                for group, cards in self.setup.cards_of.items()
                if group in held
                for card in cards
                if card not in own
            ]
        )

    @property
    def others(self) -> tuple[str, ...]:
        """The other players with cards, in seat order."""
        sizes, me = self.board.sizes, self.player
        return tuple([other for other in self.setup.players if other != me and sizes[other]])


class Conclusions(ABC):
    """The conclusions of a player about the cards, in some way of thinking."""

    @abstractmethod
    def read(self, view: KwartetView, reader: Reader) -> None:
        """Take in the new events of a view; later calls refer to it.

        Args:
            view: the player's view.
            reader: a reader of the player, which has read the view.
        """

    @abstractmethod
    def public(self, card: str, hand: Hand) -> str | None:
        """Return the place of the card if everybody knows it."""

    @abstractmethod
    def places(self, cards: Sequence[str], hand: Hand) -> Mapping[str, tuple[str, ...]]:
        """Return the possible places of each of these cards. The player holds none of them."""

    @abstractmethod
    def located(self, cards: Sequence[str], hand: Hand) -> Mapping[str, str]:
        """Return the places of those of these cards of which the player knows it."""

    @abstractmethod
    def is_told(self, group: str, hand: Hand) -> bool:
        """Return whether everybody knows that the player holds a card of the group."""

    @abstractmethod
    def knows_group(self, player: str, cards: Sequence[str], hand: Hand) -> bool:
        """Return whether the player knows that `player` holds at least one of these cards.

        The cards belong to one group. Each of them may be with `player`, but none is certain.
        """


class Notes(Conclusions):
    """The places where the player knows cards to be, or considers them possible.

    These are all consequences of what the player has observed.

    A conclusion about a card stays true until the card moves, which everybody sees. The engine is
    therefore asked only about open cells of the note sheet.
    """

    def __init__(self, engine: Engine) -> None:
        """Create empty notes."""
        self._engine = engine
        self._perspective: Perspective | None = None
        self._possible: dict[str, tuple[str, tuple[str, ...]]] = {}
        """For each card that the engine was asked about, the fluent of its place and its values."""
        self._now: dict[str, tuple[str, ...]] = {}
        """The possible places of cards, as computed for the current perspective."""

    def read(self, view: KwartetView, reader: Reader) -> None:
        """Update the notes to the perspective of the view."""
        self.take(view.perspective)

    def take(self, perspective: Perspective) -> None:
        """Update the notes to this perspective; later calls refer to it."""
        known = self._perspective
        if known is perspective:
            return
        if known is None or not _continues(known, perspective):
            self._possible = {}
        self._perspective, self._now = perspective, {}

    @property
    def perspective(self) -> Perspective:
        """The perspective of the latest call of `take`."""
        assert self._perspective is not None
        return self._perspective

    def _version(self, card: str) -> str | Fixed:
        name = location(card)
        return self.perspective.structure.versions.get(name, name)

    def public(self, card: str, hand: Hand) -> str | None:
        """Return the place of the card if everybody knows it."""
        version = self._version(card)
        return version.value if isinstance(version, Fixed) else None

    def places(self, cards: Sequence[str], hand: Hand) -> Mapping[str, tuple[str, ...]]:
        """Return the possible places of each of these cards. The player holds none of them."""
        current = self._now
        asked: list[tuple[str, str, tuple[str, ...]]] = []
        everybody = tuple(other for other in hand.setup.players if other != hand.player)
        for card in cards:
            if card in current:
                continue
            version = self._version(card)
            if isinstance(version, Fixed):
                current[card] = (version.value,)
                continue
            kept, places = self._possible.get(card, ("", ()))
            if kept != version:
                places = everybody
            if len(places) == 1:
                current[card] = places
            else:
                asked.append((card, version, places))
        if asked:
            atoms = [holds(place, card) for card, _, places in asked for place in places]
            marks = iter(self._engine.sheet(self.perspective, atoms).marks)
            for card, version, places in asked:
                current[card] = tuple(place for place in places if next(marks) is not Mark.NO)
                self._possible[card] = version, current[card]
        return {card: current[card] for card in cards}

    def located(self, cards: Sequence[str], hand: Hand) -> Mapping[str, str]:
        """Return the places of the cards that have one possible place only."""
        places = self.places(cards, hand)
        return {card: where[0] for card, where in places.items() if len(where) == 1}

    def is_told(self, group: str, hand: Hand) -> bool:
        """Return whether everybody knows that the owner of the notes holds a card of the group."""
        return is_told(self._engine, self.perspective.structure, hand.board, hand.player, group)

    def knows_group(self, player: str, cards: Sequence[str], hand: Hand) -> bool:
        """Return whether the owner knows that `player` holds at least one of these cards.

        The cards belong to one group. Each of them may be with `player`, but none is certain.
        """
        if len(cards) < 2:
            return False  # a single card that the player might not hold
        one_of = disjunction([holds(player, card) for card in cards])
        return bool(self._engine.holds(self.perspective, K(self.perspective.agent, one_of)))


def is_told(
    engine: Engine, structure: KnowledgeStructure, board: Board, player: str, group: str
) -> bool:
    """Return whether it is common knowledge that the player holds a card of the group.

    A formula without knowledge operators is common knowledge if it follows from the law.
    """
    if any(board.places.get(card) == player for card in board.setup.cards_of[group]):
        return True  # the player was given a card of the group in public
    return bool(engine.valid(structure, holds_group(board.setup, player, group)))


def _continues(before: Perspective, after: Perspective) -> bool:
    """Return whether `after` is a later perspective of the same player in the same game."""
    past, stage = after.structure.history.past, before.structure
    place = len(stage.history.past)
    same = after.structure is stage or (place < len(past) and past[place] is stage)
    return same and before.seen <= after.seen


def in_play(hand: Hand) -> list[str]:
    """Return the cards that the other players hold."""
    places = hand.board.places
    return [
        card.id
        for card in hand.setup.cards
        if card.id not in hand.own and places.get(card.id) != TABLE
    ]
