"""What formulas mean after fluents have changed, found once for a whole line of structures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from symkripke.language import Formula
from symkripke.language.walk import names

# Formulas kept; then all are forgotten, and those that are still in use are soon found again.
_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class Fixed:
    """The current version of a fluent whose value everybody knows: it needs no variable."""

    value: str


class Meanings:
    """The formulas that were resolved in a line of structures.

    A line is all structures that come from one first structure. A formula that only names plain
    fluents of that one has the same meaning wherever these have the same versions, whatever else
    has happened: so it is checked once and resolved once for each choice of versions.
    """

    def __init__(self, fluents: Iterable[str] = ()) -> None:
        """Nothing resolved yet; `fluents` are those of the first structure."""
        self._fluents = frozenset(fluents)
        self._names: dict[Formula, tuple[str, ...] | None] = {}
        self._found: dict[tuple[Formula | str | None, ...], Formula] = {}

    def key(
        self, formula: Formula, versions: Mapping[str, str | Fixed]
    ) -> tuple[Formula | str | None, ...] | None:
        """What the meaning of the formula depends on; None: on more than its fluents' versions."""
        named = self._names.get(formula, ())
        if not named and formula not in self._names:
            named = self._named(formula)
        if named is None:
            return None
        if not versions:
            return (formula,)
        # A version has a # in its name, and a value has none: no need to say which of the two.
        return (formula, *[_written(versions.get(name)) for name in named])

    def _named(self, formula: Formula) -> tuple[str, ...] | None:
        found = names(formula)
        if len(self._names) >= _KEPT:
            self._names.clear()
        known = self._names[formula] = found if self._fluents.issuperset(found) else None
        return known

    def get(self, key: tuple[Formula | str | None, ...]) -> Formula | None:
        """The meaning, if it is known."""
        return self._found.get(key)

    def add(self, key: tuple[Formula | str | None, ...], meaning: Formula) -> None:
        """Keep the meaning of a formula whose names have all been checked."""
        if len(self._found) >= _KEPT:
            self._found.clear()
        self._found[key] = meaning


def _written(version: str | Fixed | None) -> str | None:
    return version.value if isinstance(version, Fixed) else version
