"""Axioms: what a guess implies, stated to the abstraction, so that wrong guesses fail at once.

There are three kinds, all true at every world of the law:

* What is known is true, and so is known what follows from it. If K_G f is guessed and f is about
  knowledge, the guesses in f must make f true. If f implies a fact g, as K_j g does, K_G g must be
  guessed, too. These guesses are checked first: they are easier to refute, and the lemmas about
  them serve all formulas that contain them.
* If a few literals c imply ~f, by lemmas, then K_G f implies K_G ~c. So many formulas about
  knowledge are refuted like facts.
* Knowledge depends on what is observed. If K_G f is false at a world, it is false wherever G
  observes the same. If that happens often in a long search, all cyclic swaps of cards are stated:
  see `cycles`. That ends long searches and makes short ones longer.

The last two kinds count until the next event: they are stated under a selector of their own.
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
"""The agents of the selector for axioms that count only until the next event."""

# Up to so many literals that imply ~f are used for K_G ~c.
_SHORT = 3

# Facts about more fluents than this are seldom useful: "some card is in the envelope".
_WIDE = 6

# In a long search, the cyclic swaps of a formula are stated after so many refutations of it.
_OFTEN = 2


class Axioms:
    """The axioms for the guesses of one search, at its structure."""

    def __init__(self, state: ModalState) -> None:
        """No axioms are stated yet."""
        self._state = state
        self._of: dict[Proxy, Target | None] = {}
        self._groups: dict[Target, frozenset[tuple[str, ...]]] = {}
        self.hard = False
        """Whether there was a long search since the last event."""
        self._stated: set[Proxy] = set()
        self._refuted: dict[Proxy, int] = {}
        self._cycles: dict[Law, Cycles] = {}

    def of(self, proxy: Proxy) -> Target | None:
        """The formula that is true where the proxy is, if the proxy's own clauses do not say so."""
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
        """A fact that is known if the formula of `proxy` is, and that `other` refutes, too.

        None if there is no short one.
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
        """Note that the proxy is false at a world of the structure."""
        state = self._state
        if state.modal_law.announcements:
            return  # the world may not have been checked against the modal law yet
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
        """State a clause that counts until the next event."""
        self._state.abstraction.clause([*clause, *(-literal for literal in self.here())])

    def here(self) -> list[int]:
        """The literals that are assumed where what counts until the next event is true."""
        abstraction = self._state.abstraction
        return [abstraction.selector(HERE), *abstraction.always]

    def move(self) -> None:
        """An event has happened: withdraw the axioms that may be false now."""
        self.hard = False
        self._stated.clear()
        self._refuted.clear()
        self._cycles.clear()
        self._state.abstraction.forget(HERE)
