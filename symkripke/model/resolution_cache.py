"""The cache of resolved formulas, shared by all structures with the same first structure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from symkripke.language import Formula, conjunction
from symkripke.language.walk import names
from symkripke.records import dataclass

# The maximum number of formulas in the cache, and of names in them. A full cache is cleared, and
# formulas in use soon return.
_KEPT = 5_000
_NAMES = 50_000

# Marks a formula that is not in the cache. (None marks a formula that cannot be cached.)
_UNKNOWN: tuple[str, ...] = ("?",)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A version of a fluent with a commonly known value, which needs no variable.

    Attributes:
        value: the value.
        number: the number of the version: 1 after the first change, and 0 for a fact of a first
            structure.
    """

    value: str
    number: int


class ResolutionCache:
    """A cache of resolved formulas.

    All structures with the same first structure share a cache. The meaning of a formula that names
    only fluents of the first structure depends only on the versions of these fluents, so it is
    checked and resolved once for each combination of versions. A derived fluent stands for the
    fluents in its definition, which no event changes.

    The cache is safe for use by several threads.
    """

    def __init__(
        self, fluents: Iterable[str] = (), derived: Mapping[str, Iterable[Formula]] | None = None
    ) -> None:
        """Create an empty cache for the fluents of the first structure.

        `derived` contains the formulas in the definitions of derived fluents.
        """
        self._fluents = frozenset(fluents)
        self._derived = derived or {}
        self._names: dict[Formula, tuple[str, ...] | None] = {}
        self._resolved: dict[tuple[Formula | str | None, ...], Formula] = {}
        self._size = 0
        """The number of names added since the cache was last cleared."""

    def __reduce__(self) -> tuple[Any, ...]:
        return ResolutionCache, (self._fluents, self._derived)

    def key(
        self, formula: Formula, versions: Mapping[str, str | Fixed]
    ) -> tuple[Formula | str | None, ...] | None:
        """Return the formula with the versions of its fluents; None if it cannot be cached."""
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
        fluents: tuple[str, ...] = names(formula)
        if self._derived and not self._fluents.issuperset(fluents):
            plain = [
                names(conjunction(self._derived[name])) if name in self._derived else (name,)
                for name in fluents
            ]
            fluents = tuple(dict.fromkeys(chain.from_iterable(plain)))
        if len(self._names) >= _KEPT or self._size >= _NAMES:
            self._names.clear()
            self._resolved.clear()
            self._size = 0
        self._size += len(fluents)
        known = self._names[formula] = fluents if self._fluents.issuperset(fluents) else None
        return known

    def get(self, key: tuple[Formula | str | None, ...]) -> Formula | None:
        """Return the resolved formula, or None if it is not in the cache."""
        return self._resolved.get(key)

    def add(self, key: tuple[Formula | str | None, ...], meaning: Formula) -> None:
        """Store the resolved form of a formula whose names have all been checked."""
        if len(self._resolved) >= _KEPT:
            self._resolved.clear()
        self._resolved[key] = meaning


def _written(version: str | Fixed | None) -> str | None:
    return version.value if isinstance(version, Fixed) else version
