"""Questions worth asking, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symkripke.engines import Engine
from symkripke.errors import InputError
from symkripke.play import Advice, View
from symkripke.play.player import SAME
from symkripke.play.words import person
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.leads import best_leads, settles
from symkripke_games.sleuth.players.asking import choices_of, why
from symkripke_games.sleuth.players.basic import row_of
from symkripke_games.sleuth.questions import Survey
from symkripke_games.sleuth.rules import Happening
from symkripke_games.sleuth.setup import Setup


def advise(view: View[Setup, Happening], engine: Engine, number: int) -> Sequence[Advice]:
    """So many of the questions that the viewer's cards allow, the most telling first.

    By what they tell of the hidden gem, then by what they tell of where gems are.

    Raises:
        InputError: `number` is negative.
        ImpossibleEvent: the viewer considers nothing possible.
    """
    if number < 0:
        raise InputError(f"expected a number of suggestions of 0 or more, got {number}")
    survey = Survey(engine, view)
    choices = choices_of(view, survey)
    choices.sort(
        key=lambda choice: (-round(choice.told.gem / SAME), -round(choice.told.deal / SAME))
    )
    leads = [lead for some in best_leads(view, survey.deals) for lead in some]
    known = row_of(view) is not None
    found = []
    for choice in choices[:number]:
        told = choice.told
        followed = next((lead for lead in leads if settles(view.setup, told, lead)), None)
        reason = why(view, told)
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
        found.append(
            Advice(f"ask {person(told.asked)} for {what}{with_card}", told.gem, reason, data)
        )
    return found
