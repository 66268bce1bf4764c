"""The installed puzzles, from the entry point group `symkripke.puzzles`.

An entry point refers to a sequence of `Puzzle`, so one package can provide many puzzles.
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
    """A puzzle in a problem file (see `symkripke.problems.reader`), whose size is `n`.

    Attributes:
        name: the name, as in `symkripke puzzle NAME`.
        title: the name in words.
        says: the topic in one line.
        package: the package that contains the file.
        file: the file's name in the package.
        sizes: the minimum and maximum of n; None for a puzzle of one size.
        counts: the things that n counts: "children".
        size: the default value of n.
    """

    name: str
    title: str
    says: str
    package: str
    file: str
    sizes: tuple[int, int] | None = None
    counts: str = ""
    size: int | None = None

    @classmethod
    def of(
        cls,
        package: str,
        name: str,
        says: str,
        sizes: tuple[int, int] | None = None,
        counts: str = "",
        size: int | None = None,
        title: str = "",
    ) -> Puzzle:
        """Return the puzzle in the file `NAME.skp`; by default, its title is its name."""
        words = title or name.replace("_", " ").capitalize()
        return cls(name, words, says, package, f"{name}.skp", sizes, counts, size)

    @property
    def text(self) -> str:
        """The text of the file."""
        from symkripke.installed import packaged_text

        return packaged_text(self.package, self.file)

    def problem(self, n: int | None = None) -> Problem:
        """Return the problem of the puzzle with size `n`, or else with the default size.

        Raises:
            InputError: the puzzle does not have this size.
        """
        from symkripke.problems.reader import read  # not needed for listing puzzles

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
    """Return the installed puzzles by name, in the order of their packages."""
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
    """Return the puzzle with this name. Raise `UnknownName` if there is none."""
    installed = puzzles()
    check_name("puzzle", name, installed)
    return installed[name]
