"""Where something is known from: when it happened, who took part, and its text."""

from __future__ import annotations

from typing import Any, Final

from symkripke.argument_types import unexpected
from symkripke.records import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a constraint, an observation or an event comes from.

    Programs read `turn`, `agents` and `kind`; people read `text`. No program reads `text`.

    Attributes:
        text: what people are told: "turn 7: Green showed Plum one of Rope, Hall, White".
        turn: the turn of a game in which it happened; None before the first turn, and outside
            games.
        agents: who took part, the one who acted first.
        kind: what kind of thing it is, in a word of the game: "rule", "hand", "show".
        when: when it happened, in short, if that is no turn: "line 7", "the deal".
    """

    text: str = ""
    turn: int | None = None
    agents: tuple[str, ...] = ()
    kind: str = ""
    when: str = ""

    @classmethod
    def of(cls, source: Origin | str) -> Origin:
        """An origin itself; or one of which only the text is given."""
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
        """When it happened, in short: "turn 7", "line 3"; the whole text if that is not known."""
        return self.when or (self.text if self.turn is None else f"turn {self.turn}")


NOWHERE: Final = Origin()
"""The origin without any data."""
