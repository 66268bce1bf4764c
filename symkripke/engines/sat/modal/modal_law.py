"""The modal law: announcements about knowledge, as constraints on worlds.

The law may state that a formula about knowledge was true in an earlier structure F ("Plum did not
know the solution then"). Such an *announcement* is a Boolean combination of facts and of formulas
about the knowledge of agents in F. It has no clauses of its own, and is checked at one world w at a
time. Its truth at w depends only on these facts and on the observations of these agents at w. This
has two consequences:

* It is decided once for each set of observations, not for each world.
* A swap r that these agents cannot see preserves it. Let u be a world of F at which the
  announcement is true. If r(u) is a world of F, and the agents see the same at u and r(u), then the
  announcement is also true at r(u).

If an announcement is false at a world, the reasons for this also exclude other worlds. They are
added to its *journal*: clauses that follow from the announcement, for all solvers that must respect
it. Such a solver holds the rest of the law. It finds a world, checks it, and finds another one if
the check fails. This is sound, because the journal follows from the announcement. It is complete,
because a world is returned only if every announcement is true there. It terminates, because there
are finitely many worlds. The worlds of F are found in the same way, so that announcements before F
are respected there.

There are two ways to decide whether f was known. `AnnouncementAtWorlds` calls a solver for a world
of F with the same observations at which f is false. If there is no such world, the reason consists
of the few observations that the refutation used (an unsatisfiable core). Otherwise it consists of
all observations. `AnnouncementInSearch` calls the search for knowledge about knowledge (`search`)
in F. Its journal consists of the lemmas that are learned there.

Agents never forget: an agent that does not know f did not know it before. Call an announcement
*lasting* if it mentions knowledge only negatively. Of several lasting announcements of one formula,
the last one implies the others, which are left out. In the search, a lemma from a swap r with
literals L still holds, although only the last announcements are shown to be true at r(u). To see
this, let u be a world at which the facts of the law and L are true, and let the announcements
before some time be true at u. Then they are true at r(u), one after the other. Suppose that g was
announced at F_q. The announcements before g are true at r(u), so r(u) is a world of F_q. The last
announcement of the same formula was made at F_m, when its agents had seen more. If they do not see
the swap at F_m, they did not see it at F_q, and g is true at r(u) because it is true at u.
Otherwise g has an implicant, which depends on lemmas of F_m at r(u), about other swaps. By the same
argument, for F_m and a shorter history, these swaps lead from r(u) to worlds of F_q. The agents
cannot distinguish these worlds from r(u) at F_m, and therefore not at F_q. So g is true at r(u).
(The implicants of such announcements depend only on lemmas from swaps, not on earlier knowledge.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Protocol

from symkripke.engines.sat.bits import bits_of, is_true, literals_at, mask_of
from symkripke.engines.sat.compiled_formula import Test, compiled
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal.abstraction import Abstraction
from symkripke.engines.sat.modal.normal_form import is_lasting, normalise
from symkripke.engines.sat.modal.proxy import Proxy, Target
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.lemma import Lemma, applying
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.reduction import reduce_announcements
from symkripke.language.walk import is_propositional, leaves, replace_leaves
from symkripke.model import KnowledgeStructure


def normal_form(formula: Formula, before: KnowledgeStructure) -> Formula:
    """Rewrite an announcement about the structure `before` with the operators K, D, C, B and CB.

    Raises:
        Unsupported: the announcement has an operator that cannot be expressed.
    """
    return normalise(reduce_announcements(formula, before.fluents), before)


class Announcement(ABC):
    """An announcement about knowledge in a structure.

    Attributes:
        stated: the announced formula, in normal form.
        lasting: whether the formula, if it is true, was true at all times before.
        rests_on: the variables (bits) on which its truth at a world depends.
        journal: the clauses that follow from it; the list grows.
    """

    def __init__(self, stated: Formula, encoding: Encoding) -> None:
        """Create an announcement that has not been checked at any world."""
        self.stated = stated
        self.lasting = is_lasting(stated)
        self.rests_on = 0
        self.journal: list[list[int]] = []
        self._encoding = encoding
        self._tests: dict[Formula, Test] = {}
        self._settled: set[int] = set()
        """The worlds at which it is known to be true, restricted to the variables of `rests_on`."""

    @property
    def size(self) -> int:
        """The number of cached results: clauses of the journal and settled worlds."""
        return len(self.journal) + len(self._settled)

    @property
    def modal_leaves(self) -> list[Formula]:
        """The modal subformulas of the announced formula."""
        return [leaf for leaf in leaves(self.stated) if isinstance(leaf, f.Modal)]

    def settle(self, world: int) -> None:
        """Record that the announcement is true at this world of its structure."""
        self._settled.add(world & self.rests_on)

    def is_settled(self, world: int) -> bool:
        """Return whether the announcement is already known to be true at this world."""
        return (world & self.rests_on) in self._settled

    def _facts(self) -> int:
        """Return the variables (bits) of the atoms outside modal subformulas."""
        atoms = [leaf for leaf in leaves(self.stated) if isinstance(leaf, Atom)]
        return mask_of(abs(self._encoding.atom(atom)) for atom in atoms)

    def _true(self, part: Formula, world: int) -> bool:
        """Return the truth of a part of the announcement at a world."""
        test = self._tests.get(part)
        if test is None:
            test = compiled(part, self._encoding.atom, self._test, self._sooner).test
            self._tests[part] = test
        return test(world)

    @abstractmethod
    def _test(self, leaf: Formula) -> Test:
        """Return a test for whether a modal subformula was true at a world."""

    def _sooner(self, part: f.Or) -> Test | None:
        """Return a quick test that may show that a disjunction is true; None if there is none."""
        return None


class AnnouncementAtWorlds(Announcement):
    """An announcement whose knowledge of facts is decided by a world solver.

    If it contains nested or common knowledge, the search decides the whole announcement.

    Attributes:
        source: the source of the announcement, as text.
    """

    def __init__(
        self,
        encoding: Encoding,
        before: KnowledgeStructure,
        formula: Formula,
        source: str,
        worlds: WorldSolver,
        search_in: Callable[[KnowledgeStructure], KnowledgeSearch],
    ) -> None:
        """Create an announcement about the structure `before`, not checked at any world.

        The solvers that respect the announcement use `encoding`. `worlds` finds worlds of `before`,
        and `search_in` returns the search that decides nested knowledge. Raise `Unsupported` if the
        announcement has an operator that cannot be expressed.
        """
        super().__init__(normal_form(formula, before), encoding)
        self.source = source
        self._before = before
        self._worlds = worlds
        self._search_in = search_in
        self._seen: dict[Formula, tuple[int, ...]] = {}
        """The variables that the agents of each modal subformula observe."""
        self._cores: dict[Formula, list[Lemma]] = {}
        """Sets of observations that imply each modal subformula."""
        self.rests_on = self._facts()
        self._nested = False
        for leaf in self.modal_leaves:
            if isinstance(leaf, f.K | f.D) and is_propositional(leaf.operand):
                agents = (leaf.agent,) if isinstance(leaf, f.K) else leaf.group
                seen = self._seen[leaf] = encoding.observed(before, agents)
                self._cores[leaf] = []
                self.rests_on |= mask_of(seen) | 1 << abs(encoding.literal(leaf.operand))
            else:
                self._nested = True
        if self._nested:
            for fluent in before.vocabulary.fluents.values():
                self.rests_on |= mask_of(encoding.values(fluent))

    def refuted(self, world: int) -> bool:
        """Return whether the announcement is false at a world.

        If so, the last clause of `journal` excludes the world.

        Raises:
            Unsupported: too many announcements refer to each other.
        """
        if self.is_settled(world):
            return False
        try:
            if self._nested:
                reason = self._searched(world)
            elif self._true(self.stated, world):
                reason = None
            else:
                reason = list(dict.fromkeys(self._reason(self.stated, False, world)))
        except RecursionError:
            raise Unsupported(
                "too many announcements about knowledge refer to each other; ask the bdd engine"
            ) from None
        if reason is None:
            self.settle(world)
            return False
        self.journal.append([-literal for literal in reason])
        return True

    def _test(self, leaf: Formula) -> Test:
        """Return a test of whether the agents of K or D knew the fact, cached by observations."""
        assert isinstance(leaf, f.K | f.D)
        literal = self._encoding.literal(leaf.operand)
        variables, cores = self._seen[leaf], self._cores[leaf]
        mask = mask_of(variables)
        cache: dict[int, bool] = {}

        def known(world: int) -> bool:
            if not is_true(literal, world):
                return False  # only true facts are known
            key = world & mask
            truth = cache.get(key)
            if truth is None:
                truth = applying(cores, world) is not None
                if not truth:
                    seen = literals_at(variables, key)
                    refuted = self._worlds.find([*seen, -literal], near=world) is None
                    if refuted:
                        core = self._worlds.minimal(seen, -literal)
                        cores.append(Lemma(*bits_of(core), core))
                    truth = refuted
                cache[key] = truth
            return truth

        return known

    def _reason(self, formula: Formula, truth: bool, world: int) -> Sequence[int]:
        """Return literals, true at the world, that imply this truth of `formula`."""
        match formula:
            case f.Constant():
                return ()
            case Atom():
                literal = self._encoding.atom(formula)
                return (literal if truth else -literal,)
            case f.K() | f.D():
                return self._reason_of_knowledge(formula, truth, world)
            case f.Not(operand):
                return self._reason(operand, not truth, world)
            case f.Implies(left, right):
                parts, every = [negation(left), right], not truth
            case f.And(operands):
                parts, every = list(operands), truth
            case f.Or(operands):
                parts, every = list(operands), not truth
            case _:
                return [
                    literal
                    for part in formula.operands
                    for literal in self._reason(part, self._true(part, world), world)
                ]
        if every:
            return [literal for part in parts for literal in self._reason(part, truth, world)]
        deciding = next(part for part in parts if self._true(part, world) is truth)
        return self._reason(deciding, truth, world)

    def _reason_of_knowledge(self, leaf: f.K | f.D, truth: bool, world: int) -> Sequence[int]:
        if truth:
            core = applying(self._cores[leaf], world)
            assert core is not None
            return core.literals
        literal = self._encoding.literal(leaf.operand)
        if not is_true(literal, world):
            return (-literal,)
        return literals_at(self._seen[leaf], world)

    def _searched(self, world: int) -> list[int] | None:
        """Return literals that refute an announcement of nested knowledge; None if it is true."""
        search = self._search_in(self._before)
        here: dict[int, int] = {}
        for fluent in self._before.vocabulary.fluents.values():
            for atom in fluent.atoms:
                literal = self._encoding.atom(atom)
                sign = 1 if is_true(literal, world) else -1
                here[sign * search.literal(atom)] = sign * literal
        if search.find(list(here), search.target(self.stated)) is not None:
            return None
        return [here[literal] for literal in search.core(list(here))]


class KnowledgeSearch(Protocol):
    """The interface of a search that announcements about its structure need."""

    @property
    def implicants(self) -> Implicants:
        """The finder of implicants."""

    def literal(self, atom: Atom) -> int:
        """Return the literal of an atom."""

    def observed(self, agents: Sequence[str]) -> Sequence[int]:
        """Return the variables that these agents observe."""

    def target(self, formula: Formula) -> Target:
        """Return the target of a formula in normal form."""

    def find(self, assumptions: Sequence[int], target: Target) -> int | None:
        """Return a world with these literals at which the target is true."""

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """Return the assumptions that the last refutation used."""

    def decide(self, proxy: Proxy, world: int) -> bool:
        """Return the truth of a proxy's formula at a world."""

    def always(self, target: Target, lasting: bool) -> bool:
        """Return whether a short search shows that a target is true at all worlds."""

    def fewer(self, literals: list[int], target: Target) -> list[int]:
        """Return a part of these literals that implies the target by lemmas from swaps."""


class AnnouncementInSearch(Announcement):
    """An announcement whose modal subformulas are decided by the search in its structure.

    Its worlds are the worlds of that search. It serves all later searches.
    """

    def __init__(self, search: KnowledgeSearch, encoding: Encoding, stated: Formula) -> None:
        """Create an announcement, in normal form, about the structure of `search`."""
        super().__init__(stated, encoding)
        self._search = search
        self._target = search.target(stated)
        self._known: dict[Formula, Atom] = {}
        """The atom for the earlier truth of each modal subformula, which may have changed since."""
        self._proxies = {proxy.formula: proxy for proxy, _, _ in self._target.proxies}
        self._meant: set[int] = set()
        self._read: dict[tuple[int, bool], int] = {}
        self._always: bool | None = None
        self.rests_on = self._facts()
        for leaf in self.modal_leaves:
            # Each member of a group knows what is common knowledge, so one member is enough.
            agents = self._proxies[leaf].agents
            seen = search.observed(agents[:1] if isinstance(leaf, f.C) else agents)
            self.rests_on |= mask_of(seen)

    def always(self) -> bool:
        """Return whether a short search shows that it is true at all worlds of its structure."""
        if self._always is None:
            self._always = self._search.always(self._target, self.lasting)
        return self._always

    def holds(self, world: int) -> bool:
        """Return whether it is true at a world, which must be a world of its structure."""
        return self.is_settled(world) or self._true(self.stated, world)

    def implicant(self, world: int) -> list[int]:
        """Return literals, true at this world, that imply the announcement.

        The announcement must be true there.
        """
        implicants = self._search.implicants
        literals = implicants.known_implicant(self.stated, world)
        if literals is None:
            if not self._true(self.stated, world):
                raise AssertionError(f"{self.stated} is false at {world}")
            literals = implicants.implicant(self.stated, world)
        literals = self._search.fewer(literals, self._target)
        if not literals:
            # The announcement is true at all worlds, so no world needs a check.
            self.rests_on = 0
            self._settled = {0}
        return literals

    def _test(self, leaf: Formula) -> Test:
        proxy = self._proxies[leaf]
        return lambda world: self._search.decide(proxy, world)

    def _sooner(self, part: f.Or) -> Test:
        implicants = self._search.implicants
        return lambda world: implicants.known_implicant(part, world) is not None

    # ---- the journal -------------------------------------------------------------------------

    def learn(self) -> None:
        """Add to `journal` the lemmas that were learned since the last call."""
        if not self.journal:
            self._state()
        for proxy, if_true, if_false in self._target.proxies:
            literal = self._encoding.atom(self._known[proxy.formula])
            for truth, needed in ((False, if_true), (True, if_false)):
                if needed:
                    key, lemmas = (proxy.literal, truth), proxy.lemmas[truth]
                    read = self._read.get(key, 0)
                    self._read[key] = len(lemmas)
                    for lemma in islice(lemmas, read, None):
                        self.journal.extend(lemma.meaning(self._meant))
                        self.journal.append(lemma.clause(literal if truth else -literal))

    def _state(self) -> None:
        """Begin the journal with K f -> f and with the announcement itself.

        Nothing is kept of a beginning that is interrupted, because a limit was reached.
        """
        known: dict[Formula, Atom] = {}
        clauses: list[list[int]] = []
        for leaf, proxy in self._proxies.items():
            name = known[leaf] = Atom(f"known {self._encoding.variables + 1}")
            literal = self._encoding.atom(name)
            if proxy.operand_literal is not None:
                clauses.append([-literal, proxy.operand_literal])
        stated = replace_leaves(self.stated, lambda leaf: known.get(leaf, leaf))
        clauses.append([self._encoding.literal(stated)])
        self._known = known
        self.journal.extend(clauses)


class ModalLaw:
    """The announcements that a search respects.

    Attributes:
        announcements: the announcements, oldest first; after `sift`, without announcements that are
            true at all worlds.
    """

    def __init__(
        self,
        abstraction: Abstraction,
        stated: Iterable[tuple[KnowledgeStructure, Formula]],
        announcement_of: Callable[[KnowledgeStructure, Formula], AnnouncementInSearch],
    ) -> None:
        """Create the modal law of a search.

        Announcements are checked by the searches of the earlier structures. The lemmas of these
        searches also hold here, because each world of this structure is a world of the earlier
        structures (with more fluents). `stated` has each announcement with the structure before it.
        """
        last: dict[Formula, KnowledgeStructure] = {}
        every: list[tuple[KnowledgeStructure, Formula]] = []
        for before, formula in stated:
            said = normal_form(formula, before)
            for part in said.operands if isinstance(said, f.And) else (said,):
                last[part] = before
                every.append((before, part))
        all_lasting = all(map(is_lasting, last))
        self.announcements = [
            announcement_of(before, part)
            for before, part in every
            if last[part] is before or not all_lasting
        ]
        self._abstraction = abstraction
        self._checked = self.announcements[::-1] if all_lasting else self.announcements
        """The announcements in the order of checks: of lasting ones, the last is the strongest."""
        self._sifted = False
        self._read: dict[AnnouncementInSearch, int] = {}
        """The number of clauses of each journal in the abstraction."""

    def sift(self) -> None:
        """Remove announcements that are true at all worlds, as many early ones are."""
        if self._sifted:
            return
        always = {said for said in self.announcements if said.always()}
        self.announcements = [said for said in self.announcements if said not in always]
        self._checked = [said for said in self._checked if said not in always]
        self._sifted = True
        if self.announcements:
            # This literal switches on lemmas that depend on announcements.
            self._abstraction.always = [self._abstraction.encoding.fresh()]
        for announcement in self.announcements:
            self._learn(announcement)

    def holds(self, world: int) -> bool:
        """Return whether all announcements are true at a candidate; if not, exclude it."""
        for announcement in self._checked:
            if not announcement.holds(world):
                self._learn(announcement)
                return False
        # Only now, because lemmas are about worlds at which the earlier announcements are true.
        for announcement in self.announcements:
            announcement.settle(world)
        return True

    def _learn(self, announcement: AnnouncementInSearch) -> None:
        announcement.learn()
        self._abstraction.synchronise()
        unless = [-literal for literal in self._abstraction.always]
        for clause in islice(announcement.journal, self._read.get(announcement, 0), None):
            self._abstraction.clause([*clause, *unless])
        self._read[announcement] = len(announcement.journal)
