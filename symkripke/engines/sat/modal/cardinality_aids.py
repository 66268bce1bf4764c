"""Counting for a solver that cannot: cards in one of several hands.

"Seven cards are in Plum's hand or Green's, which have three each" is impossible, and easy to see;
but a solver that resolves clauses needs exponentially long to find out (A. Haken: The
intractability of resolution, 1985), because it can only count the cards in one hand. With a
variable for "this card is in one of these hands" for sets of hands (a *pool*), it counts them, too:
an extension in the sense of S. Cook (A short proof of the pigeon hole principle using extended
resolution, 1976).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from symkripke.engines.sat.swaps.law import Law

# With more pools than this, only the smaller ones are there.
_POOLS = 64


class Pools:
    """Variables for pools of hands, and what the law says of them.

    Attributes:
        clauses: what they mean, and that a larger pool has all that a smaller one has.
        atmosts: how much a pool has: constraints (literals, k), at most k are true.
    """

    def __init__(self, law: Law, either: Callable[[frozenset[int]], int]) -> None:
        """Pools for everything that the law deals out.

        `either` gives a variable for "one of these variables is true", the same for the same ones.
        """
        self.clauses: list[list[int]] = []
        self.atmosts: list[tuple[list[int], int]] = []
        self._fluent: dict[int, str] = {}
        self._either: dict[frozenset[int], int] = {}
        """For several variables of one fluent, a literal that says that one of them is true."""
        for names, numbers in law.hands():
            pools = [
                pool
                for size in range(1, len(numbers))
                for pool in combinations(sorted(numbers), size)
                # What is in none of the hands of a pool is in one of the others.
                if size == 1 or 2 * size <= len(law.fluents[names[0]])
            ][:_POOLS]
            for name in names:
                self._open(law.fluents[name], name, pools, either)
            for pool in pools:
                if len(pool) > 1:
                    members = [self._either[self._set(law, name, pool)] for name in names]
                    number = sum(numbers[place] for place in pool)
                    self.atmosts.append((members, number))
                    self.atmosts.append(([-one for one in members], len(members) - number))

    @staticmethod
    def _set(law: Law, name: str, pool: tuple[int, ...]) -> frozenset[int]:
        return frozenset(law.fluents[name][place] for place in pool)

    def _open(
        self,
        variables: tuple[int, ...],
        name: str,
        pools: list[tuple[int, ...]],
        either: Callable[[frozenset[int]], int],
    ) -> None:
        """The variables of one fluent for all pools."""
        self._fluent.update(dict.fromkeys(variables, name))
        whole = frozenset(variables)
        for pool in pools:
            inside = frozenset(variables[place] for place in pool)
            if len(inside) == 1:
                (one,) = inside
            else:
                one = either(inside)
                self.clauses.append([*inside, -one])
                for left_out in inside:
                    smaller = self._either.get(inside - {left_out})
                    self.clauses.append([-left_out, one])
                    if smaller is not None and len(inside) > 2:
                        self.clauses.append([-smaller, one])
            self._either[inside] = one
            self._either.setdefault(whole - inside, -one)

    def pooled(self, clause: list[int]) -> list[int]:
        """The clause with one literal for all its places of one fluent, where there is a pool."""
        places: dict[str, set[int]] = {}
        for literal in clause:
            name = self._fluent.get(literal)
            if name is not None:
                places.setdefault(name, set()).add(literal)
        found = [one for one in clause if one not in self._fluent]
        for several in places.values():
            one = self._either.get(frozenset(several)) if len(several) > 1 else None
            found.extend(several if one is None else (one,))
        return found
