"""The rules of Fireworks with one colour for two players, without any logic.

Players see the other player's cards but not their own. A turn is a clue (which of the other
player's cards have some rank), a play (the card must have the next rank), or a discard, which
returns a clue. Cards are named by their position in the shuffled deck, from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from symkripke.errors import RuleError, UnknownName
from symkripke.model import World
from symkripke.play import Decision, Outcome, Public
from symkripke.play import Setup as BaseSetup

SEATS = {"classic": (2, 2)}
DECK, TABLE = "deck", "table"
LIVES = 2


class Setup(BaseSetup, frozen=True, kw_only=True):
    """The players, and the numbers of ranks, cards in a hand and clues."""

    ranks: int
    hand: int
    clues: int

    @property
    def deck(self) -> tuple[str, ...]:
        """The ranks of all cards: three of the first, one of the last, two of each other rank."""
        numbers = [3, *[2] * (self.ranks - 2), 1]
        return tuple(str(rank) for rank, n in enumerate(numbers, 1) for _ in range(n))

    @property
    def cards(self) -> range:
        """The cards, by position in the shuffled deck."""
        return range(1, len(self.deck) + 1)

    @property
    def hands(self) -> dict[str, tuple[int, ...]]:
        """The initial hands: the first player has the first cards."""
        return {
            player: tuple(range(seat * self.hand + 1, (seat + 1) * self.hand + 1))
            for seat, player in enumerate(self.players)
        }

    def other(self, player: str) -> str:
        """Return the other player."""
        return next(name for name in self.players if name != player)


class Clue(Public, frozen=True, kw_only=True, tag="clue"):
    """A clue tells the other player which of their cards have a rank."""

    player: str
    rank: str
    cards: tuple[int, ...]


class Put(Public, frozen=True, kw_only=True, tag="put"):
    """A card is played (`fits` is whether it had the next rank) or discarded (`fits` is None)."""

    player: str
    card: int
    rank: str
    fits: bool | None = None
    drawn: int | None = None


Happening = Clue | Put


@dataclass(frozen=True, slots=True)
class Tell:
    """The move of giving a clue."""

    rank: str


@dataclass(frozen=True, slots=True)
class Play:
    """The move of playing a card."""

    card: int


@dataclass(frozen=True, slots=True)
class Discard:
    """The move of discarding a card."""

    card: int


def rank_name(card: int) -> str:
    """Return the fluent for the rank of a card."""
    return f"card({card})"


def holder_name(card: int) -> str:
    """Return the fluent for the place of a card, which everybody sees."""
    return f"holder({card})"


def make_setup(
    rules: str, players: tuple[str, ...], ranks: int = 5, hand: int = 3, clues: int = 4
) -> Setup:
    """Return a setup. Raise `InputError` if an option is invalid."""
    return Setup(rules=rules, players=players, ranks=ranks, hand=hand, clues=clues)


def check_setup(setup: Setup) -> None:
    """Raise `RuleError` if nobody can play this setup."""
    if not 2 <= setup.ranks <= 9:
        raise RuleError(f"expected 2 to 9 ranks, got {setup.ranks}")
    if not 1 <= setup.hand <= len(setup.deck) // 2:
        raise RuleError(f"expected 1 to {len(setup.deck) // 2} cards a hand, got {setup.hand}")
    if not 0 <= setup.clues <= 20:
        raise RuleError(f"expected 0 to 20 clues, got {setup.clues}")


def holders(setup: Setup) -> dict[str, str]:
    """Return the initial places of the cards."""
    held = {card: player for player, cards in setup.hands.items() for card in cards}
    return {holder_name(card): held.get(card, DECK) for card in setup.cards}


def make_deal(setup: Setup, chance: Random) -> dict[str, str]:
    """Shuffle the deck, and return the rank and the place of each card."""
    ranks = list(setup.deck)
    chance.shuffle(ranks)
    shuffled = {rank_name(card): rank for card, rank in zip(setup.cards, ranks, strict=True)}
    return {**shuffled, **holders(setup)}


def check_deal(setup: Setup, deal: World) -> None:
    """Raise `RuleError` if the deck does not have these cards."""
    names = [rank_name(card) for card in setup.cards]
    for name in (*names, *holders(setup)):
        if name not in deal:
            raise RuleError(f"the deal does not say what {name} is")
    for name in deal:
        if name not in names and name not in holders(setup):
            raise UnknownName("fluent in the deal", name, (*names, *holders(setup)))
    if sorted(deal[name] for name in names) != sorted(setup.deck):
        raise RuleError(f"expected the ranks {' '.join(setup.deck)} in some order")
    if any(deal[name] != place for name, place in holders(setup).items()):
        raise RuleError("expected the first cards in the hands, the others in the deck")


@dataclass(frozen=True)
class State:
    """A position; see `symkripke.play.GameState`."""

    setup: Setup
    deal: World | None
    hands: Mapping[str, tuple[int, ...]]
    mover: str
    turn: int = 1
    built: int = 0
    clues: int = 0
    lives: int = LIVES
    drawn: int = 0
    left: int | None = None

    @classmethod
    def first(cls, setup: Setup, deal: World | None) -> State:
        """Return the position before the first turn."""
        drawn = 2 * setup.hand
        left = 2 if drawn == len(setup.deck) else None
        first = setup.players[0]
        return cls(setup, deal, setup.hands, first, clues=setup.clues, drawn=drawn, left=left)

    @property
    def decision(self) -> Decision | None:
        """The next decision; its options include only clues about cards that the mover sees."""
        if self.result is not None:
            return None
        return Decision(self.mover, "act", None if self.deal is None else self._options(self.deal))

    def _options(self, deal: World) -> tuple[Tell | Play | Discard, ...]:
        seen = {deal[rank_name(card)] for card in self.hands[self.setup.other(self.mover)]}
        tells = [Tell(rank) for rank in sorted(seen)] if self.clues else []
        mine = self.hands[self.mover]
        discards = [Discard(card) for card in mine] if self.clues < self.setup.clues else []
        return (*tells, *map(Play, mine), *discards)

    @property
    def next_drawn(self) -> int | None:
        """The next card in the deck; None if the deck is empty."""
        return self.drawn + 1 if self.drawn < len(self.setup.deck) else None

    @property
    def result(self) -> str | None:
        """The result of the game, or None before its end."""
        if self.built == self.setup.ranks:
            return f"all {self.built} ranks are built: both win"
        if not self.lives:
            return f"too many mistakes: {self.built} ranks were built"
        if self.left == 0 or not self.hands[self.mover]:
            return f"the deck is empty: {self.built} ranks were built"
        return None

    @property
    def winners(self) -> tuple[str, ...]:
        """Both players or none."""
        return self.setup.players if self.built == self.setup.ranks else ()

    @property
    def out(self) -> frozenset[str]:
        """The empty set, because nobody drops out."""
        return frozenset()

    def play(self, move: Any) -> tuple[State, Outcome[Happening] | None]:
        """Make a move; return the new position and the event."""
        if self.result is not None:
            raise RuleError(f"the game is over: {self.result}")
        if self.deal is None:
            raise RuleError("the game can only be continued by somebody who knows the cards")
        if move not in self._options(self.deal):
            raise RuleError(f"{self.mover} cannot {move}: it holds {self.hands[self.mover]}")
        public: Happening
        secret: dict[str, str] = {}
        if isinstance(move, Tell):
            public = Clue(
                turn=self.turn,
                player=self.mover,
                rank=move.rank,
                cards=self._touched(self.deal, move.rank),
            )
        else:
            rank = self.deal[rank_name(move.card)]
            drawn = self.next_drawn
            public = Put(
                turn=self.turn,
                player=self.mover,
                card=move.card,
                rank=rank,
                fits=rank == str(self.built + 1) if isinstance(move, Play) else None,
                drawn=drawn,
            )
            if drawn is not None:
                secret = {rank_name(drawn): self.deal[rank_name(drawn)]}
        return self._after(public), Outcome(public, secret)

    def _touched(self, deal: World, rank: str) -> tuple[int, ...]:
        hand = self.hands[self.setup.other(self.mover)]
        return tuple(card for card in hand if deal[rank_name(card)] == rank)

    def follow(self, outcome: Outcome[Happening]) -> State:
        """Return the position after a recorded event."""
        public = outcome.public
        if self.result is not None:
            raise RuleError(f"an event after the end of the game ({self.result})")
        if (public.turn, public.player) != (self.turn, self.mover):
            raise RuleError(f"expected {self.mover} in turn {self.turn}, got {public.player}")
        if isinstance(public, Clue):
            hand = self.hands[self.setup.other(self.mover)]
            if not self.clues or not public.cards or not set(public.cards) <= set(hand):
                raise RuleError(f"expected a clue about some of the cards {hand}")
        else:
            self._check_put(public)
        for name, rank in outcome.secret.items():
            if isinstance(public, Clue) or name != rank_name(public.drawn or 0):
                raise RuleError(f"there is no secret {name!r} in this event")
            if rank not in self.setup.deck:
                raise UnknownName("rank", rank, self.setup.deck)
        if self.deal is not None:
            self._check_truth(public)
        return self._after(public)

    def _check_put(self, public: Put) -> None:
        if public.card not in self.hands[self.mover]:
            raise RuleError(f"expected one of {self.mover}'s cards, got {public.card}")
        if public.rank not in self.setup.deck:
            raise UnknownName("rank", public.rank, self.setup.deck)
        if public.fits not in (None, public.rank == str(self.built + 1)):
            raise RuleError(f"rank {public.rank} on {self.built}: expected to be told if it fits")
        if public.fits is None and self.clues == self.setup.clues:
            raise RuleError("no clue has been used: nothing can be discarded")
        if public.drawn != self.next_drawn:
            raise RuleError(f"expected card {self.next_drawn} to be drawn, got {public.drawn}")

    def _check_truth(self, public: Happening) -> None:
        assert self.deal is not None
        if isinstance(public, Clue):
            if public.cards != self._touched(self.deal, public.rank):
                raise RuleError(f"the clue about rank {public.rank} is wrong")
        elif self.deal[rank_name(public.card)] != public.rank:
            raise RuleError(f"card {public.card} has another rank than {public.rank}")

    def _after(self, public: Happening) -> State:
        following = self.setup.other(self.mover)
        left = None if self.left is None else self.left - 1
        after = replace(self, mover=following, turn=self.turn + 1, left=left)
        if isinstance(public, Clue):
            return replace(after, clues=self.clues - 1)
        hand = tuple(card for card in self.hands[public.player] if card != public.card)
        if public.drawn is not None:
            hand = (*hand, public.drawn)
            is_last = public.drawn == len(self.setup.deck)
            after = replace(after, drawn=public.drawn, left=2 if is_last else None)
        return replace(
            after,
            hands={**self.hands, public.player: hand},
            built=self.built + (public.fits is True),
            lives=self.lives - (public.fits is False),
            clues=self.clues + (public.fits is None),
        )
