"""Acts: kinds of events and moves, each described once for printing, reading and asking.

The reader is imported on first use, because games themselves only print.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symkripke.play.acts.act import Act, hand_act, move_act
from symkripke.play.acts.choices import (
    NO,
    RIGHT_OR_WRONG,
    YES,
    YES_OR_NO,
    Choice,
    numbers_to_choose,
    pieces_to_choose,
    players_to_choose,
)
from symkripke.play.acts.corrections import corrections
from symkripke.play.acts.examples import Things, in_this_game, names_of, turns_of
from symkripke.play.acts.matching import FILLERS, fold
from symkripke.play.acts.parts import (
    END,
    Check,
    Complete,
    Flag,
    Given,
    Part,
    Said,
    Situation,
    Slot,
    Then,
    Unseen,
    Words,
    a_player,
    allowed,
    always,
    everybody,
    mover,
    of,
    only,
    secret,
    several,
    some,
)
from symkripke.play.acts.printing import (
    describe,
    describe_briefly,
)

if TYPE_CHECKING:
    from symkripke.play.acts.reading import Completion, Pending, Understood, completions, read

_LATER = ("Completion", "Pending", "Understood", "completions", "read")

__all__ = [
    "END",
    "FILLERS",
    "NO",
    "RIGHT_OR_WRONG",
    "YES",
    "YES_OR_NO",
    "Act",
    "Check",
    "Choice",
    "Complete",
    "Completion",
    "Flag",
    "Given",
    "Part",
    "Pending",
    "Said",
    "Situation",
    "Slot",
    "Then",
    "Things",
    "Understood",
    "Unseen",
    "Words",
    "a_player",
    "allowed",
    "always",
    "completions",
    "corrections",
    "describe",
    "describe_briefly",
    "everybody",
    "fold",
    "hand_act",
    "in_this_game",
    "move_act",
    "mover",
    "names_of",
    "numbers_to_choose",
    "of",
    "only",
    "pieces_to_choose",
    "players_to_choose",
    "read",
    "secret",
    "several",
    "some",
    "turns_of",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from symkripke.play.acts import reading

    return getattr(reading, name)
