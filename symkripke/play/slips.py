"""Slips: alternatives of a wrong entry of a log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from symkripke.play.rules import Outcome, PublicT

RULES, CARDS = "rules", "cards"
"""The reason why an entry is impossible: the rules of the game, or what is known of the cards."""


@dataclass(frozen=True)
class Alternative(Generic[PublicT]):
    """An event that may have been meant by an entry: one slip away from it.

    Attributes:
        outcome: the event, with what the log's player saw of it.
        words: the difference, in short: "Bob showed, not Ann".
        weight: how likely the slip is, compared with other slips in the same entry.
    """

    outcome: Outcome[PublicT]
    words: str
    weight: float = 1.0


def instead(new: object, old: Any) -> str:
    """The words "new, not old"."""
    return f"{new}, not {old}"


def near(new: int, old: int) -> float:
    """How likely a number is written instead of another: the nearer, the likelier."""
    return 1.0 / abs(new - old)
