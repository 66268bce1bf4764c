"""What all games share: game, player, table, record, simulation."""

from symkripke.play.game import (
    CHANCE,
    Advice,
    Assessment,
    Decision,
    Game,
    Layout,
    Mind,
    Outcome,
    Paper,
    Player,
    Prospect,
    Public,
    Setup,
    State,
    View,
)
from symkripke.play.moment import Moment
from symkripke.play.record import Record
from symkripke.play.registry import game, game_names
from symkripke.play.table import Step, Table

__all__ = [
    "CHANCE",
    "Advice",
    "Assessment",
    "Decision",
    "Game",
    "Layout",
    "Mind",
    "Moment",
    "Outcome",
    "Paper",
    "Player",
    "Prospect",
    "Public",
    "Record",
    "Setup",
    "State",
    "Step",
    "Table",
    "View",
    "game",
    "game_names",
]
