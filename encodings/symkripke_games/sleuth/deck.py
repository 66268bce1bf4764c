"""The question cards: four face up before each player, the others in one pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from symkripke.errors import RuleError, check_name
from symkripke_games.sleuth.setup import ROW, Setup

Rows = Mapping[str, tuple[str, ...]]
"""The question cards that lie face up before each player."""


@dataclass(frozen=True)
class Deck:
    """Where the question cards are. All of this is public except the order of the unseen cards.

    Attributes:
        rows: what lies before each player.
        unseen: the cards of the pile that nobody has seen, sorted; they are drawn in any order.
        used: the used cards, which lie below the unseen ones; they are drawn in this order.
    """

    rows: Rows
    unseen: tuple[str, ...]
    used: tuple[str, ...] = ()

    @classmethod
    def of(cls, setup: Setup, rows: Rows) -> Deck:
        """Return the first rows are laid; raise `RuleError` if the deck has no such cards."""
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
        """The cards that may be drawn now; a card that the pile has twice is listed twice."""
        return self.unseen or self.used[:1]

    def use(self, player: str, card: str) -> Deck:
        """Return a card goes from before a player to the bottom of the pile; raise `RuleError`."""
        row = list(self.rows[player])
        if card not in row:
            raise RuleError(
                f"expected one of the question cards before {player} ({', '.join(row)}), "
                f"got {card!r}"
            )
        row.remove(card)
        return replace(self, rows={**self.rows, player: tuple(row)}, used=(*self.used, card))

    def draw(self, player: str, card: str) -> Deck:
        """Draw this card from the top of the pile; raise `RuleError` if impossible."""
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
    """Return the first rows, by chance."""
    cards = list(setup.edition.cards)
    chance.shuffle(cards)
    return {
        player: tuple(cards[ROW * seat : ROW * seat + ROW])
        for seat, player in enumerate(setup.players)
    }
