"""What to do, in words: questions worth asking, and when to declare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from symkripke.engines import Engine, counter
from symkripke.errors import InputError
from symkripke.explain.text import percent
from symkripke.language import Atom
from symkripke.play import Advice, View
from symkripke.play.advisor import Advisor
from symkripke.play.dealing import location
from symkripke.play.player import SAME
from symkripke.play.words import person
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.leads import best_leads, settles
from symkripke_games.sleuth.players.asking import choices_of, why
from symkripke_games.sleuth.players.basic import RandomAsker, row_of
from symkripke_games.sleuth.questions import Survey
from symkripke_games.sleuth.rules import Ask, AskLast, Declaration, Declare, Happening, Silent
from symkripke_games.sleuth.setup import CLASSIC, Setup


def advise(view: View[Setup, Happening], engine: Engine, number: int) -> Sequence[Advice]:
    """The best moves for the viewer, at most `number`, the best first.

    If the hidden gem is certain, the advice is to declare it. Otherwise it is a list of questions
    that the question cards allow, ordered by what they tell about the hidden gem, then by what they
    tell about all gems. A last question is advised only if it makes the hidden gem certain at once
    and no question with a card does. The list is empty for a player who has declared.

    Raises:
        InputError: `number` is negative.
        ImpossibleEvent: the viewer considers nothing possible.
    """
    if number < 0:
        raise InputError(f"expected a number of suggestions of 0 or more, got {number}")
    kind = "ask" if view.decision is None else view.decision.kind
    if kind in ("declare", "last"):
        now = _declarations(view, engine, kind)
        if len(now) < number and now[0].move == Silent():
            later = _questions(view, Survey(engine, view), number - len(now))
            now += [replace(ask, title=f"next turn: {ask.title}", move=None) for ask in later]
        return now[:number]
    if any(isinstance(done, Declaration) and done.player == view.player for done in view.record):
        return []
    known = _certain(view, engine)
    if known:
        return known[:number]
    survey = Survey(engine, view)
    last = _last(view, survey) if view.decision is not None else []
    return [*last, *_questions(view, survey, number)][:number]


# ---- declarations --------------------------------------------------------------------------------


def _declare(view: View[Setup, Happening], gem: str, share: Fraction, reason: str) -> Advice:
    title = view.setup.edition.titles[gem]
    return Advice(
        f"declare the {title}",
        float(share),
        reason,
        {"declare": gem, "right": str(share)},
        Declare(gem),
        "chance",
        "to be right",
    )


def _certain(view: View[Setup, Happening], engine: Engine) -> list[Advice]:
    """The advice to declare, if only one gem may be hidden."""
    left = RandomAsker(engine, Random(0)).possible(view)
    if len(left) != 1:
        return []
    return [_declare(view, left[0], Fraction(1), "no other gem can be hidden")]


def _declarations(view: View[Setup, Happening], engine: Engine, kind: str) -> list[Advice]:
    """Without certainty: silence after a question, the best guess after a last question."""
    certain = _certain(view, engine)
    if certain:
        return certain
    left = RandomAsker(engine, Random(0)).possible(view)
    many = f"{len(left)} gems may be hidden"
    if kind == "declare":
        reason = f"{many}: who declares wrongly is out"
        return [Advice("stay silent", 0.0, reason, {"silent": len(left)}, Silent(), "chance")]
    atoms = [Atom(location(gem), HIDDEN) for gem in left]
    shares = counter(engine).marginals(view.perspective, atoms)
    best = sorted(atoms, key=lambda atom: -shares[atom])
    return [
        _declare(
            view,
            gem,
            shares[atom],
            f"{many}; the chance that it is this one is {percent(shares[atom])}",
        )
        for atom in best
        for gem in (left[atoms.index(atom)],)
    ]


# ---- questions -----------------------------------------------------------------------------------


def _last(view: View[Setup, Happening], survey: Survey) -> list[Advice]:
    """A last question, if it makes the gem certain at once and no question with a card does."""
    if view.setup.rules != CLASSIC:
        return []
    sure = survey.uncertainty - SAME
    if max((choice.told.gem for choice in choices_of(view, survey)), default=0.0) >= sure:
        return []
    for told in survey.decisive():
        if told.gem >= sure:
            what = asked_for(view.setup.edition, told.elements)
            return [
                Advice(
                    f"ask {person(told.asked)} for {what}, as a last question",
                    told.gem,
                    "whatever the answer is, you will know the hidden gem",
                    {"asked": told.asked, "elements": list(told.elements), "last": True},
                    AskLast(told.asked, told.elements),
                )
            ]
    return []


def _questions(view: View[Setup, Happening], survey: Survey, number: int) -> list[Advice]:
    """The most telling questions."""
    choices = choices_of(view, survey)
    choices.sort(
        key=lambda choice: (-round(choice.told.gem / SAME), -round(choice.told.deal / SAME))
    )
    leads = [lead for some in best_leads(view, survey) for lead in some]
    known = row_of(view) is not None
    found = []
    for choice in choices[:number]:
        told = choice.told
        followed = next((lead for lead in leads if settles(view.setup, told, lead)), None)
        reason = why(view, told, "you")
        if followed is not None:
            reason += f"; {followed.reason(view.setup)}"
        with_card = ", with a free choice card" if known and choice.card == "free" else ""
        data: dict[str, Any] = {
            "asked": told.asked,
            "elements": list(told.elements),
            "card": choice.card if known else None,
            "gem": told.gem,
            "deal": told.deal,
            "uncertainty": survey.uncertainty,
            "open": list(told.open),
            "lead": None if followed is None else followed.gem,
        }
        what = asked_for(view.setup.edition, told.elements)
        title = f"ask {person(told.asked)} for {what}{with_card}"
        move = Ask(told.asked, told.elements, choice.card) if known else None
        found.append(Advice(title, told.gem, reason, data, move))
    return found


class SleuthAdvisor(Advisor[Setup, Happening]):
    """Whom to ask for which gems, and when to declare."""

    def advise(
        self, view: View[Setup, Happening], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """See `advise`."""
        return advise(view, engine, number)
