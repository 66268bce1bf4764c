"""Events as text: the parts of a sentence, printed from left to right."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from symkripke.errors import GameError
from symkripke.model import EpistemicState
from symkripke.play.acts.act import Act
from symkripke.play.acts.choices import choice_of
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


class _Printer:
    """A printer for the sentence of an event, in full or in short.

    It stops at the first slot without a value.

    Attributes:
        text: the text printed so far.
    """

    def __init__(
        self,
        situation: Situation[Any],
        values: Mapping[str, Any],
        *,
        is_brief: bool = False,
        is_part: bool = False,
    ) -> None:
        """Start an empty sentence. With `is_part`, the values fill only a part of it.

        In brief, names have their short forms.
        """
        self.text = ""
        self._is_part = is_part
        self._glued = False
        self._said = Said(situation, values, is_printed=True, is_brief=is_brief)

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
        if needed or short:
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
            if part.spoken or part.implied is None or part.implied(self._said) != value:
                self._add(choice.short, glued=part.glued)

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
    values = act.values(situation.setup, outcome)
    return _Printer(situation, values, is_brief=True).print(act).strip(":; ")


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
