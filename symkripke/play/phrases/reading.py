"""From text to events: the script of a phrase, run for reading.

If a text can be understood in several ways, the script is run once for each way. At a place with
several possibilities the search notes all of them, and continues with each from the start of the
script. The cheapest way is tried first. The printed sentence costs nothing. Other spellings, words
left out and beginnings of names cost increasingly more. So a printed sentence is always understood
as it was meant, whatever the names of the cards. If two events have the same least cost, the text
is ambiguous, which is an error.
"""

from __future__ import annotations

import difflib
import heapq
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from symkripke.errors import InputError, PhraseError, clipped
from symkripke.language import Atom
from symkripke.play.phrases.choices import Choice
from symkripke.play.phrases.matching import (
    Ambiguity,
    Typed,
    fold,
    matches,
    spellings,
)
from symkripke.play.phrases.speech import Phrase, SetupT, Situation, Speech, StateT, has_seen
from symkripke.play.phrases.telling import told, told_so_far
from symkripke.play.rules import Outcome
from symkripke.play.words import person

T = TypeVar("T")

_LEFT_OUT = 1
_REFUSED = 20

# A word with so many letters is short.
_SHORT = 3

_FEW = 12
"""The number of names that an error lists."""

_FAR = 3
"""The number of further words that may be left out in a reading that an error mentions."""

_NEXT_WORD = re.compile(r" [\w'-]+")

_WAYS = 20_000
"""The greatest number of ways that are tried."""


@dataclass(frozen=True)
class Understood:
    """A text that tells an event.

    Attributes:
        outcome: the event; what the script of its phrase returns.
        end: behind it in the text: more events may follow.
    """

    outcome: Any
    end: int


@dataclass(frozen=True)
class Pending:
    """A text that tells a part of an event.

    Attributes:
        said: what is told so far, as a sentence without its end; empty: nothing.
        ask: the question for what is missing.
        what: what is expected: "a weapon".
        choices: the possible answers.
    """

    said: str
    ask: str
    what: str
    choices: tuple[Choice[Any], ...] = ()


@dataclass(frozen=True)
class Completion:
    """A way to go on with a text.

    Attributes:
        start: the text from this place on is replaced by `text`.
        text: the new text.
    """

    start: int
    text: str


_NAMED: Any = object()
"""The value of a place that names something unseen."""


class _Step(NamedTuple):
    """The content found in a place: a value, its position in the text, and its cost."""

    value: Any
    start: int
    end: int
    cost: int


class _Dead(Exception):
    """The text cannot be read in this way."""


class _Fork(Exception):
    """There are several ways to go on."""

    def __init__(self, steps: Sequence[_Step]) -> None:
        super().__init__()
        self.steps = steps


class _Open(Exception):
    """The text ends before the event does."""

    def __init__(self, ask: str, what: str, choices: Sequence[Choice[Any]], cost: int) -> None:
        super().__init__()
        self.ask = ask
        self.what = what
        self.choices = tuple(choices)
        self.cost = cost


class _Expected(NamedTuple):
    """What a reading expected where it stopped; or, in `told`, why it expected no more."""

    cost: int
    what: str
    told: str
    choices: Sequence[Choice[Any]]
    unclear: Sequence[Ambiguity]
    likely: Sequence[Choice[Any]]
    refused: tuple[str, int] | None
    barred: str


class _Run(Speech[SetupT, StateT]):
    """One way to read the text: the steps of `path`, then on until several ways are possible."""

    def __init__(self, search: _Search[SetupT], path: tuple[_Step, ...]) -> None:
        self.setup = search.situation.setup
        self.seat = search.situation.seat
        self.values: dict[str, Any] = {}
        self.cost = 0
        self.place = 0
        self.path = path
        self.refused: tuple[str, int] | None = None
        self.contradicted: tuple[str, int] | None = None
        self.is_unclear = False
        self.completed = ""
        self._search = search
        self._typed = search.typed
        self._situation = search.situation
        self._done = 0
        self._starts: dict[str, int] = {}

    def _step(self, name: str, ways: Callable[[], Sequence[_Step]]) -> _Step:
        """The next step: the one that the path says, or the only way there is."""
        if self._done == len(self.path):
            steps = ways()
            if not steps:
                raise _Dead
            if len(steps) > 1:
                raise _Fork(steps)
            self.path = (*self.path, steps[0])
        step = self.path[self._done]
        self._done += 1
        self.place = step.end
        self.cost += step.cost
        self._starts[name] = step.start
        return step

    def _skip(self, value: Any = None, *, printed: bool = False) -> _Step:
        """The step that reads no text, and whether printing also writes nothing there."""
        cost = 0 if printed or self._typed.is_end(self.place) else _LEFT_OUT
        start = self._typed.blanks(self.place)
        return _Step(value, start, self.place, cost)

    def _found(
        self, choices: Sequence[Choice[T]], *, glued: bool = False, vague: str = ""
    ) -> tuple[list[_Step], list[Ambiguity]]:
        found, unclear = matches(self._typed, self.place, choices, glued=glued)
        if vague:
            place = self._behind(vague)
            if place is not None:
                more, others = matches(self._typed, place, choices, glued=glued)
                found, unclear = [*found, *more], [*unclear, *others]
        return [_Step(m.choice.value, m.start, m.end, m.cost) for m in found], unclear

    def _why_barred(self, place: int, barred: Mapping[Choice[T], str]) -> str:
        """Why what is typed there cannot be there; empty if it is none of these."""
        found, _ = matches(self._typed, place, tuple(barred))
        return barred[found[0].choice] if found else ""

    def _behind(self, words: str) -> int | None:
        form = fold(words)
        for start, _ in self._typed.starts(self.place):
            if self._typed.spells(form, start):
                return start + len(form)
        return None

    # ---- words ---------------------------------------------------------------------------------

    def words(self, text: str, *also: str, short: str = "", needed: bool = False) -> None:
        if not needed and not any(sign.isalnum() for sign in "".join((text, *also))):
            return
        choices = [Choice(True, text, also)]

        def ways() -> list[_Step]:
            self._search.offer(self.place, choices)
            steps, _ = self._found(choices)
            if not needed:
                return [*steps, self._skip()]
            if not steps and self._typed.is_end(self.place):
                raise _Open("", repr(text), choices, _LEFT_OUT)
            if not steps:
                self._search.expect(self, repr(also[0] if also else text), choices, [])
            return steps

        self._step("", ways)

    # ---- places --------------------------------------------------------------------------------

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
        def ways() -> list[_Step]:
            likely = choices if hinted is None else hinted
            self._search.offer(self.place, likely)
            steps, unclear = self._found(choices, glued=glued, vague=vague)
            if separated:
                longest = max((step.end for step in steps), default=0)
                steps = [
                    step for step in steps if step.end == longest or self._typed.is_parted(step.end)
                ]
            given = None if implied is None else implied(self._situation.state)
            if given is not None:
                steps.append(self._skip(given))
            if not any(step.end > self.place for step in steps):
                behind = self._behind(vague) if vague else None
                place = self.place if behind is None else behind
                if given is None and self._typed.is_end(place):
                    raise _Open(ask or f"Expected {what}:", what, likely, 0)
                why = self._why_barred(place, barred or {})
                self._search.expect(self, what, choices, unclear, place, likely=likely, barred=why)
            return steps

        step = self._step(name, ways)
        self.completed = ""
        if step.end > step.start or not self._typed.is_end(step.start):
            self.values[name] = step.value
        value: T = step.value
        return value

    def flag(
        self,
        name: str,
        text: str,
        *also: str,
        implied: Callable[[StateT], bool] | None = None,
    ) -> bool:
        choices = [Choice(True, text, also)]

        def ways() -> list[_Step]:
            self._search.offer(self.place, choices)
            steps, _ = self._found(choices)
            given = implied is not None and implied(self._situation.state)
            return [*steps, self._skip(given, printed=not given)]

        self.values[name] = bool(self._step(name, ways).value)
        return bool(self.values[name])

    # ---- what is not typed -----------------------------------------------------------------------

    def fact(self, name: str, found: Callable[[StateT], T]) -> T:
        value = found(self._situation.state)
        self.values.setdefault(name, value)
        return value

    def by_rules(self, found: Callable[[StateT], T]) -> T | None:
        return found(self._situation.state)

    def sees(self, *players: str) -> bool:
        return self.seat is None or self.seat in players

    def unseen(self, name: str, text: str, choices: Sequence[Choice[Any]], who: str) -> None:
        vague = [Choice(None, text)]

        def ways() -> list[_Step]:
            said, _ = self._found(vague)
            named, _ = self._found(choices)
            told = [_Step(_NAMED, step.start, step.end, step.cost) for step in named]
            return [*said, *told, self._skip(printed=not text)]

        if self._step(name, ways).value is _NAMED:
            assert self.seat is not None
            self.refuse(f"{person(self.seat)} does not see this: only {who}", name)
        self.values[name] = None

    def known(self, name: str) -> bool:
        return True

    def own(self, atom: Atom) -> bool:
        return has_seen(self._situation.knowledge, atom)

    def refuse(self, problem: str, name: str) -> None:
        self.cost += _REFUSED
        if self.refused is None:
            self.refused = problem, self._starts.get(name, self.place)

    def unclear(self, problem: str, name: str) -> None:
        if not self.is_unclear:
            self.is_unclear = True
            self.refused = problem, self._starts.get(name, self.place)

    def impossible(self, problem: str, name: str) -> None:
        if self.contradicted is None:
            self.contradicted = problem, self._starts.get(name, self.place)

    def complete(self, told: str) -> None:
        self.completed = told

    def count(self, name: str) -> int | None:
        return None

    def ended(self) -> bool:
        return self._typed.breaks(self.place)

    def brief(self) -> bool:
        return False


class _Part(NamedTuple):
    """A reading that ends before the event does, or is refused."""

    cost: int
    number: int
    phrase: Phrase[Any]
    values: Mapping[str, Any]
    open: _Open | None
    refused: tuple[str, int] | None
    is_unclear: bool = False


class _Search(Generic[SetupT]):
    """Reads the next event of a text, in all ways, the cheapest first."""

    def __init__(
        self, phrases: Iterable[Phrase[SetupT]], situation: Situation[SetupT], text: str
    ) -> None:
        self.situation = situation
        self.typed = Typed(text)
        self.phrases = [phrase for phrase in phrases if phrase.when(situation.state)]
        self.expected: dict[int, list[_Expected]] = {}
        self.offers: list[tuple[int, Sequence[Choice[Any]]]] = []
        self.whole: list[tuple[int, Phrase[SetupT], Understood]] = []
        self.parts: list[_Part] = []

    # ---- what the runs report ------------------------------------------------------------------

    def offer(self, place: int, choices: Sequence[Choice[Any]]) -> None:
        self.offers.append((place, choices))

    def expect(
        self,
        run: _Run[SetupT, Any],
        what: str,
        choices: Sequence[Choice[Any]],
        unclear: Sequence[Ambiguity],
        place: int | None = None,
        told: str = "",
        likely: Sequence[Choice[Any]] | None = None,
        barred: str = "",
    ) -> None:
        """A run stops because something else is expected where it is, or at another place."""
        at = self.typed.meant(run.place if place is None else place)
        self.expected.setdefault(at, []).append(
            _Expected(
                run.cost, what, told, choices, unclear, likely or choices, run.refused, barred
            )
        )

    # ---- the search ------------------------------------------------------------------------------

    def run(self, *, everything: bool = False) -> None:
        """Find the readings; with `everything` go on when the best is found."""
        waiting: list[tuple[int, int, int, int, tuple[_Step, ...]]] = [
            (0, 0, number, number, ()) for number in range(len(self.phrases))
        ]
        counter = len(waiting)
        for _ in range(_WAYS):
            if not waiting or (not everything and self._is_settled(waiting[0][0])):
                return
            _, _, _, number, path = heapq.heappop(waiting)
            phrase = self.phrases[number]
            run: _Run[SetupT, Any] = _Run(self, path)
            try:
                outcome = phrase.script(run)
            except _Fork as fork:
                for step in fork.steps:
                    counter += 1
                    cost = run.cost + step.cost
                    way = (cost, -step.end, counter, number, (*run.path, step))
                    heapq.heappush(waiting, way)
            except _Dead:
                continue
            except _Open as found:
                cost = run.cost + found.cost
                self._part(cost, number, run, found, run.refused or run.contradicted)
            except InputError as error:
                # What the script asked of the position: the rules forbid it.
                refused = run.refused or (str(error), run.place)
                cost = run.cost + _REFUSED
                self._part(cost, number, run, None, refused)
            else:
                self._add(number, phrase, run, outcome)
        if waiting:
            raise PhraseError("this can be read in too many ways", self.typed.text, 0)

    def _is_settled(self, cost: int) -> bool:
        return bool(self.whole) and cost > self.whole[0][0]

    def _add(
        self, number: int, phrase: Phrase[SetupT], run: _Run[SetupT, Any], outcome: Outcome[Any]
    ) -> None:
        end = self.typed.separated(run.place)
        if end is None:
            self.expect(run, "the end of the event", (), (), told=run.completed)
        elif run.refused is not None:
            self._part(run.cost, number, run, None, run.refused)
        else:
            found = Understood(outcome, self.typed.origin(end))
            self.whole.append((run.cost, phrase, found))

    def _part(
        self,
        cost: int,
        number: int,
        run: _Run[SetupT, Any],
        found: _Open | None,
        refused: tuple[str, int] | None,
    ) -> None:
        phrase = self.phrases[number]
        self.parts.append(_Part(cost, number, phrase, run.values, found, refused, run.is_unclear))

    # ---- what came of it -------------------------------------------------------------------------

    def best(self) -> Understood | Pending:
        """The event, or what is missing; raises `PhraseError`."""
        best = min(
            self.parts,
            key=lambda part: (part.cost, not part.is_unclear, part.number),
            default=None,
        )
        if self.whole and (best is None or not best.is_unclear or best.cost > self.whole[0][0]):
            return self._one()
        if best is None:
            raise self._error()
        if best.refused is not None:
            problem, place = best.refused
            raise self._pointed(problem, place, is_understood=not best.is_unclear)
        assert best.open is not None
        said = told_so_far(
            best.phrase,
            self.situation.setup,
            best.values,
            self.situation.seat,
            self.situation.knowledge,
        ).rstrip(",:; ")
        choices = {
            (choice.title, choice.also): choice
            for part in self.parts
            if part.open is not None and part.cost == best.cost and part.open.ask == best.open.ask
            for choice in part.open.choices
        }
        is_empty = not self.typed.text.strip()
        return Pending(
            "" if is_empty else said, best.open.ask, best.open.what, tuple(choices.values())
        )

    def _one(self) -> Understood:
        least = min(cost for cost, _, _ in self.whole)
        found = [(phrase, read) for cost, phrase, read in self.whole if cost == least]
        first_phrase, first = found[0]
        for phrase, read in found[1:]:
            if read.outcome != first.outcome:
                setup, seat = self.situation.setup, self.situation.seat
                meant = (
                    told(first_phrase, setup, first.outcome, seat),
                    told(phrase, setup, read.outcome, seat),
                )
                raise PhraseError(
                    f"this can mean {meant[0]!r} or {meant[1]!r}: say it in more words",
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
        """The error: at the place that is farthest to the right."""
        if not self.expected:
            return self._pointed("nothing can happen now: the game is over", 0)
        place = max(self.expected)
        # Readings that left out too many words to get there are not mentioned.
        least = min(expected.cost for expected in self.expected[place])
        here = [each for each in self.expected[place] if each.cost <= least + _FAR * _LEFT_OUT]
        cheapest = min(here, key=lambda expected: expected.cost)
        if cheapest.refused is not None:
            # What was said before it cannot be: that is told first.
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
        near = near_titles(self.typed, place, choices) or near_titles(self.typed, place, every)
        problem = f"expected {_either(what)}, got {clipped(self.typed.word(place))!r}"
        likely = [choice for expected in here for choice in expected.likely]
        titles = list(dict.fromkeys(choice.title for choice in likely))
        if near:
            problem += f"; did you mean {_either([repr(title) for title in near])}?"
        elif len(here) == 1 and here[0].told:
            problem = f"{here[0].told}: what is {clipped(self.typed.word(place))!r}?"
        elif len(what) == 1 and 0 < len(titles) <= _FEW:
            problem += f"; it can be {_either(titles)}"
        return self._pointed(problem, place, near)

    def completions(self) -> tuple[Completion, ...]:
        """The ways to go on with the last word, or with the next one."""
        found: dict[Completion, None] = {}
        in_word = self.typed.folded[-1:].isalnum()
        for place, choices in self.offers:
            for start, _ in self.typed.starts(place):
                rest = self.typed.folded[start:]
                if in_word and not rest:
                    continue  # the word that is typed is not at its end yet
                for choice in choices:
                    if any(form.startswith(rest) for form in spellings(choice)):
                        found[Completion(self.typed.origin(start), choice.word)] = None
        return tuple(completion for completion in found if completion.text)


def near_titles(typed: Typed, place: int, choices: Sequence[Choice[Any]]) -> tuple[str, ...]:
    """Titles that are spelt much like what is typed at a place."""
    forms = {form: choice.title for choice in choices for form in spellings(choice)}
    if not any(sign.isalnum() for sign in typed.word(place)):
        return ()
    words = typed.folded[place:].split(" ")
    near: dict[str, None] = {}
    for number in (3, 2, 1):
        written = " ".join(words[:number]).strip(" .,;:!?()\n")
        for form in difflib.get_close_matches(written, forms, n=3, cutoff=0.7):
            # Of a short word two letters are most of it: "Eve" is not "seven".
            if len(written) > _SHORT or abs(len(form) - len(written)) <= 1:
                near[forms[form]] = None
    return tuple(near)[:3]


def _with_next_word(typed: Typed, unclear: Ambiguity) -> int:
    """Behind the word that follows what is unclear; no further than that if a sign follows it."""
    word = _NEXT_WORD.match(typed.folded, unclear.end)
    return unclear.end if word is None else word.end()


def near_longer(typed: Typed, unclear: Ambiguity) -> tuple[str, ...]:
    """Of several titles that begin alike those that are spelt much like that and one word more."""
    end = _with_next_word(typed, unclear)
    if end == unclear.end:
        return ()
    forms = {form: choice.title for choice in unclear.choices for form in spellings(choice)}
    written = typed.folded[unclear.start : end]
    near = difflib.get_close_matches(written, forms, n=3, cutoff=0.8)
    return tuple(dict.fromkeys(forms[form] for form in near))


def _either(parts: Sequence[str]) -> str:
    return " or ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def read(
    phrases: Iterable[Phrase[SetupT]], situation: Situation[SetupT], text: str
) -> Understood | Pending:
    """The first event that a text tells, or the part of it that is missing.

    Raises:
        PhraseError: it tells no event that can be said here; points at the place.
    """
    search = _Search(phrases, situation, text)
    search.run()
    return search.best()


def completions(
    phrases: Iterable[Phrase[SetupT]], situation: Situation[SetupT], text: str
) -> tuple[Completion, ...]:
    """The ways to go on with a text, in the order of the phrases."""
    search = _Search(phrases, situation, text)
    search.run(everything=True)
    return search.completions()
