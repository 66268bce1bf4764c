"""Cardinality aids: variables for unions of hands, for a solver that cannot count across hands.

"Seven cards are in Plum's hand or Green's, which have three each" is obviously impossible. But a
solver that resolves clauses needs exponential time to refute it (A. Haken: The intractability of
resolution, 1985), because it can count only the cards in one hand. The aids are variables for "this
card is in one of these hands", for sets of hands (their *union*). With them, the solver can also
count the cards in unions. This is an extension in the sense of S. Cook (A short proof of the pigeon
hole principle using extended resolution, 1976).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from symkripke.engines.sat.encoding import Clauses
from symkripke.engines.sat.swaps.law import Law


class CardinalityAids:
    """Variables for unions of hands, with their definitions and cardinalities.

    Attributes:
        stated: the definitions, the monotonicity of unions, and the sizes of unions.
    """

    def __init__(self, law: Law, either: Callable[[frozenset[int]], int]) -> None:
        """Create unions for all cards that the law deals out.

        `either` returns a variable for the disjunction of a set of variables, always the same
        variable for the same set.
        """
        self.stated = Clauses()
        self._fluent: dict[int, str] = {}
        self._either: dict[frozenset[int], int] = {}
        """A literal for the disjunction of each set of variables of one fluent."""
        for names, numbers in law.dealt_counts():
            unions = [
                union
                for size in range(1, len(numbers))
                for union in combinations(sorted(numbers), size)
                # A larger union is the complement of a smaller one.
                if size == 1 or 2 * size <= len(law.fluents[names[0]])
            ][: law.encoding.tuning.unions]
            for name in names:
                self._open(law.fluents[name], name, unions, either)
            for union in unions:
                if len(union) > 1:
                    members = [self._either[self._set(law, name, union)] for name in names]
                    number = sum(numbers[place] for place in union)
                    self.stated.atmosts.append((members, number))
                    rest = [-member for member in members]
                    self.stated.atmosts.append((rest, len(members) - number))

    @staticmethod
    def _set(law: Law, name: str, union: tuple[int, ...]) -> frozenset[int]:
        return frozenset(law.fluents[name][place] for place in union)

    def _open(
        self,
        variables: tuple[int, ...],
        name: str,
        unions: list[tuple[int, ...]],
        either: Callable[[frozenset[int]], int],
    ) -> None:
        """Define the literals of all unions for one fluent."""
        self._fluent.update(dict.fromkeys(variables, name))
        whole = frozenset(variables)
        for union in unions:
            inside = frozenset(variables[place] for place in union)
            if len(inside) == 1:
                (joint,) = inside
            else:
                joint = either(inside)
                self.stated.clauses.append([*inside, -joint])
                for left_out in inside:
                    smaller = self._either.get(inside - {left_out})
                    self.stated.clauses.append([-left_out, joint])
                    if smaller is not None and len(inside) > 2:
                        self.stated.clauses.append([-smaller, joint])
            self._either[inside] = joint
            self._either.setdefault(whole - inside, -joint)

    def shortened(self, clause: list[int]) -> list[int]:
        """Return the clause with several values of one fluent replaced by a union literal."""
        places: dict[str, set[int]] = {}
        for literal in clause:
            name = self._fluent.get(literal)
            if name is not None:
                places.setdefault(name, set()).add(literal)
        shorter = [literal for literal in clause if literal not in self._fluent]
        for several in places.values():
            joint = self._either.get(frozenset(several)) if len(several) > 1 else None
            shorter.extend(several if joint is None else (joint,))
        return shorter
