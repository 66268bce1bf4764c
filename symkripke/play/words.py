"""Words that all games share."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=256)
def person(name: str) -> str:
    """A player as people write it."""
    return name.replace("_", " ").title()


def number_of(number: int, thing: str) -> str:
    """So many things: "1 card", "3 cards"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def times(number: int) -> str:
    """How often: "once", "twice", "3 times"."""
    return "once" if number == 1 else "twice" if number == 2 else f"{number} times"
