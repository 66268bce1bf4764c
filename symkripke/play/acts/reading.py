"""From text to events: the parts of a sentence, read from left to right.

If a part can be read in several ways, each way becomes a separate reading. The cheapest reading is
continued first. The printed sentence costs nothing. Other spellings and omitted words cost more,
and prefixes of names cost most. A printed sentence is therefore always read correctly, whatever the
names of the cards. If two events have the same least cost, the text is ambiguous, which is an
error.
"""

from __future__ import annotations

import difflib
import heapq
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple

from symkripke.errors import InputError, PhraseError, clipped
from symkripke.play.acts.act import Act
from symkripke.play.acts.choices import Choice
from symkripke.play.acts.matching import (
    Ambiguity,
    Typed,
    fold,
    matches,
    spellings,
)
from symkripke.play.acts.parts import (
    Check,
    Complete,
    Flag,
    Given,
    Objection,
    Part,
    Said,
    SetupT,
    Situation,
    Slot,
    Then,
    Unseen,
    Words,
    of,
)
from symkripke.play.acts.printing import describe, describe_so_far
from symkripke.play.words import person

_LEFT_OUT = 1
_REFUSED = 20

# The maximum length of a short word, in letters.
_SHORT = 3

_FEW = 12
"""The maximum number of names that an error lists."""

_FAR = 3
"""The maximum number of additional omitted words in a reading that an error mentions."""

_NEXT_WORD = re.compile(r" [\w'-]+")

_WAYS = 20_000
"""The maximum number of partial readings that are tried."""


@dataclass(frozen=True)
class Understood:
    """A text that describes an event.

    Attributes:
        outcome: the event or the move that its act returns.
        end: the index in the text after the event. More events may follow.
    """

    outcome: Any
    end: int


@dataclass(frozen=True)
class Pending:
    """A text that describes a part of an event.

    Attributes:
        said: the sentence so far; empty if the text is empty.
        ask: the question for the missing part.
        what: the expected value, in words: "a weapon".
        choices: the possible answers.
    """

    said: str
    ask: str
    what: str
    choices: tuple[Choice[Any], ...] = ()


@dataclass(frozen=True)
class Completion:
    """A possible continuation of a text.

    Attributes:
        start: the index from which `text` replaces the rest of the text.
        text: the new text.
    """

    start: int
    text: str


_NAMED: Any = object()
"""The value of a slot for which the text names hidden content."""


class _Step(NamedTuple):
    """A way to read a part: a value, its position in the text, and its cost."""

    value: Any
    start: int
    end: int
    cost: int


@dataclass(frozen=True)
class _Expected:
    """The expectation of a reading at the index where it stopped.

    Attributes:
        cost: the cost of the reading.
        what: the expected value, in words.
        choices: the expected choices.
        reason: the reason why no further text is expected.
        unclear: prefixes that several choices share.
        likely: the choices that make sense now.
        refused: an earlier problem, with its index in the text.
        barred: the reason why the input is impossible there.
    """

    cost: int
    what: str
    choices: Sequence[Choice[Any]] = ()
    reason: str = ""
    unclear: Sequence[Ambiguity] = ()
    likely: Sequence[Choice[Any]] = ()
    refused: tuple[str, int] | None = None
    barred: str = ""


@dataclass(frozen=True)
class _Reading:
    """One way to read the text up to an index.

    Attributes:
        act: the act.
        number: the index of the act in the list of acts.
        parts: the remaining parts of its sentence.
        place: the index up to which the text has been read.
        cost: the distance from the printed form.
        values: the values of the slots.
        typed: the typed values, excluding values that the end of the text implies.
        starts: the index in the text at which each slot begins.
        refused: the reason why the text cannot be read in this way, with its index.
        denied: the reason for not asking for the rest of the event, with its index.
        is_unclear: whether the text is refused because several readings of a slot are equally good.
        completed: the reason why no further text is expected; empty if more may follow.
    """

    act: Act[Any]
    number: int
    parts: tuple[Part, ...]
    place: int = 0
    cost: int = 0
    values: Mapping[str, Any] = field(default_factory=dict)
    typed: Mapping[str, Any] = field(default_factory=dict)
    starts: Mapping[str, int] = field(default_factory=dict)
    refused: tuple[str, int] | None = None
    denied: tuple[str, int] | None = None
    is_unclear: bool = False
    completed: str = ""

    @property
    def part(self) -> Part:
        """The next part to read."""
        return self.parts[0]

    def beyond(self, **changed: Any) -> _Reading:
        """Return the reading after its next part."""
        return replace(self, parts=self.parts[1:], **changed)

    def given(self, name: str, value: Any) -> _Reading:
        """Return a copy with a value that is not typed."""
        values = {**self.values, name: value}
        if len(self.typed) < len(self.values):  # the end of the text implies an earlier slot
            return self.beyond(values=values)
        return self.beyond(values=values, typed={name: value, **self.typed})

    def blamed(self, problem: Objection) -> _Reading:
        """Return a copy with a problem; only the first problem of each kind is kept."""
        why = problem.text, self.starts.get(problem.place, self.place)
        if problem.is_denied:
            return replace(self, denied=self.denied or why)
        if problem.is_unclear:
            return self if self.is_unclear else replace(self, is_unclear=True, refused=why)
        return replace(self, cost=self.cost + _REFUSED, refused=self.refused or why)


class _Missing(NamedTuple):
    """The question for the next part of an event if the text ends before the event."""

    ask: str
    what: str
    choices: Sequence[Choice[Any]]
    cost: int


class _Incomplete(NamedTuple):
    """A reading that ends before the event or is refused."""

    cost: int
    reading: _Reading
    missing: _Missing | None
    refused: tuple[str, int] | None


class _Search(Generic[SetupT]):
    """The search for all readings of the next event of a text, the cheapest first."""

    def __init__(
        self, acts: Iterable[Act[SetupT]], situation: Situation[SetupT], text: str
    ) -> None:
        self.situation = situation
        self.typed = Typed(text)
        self.acts = [act for act in acts if act.when(situation.state)]
        self.expected: dict[int, list[_Expected]] = {}
        self.offers: list[tuple[int, Sequence[Choice[Any]]]] = []
        self.whole: list[tuple[int, Act[SetupT], Understood]] = []
        self.incomplete: list[_Incomplete] = []

    def run(self, *, everything: bool = False) -> None:
        """Find the readings; with `everything`, continue after the best reading."""
        waiting: list[tuple[int, int, int, _Reading, _Step | None]] = [
            (0, 0, number, _Reading(act, number, tuple(act.parts)), None)
            for number, act in enumerate(self.acts)
        ]
        counter = len(waiting)
        for _ in range(_WAYS):
            if not waiting or (not everything and self._is_settled(waiting[0][0])):
                return
            _, _, _, reading, step = heapq.heappop(waiting)
            if step is not None:
                reading = self._after(reading, step)
            try:
                reading, steps = self._until_unclear(reading)
            except InputError as error:
                # A part consulted the rules, and they forbid the event.
                refused = reading.refused or (str(error), reading.place)
                cost = reading.cost + _REFUSED
                self.incomplete.append(_Incomplete(cost, reading, None, refused))
                continue
            for step in steps:
                counter += 1
                way = (reading.cost + step.cost, -step.end, counter, reading, step)
                heapq.heappush(waiting, way)
        if waiting:
            raise PhraseError("this has too many possible meanings", self.typed.text, 0)

    def _is_settled(self, cost: int) -> bool:
        return bool(self.whole) and cost > self.whole[0][0]

    def _until_unclear(self, reading: _Reading) -> tuple[_Reading, Sequence[_Step]]:
        """Read on until a part has several readings or none; record a complete reading."""
        while reading.parts:
            said = self._said(reading)
            match reading.part:
                case Then() as part:
                    reading = replace(reading, parts=(*part.parts(said), *reading.parts[1:]))
                case Given() as part:
                    reading = reading.given(part.name, part.found(said))
                case Complete() as part:
                    reading = reading.beyond(completed=of(part.reason, said))
                case Check() as part:
                    problem = part.problem(said)
                    reading = reading.beyond()
                    if problem is not None:
                        reading = reading.blamed(problem)
                case Words() | Slot() | Flag() | Unseen() as part:
                    steps = self._steps(reading, part, said)
                    if isinstance(steps, _Missing):
                        refused = reading.refused or reading.denied
                        cost = reading.cost + steps.cost
                        self.incomplete.append(_Incomplete(cost, reading, steps, refused))
                        return reading, ()
                    if len(steps) != 1:
                        return reading, steps
                    reading = self._after(reading, steps[0])
        self._add(reading)
        return reading, ()

    def _said(self, reading: _Reading) -> Said[SetupT]:
        return Said(self.situation, reading.values, typed=self.typed, place=reading.place)

    def _after(self, reading: _Reading, step: _Step) -> _Reading:
        """Return the reading after a step over its next part."""
        part = reading.part
        after = reading.beyond(place=step.end, cost=reading.cost + step.cost)
        if isinstance(part, Words):
            return after
        assert isinstance(part, Slot | Flag | Unseen)
        value = None if step.value is _NAMED else step.value
        is_typed = step.end > step.start or not self.typed.is_end(step.start)
        if isinstance(part, Slot):
            after = replace(after, completed="")
        if is_typed or not isinstance(part, Slot):
            after = replace(after, typed={**after.typed, part.name: value})
        after = replace(
            after,
            values={**after.values, part.name: value},
            starts={**after.starts, part.name: step.start},
        )
        if step.value is not _NAMED:
            return after
        assert isinstance(part, Unseen)
        assert self.situation.seat is not None
        who = of(part.who, self._said(reading))
        unseen = f"{person(self.situation.seat)} does not see this: only {who}"
        return after.blamed(Objection(unseen, part.name))

    # ---- parts -----------------------------------------------------------------------------------

    def _steps(
        self, reading: _Reading, part: Words | Slot | Flag | Unseen, said: Said[SetupT]
    ) -> Sequence[_Step] | _Missing:
        """Return the ways to read a part, or the question for it if the text has ended."""
        match part:
            case Words():
                return self._words(reading, part, said)
            case Slot():
                return self._slot(reading, part, said)
            case Flag():
                choices = [Choice(True, of(part.text, said), part.also)]
                self.offers.append((reading.place, choices))
                steps, _ = self._found(reading.place, choices)
                given = part.implied is not None and part.implied(said)
                return [*steps, self._skip(reading.place, given, is_printed=not given)]
            case Unseen():
                untold, _ = self._found(reading.place, [Choice(None, part.text)])
                named, _ = self._found(reading.place, of(part.choices, said))
                faults = [step._replace(value=_NAMED) for step in named]
                return [*untold, *faults, self._skip(reading.place, is_printed=not part.text)]

    def _words(
        self, reading: _Reading, part: Words, said: Said[SetupT]
    ) -> Sequence[_Step] | _Missing:
        text, needed = of(part.text, said), of(part.needed, said)
        if not needed and not any(sign.isalnum() for sign in "".join((text, *part.also))):
            return [self._skip(reading.place, is_printed=True)]
        choices = [Choice(True, text, part.also)]
        self.offers.append((reading.place, choices))
        steps, _ = self._found(reading.place, choices)
        if not needed:
            return [*steps, self._skip(reading.place)]
        if not steps and self.typed.is_end(reading.place):
            return _Missing("", repr(text), choices, _LEFT_OUT)
        if not steps:
            what = repr(part.also[0] if part.also else text)
            expected = _Expected(
                reading.cost, what, choices, likely=choices, refused=reading.refused
            )
            self._expect(reading, expected)
        return steps

    def _slot(
        self, reading: _Reading, part: Slot, said: Said[SetupT]
    ) -> Sequence[_Step] | _Missing:
        choices, hinted = of(part.choices, said), of(part.hinted, said)
        likely = choices if hinted is None else hinted
        self.offers.append((reading.place, likely))
        steps, unclear = self._found(reading.place, choices, glued=part.glued, vague=part.vague)
        if part.separated:
            longest = max((step.end for step in steps), default=0)
            steps = [
                step for step in steps if step.end == longest or self.typed.is_parted(step.end)
            ]
        given = None if part.implied is None else part.implied(said)
        if given is not None:
            steps.append(self._skip(reading.place, given))
        if any(step.end > reading.place for step in steps):
            return steps
        behind = self._behind(reading.place, part.vague) if part.vague else None
        place = reading.place if behind is None else behind
        what = of(part.what, said)
        if given is None and self.typed.is_end(place):
            return _Missing(of(part.ask, said) or f"Expected {what}:", what, likely, 0)
        barred = {} if part.barred is None else part.barred(said)
        matching, _ = matches(self.typed, place, tuple(barred))
        why = barred[matching[0].choice] if matching else ""
        expected = _Expected(
            reading.cost,
            what,
            choices,
            unclear=unclear,
            likely=likely or choices,
            refused=reading.refused,
            barred=why,
        )
        self._expect(reading, expected, place)
        return steps

    def _skip(self, place: int, value: Any = None, *, is_printed: bool = False) -> _Step:
        """Return the step that reads no text; with `is_printed`, the printed form is also empty."""
        cost = 0 if is_printed or self.typed.is_end(place) else _LEFT_OUT
        return _Step(value, self.typed.blanks(place), place, cost)

    def _found(
        self,
        place: int,
        choices: Sequence[Choice[Any]],
        *,
        glued: bool = False,
        vague: str = "",
    ) -> tuple[list[_Step], list[Ambiguity]]:
        """Return the choices typed at an index, or after vague words there."""
        matching, unclear = matches(self.typed, place, choices, glued=glued)
        behind = self._behind(place, vague) if vague else None
        if behind is not None:
            more, others = matches(self.typed, behind, choices, glued=glued)
            matching, unclear = [*matching, *more], [*unclear, *others]
        return [_Step(m.choice.value, m.start, m.end, m.cost) for m in matching], unclear

    def _behind(self, place: int, words: str) -> int | None:
        form = fold(words)
        for start, _ in self.typed.starts(place):
            if self.typed.spells(form, start):
                return start + len(form)
        return None

    # ---- ends ------------------------------------------------------------------------------------

    def _expect(self, reading: _Reading, expected: _Expected, place: int | None = None) -> None:
        """Record that a reading stops because it expects something else, here or at `place`."""
        at = self.typed.meant(reading.place if place is None else place)
        self.expected.setdefault(at, []).append(expected)

    def _add(self, reading: _Reading) -> None:
        """Record a reading that has reached the end of the event."""
        end = self.typed.separated(reading.place)
        if end is None:
            what, reason = "the end of the event", reading.completed
            expected = _Expected(reading.cost, what, reason=reason, refused=reading.refused)
            self._expect(reading, expected)
        elif reading.refused is not None:
            self.incomplete.append(_Incomplete(reading.cost, reading, None, reading.refused))
        else:
            made = reading.act.make(self._said(reading))
            understood = Understood(made, self.typed.origin(end))
            self.whole.append((reading.cost, reading.act, understood))

    # ---- results ---------------------------------------------------------------------------------

    def best(self) -> Understood | Pending:
        """Return the event, or its missing part.

        Raise `PhraseError` if the text describes no possible event or is ambiguous.
        """
        best = min(
            self.incomplete,
            key=lambda one: (one.cost, not one.reading.is_unclear, one.reading.number),
            default=None,
        )
        if self.whole and (
            best is None or not best.reading.is_unclear or best.cost > self.whole[0][0]
        ):
            return self._one()
        if best is None:
            raise self._error()
        if best.refused is not None:
            problem, place = best.refused
            raise self._pointed(problem, place, is_understood=not best.reading.is_unclear)
        assert best.missing is not None
        said = describe_so_far(
            best.reading.act,
            self.situation.setup,
            best.reading.typed,
            self.situation.seat,
            self.situation.knowledge,
        ).rstrip(",:; ")
        choices = {
            (choice.title, choice.also): choice
            for one in self.incomplete
            if one.missing is not None
            and one.cost == best.cost
            and one.missing.ask == best.missing.ask
            for choice in one.missing.choices
        }
        is_empty = not self.typed.text.strip()
        return Pending(
            "" if is_empty else said, best.missing.ask, best.missing.what, tuple(choices.values())
        )

    def _one(self) -> Understood:
        least = min(cost for cost, _, _ in self.whole)
        candidates = [(act, read) for cost, act, read in self.whole if cost == least]
        first_act, first = candidates[0]
        for act, read in candidates[1:]:
            if read.outcome != first.outcome:
                setup, seat = self.situation.setup, self.situation.seat
                meant = (
                    describe(first_act, setup, first.outcome, seat),
                    describe(act, setup, read.outcome, seat),
                )
                raise PhraseError(
                    f"this can mean {meant[0]!r} or {meant[1]!r}: be more specific",
                    self.typed.text,
                    0,
                )
        return first

    def _pointed(
        self, problem: str, place: int, near: Sequence[str] = (), *, is_understood: bool = False
    ) -> PhraseError:
        at = self.typed.origin(place)
        return PhraseError(problem, self.typed.text, at, near, is_understood)

    def _error(self) -> PhraseError:
        """Return the error at the rightmost index that a reading reached."""
        if not self.expected:
            return self._pointed("no more events are possible: the game is over", 0)
        place = max(self.expected)
        # Readings that omitted too many words to get there are not mentioned.
        least = min(expected.cost for expected in self.expected[place])
        here = [each for each in self.expected[place] if each.cost <= least + _FAR * _LEFT_OUT]
        cheapest = min(here, key=lambda expected: expected.cost)
        if cheapest.refused is not None:
            # An earlier part is impossible, which is reported first.
            problem, at = cheapest.refused
            return self._pointed(problem, at, is_understood=True)
        for unclear in (unclear for expected in here for unclear in expected.unclear):
            start, end = map(self.typed.origin, (unclear.start, unclear.end))
            named = [choice.title for choice in unclear.choices]
            longer = near_longer(self.typed, unclear)
            if longer:
                meant = _either([repr(title) for title in longer])
                awaited = _either(list(dict.fromkeys(expected.what for expected in here)))
                last = self.typed.origin(_with_next_word(self.typed, unclear))
                written = clipped(self.typed.text[start:last])
                return self._pointed(
                    f"expected {awaited}, got {written!r}; did you mean {meant}?",
                    unclear.start,
                    longer,
                )
            begun = self.typed.text[start:end]
            return self._pointed(f"{begun!r} could be {_either(named)}", unclear.start, named)
        barred = next((expected.barred for expected in here if expected.barred), "")
        if barred:
            return self._pointed(barred, place, is_understood=True)
        choices = [choice for expected in here for choice in expected.choices]
        what = list(dict.fromkeys(expected.what for expected in here))
        every = [choice for expected in self.expected[place] for choice in expected.choices]
        near = (
            near_titles(self.typed, place, choices)
            or near_titles(self.typed, place, every)
            or self._near_across(place)
        )
        problem = f"expected {_either(what)}, got {clipped(self.typed.word(place))!r}"
        likely = [choice for expected in here for choice in expected.likely]
        titles = list(dict.fromkeys(choice.title for choice in likely))
        if near:
            problem += f"; did you mean {_either([repr(title) for title in near])}?"
        elif len(here) == 1 and here[0].reason:
            problem = f"{here[0].reason}: what is {clipped(self.typed.word(place))!r}?"
        elif len(what) == 1 and 0 < len(titles) <= _FEW:
            problem += f"; choose from: {_either(titles)}"
        return self._pointed(problem, place, near)

    def _near_across(self, place: int) -> tuple[str, ...]:
        """Return the titles that resemble the words up to the one at a place, which is misspelt."""
        if self.typed.word(place).isdecimal():
            return ()
        for start, choices in self.offers:
            before = self.typed.folded[self.typed.meant(start) : place]
            written = f"{before}{self.typed.word(place).casefold()}"
            if before.strip() and (near := _near(written, choices)):
                return near
        return ()

    def completions(self) -> tuple[Completion, ...]:
        """Return the completions of the last word, or of the next word."""
        completions: dict[Completion, None] = {}
        in_word = self.typed.folded[-1:].isalnum()
        for place, choices in self.offers:
            for start, _ in self.typed.starts(place):
                rest = self.typed.folded[start:]
                if in_word and not rest:
                    continue  # the typed word is still incomplete
                for choice in choices:
                    if any(form.startswith(rest) for form in spellings(choice)):
                        completions[Completion(self.typed.origin(start), choice.word)] = None
        return tuple(completion for completion in completions if completion.text)


def near_titles(typed: Typed, place: int, choices: Sequence[Choice[Any]]) -> tuple[str, ...]:
    """Return up to three titles that resemble the input at an index."""
    forms = {form: choice.title for choice in choices for form in spellings(choice)}
    if not any(sign.isalnum() for sign in typed.word(place)):
        return ()
    words = typed.folded[place:].split(" ")
    near: dict[str, None] = {}
    for number in (3, 2, 1):
        written = " ".join(words[:number]).strip(" .,;:!?()\n")
        for form in difflib.get_close_matches(written, forms, n=3, cutoff=0.7):
            # Two letters are most of a short word: "Eve" is not "seven". In "mo hall", the unknown
            # word is not "hall".
            is_short = len(written) <= _SHORT and abs(len(form) - len(written)) > 1
            if not is_short and not written.endswith(f" {form}"):
                near[forms[form]] = None
    return tuple(near)[:3]


def _with_next_word(typed: Typed, unclear: Ambiguity) -> int:
    """Return the end of the word after the unclear part, or of that part if punctuation follows."""
    word = _NEXT_WORD.match(typed.folded, unclear.end)
    return unclear.end if word is None else word.end()


def near_longer(typed: Typed, unclear: Ambiguity) -> tuple[str, ...]:
    """Return the ambiguous titles that resemble the typed prefix extended by its next word."""
    end = _with_next_word(typed, unclear)
    if end == unclear.end:
        return ()
    return _near(typed.folded[unclear.start : end], unclear.choices)


def _near(written: str, choices: Sequence[Choice[Any]]) -> tuple[str, ...]:
    """Return the titles that resemble several words."""
    forms = {form: choice.title for choice in choices for form in spellings(choice)}
    near = difflib.get_close_matches(written, forms, n=3, cutoff=0.8)
    return tuple(dict.fromkeys(forms[form] for form in near))


def _either(parts: Sequence[str]) -> str:
    return " or ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def read(
    acts: Iterable[Act[SetupT]], situation: Situation[SetupT], text: str
) -> Understood | Pending:
    """Return the first event of a text, or its missing part.

    Raises:
        PhraseError: the text describes no event that is possible here.
    """
    search = _Search(acts, situation, text)
    search.run()
    return search.best()


def completions(
    acts: Iterable[Act[SetupT]], situation: Situation[SetupT], text: str
) -> tuple[Completion, ...]:
    """Return the completions of a text, in the order of the acts."""
    search = _Search(acts, situation, text)
    search.run(everything=True)
    return search.completions()
