"""Shares of a law of sums, counted over the fluents that the question depends on.

Two fluents are connected if a sum contains both. A component that is not connected with the
question multiplies both counts of a share by the same factor, which cancels out. If four players
roll five dice each, a question about Bob's dice needs only his five. (These are the components of a
formula in exact model counting: R. Bayardo and J. Pehoushek, Counting models using connected
components, 2000.)

Components that differ only in names have equal counts: "two of Bob's dice show a three" is counted
once for all players and all faces. (This is component caching up to renaming: T. Sang and others,
Combining component caching and clause learning, 2004.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from symkripke.engines.caches import LRUCache
from symkripke.engines.count.sums import SumConstraint
from symkripke.model import Fluent

if TYPE_CHECKING:
    from symkripke.engines.count.dynamic_programme import DynamicProgramme

Pattern: TypeAlias = tuple[tuple[tuple[tuple[int, ...], ...], ...], tuple[int, ...]]
"""A component without names.

The first part lists the values of each fluent as sorted rows of contributions to the sums. The
second part lists the allowed numbers of each sum, as bits.
"""

Count: TypeAlias = Callable[[Mapping[str, Fluent], Sequence[SumConstraint]], "int | None"]
"""A function that returns the number of worlds of some sums; None if it cannot count them."""


class Components:
    """A cache of the counts of components, with their patterns as keys."""

    def __init__(self, most: int) -> None:
        """Create an empty cache of at most `most` counts."""
        # Saves counting components that differ only in names. (Without components, all questions
        # about probabilities in Perudo with six players take 1.14 times as long.)
        self._counts: LRUCache[Pattern, int] = LRUCache(most)

    def share(
        self, programme: DynamicProgramme, said: Sequence[SumConstraint], count: Count
    ) -> Fraction | None:
        """Return the share of the worlds of a law at which the sums `said` hold, too.

        Return None if all fluents of the law are connected with them, or if a component cannot be
        counted. The law must have a world and no weights.
        """
        asked = programme.narrowed(said)
        if any(not law_sum.allowed for law_sum in asked):
            return Fraction(0)
        if not asked:
            return Fraction(1)
        connected = {name for law_sum in asked for name in law_sum.parts}
        law, rest = [], [*programme.sums]
        grown = True
        while grown:
            touching = [s for s in rest if not connected.isdisjoint(s.parts)]
            rest = [s for s in rest if connected.isdisjoint(s.parts)]
            law += touching
            connected.update(name for law_sum in touching for name in law_sum.parts)
            grown = bool(touching)
        names = [name for name in programme.fluents if len(programme.domains[name]) > 1]
        if connected.issuperset(names):
            return None
        names = [name for name in names if name in connected]
        whole = self._count(_pattern(programme, names, law), count)
        part = self._count(_pattern(programme, names, [*law, *asked]), count)
        return None if whole is None or part is None else Fraction(part, whole)

    def _count(self, pattern: Pattern, count: Count) -> int | None:
        known = self._counts.get(pattern)
        if known is None:
            known = count(*_named(pattern))
            if known is not None:
                self._counts.put(pattern, known)
        return known


def _pattern(
    programme: DynamicProgramme, names: Sequence[str], sums: Sequence[SumConstraint]
) -> Pattern:
    values = tuple(
        tuple(
            sorted(
                tuple(s.parts[name][place] if name in s.parts else 0 for s in sums)
                for place in range(len(programme.domains[name]))
            )
        )
        for name in names
    )
    return values, tuple(law_sum.allowed for law_sum in sums)


def _named(pattern: Pattern) -> tuple[dict[str, Fluent], list[SumConstraint]]:
    """Return fluents and sums with this pattern, under generated names."""
    fluents, parts = {}, [dict[str, tuple[int, ...]]() for _ in pattern[1]]
    for number, values in enumerate(pattern[0]):
        name = f"x{number}"
        fluents[name] = Fluent(name, tuple(f"v{place}" for place in range(len(values))))
        for place, own in enumerate(parts):
            adds = tuple(value[place] for value in values)
            if any(adds):
                own[name] = adds
    return fluents, [
        SumConstraint(own, allowed) for own, allowed in zip(parts, pattern[1], strict=True)
    ]
