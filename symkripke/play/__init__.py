"""The common parts of all games: rules, players, tables, logs, simulation.

The journal and the advisor are imported on first use, because most commands only read a log as a
record.
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
from symkripke.play.registry import game, game_names
from symkripke.play.rules import CHANCE, Decision, GameState, Outcome, Public, Setup, Standing
from symkripke.play.session.course import Seat
from symkripke.play.session.entry import TableEvent
from symkripke.play.session.record import Record
from symkripke.play.session.seat import PersonView
from symkripke.play.session.table import Table

if TYPE_CHECKING:
    from symkripke.play.advisor import Advisor
    from symkripke.play.session.journal import Contradiction, Journal, read_hand

_LATER = {
    **dict.fromkeys(("Contradiction", "Journal", "read_hand"), "session.journal"),
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
    "Game",
    "GameState",
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
    "Strategy",
    "Table",
    "TableEvent",
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
