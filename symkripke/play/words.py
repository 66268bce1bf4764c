"""Words that all games share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

APOSTROPHE = "\u02bc"
"""The apostrophe in names of players in logs; unlike the usual one, it is a letter in Unicode."""


def with_letters(text: str) -> str:
    """Return a text in which each apostrophe within a word is a letter, as in formulas."""
    return re.sub(r"(?<=\w)['\u2019](?=\w)", APOSTROPHE, text)


@lru_cache(maxsize=256)
def person(name: str) -> str:
    """Return a player's name as people write it; a name with capitals has its own.

    In logs and formulas, "__" is a hyphen and "_" a space.
    """
    words = name.replace("__", "-").replace("_", " ").replace(APOSTROPHE, "'")
    return words.title() if words == words.lower() else words


def number_of(number: int, thing: str) -> str:
    """Return a number of things in words: "1 card", "3 cards"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def times(number: int) -> str:
    """Return a number of repetitions: "once", "twice", "3 times"."""
    return "once" if number == 1 else "twice" if number == 2 else f"{number} times"


def with_titles(result: str, players: Iterable[str]) -> str:
    """Return the result of a game, with the titles of players."""
    for player in players:
        result = re.sub(rf"\b{re.escape(player)}\b", person(player), result)
    return result


def besides_winning(result: str, winner: str) -> str:
    """Return a result, or an empty string if it says only that this player wins."""
    return "" if re.fullmatch(rf"{re.escape(winner)} wins( in turn \d+)?", result) else result
