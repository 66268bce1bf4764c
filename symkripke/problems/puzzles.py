"""Puzzles that are installed, found by the entry point group `symkripke.puzzles`.

An entry point leads to a sequence of `Puzzle`, so one package can bring many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symkripke.errors import InputError, SymkripkeError, check_name
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.problems.problem import Problem

GROUP = "symkripke.puzzles"


@dataclass(frozen=True)
class Puzzle:
    """A puzzle that is stated in a file (see `symkripke.problems.reader`), sized by its `n`.

    Attributes:
        name: as in `symkripke puzzle NAME`.
        title: its name, in words.
        says: its topic, in one line.
        package: the package that has the file.
        file: the file's name there.
        sizes: the least and the greatest n that make sense; None for a puzzle of one size.
        counts: what n counts: "children".
        size: the n that is taken if none is asked for.
    """

    name: str
    title: str
    says: str
    package: str
    file: str
    sizes: tuple[int, int] | None = None
    counts: str = ""
    size: int | None = None

    @property
    def text(self) -> str:
        """The text of the file."""
        from symkripke.installed import packaged_text

        return packaged_text(self.package, self.file)

    def problem(self, n: int | None = None) -> Problem:
        """Return the puzzle of that size (of the usual one, if none is given).

        Raises:
            InputError: it has no such size.
        """
        from symkripke.problems.reader import read  # not to list the puzzles

        if self.sizes is None:
            if n is not None:
                raise InputError(f"{self.name} has one size only, got n = {n}")
            return read(self.text, self.file)
        low, high = self.sizes
        size = self.size if n is None else n
        assert size is not None
        if not low <= size <= high:
            raise InputError(f"{self.name} takes {low} to {high:,} {self.counts}, got {size}")
        return read(self.text, self.file, {"n": size})


def puzzles() -> dict[str, Puzzle]:
    """Return the installed puzzles by name, in the order in which their packages give them."""
    from symkripke.installed import entry_points

    by_name: dict[str, Puzzle] = {}
    for entry in entry_points(GROUP):
        for loaded in entry.load():
            if not isinstance(loaded, Puzzle):
                raise SymkripkeError(
                    f"entry point {entry.name!r} of {GROUP} has no Puzzle: {loaded!r}"
                )
            by_name.setdefault(loaded.name, loaded)
    return by_name


def puzzle(name: str) -> Puzzle:
    """Return the puzzle with this name; raise `UnknownName`."""
    installed = puzzles()
    check_name("puzzle", name, installed)
    return installed[name]
