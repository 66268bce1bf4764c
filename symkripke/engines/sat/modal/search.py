"""The search for knowledge about knowledge, of any depth and polarity: lazy SMT with lemmas.

The search is guided by counterexamples. One SAT solver, the *abstraction*, holds all worlds of the
law. Each modal subformula K_G f (G pools the observations of its members; for one agent this is
plain knowledge) has a *proxy*, a variable whose value in a candidate world is a guess. A candidate
is accepted only after the guesses on which it depends have been checked. A check always ends in a
*lemma*, which holds at every world of the law:

* Among the worlds that G cannot distinguish from the candidate, none satisfies ~f. Then the
  observations that the refutation used (an unsatisfiable core) imply the proxy: core -> K_G f. This
  is sound, because the solver contains only the law and true lemmas, so its refutations hold for
  any truth of the proxies. If the law and f treat several fluents in the same way, these fluents
  can be exchanged in the core: see `symmetry`.
* There is such a world t, a *counter-world*. It is generalised: t is moved as close to the
  candidate w as possible. The fluents in which t and w still differ form a small *swap*, written as
  a *renaming* r. Fluents of one domain that exchange their values take each other's values,
  whatever these are; other fluents get a fixed value. So for any world u there is the swapped
  valuation r(u). A formula g is true at r(u) iff its renaming r*(g), in which each variable is
  replaced by the variable or constant to which it is renamed, is true at u. Let L be a set of
  conditions (literals and clauses) true at w, such that the following holds at any world of the law
  that satisfies L. (1) For each constraint c that the swap touches, r*(c) is true. No condition is
  needed if r*(c) is itself a constraint of the law, as counts usually are. If r*(c) is a clause, it
  is enough that one of its literals is already a condition; otherwise the clause becomes a
  condition, with a variable that it implies. (2) r*(~f) is true. (3) Each variable v that G
  observes has the truth of r*(v). Then for any world u of the law that satisfies L, r(u) is a world
  of the law that satisfies ~f, and that G cannot distinguish from u. So L -> ~K_G f. Without this
  generalisation, each set of observations of G would need its own lemma. Without renaming, each
  pair of values of two fluents would. L is the *precondition* of the swap; see `preservation`. If f
  is a fact, fluents that G does not see and f does not mention may be eliminated from the law: see
  `projection`. Fluents that the law defines by others (new versions of changed fluents) are not
  part of the search. Their definitions give their values after a swap, under conditions that are
  part of L: see `regression`. The definitions are not among the constraints c.

If f has modal operators, its proxies are checked in the same way at t. Each is confirmed by a
lemma, and the conditions of these lemmas must also be preserved (of a clause, one literal).

The guesses of a candidate are arbitrary, and checking one guess may take a thousand times as long
as checking another. Therefore a question is searched in *stages*. In each stage, the search for a
guess has a bound on its candidates. When it reaches the bound, the guess is deferred: a clause
under a literal of its own excludes it, and the search continues with other candidates. If there are
none, and the refutation depends on that clause, the next stage resumes all deferred guesses, with
more candidates for each. Lemmas stay, so little work is repeated (restarts with growing bounds: M.
Luby, A. Sinclair, D. Zuckerman: Optimal speedup of Las Vegas algorithms, 1993). Searches for
guesses within such a search have the same bound.

Consequences of guesses are stated, so that wrong guesses are refuted by propagation. Swaps of many
steps are stated by clauses, all at once. See `axioms` and `cycles`.

*Termination*: a lemma excludes the guess that it refutes at the candidate, so no candidate recurs
in a stage, and there are finitely many candidates. Inner checks have one operator fewer. A stage
whose bound exceeds the number of candidates defers nothing. *Soundness*: a candidate is returned
only after every guess on which its target depends has been checked. (Guesses whose correction could
only make the target true are not checked.) *Completeness*: lemmas are true, so no existing world is
ever excluded.

Lemmas are about the structure, not about the question, so they are kept for later questions. After
an event there are fewer worlds, and agents observe more. What they knew, they still know. So a
lemma core -> K_G f stays true if f mentions knowledge only positively. Lemmas from swaps may become
false. They are withdrawn, together with the clauses that the solver learned from them, because both
depend on the same selector: see `abstraction`. In a running game one solver moves on (`move`). If
other solvers refer to a solver of an earlier structure, it stays there, and a solver of a later
structure takes over the lemmas that it needs.

An announcement about knowledge ("nobody knows yet") is a constraint on the structure before it.
Candidates are checked there, and swaps must preserve it. See `modal_law`. For belief see `belief`.
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
    """A solver for formulas about knowledge, of any depth, at the worlds of one structure.

    Attributes:
        iterations: the number of candidates examined so far.
        pinned: whether the solver must stay at its structure, because others refer to it.
        axioms: the axioms for the guesses.
        beliefs: the procedure that decides beliefs.
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

        All solvers of structures with one first structure share the encoding and the names of
        proxies. `solver_of` returns the solver of an earlier structure to which an announcement
        refers. Raise `Unsupported` if an announcement has an operator that cannot be expressed.
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
        """The number of nested searches, each for a guess of the enclosing search."""
        self._most: int | None = None
        """The maximum number of candidates in the search for a guess; None for no bound."""
        self._without = 0
        """The literal under which guesses are deferred; 0 if none are."""
        self._announced: dict[Formula, AnnouncementInSearch] = {}
        """The announcements about knowledge in this structure, by formula."""
        self._earlier = earlier
        """A solver of an earlier structure, whose lemmas are taken over when they are needed."""
        self._taken: dict[Proxy, int] = {}
        """The number of lemmas already taken over from each proxy of the earlier solver."""
        if earlier is not None:
            for leaf in earlier.proxies:
                self._take_over(self.proxy(leaf))
            if structure.law.is_modal:
                earlier.pinned = True
            else:
                self._earlier = None

    # ---- proxies and structures ------------------------------------------------------------

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
                # After an interrupt, the axioms are stated when the proxy is requested again.
                del self.proxies[leaf]
                raise
        return known

    def moves(self, structure: KnowledgeStructure) -> bool:
        """Return whether this solver may move on to a later structure."""
        return not self.pinned and not structure.law.is_modal

    def move(self, structure: KnowledgeStructure) -> None:
        """Move on to a later structure, keeping all lemmas that are certain to hold there.

        Without these lemmas, the search in `python -m benchmarks work` for agents that may know
        takes four times as many candidates.
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

    # ---- searches --------------------------------------------------------------------------

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
        """Run a search in stages that defers guesses that are hard to check."""
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
        """Run a search; raise `SearchAborted` after `tries` candidates."""
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
        """Defer a guess in this stage."""
        if not self._without:
            self._without = self.abstraction.fresh()
        self.abstraction.clause([-self._without, -proxy.literal if guess else proxy.literal])
        self.abstraction.elsewhere(self.law)

    def _take_up(self) -> None:
        """Resume all deferred guesses."""
        if self._without:
            self.abstraction.retire(self._without)
            self._without = 0

    def find_for(self, views: Mapping[str, Sequence[int]], target: Target) -> int | None:
        """Return a world with `target` true that one or more of these agents consider possible."""
        some = self.abstraction.one_of(views)
        world = self.find([some], target)
        self.abstraction.retire(some)
        return world

    def _candidate(
        self, assumptions: Sequence[int], target: Target, conflicts: int | None
    ) -> int | None:
        """Return a candidate for the target with these literals true; None if there is none."""
        groups = sorted(self.axioms.groups(target))
        selectors = [self.abstraction.selector(agents) for agents in groups]
        given = [*selectors, *self.axioms.switches(target), *assumptions, target.literal]
        if self._without and self._depth == 1:
            given.append(self._without)
        return self.abstraction.find(given, self.law, conflicts)

    def _refute(self, target: Target, world: int) -> bool:
        """Return whether a guess of the target is wrong at `world`.

        If so, a lemma excludes it, or it is deferred.
        """
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
        """Return the truth of the proxy's formula at `world`, as `decide` does.

        If the world is a candidate, `guess` is its guess. No lemma in the abstraction contradicts a
        guess, so only the lemmas for the guess are tried. This halves their number, and there may
        be thousands.
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

    # ---- announcements ---------------------------------------------------------------------

    def always(self, target: Target, lasting: bool) -> bool:
        """Return whether a short search shows that `target` is true at all worlds.

        If the target is `lasting`, only lemmas from swaps are used: see `modal_law`.
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
        """Return a part of these literals that implies `target` by lemmas from swaps.

        Lemmas that depend on announcements are not used: see `modal_law`.
        """
        core = self._implied(literals, target)
        if core is None:
            return literals
        return minimal_core(core, lambda part: self._implied(part, target))

    def _implied(self, literals: Sequence[int], target: Target) -> list[int] | None:
        """Return a part of these literals that implies `target` by lemmas; None if none does."""
        groups = sorted({proxy.agents for proxy, _, _ in target.proxies})
        selectors = [self.abstraction.selector(agents) for agents in groups]
        given = [*selectors, -target.literal, *literals]
        return self.core(literals) if self.abstraction.refuted(given) else None
