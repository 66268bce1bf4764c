"""Events as text: the parts of a sentence, printed from left to right."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

from symkripke.errors import GameError
from symkripke.model import EpistemicState
from symkripke.play.acts.act import Act
from symkripke.play.acts.choices import Choice, choice_of
from symkripke.play.acts.matching import beginning
from symkripke.play.acts.parts import (
    Check,
    Complete,
    Flag,
    Given,
    Part,
    Said,
    SetupT,
    Situation,
    Slot,
    Then,
    Unseen,
    Words,
    of,
    value_of,
)

_CLOSING = ".,:;!?)"


class _Length(IntEnum):
    """The extent of a printed sentence."""

    LEAST = 0
    """Implied parts are omitted, and names are shortened to prefixes."""
    NAMED = 1
    """Names are shortened to prefixes, and the acting player is named even if implied."""
    SHORT = 2
    """Names have their short forms, and the words between them are printed."""
    FULL = 3


class _Printer:
    """A printer for the sentence of an event, in full or in one of the short forms.

    It stops at the first slot without a value.

    Attributes:
        text: the text printed so far.
    """

    def __init__(
        self,
        situation: Situation[Any],
        values: Mapping[str, Any],
        length: _Length = _Length.FULL,
        *,
        is_part: bool = False,
    ) -> None:
        """Start an empty sentence. With `is_part`, the values fill only a part of it."""
        self.text = ""
        self._is_part = is_part
        self._glued = False
        self._length = length
        self._said = Said(situation, values, is_printed=True, is_brief=length < _Length.FULL)

    def print(self, act: Act[Any]) -> str:
        """Return the sentence of the act."""
        waiting: deque[Part] = deque(act.parts)
        while waiting:
            match waiting.popleft():
                case Then() as part:
                    waiting.extendleft(reversed(part.parts(self._said)))
                case Words() as part:
                    self._words(part)
                case Slot() as part:
                    if not self._has(part.name):
                        break
                    self._slot(part)
                case Flag() as part:
                    if not self._has(part.name):
                        break
                    self._flag(part)
                case Unseen() as part:
                    if not self._said.is_brief:
                        self._add(part.text)
                case Given() as part:
                    if self._is_part and not self._has(part.name):
                        break
                case Check() | Complete():
                    pass
        return self.text

    def _has(self, name: str) -> bool:
        values = self._said.values
        return name in values or value_of(values, name) is not None

    def _add(self, text: str, *, sign: bool = False, glued: bool = False) -> None:
        if not text:
            return
        joined = (glued and self._glued) or (sign and text[0] in _CLOSING)
        joined = joined or not self.text or self.text.endswith("(")
        self.text += text if joined else f" {text}"
        self._glued = glued

    def _words(self, part: Words) -> None:
        text = of(part.text, self._said)
        if not self._said.is_brief:
            self._add(text, sign=True)
            return
        short, needed = of(part.short, self._said), of(part.needed, self._said)
        if needed and self._length < _Length.SHORT:
            choice = Choice(True, text, (*filter(None, (short,)), *part.also))
            self._add(beginning(choice, (choice,)), sign=True)
        elif needed or (short and (self._length == _Length.SHORT or not short.isalnum())):
            self._add(short or (part.also[0] if part.also else text), sign=True)

    def _slot(self, part: Slot) -> None:
        value, choices = self._said[part.name], of(part.choices, self._said)
        choice = choice_of(choices, value)
        if choice is None:
            if value is not None:
                raise GameError(f"there are no words for {value!r} in the place {part.name!r}")
        elif not self._said.is_brief:
            self._add(choice.printed)
        else:
            is_named = part.spoken and self._length > _Length.LEAST
            if is_named or part.implied is None or part.implied(self._said) != value:
                is_begun = self._length < _Length.SHORT
                text = beginning(choice, choices) if is_begun else choice.short
                self._add(text, glued=part.glued)

    def _flag(self, part: Flag) -> None:
        text = of(part.text, self._said)
        if not self._said[part.name]:
            return
        if not self._said.is_brief:
            self._add(text)
        elif part.implied is None or not part.implied(self._said):
            self._add(part.also[0] if part.also else text)


def describe(act: Act[SetupT], setup: SetupT, outcome: Any, viewer: str | None = None) -> str:
    """Return the sentence for an event: in full, or as `viewer` sees the event."""
    return _Printer(Situation(setup, None, viewer), act.values(setup, outcome)).print(act)


def describe_briefly(act: Act[SetupT], situation: Situation[SetupT], outcome: Any) -> str:
    """Return the short sentence for an event, with the short forms of names."""
    return _in_short(act, situation, outcome, _Length.SHORT)


def longer_descriptions(
    act: Act[SetupT], situation: Situation[SetupT], outcome: Any
) -> Iterator[str]:
    """Yield short sentences for an event, the shortest first.

    The last sentence is the result of `describe_briefly`. An earlier sentence may be ambiguous,
    because each slot chooses its prefix separately.
    """
    for length in (_Length.LEAST, _Length.NAMED, _Length.SHORT):
        yield _in_short(act, situation, outcome, length)


def _in_short(act: Act[SetupT], situation: Situation[SetupT], outcome: Any, length: _Length) -> str:
    values = act.values(situation.setup, outcome)
    return _Printer(situation, values, length).print(act).strip(":; ")


def describe_so_far(
    act: Act[SetupT],
    setup: SetupT,
    values: Mapping[str, Any],
    viewer: str | None = None,
    knowledge: EpistemicState | None = None,
) -> str:
    """Return a sentence up to its first empty slot."""
    situation = Situation(setup, None, viewer, knowledge)
    return _Printer(situation, values, is_part=True).print(act)
