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
"""The method, address and handler of each route. If several routes match, the first is used."""
