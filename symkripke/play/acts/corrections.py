"""Corrections of a wrong entry: events that differ from it in one slot.

The parts of the sentence are followed from left to right, as in reading, with the values of the
entry. One slot takes another of its choices. Each later slot keeps the value of the entry if the
rules allow it. If the entry has no value, the slot takes any choice: a player who turns out to have
shown a card may have shown any card. Values that follow from the position, such as the turn, are
corrected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from symkripke.errors import GameError, InputError
from symkripke.play.acts.act import Act
from symkripke.play.acts.choices import Choice
from symkripke.play.acts.parts import (
    END,
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
from symkripke.play.acts.printing import describe
from symkripke.play.rules import Outcome

_MOST_WAYS = 200
"""The maximum number of ways to complete a sentence after a change."""

_SENTENCE = re.compile(r"(?<=[.!?]) ")


@dataclass(frozen=True)
class Correction:
    """An event that the player may have meant by an entry.

    Attributes:
        outcome: the event, with the observations of the player of the log.
        difference: returns the description of the difference.
    """

    outcome: Outcome[Any]
    difference: Callable[[], str]

    @property
    def words(self) -> str:
        """The difference, in short: "Rope, not Hall"."""
        return self.difference().rstrip(".")


@dataclass(frozen=True)
class _PartialSentence:
    """An event whose sentence is complete up to a slot.

    Attributes:
        parts: the remaining parts of the sentence.
        values: the values so far.
        changed: the difference from the entry, in words; None: there is none yet.
        instead: the replaced value of the entry and the new value.
        ways: an upper bound on the number of ways to fill the later slots that are empty in the
            entry; 1: there are no such slots.
    """

    parts: tuple[Part, ...]
    values: Mapping[str, Any]
    changed: str | None = None
    instead: tuple[Any, Any] | None = None
    ways: int = 1

    def beyond(self, name: str, value: Any, **changed: Any) -> _PartialSentence:
        """Return a copy with this value in the next slot."""
        return replace(self, values={**self.values, name: value}, **changed)


def corrections(
    acts: Sequence[Act[SetupT]], situation: Situation[SetupT], entry: Outcome[Any]
) -> Iterator[Correction]:
    """Yield events that differ from an entry in one slot, and other kinds of events without slots.

    Args:
        acts: the kinds of events.
        situation: the position and the player of the entry.
        entry: the event as written; the rules may forbid it.
    """
    act = next(act for act in acts if isinstance(entry.public, act.kind))
    seen = {repr(entry)}
    was = act.values(situation.setup, entry)
    for outcome, telling in _tellings(act, situation, was):
        if repr(outcome) not in seen:
            seen.add(repr(outcome))
            one = telling.changed if telling.ways == 1 else ""
            yield Correction(outcome, partial(_difference, act, situation, entry, outcome, one))
    for other in acts:
        if other is not act and other.when(situation.state):
            for outcome, telling in _tellings(other, situation, {}):
                if telling.changed is None:
                    yield Correction(
                        outcome, partial(describe, other, situation.setup, outcome, situation.seat)
                    )


def _difference(
    act: Act[SetupT],
    situation: Situation[SetupT],
    entry: Outcome[Any],
    outcome: Outcome[Any],
    one: str | None,
) -> str:
    """Describe the difference: the changed value if it has words, or else the changed sentences.

    If the sentences are equal, describe the turn.
    """
    if one:
        return one
    was: list[str] = []
    with suppress(GameError):  # The entry cannot be put into words.
        was = _SENTENCE.split(describe(act, situation.setup, entry, situation.seat))
    now = _SENTENCE.split(describe(act, situation.setup, outcome, situation.seat))
    new = [sentence.rstrip(".") for sentence in now if sentence not in was]
    return ", ".join(new) or f"turn {outcome.public.turn}"


def _tellings(
    act: Act[SetupT], situation: Situation[SetupT], was: Mapping[str, Any]
) -> Iterator[tuple[Outcome[Any], _PartialSentence]]:
    """Yield the events that the rules allow and that differ from the entry in at most one slot."""
    waiting = [_PartialSentence(tuple(act.parts), {})]
    while waiting:
        telling = waiting.pop()
        with suppress(InputError):  # The rules forbid the event.
            ways = _onwards(telling, situation, was)
            if isinstance(ways, Said):
                yield act.make(ways), telling
            else:
                waiting.extend(reversed(ways))


def _onwards(
    telling: _PartialSentence, situation: Situation[SetupT], was: Mapping[str, Any]
) -> list[_PartialSentence] | Said[SetupT]:
    """Return the continuations at the next slot with a choice, or the complete sentence."""
    parts, values = telling.parts, telling.values
    while parts:
        said = Said(situation, values)
        part, parts = parts[0], parts[1:]
        match part:
            case Then():
                parts = (*part.parts(said), *parts)
            case Given():
                values = {**values, part.name: part.found(said)}
            case Unseen():
                values = {**values, part.name: None}
            case Check():
                objection = part.problem(said)
                if objection is not None and not objection.is_denied:
                    return []
            case Slot() | Flag():
                here = replace(telling, parts=parts, values=values)
                if isinstance(part, Slot):
                    return _choices(here, said, was, part)
                titles = _yes_or_no(of(part.text, said))
                return _ways(here, part.name, (True, False), was, titles)
            case Words() | Complete():
                pass
    return Said(situation, values)


def _yes_or_no(text: str) -> Mapping[Any, str]:
    return {True: text.rstrip("."), False: f"not: {text.rstrip('.')}"}


def _choices(
    telling: _PartialSentence, said: Said[Any], was: Mapping[str, Any], part: Slot
) -> list[_PartialSentence]:
    choices: Sequence[Choice[Any]] = of(part.choices, said)
    implied = None if part.implied is None else part.implied(said)
    titles = {
        choice.value: "" if isinstance(choice.value, bool) else choice.word for choice in choices
    }
    values = list(titles)
    if implied is not None and implied not in titles:
        values.append(implied)
    present = part.name in was or value_of(was, part.name) is not None
    then = was if present or implied is None else {**was, part.name: implied}
    return _ways(telling, part.name, values, then, titles)


def _ways(
    telling: _PartialSentence,
    name: str,
    values: Sequence[Any],
    was: Mapping[str, Any],
    titles: Mapping[Any, str],
) -> list[_PartialSentence]:
    """Return the continuations with each possible value in a slot.

    If nothing differs from the entry yet, any value is possible. Otherwise, the slot keeps the
    value of the entry, or its replacement. It takes any value if the entry has none.
    """
    old = value_of(was, name)
    kept = [telling.beyond(name, value) for value in values if value == old]
    if telling.changed is None:
        others = [value for value in values if value != old]
        return [
            *kept,
            *(
                telling.beyond(
                    name, value, changed=_instead(titles, value, old), instead=(old, value)
                )
                for value in others
            ),
        ]
    if kept or old is not None:
        return kept or [
            telling.beyond(name, value)
            for value in _replaced(telling, name, old, was)
            if value in values
        ]
    ways = telling.ways * (len(values) + 1)
    if ways > _MOST_WAYS:
        return []
    return [telling.beyond(name, value, ways=ways) for value in values]


def _replaced(
    telling: _PartialSentence, name: str, old: Any, was: Mapping[str, Any]
) -> Iterator[Any]:
    """Yield the replacements of a value of the entry that has become impossible.

    These are the value that replaced it in another slot and, in a list, the value of the next slot,
    because the list may have lost an item.
    """
    if telling.instead is not None and telling.instead[0] == old:
        yield telling.instead[1]
    of_list, _, number = name.rpartition(" ")
    if number.isdigit():
        following = value_of(was, f"{of_list} {int(number) + 1}")
        yield END if following is None else following


def _instead(titles: Mapping[Any, str], new: Any, old: Any) -> str:
    """Return "new, not old" with the titles of both values; empty if either has no title."""
    words = titles.get(new, ""), titles.get(old, "")
    return f"{words[0]}, not {words[1]}" if all(words) else ""
