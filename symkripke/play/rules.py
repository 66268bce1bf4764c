"""The rules of a game: its setup, its events, and its positions, without epistemic logic."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import msgspec

CHANCE = ""
"""The name of chance as the deciding player; no player has this name."""


RULES, CARDS = "rules", "cards"
"""The reasons why an event is impossible: the rules of the game, or the knowledge of the cards."""


class Public(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public part of an event. Each kind of event of a game is a tagged subclass.

    Attributes:
        turn: the turn of the event, from 1; 0 if it belongs to the deal. Events of one turn are
            consecutive.
    """

    turn: int


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public settings of a game before the deal.

    Attributes:
        rules: the name of the rule set.
        players: the players' names, in seat order.
    """

    rules: str
    players: tuple[str, ...]

    @property
    def sizes(self) -> Mapping[str, int]:
        """The number of cards dealt to each player; empty if no cards are dealt."""
        return {}

    def after(self, player: str) -> tuple[str, ...]:
        """Return the other players, in seat order from the left of `player`."""
        seat = self.players.index(player)
        return (*self.players[seat + 1 :], *self.players[:seat])

    def following(self, player: str, without: Container[str]) -> str:
        """Return the next player to the left who is not in `without`, or else `player`."""
        return next((other for other in self.after(player) if other not in without), player)


SetupT = TypeVar("SetupT", bound=Setup)
PublicT = TypeVar("PublicT", bound=Public)


@dataclass(frozen=True)
class Decision:
    """A decision that a player must make.

    Attributes:
        player: the player who decides; `CHANCE` for chance (see `Game.chance`).
        kind: the kind of decision, as the game names it ("act", "show", ...).
        options: the possible moves, if they are few; None if the rules of the game describe them.
        pending: the public part of the event that waits for this decision (such as a question to be
            answered); None if there is none.
    """

    player: str
    kind: str
    options: tuple[Any, ...] | None = None
    pending: Public | None = None


@dataclass(frozen=True)
class Outcome(Generic[PublicT]):
    """An event with its public and its private part.

    Attributes:
        public: the part that everybody sees.
        secret: the values of the event's private fluents; only their observers see them.
    """

    public: PublicT
    secret: Mapping[str, str]


class GameState(Protocol[PublicT]):
    """A position of the game under the rules. States are immutable.

    A state without a deal (`Game.start(setup, None)`) has only public information: it can follow
    events, but not play.
    """

    @property
    def turn(self) -> int:
        """The current turn, from 1."""

    @property
    def decision(self) -> Decision | None:
        """The current decision; None after the end."""

    @property
    def result(self) -> str | None:
        """The result of the game in words; None while it continues."""

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners; empty while the game continues, or if nobody wins."""

    @property
    def out(self) -> frozenset[str]:
        """The players who are out: they can no longer win, or no longer act."""

    def play(self, move: Any) -> tuple[GameState[PublicT], Outcome[PublicT] | None]:
        """Return the next state after a move, and the event that it completes, if any.

        Raises:
            RuleError: the rules forbid the move.
        """

    def follow(self, outcome: Outcome[PublicT]) -> GameState[PublicT]:
        """Return the state after an event from a log or a real table.

        Raises:
            RuleError: the event is impossible in this state.
        """


@dataclass(frozen=True)
class Standing:
    """The public standing of a player, besides the note sheet.

    Attributes:
        won: the player's gains so far, in words ("3 groups"); empty if nothing is counted.
        holds: the number of cards or dice that the player holds; None if it never changes.
        note: a remark about a player in a special state ("out"); otherwise empty.
    """

    won: str = ""
    holds: int | None = None
    note: str = ""
