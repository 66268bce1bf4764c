"""Announcements about knowledge, as constraints on the worlds of a `ModalSolver`.

A *guard* is one thing that was announced: a Boolean combination of facts and of what some agents
knew in the structure F before it. Its truth at a world of F rests on these facts and on what these
agents had seen there. So

* it is worked out once for each observation, and not for each world;
* a swap that they cannot see leaves it as it is. If u is a world of F at which it is true, r(u) is
  a world of F, and they see the same at both, then it is true at r(u): nothing is to be certified.

Nobody forgets: an agent that does not know f did not know it before. So of several guards that
say the same, and that say of knowledge only that there is none, the last one implies the others.
The others are left out. A lemma from a swap r with literals L still holds, though it is certified
only that the last ones are true at r(u). For let u be a world with the facts of the law and L, and
let the announcements before some time be true at u. Then they are true at r(u), one after the
other: if g was announced at F_q, those before it are true at r(u), so r(u) is a world of F_q. The
last one that says the same was announced at F_m, when its agents had seen more. If they
do not see the swap there, they did not at F_q, and g is true at r(u) because it is at u. If it is
certified, it is so by lemmas of F_m at r(u), about other swaps. By the same argument, for F_m and a
shorter history, these lead from r(u) to worlds of F_q, which the agents cannot tell from r(u) at
F_m, so neither at F_q: g is true at r(u). (The certificates of such guards rest on lemmas from
swaps only, and not on what was known.)
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from symkripke.engines.sat.modal.normal_form import is_lasting
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import leaves, replace_leaves
from symkripke.model.evaluate import counts

if TYPE_CHECKING:
    from symkripke.engines.clock import Meter
    from symkripke.engines.sat.encoding import Encoding
    from symkripke.engines.sat.modal.search import ModalSolver


class Guard:
    """Something that was announced about knowledge in a structure, whoever hears it.

    Attributes:
        target: what was announced, with the proxies of the solver of that structure.
        lasting: whether it was true at all times before, if it was true once.
        rests_on: the variables (bits) that its truth at a world rests on.
        journal: clauses, true at all worlds of that structure, with which a solver finds out where
            it is false; grows.
    """

    def __init__(self, solver: ModalSolver, encoding: Encoding, stated: Formula) -> None:
        """A guard about the structure of `solver`; `stated` as `normalise` leaves it."""
        self.target = solver.target(stated)
        self.lasting = is_lasting(stated)
        self.journal: list[list[int]] = []
        self.rests_on = 0
        self._solver = solver
        self._encoding = encoding
        self._known: dict[Formula, Atom] = {}
        self._proxies = {one.formula: one for one, _, _ in self.target.proxies}
        self._meant: set[int] = set()
        self._read: dict[tuple[int, bool], int] = {}
        self._always: bool | None = None
        self._settled: set[int] = set()
        """Where it is true: worlds, as far as its truth rests on them."""
        for leaf in leaves(stated):
            if isinstance(leaf, Atom):
                self.rests_on |= 1 << abs(solver.literal(leaf))
            elif not isinstance(leaf, f.Constant):
                # What is common knowledge, each member of the group knows to be so.
                agents = self._proxies[leaf].agents
                seen = solver.observed(agents[:1] if isinstance(leaf, f.C) else agents)
                self.rests_on |= sum(1 << one for one in seen)

    def always(self, meter: Meter | None) -> bool:
        """Whether it is true at all worlds of its structure, as far as that is found out soon."""
        if self._always is None:
            self._always = self._solver.always(self.target, self.lasting, meter)
        return self._always

    def holds(self, world: int, meter: Meter | None) -> bool:
        """Whether it is true at a world, if that is one of its structure."""
        settled = (world & self.rests_on) in self._settled
        return settled or self._true(self.target.formula, world, meter)

    def settle(self, world: int) -> None:
        """Keep in mind that it is true at that world, which is one of its structure."""
        self._settled.add(world & self.rests_on)

    def _state(self) -> None:
        """Begin the journal: that it is true, and that what is known is.

        What was known then and what is known now are different things, so the former has variables
        of its own.
        """
        for leaf, proxy in self._proxies.items():
            name = Atom(f"known {self._encoding.variables + 1}")
            self._known[leaf] = name
            literal = self._encoding.atom(name)
            if proxy.plain is not None:
                self.journal.append([-literal, proxy.plain])
        stated = replace_leaves(self.target.formula, lambda leaf: self._known.get(leaf, leaf))
        self.journal.append([self._encoding.literal(stated)])

    def learn(self) -> None:
        """Add to `journal` the lemmas that were learned since the last time."""
        if not self.journal:
            self._state()
        for proxy, if_true, if_false in self.target.proxies:
            literal = self._encoding.atom(self._known[proxy.formula])
            for truth, needed in ((False, if_true), (True, if_false)):
                if needed:
                    key, lemmas = (proxy.literal, truth), proxy.lemmas[truth]
                    read = self._read.get(key, 0)
                    self._read[key] = len(lemmas)
                    for lemma in islice(lemmas, read, None):
                        self.journal.extend(lemma.meaning(self._meant))
                        self.journal.append(lemma.clause(literal if truth else -literal))

    def certificate(self, world: int, meter: Meter | None) -> list[int]:
        """Literals with which it is true at any world; it is true at this one, and they are."""
        certificates = self._solver.certificates
        found = certificates.certified(self.target.formula, world)
        if found is None:
            if not self._true(self.target.formula, world, meter):
                raise AssertionError(f"{self.target.formula} is false at {world}")
            found = certificates.keeping(self.target.formula, world)
        found = self._solver.fewer(found, self.target, meter)
        if not found:
            # It is true at all worlds: nothing is to be checked any more.
            self.rests_on = 0
            self._settled = {0}
        return found

    def _true(self, formula: Formula, world: int, meter: Meter | None) -> bool:
        """Decided leaf by leaf, until there is a certificate."""
        match formula:
            case f.Constant(value):
                return value
            case Atom():
                return self._solver.certificates.true(formula, world)
            case f.K() | f.D() | f.C() | f.B() | f.CB():
                return self._solver.decide(self._proxies[formula], world, meter)
            case f.Not(operand):
                return not self._true(operand, world, meter)
            case f.And(operands):
                return all(self._true(part, world, meter) for part in operands)
            case f.Or(operands):
                if self._solver.certificates.certified(formula, world) is not None:
                    return True
                return any(self._true(part, world, meter) for part in operands)
            case f.Implies(left, right):
                return not self._true(left, world, meter) or self._true(right, world, meter)
            case f.Iff(left, right):
                return self._true(left, world, meter) is self._true(right, world, meter)
            case f.Cardinality(relation, bound, operands):
                return counts(
                    relation, bound, sum(self._true(part, world, meter) for part in operands)
                )
        raise TypeError(f"not normalised: {formula}")
