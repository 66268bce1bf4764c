"""The errors of this package, in one family.

`SymkripkeError` is the base. A fault of the user (`InputError` and what derives from it)
is a `ValueError` too, and its message says what was expected, what came, and where.
Limits of the program are no faults: `Unsupported` (this engine has no answer to this kind of
question) and `BudgetExceeded` (it ran out of the time or room that it was given; never
to be read as "no").
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from typing import Any, Literal

# Numbers with more digits than this are a slip of somebody's hand; Python reads up to 4,300.
LONGEST_NUMBER = 1_000

_UNREADABLE = 10**LONGEST_NUMBER

# The most letters that a message shows of a value, and of a line of it.
_LONGEST_VALUE = 200
_LONGEST_LINE = 1_000
_QUOTED = rf"(['\"])(?:(?!\1)[^\n]){{{_LONGEST_VALUE},}}?\1"

_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"

# The number of letters of a line that are shown around a fault.
_WIDTH = 160


class SymkripkeError(Exception):
    """The base of every error that this package raises on purpose.

    A value of more than 200 characters is cut in the message, and so is a very long line.
    """

    def __str__(self) -> str:
        return readable(super().__str__())


class InputError(SymkripkeError, ValueError):
    """Something that the user gave is wrong."""


class UnknownName(InputError):
    """A name that is not known here; the message lists near names."""

    def __init__(self, kind: str, name: str, known: Iterable[str], advice: str = "") -> None:
        """Compose "unknown KIND 'NAME'", a hint (near names, or all if few), and advice."""
        self.kind = kind
        self.name = name
        self.known = tuple(dict.fromkeys(known))
        self.advice = advice
        super().__init__(f"unknown {kind} {clipped(name)!r}{hint(name, self.known)}{advice}")

    def __reduce__(self) -> tuple[Any, ...]:
        return UnknownName, (self.kind, self.name, self.known, self.advice)

    @property
    def meant(self) -> str | None:
        """The one known name that differs in its capitals only; None if there is none, or more."""
        alike = [
            candidate for candidate in self.known if candidate.casefold() == self.name.casefold()
        ]
        return alike[0] if len(alike) == 1 else None


def check_name(kind: str, name: str, known: Collection[str]) -> None:
    """Raises `UnknownName` if the name is none of those that are known."""
    if name not in known:
        raise UnknownName(kind, name, known)


class FormulaError(InputError):
    """A formula's text is wrong; the message shows the line with a caret under the place.

    Attributes:
        problem: what is wrong, in one line, without the place.
        text: the whole text that was read.
        line: the line of the fault, from 1.
        column: the column of the fault, from 1.
    """

    def __init__(self, problem: str, text: str, line: int, column: int) -> None:
        """Compose the problem, the line, and a caret under its column."""
        place = f"line {line}, column {column}" if "\n" in text else f"column {column}"
        super().__init__(f"{problem} ({place}){_pointed(text, line, column)}")
        self.problem = problem
        self.text = text
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        return FormulaError, (self.problem, self.text, self.line, self.column)


class ProblemError(FormulaError):
    """A file that states a problem is wrong; the message names the file and shows the line.

    Attributes:
        path: the file; empty if the text came from elsewhere.
    """

    def __init__(self, problem: str, text: str, line: int, column: int, path: str = "") -> None:
        """Compose file, place, problem, the line, and a caret under its column."""
        super().__init__(problem, text, line, column)
        self.path = path
        where = f"{path}, line {line}" if path else f"line {line}"
        self.args = (f"{where}, column {column}: {problem}{_pointed(text, line, column)}",)

    def __reduce__(self) -> tuple[Any, ...]:
        return ProblemError, (self.problem, self.text, self.line, self.column, self.path)


class PhraseError(InputError):
    """A text that tells no event; the message shows the line with a caret under the place.

    Attributes:
        problem: what is wrong, in one line, without the place.
        text: the whole text that was read.
        place: where the fault is, as an index of the text.
        near: names that may have been meant.
        is_understood: whether it is clear what is meant, but cannot be now.
    """

    def __init__(
        self,
        problem: str,
        text: str,
        place: int,
        near: Iterable[str] = (),
        is_understood: bool = False,
    ) -> None:
        """Compose the problem, the line, and a caret under the place."""
        line = text.count("\n", 0, place) + 1
        column = place - text.rfind("\n", 0, place)
        super().__init__(f"{problem}{_pointed(text, line, column)}")
        self.problem = problem
        self.text = text
        self.place = place
        self.near = tuple(near)
        self.is_understood = is_understood

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.problem, self.text, self.place, self.near, self.is_understood)
        return PhraseError, fields


def long_number(text: str) -> tuple[str, int, int] | None:
    """What is wrong with the first number that is far too long; its line and column, from 1."""
    found = re.search(rf"\d{{{LONGEST_NUMBER + 1},}}", text)
    if found is None:
        return None
    problem = f"a number of {len(found[0]):,} digits: expected at most {LONGEST_NUMBER:,}"
    line = text.count("\n", 0, found.start()) + 1
    return problem, line, found.start() - text.rfind("\n", 0, found.start())


class ImpossibleEvent(InputError):
    """An event that cannot have happened where it is said to have happened.

    Attributes:
        problem: why it cannot have happened, in one line.
        source: where the event, or a part of it, comes from, in words; empty if it is not said.
    """

    def __init__(self, problem: str, source: object = "") -> None:
        """Compose the source and the problem."""
        self.problem = problem
        self.source = str(source)
        super().__init__(f"{source}: {problem}" if self.source else problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.source)


class FalseConstraint(ImpossibleEvent):
    """What an event states is false at the actual world.

    Attributes:
        source: where the statement comes from, in words.
        stated: the statement, as text.
        number: its place among the event's constraints, from 0.
    """

    def __init__(self, source: object, stated: str, number: int) -> None:
        """Compose the source and what was stated."""
        super().__init__(f"this is not so in the actual world ({stated})", source)
        self.stated = stated
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return FalseConstraint, (self.source, self.stated, self.number)


class ImpossibleStep(ProblemError, ImpossibleEvent):
    """A file tells of an event that cannot have happened at its actual world."""

    def __reduce__(self) -> tuple[Any, ...]:
        return ImpossibleStep, (self.problem, self.text, self.line, self.column, self.path)


class RuleError(InputError):
    """A move or a setup that the rules of the game forbid."""


class GameError(InputError):
    """A game lacks something that every game must state; the message names it."""


class LogError(InputError):
    """A log of a game is damaged, of another version, or tells of something impossible."""


class ImpossibleEntry(LogError):
    """An event of a log cannot have happened as it is written, after the events before it.

    Attributes:
        place: where the event stands.
        problem: what is wrong.
        number: the number of the event in the log, from 0; all events before it are possible.
    """

    def __init__(self, place: str, problem: str, number: int) -> None:
        """Compose the place and the problem."""
        self.place = place
        self.problem = problem
        self.number = number
        super().__init__(f"{place}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        return ImpossibleEntry, (self.place, self.problem, self.number)


class JournalChanged(LogError):
    """Another program has changed a log meanwhile: nothing was written."""


class PlayerError(SymkripkeError):
    """A player could not decide, or made a move that the rules forbid.

    Where the player was here, the error that it raised is the cause (`__cause__`).

    Attributes:
        game: the name of the game.
        seed: the seed of the game.
        turn: the turn in which it happened.
        player: the player.
        strategy: the name of its strategy.
        reason: the type and the message of the player's own error.
    """

    def __init__(
        self, game: str, seed: int, turn: int, player: str, strategy: str, reason: str
    ) -> None:
        """Compose game, seed, turn, player and reason."""
        self.game = game
        self.seed = seed
        self.turn = turn
        self.player = player
        self.strategy = strategy
        self.reason = reason
        super().__init__(
            f"{game}, seed {seed}, turn {turn}: {player} ({strategy}) failed: {reason}"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.game, self.seed, self.turn, self.player, self.strategy, self.reason)
        return PlayerError, fields, self.__dict__


class Unsupported(SymkripkeError):
    """This engine does not answer this kind of question; the message says which one may."""


class NestedTooDeeply(Unsupported):
    """A formula that Python's stack has no room for."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("the formula has too many operators inside each other")

    def __reduce__(self) -> tuple[Any, ...]:
        return NestedTooDeeply, ()


class BudgetExceeded(SymkripkeError):
    """The time, the conflicts or the room allowed for a question ran out: no answer."""


class NoAnswerWithin(BudgetExceeded):
    """The seconds or the conflicts of a budget ran out.

    Attributes:
        limit: how many there were.
        unit: of what.
    """

    def __init__(self, limit: float, unit: Literal["seconds", "conflicts"] = "seconds") -> None:
        """Compose "no answer within LIMIT UNIT"."""
        self.limit = limit
        self.unit = unit
        shown = f"{limit:.3g}" if unit == "seconds" else f"{limit}"
        super().__init__(f"no answer within {shown} {unit}")

    def __reduce__(self) -> tuple[Any, ...]:
        return NoAnswerWithin, (self.limit, self.unit)


class OutOfMemory(BudgetExceeded):
    """The process holds more memory than it may.

    Attributes:
        limit: how many bytes it may hold.
    """

    def __init__(self, limit: int) -> None:
        """Compose "no answer within LIMIT of memory"."""
        self.limit = limit
        super().__init__(f"no answer within {in_bytes(limit)} of memory")

    def __reduce__(self) -> tuple[Any, ...]:
        return OutOfMemory, (self.limit,)


class OutOfWork(BudgetExceeded):
    """The work that a budget allowed ran out: counted work, not time."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("no answer within the work that was allowed")


class TooManyWorlds(BudgetExceeded):
    """More possible worlds than the explicit model was allowed to list."""


class TooManyNodes(BudgetExceeded):
    """A decision diagram with more nodes than it was allowed."""


_WORD = 3
"""The beginning of a word of a name is taken for that name if it has so many letters."""


_NEARLY = 0.25
"""A name is not mentioned as near if another one is nearer by so much (of 1)."""


def hint(name: str, known: Iterable[str]) -> str:
    """The end of an error message: known names near to `name`, or all if they are few.

    If no whole name is near, a word of one may be: "dinning" for dining_cryptographers.
    """
    import difflib  # for errors only

    names, typed = list(dict.fromkeys(known)), name.casefold()
    wholes: dict[str, list[str]] = {}
    words: dict[str, list[str]] = {}
    for candidate in names:
        folded = candidate.casefold()
        wholes.setdefault(folded, []).append(candidate)
        if "_" in folded:
            for word in folded.split("_"):
                words.setdefault(word, []).append(candidate)
    alike = difflib.get_close_matches(typed, wholes, n=3, cutoff=0.6)
    shares = {match: difflib.SequenceMatcher(None, match, typed).ratio() for match in alike}
    near = [
        candidate
        for match in alike
        if shares[match] > shares[alike[0]] - _NEARLY
        for candidate in wholes[match]
    ]
    if not near and len(typed) >= _WORD:
        begun = [word for word in words if word.startswith(typed)]
        alike = difflib.get_close_matches(typed, words, n=3, cutoff=0.75)
        found = [candidate for word in begun or alike for candidate in words[word]]
        near = list(dict.fromkeys(found))[:3]
    if near:
        return "; did you mean " + " or ".join(repr(n) for n in near) + "?"
    if names and len(names) <= 12:
        return "; expected one of " + ", ".join(names)
    return ""


def in_digits(number: int) -> str:
    """The number with commas; "about 10^6020" if it has far too many digits to be read."""
    if abs(number) < _UNREADABLE:
        return f"{number:,}"
    return f"about {'-' if number < 0 else ''}10^{math.floor(math.log10(abs(number)))}"


def in_bytes(number: int) -> str:
    """An amount of memory in the largest unit of which it has one: "1.5 GB" (1 GB is 10^9)."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if number >= size:
            return f"{number / size:.4g} {unit}"
    return f"{number} bytes"


def clipped(text: str, most: int = 80) -> str:
    """The text, or its beginning and three dots if it is longer than that."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def readable(message: str) -> str:
    """A message with quoted values and lines that are far too long cut."""
    if len(message) <= _LONGEST_VALUE:
        return message
    message = re.sub(_QUOTED, lambda found: clipped(found[0], _LONGEST_VALUE) + found[1], message)
    return "\n".join(
        line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 200]} ... {line[-150:]}"
        for line in message.split("\n")
    )


def printable(text: str) -> str:
    """The text without what a terminal would obey: control characters, and changes of direction.

    Each becomes a replacement character; ends of lines and tabs stay.
    """
    return text if text.isprintable() else re.sub(_CONTROLS, "\N{REPLACEMENT CHARACTER}", text)


def _pointed(text: str, line: int, column: int) -> str:
    """A line of the text, indented, with a caret below the column; of a long one what is near.

    Each on a new line. Empty if there is nothing in the text to point at.
    """
    lines = text.split("\n")
    if not text.strip():
        return ""
    shown = lines[line - 1] if line <= len(lines) else ""
    before, after = shown[: column - 1], shown[column - 1 :]
    if len(shown) > _WIDTH:
        left = max(_WIDTH // 2, _WIDTH - len(after))
        if len(before) > left:
            before = f"...{before[-left:]}"
        after = clipped(after, _WIDTH - min(left, len(before)))
    indent = "".join("\t" if sign == "\t" else " " for sign in before)
    return f"\n  {before}{after}\n  {indent}^"
