"""The origin of a piece of knowledge: its turn, its agents, and its text."""

from __future__ import annotations

from typing import Any, Final

from symkripke.argument_types import unexpected
from symkripke.records import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a constraint, an observation or an event.

    Programs read `turn`, `agents` and `kind`, and people read `text`; no program reads `text`.

    Attributes:
        text: a description: "turn 7: Green showed Plum one of Rope, Hall, White".
        turn: the turn of a game in which it happened; None before the first turn, and outside
            games.
        agents: the participants, the acting agent first.
        kind: its kind, as a word of the game: "rule", "hand", "show".
        when: the time in short, if it is not a turn: "line 7", "the deal".
    """

    text: str = ""
    turn: int | None = None
    agents: tuple[str, ...] = ()
    kind: str = ""
    when: str = ""

    @classmethod
    def of(cls, source: Origin | str) -> Origin:
        """Return an origin unchanged, or the origin with this text."""
        if isinstance(source, Origin):
            return source
        if not isinstance(source, str):
            raise unexpected("a text or an origin as the source", source)
        return cls(source)

    def __reduce__(self) -> str | tuple[Any, ...]:
        if self is NOWHERE:
            return "NOWHERE"
        return Origin, (self.text, self.turn, self.agents, self.kind, self.when)

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def moment(self) -> str:
        """The time in short: "turn 7", "line 3"; the whole text if the time is unknown."""
        return self.when or (self.text if self.turn is None else f"turn {self.turn}")


NOWHERE: Final = Origin()
"""The empty origin."""
