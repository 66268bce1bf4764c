"""The gems and the question cards: the printed set, and custom sets from TOML files.

A gem has a colour, a type and a quantity. There is one gem for each combination. A file contains
three lists of titles, and the number of free choice cards:

    colours = ["Red", "Green"]
    types = ["Diamond", "Opal"]
    quantities = ["Solitaire", "Pair"]
    free = 4

The short name of a gem consists of the first letters of its elements: the Red Diamond Solitaire is
`rds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Annotated

import msgspec

from symkripke.errors import RuleError, check_name
from symkripke.play import editions
from symkripke.play.editions import Piece, check_pieces, pieces, read_record, size_of

KINDS = ("colours", "types", "quantities")
FREE = "free"
"""The question card that asks for one or two elements of the asker's choice."""

HIDDEN, TABLE = "hidden", "table"
"""The places of gems that no player holds: the hidden gem, and the gems face up on the table."""

Elements = tuple[str, ...]
"""The subject of a question: one element, or two of different kinds, by short names."""


class Gem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A gem: its short name, its title, and its colour, type and quantity."""

    id: str
    title: str
    elements: Elements


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A set of gems with its question cards.

    Attributes:
        name: the name of the set.
        colours: the colours.
        types: the types.
        quantities: the quantities.
        free: the number of free choice cards.
    """

    name: str
    colours: tuple[Piece, ...]
    types: tuple[Piece, ...]
    quantities: tuple[Piece, ...]
    free: int

    @property
    def kinds(self) -> tuple[tuple[Piece, ...], ...]:
        """The three lists, in the order of `KINDS`."""
        return (self.colours, self.types, self.quantities)

    @cached_property
    def gems(self) -> tuple[Gem, ...]:
        """All gems, ordered by colour, then by type, then by quantity."""
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
        """The subjects of all questions: single elements, then pairs of different kinds."""
        ids = [[element.id for element in kind] for kind in self.kinds]
        single = [(element,) for kind in ids for element in kind]
        pairs = (pair for two_kinds in combinations(ids, 2) for pair in product(*two_kinds))
        return (*single, *pairs)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The deck of question cards: one for each question, and the free choice cards."""
        return (*(" ".join(asked) for asked in self.questions), *[FREE] * self.free)

    @cached_property
    def _matching(self) -> dict[Elements, tuple[str, ...]]:
        return {
            asked: tuple(gem.id for gem in self.gems if set(asked) <= set(gem.elements))
            for asked in self.questions
        }

    def matching(self, asked: Sequence[str]) -> tuple[str, ...]:
        """Return the gems that have all these elements.

        Raises:
            UnknownName: an element is unknown.
            RuleError: `asked` is neither one element nor two of different kinds in the order of
                `KINDS`.
        """
        gems = self._matching.get(tuple(asked))
        if gems is not None:
            return gems
        known = [element.id for kind in self.kinds for element in kind]
        for element in asked:
            check_name("element", element, known)
        raise RuleError(
            "expected one element, or two of different kinds, in the order colour, type, "
            f"quantity, got {' '.join(asked) or 'none'!r}"
        )

    def check(self) -> None:
        """Raise `RuleError` if a kind is empty, or if a name occurs twice or is invalid."""
        where = f"edition {self.name!r}"
        kinds = dict(zip(KINDS, self.kinds, strict=True))
        for kind, elements in kinds.items():
            if not elements:
                raise RuleError(f"{where}: expected at least one of the {kind}")
        check_pieces(where, kinds, (FREE,))
        for kind, elements in kinds.items():
            letters: dict[str, str] = {}
            for element in elements:
                first = element.id[0]
                if not first.isalpha():
                    raise RuleError(
                        f"{where}: expected {kind} that begin with a letter (gems are called by "
                        f"it), got {element.title!r}"
                    )
                if first in letters:
                    raise RuleError(
                        f"{where}: expected {kind} with different first letters "
                        f"(gems are called by them), got {letters[first]!r} and {element.id!r}"
                    )
                letters[first] = element.id
        if not 0 <= self.free <= 1_000:
            raise RuleError(f"{where}: expected 0 to 1000 free choice cards, got {self.free}")


CLASSIC = Edition(
    "classic",
    pieces("Red", "Green", "Yellow", "Blue"),
    pieces("Diamond", "Opal", "Pearl"),
    pieces("Solitaire", "Pair", "Cluster"),
    11,
)
"""The printed set, with 36 gems and 54 question cards."""


def edition_named(name: str) -> Edition:
    """Return the printed set ("classic"), or the set in a file if `name` ends in `.toml`.

    Raises:
        UnknownName: there is no set with this name.
        RuleError: the file cannot be read, or holds no valid set.
    """
    return editions.edition_named(name, {CLASSIC.name: CLASSIC}, _read_edition)


_Titles = Annotated[tuple[str, ...], msgspec.Meta(description="a list of titles")]


class _File(msgspec.Struct):
    """The content of a TOML file with an edition."""

    colours: _Titles = ()
    types: _Titles = ()
    quantities: _Titles = ()
    free: Annotated[int, msgspec.Meta(description="a number of free choice cards")] = CLASSIC.free


def _read_edition(path: Path) -> Edition:
    entries = read_record(path, _File)
    made = Edition(
        path.stem,
        pieces(*entries.colours),
        pieces(*entries.types),
        pieces(*entries.quantities),
        entries.free,
    )
    made.check()
    return made


def sized(made: Edition, size: str) -> Edition:
    """Return the edition reduced to the first elements of each kind; "2/2/2" keeps two of each.

    Raises:
        RuleError: the size is invalid, or greater than the edition.
    """
    parts = []
    numbers = size_of(size, "4/3/3", KINDS)
    for kind, elements, number in zip(KINDS, made.kinds, numbers, strict=True):
        if not 1 <= number <= len(elements):
            raise RuleError(f"expected 1 to {len(elements)} of the {kind}, got {number}")
        parts.append(elements[:number])
    return Edition(made.name, parts[0], parts[1], parts[2], made.free)
