"""What a player keeps from question to question, so that it need not think everything anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from symkripke.engines import Engine, Mark
from symkripke.language import Atom, Formula, K
from symkripke.model import Fixed, Perspective
from symkripke.play import View
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.kwartet.knowledge import holds, holds_group
from symkripke_games.kwartet.rules import Board, Happening, Setup, location

KwartetView = View[Setup, Happening]


class Reader:
    """Follows the public record: after each event it has the board of that moment."""

    def __init__(self) -> None:
        """Nothing read yet."""
        self.board: Board | None = None
        self._record: Sequence[Happening] = ()

    def read(self, view: KwartetView) -> Board:
        """The board now; reads only what is new."""
        known, record = len(self._record), view.record
        if self.board is None or self.board.setup is not view.setup or not (
            len(record) >= known and (not known or record[known - 1] is self._record[-1])
        ):
            self.board, known = Board.of(view.setup), 0
        for public in record[known:]:
            self.board = self.board.after(public)
        self._record = record
        return self.board


class Hand:
    """What a player sees without thinking: its own cards, and what lies open.

    Attributes:
        setup: the setup.
        player: whose hand.
        board: what lies open.
    """

    def __init__(self, view: KwartetView, board: Board) -> None:
        """The hand at this moment."""
        self.setup = view.setup
        self.player = view.player
        self.board = board
        self._dealt = {
            atom.fluent for atom in view.perspective.seen if atom.value == view.player
        }

    @cached_property
    def own(self) -> frozenset[str]:
        """The cards that the player holds."""
        places = self.board.places
        return frozenset(
            card.id
            for card in self.setup.cards
            if (places[card.id] == self.player if card.id in places else location(card.id) in self._dealt)
        )

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of which the player holds a card, in the order of the deck."""
        group_of = self.setup.group_of
        held = {group_of[card] for card in self.own}
        return tuple(group for group in self.setup.cards_of if group in held)

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """The cards that the player may ask for: of its groups, and not its own."""
        own, cards_of = self.own, self.setup.cards_of
        return tuple(card for group in self.groups for card in cards_of[group] if card not in own)

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The other players that have cards, in seat order."""
        sizes = self.board.sizes
        return tuple(other for other in self.setup.players if other != self.player and sizes[other])


class Notes:
    """Where the player knows, or thinks possible, that cards are.

    What follows about the place of a card stays true until the card moves, and all moves are
    public: so only cards that are still open are asked about, and nothing is asked twice.
    """

    def __init__(self, engine: Engine) -> None:
        """Nothing known yet."""
        self._engine = engine
        self._perspective: Perspective | None = None
        self._possible: dict[str, tuple[str, tuple[str, ...]]] = {}
        """For each card that is open the version of its place, and the places it might have."""

    def take(self, perspective: Perspective) -> None:
        """Stand at this perspective: what is asked from now on is about it."""
        if self._perspective is None or self._perspective.structure.root is not (
            perspective.structure.root
        ):
            self._possible = {}
        self._perspective = perspective

    def public(self, card: str) -> str | None:
        """The place of the card if everybody knows it."""
        assert self._perspective is not None
        version = self._perspective.structure.versions.get(location(card))
        return version.value if isinstance(version, Fixed) else None

    def places(self, cards: Sequence[str], hand: Hand) -> Mapping[str, tuple[str, ...]]:
        """For each of these cards (none of them own) the places it might have."""
        assert self._perspective is not None
        found: dict[str, tuple[str, ...]] = {}
        asked: list[tuple[str, str, tuple[str, ...]]] = []
        everybody = (*(other for other in hand.setup.players if other != hand.player),)
        for card in cards:
            name = location(card)
            version = self._perspective.structure.versions.get(name, name)
            if isinstance(version, Fixed):
                found[card] = (version.value,)
                continue
            kept, places = self._possible.get(card, ("", ()))
            if kept != version:
                places = everybody
            if len(places) == 1:
                found[card] = places
            else:
                asked.append((card, version, places))
        if asked:
            atoms = [holds(place, card) for card, _, places in asked for place in places]
            sheet = iter(self._engine.sheet(self._perspective, atoms).marks)
            for card, version, places in asked:
                found[card] = tuple(p for p in places if next(sheet) is not Mark.NO)
                self._possible[card] = version, found[card]
        return found

    def knows(self, formula: Formula) -> bool:
        """Whether the player knows this now."""
        assert self._perspective is not None
        return bool(self._engine.holds(self._perspective, K(self._perspective.agent, formula)))

    def knows_group(self, hand: Hand, player: str, group: str) -> bool:
        """Whether it knows that `player` holds a card of the group now."""
        return self.knows(holds_group(hand.setup, player, group))


def in_play(hand: Hand) -> list[str]:
    """The cards that are with the others."""
    places = hand.board.places
    return [
        card.id
        for card in hand.setup.cards
        if card.id not in hand.own and places.get(card.id) != TABLE
    ]


def atom_of(card: str, place: str) -> Atom:
    """The atom of a card and a place."""
    return holds(place, card)
