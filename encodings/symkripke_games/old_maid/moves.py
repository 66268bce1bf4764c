"""What a person can do in Old Maid: the moves, as a menu and as sentences."""

from __future__ import annotations

from symkripke.explain.text import listed
from symkripke.play import View
from symkripke.play.acts import Phrase, Speech, players_to_choose
from symkripke.play.menu import Action, Menu, Part
from symkripke.play.words import number_of, person
from symkripke_games.old_maid.knowledge import a_card_of
from symkripke_games.old_maid.players import Notes, own_ranks
from symkripke_games.old_maid.rules import DrawFrom, Happening, Setup

OldMaidView = View[Setup, Happening]
Talk = Speech[Setup, OldMaidView]

UNCHOSEN = frozenset(("start", "give"))
"""Pairs are discarded, and cards are drawn unseen: nobody has a choice there."""


def menu(view: OldMaidView) -> Menu:
    """From whom to draw; classic rules leave no choice."""
    options = _options(view)
    part = Part("giver", "From whom?", players_to_choose(options))
    usual = DrawFrom(options[0]) if len(options) == 1 else None
    action = Action("draw a card", DrawFrom, (part,))
    return Menu("From whom do you draw a card?", (action,), usual, _held(view, options))


def _held(view: OldMaidView, givers: list[str]) -> str:
    """The player's cards, and how many those have that it can draw from."""
    sizes = Notes.of(view).sizes
    own = listed([a_card_of(rank) for rank in own_ranks(view)])
    others = [f"{person(giver)} {number_of(sizes[giver], 'card')}" for giver in givers]
    return f"You hold {own}; {', '.join(others)}."


def _options(view: OldMaidView) -> list[str]:
    assert view.decision is not None
    assert view.decision.options is not None
    return [option.giver for option in view.decision.options]


def _draw(talk: Talk) -> DrawFrom:
    talk.myself()
    talk.words("draws from", "draws", "draw", "draw from", "draw a card from", "take", "take from")
    able = talk.by_rules(_options)
    giver = talk.pick(
        "giver",
        talk.people(talk.setup.players),
        what="a player to draw from",
        ask="From whom do you draw?",
        implied=lambda view: _only(_options(view)),
        hinted=None if able is None else talk.people(able),
    )
    if able is not None and giver not in able:
        people = [person(player) for player in able]
        talk.refuse(
            f"you can draw from {listed(people).replace(' and ', ' or ')}, not from "
            f"{'yourself' if giver == talk.seat else person(giver)}",
            "giver",
        )
    talk.words(".")
    return DrawFrom(giver)


def _only(players: list[str]) -> str | None:
    return players[0] if len(players) == 1 else None


MOVES: tuple[Phrase[Setup], ...] = (
    Phrase(
        DrawFrom,
        _draw,
        lambda setup, move: {"giver": move.giver},
        when=lambda view: view.decision is not None and view.decision.kind == "draw",
        typed={"bob": "draw a card from Bob", "draw": "where there is one player to draw from"},
    ),
)
