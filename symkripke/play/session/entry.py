"""Events of a game for display, with their numbers and words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic

from symkripke.play.rules import CHANCE, Outcome, PublicT


@dataclass(frozen=True)
class TableEvent(Generic[PublicT]):
    """One event at the table.

    Attributes:
        number: the number of events so far, including this event.
        outcome: the event, with the secrets that are known.
        tell: returns the public part of the event in words.
        reason: the player's reason for the move, in words; empty if none is given.
        player: the player whose move completed the event; `CHANCE` if no player moved.
    """

    number: int
    outcome: Outcome[PublicT]
    tell: Callable[[Outcome[PublicT]], str] = field(repr=False, compare=False)
    reason: str = field(default="", repr=False, compare=False)
    player: str = field(default=CHANCE, compare=False)

    @cached_property
    def story(self) -> str:
        """The event in words, computed on first use."""
        return self.tell(self.outcome)

    @property
    def turn(self) -> int:
        """The turn of the event."""
        return self.outcome.public.turn

    def __str__(self) -> str:
        return f"turn {self.turn}: {self.story}"
