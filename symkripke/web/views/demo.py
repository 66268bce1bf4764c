"""The game on the first page: a recording of six players, drawn in advance.

`python -m symkripke.web.views.demo` plays the game anew and writes `demo.json`, so that the first
page needs no worker.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import factorial, prod
from math import log as logarithm
from pathlib import Path
from typing import Any

from symkripke.decoding import from_json
from symkripke.drawing.cards import RoundTable, film, symbols
from symkripke.explain.text import listed
from symkripke.play import Table, game
from symkripke.play.news import news
from symkripke.play.sentences import news_in_sentences
from symkripke.play.views.pictures import SeatNotes, last_outcome, pictures_of
from symkripke.web.views.asking import answered

_FILE = "demo.json"
_SEED = 7
_WHO = "plum"
_SHOWN = 9
"""The event that is shown without JavaScript."""

_FACT = (20, "K[plum] at(peacock, peacock)")
_NESTED = (9, "K[plum] K[white] ~at(rope, green)")
"""The formulas of `Demo.fact` and `Demo.nested`, each with the number of events before it."""

TOUR = (0, 9, 20, 9, 28)
"""The event that each step of the tour shows."""


@dataclass(frozen=True)
class Frame:
    """A moment of the recorded game.

    Attributes:
        turn: the turn of its event; 0 after the deal.
        story: the event as a sentence.
        learned: what the chosen player can conclude from it, in sentences.
        left: the number of solutions that the player still considers possible.
        share: the same as the length of a bar, from 0 to 100, on a logarithmic scale.
    """

    turn: int
    story: str
    learned: tuple[str, ...]
    left: int
    share: float


@dataclass(frozen=True)
class Known:
    """Something that a player knows in the recorded game.

    Attributes:
        event: the number of events so far.
        claim: the knowledge as a sentence.
        reasons: why, line by line.
    """

    event: int
    claim: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Demo:
    """The recorded game.

    Attributes:
        symbols: the art of its cards, as hidden SVG.
        film: the table at all moments, as SVG.
        who: the player whose knowledge is told, as people write it.
        seat: the player's seat, from 0.
        shown: the number of the frame that is shown at first.
        frames: the moments.
        hand: the player's cards, in words.
        deals: the number of possible deals.
        fact: a fact that the player knows, with its reason.
        nested: something that the player knows about another player's knowledge.
        result: the result of the game.
    """

    symbols: str
    film: str
    who: str
    seat: int
    shown: int
    frames: tuple[Frame, ...]
    hand: str
    deals: int
    fact: Known
    nested: Known
    result: str

    def still(self, number: int) -> str:
        """Return one moment of the film as SVG."""
        plain = self.film.removesuffix("</svg>").replace(' class="shown"', "")
        base, *frames = plain.split("<g data-frame=")
        shown = next(frame for frame in frames if frame.startswith(f'"{number}"'))
        frame = shown.replace(">", ' class="shown">', 1)
        return f"{base}<g data-frame={frame}</svg>"


@cache
def demo() -> Demo:
    """Return the recorded game."""
    text = resources.files("symkripke.web").joinpath(_FILE).read_text("utf-8")
    stored: Demo = from_json(text, Demo, _FILE)
    return stored


def record() -> Demo:
    """Play the game, and return its recording."""
    played = game("cluedo")
    table: Table[Any, Any] = Table.of(played, seed=_SEED, players=6)
    setup, deal = table.setup, table.record.truth or {}
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
        pictures = pictures_of(moment)
        notes = {_WHO: SeatNotes(is_open=True)}
        drawn.append(
            pictures.table(last_outcome(table.record, moment), notes, pictures.held(moment))
        )
    return Demo(
        symbols(face for each in drawn for face in each.faces),
        film(drawn, _SHOWN),
        moments[0].layout.person(_WHO),
        table.setup.players.index(_WHO),
        _SHOWN,
        tuple(frames),
        listed([played.card_title(setup, card) for card in played.dealt(setup, deal, _WHO)]),
        _deals(setup),
        _known(table, _FACT),
        _known(table, _NESTED),
        f"{table.result[:1].upper()}{table.result[1:]}",
    )


def _deals(setup: Any) -> int:
    """Return the number of ways to hide a card of each category and to deal the others."""
    sizes = setup.sizes.values()
    hidden = prod(len(cards) for cards in setup.edition.categories)
    return hidden * factorial(sum(sizes)) // prod(map(factorial, sizes))


def _known(table: Table[Any, Any], asked: tuple[int, str]) -> Known:
    """Return an answer with its reason."""
    number, formula = asked
    _, answer = answered(table.moment.after(number), formula)
    return Known(number, answer.sentence, tuple(line.text for line in answer.reasons))


def _solutions_left(table: Table[Any, Any]) -> list[int]:
    """Return the number of solutions that the player considers possible after each event."""
    from symkripke.play import View

    publics = [outcome.public for outcome in table.record.outcomes]
    mind, left = table.players[_WHO], []
    for number in range(len(publics) + 1):
        seen = table.moment.after(number).perspective(_WHO)
        left.append(mind.assess(View(table.setup, seen, tuple(publics[:number]))).open)
    return left


if __name__ == "__main__":
    from dataclasses import asdict

    target = Path(__file__).parent.parent / _FILE
    target.write_text(json.dumps(asdict(record()), ensure_ascii=False, indent=1) + "\n", "utf-8")
