"""The exceptions of this package.

`SymkripkeError` is their base class. `InputError` and its subclasses report bad input; they are
also `ValueError`, and their messages name the expected and the actual value, and the place.
`Unsupported` means that an engine cannot answer this kind of question. `BudgetExceeded` means that
a limit on time or memory was reached; it never means "no".
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from typing import Any, Literal

# The maximum number of digits of a number. Python itself reads up to 4,300 digits.
LONGEST_NUMBER = 1_000

_UNREADABLE = 10**LONGEST_NUMBER

# The maximum length in characters of a value in a message, and of a line of a message.
_LONGEST_VALUE = 200
_LONGEST_LINE = 1_000
_QUOTED = rf"(['\"])(?:(?!\1)[^\n]){{{_LONGEST_VALUE},}}?\1"

_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"

# The number of characters of a line that are shown around an error.
_WIDTH = 160


class SymkripkeError(Exception):
    """The base class of all errors that this package raises on purpose.

    The message shortens values of more than 200 characters and very long lines.
    """

    def __str__(self) -> str:
        return readable(super().__str__())


class InputError(SymkripkeError, ValueError):
    """Invalid input."""


class UnknownName(InputError):
    """An unknown name; the message suggests similar names."""

    def __init__(self, kind: str, name: str, known: Iterable[str], advice: str = "") -> None:
        """Compose "unknown KIND 'NAME'", a hint (similar names, or all if few), and the advice."""
        self.kind = kind
        self.name = name
        self.known = tuple(dict.fromkeys(known))
        self.advice = advice
        super().__init__(f"unknown {kind} {clipped(name)!r}{hint(name, self.known)}{advice}")

    def __reduce__(self) -> tuple[Any, ...]:
        return UnknownName, (self.kind, self.name, self.known, self.advice)

    @property
    def meant(self) -> str | None:
        """The only known name that equals this name, ignoring case; None if none or several do."""
        matches = [
            candidate for candidate in self.known if candidate.casefold() == self.name.casefold()
        ]
        return matches[0] if len(matches) == 1 else None


def check_name(kind: str, name: str, known: Collection[str]) -> None:
    """Raise `UnknownName` if the name is not a known name."""
    if name not in known:
        raise UnknownName(kind, name, known)


class FormulaError(InputError):
    """A syntax error in a formula; the message shows the line with a caret below the place.

    Attributes:
        problem: what is wrong, in one line, without the place.
        text: the whole text that was read.
        line: the line of the error, from 1.
        column: the column of the error, from 1.
    """

    def __init__(self, problem: str, text: str, line: int, column: int) -> None:
        """Compose the message from the problem, the line, and a caret below the column."""
        place = f"line {line}, column {column}" if "\n" in text else f"column {column}"
        super().__init__(f"{problem} ({place}){_pointed(text, line, column)}")
        self.problem = problem
        self.text = text
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        return FormulaError, (self.problem, self.text, self.line, self.column)


class ProblemError(FormulaError):
    """An error in a problem file; the message names the file and shows the line.

    Attributes:
        path: the file; empty for a text that does not come from a file.
    """

    def __init__(self, problem: str, text: str, line: int, column: int, path: str = "") -> None:
        """Compose the message from file, place, problem, line, and a caret below the column."""
        super().__init__(problem, text, line, column)
        self.path = path
        where = f"{path}, line {line}" if path else f"line {line}"
        self.args = (f"{where}, column {column}: {problem}{_pointed(text, line, column)}",)

    def __reduce__(self) -> tuple[Any, ...]:
        return ProblemError, (self.problem, self.text, self.line, self.column, self.path)


class PhraseError(InputError):
    """A text that describes no possible event; the message shows the line and the place.

    Attributes:
        problem: what is wrong, in one line, without the place.
        text: the whole text that was read.
        place: the index of the error in the text.
        near: names that the user may have meant.
        is_understood: whether the text describes an event that is impossible now.
    """

    def __init__(
        self,
        problem: str,
        text: str,
        place: int,
        near: Iterable[str] = (),
        is_understood: bool = False,
    ) -> None:
        """Compose the message from the problem, the line, and a caret below the place."""
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
    """Return the problem, line and column (from 1) of the first overlong number, or None."""
    match = re.search(rf"\d{{{LONGEST_NUMBER + 1},}}", text)
    if match is None:
        return None
    problem = f"a number of {len(match[0]):,} digits: expected at most {LONGEST_NUMBER:,}"
    line = text.count("\n", 0, match.start()) + 1
    return problem, line, match.start() - text.rfind("\n", 0, match.start())


class ImpossibleEvent(InputError):
    """An event that cannot have happened at the actual world.

    Attributes:
        problem: the reason, in one line.
        source: the origin of the event, or of a part of it, in words; may be empty.
    """

    def __init__(self, problem: str, source: object = "") -> None:
        """Compose the message from the source and the problem."""
        self.problem = problem
        self.source = str(source)
        super().__init__(f"{source}: {problem}" if self.source else problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.source)


class FalseConstraint(ImpossibleEvent):
    """An event with a constraint that is false at the actual world.

    Attributes:
        source: the origin of the constraint, in words.
        stated: the constraint, as text.
        number: the index of the constraint in the event, from 0.
    """

    def __init__(self, source: object, stated: str, number: int) -> None:
        """Compose the message from the source and the constraint."""
        super().__init__(f"this is false in the actual world ({stated})", source)
        self.stated = stated
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return FalseConstraint, (self.source, self.stated, self.number)


class ImpossibleStep(ProblemError, ImpossibleEvent):
    """An event of a problem file that cannot have happened at its actual world."""

    def __reduce__(self) -> tuple[Any, ...]:
        return ImpossibleStep, (self.problem, self.text, self.line, self.column, self.path)


class RuleError(InputError):
    """A move or a setup that the rules of the game forbid."""


class GameError(InputError):
    """A game that lacks a required definition; the message names it."""


class LogError(InputError):
    """A log of a game that is damaged, of another version, or impossible."""


class ImpossibleEntry(LogError):
    """An event of a log that is impossible after the events before it.

    Attributes:
        place: the place of the event in the log.
        problem: what is wrong, in one line.
        number: the index of the event in the log, from 0; all events before it are possible.
    """

    def __init__(self, place: str, problem: str, number: int) -> None:
        """Compose the message from the place and the problem."""
        self.place = place
        self.problem = problem
        self.number = number
        super().__init__(f"{place}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        return ImpossibleEntry, (self.place, self.problem, self.number)


class JournalChanged(LogError):
    """A log that another program changed after it was read. Nothing was written."""


class PlayerError(SymkripkeError):
    """A player that raised an error or made an illegal move.

    If the player ran in this process, its error is the cause (`__cause__`).

    Attributes:
        game: the name of the game.
        seed: the seed of the game.
        turn: the turn of the failure.
        player: the player.
        strategy: the name of the player's strategy.
        reason: the type and the message of the player's own error.
    """

    def __init__(
        self, game: str, seed: int, turn: int, player: str, strategy: str, reason: str
    ) -> None:
        """Compose the message from the game, the seed, the turn, the player and the reason."""
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


class InfinitelyManyWorlds(SymkripkeError):
    """There are infinitely many worlds, so they cannot be counted."""

    def __init__(self) -> None:
        """Create the error."""
        super().__init__("there are infinitely many worlds")


class Unsupported(SymkripkeError):
    """A kind of question that the engine cannot answer; the message names an engine that can."""


class NestedTooDeeply(Unsupported):
    """A formula that is nested too deeply for Python's stack."""

    def __init__(self) -> None:
        """Compose the message."""
        super().__init__("the formula is nested too deeply")

    def __reduce__(self) -> tuple[Any, ...]:
        return NestedTooDeeply, ()


class BudgetExceeded(SymkripkeError):
    """A question that exceeded a limit on time, conflicts, memory or work; it has no answer."""


class NoAnswerWithin(BudgetExceeded):
    """An exceeded limit on seconds or conflicts.

    Attributes:
        limit: the number of seconds or conflicts.
        unit: the unit of the limit.
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
    """An exceeded limit on memory.

    Attributes:
        limit: the limit in bytes.
    """

    def __init__(self, limit: int) -> None:
        """Compose "no answer within LIMIT of memory"."""
        self.limit = limit
        super().__init__(f"no answer within {in_bytes(limit)} of memory")

    def __reduce__(self) -> tuple[Any, ...]:
        return OutOfMemory, (self.limit,)


class OutOfWork(BudgetExceeded):
    """An exceeded limit on work, which is counted in steps and not in seconds."""

    def __init__(self) -> None:
        """Compose the message."""
        super().__init__("no answer within the limit on work")


class TooManyWorlds(BudgetExceeded):
    """More possible worlds than the explicit engine may list."""


class TooManyNodes(BudgetExceeded):
    """A decision diagram with more nodes than allowed."""


_WORD = 3
"""The minimal length, in characters, of a prefix that suggests a name."""


_NEARLY = 0.25
"""The maximum difference in similarity (0 to 1) between the best suggestion and any other."""


_LISTED = 12
"""The maximum number of names that a message lists."""


def hint(name: str, known: Iterable[str]) -> str:
    """Return the end of an error message: the names similar to `name`, or a list of all or some.

    If no whole name is similar, single words are compared: "dinning" suggests
    dining_cryptographers.
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
    close = difflib.get_close_matches(typed, wholes, n=3, cutoff=0.6)
    shares = {match: difflib.SequenceMatcher(None, match, typed).ratio() for match in close}
    near = [
        candidate
        for match in close
        if shares[match] > shares[close[0]] - _NEARLY
        for candidate in wholes[match]
    ]
    if not near and len(typed) >= _WORD:
        begun = [word for word in words if word.startswith(typed)]
        close = difflib.get_close_matches(typed, words, n=3, cutoff=0.75)
        near = list(dict.fromkeys(name for word in begun or close for name in words[word]))[:3]
    if near:
        return "; did you mean " + " or ".join(repr(n) for n in near) + "?"
    if len(names) > _LISTED:
        return f"; expected one of {', '.join(names[:3])} or {len(names) - 3} others"
    return f"; expected one of {', '.join(names)}" if names else ""


def in_digits(number: int) -> str:
    """Return the number with commas, or "about 10^6020" if it has too many digits to read."""
    if abs(number) < _UNREADABLE:
        return f"{number:,}"
    return f"about {'-' if number < 0 else ''}10^{math.floor(math.log10(abs(number)))}"


def in_bytes(number: int) -> str:
    """Return an amount of memory in its largest whole unit: "1.5 GB" (1 GB is 10^9 bytes)."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if number >= size:
            return f"{number / size:.4g} {unit}"
    return f"{number} bytes"


def clipped(text: str, most: int = 80) -> str:
    """Return the text; if it is longer than `most` characters, cut it and append three dots."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def readable(message: str) -> str:
    """Return the message with its overlong quoted values and lines shortened."""
    if len(message) <= _LONGEST_VALUE:
        return message
    message = re.sub(_QUOTED, lambda found: clipped(found[0], _LONGEST_VALUE) + found[1], message)
    return "\n".join(
        line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 200]} ... {line[-150:]}"
        for line in message.split("\n")
    )


def printable(text: str) -> str:
    """Return the text with control characters and bidirectional marks replaced.

    Newlines and tabs are kept.
    """
    return text if text.isprintable() else re.sub(_CONTROLS, "\N{REPLACEMENT CHARACTER}", text)


def _pointed(text: str, line: int, column: int) -> str:
    """Return a newline, the line of the text, and a second line with a caret below the column.

    A long line is cut to the part around the column. The result is empty if the text is blank.
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
