"""The rules of the game: setup, deal, moves and positions, without logic or knowledge.

One card is hidden, and the others are dealt round. The player to move either asks another player
for a card, who answers yes or no, or names the hidden card. A player who names it correctly wins; a
player who names another card is out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import msgspec

from symkripke.errors import RuleError, check_name
from symkripke.model import World
from symkripke.play import Decision, Outcome, Public
from symkripke.play import Setup as BaseSetup
from symkripke.play.checks import check_event, check_move, check_mover, check_turn, known_deal
from symkripke.play.dealing import check_sizes, check_values, dealt_round, hand_sizes, location
from symkripke.play.editions import Piece, check_pieces, pieces, read_record

SEATS = {"classic": (2, 6)}
HIDDEN = "hidden"


class _Edition(msgspec.Struct):
    """The entries of a TOML file of cards."""

    cards: tuple[str, ...] = ()


class Setup(BaseSetup, frozen=True, kw_only=True):
    """The setup of a game.

    Attributes:
        cards: all cards, of which one is hidden.
    """

    cards: tuple[Piece, ...]

    @property
    def sizes(self) -> dict[str, int]:
        """The number of cards dealt to each player."""
        return hand_sizes(len(self.cards) - 1, self.players)


class Question(Public, frozen=True, kw_only=True, tag="question"):
    """The event in which a player asks another for a card, with the answer."""

    player: str
    asked: str
    card: str
    has: bool


class Guess(Public, frozen=True, kw_only=True, tag="guess"):
    """The event in which a player names the hidden card, rightly or wrongly."""

    player: str
    card: str
    right: bool


Happening = Question | Guess


@dataclass(frozen=True, slots=True)
class Ask:
    """The move that asks a player for a card."""

    asked: str
    card: str


@dataclass(frozen=True, slots=True)
class Name:
    """The move that names the hidden card."""

    card: str


def make_setup(rules: str, players: tuple[str, ...], cards: str | None = None) -> Setup:
    """Return a setup; `cards` is the path of a TOML file.

    Raises:
        RuleError: the file cannot be read, or has wrong entries.
    """
    path = Path(cards) if cards else Path(__file__).with_name("cards.toml")
    return Setup(rules=rules, players=players, cards=pieces(*read_record(path, _Edition).cards))


def check_setup(setup: Setup) -> None:
    """Raise `RuleError` if nobody can play with this setup."""
    check_pieces("the cards", {"cards": setup.cards}, reserved=(*setup.players, HIDDEN))
    if len(setup.cards) <= len(setup.players):
        raise RuleError(f"expected more than {len(setup.players)} cards, got {len(setup.cards)}")


def make_deal(setup: Setup, chance: Random) -> World:
    """Return a random deal: the place of each card, by fluent."""
    cards = [location(card.id) for card in setup.cards]
    chance.shuffle(cards)
    places = [HIDDEN, *dealt_round(len(cards) - 1, setup.players)]
    return dict(zip(cards, places, strict=True))


def check_deal(setup: Setup, deal: World) -> None:
    """Raise `RuleError` if the rules do not allow the deal."""
    places = (*setup.players, HIDDEN)
    check_values(deal, {location(card.id): places for card in setup.cards})
    check_sizes(deal, {**setup.sizes, HIDDEN: 1})


@dataclass(frozen=True)
class State:
    """A position; see `symkripke.play.GameState`."""

    setup: Setup
    deal: World | None
    mover: str
    turn: int = 1
    out: frozenset[str] = frozenset()
    winners: tuple[str, ...] = ()

    @property
    def result(self) -> str | None:
        """The result of the game in words; None while it continues."""
        if self.winners:
            return f"{self.winners[0]} has found the hidden card"
        return (
            "nobody has found the hidden card" if len(self.out) == len(self.setup.players) else None
        )

    @property
    def decision(self) -> Decision | None:
        """The decision of the mover, with all questions and guesses; None after the end."""
        if self.result is not None:
            return None
        cards = [card.id for card in self.setup.cards]
        asks = (Ask(other, card) for other in self.setup.after(self.mover) for card in cards)
        return Decision(self.mover, "act", (*asks, *map(Name, cards)))

    def play(self, move: Ask | Name) -> tuple[State, Outcome[Happening]]:
        """Return the state after a move, and the event."""
        check_move(self.result)
        deal = known_deal(self.deal)
        public: Happening
        if isinstance(move, Ask):
            has = deal.get(location(move.card)) == move.asked
            public = Question(
                turn=self.turn, player=self.mover, asked=move.asked, card=move.card, has=has
            )
        else:
            right = deal.get(location(move.card)) == HIDDEN
            public = Guess(turn=self.turn, player=self.mover, card=move.card, right=right)
        outcome: Outcome[Happening] = Outcome(public, {})
        return self.follow(outcome), outcome

    def follow(self, outcome: Outcome[Happening]) -> State:
        """Return the state after a recorded event.

        Raises:
            RuleError: the rules forbid the event in this state.
        """
        public = outcome.public
        check_event(self.result)
        check_turn(self.turn, public)
        check_mover(self.setup, self.turn, self.mover, public.player)
        check_name("card", public.card, [card.id for card in self.setup.cards])
        if isinstance(public, Question):
            check_name("player to ask", public.asked, self.setup.after(self.mover))
        after = replace(self, turn=self.turn + 1)
        if isinstance(public, Guess):
            won, out = (self.mover,) if public.right else (), self.out | {self.mover}
            after = replace(after, winners=won) if public.right else replace(after, out=out)
        return replace(after, mover=self.setup.following(self.mover, after.out))
