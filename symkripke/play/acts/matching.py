"""Recognition of names at an index of a typed text: in any case, in full or by a prefix.

A slot of a sentence has a list of choices. The typed text is compared with the spellings of each
choice. A spelling that is typed in full matches. If several match, the search may try all of them.
A prefix of a spelling matches only if it belongs to a single choice.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from symkripke.play.acts.choices import Choice

T = TypeVar("T")

# The costs of differences from the printed sentence: see `symkripke.play.acts.reading`.
PRINTED, SPELT, PARTIAL, BEGUN = 0, 1, 3, 5
_PASSED = 2
"""The cost of skipping a small word that is also a name here: "a" may be the ace."""

FILLERS = ("the", "a", "an", "and", "in", "with")
"""Small words without meaning that may precede any part."""

_SIGNS = ',;:.()"'
_SPACES = " \t\n\u00a0"
_SHORTENED = re.compile(r"\b(?:mrs?|ms|dr|prof|col|rev|st|capt)\.(?=\s*\w)", re.IGNORECASE)
"""Abbreviated titles of people that end in a full stop before a name."""
_BREAK = re.compile(r"[ ,]*(;|\n|\.(?=\s))")


class Typed:
    """A typed text, prepared for comparisons.

    Attributes:
        text: the typed text, in composed characters (NFC).
        folded: the case-folded text, with every run of blanks replaced by one blank.
    """

    def __init__(self, text: str) -> None:
        """Fold the text, and record the index from which each character comes."""
        self.text = unicodedata.normalize("NFC", text).replace("\u2019", "'")
        folded: list[str] = []
        origins: list[int] = []
        short = {match.end() - 1 for match in _SHORTENED.finditer(self.text)}
        for place, sign in enumerate(self.text):
            # "Mrs. White" reads as "Mrs White".
            plain = " " if place in short or (sign != "\n" and sign.isspace()) else sign.casefold()
            if plain == " " and folded[-1:] == [" "]:
                continue
            folded.extend(plain)
            origins.extend([place] * len(plain))
        self.folded = "".join(folded)
        self._origins = (*origins, len(self.text))

    def __len__(self) -> int:
        return len(self.folded)

    def origin(self, place: int) -> int:
        """Return the index in `text` of an index in `folded`."""
        return self._origins[min(place, len(self.folded))]

    def blanks(self, place: int) -> int:
        """Return the index of the next non-blank character."""
        while place < len(self.folded) and self.folded[place] in _SPACES:
            place += 1
        return place

    def meant(self, place: int) -> int:
        """Return the index of the next character that is neither a blank nor punctuation."""
        while place < len(self.folded) and self.folded[place] in _SPACES + _SIGNS:
            place += 1
        return place

    def starts(self, place: int) -> Iterator[tuple[int, int]]:
        """Yield the indices at which a part may begin, with the number of skipped small words."""
        place, words = self.blanks(place), 0
        yield place, 0
        while place < len(self.folded):
            if self.folded[place] in _SIGNS:
                place = self.blanks(place + 1)
            else:
                filler = next((word for word in FILLERS if self.spells(word, place)), None)
                if filler is None:
                    return
                place, words = self.blanks(place + len(filler)), words + 1
            yield place, words

    def breaks(self, place: int) -> bool:
        """Return whether the text, or a part of a sentence, ends at this index."""
        return self.is_end(place) or _BREAK.match(self.folded, place) is not None

    def spells(self, form: str, place: int, *, glued: bool = False) -> bool:
        """Return whether the folded form is at this index as a whole word or number."""
        if not self.folded.startswith(form, place):
            return False
        following = self.folded[place + len(form) : place + len(form) + 1]
        if glued or not following:
            return True
        if form[-1].isdigit() or following.isdigit():
            return not (form[-1].isdigit() and following.isdigit())
        return not (_wordy(form[-1]) and _wordy(following))

    def is_parted(self, place: int) -> bool:
        """Return whether punctuation or a new line comes before the next word."""
        return any(sign in _SIGNS + "\n" for sign in self.folded[place : self.meant(place)])

    def is_end(self, place: int) -> bool:
        """Return whether only blanks and punctuation follow."""
        return all(sign in _SPACES or sign in _SIGNS for sign in self.folded[place:])

    def separated(self, place: int) -> int | None:
        """Return the index after the separator of events: a new line or two semicolons.

        Return the length at the end of the text, and None if anything else comes first.
        """
        while place < len(self.folded):
            if self.folded[place] == "\n":
                return place + 1
            if self.folded.startswith(";;", place):
                return place + 2
            if self.folded[place] not in _SPACES + _SIGNS + "!":
                return None
            place += 1
        return place

    def word(self, place: int) -> str:
        """Return the word or symbol at an index, as typed."""
        match = re.compile(r"\w[\w'-]*|\S").match(self.folded, self.blanks(place))
        if match is None:
            return ""
        return self.text[self.origin(match.start()) : self.origin(match.end())]


def _wordy(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def fold(form: str) -> str:
    """Return the folded form of a spelling, for comparisons."""
    return Typed(form.strip()).folded


class _Spelling(NamedTuple):
    form: str
    cost: int


@lru_cache(maxsize=4096)
def _spellings(title: str, also: tuple[str, ...], printed: str) -> tuple[_Spelling, ...]:
    """Return the spellings with their costs: the title, its suffixes, and other names."""
    costs: dict[str, int] = {}
    for form, cost in ((printed, PRINTED), (title, SPELT), *((form, SPELT) for form in also)):
        if form.strip():
            costs.setdefault(fold(form), cost)
    bare = fold(title).strip(_SIGNS + " !?")
    if bare:
        costs.setdefault(bare, SPELT)
    words = bare.split(" ")
    for number in range(1, len(words)):
        costs.setdefault(" ".join(words[number:]), PARTIAL)
    return tuple(_Spelling(form, cost) for form, cost in costs.items())


def _spellings_of(choice: Choice[Any]) -> tuple[_Spelling, ...]:
    return _spellings(choice.title, choice.also, choice.printed)


def spellings(choice: Choice[Any]) -> Sequence[str]:
    """Return the folded spellings of a choice, starting with the printed form."""
    return [form for form, _ in _spellings_of(choice)]


@dataclass(frozen=True)
class Match(Generic[T]):
    """A choice recognised in the text.

    Attributes:
        choice: the choice.
        start: the index of its first character.
        end: the index after its last character.
        cost: the distance from the printed form.
    """

    choice: Choice[T]
    start: int
    end: int
    cost: int


@dataclass(frozen=True)
class Ambiguity:
    """A typed prefix that several choices share."""

    start: int
    end: int
    choices: tuple[Choice[Any], ...]


def matches(
    typed: Typed, place: int, choices: Sequence[Choice[T]], *, glued: bool = False
) -> tuple[list[Match[T]], list[Ambiguity]]:
    """Return the choices typed at an index, and prefixes that several of them share.

    With `glued`, other text may follow a choice immediately, as in "12345" for five dice.
    """
    matching: list[Match[T]] = []
    unclear: list[Ambiguity] = []
    passed = 0
    for start, words in typed.starts(place):
        if start >= len(typed):
            break
        here = _exact(typed, start, choices, glued)
        longest = max((match.end for match in here), default=start)
        partial = [match for match in here if match.cost >= PARTIAL]
        whole = [match for match in here if match.cost < PARTIAL]
        ends = {match.end for match in whole}
        partial = [match for match in partial if match.end not in ends]
        begun = _begun(typed, start, longest, choices)
        begun += _loose(typed, start, longest, choices)
        by_end: dict[int, list[Match[T]]] = {}
        for match in (*partial, *begun):
            by_end.setdefault(match.end, []).append(match)
        for end, found_there in by_end.items():
            # A prefix of another title wins over a later word of this title.
            least = min(match.cost for match in found_there)
            alike = [match for match in found_there if match.cost == least]
            several = tuple(dict.fromkeys(match.choice for match in alike))
            if any(choice.value != several[0].value for choice in several):
                unclear.append(Ambiguity(start, end, several))
            else:
                whole.append(alike[0])
        matching.extend(
            Match(match.choice, match.start, match.end, match.cost + words + passed)
            for match in whole
        )
        if here:
            passed = _PASSED
    return matching, unclear


def _exact(typed: Typed, start: int, choices: Sequence[Choice[T]], glued: bool) -> list[Match[T]]:
    matching: list[Match[T]] = []
    for choice in choices:
        best: dict[int, int] = {}
        for form, cost in _spellings_of(choice):
            if typed.spells(form, start, glued=glued):
                end = start + len(form)
                best[end] = min(cost, best.get(end, cost))
        matching.extend(Match(choice, start, end, cost) for end, cost in best.items())
    return matching


def _loose(typed: Typed, start: int, longest: int, choices: Sequence[Choice[T]]) -> list[Match[T]]:
    """Return the choices whose loose forms are typed here, if longer than the exact matches."""
    return [
        Match(choice, start, start + len(form), PRINTED + BEGUN)
        for choice in choices
        for form in choice.loosely
        if start + len(form) > longest and typed.spells(form, start)
    ]


_BEGINNING = re.compile(r"\w[\w'-]*")


def _begun(typed: Typed, start: int, longest: int, choices: Sequence[Choice[T]]) -> list[Match[T]]:
    """Return the choices with a proper prefix typed here, if longer than the exact matches."""
    matching: list[Match[T]] = []
    end = start
    for _ in range(6):
        word = _BEGINNING.match(typed.folded, end)
        if word is None:
            break
        end = word.end()
        if end > longest:
            begun = typed.folded[start:end]
            for choice in choices:
                costs = [
                    cost if cost >= PARTIAL else PRINTED
                    for form, cost in _spellings_of(choice)
                    if len(form) > len(begun)
                    and form.startswith(begun)
                    and not form[0].isdigit()
                    # A single letter does not count as a prefix of a later word of a title.
                    and (cost < PARTIAL or len(begun) > 1)
                ]
                if costs:
                    matching.append(Match(choice, start, end, min(costs) + BEGUN))
        if typed.folded[end : end + 1] != " ":
            break
        end += 1
    return matching
