"""What all games share: game, player, table, record, simulation."""

from symkripke.play.game import Game
from symkripke.play.layout import Layout, Paper
from symkripke.play.moment import Moment
from symkripke.play.player import Advice, Assessment, Player, Prospect, Strategy, View
from symkripke.play.record import Record
from symkripke.play.registry import game, game_names
from symkripke.play.rules import CHANCE, Decision, Outcome, Public, Setup, Standing, State
from symkripke.play.table import Step, Table

__all__ = [
    "CHANCE",
    "Advice",
    "Assessment",
    "Decision",
    "Game",
    "Layout",
    "Moment",
    "Outcome",
    "Paper",
    "Player",
    "Prospect",
    "Public",
    "Record",
    "Setup",
    "Standing",
    "State",
    "Step",
    "Strategy",
    "Table",
    "View",
    "game",
    "game_names",
]
