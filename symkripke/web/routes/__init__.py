"""Addresses and their handlers, which are short: the content comes from `symkripke.web.views`."""

from symkripke.web.pages import Handler
from symkripke.web.routes import ask, lobby, notes, puzzle, review, seats, watch

ROUTES: tuple[tuple[str, str, Handler], ...] = (
    *lobby.ROUTES,
    *watch.ROUTES,
    *notes.ROUTES,
    *ask.ROUTES,
    *seats.ROUTES,
    *review.ROUTES,
    *puzzle.ROUTES,
)
"""Method, address, handler; if several match, the first one is used."""
