"""Belief: the beliefs of agents at a world, and lemmas about them.

The beliefs of j at a world depend only on the observations of j there. The soft constraints are
tried in their order. Let S be the conjunction of the constraints kept so far. A soft constraint s
is kept if there is a world with the same observations at which S and s are true. If not, the
observations that the refutation used (an unsatisfiable core) imply that s is given up. In the end,
let S be the conjunction of all kept constraints and the condition of the belief. Then:

    B[j] f  <->  K[j] (S -> f),     at worlds where S is the set of kept constraints.

S is kept at every world at which j considers S possible and observes the cores of the constraints
that are given up, because each part of S is possible there, too. So a lemma for B[j] f has three
kinds of literals: the cores; an implicant of ~K[j] ~S; and an implicant of K[j] (S -> f), or of its
negation, from which ~K[j] ~S follows. The latter two have proxies and lemmas of their own, which
also serve other questions. All observations of j form another lemma, so that no observations of j
are examined twice.

Common belief is decided like common knowledge: see `common_knowledge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from symkripke.engines.caches import LRUCache
from symkripke.engines.sat.bits import bits_of
from symkripke.engines.sat.modal.common_knowledge import is_common
from symkripke.engines.sat.modal.proxy import Proxy, Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.engines.sat.swaps.lemma import Lemma, applying
from symkripke.language import FALSE, TRUE, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional

_Seen: TypeAlias = tuple[str, Formula, tuple[int, ...]]
_Kept: TypeAlias = tuple[Formula | None, tuple[int, ...]]


class BeliefDecision:
    """A procedure that decides beliefs at the worlds of one state."""

    def __init__(self, state: ModalState) -> None:
        """Create an empty cache."""
        self._state = state
        self._refuted_by: dict[tuple[str, Formula], list[Lemma]] = {}
        """For each agent and formula, the observations that refute the formula."""
        self._kept: LRUCache[_Seen, _Kept] = LRUCache(state.encoding.tuning.minds)
        """The constraints kept, by agent, condition and observations."""

    def move(self) -> None:
        """Clear the cached results that an event may have made false."""
        self._kept = LRUCache(self._state.encoding.tuning.minds)
        self._refuted_by = {
            key: cores for key, cores in self._refuted_by.items() if is_propositional(key[1])
        }

    def decide(self, proxy: Proxy, world: int) -> bool:
        """Return the truth of the belief of `proxy` at `world`; afterwards a lemma implies it."""
        for truth in (True, False):
            if proxy.confirmed(truth, world) is not None:
                return truth
        state, seen = self._state, self._state.seen_at(proxy, world)
        if proxy.common:
            return is_common(state, proxy, world, seen)
        leaf = proxy.formula
        assert isinstance(leaf, f.B)
        kept, reasons = self.most_plausible(leaf, world, seen)
        if kept is None:
            truth = True  # the condition is known to be false
        else:
            rests = f.K(leaf.agent, _implies(kept, leaf.operand))
            truth = self._decided(rests, world, reasons)
            if truth and kept is not TRUE:
                self._decided(f.K(leaf.agent, negation(kept)), world, reasons)
        for literals in (reasons, dict.fromkeys(seen)):
            state.keep(proxy, truth, state.law.lemma(*bits_of(literals)))
            if set(literals) <= set(seen):
                break
        state.learned += 1
        return truth

    def most_plausible(
        self, leaf: f.B, world: int, seen: Sequence[int]
    ) -> tuple[Formula | None, dict[int, None]]:
        """Return the soft constraints that the agent of `leaf` keeps at `world`, given `seen`.

        Returns:
            the conjunction of the condition and the kept constraints, or None if the agent knows
            that the condition is false; and the literals of `seen` that refute the rest.
        """
        key = leaf.agent, leaf.given, tuple(seen)
        known = self._kept.get(key)
        if known is None:
            known = self._kept.put(key, self._walk(leaf, world, seen))
        kept, cores = known
        return kept, dict.fromkeys(cores)

    def _walk(self, leaf: f.B, world: int, seen: Sequence[int]) -> _Kept:
        """Return the kept constraints, and the observations that refute the others."""
        agent, given = leaf.agent, leaf.given
        cores: dict[int, None] = {}
        here = world  # a world with these observations, at which `kept` is true
        if given is not TRUE:
            first = self._together(agent, given, world, seen)
            if isinstance(first, Lemma):
                return None, tuple(first.literals)
            here = first
        kept, rest = self._at_once(leaf, world, seen, cores)
        for formula in rest:
            further = conjunction((kept, formula))
            if further is kept or further is FALSE:
                continue
            if self._state.implicants.true(formula, here):
                kept = further
                continue
            result = self._together(agent, further, world, seen)
            if isinstance(result, int):
                kept, here = further, result
            else:
                cores.update(dict.fromkeys(result.literals))
        return kept, tuple(cores)

    def _at_once(
        self,
        leaf: f.B,
        world: int,
        seen: Sequence[int],
        cores: dict[int, None],
    ) -> tuple[Formula, list[Formula]]:
        """Try to find the kept constraints without going down the order.

        The solver searches for a world at which all soft constraints are true. If there is none and
        the core contains a single soft constraint, this constraint is given up, whatever its place
        in the order.

        Returns:
            the kept constraints, and the constraints still to be examined.
        """
        state, agent, given = self._state, leaf.agent, leaf.given
        target = state.target(given)
        order = [formula for formula in self._softs(agent) if formula not in (TRUE, FALSE)]
        if target.proxies:
            # `find` would return a witness of the target without regard to the literals below.
            return given, order
        while order:
            standing = []
            for formula in order:
                known = self._refuted_by.get((agent, conjunction((given, formula))), ())
                lemma = applying(known, world)
                if lemma is None:
                    standing.append(formula)
                else:
                    cores.update(dict.fromkeys(lemma.literals))
            order = standing
            literals = {state.target(formula).literal: formula for formula in order}
            assumed = [*seen, *literals]
            if state.find(assumed, target) is not None:
                return conjunction((given, *order)), []
            culprits = [literals[used] for used in state.core(assumed) if used in literals]
            if len(culprits) != 1:
                return given, order
            result = self._together(agent, conjunction((given, *culprits)), world, seen)
            if isinstance(result, int):
                return given, order
            cores.update(dict.fromkeys(result.literals))
            order.remove(culprits[0])
        return given, []

    def counter_world(self, proxy: Proxy, world: int) -> tuple[int, Target]:
        """Return a most plausible world at which the operand is false, and its target.

        The belief of `proxy` (not a common belief) must be false at `world`.
        """
        state, leaf = self._state, proxy.formula
        assert isinstance(leaf, f.B)
        seen = state.seen_at(proxy, world)
        kept, _ = self.most_plausible(leaf, world, seen)
        assert kept is not None
        target = state.target(conjunction((kept, negation(leaf.operand))))
        counter = state.find(seen, target)
        assert counter is not None
        return counter, target

    def _softs(self, agent: str) -> Iterator[Formula]:
        """Yield the soft constraints of the agent, most trusted first."""
        for soft in self._state.structure.plausibility(agent):
            yield soft.formula

    def _together(
        self, agent: str, formula: Formula, world: int, seen: Sequence[int]
    ) -> int | Lemma:
        """Return a world with the observations and `formula`, or observations that refute it."""
        state = self._state
        refuted = self._refuted_by.setdefault((agent, formula), [])
        known = applying(refuted, world)
        if known is not None:
            return known
        target = state.target(formula)
        result = state.find(seen, target)
        if result is not None:
            return result
        literals = state.minimal(list(seen), target)
        core = Lemma(*bits_of(literals), literals)
        refuted.append(core)
        return core

    def _decided(self, leaf: f.K, world: int, reasons: dict[int, None]) -> bool:
        """Return the truth of K at `world`, and add an implicant of it to the reasons."""
        truth = self._state.decide(self._state.proxy(leaf), world)
        literals = self._state.implicants.implicant(leaf, world, truth, reasons)
        reasons.update(dict.fromkeys(literals))
        return truth


def _implies(kept: Formula, operand: Formula) -> Formula:
    return operand if kept is TRUE else f.Implies(kept, operand)
