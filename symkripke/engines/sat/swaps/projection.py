"""Fluents that somebody neither sees nor is asked about, left out of the law.

Which card was shown is a fluent of its own, which only two players see. For what a third one knows
of the deal it does not matter: that a card was shown says "one of these three was there", and no
more. So a swap that only has to be hidden from the third one need not say what was shown instead.

Let d be a fluent that G does not observe and f does not speak of, and let all that the law says
of d be clauses. With each value v of d something is left of them, R_v, and some value of d goes
with the other fluents iff the *residue*, "R_v for some v", is true. Let the residue be written as
clauses. Whatever leads from a world of the law to a valuation of the other fluents that has the
rest of the law and the residue, leads to a world of the law with some value of d. G cannot tell
these worlds apart by d, and f is as true with one value of d as with another. Several such fluents
are left out together, if no clause speaks of two of them: each then finds its value alone.

A lemma from such a swap holds as long as nothing more is said of d (`Lemma.free`), and as long as
G does not observe it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from symkripke.engines.sat.swaps.implicants import Swap, literals_of
from symkripke.engines.sat.swaps.law import Clause, Law, Touching

# A residue with more clauses than this is not written down.
_CLAUSES = 16

_NOTHING = Touching()


def residue(law: Law, name: str) -> list[Clause] | None:
    """What the law says of the other fluents by speaking of this one; None if that is not simple.

    The law implies these clauses.
    """
    mask, variables = law.masks[name], law.fluents[name]
    domain = (mask, "exactly", 1)
    touching = law.touching.get(name, _NOTHING)
    if touching.others or any(one != domain for one in touching.counting):
        return None
    # Of each clause what it says of this fluent, and of the others.
    parts = [
        (
            clause.positive & mask,
            clause.negative & mask,
            (clause.positive & ~mask, clause.negative & ~mask),
        )
        for clause in touching.clauses
    ]
    cases: list[list[tuple[int, int]]] = []
    for value in [0, mask] if len(variables) == 1 else [1 << one for one in variables]:
        left = {rest for yes, no, rest in parts if not (yes & value or no & ~value)}
        if not left:
            return []  # with this value, all of it is true
        if (0, 0) not in left:
            cases.append(sorted(left))
    if prod(map(len, cases)) > _CLAUSES:
        return None
    found = []
    for chosen in product(*cases):
        positive = negative = 0
        for more, less in chosen:
            positive, negative = positive | more, negative | less
        if not positive & negative:
            literals = literals_of(positive, negative)
            found.append(Clause(tuple(literals), positive, negative, law.names(literals)))
    return found


def veiled(
    law: Law, residues: Mapping[str, list[Clause]]
) -> tuple[dict[str, Touching], dict[str, int]]:
    """What the law says of each fluent, with these left out.

    Returns:
        The constraints by fluent; and for each fluent the variables (bits) of those left out
        of which something was said together with it.
    """
    hidden = law.bits(residues)
    linked: dict[str, int] = {}
    more: dict[str, list[Clause]] = {}
    for name, clauses in residues.items():
        touching = law.touching.get(name)
        if touching is not None:
            together = frozenset[str]().union(*[clause.names for clause in touching.clauses])
            for other in together.difference(residues):
                linked[other] = linked.get(other, 0) | law.masks[name]
        for clause in clauses:
            for other in clause.names:
                more.setdefault(other, []).append(clause)
    constraints = {name: one for name, one in law.touching.items() if name not in residues}
    for name in linked:
        old = law.touching[name]
        kept = [one for one in old.clauses if not (one.positive | one.negative) & hidden]
        constraints[name] = Touching([*kept, *more.get(name, ())], old.counting, old.others)
    return constraints, linked


class Veil(Law):
    """A law without some of its fluents.

    Attributes:
        hidden: those fluents, with their residues.
    """

    def __init__(self, law: Law, hidden: Mapping[str, list[Clause]]) -> None:
        """`law` without the `hidden` fluents, which have these residues."""
        super().__init__(law.encoding, law.certificates)
        gone = law.bits(hidden)
        self.hidden = hidden
        self.fluents, self.one_of, self.whole = law.fluents, law.one_of, law.whole
        self.masks = {name: mask for name, mask in law.masks.items() if name not in hidden}
        self.share(law, ~gone)
        self.defined = {
            name: one
            for name, one in law.defined.items()
            if name not in hidden and not one.support & gone
        }
        self.touching, self._linked = veiled(law, hidden)

    def free(self, swap: Swap) -> int:
        """The variables (bits) that get other values with that swap, whatever these are."""
        found = 0
        for name in swap.names:
            found |= self._linked.get(name, 0)
        return found


class Veils:
    """All that can be left out of a law, for those who do not see it."""

    def __init__(self, law: Law) -> None:
        """For a law to which nothing is added any more."""
        self._law = law
        self._residues: dict[str, list[Clause]] = {}
        gone = 0
        for name, mask in law.masks.items():
            clauses = residue(law, name)
            if clauses is not None and not any(
                (one.positive | one.negative) & gone
                for one in law.touching.get(name, _NOTHING).clauses
            ):
                self._residues[name] = clauses
                gone |= mask
                for clause in clauses:
                    law.whole.add(clause.positive, clause.negative)
        self._gone = gone
        self._of: dict[int, Veil] = {}

    def of(self, seen: int) -> Veil:
        """The law without what can be left out of it, if these variables (bits) cannot."""
        key = seen & self._gone
        veil = self._of.get(key)
        if veil is None:
            hidden = {
                name: clauses
                for name, clauses in self._residues.items()
                if not self._law.masks[name] & key
            }
            veil = self._of[key] = Veil(self._law, hidden)
        return veil
