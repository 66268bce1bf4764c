"""What a guess implies, told to the solver, so that wrong ones are seen to be wrong at once.

Three things, all true at every world of the law:

* What is known is true, and what is known to follow from it is known. A guess that K_G f, where f
  is about knowledge itself, has to go with guesses that make f true; and if f implies a fact g, as
  K_j g does, with K_G g. Both are checked first: they are easier to refute, and what is learned of
  them is learned once for all formulas that contain them.
* If a few literals c imply ~f, by lemmas, then K_G f implies K_G ~c. So many a formula about
  knowledge is refuted as a fact is, without saying why f would be false there.
* Knowledge rests on what is observed. So where K_G f is false, it is at all worlds at which G
  observes the same; and if that happens often in a search that goes on for long, all exchanges of
  cards are told: see `cycles`. It ends long searches, and makes short ones longer.

The last two count as long as nothing happens: they rest on a selector of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symkripke.engines.sat.modal.normal_form import facts_of, fluents_of
from symkripke.engines.sat.swaps.cycles import Paths
from symkripke.engines.sat.swaps.implicants import Proxy, Target
from symkripke.engines.sat.swaps.law import Law
from symkripke.language import Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f

if TYPE_CHECKING:
    from symkripke.engines.sat.modal.search import ModalSolver

HERE: tuple[str, ...] = ()
"""The agents of whose selector rests what counts only until something happens."""

# Literals that imply that something is not so: up to so many are a fact of their own.
_SHORT = 3

# Facts that speak of more fluents are seldom useful: "some card is in the envelope".
_WIDE = 6

# Refutations of one formula after which, in a long search, its exchanges are told.
_OFTEN = 2


class Consequences:
    """What follows from the guesses of one `ModalSolver`, at the structure where it stands."""

    def __init__(self, solver: ModalSolver) -> None:
        """Nothing is told yet."""
        self._solver = solver
        self._of: dict[Proxy, Target | None] = {}
        self._groups: dict[Target, frozenset[tuple[str, ...]]] = {}
        self.hard = False
        """Whether a search has gone on for long since the last event."""
        self._told: set[Proxy] = set()
        self._refuted: dict[Proxy, int] = {}
        self._paths: dict[Law, Paths] = {}

    def of(self, proxy: Proxy) -> Target | None:
        """What is the case where that is known, if its own clauses do not say so."""
        if proxy not in self._of:
            self._of[proxy] = self._found(proxy)
        return self._of[proxy]

    def _found(self, proxy: Proxy) -> Target | None:
        leaf = proxy.formula
        if isinstance(leaf, f.B | f.CB):
            return None
        facts = [one for one in facts_of(proxy.operand) if len(fluents_of(one)) <= _WIDE]
        if isinstance(leaf, f.C):
            known: list[Formula] = [f.K(agent, fact) for agent in proxy.agents for fact in facts]
        elif proxy.plain is None:
            known = [leaf.rebuild((fact,)) for fact in facts]
        else:
            return None
        return self._solver.target(conjunction((proxy.operand, *known)))

    def state(self, proxy: Proxy) -> None:
        """Tell the solver what follows from this guess."""
        found = self.of(proxy)
        if found is not None:
            self._solver.candidates.clause([-proxy.literal, found.literal])

    def groups(self, target: Target) -> frozenset[tuple[str, ...]]:
        """Whose knowledge matters to a target, or to what follows from its guesses."""
        found = self._groups.get(target)
        if found is None:
            groups = {HERE}
            for proxy, _, _ in target.proxies:
                groups.add(proxy.agents)
                implied = self.of(proxy)
                if implied is not None:
                    groups |= self.groups(implied)
            found = self._groups[target] = frozenset(groups)
        return found

    def fact(self, proxy: Proxy, other: int) -> Proxy | None:
        """A fact that is known where the formula of `proxy` is, refuted by the same world `other`.

        None if there is none that is short.
        """
        solver = self._solver
        refuted = solver.refuted(proxy)
        literals = solver.certificates.keeping(refuted.formula, other)
        if len(literals) > _SHORT:
            return None
        facts: list[Formula] = []
        for literal in literals:
            atom = solver.law.atom(abs(literal))
            facts.append(negation(atom) if literal > 0 else atom)
        implied = solver.proxy(proxy.formula.rebuild((disjunction(facts),)))
        self._clause([-proxy.literal, implied.literal])
        return implied

    def not_known(self, proxy: Proxy, world: int) -> None:
        """Take note that something is not known at a world of the structure."""
        solver = self._solver
        if solver.guards:
            return  # whether that is a world of it may not have been found out yet
        seen = solver.candidates.few(solver.at(proxy.observed, world))
        self._clause([*(-one for one in seen), -proxy.literal])
        number = self._refuted[proxy] = self._refuted.get(proxy, 0) + 1
        if not self.hard or number < _OFTEN or not proxy.about or proxy in self._told:
            return
        self._told.add(proxy)
        law = solver.veil(proxy)
        if law not in self._paths:
            self._paths[law] = Paths(law)
        for clause in self._paths[law].clauses(proxy, solver.candidates.fresh):
            self._clause(clause)

    def _clause(self, clause: list[int]) -> None:
        """Tell what is true until something happens."""
        candidates = self._solver.candidates
        unless = [candidates.selector(HERE), *candidates.always]
        candidates.clause([*clause, *(-one for one in unless)])

    def move(self) -> None:
        """Something has happened: forget what may not be true any more."""
        self.hard = False
        self._told.clear()
        self._refuted.clear()
        self._paths.clear()
        self._solver.forget(HERE)
