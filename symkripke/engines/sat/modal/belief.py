"""Belief: what agents believe at a world, and lemmas that say so.

What j believes at a world depends only on what j observes there. The soft constraints are tried in
their order. Let S be those kept so far. A soft constraint s is kept if there is a world with that
observation, S and s. If not, the observations that the refutation used (an unsatisfiable core)
imply that s is given up. In the end, with S all that is kept, and the condition of the belief:

    B[j] f  <->  K[j] (S -> f),     at worlds where S is the set of kept constraints.

S is kept at every world at which j considers S possible and observes the cores of the constraints
that are given up: since S is possible there, so is each part of it. So a lemma for B[j] f has three
kinds of literals: the cores; an implicant of ~K[j] ~S; and an implicant of K[j] (S -> f), or of its
negation, from which ~K[j] ~S follows. The latter two have proxies and lemmas of their own, which
serve other questions, too. All that j observes makes a lemma as well, so that no observation of j
is looked at twice.

Common belief is decided as common knowledge is: see `common_knowledge`.
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
    """Decides beliefs at worlds of one state."""

    def __init__(self, state: ModalState) -> None:
        """Create an empty cache."""
        self._state = state
        self._refuted_by: dict[tuple[str, Formula], list[Lemma]] = {}
        """The formulas that each agent gives up, with the observations that refute them."""
        self._kept: LRUCache[_Seen, _Kept] = LRUCache(state.encoding.tuning.minds)
        """The constraints kept by agents, by observations and condition."""

    def move(self) -> None:
        """Clear the caches that an event may have made false."""
        self._kept = LRUCache(self._state.encoding.tuning.minds)
        self._refuted_by = {
            key: cores for key, cores in self._refuted_by.items() if is_propositional(key[1])
        }

    def decide(self, proxy: Proxy, world: int) -> bool:
        """Return whether the belief of `proxy` is true at `world`; afterwards a lemma says so."""
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
            the conjunction of the condition and the soft constraints that it keeps, and the
            literals of `seen` that refute the others. None for the former if the condition is known
            to be false.
        """
        key = leaf.agent, leaf.given, tuple(seen)
        known = self._kept.get(key)
        if known is None:
            known = self._kept.put(key, self._walk(leaf, world, seen))
        kept, cores = known
        return kept, dict.fromkeys(cores)

    def _walk(self, leaf: f.B, world: int, seen: Sequence[int]) -> _Kept:
        """Return the constraints kept: all at once if consistent, else in order of trust."""
        agent, given = leaf.agent, leaf.given
        cores: dict[int, None] = {}
        here = world  # a world with that observation and all that is kept so far
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
        """Return the constraints kept if every constraint consistent with the observations is kept.

        The solver is asked for a world with all of it. If there is none, it says why; if that is
        one soft constraint alone, this one is given up, wherever it stands in the order.

        Returns:
            The kept constraints, and those still to be examined.
        """
        state, agent, given = self._state, leaf.agent, leaf.given
        target = state.target(given)
        order = [formula for formula in self._softs(agent) if formula not in (TRUE, FALSE)]
        if target.proxies:
            # Its witnesses are found from facts alone, without regard to the literals below.
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
        """Return a most plausible world at which the operand is false, and the target it shows.

        The belief of `proxy` (not a common belief) is false at `world`.
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
        """Return the truth of K at `world`; adds an implicant of it to the reasons."""
        truth = self._state.decide(self._state.proxy(leaf), world)
        literals = self._state.implicants.implicant(leaf, world, truth, reasons)
        reasons.update(dict.fromkeys(literals))
        return truth


def _implies(kept: Formula, operand: Formula) -> Formula:
    return operand if kept is TRUE else f.Implies(kept, operand)
