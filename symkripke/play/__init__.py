"""What all games share: game, player, table, record, simulation.

The names of the journal and of hosted games are imported when they are first used: most commands
read a log as a record, and enter nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symkripke.play.acts import Act
from symkripke.play.game import Game
from symkripke.play.layout import Layout, Paper
from symkripke.play.moment import Moment
from symkripke.play.news import News
from symkripke.play.people import People
from symkripke.play.player import (
    Advice,
    Assessment,
    EnginePlayer,
    Player,
    Prospect,
    Strategy,
    View,
)
from symkripke.play.record import Record, Seat
from symkripke.play.registry import game, game_names
from symkripke.play.rules import CHANCE, Decision, Outcome, Public, Setup, Standing, State
from symkripke.play.table import Step, Table

if TYPE_CHECKING:
    from symkripke.play.advisor import Advisor
    from symkripke.play.hosted import HostedGame, PersonView
    from symkripke.play.journal import Contradiction, Entered, Entry, Journal, read_hand

_LATER = {
    **dict.fromkeys(("Contradiction", "Entered", "Entry", "Journal", "read_hand"), "journal"),
    **dict.fromkeys(("HostedGame", "PersonView"), "hosted"),
    "Advisor": "advisor",
}

__all__ = [
    "CHANCE",
    "Act",
    "Advice",
    "Advisor",
    "Assessment",
    "Contradiction",
    "Decision",
    "EnginePlayer",
    "Entered",
    "Entry",
    "Game",
    "HostedGame",
    "Journal",
    "Layout",
    "Moment",
    "News",
    "Outcome",
    "Paper",
    "People",
    "PersonView",
    "Player",
    "Prospect",
    "Public",
    "Record",
    "Seat",
    "Setup",
    "Standing",
    "State",
    "Step",
    "Strategy",
    "Table",
    "View",
    "game",
    "game_names",
    "read_hand",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"symkripke.play.{_LATER[name]}"), name)
