"""Knowledge modulo SAT: knowledge about knowledge, of any depth and polarity.

One solver holds all worlds of the law. Each modal subformula K_G f (G pools what its members
observe; for one agent, plain knowledge) has a *proxy*, a variable that a candidate world sets as
if by guess. A candidate is believed only when the guesses that it rests on have been checked, and
a check always ends in a *lemma* that holds at every world of the law:

* No world that G cannot tell from the candidate has ~f. Then the observations that the refutation
  used (an unsatisfiable core) imply the proxy: core -> K_G f. Sound, because the solver knows the
  law and true lemmas only, so what it refutes is false with any truth of the proxies.
* There is such a world t. Then move t as close to the candidate w as possible (an exchange of two
  values is tried first, without the solver); the fluents in which they still differ are a small
  swap. Write it as a *renaming* r: fluents of one domain that pass their values round take each
  other's values, whatever these are; others get a fixed value. So at any world u there is the
  swapped valuation r(u), and a formula g is true at r(u) iff its renaming r*(g), in which each
  variable stands for what it is renamed to, is true at u. Let L be literals of w such that at any
  world of the law with L: for each constraint c that the swap touches, r*(c) holds (nothing is
  needed where r*(c) is itself a constraint of the law: hands are counted card by card alike; of
  a clause one literal will do); r*(~f) holds; and each variable v that G observes has the truth of
  r*(v). Then at any world u of the law with L, r(u) is a world of the law, which G cannot tell
  from u, and which has ~f. So L -> ~K_G f. Without this lifting there would have to be a lemma for
  each observation of G, and without renaming one for each pair of places from which the two cards
  came.

Where f has modal operators itself, its proxies are checked in the same way at t, and the literals
of the lemma that confirmed each of them are kept true, as those of ~f.

*It ends*: a lemma excludes the guess that it refutes at the candidate, so no candidate comes twice,
and there are finitely many; inner checks have one operator less. *It is sound*: a candidate is
returned only with every guess checked on which its target rests (guesses that could only
make the target true, if they are false, are left alone). *It is complete*: lemmas are true, so a
world that exists is never excluded.

Lemmas speak about the structure, not about the question: they are kept for later ones. Nor are they
lost when something happens. The worlds of the law are fewer then, and agents observe more. A lemma
core -> K_G f stays true, if f says only what is known, not what is not: it is true at fewer worlds
in no case. A lemma from a swap stays true with literals for the new constraints (and for what G
observes now) added to L, by the same argument; seldom does nothing make it true.

An announcement about knowledge ("nobody knows yet") is a constraint on the structure before it: a
candidate is checked there, and a swap has to keep it. See `guards`; for belief, `plausible`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count, islice

from pysat.solvers import Minicard

from symkripke.engines.sat import plausible
from symkripke.engines.sat.certificates import (
    Certificates,
    Lemma,
    Literals,
    Proxy,
    Target,
    bits_of,
)
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.guards import Guard
from symkripke.engines.sat.heritage import WITNESSES, inherit, take
from symkripke.engines.sat.normal import (
    fluents_of,
    is_lasting,
    normalise,
    polarities,
)
from symkripke.engines.sat.pools import Pools
from symkripke.engines.sat.solver import Meter, attempt, solve
from symkripke.engines.sat.swaps import Kept, Law, Neighbour, News
from symkripke.language import Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.reduction import reduce_announcements
from symkripke.language.walk import is_propositional, replace_leaves
from symkripke.model import KnowledgeStructure, World

# Candidates looked at to find out that an announcement says nothing new.
_TRIES = 1_000

# Conflicts of one call after which the solver gets help with counting.
_PATIENCE = 1_000


class _GivenUp(Exception):
    """A search was to be short, and was not."""


class ModalSolver:
    """All worlds of one structure, with proxies for what is known at them.

    Attributes:
        structure: the structure.
        iterations: how many candidates were looked at.
        learned: how many lemmas were learned.
    """

    def __init__(
        self,
        encoding: Encoding,
        structure: KnowledgeStructure,
        solver_of: Callable[[KnowledgeStructure], ModalSolver],
        names: dict[Formula, Atom],
        earlier: ModalSolver | None = None,
    ) -> None:
        """A solver for `structure`.

        Args:
            encoding: shared by all solvers of one line of structures.
            structure: the structure.
            solver_of: the solvers of earlier structures, about which announcements speak.
            names: the names of proxies, shared by all solvers: each gives them its own meaning, in
                its own clauses.
            earlier: a solver of an earlier structure with the same names, to learn from.

        Raises:
            Unsupported: an announcement speaks of something else than knowledge.
        """
        self.structure = structure
        self.journal: list[list[int]] = []
        """The lemmas learned, as clauses."""
        self.guards: list[Guard] = []
        """What was announced about knowledge, oldest first."""
        self._order: list[Guard] = []
        """In the order in which they are checked: see `guards`."""
        self._announcing: list[int] = []
        """A literal that switches on what rests on announcements: none if there are none."""
        self._sifted = False
        self._heard: dict[Guard, int] = {}
        """How much of its journal this solver knows."""
        self._spoken: dict[Formula, Guard] = {}
        """What was announced about knowledge in this structure."""
        self.iterations = 0
        self.learned = 0
        self._encoding = encoding
        self._solver = Minicard()
        self._synchronised = [0, 0]
        self._pools: Pools | None = None
        self._names = names
        self.proxies: dict[Formula, Proxy] = {}
        self.certificates = Certificates(encoding, self.proxies)
        self.targets: dict[Formula, Target] = {}
        self.refuted_by: dict[tuple[str, Formula], list[Lemma]] = {}
        self.law = Law(encoding, self.certificates)
        self.law.open(structure)
        self.unseen = 0
        """The variables (bits) on which new announcements rest."""
        self.taken: dict[tuple[int, bool], int] = {}
        """How many lemmas of the earlier solver have been looked at."""
        spoken: list[tuple[KnowledgeStructure, Formula]] = []
        for stage in structure.history:
            for constraint in encoding.stage(stage):
                if constraint.is_modal:
                    assert stage.before is not None
                    spoken.append((stage.before, constraint.formula))
                else:
                    self._assert(constraint.formula)
        self._hear(spoken, solver_of)
        self.earlier = earlier
        if earlier is not None:
            self.news = News(encoding, self.certificates, earlier.structure, structure, self.law)
            known = set(earlier.guards)
            for guard in self.guards:
                if guard not in known:
                    self.unseen |= guard.rests_on
            inherit(self, earlier)

    # ---- stating it ------------------------------------------------------------------------

    def _assert(self, formula: Formula) -> None:
        compiled = self._encoding.asserted(formula)
        self._synchronise()
        for clause in compiled.clauses:
            self._solver.add_clause(clause)
        for literals, bound in compiled.atmosts:
            self._solver.add_atmost(literals, bound)
        self.law.add(formula)

    def _hear(
        self,
        spoken: Iterable[tuple[KnowledgeStructure, Formula]],
        solver_of: Callable[[KnowledgeStructure], ModalSolver],
    ) -> None:
        """State that these formulas, about knowledge in earlier structures, were true there.

        Their proxies are those of the earlier solvers: they are checked there, and those lemmas
        hold at the worlds of this structure, too, because these are some of the earlier ones (with
        more fluents).
        """
        last: dict[Formula, KnowledgeStructure] = {}
        every: list[tuple[KnowledgeStructure, Formula]] = []
        for before, formula in spoken:
            stated = normalise(reduce_announcements(formula, before.fluents), before)
            for part in stated.operands if isinstance(stated, f.And) else (stated,):
                last[part] = before
                every.append((before, part))
        skipping = all(map(is_lasting, last))
        for before, part in every:
            if last[part] is before or not skipping:
                self.guards.append(solver_of(before).spoken(part))
        self._order = self.guards[::-1] if skipping else self.guards

    def spoken(self, formula: Formula) -> Guard:
        """The announcement of `formula` (normalised) in this structure."""
        guard = self._spoken.get(formula)
        if guard is None:
            guard = self._spoken[formula] = Guard(self, self._encoding, formula)
        return guard

    def _learn_of(self, guard: Guard) -> None:
        guard.learn()
        self._synchronise()
        for clause in islice(guard.journal, self._heard.get(guard, 0), None):
            self._solver.add_clause(self._if_announced(clause))
        self._heard[guard] = len(guard.journal)

    def _if_announced(self, clause: list[int]) -> list[int]:
        """A clause that is true because of what was announced."""
        return [*clause, *(-one for one in self._announcing)]

    def _sift(self, meter: Meter | None) -> None:
        """Leave out what was announced, but true at all worlds anyway: most of it, early on."""
        if not self._sifted:
            always = {one for one in self.guards if one.always(meter)}
            self.guards = [one for one in self.guards if one not in always]
            self._order = [one for one in self._order if one not in always]
            self._sifted = True
            if self.guards:
                self._announcing = [self._encoding.fresh()]
            for guard in self.guards:
                self._learn_of(guard)

    def always(self, target: Target, lasting: bool, meter: Meter | None) -> bool:
        """Whether `target` is true at all worlds, as far as that is found out soon.

        If it is `lasting`, by lemmas from swaps: see `guards`.
        """
        try:
            if self.find([], self.target(negation(target.formula)), meter, _TRIES) is not None:
                return False
        except _GivenUp:
            return False
        return not self.guards or not lasting or self._implied([], target, meter)

    def _announced(self, world: int, meter: Meter | None) -> bool:
        """Whether what was announced was true at a candidate; if not, it will not come again."""
        for guard in self._order:
            if not guard.holds(world, meter):
                self._learn_of(guard)
                return False
        # Not before all of them are: lemmas speak about worlds at which the earlier ones are.
        for guard in self.guards:
            guard.settle(world)
        return True

    def _keeps(self, world: int, other: int, meter: Meter | None) -> bool:
        """Whether a swap from `world` to `other` leaves all that was announced true."""
        changed = world ^ other
        return all(
            not guard.rests_on & changed or guard.holds(other, meter) for guard in self._order
        )

    def _synchronise(self) -> None:
        definitions = self._encoding.definitions
        for clause in definitions.clauses[self._synchronised[0] :]:
            self._solver.add_clause(clause)
        for literals, bound in definitions.atmosts[self._synchronised[1] :]:
            self._solver.add_atmost(literals, bound)
        self._synchronised = [len(definitions.clauses), len(definitions.atmosts)]

    def literal(self, atom: Atom) -> int:
        """The literal of an atom (resolved)."""
        return self._encoding.atom(atom)

    def observed(self, agents: Sequence[str]) -> Literals:
        """The variables of what these agents observe, each once."""
        return tuple(
            dict.fromkeys(
                self._encoding.atom(observable.atom)
                for agent in agents
                for observable in self.structure.observables[agent]
            )
        )

    def target(self, formula: Formula) -> Target:
        """What has to be true at a world; `formula` as `normalise` leaves it."""
        known = self.targets.get(formula)
        if known is not None:
            return known
        guesses: dict[Formula, set[bool]] = {}
        for leaf, positive in polarities(formula):
            guesses.setdefault(leaf, set()).add(positive)
        proxies = {leaf: self.proxy(leaf) for leaf in guesses}
        plain = replace_leaves(
            formula, lambda leaf: proxies[leaf].name if leaf in proxies else leaf
        )
        target = Target(
            formula,
            self._encoding.literal(plain),
            tuple(
                (proxies[leaf], True in signs, False in signs) for leaf, signs in guesses.items()
            ),
        )
        self._synchronise()
        self.targets[formula] = target
        return target

    def proxy(self, leaf: Formula) -> Proxy:
        """The proxy of K, D, C, B or CB of something."""
        proxy = self.proxies.get(leaf)
        if proxy is None:
            assert isinstance(leaf, f.K | f.D | f.C | f.B | f.CB)
            agents = (leaf.agent,) if isinstance(leaf, f.K | f.B) else tuple(sorted(leaf.group))
            observed = self.observed(agents)
            common = isinstance(leaf, f.C | f.CB)
            if common:
                each = [set(self.observed((agent,))) for agent in agents]
                observed = tuple(one for one in observed if all(one in mine for mine in each))
            # A name that no other formula of the encoding has: proxies mean nothing elsewhere.
            name = self._names.get(leaf)
            if name is None:
                name = self._names[leaf] = Atom(f"proxy {self._encoding.variables + 1}")
            literal = self._encoding.atom(name)
            factive = is_propositional(leaf.operand) and not isinstance(leaf, f.B | f.CB)
            about = fluents_of(leaf.operand) if factive and not common else ()
            plain = None
            if factive:
                plain = self._encoding.literal(leaf.operand)
                self._synchronise()
                self._solver.add_clause([-literal, plain])  # what is known is true
            proxy = Proxy(leaf, name, literal, agents, leaf.operand, observed, common, about, plain)
            self.proxies[leaf] = proxy
        return proxy

    # ---- asking it -------------------------------------------------------------------------

    def find(
        self,
        assumptions: Sequence[int],
        target: Target,
        meter: Meter | None = None,
        tries: int | None = None,
    ) -> int | None:
        """A world with these literals at which `target` is true; None if there is none.

        After None, `core` tells which of the assumptions were needed. Raises `_GivenUp` if so many
        tries were not enough.
        """
        self._sift(meter)
        if target.proxies and target.witnesses:
            true, false = bits_of(assumptions)
            for world in target.witnesses:
                if world & true == true and not world & false:
                    return world
        for number in count():
            if number == tries:
                break
            self.iterations += 1
            found = self._solve([*assumptions, target.literal], meter)
            if found is None:
                return None
            world = found
            if not self._announced(world, meter):
                continue
            if not self._refute(target, world, meter):
                if target.proxies:
                    target.witnesses.append(world)
                    del target.witnesses[:-WITNESSES]
                return world
        raise _GivenUp

    def _refute(self, target: Target, world: int, meter: Meter | None) -> bool:
        """Whether a guess is wrong on which the target rests at `world`; a lemma then says so."""
        for proxy, if_true, if_false in target.proxies:
            guess = bool((world >> proxy.literal) & 1)
            needed = if_true if guess else if_false
            if needed and self.decide(proxy, world, meter) is not guess:
                return True
        return False

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """Of these assumptions, those that the last refutation used."""
        used = set(self._solver.get_core() or ())
        return [one for one in assumptions if one in used]

    def _solve(self, assumptions: list[int], meter: Meter | None) -> int | None:
        if self._pools is None:
            given = [*assumptions, *self._announcing]
            found = attempt(self._solver, given, _PATIENCE, meter)
            if found is None:
                self._merge()
                return self._solve(assumptions, meter)
        else:
            found = solve(self._solver, [*assumptions, *self._announcing], meter)
        if not found:
            return None
        values = self._solver.get_model()
        world: int = sum([1 << literal for literal in values if literal > 0])
        return world

    def _merge(self) -> None:
        """Tell the solver what it would take it long to find out: see `Pools`."""
        self._pools = Pools(self.law, self._encoding.either)
        for clause in self._pools.clauses:
            self._solver.add_clause(clause)
        for literals, bound in self._pools.atmosts:
            self._solver.add_atmost(literals, bound)
        for clause in self.journal:
            self._solver.add_clause(self._pools.pooled(clause))

    def at(self, variables: Iterable[int], world: int) -> list[int]:
        """The literals of these variables that are true at a world."""
        return [one if (world >> one) & 1 else -one for one in variables]

    def decide(self, proxy: Proxy, world: int, meter: Meter | None) -> bool:
        """What the proxy really is at `world`; most often there is then a lemma that says so.

        The other case: what is known is not even true there.
        """
        if proxy.belief:
            return plausible.decide(self, proxy, world, meter)
        if proxy.plain is not None and not self.certificates.true(proxy.operand, world):
            return False
        for _ in range(2):
            for truth in (True, False):
                if proxy.confirmed(truth, world) is not None:
                    return truth
            if not take(self, proxy):
                break
        refuted = self.refuted(proxy)
        if proxy.about:
            swap = self.law.exchange(
                world,
                proxy.about,
                proxy.fixed,
                lambda other: (
                    not self.certificates.true(proxy.operand, other)
                    and self._keeps(world, other, meter)
                ),
            )
            if swap is not None:
                self._learn(proxy, False, self._lifted(proxy, world, *swap, refuted.formula, meter))
                return False
        seen = self.at(proxy.observed, world)
        if proxy.common:
            return self._common(proxy, world, seen, meter)
        other = self.find(seen, refuted, meter)
        if other is None:
            core = self._smaller(self.core(seen), refuted, meter)
            self._learn(proxy, True, self.law.lemma(*bits_of(core)))
            return True
        other, swapped = self.closer(world, other, seen, refuted, meter)
        lemma = self._lifted(proxy, world, other, swapped, refuted.formula, meter)
        self._learn(proxy, False, lemma)
        return False

    def refuted(self, proxy: Proxy) -> Target:
        """What a counter-world of the proxy has to be."""
        if proxy.refuted is None:
            proxy.refuted = self.target(negation(proxy.operand))
        return proxy.refuted

    def _common(self, proxy: Proxy, world: int, shared: list[int], meter: Meter | None) -> bool:
        """Whether the members of a group have common knowledge of a formula at `world`.

        What all of them see is the same at every world that they can reach. If that alone proves
        the formula, it is common knowledge. Else E^k, "everybody knows that everybody knows ...",
        is decided for k = 0, 1, 2, ...: where it fails, k is the length of a shortest way to
        a world without the formula. Where E^k cannot fail one step later at a world with the same
        shared observations, it is a fixed point there, and so common knowledge. One of the two
        comes, because there are finitely many worlds, and E^k is true at fewer of them each time.
        """
        refuted = self.refuted(proxy)
        if self.find(shared, refuted, meter) is None:
            core = self._smaller(self.core(shared), refuted, meter)
            self._learn(proxy, True, self.law.lemma(*bits_of(core)))
            return True
        here = [self.law.value(name, world) for name in self.law.fluents]
        level = proxy.operand
        while True:
            failed = self.find(here, self.target(negation(level)), meter)
            if failed is not None:
                kept = self.certificates.keeping(negation(level), failed)
                self._learn(proxy, False, self.law.lemma(*bits_of(kept)))
                return False
            following = plausible.everybody(proxy, level)
            further = self.target(conjunction((level, negation(following))))
            if self.find(shared, further, meter) is None:
                core = self.core(shared)
                holds = self.find(here, self.target(level), meter)
                assert holds is not None
                kept = self.certificates.keeping(level, holds, kept=core)
                self._learn(proxy, True, self.law.lemma(*bits_of([*core, *kept])))
                return True
            level = following

    def _learn(self, proxy: Proxy, truth: bool, lemma: Lemma) -> None:
        self.learned += 1
        self.keep(proxy, truth, lemma)

    def keep(self, proxy: Proxy, truth: bool, lemma: Lemma) -> None:
        """Take up a lemma that says that this is the truth of `proxy`."""
        proxy.lemmas[truth].append(lemma)
        clause = lemma.clause(proxy.literal if truth else -proxy.literal)
        if truth or not proxy.about:
            clause = self._if_announced(clause)
        self.journal.append(clause)
        self._solver.add_clause(clause if self._pools is None else self._pools.pooled(clause))

    def _smaller(self, core: list[int], refuted: Target, meter: Meter | None) -> list[int]:
        """A minimal core: each literal is left out in turn, and stays out if the rest suffices."""
        needed = core
        for literal in core:
            if literal not in needed or len(needed) == 1:
                continue
            without = [one for one in needed if one != literal]
            if self._solve([*without, refuted.literal], meter) is None:
                needed = self.core(without)
        return needed

    def fewer(self, literals: list[int], target: Target, meter: Meter | None) -> list[int]:
        """Some of these literals, which imply `target`, that do so by lemmas from swaps.

        Without what rests on announcements: see `guards`.
        """
        if not self._implied(literals, target, meter):
            return literals
        needed = self.core(literals)
        for literal in list(needed):
            without = [one for one in needed if one != literal]
            if literal in needed and self._implied(without, target, meter):
                needed = self.core(without)
        return needed

    def _implied(self, literals: list[int], target: Target, meter: Meter | None) -> bool:
        assumptions = [-target.literal, *literals]
        return attempt(self._solver, assumptions, _PATIENCE, meter) is False

    def world(self, world: int) -> dict[str, str]:
        """A world by the names of its fluents."""
        true = [one for one in range(1, world.bit_length()) if (world >> one) & 1]
        return self._encoding.world(self.structure, true)

    def here(self, world: World) -> list[int]:
        """The literals that say that this is the world."""
        literals = []
        for name, variables in self.law.fluents.items():
            atoms = self.structure.vocabulary.fluents[name].atoms
            if len(atoms) == 1 and atoms[0].value != world[name]:
                literals.append(-variables[0])
            else:
                literals.append(self.literal(Atom(name, world[name])))
        return literals

    # ---- lifting ----------------------------------------------------------------------------

    def closer(
        self, world: int, other: int, seen: list[int], refuted: Target, meter: Meter | None
    ) -> Neighbour:
        """Another world like `other` that differs from `world` in as few fluents as comes easily.

        Returns:
            That world, and the fluents in which it differs: no one of them alone can be put back.
        """
        differ = self.law.differing(world, other)
        tried: set[str] = set()
        while True:
            name = next((one for one in differ if one not in tried), None)
            if name is None:
                return other, tuple(differ)
            tried.add(name)
            value = self.law.value
            same = [value(one, world) for one in self.law.fluents if one not in differ]
            found = self.find([*seen, *same, value(name, world)], refuted, meter)
            if found is not None:
                other = found
                differ = self.law.differing(world, other)

    def _lifted(
        self,
        proxy: Proxy,
        world: int,
        other: int,
        swapped: Sequence[str],
        refuted: Formula,
        meter: Meter | None,
    ) -> Lemma:
        """Literals of `world` with which the same swap works at any world of the law."""
        swap = self.law.swap(world, other, swapped)
        kept = Kept()
        kept.hide(proxy.fixed, swap, world)
        kept.before(swap, self.certificates.keeping(refuted, other))
        for guard in self.guards:
            if guard.rests_on & (world ^ other):
                kept.before(swap, guard.certificate(other, meter))
            else:
                kept.hide(guard.rests_on, swap, world)
        if not self.law.keep(swap, kept, world):
            raise AssertionError(f"{other} is not a world of the law")
        return self.law.lemma(kept.true, kept.false, swap)
