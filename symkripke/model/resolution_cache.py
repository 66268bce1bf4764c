"""The cache of resolved formulas, one for all structures that come from one first structure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from symkripke.language import Formula, conjunction
from symkripke.language.walk import names
from symkripke.records import dataclass

# The most formulas, and names in them, that are kept. A full cache is emptied; formulas in use are
# soon kept again.
_KEPT = 5_000
_NAMES = 50_000

# Stands for a formula that is not in the cache. (None is for a formula that cannot be kept.)
_UNKNOWN: tuple[str, ...] = ("?",)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A version of a fluent whose value everybody knows: it needs no variable.

    Attributes:
        value: the value.
        number: the number of the version; 1 after the first change.
    """

    value: str
    number: int


class ResolutionCache:
    """Resolved formulas, by what their meaning depends on.

    All structures that come from one first structure share a cache. A formula that names only
    fluents of the first structure means the same wherever these have the same versions, whatever
    else has happened. So it is checked and resolved once for each choice of versions. A derived
    fluent stands for those that its definition names; no event changes that.

    Threads may share it: its results are right, whatever another thread adds or empties meanwhile.
    """

    def __init__(
        self, fluents: Iterable[str] = (), derived: Mapping[str, Iterable[Formula]] | None = None
    ) -> None:
        """An empty cache for the fluents of the first structure.

        `derived` gives the formulas by which fluents are defined.
        """
        self._fluents = frozenset(fluents)
        self._derived = derived or {}
        self._names: dict[Formula, tuple[str, ...] | None] = {}
        self._found: dict[tuple[Formula | str | None, ...], Formula] = {}
        self._size = 0
        """How many names have been kept since it was emptied."""

    def __reduce__(self) -> tuple[Any, ...]:
        return ResolutionCache, (self._fluents, self._derived)

    def key(
        self, formula: Formula, versions: Mapping[str, str | Fixed]
    ) -> tuple[Formula | str | None, ...] | None:
        """The formula and the versions of its fluents; None if its meaning depends on more."""
        named = self._names.get(formula, _UNKNOWN)
        if named is _UNKNOWN:
            named = self._named(formula)
        if named is None:
            return None
        if not versions:
            return (formula,)
        # The name of a version has a #, and a value has none, so the two cannot be confused.
        return (formula, *[_written(versions.get(name)) for name in named])

    def _named(self, formula: Formula) -> tuple[str, ...] | None:
        found: tuple[str, ...] = names(formula)
        if self._derived and not self._fluents.issuperset(found):
            plain = [
                names(conjunction(self._derived[name])) if name in self._derived else (name,)
                for name in found
            ]
            found = tuple(dict.fromkeys(chain.from_iterable(plain)))
        if len(self._names) >= _KEPT or self._size >= _NAMES:
            self._names.clear()
            self._found.clear()
            self._size = 0
        self._size += len(found)
        known = self._names[formula] = found if self._fluents.issuperset(found) else None
        return known

    def get(self, key: tuple[Formula | str | None, ...]) -> Formula | None:
        """The resolved formula, if it is kept; else None."""
        return self._found.get(key)

    def add(self, key: tuple[Formula | str | None, ...], meaning: Formula) -> None:
        """Keep the resolved form of a formula whose names have all been checked."""
        if len(self._found) >= _KEPT:
            self._found.clear()
        self._found[key] = meaning


def _written(version: str | Fixed | None) -> str | None:
    return version.value if isinstance(version, Fixed) else version
