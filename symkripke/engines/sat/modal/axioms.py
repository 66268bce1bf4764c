"""Axioms: what a guess implies, stated to the abstraction, so that wrong guesses fail at once.

Three things, all true at every world of the law:

* What is known is true, and what is known to follow from it is known. A guess that K_G f, where f
  is about knowledge itself, has to go with guesses that make f true; and if f implies a fact g, as
  K_j g does, with K_G g. Both are checked first: they are easier to refute, and what is learned of
  them is learned once for all formulas that contain them.
* If a few literals c imply ~f, by lemmas, then K_G f implies K_G ~c. So many a formula about
  knowledge is refuted as a fact is, without saying why f would be false there.
* Knowledge rests on what is observed. So where K_G f is false, it is at all worlds at which G
  observes the same; and if that happens often in a search that goes on for long, all cyclic
  swaps of cards are stated: see `cycles`. It ends long searches, and makes short ones longer.

The last two count as long as nothing happens: they rest on a selector of their own.
"""

from __future__ import annotations

from symkripke.engines.sat.modal.normal_form import facts_of, fluents_of
from symkripke.engines.sat.modal.proxy import Proxy, Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.engines.sat.swaps.cycles import Cycles
from symkripke.engines.sat.swaps.law import Law
from symkripke.language import Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f

HERE: tuple[str, ...] = ()
"""Whose selector switches on what counts only until something happens."""

# Literals that imply that something is not so: up to so many are a fact of their own.
_SHORT = 3

# Facts that speak of more fluents are seldom useful: "some card is in the envelope".
_WIDE = 6

# Refutations of one formula after which, in a long search, its cyclic swaps are stated.
_OFTEN = 2


class Axioms:
    """What follows from the guesses of one search, at the structure where it stands."""

    def __init__(self, state: ModalState) -> None:
        """Nothing is stated yet."""
        self._state = state
        self._of: dict[Proxy, Target | None] = {}
        self._groups: dict[Target, frozenset[tuple[str, ...]]] = {}
        self.hard = False
        """Whether a search has gone on for long since the last event."""
        self._stated: set[Proxy] = set()
        self._refuted: dict[Proxy, int] = {}
        self._cycles: dict[Law, Cycles] = {}

    def of(self, proxy: Proxy) -> Target | None:
        """What is the case where that is known, if its own clauses do not say so."""
        if proxy not in self._of:
            self._of[proxy] = self._found(proxy)
        return self._of[proxy]

    def _found(self, proxy: Proxy) -> Target | None:
        leaf = proxy.formula
        if isinstance(leaf, f.B | f.CB):
            return None
        facts = [fact for fact in facts_of(proxy.operand) if len(fluents_of(fact)) <= _WIDE]
        if isinstance(leaf, f.C):
            known: list[Formula] = [f.K(agent, fact) for agent in proxy.agents for fact in facts]
        elif proxy.plain is None:
            known = [leaf.rebuild((fact,)) for fact in facts]
        else:
            return None
        return self._state.target(conjunction((proxy.operand, *known)))

    def state(self, proxy: Proxy) -> None:
        """State what follows from this guess."""
        found = self.of(proxy)
        if found is not None:
            self._state.abstraction.clause([-proxy.literal, found.literal])

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
        state = self._state
        refuted = state.refuted(proxy)
        literals = state.implicants.implicant(refuted.formula, other)
        if len(literals) > _SHORT:
            return None
        facts: list[Formula] = []
        for literal in literals:
            atom = state.law.atom(abs(literal))
            facts.append(negation(atom) if literal > 0 else atom)
        implied = state.proxy(proxy.formula.rebuild((disjunction(facts),)))
        self._clause([-proxy.literal, implied.literal])
        return implied

    def not_known(self, proxy: Proxy, world: int) -> None:
        """Take note that something is not known at a world of the structure."""
        state = self._state
        if state.modal_law.announcements:
            return  # whether that is a world of it may not have been found out yet
        seen = state.abstraction.few(state.seen_at(proxy, world))
        self._clause([*(-literal for literal in seen), -proxy.literal])
        number = self._refuted[proxy] = self._refuted.get(proxy, 0) + 1
        if not self.hard or number < _OFTEN or not proxy.about or proxy in self._stated:
            return
        self._stated.add(proxy)
        law = state.law_for(proxy)
        if law not in self._cycles:
            self._cycles[law] = Cycles(law)
        for clause in self._cycles[law].clauses(
            proxy.literal, proxy.operand, proxy.fixed, state.abstraction.fresh
        ):
            self._clause(clause)

    def _clause(self, clause: list[int]) -> None:
        """State what is true until something happens."""
        abstraction = self._state.abstraction
        unless = [abstraction.selector(HERE), *abstraction.always]
        abstraction.clause([*clause, *(-literal for literal in unless)])

    def move(self) -> None:
        """Something has happened: forget what may not be true any more."""
        self.hard = False
        self._stated.clear()
        self._refuted.clear()
        self._cycles.clear()
        self._state.abstraction.forget(HERE)
