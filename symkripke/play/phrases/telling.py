"""Events as text: the script of a phrase, followed for printing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import IntEnum
from typing import Any, TypeVar

from symkripke.errors import GameError
from symkripke.language import Atom
from symkripke.model import State as Knowledge
from symkripke.play.phrases.choices import Choice, choice_of
from symkripke.play.phrases.matching import beginning
from symkripke.play.phrases.speech import END, Phrase, SetupT, Situation, Speech, StateT, has_seen

T = TypeVar("T")

_CLOSING = ".,:;!?)"


class _Length(IntEnum):
    """How much of a sentence is printed."""

    LEAST = 0
    """Without implied parts; names by their beginnings."""
    NAMED = 1
    """Names by their beginnings; the acting player is named even where that is implied."""
    SHORT = 2
    """Names by their short forms, and the words that stand between them."""
    FULL = 3


class _Untold(Exception):
    """A place has no value (yet), so the rest of the sentence cannot be printed."""


class _Teller(Speech[SetupT, StateT]):
    """Prints what a script says, in full or in one of the short forms."""

    def __init__(
        self,
        setup: SetupT,
        values: Mapping[str, Any],
        viewer: str | None,
        *,
        length: _Length = _Length.FULL,
        state: Any = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        """Nothing printed yet.

        A short form needs the position before the event (`state`), and what is known then.
        """
        self.setup = setup
        self._values = values
        self.seat = viewer
        self._length = length
        self._state = state
        self._knowledge = knowledge
        self._told = ""
        self._glued = False

    @property
    def text(self) -> str:
        """The text printed so far."""
        return self._told

    def _print(self, text: str, *, sign: bool = False, glued: bool = False) -> None:
        if not text:
            return
        joined = (glued and self._glued) or (sign and text[0] in _CLOSING)
        joined = joined or not self._told or self._told.endswith("(")
        self._told += text if joined else f" {text}"
        self._glued = glued

    def _value(self, name: str) -> Any:
        if name in self._values:
            return self._values[name]
        listed, _, number = name.rpartition(" ")
        if listed in self._values and number.isdigit():
            found = self._values[listed]
            if int(number) <= len(found):
                return found[int(number) - 1]
        raise _Untold(name)

    def words(self, text: str, *also: str, short: str = "", needed: bool = False) -> None:
        if not self.brief():
            self._print(text, sign=True)
        elif needed and self._length < _Length.SHORT:
            choice = Choice(True, text, (*filter(None, (short,)), *also))
            self._print(beginning(choice, (choice,)), sign=True)
        elif needed or (short and (self._length == _Length.SHORT or not short.isalnum())):
            self._print(short or (also[0] if also else text), sign=True)

    def pick(
        self,
        name: str,
        choices: Sequence[Choice[T]],
        *,
        what: str,
        ask: str = "",
        implied: Callable[[StateT], T | None] | None = None,
        spoken: bool = False,
        glued: bool = False,
        separated: bool = False,
        hinted: Sequence[Choice[T]] | None = None,
        vague: str = "",
        barred: Mapping[Choice[T], str] | None = None,
    ) -> T:
        value: T = self._value(name)
        choice = choice_of(choices, value)
        if choice is None:
            if value is None:
                return value
            raise GameError(f"the phrase has no words for {value!r} in the place {name!r}")
        if not self.brief():
            self._print(choice.printed)
            return value
        is_named = spoken and self._length > _Length.LEAST
        if is_named or implied is None or implied(self._state) != value:
            is_begun = self._length < _Length.SHORT
            self._print(beginning(choice, choices) if is_begun else choice.short, glued=glued)
        return value

    def flag(
        self,
        name: str,
        text: str,
        *also: str,
        implied: Callable[[StateT], bool] | None = None,
    ) -> bool:
        value = bool(self._value(name))
        if value and not self.brief():
            self._print(text)
        elif value and (implied is None or not implied(self._state)):
            self._print(also[0] if also else text)
        return value

    def fact(self, name: str, found: Callable[[StateT], T]) -> T:
        value: T = self._value(name)
        return value

    def by_rules(self, found: Callable[[StateT], T]) -> T | None:
        return None

    def sees(self, *players: str) -> bool:
        return self.seat is None or self.seat in players

    def unseen(self, name: str, text: str, choices: Sequence[Choice[Any]], who: str) -> None:
        if not self.brief():
            self._print(text)

    def known(self, name: str) -> bool:
        try:
            return self._value(name) is not None
        except _Untold:
            return False

    def own(self, atom: Atom) -> bool:
        return has_seen(self._knowledge, atom)

    def refuse(self, problem: str, name: str) -> None:
        return None

    def unclear(self, problem: str, name: str) -> None:
        return None

    def impossible(self, problem: str, name: str) -> None:
        return None

    def complete(self, told: str) -> None:
        return None

    def count(self, name: str) -> int | None:
        return len(self._value(name))

    def ended(self) -> bool:
        return False

    def brief(self) -> bool:
        return self._length < _Length.FULL


class _Beginner(_Teller[SetupT, StateT]):
    """Prints the beginning of a sentence: lists may be told in part, too."""

    def count(self, name: str) -> int | None:
        if name in self._values:
            return super().count(name)
        number = 0
        while self._values.get(f"{name} {number + 1}", END) is not END:
            number += 1
        if not number:
            raise _Untold(name)
        return number

    def known(self, name: str) -> bool:
        return super().known(name) or f"{name} 1" in self._values


def told(phrase: Phrase[SetupT], setup: SetupT, outcome: Any, viewer: str | None = None) -> str:
    """An event as a sentence: all of it, or what `viewer` sees of it."""
    talk: _Teller[SetupT, Any] = _Teller(setup, phrase.values(setup, outcome), viewer)
    phrase.script(talk)
    return talk.text


def told_shortly(phrase: Phrase[SetupT], situation: Situation[SetupT], outcome: Any) -> str:
    """An event in short, as far as the phrase says it: names by their short forms."""
    return _in_short(phrase, situation, outcome, _Length.SHORT)


def told_ever_longer(
    phrase: Phrase[SetupT], situation: Situation[SetupT], outcome: Any
) -> Iterator[str]:
    """An event in short, the shortest form first.

    The last form is `told_shortly`. One before it may be understood otherwise than it is meant:
    beginnings of names are chosen place by place.
    """
    for length in (_Length.LEAST, _Length.NAMED, _Length.SHORT):
        yield _in_short(phrase, situation, outcome, length)


def _in_short(
    phrase: Phrase[SetupT], situation: Situation[SetupT], outcome: Any, length: _Length
) -> str:
    talk: _Teller[SetupT, Any] = _Teller(
        situation.setup,
        phrase.values(situation.setup, outcome),
        situation.seat,
        length=length,
        state=situation.state,
        knowledge=situation.knowledge,
    )
    phrase.script(talk)
    return talk.text.strip(":; ")


def told_so_far(
    phrase: Phrase[SetupT],
    setup: SetupT,
    values: Mapping[str, Any],
    viewer: str | None = None,
    knowledge: Knowledge | None = None,
) -> str:
    """A sentence as far as its places are filled, from the left."""
    talk: _Beginner[SetupT, Any] = _Beginner(setup, values, viewer, knowledge=knowledge)
    with suppress(_Untold):
        phrase.script(talk)
    return talk.text
