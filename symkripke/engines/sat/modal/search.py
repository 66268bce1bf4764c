"""The search for knowledge about knowledge, of any depth and polarity: lazy SMT with lemmas.

The search is guided by counterexamples. One SAT solver, the *abstraction*, holds all worlds of the
law. Each modal subformula K_G f (G pools what its members observe; for one agent, plain knowledge)
has a *proxy*, a variable that a candidate world sets as if by guess. A candidate is accepted only
when the guesses on which it rests have been checked. A check always ends in a *lemma*, which holds
at every world of the law:

* No world that G cannot tell from the candidate has ~f. Then the observations that the refutation
  used (an unsatisfiable core) imply the proxy: core -> K_G f. Sound, because the solver knows the
  law and true lemmas only, so what it refutes is false with any truth of the proxies. Where the
  law and f say the same of several fluents, these can be exchanged in the core: see `symmetry`.
* There is such a world t, a *counter-world*. It is generalised: move t as close to the candidate w
  as possible. The fluents in which they still differ are a small *swap*. Write it as a *renaming*
  r: fluents of one domain that pass their values round take each other's values, whatever these
  are; others get a fixed value. So at any world u there is the swapped valuation r(u), and a
  formula g is true at r(u) iff its renaming r*(g), in which each variable stands for what it is
  renamed to, is true at u. Let L be conditions, literals and clauses true at w, such that at any
  world of the law with L: for each constraint c that the swap touches, r*(c) holds (nothing is
  needed where r*(c) is itself a constraint of the law, as counts mostly are; of a clause r*(c) a
  literal that is false will do, else it is a condition itself, with a variable that it implies);
  r*(~f) holds; and each variable v that G observes has the truth of r*(v). Then at any world u of
  the law with L, r(u) is a world of the law, which G cannot tell from u, and which has ~f. So L ->
  ~K_G f. Without this generalisation there would have to be a lemma for each observation of G, and
  without renaming one for each pair of values that the two fluents had. L is the *precondition* of
  the swap; see `preservation`. If f is a fact, fluents that G does not see and f does not mention
  may be eliminated from the law: see `projection`. Fluents that the law defines by others (new
  versions of what changes) are no part of the search. Their definitions give their values after a
  swap, under conditions that are part of L: see `regression`. The definitions are not among the
  constraints c.

If f has modal operators, its proxies are checked in the same way at t. Each is confirmed by a
lemma, and the conditions of these lemmas must be preserved, too (of a clause, one literal).

The guess of a candidate is a matter of chance, and checking one guess may take a thousand times as
long as checking another. A question is therefore searched in *stages*. In each stage, the search
for a guess has a bound on its candidates. When it reaches the bound, it postpones the guess: a
clause under a literal of its own excludes it, and candidates without it follow. If there are none,
and the refutation depends on that clause, the next stage takes up all postponed guesses, with more
candidates for each. Lemmas stay, so little is done twice (restarts with growing bounds: M. Luby, A.
Sinclair, D. Zuckerman: Optimal speedup of Las Vegas algorithms, 1993). Searches for guesses within
such a search have the same bound.

Consequences of guesses are stated, so that wrong guesses are refuted by propagation. Swaps of many
steps are stated by clauses, all at once. See `axioms` and `cycles`.

*It ends*: a lemma excludes the guess that it refutes at the candidate, so no candidate comes twice
in a stage, and there are finitely many; inner checks have one operator less; and a stage whose
bound is above their number puts nothing off. *It is sound*: a candidate is returned only with every
guess checked on which its target rests (guesses that could only make the target true, if they are
false, are left alone). *It is complete*: lemmas are true, so a world that exists is never excluded.

Lemmas are about the structure, not about the question, so they are kept for later questions. After
an event there are fewer worlds, and agents observe more: what they knew, they still know. So a
lemma core -> K_G f stays true if f mentions knowledge only positively. Lemmas from swaps may be
false then. They are withdrawn, with what the solver deduced from them, because both depend on the
same selector: see `abstraction`. In a running game one solver moves on (`move`). A solver of an
earlier structure to which something refers stays there, and a solver of a later structure takes
over the lemmas that it needs.

An announcement about knowledge ("nobody knows yet") is a constraint on the structure before it: a
candidate is checked there, and a swap has to preserve it. See `modal_law`. For belief see `belief`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count, islice

from symkripke.engines.minimal_core import minimal_core
from symkripke.engines.sat.bits import bits_of
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal.axioms import Axioms
from symkripke.engines.sat.modal.belief import BeliefDecision
from symkripke.engines.sat.modal.common_knowledge import is_common
from symkripke.engines.sat.modal.core_minimisation import smaller
from symkripke.engines.sat.modal.generalisation import closer, generalised
from symkripke.engines.sat.modal.modal_law import AnnouncementInSearch
from symkripke.engines.sat.modal.normal_form import is_persistent
from symkripke.engines.sat.modal.proxy import Proxy, Target
from symkripke.engines.sat.modal.state import ModalState
from symkripke.engines.sat.modal.symmetry import Symmetries
from symkripke.language import Atom, Formula, negation
from symkripke.limits import SearchAborted, spend
from symkripke.model import KnowledgeStructure


class ModalSolver(ModalState):
    """Answers questions about knowledge, of any depth, at all worlds of one structure.

    Attributes:
        iterations: the number of candidates that were looked at.
        pinned: whether it must stay at its structure, because other solvers refer to it.
    """

    def __init__(
        self,
        encoding: Encoding,
        structure: KnowledgeStructure,
        solver_of: Callable[[KnowledgeStructure], ModalSolver],
        names: dict[Formula, Atom],
        earlier: ModalSolver | None = None,
    ) -> None:
        """Create a solver for `structure`, which may reuse lemmas of an `earlier` solver.

        All solvers of structures that come from one first structure share the encoding and the
        names of proxies. `solver_of` gives the solvers of the earlier structures about which
        announcements speak. Raises `Unsupported` if an announcement speaks of something else than
        knowledge.
        """
        super().__init__(
            encoding,
            structure,
            names,
            lambda before, formula: solver_of(before).announcement(formula),
        )
        self.iterations = 0
        self.pinned = False
        self.axioms = Axioms(self)
        self.beliefs = BeliefDecision(self)
        self._symmetries = Symmetries(self)
        self._depth = 0
        """The number of nested searches, each for a guess of the previous one."""
        self._most: int | None = None
        """The maximal number of candidates in the search for a guess; None for any."""
        self._without = 0
        """The literal under which guesses are put off; 0 if none is."""
        self._announced: dict[Formula, AnnouncementInSearch] = {}
        """The announcements about knowledge in this structure, by formula."""
        self._earlier = earlier
        """A solver of an earlier structure, whose lemmas are taken over as they are needed."""
        self._taken: dict[Proxy, int] = {}
        """The number of checked lemmas about each proxy of the earlier solver."""
        if earlier is not None:
            for leaf in earlier.proxies:
                self._take_over(self.proxy(leaf))
            if structure.law.is_modal:
                earlier.pinned = True
            else:
                self._earlier = None

    # ---- stating it ------------------------------------------------------------------------

    def announcement(self, formula: Formula) -> AnnouncementInSearch:
        """Return the announcement of `formula` (in normal form) in this structure."""
        self.pinned = True
        announcement = self._announced.get(formula)
        if announcement is None:
            announcement = AnnouncementInSearch(self, self.encoding, formula)
            self._announced[formula] = announcement
        return announcement

    def proxy(self, leaf: Formula) -> Proxy:
        """Return the proxy of K, D, C, B or CB of a formula, with its axioms stated."""
        known = self.proxies.get(leaf)
        if known is None:
            known = super().proxy(leaf)
            try:
                self.axioms.state(known)
            except BaseException:
                # Interrupted: the axioms are stated when the proxy is asked for again.
                del self.proxies[leaf]
                raise
        return known

    def moves(self, structure: KnowledgeStructure) -> bool:
        """Return whether it may move on to a later structure."""
        return not self.pinned and not structure.law.is_modal

    def move(self, structure: KnowledgeStructure) -> None:
        """Move on to a later structure, with all lemmas that are sure to hold there.

        Without these, the search of `python -m benchmarks work` for who might know takes four times
        as many candidates.
        """
        self.extend(structure)
        self.beliefs.move()
        self.axioms.move()
        self.abstraction.forget_all()
        for proxy in self.proxies.values():
            proxy.observed, proxy.observed_mask = self.view(proxy.agents, proxy.common)
            kept = proxy.lemmas[True] if proxy.persistent else []
            proxy.lemmas = {True: kept, False: []}
            self.inherited += len(kept)
        for target in self.targets.values():
            target.witnesses.clear()

    def _take_over(self, proxy: Proxy) -> None:
        """Take over the earlier solver's lemmas about knowledge, if they still hold."""
        old = None if self._earlier is None else self._earlier.proxies.get(proxy.formula)
        if self._earlier is None or old is None or not is_persistent(proxy.formula):
            return
        self._earlier._take_over(old)
        for lemma in islice(old.lemmas[True], self._taken.get(old, 0), None):
            self.keep(proxy, True, lemma)
            self.inherited += 1
        self._taken[old] = len(old.lemmas[True])

    # ---- asking it -------------------------------------------------------------------------

    def find(
        self,
        assumptions: Sequence[int],
        target: Target,
        tries: int | None = None,
        conflicts: int | None = None,
    ) -> int | None:
        """See `ModalState.find`."""
        self.modal_law.sift()
        if target.proxies and target.witnesses:
            true, false = bits_of(assumptions)
            for witness in target.witnesses:
                if witness & true == true and not witness & false:
                    return witness
        self._depth += 1
        try:
            if self._depth > 1 and tries is None:
                tries = self._most
            elif self._depth == 1 and tries is None and target.proxies:
                return self._in_stages(assumptions, target, conflicts)
            return self._searched(assumptions, target, tries, conflicts)
        finally:
            self._depth -= 1

    def _in_stages(
        self, assumptions: Sequence[int], target: Target, conflicts: int | None
    ) -> int | None:
        """Return a search that puts off guesses that are hard to check."""
        # `python -m benchmarks outliers --game old_maid` takes 1.8 times as long without stages.
        self._most = self.encoding.tuning.first_stage
        try:
            while True:
                result = self._searched(assumptions, target, None, conflicts)
                if result is not None or not self._without or not self.core([self._without]):
                    return result
                self._take_up()
                self._most *= self.encoding.tuning.stage_growth
        finally:
            self._take_up()
            self._most = None

    def _searched(
        self,
        assumptions: Sequence[int],
        target: Target,
        tries: int | None,
        conflicts: int | None,
    ) -> int | None:
        """Return the result of the search, which stops after `tries` candidates."""
        tuning = self.encoding.tuning
        for number in count():
            if number == tries:
                break
            self.iterations += 1
            spend(tuning.work_of_candidate + self.abstraction.size // tuning.bits_a_unit)
            is_long = number >= tuning.candidates_before_swaps
            if is_long and self.iterations >= tuning.candidates_before_first_swaps:
                self.axioms.state_swaps(target)
            if number % tuning.similar_candidates == tuning.similar_candidates - 1:
                self.abstraction.elsewhere(self.law)
            world = self._candidate(assumptions, target, conflicts)
            if world is None:
                return None
            if not self.modal_law.holds(world):
                continue
            if not self._refute(target, world):
                if target.proxies:
                    target.witnesses.append(world)
                    del target.witnesses[: -tuning.witnesses_a_target]
                return world
        raise SearchAborted

    def _defer(self, proxy: Proxy, guess: bool) -> None:
        """Put a guess off in this stage."""
        if not self._without:
            self._without = self.abstraction.fresh()
        self.abstraction.clause([-self._without, -proxy.literal if guess else proxy.literal])
        self.abstraction.elsewhere(self.law)

    def _take_up(self) -> None:
        """Take up all guesses that were put off."""
        if self._without:
            self.abstraction.retire(self._without)
            self._without = 0

    def find_for(self, views: Mapping[str, Sequence[int]], target: Target) -> int | None:
        """Return a world with the target that at least one of these agents considers possible."""
        some = self.abstraction.one_of(views)
        world = self.find([some], target)
        self.abstraction.retire(some)
        return world

    def _candidate(
        self, assumptions: Sequence[int], target: Target, conflicts: int | None
    ) -> int | None:
        """Return a candidate with these literals, under the lemmas that matter to the target."""
        groups = sorted(self.axioms.groups(target))
        selectors = [self.abstraction.selector(agents) for agents in groups]
        given = [*selectors, *self.axioms.switches(target), *assumptions, target.literal]
        if self._without and self._depth == 1:
            given.append(self._without)
        return self.abstraction.find(given, self.law, conflicts)

    def _refute(self, target: Target, world: int) -> bool:
        """Return whether a guess of the target is wrong at `world`; then a lemma excludes it."""
        needed = [
            (proxy, guess)
            for proxy, if_true, if_false in target.proxies
            if (if_true if (guess := bool((world >> proxy.literal) & 1)) else if_false)
        ]
        for proxy, guess in needed:
            implied = self.axioms.of(proxy) if guess else None
            if implied is not None and self._refute(implied, world):
                return True
            try:
                if self._decide(proxy, world, guess) is not guess:
                    return True
            except SearchAborted:
                if self._most is None or self._depth > 1:
                    raise
                self._defer(proxy, guess)
                return True
        return False

    # ---- checking guesses ------------------------------------------------------------------

    def decide(self, proxy: Proxy, world: int) -> bool:
        """See `ModalState.decide`."""
        return self._decide(proxy, world, None)

    def _decide(self, proxy: Proxy, world: int, guess: bool | None) -> bool:
        """Return the same. `guess`: the guess, if the world is a candidate.

        Then no lemma that the abstraction has says the opposite: of thousands of lemmas only half
        are looked at.
        """
        if proxy.belief:
            return self.beliefs.decide(proxy, world)
        if proxy.operand_literal is not None and not self.implicants.true(proxy.operand, world):
            return False
        self._take_over(proxy)
        for truth in (True, False) if guess is None else (guess,):
            if proxy.confirmed(truth, world) is not None:
                return truth
        refuted, law = self.refuted(proxy), self.law_for(proxy)
        seen = self.seen_at(proxy, world)
        if proxy.common:
            return is_common(self, proxy, world, seen)
        image = self._symmetries.image(proxy, world)
        if image is not None:
            self.learn(proxy, True, image)
            return True
        self.abstraction.near(world)
        other = self.find(seen, refuted)
        if other is None:
            core = smaller(self, self.core(seen), seen, refuted)
            self.learn(proxy, True, self.law.lemma(*bits_of(core)))
            return True
        other, swapped = closer(self, law, world, other, seen, refuted)
        self.learn(proxy, False, generalised(self, proxy, law, world, other, swapped))
        self.axioms.not_known(proxy, world)
        if proxy.operand_literal is None:  # for facts, `axioms` states this
            self._symmetries.refute_images(proxy, self.axioms.here())
        return False

    # ---- for announcements -----------------------------------------------------------------

    def always(self, target: Target, lasting: bool) -> bool:
        """Return whether `target` is soon found to be true at all worlds.

        If it is `lasting`, only lemmas from swaps are used: see `modal_law`.
        """
        try:
            tries = self.encoding.tuning.announcement_candidates
            if self.find([], self.target(negation(target.formula)), tries) is not None:
                return False
        except SearchAborted:
            return False
        if not self.modal_law.announcements or not lasting:
            return True
        return self._implied([], target) is not None

    def fewer(self, literals: list[int], target: Target) -> list[int]:
        """Return some of these literals that imply `target` by lemmas from swaps.

        Lemmas that depend on announcements are not used: see `modal_law`.
        """
        core = self._implied(literals, target)
        if core is None:
            return literals
        return minimal_core(core, lambda part: self._implied(part, target))

    def _implied(self, literals: Sequence[int], target: Target) -> list[int] | None:
        """Return some of these literals that imply `target` by lemmas; None if none are found."""
        groups = sorted({proxy.agents for proxy, _, _ in target.proxies})
        selectors = [self.abstraction.selector(agents) for agents in groups]
        given = [*selectors, -target.literal, *literals]
        return self.core(literals) if self.abstraction.refuted(given) else None
