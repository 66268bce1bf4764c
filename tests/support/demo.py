"""The recording on the first page: `python -m tests.support.demo` updates it."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import factorial, prod
from math import log as logarithm
from typing import Any

from symkripke.drawing.cards import RoundTable, film, symbols
from symkripke.explain.text import listed
from symkripke.play import Table, View, game
from symkripke.play.news import news
from symkripke.play.sentences import news_in_sentences
from symkripke.play.views.pictures import SeatNotes, last_outcome, pictures_of
from symkripke.web.views.asking import answered
from symkripke.web.views.demo import FILE, Demo, Frame, TourStep
from tests.support.readme import ROOT

_GAME, _SEED, _WHO = "cluedo", 7, "plum"
_SHOWN, _FACT, _LAST = 9, 20, 28
"""Events: a suggestion with an answer, the proof of an unseen card, and the winner's accusation."""


def record() -> Demo:
    """Play the game, and return its recording."""
    played = game(_GAME)
    table: Table[Any, Any] = Table.of(played, seed=_SEED, players=6)
    steps = list(table)
    moments = [table.moment.after(number) for number in range(len(steps) + 1)]
    stories = ["The cards are dealt.", *(step.story for step in table.steps)]
    left = _solutions_left(table)
    frames, drawn = [], list[RoundTable]()
    for number, moment in enumerate(moments):
        layout, learned = moment.layout, tuple[str, ...]()
        if number:
            last = news(moment, _WHO, 1)
            marks = {place: last.marks[cell] for place, cell in layout.cells.items()}
            learned = tuple(news_in_sentences(layout, last.learned, marks))
        share = round(100 * logarithm(left[number]) / logarithm(left[0]), 1)
        frames.append(Frame(moment.turn, stories[number], learned, left[number], share))
        pictures, outcome = pictures_of(moment), last_outcome(table.record, moment)
        notes = {_WHO: SeatNotes(is_open=True)}
        drawn.append(pictures.table(outcome, notes, pictures.held(moment)))
    return Demo(
        played.name,
        played.title,
        symbols(face for each in drawn for face in each.faces),
        film(drawn, _SHOWN),
        moments[0].layout.person(_WHO),
        table.setup.players.index(_WHO),
        _SHOWN,
        played.question,
        tuple(frames),
        _tour(table, frames),
    )


def _tour(table: Table[Any, Any], frames: list[Frame]) -> tuple[TourStep, ...]:
    setup, deal, played = table.setup, table.record.truth, table.game
    assert deal is not None
    hand = listed([played.card_title(setup, card) for card in played.dealt(setup, deal, _WHO)])
    fact, why_fact = _known(table, _FACT, "K[plum] at(peacock, peacock)")
    nested, why_nested = _known(table, _SHOWN, "K[plum] K[white] ~at(rope, green)")
    seen = frames[_SHOWN]
    return (
        TourStep(
            0,
            "Three cards are hidden",
            (
                f"This is {played.title}: who did it, with what, and where? One suspect, one "
                "weapon and one room lie in the envelope. The other eighteen cards are dealt. "
                "You see all hands here. Each player sees only their own.",
                f"Plum holds {hand}, and considers {frames[0].left} solutions possible.",
            ),
        ),
        TourStep(
            _SHOWN,
            "Somebody asks",
            (
                seen.story,
                "Everybody hears the question, and sees who passes and who shows a card. Only the "
                "player who asked sees the card.",
                f"What can Plum conclude? {' '.join(seen.learned)} {seen.left} solutions are left.",
            ),
        ),
        TourStep(
            _FACT,
            "Facts add up",
            (f"{_FACT - _SHOWN} turns later, Plum can place a card that Plum has never seen:",),
            fact,
            why_fact,
            "The program finds such proofs by itself. In every game, choose a cell of a note sheet "
            "to see its reason.",
        ),
        TourStep(
            _SHOWN,
            "Players know about each other",
            (
                "A good player also considers the knowledge of the others. The program answers "
                "such questions at any depth:",
            ),
            nested,
            why_nested,
            f"It never lists the possible deals: there are {_deals(setup):,} of them before the "
            "first turn.",
        ),
        TourStep(
            _LAST,
            "Your turn",
            (
                frames[_LAST].story,
                "Now watch a new game, or play yourself. The program keeps your notes if you like, "
                "and gives hints.",
            ),
        ),
    )


def _deals(setup: Any) -> int:
    """Return the number of ways to hide a card of each category and to deal the others."""
    sizes = setup.sizes.values()
    hidden = prod(len(cards) for cards in setup.edition.categories)
    return hidden * factorial(sum(sizes)) // prod(map(factorial, sizes))


def _known(table: Table[Any, Any], event: int, formula: str) -> tuple[str, tuple[str, ...]]:
    """Return an answer as a sentence, with the lines of its reason."""
    _, answer = answered(table.moment.after(event), formula)
    return answer.sentence, tuple(line.text for line in answer.reasons)


def _solutions_left(table: Table[Any, Any]) -> list[int]:
    """Return the number of solutions that the player considers possible after each event."""
    publics = [outcome.public for outcome in table.record.outcomes]
    mind, left = table.players[_WHO], []
    for number in range(len(publics) + 1):
        seen = table.moment.after(number).perspective(_WHO)
        left.append(mind.assess(View(table.setup, seen, tuple(publics[:number]))).open)
    return left


if __name__ == "__main__":
    text = json.dumps(asdict(record()), ensure_ascii=False, indent=1)
    (ROOT / "symkripke" / "web" / FILE).write_text(f"{text}\n", encoding="utf-8")
