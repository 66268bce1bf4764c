"""The players' avatars: eight people who differ in hair, hat and glasses."""

from __future__ import annotations

from symkripke.drawing.cards.face import Face, art_of

PEOPLE = art_of(__package__, "people.svg")
"""The art of each avatar; the coat has the player's colour."""


def avatar(seat: int, title: str) -> Face:
    """Return the usual avatar of a seat, numbered from 0, with the player's title."""
    name = tuple(PEOPLE)[seat % len(PEOPLE)]
    return Face(name, title, PEOPLE[name], tone=seat % 8)
