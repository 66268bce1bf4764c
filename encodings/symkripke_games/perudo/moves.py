"""What a person can do in Perudo: the moves, as a menu and as sentences."""

from __future__ import annotations

from functools import partial

from symkripke.play import View
from symkripke.play.menu import Action, Menu, Part, alone
from symkripke.play.acts import Phrase, Speech, numbers_to_choose
from symkripke.play.words import person
from symkripke_games.perudo.bidding import Offer
from symkripke_games.perudo.phrases import (
    CALL,
    DOUBT,
    EXACT,
    bids_to_hint,
    calls_to_choose,
    faces_to_choose,
)
from symkripke_games.perudo.players.basic import Situation
from symkripke_games.perudo.rules import CALZA, Doubt, Happening, Raise
from symkripke_games.perudo.throws import Setup
from symkripke_games.perudo.words import faces_in_words

PerudoView = View[Setup, Happening]
Talk = Speech[Setup, PerudoView]


def menu(view: PerudoView) -> Menu:
    """A higher bid on any face, or a call."""
    situation = Situation.of(view)
    most = sum(situation.now.dice.values())
    actions: list[Action] = []
    for face in range(1, view.setup.faces + 1):
        least = least_bid(situation, face)
        if least is not None and least <= most:
            numbers = numbers_to_choose(least, most)
            title = f"bid {faces_in_words(2, face).partition(' ')[2]}"
            part = Part("quantity", "How many?", numbers)
            actions.append(Action(title, partial(_raise, face), (part,)))
    assert view.decision is not None
    assert view.decision.options is not None
    for call in view.decision.options:
        if isinstance(call, Doubt):
            actions.append(alone("calza" if call.kind == CALZA else "dudo", call))
    bid = situation.standing
    ask = "What do you bid?"
    if bid is not None:
        ask = f"Do you bid higher than {faces_in_words(bid.quantity, bid.face)}, or call it?"
    return Menu(ask, tuple(actions), note=_held(situation))


def _held(situation: Situation) -> str:
    """The player's dice, and how many the others have."""
    dice = " ".join(map(str, situation.own))
    others = ", ".join(f"{person(who)} has {number}" for who, number in situation.others.items())
    wild = "; aces count as any face" if situation.now.wild else ""
    return f"Your dice show {dice}; {others}{wild}."


def _raise(face: int, quantity: int) -> Raise:
    return Raise(quantity, face)


def least_bid(situation: Situation, face: int) -> int | None:
    """The least quantity that the player may bid on a face; None: none."""
    alone_with_one = situation.now.dice.get(situation.me) == 1
    return situation.manner.least(situation.standing, face, free=alone_with_one)


# ---- in words ------------------------------------------------------------------------------------


def _bid(talk: Talk) -> Raise:
    setup = talk.setup
    talk.myself()
    talk.words("bids", "bid", "says", "say", "raises to", "raise to")
    situation = talk.by_rules(Situation.of)
    hints = talk.by_rules(lambda view: bids_to_hint(view.decision, Situation.of(view).now))
    calls = " or calza" if setup.calza else ""
    standing = None if situation is None else situation.standing
    quantity = talk.pick(
        "quantity",
        numbers_to_choose(1, setup.dice * len(setup.players)),
        what=f"a number of dice from 1 to {setup.dice * len(setup.players)}",
        ask="What do you bid" + (f", or is it dudo{calls}?" if standing else "?"),
        hinted=None if hints is None else hints.quantities(),
    )
    talk.words("", "x", "times", "dice of", "dice that show")
    face = talk.pick(
        "face",
        faces_to_choose(quantity, setup.faces),
        what="a face",
        ask=f"{quantity} of which face?",
        hinted=None if hints is None else hints.faces(quantity, setup.faces),
    )
    talk.words(".")
    if situation is not None:
        problem = _forbidden(situation, Offer(quantity, face))
        if problem:
            talk.refuse(problem, "quantity")
    return Raise(quantity, face)


def _forbidden(situation: Situation, bid: Offer) -> str:
    """Why a bid cannot be made, in a sentence; empty if it can."""
    most, standing = sum(situation.now.dice.values()), situation.standing
    if bid.quantity > most:
        return f"there are only {most} dice in play"
    least = least_bid(situation, bid.face)
    if least is None and standing is None:
        return "no round is opened with a bid on aces"
    if least is None:
        assert standing is not None
        fixed = faces_in_words(2, standing.face).partition(" ")[2]
        return f"the face is fixed in a palifico round: bid on {fixed}"
    if bid.quantity < least:
        assert standing is not None
        told = f"{faces_in_words(*bid)} is no higher bid than {faces_in_words(*standing)}"
        if least > most:
            return f"{told}; there are not dice enough for a higher one on that face"
        return f"{told}: at least {faces_in_words(least, bid.face)}"
    return ""


def _call(talk: Talk) -> Doubt:
    talk.myself()
    calza = talk.setup.calza
    kind = talk.pick(
        "kind",
        calls_to_choose(calza=calza),
        what="'dudo' or 'calza'" if calza else "'dudo'",
        hinted=(DOUBT, EXACT) if calza else (CALL,),
    )
    situation = talk.by_rules(Situation.of)
    if situation is not None and situation.standing is None:
        talk.refuse("there is no bid to be called yet", "kind")
    if kind == CALZA and not calza:
        talk.refuse("calza cannot be called: it is an option of the setup", "kind")
    return Doubt(kind)


MOVES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Raise,
        _bid,
        lambda setup, move: {"quantity": move.quantity, "face": move.face},
        when=lambda view: view.decision is not None,
        typed={"3 fours": "a bid", "3x4": "the same", "3 4": "the same"},
    ),
    Phrase(
        Doubt,
        _call,
        lambda setup, move: {"kind": move.kind},
        when=lambda view: view.decision is not None,
        typed={"dudo": "you doubt the bid: all show their dice", "calza": "where it is an option"},
    ),
)
