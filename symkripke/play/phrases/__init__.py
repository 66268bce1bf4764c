"""The language of events: a game defines its phrases once, for printing and for reading.

The reader is imported when it is first used: games themselves only print.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symkripke.play.phrases.choices import (
    NO,
    YES,
    YES_OR_NO,
    Choice,
    numbers_to_choose,
    pieces_to_choose,
    players_to_choose,
)
from symkripke.play.phrases.examples import in_this_game, mover_of, seated
from symkripke.play.phrases.matching import FILLERS, fold
from symkripke.play.phrases.speech import END, Phrase, Situation, Speech, always
from symkripke.play.phrases.telling import told, told_ever_longer, told_shortly, told_so_far

if TYPE_CHECKING:
    from symkripke.play.phrases.reading import Completion, Pending, Understood, completions, read

_LATER = ("Completion", "Pending", "Understood", "completions", "read")

__all__ = [
    "END",
    "FILLERS",
    "NO",
    "YES",
    "YES_OR_NO",
    "Choice",
    "Completion",
    "Pending",
    "Phrase",
    "Situation",
    "Speech",
    "Understood",
    "always",
    "completions",
    "fold",
    "in_this_game",
    "mover_of",
    "numbers_to_choose",
    "pieces_to_choose",
    "players_to_choose",
    "read",
    "seated",
    "told",
    "told_ever_longer",
    "told_shortly",
    "told_so_far",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from symkripke.play.phrases import reading

    return getattr(reading, name)
