"""Ready-made questions about a moment of a game, from its last event and its open cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from symkripke.engines import Mark
from symkripke.errors import SymkripkeError
from symkripke.language import C, Chance, Formula, K, Kw, M, Name, disjunction
from symkripke.limits import within
from symkripke.model import Perspective
from symkripke.play import Moment
from symkripke.play.formula_words import wording
from symkripke.play.rules import Outcome
from symkripke.web.views.asking import Suggestion, in_words

MOST = 6
"""The maximum number of questions."""

_FEW = 4

_WORK = 80_000
"""The maximum work for finding out whether a player knows the answer."""

Marks = Callable[[str], Mapping[Formula, Mark]]
"""A function that returns the marks of a player's note sheet."""


def suggested(
    moment: Moment[Any, Any], last: Outcome[Any] | None, marks: Marks
) -> list[Suggestion]:
    """Return questions that are sensible at a moment.

    Args:
        moment: the moment.
        last: the last event so far; None after the deal.
        marks: see `Marks`; called for one player only.
    """
    said = wording(moment.structure, moment.layout)
    found: dict[str, Suggestion] = {}

    def text_of(formula: Formula) -> str:
        return said.text(moment.structure.resolve(formula))

    with suppress(SymkripkeError):
        for question in _Scene(moment, last, marks).questions():
            with suppress(SymkripkeError):
                text = (
                    f"P[{question.agent}]({text_of(question.operand)})"
                    if isinstance(question, Chance)
                    else text_of(question)
                )
                asked = moment.question(text)
                if len(text) <= 1_000:
                    found.setdefault(text, Suggestion(in_words(moment, asked), text))
    return list(found.values())[:MOST]


class _Scene:
    """The players and the cards that questions at a moment are about.

    Attributes:
        me: the player of the seat; None if the whole game is known.
        watcher: a player who was not part of the last event; at a seat, its player.
        mover: the player of the last event.
        helper: another player of that event, or the next player.
    """

    def __init__(self, moment: Moment[Any, Any], last: Outcome[Any] | None, marks: Marks) -> None:
        self.moment = moment
        state, players = moment.state, moment.setup.players
        self.me = state.agent if isinstance(state, Perspective) else None
        part, self._things = _parts(last, players)
        start = players.index(part[0]) if part else 0
        rest = [who for who in (*players[start:], *players[:start]) if who not in part]
        order = [*part, *rest]
        self.watcher = order[min(max(len(part), 2), len(order) - 1)] if self.me is None else self.me
        others = [player for player in order if player != self.watcher]
        self.mover, self._others = others[0], others[1:] or others
        self._marks = marks(self.watcher)

    def questions(self) -> Iterator[Formula | Chance]:
        """Yield the questions, the most specific ones first."""
        cells, watcher, mover = self._cells(Mark.OPEN), self.watcher, self.mover
        unsure = [*self._answers(), *cells][:1]
        if self.me is None:
            yield from (Kw(mover, cell) for cell in cells[:1])
            yield from (Chance(watcher, fact) for fact in unsure)
            yield from self._of_all(cells)
        else:
            yield from (Chance(watcher, fact) for fact in unsure)
            yield from (Kw(watcher, cell) for cell in cells[:1])
            yield from (K(watcher, Kw(mover, cell)) for cell in cells[:1])
        if (knows := self._knows(mover)) is not None:
            yield M(watcher, knows)
        if self.me is not None and (knows := self._knows(self.me)) is not None:
            yield knows
        yield from (Chance(watcher, cell) for cell in cells[:2])
        for cell in cells[1:2] or cells[:1]:
            yield from (K(watcher, Kw(mover, cell)), Kw(watcher, cell))
        for cell in () if cells else self._cells(Mark.YES)[:2]:  # nothing is hidden any more
            yield from (C(self.moment.setup.players, cell), K(mover, cell), K(watcher, cell))

    def _of_all(self, cells: Sequence[Formula]) -> Iterator[Formula]:
        """Yield questions for which the whole game must be known."""
        players = self.moment.setup.players
        answers = {player: self._knows(player) for player in players}
        knowing = (player for player, knows in answers.items() if self._is_true(knows))
        who = next(knowing, self.mover)
        knows = answers[who]
        if knows is not None:
            yield knows
        if not self._is_true(knows):
            who = self.mover
            known = (Kw(who, cell) for cell in cells)
            knows = next((each for each in known if self._is_true(each)), None)
        if knows is not None:
            yield disjunction([K(other, knows) for other in players if other != who])

    def _knows(self, player: str) -> Formula | None:
        return self.moment.game.knows_answer(self.moment.setup, self.moment.structure, player)

    def _is_true(self, fact: Formula | None) -> bool:
        """Return whether a fact is true; False if that takes too long to find out."""
        if fact is None:
            return False
        with suppress(SymkripkeError), within(work=_WORK):
            return bool(self.moment.ask(fact))
        return False

    def _answers(self) -> list[Formula]:
        """Return the answers that the watcher considers possible, those of the event first."""
        moment = self.moment
        answers = moment.game.answers(moment.setup, moment.structure, self.watcher)
        places = moment.layout.places
        marks = self._marks
        return sorted(
            (
                each
                for each in answers
                if (
                    marks[each] is Mark.OPEN
                    if each in marks
                    else not self._is_true(Kw(self.watcher, each))
                )
            ),
            key=lambda each: -self._score(places[each][0]) if each in places else 0,
        )

    def _cells(self, mark: Mark) -> list[Formula]:
        """Return one cell per row of the watcher's sheet with a mark, those of the event first.

        The cells are those of others, or of the watcher if players do not see their own cards.
        """
        layout = self.moment.layout
        others = [who for who in self._others if who in layout.columns]
        found: list[Formula] = []
        for places in ([*others, *(layout.columns if mark is Mark.YES else ())], [self.watcher]):
            for row in [] if found else sorted(layout.rows, key=lambda row: -self._score(row)):
                cells = [layout.cells[row, place] for place in places if place in layout.columns]
                found += [cell for cell in cells if self._marks.get(cell) is mark][:1]
        return found[:_FEW]

    def _score(self, row: str) -> float:
        """Return the number of words of the last event that name a row, plus 1/2 for its group."""
        layout = self.moment.layout
        own = _names(row, layout.rows[row]) & self._things
        group = next(rows for rows in layout.groups.values() if row in rows)
        near = len(group) <= _FEW and any(_names(other) & self._things for other in group)
        return len(own) + near / 2


def _names(row: str, title: str = "") -> set[str]:
    """Return the words by which an event may name a row."""
    return {*Name.of(row).arguments, row, *re.findall(r"[a-z]+|\d+", f"{row} {title}".casefold())}


def _parts(last: Outcome[Any] | None, players: Sequence[str]) -> tuple[list[str], set[str]]:
    """Return the players of an event in order, and the other words and numbers in it."""
    people: dict[str, None] = {}
    things: set[str] = set()
    public = {} if last is None else msgspec.to_builtins(last.public)
    for name, value in public.items():
        if name in ("type", "turn"):
            continue
        values = value if isinstance(value, list | tuple) else [value]
        words = [str(each) for each in values if isinstance(each, str | int)]
        if words and {*words} <= {*players}:
            people |= dict.fromkeys(words)
        else:
            things.update(words)
    return list(people), things
