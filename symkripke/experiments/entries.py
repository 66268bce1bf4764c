"""The entries of a TOML file, each with its line, so that error messages can point at it.

The standard library's reader does not tell the line of an entry. The line is found in the text, by
the header of the table and the name of the entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from symkripke.decoding import from_toml
from symkripke.errors import InputError, SymkripkeError, clipped, hint

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]#]+?)\s*\]\]?\s*(#.*)?$")
_ENTRY = re.compile(r'\s*"?([\w-]+)"?\s*[.=]')


class ExperimentError(InputError):
    """A fault in an experiment's file: where, what was expected, and what came.

    Attributes:
        line: the line of the fault, from 1.
    """

    def __init__(self, file: str, line: int, problem: str, text: str) -> None:
        """Compose the place, the problem and the line itself."""
        self.line = line
        lines = text.splitlines()
        shown = f"\n  {clipped(lines[line - 1].rstrip())}" if 0 < line <= len(lines) else ""
        super().__init__(f"{file}, line {line}: {problem}{shown}")


class Entries:
    """A table of a file. Every entry must be read; `done` reports entries that were not.

    Attributes:
        file: the name of the file, for messages.
        text: its whole text.
        title: the name of the table in messages ("[stop]").
        line: where the table begins, from 1.
    """

    def __init__(
        self,
        file: str,
        text: str,
        values: Mapping[str, Any],
        header: str = "",
        place: int = 0,
        above: Entries | None = None,
    ) -> None:
        """A table of a file that has been read.

        Args:
            file: the name of the file.
            text: its text.
            values: what the table holds.
            header: the text of its header; empty for the entries before all headers.
            place: the number of the table among those with this header, from 0.
            above: the table that has the line of an entry if this table itself does not have it.
        """
        self.file = file
        self.text = text
        self.header = header
        self.place = place
        self._above = above
        self._values = dict(values)
        self._asked: set[str] = set()
        self._lines = dict(_lines(text, header, place))
        self.line = self._lines.get("", 1)

    @classmethod
    def parse(cls, file: str, text: str) -> Entries:
        """The entries before all headers, with the tables among them; raises `ExperimentError`."""
        try:
            values = from_toml(text)
        except ValueError as error:
            place = re.search(r"\(at line (\d+), column \d+\)", str(error))
            line = int(place[1]) if place else len(text.splitlines())
            said = str(error)[: place.start()].strip() if place else str(error)
            raise ExperimentError(file, line, f"this is not TOML: {said}", text) from None
        return cls(file, text, values)

    def holding(self, values: Mapping[str, Any], above: Entries) -> Entries:
        """The same table with other values; the lines of entries that it lacks are in `above`."""
        return Entries(self.file, self.text, values, self.header, self.place, above)

    # ---- faults --------------------------------------------------------------------------

    def fault(self, problem: str, name: str = "", value: object = "") -> ExperimentError:
        """The error for an entry, for a value in it, or for the table."""
        return ExperimentError(self.file, self.line_of(name, value), problem, self.text)

    def line_of(self, name: str, value: object = "") -> int:
        """Where an entry stands; where the table begins, if there is no such entry.

        Args:
            name: the name of the entry; "each.kind" is `kind` in [condition.each].
            value: a value in it, if that is what is meant: an entry can have several lines.
        """
        if name and name not in self._lines and self._above is not None and name in self._above:
            return self._above.line_of(name, value)
        first = self._lines.get(name, self._lines.get(name.partition(".")[0], self.line))
        return _line_with(self.text, first, str(value)) if value != "" else first

    def refuse(self, error: SymkripkeError, name: str = "", value: object = "") -> NoReturn:
        """Raises an error that was found elsewhere as a fault at this entry, or a value in it."""
        raise self.fault(str(error), name, value) from None

    def done(self) -> None:
        """Raises `ExperimentError` if there is an entry that nobody has asked for."""
        for name in self._values:
            if name not in self._asked:
                where = f" in [{self.header}]" if self.header else ""
                raise self.fault(
                    f"unknown entry {clipped(name)!r}{where}{hint(name, sorted(self._asked))}", name
                )

    # ---- values --------------------------------------------------------------------------

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def raw(self, name: str) -> Any:
        """The value itself; None if there is none."""
        self._asked.add(name)
        return self._values.get(name)

    def _expected(self, what: str, name: str, value: Any) -> ExperimentError:
        if value is not None:
            return self.fault(f"expected {what} for {name!r}, got {clipped(repr(value))}", name)
        slips = [other for other in self._values if get_close_matches(name, [other])]
        if slips:
            return self.fault(f"expected {name!r}, got {slips[0]!r}", slips[0])
        return self.fault(f"expected {what} for {name!r}, got nothing")

    def words(self, name: str, default: str | None = None) -> str:
        """A text; `default` if there is none. If `default` is None, the entry is required."""
        value = self.raw(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not (value.strip() or default is not None):
            raise self._expected("a text", name, value)
        return " ".join(value.split())

    def whole(self, name: str, default: int, least: int = 1, most: int = 1_000_000) -> int:
        """A whole number; `default` if there is none."""
        found = self.whole_if_any(name, least, most)
        return default if found is None else found

    def whole_if_any(self, name: str, least: int = 1, most: int = 1_000_000) -> int | None:
        """A whole number; None if there is none."""
        value = self.raw(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._expected(f"a whole number from {least} to {most}", name, value)
        return value

    def number(
        self, name: str, default: float | None = None, least: float = 0.0, most: float = 1e9
    ) -> float:
        """A number; `default` if there is none. If `default` is None, the entry is required."""
        value = self.raw(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self._expected(f"a number from {least:g} to {most:g}", name, value)
        if not least <= value <= most:
            raise self._expected(f"a number from {least:g} to {most:g}", name, value)
        return float(value)

    def truth(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self.raw(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self._expected("true or false", name, value)
        return value

    def texts(self, name: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of texts."""
        value = self.raw(name)
        if value is None and default is not None:
            return tuple(default)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._expected("a list of texts", name, value)
        return tuple(value)

    def numbers(self, name: str) -> tuple[float, ...]:
        """A list of numbers."""
        value = self.raw(name)
        if not isinstance(value, list) or not all(
            isinstance(item, int | float) and not isinstance(item, bool) for item in value
        ):
            raise self._expected("a list of numbers", name, value)
        return tuple(float(item) for item in value)

    def mapping(self, name: str) -> dict[str, Any]:
        """A table of values, as it stands there; empty if there is none."""
        value = self.raw(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self._expected("a table", name, value)
        return dict(value)

    # ---- tables --------------------------------------------------------------------------

    def table(self, name: str) -> Entries | None:
        """The table of that name; None if there is none."""
        value = self.raw(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self._expected(f"a table [{name}]", name, value)
        return Entries(self.file, self.text, value, name)

    def tables(self, name: str) -> list[Entries]:
        """The tables of that name, in order."""
        value = self.raw(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self._expected(f"tables [[{name}]]", name, value)
        return [
            Entries(self.file, self.text, item, name, place) for place, item in enumerate(value)
        ]


def _lines(text: str, header: str, place: int) -> Iterator[tuple[str, int]]:
    """The lines of the entries of a table, by their names; of its header under "".

    Tables below it ("[condition.each]") are found under their names ("each"), and the entries there
    under both ("each.players").
    """
    current, seen = "", -1 if header else 0
    for number, line in enumerate(text.splitlines(), start=1):
        match = _HEADER.match(line)
        if match:
            current = match[2].replace('"', "").replace(" ", "")
            if current == header:
                seen += 1
                if seen == place:
                    yield "", number
            elif seen == place and header and current.startswith(f"{header}."):
                yield current.removeprefix(f"{header}.").partition(".")[0], number
            elif not header:
                yield current.partition(".")[0], number
            continue
        entry = _ENTRY.match(line)
        if entry and seen == place and current == header:
            yield entry[1], number
        elif entry and seen == place and header and current.startswith(f"{header}."):
            yield f"{current.removeprefix(f'{header}.')}.{entry[1]}", number


def _line_with(text: str, first: int, value: str) -> int:
    """The line with that value, of those of the entry that begins in line `first`."""
    whole = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w.])")
    for number, line in enumerate(text.splitlines()[first - 1 :], start=first):
        if number > first and (_HEADER.match(line) or _ENTRY.match(line)):
            break
        if whole.search(line):
            return number
    return first
