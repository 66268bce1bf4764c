"""Axioms: consequences of guesses, stated in the abstraction, so that wrong guesses fail at once.

There are three kinds, all true at every world of the law:

* Knowledge is true, and its consequences are known. If K_G f is guessed and f is about knowledge,
  the guesses in f must make f true. If f implies a fact g, as K_j g does, K_G g must also be
  guessed. These guesses are checked first, because they are easier to refute and the lemmas about
  them serve all formulas that contain them.
* Knowledge depends on observations. If K_G f is false at a world, it is false at every world with
  the same observations of G.
* In a search that is not very short, all cyclic swaps are stated: see `cycles`. For many questions
  they are nearly sufficient. In a game they are kept up to date, because stating them again after
  each event would take longer than everything else.

Axioms of the second kind are valid until the next event, so they are stated under a selector of
their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symkripke.engines.sat.modal.normal_form import facts_of, fluents_of
from symkripke.engines.sat.modal.proxy import Proxy, Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.engines.sat.swaps.cycles import Cycles, Statements
from symkripke.language import Formula, conjunction
from symkripke.language import formulas as f

HERE: tuple[str, ...] = ()
"""The key of the selector for axioms that are valid only until the next event."""


class Axioms:
    """The axioms for the guesses of one search at its structure."""

    def __init__(self, state: ModalState) -> None:
        """Create an empty set of axioms."""
        self._state = state
        self._of: dict[Proxy, Target | None] = {}
        self._groups: dict[Target, frozenset[tuple[str, ...]]] = {}
        self._long: set[Target] = set()
        """The targets whose searches were long, so that cyclic swaps are stated for them."""
        self._swaps: dict[Target, tuple[Cycles, ...]] = {}
        """The cyclic swaps of each target, as stated since the last event."""
        self._cycles: dict[tuple[str, ...], Cycles] = {}
        self._statements = Statements(state.abstraction.fresh)
        self._facts: dict[Target, dict[tuple[str, ...], list[Proxy]]] = {}
        """For each target, the proxies of knowledge of facts, by agents."""
        self._spoken: dict[tuple[str, ...], int] = {}
        """The variables (bits) of the facts in these proxies, by agents."""

    def of(self, proxy: Proxy) -> Target | None:
        """Return a target that the proxy implies; None if the proxy's own clauses are enough."""
        if proxy not in self._of:
            self._of[proxy] = self._found(proxy)
        return self._of[proxy]

    def _found(self, proxy: Proxy) -> Target | None:
        leaf = proxy.formula
        if isinstance(leaf, f.B | f.CB):
            return None
        most = self._state.encoding.tuning.fluents_of_fact
        facts = [fact for fact in facts_of(proxy.operand) if len(fluents_of(fact)) <= most]
        if isinstance(leaf, f.C):
            known: list[Formula] = [f.K(agent, fact) for agent in proxy.agents for fact in facts]
        elif proxy.operand_literal is None:
            known = [leaf.rebuild((fact,)) for fact in facts]
        else:
            return None
        return self._state.target(conjunction((proxy.operand, *known)))

    def state(self, proxy: Proxy) -> None:
        """State the consequences of guessing that the proxy is true."""
        clauses = self.of(proxy)
        if clauses is not None:
            self._state.abstraction.clause([-proxy.literal, clauses.literal])

    def groups(self, target: Target) -> frozenset[tuple[str, ...]]:
        """Return the groups whose knowledge occurs in a target or follows from its guesses."""
        cached = self._groups.get(target)
        if cached is None:
            groups = {HERE}
            for proxy, _, _ in target.proxies:
                groups.add(proxy.agents)
                implied = self.of(proxy)
                if implied is not None:
                    groups |= self.groups(implied)
            cached = self._groups[target] = frozenset(groups)
        return cached

    def not_known(self, proxy: Proxy, world: int) -> None:
        """State that the proxy is false wherever its agents observe the same as at `world`."""
        state = self._state
        if state.modal_law.announcements:
            return  # the world may not have been checked against the modal law yet
        seen = state.abstraction.few(state.seen_at(proxy, world))
        self._clause([*(-literal for literal in seen), -proxy.literal])

    def state_swaps(self, target: Target) -> None:
        """Mark a target, so that its cyclic swaps are stated from the next search on."""
        self._long.add(target)

    def switches(self, target: Target) -> list[int]:
        """Return the assumptions that switch cyclic swaps on or off in a search for the target."""
        if target not in self._long or self._state.modal_law.announcements:
            used = self._statements.used
            return [-used] if used else []
        swaps = self._swaps.get(target)
        if swaps is None:
            swaps = self._swaps[target] = tuple(self._state_cycles(target))
        switches = [cycles.switch for cycles in swaps]
        if self._statements.clauses:
            self._state.abstraction.clauses(self._statements.clauses)
            self._statements.clauses.clear()
        return switches

    def _state_cycles(self, target: Target) -> Iterator[Cycles]:
        """State the cyclic swaps for the facts in the target, and yield them by agents."""
        state = self._state
        for agents, proxies in self._facts_of(target).items():
            # Fluents that a fact mentions must not be eliminated.
            spoken = self._spoken[agents]
            fixed = proxies[0].observed_mask
            law = state.projections.of(fixed | spoken)
            cycles = self._cycles.get(agents)
            if cycles is None:
                cycles = self._cycles[agents] = Cycles(self._statements, law, fixed)
            elif cycles.law is not law:
                cycles.move(law, fixed)
            for proxy in proxies:
                cycles.state(proxy.literal, proxy.operand)
            yield cycles

    def _facts_of(self, target: Target) -> Mapping[tuple[str, ...], Sequence[Proxy]]:
        """Return the proxies of knowledge of facts on which a target depends, by agents."""
        facts = self._facts.get(target)
        if facts is None:
            facts = self._facts[target] = {}
            for proxy in dict.fromkeys(self._resting(target)):
                facts.setdefault(proxy.agents, []).append(proxy)
                spoken = self._spoken.get(proxy.agents, 0) | self._state.law.bits(
                    proxy.operand_fluents
                )
                self._spoken[proxy.agents] = spoken
        return facts

    def _resting(self, target: Target) -> Iterator[Proxy]:
        """Yield the proxies of knowledge of facts in the target and in its implied targets."""
        for proxy, _, _ in target.proxies:
            implied = self.of(proxy)
            if proxy.operand_fluents:
                yield proxy
            elif implied is not None:
                yield from self._resting(implied)

    def _clause(self, clause: list[int]) -> None:
        """State a clause that is valid until the next event."""
        self._state.abstraction.clause([*clause, *(-literal for literal in self.here())])

    def here(self) -> list[int]:
        """Return the assumptions that switch on clauses that are valid until the next event."""
        abstraction = self._state.abstraction
        return [abstraction.selector(HERE), *abstraction.always]

    def move(self) -> None:
        """Withdraw the axioms that an event may have made false."""
        self._swaps.clear()
        self._state.abstraction.forget(HERE)
