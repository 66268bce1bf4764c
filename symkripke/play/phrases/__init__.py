"""The language of events: each game says its phrases once, for printing and for reading."""

from symkripke.play.phrases.choices import (
    NO,
    YES,
    YES_OR_NO,
    Choice,
    numbers_to_choose,
    pieces_to_choose,
    players_to_choose,
)
from symkripke.play.phrases.matching import FILLERS, fold
from symkripke.play.phrases.reading import Completion, Pending, Understood, completions, read
from symkripke.play.phrases.speech import END, Phrase, Situation, Speech, always
from symkripke.play.phrases.telling import told, told_ever_longer, told_shortly, told_so_far

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
    "numbers_to_choose",
    "pieces_to_choose",
    "players_to_choose",
    "read",
    "told",
    "told_ever_longer",
    "told_shortly",
    "told_so_far",
]
