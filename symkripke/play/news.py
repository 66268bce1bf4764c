"""The news of a player from the last events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from symkripke.engines import Mark
from symkripke.errors import InputError, Unsupported
from symkripke.language import Formula
from symkripke.play.knowledge_matrix import insight
from symkripke.play.layout import Layout
from symkripke.play.moment import Moment


@dataclass(frozen=True)
class News:
    """The new knowledge of a player.

    Attributes:
        player: the player.
        layout: the note sheet.
        marks: the marks of the whole note sheet now.
        learned: the new marks, yes or no, by row and column.
        before: the moment before the events.
        after: the moment after the events.
    """

    player: str
    layout: Layout
    marks: Mapping[Formula, Mark]
    learned: Mapping[tuple[str, str], Mark]
    before: Moment[Any, Any] = field(repr=False)
    after: Moment[Any, Any] = field(repr=False)

    def knowers(self) -> tuple[str, ...]:
        """Return the players who, as the player has just learned, know the answer.

        Return an empty tuple if the game has no question. The query may take longer than the note
        sheet, because it concerns the knowledge of others.
        """
        try:
            now, then = insight(self.after), insight(self.before)
        except Unsupported:
            return ()
        return tuple(
            other
            for (knower, other), mark in now.items()
            if knower == self.player and mark is Mark.YES and then[knower, other] is not Mark.YES
        )


def news(
    moment: Moment[Any, Any],
    player: str,
    events: int = 1,
    then: Mapping[Formula, Mark] | None = None,
    now: Mapping[Formula, Mark] | None = None,
) -> News:
    """Return the news of a player from the last events.

    Knowledge about an earlier deal is not compared.

    Args:
        moment: the moment after the events.
        player: the player.
        events: the number of events.
        then: the marks before the events; None to compute them.
        now: the marks after the events; None to compute them.

    Raises:
        InputError: there were fewer events.
    """
    if not 0 <= events <= moment.events:
        raise InputError(f"expected 0 to {moment.events} events, got {events}")
    before = moment.after(moment.events - events)
    marks = moment.marks(player) if now is None else now
    learned = {}
    if before.structure.root is moment.structure.root:
        then = before.marks(player) if then is None else then
        learned = {
            place: marks[cell]
            for place, cell in moment.layout.cells.items()
            if marks[cell] is not Mark.OPEN and then.get(cell) is not marks[cell]
        }
    return News(player, moment.layout, marks, learned, before, moment)
