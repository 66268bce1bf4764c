"""The question cards: four face up in front of each player, and the others in one pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from symkripke.errors import RuleError, check_name
from symkripke_games.sleuth.setup import ROW, Setup

Rows = Mapping[str, tuple[str, ...]]
"""The question cards that lie face up in front of each player."""


@dataclass(frozen=True)
class Deck:
    """The places of the question cards, which are public except for the order of unseen cards.

    Attributes:
        rows: the question cards in front of each player.
        unseen: the cards in the pile that nobody has seen, sorted. They are drawn in random order.
        used: the used cards below the unseen cards in the pile. They are drawn in this order.
    """

    rows: Rows
    unseen: tuple[str, ...]
    used: tuple[str, ...] = ()

    @classmethod
    def of(cls, setup: Setup, rows: Rows) -> Deck:
        """Return the deck after these first rows have been laid.

        Raises:
            RuleError: a row has the wrong size, or the deck does not have its cards.
        """
        cards = Counter(setup.edition.cards)
        for player in rows:
            check_name("player", player, setup.players)
        for player in setup.players:
            row = rows.get(player, ())
            if len(row) != ROW:
                raise RuleError(
                    f"expected {ROW} question cards before {player}, got {len(row)} "
                    "(none before anybody, if they are not written down)"
                )
            for card in row:
                check_name("question card", card, setup.edition.cards)
                cards[card] -= 1
                if cards[card] < 0:
                    raise RuleError(f"there are not that many question cards {card!r}")
        return cls(dict(rows), tuple(sorted(cards.elements())))

    @property
    def next(self) -> tuple[str, ...]:
        """The cards that may be drawn now; a card with two copies is listed twice."""
        return self.unseen or self.used[:1]

    def use(self, player: str, card: str) -> Deck:
        """Return the deck after a player has used a card, which goes to the bottom of the pile.

        Raises:
            RuleError: the player does not have the card.
        """
        row = list(self.rows[player])
        if card not in row:
            raise RuleError(
                f"expected one of the question cards before {player} ({', '.join(row)}), "
                f"got {card!r}"
            )
        row.remove(card)
        return replace(self, rows={**self.rows, player: tuple(row)}, used=(*self.used, card))

    def draw(self, player: str, card: str) -> Deck:
        """Return the deck after a player has drawn this card from the top of the pile.

        Raises:
            RuleError: the card cannot be drawn now.
        """
        if card not in self.next:
            raise RuleError(f"the question card {card!r} cannot be drawn now")
        unseen, used = list(self.unseen), self.used
        if unseen:
            unseen.remove(card)
        else:
            used = used[1:]
        rows = {**self.rows, player: (*self.rows[player], card)}
        return Deck(rows, tuple(unseen), used)


def shuffled(setup: Setup, chance: Random) -> dict[str, tuple[str, ...]]:
    """Return random first rows."""
    cards = list(setup.edition.cards)
    chance.shuffle(cards)
    return {
        player: tuple(cards[ROW * seat : ROW * seat + ROW])
        for seat, player in enumerate(setup.players)
    }
