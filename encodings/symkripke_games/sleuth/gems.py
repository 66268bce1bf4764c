"""The gems and the question cards: the printed set, and sets of one's own from a TOML file.

A gem has a colour, a type and a quantity; there is one of each combination. In a file, three lists
of titles, and the number of free choice cards:

    colours = ["Red", "Green"]
    types = ["Diamond", "Opal"]
    quantities = ["Solitaire", "Pair"]
    free = 4

A gem is called by the first letters of its elements: the Red Diamond Solitaire is `rds`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Any

import msgspec

from symkripke.errors import RuleError, UnknownName

KINDS = ("colours", "types", "quantities")
FREE = "free"
"""The question card that asks for one or two elements of the asker's choice."""

HIDDEN, TABLE = "hidden", "table"
"""The places of gems that no player holds: the hidden one, and those face up on the table."""

Elements = tuple[str, ...]
"""What a question asks for: one element, or two of different kinds, by their short names."""


class Element(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour, a type or a quantity: its short name, as in questions, and its title."""

    id: str
    title: str


class Gem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A gem: its short name, its title, and its colour, type and quantity."""

    id: str
    title: str
    elements: Elements


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A set of gems with its question cards.

    Attributes:
        name: how it is called.
        colours: the colours.
        types: the types.
        quantities: the quantities.
        free: how many free choice cards there are.
    """

    name: str
    colours: tuple[Element, ...]
    types: tuple[Element, ...]
    quantities: tuple[Element, ...]
    free: int

    @property
    def kinds(self) -> tuple[tuple[Element, ...], ...]:
        """The three lists, in the order of `KINDS`."""
        return (self.colours, self.types, self.quantities)

    @cached_property
    def gems(self) -> tuple[Gem, ...]:
        """All gems: colour by colour, in it type by type."""
        return tuple(
            Gem(
                "".join(element.id[0] for element in elements),
                " ".join(element.title for element in elements),
                tuple(element.id for element in elements),
            )
            for elements in product(*self.kinds)
        )

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each gem and each element."""
        elements = (element for kind in self.kinds for element in kind)
        return {
            **{gem.id: gem.title for gem in self.gems},
            **{element.id: element.title for element in elements},
        }

    @cached_property
    def questions(self) -> tuple[Elements, ...]:
        """All that can be asked for: first one element, then two of different kinds."""
        ids = [[element.id for element in kind] for kind in self.kinds]
        single = [(element,) for kind in ids for element in kind]
        return (*single, *(pair for one, two in combinations(ids, 2) for pair in product(one, two)))

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The deck of question cards: one for each question, and the free choices."""
        return (*(" ".join(asked) for asked in self.questions), *[FREE] * self.free)

    @cached_property
    def _matching(self) -> dict[Elements, tuple[str, ...]]:
        return {
            asked: tuple(gem.id for gem in self.gems if set(asked) <= set(gem.elements))
            for asked in self.questions
        }

    def matching(self, asked: Sequence[str]) -> tuple[str, ...]:
        """The gems that have all these elements.

        Raises:
            UnknownName: there is no such element.
            RuleError: not one element, or two of different kinds in the order of `KINDS`.
        """
        found = self._matching.get(tuple(asked))
        if found is not None:
            return found
        known = [element.id for kind in self.kinds for element in kind]
        for element in asked:
            if element not in known:
                raise UnknownName("element", element, known)
        raise RuleError(
            "expected one element, or two of different kinds, in the order colour, type, "
            f"quantity, got {' '.join(asked) or 'none'!r}"
        )

    def check(self) -> None:
        """Raises `RuleError` for an empty kind, a name that is there twice, a bad name."""
        seen: dict[str, str] = {}
        for kind, elements in zip(KINDS, self.kinds, strict=True):
            if not elements:
                raise RuleError(f"edition {self.name!r}: expected at least one of the {kind}")
            letters: dict[str, str] = {}
            for element in elements:
                self._check_element(element, kind)
                if element.id in seen:
                    raise RuleError(
                        f"edition {self.name!r}: {element.id!r} is given twice "
                        f"(in {seen[element.id]} and in {kind})"
                    )
                seen[element.id] = kind
                first = element.id[0]
                if first in letters:
                    raise RuleError(
                        f"edition {self.name!r}: expected {kind} with different first letters "
                        f"(gems are called by them), got {letters[first]!r} and {element.id!r}"
                    )
                letters[first] = element.id
        if not 0 <= self.free <= 1_000:
            raise RuleError(
                f"edition {self.name!r}: expected 0 to 1000 free choice cards, got {self.free}"
            )

    def _check_element(self, element: Element, kind: str) -> None:
        if not re.fullmatch(r"[^\W\d_]\w*", element.id) or element.id in (FREE, "true", "false"):
            raise RuleError(
                f"edition {self.name!r}: expected a name of letters, digits and _ (a letter "
                f"first; {FREE}, true and false have a meaning), got {element.id!r} in {kind}"
            )
        if not element.title.isprintable() or not element.title.strip():
            raise RuleError(
                f"edition {self.name!r}: expected a title that can be printed, "
                f"got {element.title!r} in {kind}"
            )


def slug(title: str) -> str:
    """A short name made from a title: "Deep blue" becomes `deep_blue`."""
    return re.sub(r"\W+", "_", title.casefold()).strip("_")


def _elements(*titles: str) -> tuple[Element, ...]:
    return tuple(Element(slug(title), title) for title in titles)


CLASSIC = Edition(
    "classic",
    _elements("Red", "Green", "Yellow", "Blue"),
    _elements("Diamond", "Opal", "Pearl"),
    _elements("Solitaire", "Pair", "Cluster"),
    11,
)
"""The printed set: 36 gems, 54 question cards."""


def edition_named(name: str) -> Edition:
    """The printed set ("classic"), or the one in a TOML file if `name` ends in `.toml`.

    Raises:
        UnknownName: there is no such set.
        RuleError: the file cannot be read, or holds no proper set.
    """
    if name.endswith(".toml"):
        return read_edition(Path(name))
    if name != CLASSIC.name:
        raise UnknownName("edition", name, (CLASSIC.name, "a path that ends in .toml"))
    return CLASSIC


def read_edition(path: Path) -> Edition:
    """The set in a TOML file; raises `RuleError` if it cannot be read, or is not like that."""
    try:
        told: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise RuleError(f"cannot read {path}: expected text (UTF-8), got other data") from None
    except OSError as error:
        raise RuleError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RuleError(f"{path} is not TOML: {error}") from None
    for key in told:
        if key not in (*KINDS, "free"):
            raise UnknownName(f"entry of {path}", key, (*KINDS, "free"))
    free = told.get("free", CLASSIC.free)
    if not isinstance(free, int) or isinstance(free, bool):
        raise RuleError(f"{path}: expected a number of free choice cards, got {free!r}")
    colours, types, quantities = (_titles(path, kind, told.get(kind, [])) for kind in KINDS)
    made = Edition(path.stem, colours, types, quantities, free)
    made.check()
    return made


def _titles(path: Path, kind: str, told: Any) -> tuple[Element, ...]:
    if not isinstance(told, list) or not all(isinstance(title, str) for title in told):
        raise RuleError(f"{path}: expected a list of titles for {kind}, got {told!r}")
    return _elements(*told)


def sized(made: Edition, size: str) -> Edition:
    """Only the first so many colours, types and quantities, as in "2/2/2"; raises `RuleError`."""
    if not re.fullmatch(r"\d{1,4}/\d{1,4}/\d{1,4}", size):
        raise RuleError(f"expected a size like 4/3/3 (colours/types/quantities), got {size!r}")
    parts = []
    for kind, elements, number in zip(KINDS, made.kinds, map(int, size.split("/")), strict=True):
        if not 1 <= number <= len(elements):
            raise RuleError(f"expected 1 to {len(elements)} of the {kind}, got {number}")
        parts.append(elements[:number])
    return Edition(made.name, parts[0], parts[1], parts[2], made.free)
