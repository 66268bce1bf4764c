"""The open part of a law of sums: the possible values of fluents, and the sums over them.

Some values need not be distinguished. Suppose that nothing is known about the hands of Ann and Bob
except that they hold four and five of these twenty cards. The law is then symmetric in the two
hands, apart from their sizes. Their cards are counted as nine cards in one place, and each choice
of these stands for 9! / (4! 5!) ways of dealing the nine cards to Ann and Bob.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import factorial, prod

from symkripke.engines.count.sums import Domains, SumConstraint
from symkripke.limits import check
from symkripke.model import Fluent
from symkripke.records import dataclass


@dataclass(frozen=True)
class Group:
    """Values that are counted as one.

    Attributes:
        values: the values. The first value represents all of them.
        numbers: for each value, the number of fluents that have it.
        fluents: the fluents that may have one of these values or another value.
    """

    values: tuple[str, ...]
    numbers: tuple[int, ...]
    fluents: frozenset[str]

    @property
    def ways(self) -> int:
        """The number of ways to give the fluents with the merged value their individual values."""
        return factorial(sum(self.numbers)) // prod(map(factorial, self.numbers))


@dataclass(frozen=True, eq=False)
class OpenLaw:
    """A law of sums, narrowed to the values that are left.

    Attributes:
        fluents: all fluents.
        domains: for each fluent, the indices of its values that are left.
        sums: the sums over fluents with several values left, with parts for these values only.
        groups: groups of merged values; only the first value of each group is in the domains.
    """

    fluents: Mapping[str, Fluent]
    domains: Mapping[str, list[int]]
    sums: Sequence[SumConstraint]
    groups: tuple[Group, ...] = ()

    @classmethod
    def of(cls, fluents: Mapping[str, Fluent], sums: Sequence[SumConstraint]) -> OpenLaw:
        """Return the law that consists of these sums."""
        return cls({}, {}, ()).extended(fluents, sums)

    def extended(self, fluents: Mapping[str, Fluent], sums: Iterable[SumConstraint]) -> OpenLaw:
        """Return the law with further fluents and sums, narrowed to the values within their bounds.

        `fluents` contains all fluents, old and new. The new sums have parts for all values of their
        fluents.
        """
        before = {
            name: self.domains.get(name, list(range(len(fluent.values))))
            for name, fluent in fluents.items()
        }
        if not all(before.values()):
            return OpenLaw(fluents, {name: [] for name in fluents}, [])
        said = [*self.sums, *narrowed(before, sums)]
        left = Domains({name: len(values) for name, values in before.items()}, said).left
        domains = {name: [before[name][place] for place in places] for name, places in left.items()}
        return OpenLaw(fluents, domains, narrowed(left, said) if all(domains.values()) else [])

    @property
    def possible(self) -> bool:
        """True if every fluent has a value left."""
        return all(self.domains.values())

    @cached_property
    def interchangeable(self) -> list[list[str]]:
        """The fluents in sums, as classes of fluents that no sum distinguishes."""
        spoken = {name for law_sum in self.sums for name in law_sum.parts}
        signatures: dict[str, list[object]] = {name: [] for name in self.fluents if name in spoken}
        for law_sum in self.sums:
            for name, adds in law_sum.parts.items():
                signatures[name].append((id(law_sum), adds))
        classes: dict[tuple[object, ...], list[str]] = {}
        for name, said in signatures.items():
            check()
            classes.setdefault((*self.values(name), *said), []).append(name)
        return list(classes.values())

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values of a fluent that are left."""
        return tuple(self.fluents[name].values[place] for place in self.domains[name])

    def within(self, domains: Mapping[str, list[int]]) -> OpenLaw:
        """Return the law restricted to these domains."""
        kept = {
            name: [place for place, value in enumerate(left) if value in domains[name]]
            for name, left in self.domains.items()
        }
        return OpenLaw(self.fluents, domains, narrowed(kept, self.sums), self.groups).distinct()

    def distinct(self) -> OpenLaw:
        """Return the law with sums that have equal parts merged into one."""
        allowed: dict[object, int] = {}
        first: dict[object, SumConstraint] = {}
        for law_sum in self.sums:
            key = law_sum if law_sum.weights else frozenset(law_sum.parts.items())
            first.setdefault(key, law_sum)
            allowed[key] = allowed.get(key, -1) & law_sum.allowed
        sums = [replace(law_sum, allowed=allowed[key]) for key, law_sum in first.items()]
        return OpenLaw(self.fluents, self.domains, sums, self.groups)

    # ---- values as one ----------------------------------------------------------------------

    def merged(self, values: Container[str]) -> OpenLaw:
        """Return the law with interchangeable values among `values` merged.

        Values are interchangeable if the same fluents may have them, each value has its own sum
        that allows a single number, and all other sums treat them equally.
        """
        sums, groups = list(self.sums), []
        gone: set[str] = set()
        for mergeable in self._mergeable(values):
            own = [one for one, _ in mergeable]
            names = frozenset(own[0].parts)
            group = tuple(value for _, value in mergeable)
            numbers = tuple(one.allowed.bit_length() - 1 for one in own)
            groups.append(Group(group, numbers, names))
            gone.update(group[1:])
            sums = [law_sum for law_sum in sums if law_sum not in own]
            sums.append(SumConstraint(self._counting(names, group), 1 << sum(numbers)))
        domains = {
            name: [n for n in left if len(left) == 1 or self.fluents[name].values[n] not in gone]
            for name, left in self.domains.items()
        }
        whole = OpenLaw(self.fluents, self.domains, sums, (*self.groups, *groups))
        return whole.within(domains) if groups else self

    def _mergeable(self, values: Container[str]) -> list[list[tuple[SumConstraint, str]]]:
        """Return the classes of interchangeable values, with the sum that counts each value."""
        there: dict[str, list[str]] = {}
        for name, left in self.domains.items():
            for value in self.values(name) if len(left) > 1 else ():
                if value in values:
                    there.setdefault(value, []).append(name)
        classes: dict[object, list[tuple[SumConstraint, str]]] = {}
        for value, names in there.items():
            counting = self._counting(names, (value,))
            own = [one for one in self.sums if one.exact and one.parts == counting]
            if len(own) == 1:
                place = {name: self.values(name).index(value) for name in names}
                others = frozenset(
                    (number, name, adds[place[name]])
                    for number, law_sum in enumerate(self.sums)
                    if law_sum is not own[0]
                    for name, adds in law_sum.parts.items()
                    if name in place and adds[place[name]]
                )
                classes.setdefault((frozenset(names), others), []).append((own[0], value))
        return [members for members in classes.values() if len(members) > 1]

    def _counting(self, names: Iterable[str], values: Container[str]) -> dict[str, tuple[int, ...]]:
        """Return the parts of the sum that counts the fluents with one of these values."""
        return {name: tuple(int(v in values) for v in self.values(name)) for name in names}


def narrowed(
    domains: Mapping[str, Sequence[int]], sums: Iterable[SumConstraint]
) -> list[SumConstraint]:
    """Return the sums narrowed to these domains, without trivial sums."""
    results = (_narrowed(domains, law_sum) for law_sum in sums)
    return [law_sum for law_sum in results if law_sum is not None]


def _narrowed(domains: Mapping[str, Sequence[int]], law_sum: SumConstraint) -> SumConstraint | None:
    """Return the sum narrowed to these domains, with a least contribution of 0; None if trivial."""
    left, most = {}, 0
    allowed, weights = law_sum.allowed, law_sum.weights
    for name, every in law_sum.parts.items():
        adds = [every[value] for value in domains[name]]
        least, high = min(adds), max(adds)
        allowed >>= least
        if weights is not None:
            weights = weights[least:]
        if high > least:
            left[name] = tuple(number - least for number in adds)
            most += high - least
    everything = (1 << most + 1) - 1
    allowed &= everything
    if weights is not None:
        weights = weights[: most + 1]
        if len(set(weights) - {0}) < 2:
            weights = None
    if allowed == everything and weights is None:
        return None
    return SumConstraint(left, allowed, weights=weights)
