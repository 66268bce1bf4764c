"""Slips: what may have been meant by an entry of a log that is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from symkripke.play.rules import Outcome, PublicT

RULES, CARDS = "rules", "cards"
"""What forbids an entry: the rules of the game, or what is known of the cards."""


@dataclass(frozen=True)
class Alternative(Generic[PublicT]):
    """An event that may have been meant by an entry: one slip away from it.

    Attributes:
        outcome: what may have happened, with what the player whose log it is then saw.
        words: what is different, in short: "Bob showed, not Ann".
        weight: how likely that slip is beside other slips in the same entry, by how people slip.
    """

    outcome: Outcome[PublicT]
    words: str
    weight: float = 1.0


def instead(new: object, old: Any) -> str:
    """In words: this, and not that."""
    return f"{new}, not {old}"


def near(new: int, old: int) -> float:
    """How likely one number is written for another: the nearer, the likelier."""
    return 1.0 / abs(new - old)
