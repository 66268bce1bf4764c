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
  variable stands for what it is renamed to, is true at u. Let L be conditions, literals and clauses
  true at w, such that at any world of the law with L: for each constraint c that the swap touches,
  r*(c) holds (nothing is needed where r*(c) is itself a constraint of the law: hands are counted
  card by card alike; of a clause r*(c) a literal that is false will do, else it is a condition
  itself, with a variable that it implies); r*(~f) holds; and each variable v that G observes has
  the truth of r*(v). Then at any world u of the law with L, r(u) is a world of the law, which G
  cannot tell from u, and which has ~f. So L -> ~K_G f. Without this lifting there would have to be
  a lemma for each observation of G, and without renaming one for each pair of places from which the
  two cards came. Where f is a fact, fluents that neither G sees nor f speaks of may be left out of
  all this, and out of the law, if some value of theirs always goes with the others: see
  `projection`. Fluents that the law defines by others (the versions of what changes) are no part of
  the search: what a swap makes of them, their definitions say, and they are not among the
  constraints c. The conditions under which the definitions say it are part of L: see `regression`.

Where f has modal operators itself, its proxies are checked in the same way at t, and the conditions
of the lemma that confirmed each of them are kept true, as those of ~f: of a clause one literal.

What a guess implies is told with it, and what is seen to be false by that is not looked into any
further; and where swaps have many steps, they are told all at once: see `axioms`, `cycles`.

*It ends*: a lemma excludes the guess that it refutes at the candidate, so no candidate comes twice,
and there are finitely many; inner checks have one operator less. *It is sound*: a candidate is
returned only with every guess checked on which its target rests (guesses that could only
make the target true, if they are false, are left alone). *It is complete*: lemmas are true, so a
world that exists is never excluded.

Lemmas speak about the structure, not about the question: they are kept for later ones. Nor are they
lost when something happens. The worlds of the law are fewer then, and agents observe more. A lemma
core -> K_G f stays true, if f says only what is known, not what is not: it is true at fewer worlds
in no case. A lemma from a swap stays true with conditions for the new constraints (and for what G
observes now) added to L, by the same argument; seldom does nothing make it true. In a running game
one solver moves on with all that it has: see `lemma_transfer`, and `abstraction` for how it takes
back what does not stay. What it deduced itself from a lemma that is taken back goes with it,
because both rest on the same selector.

An announcement about knowledge ("nobody knows yet") is a constraint on the structure before it: a
candidate is checked there, and a swap has to keep it. See `modal_law`; for belief, `belief`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count, islice

from symkripke.engines.clock import Meter
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal import belief
from symkripke.engines.sat.modal.abstraction import Candidates, GivenUp
from symkripke.engines.sat.modal.announcements import Guard
from symkripke.engines.sat.modal.axioms import Consequences
from symkripke.engines.sat.modal.common_knowledge import is_common
from symkripke.engines.sat.modal.core_minimisation import smaller
from symkripke.engines.sat.modal.generalisation import closer, lifted, refuted_quickly
from symkripke.engines.sat.modal.lemma_transfer import WITNESSES, inherit, take
from symkripke.engines.sat.modal.normal_form import (
    fluents_of,
    is_lasting,
    is_persistent,
    normalise,
    polarities,
)
from symkripke.engines.sat.swaps.delta import News
from symkripke.engines.sat.swaps.implicants import (
    Certificates,
    Lemma,
    Literals,
    Proxy,
    Target,
    bits_of,
)
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.projection import Veils
from symkripke.language import Atom, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.reduction import reduce_announcements
from symkripke.language.walk import is_propositional, replace_leaves
from symkripke.model import KnowledgeStructure, World

# Candidates looked at to find out that an announcement says nothing new.
_TRIES = 1_000

# Candidates looked at in one place, before the search goes on somewhere else.
_PLACE = 8

# Candidates after which a search is a long one: see `axioms`.
_LONG = 60


class ModalSolver:
    """All worlds of one structure, with proxies for what is known at them.

    Attributes:
        structure: the structure.
        iterations: how many candidates were looked at.
        learned: how many lemmas were learned.
        inherited: how many were taken over from an earlier structure.
        pinned: whether it has to stay at its structure, because others rest on that.
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
        self.guards: list[Guard] = []
        """What was announced about knowledge, oldest first."""
        self._order: list[Guard] = []
        """In the order in which they are checked: see `modal_law`."""
        self._sifted = False
        self._heard: dict[Guard, int] = {}
        """How much of its journal this solver knows."""
        self._spoken: dict[Formula, Guard] = {}
        """What was announced about knowledge in this structure."""
        self.iterations = 0
        self.learned = 0
        self.inherited = 0
        self.pinned = False
        self._encoding = encoding
        self.candidates = Candidates(encoding)
        self._names = names
        self.proxies: dict[Formula, Proxy] = {}
        self._views: dict[tuple[tuple[str, ...], bool], tuple[Literals, int]] = {}
        """What agents observe together; or, if true, all of them do."""
        self.certificates = Certificates(encoding, self.proxies)
        self.targets: dict[Formula, Target] = {}
        self.consequences = Consequences(self)
        self.refuted_by: dict[tuple[str, Formula], list[Lemma]] = {}
        self.law = Law(encoding, self.certificates)
        self.unseen = 0
        """The variables (bits) on which new announcements rest."""
        self.taken: dict[tuple[int, bool], int] = {}
        """How many lemmas of the earlier solver have been looked at."""
        self._hear(self._add(structure, structure.history), solver_of)
        self.veils = Veils(self.law)
        self.earlier = earlier
        if earlier is not None:
            self.news = News(self.law, earlier.structure, structure)
            known = set(earlier.guards)
            for guard in self.guards:
                if guard not in known:
                    self.unseen |= guard.rests_on
            inherit(self, earlier)

    # ---- stating it ------------------------------------------------------------------------

    def _add(
        self, structure: KnowledgeStructure, stages: Sequence[KnowledgeStructure]
    ) -> list[tuple[KnowledgeStructure, Formula]]:
        """Take up these stages, the last of which is `structure`; what they say of knowledge."""
        old = len(self.law.fluents)
        self.law.open(structure)
        opened = islice(self.law.fluents.values(), old, None)
        if variables := tuple(chain.from_iterable(opened)):
            self.candidates.read(variables)
        spoken: list[tuple[KnowledgeStructure, Formula]] = []
        for stage in stages:
            for formula in self._encoding.facts(stage):
                for part in self._encoding.parts(formula):
                    self.candidates.state(part)
                self.law.add(formula)
            for constraint in stage.added:
                if constraint.is_modal:
                    assert stage.before is not None
                    spoken.append((stage.before, constraint.formula))
        return spoken

    def extend(self, structure: KnowledgeStructure) -> None:
        """Take up a later structure, in whose law nothing is said of knowledge."""
        self._add(structure, structure.history[len(self.structure.history) :])
        self.structure = structure
        self._views.clear()
        self.veils = Veils(self.law)
        self.refuted_by = {
            key: cores for key, cores in self.refuted_by.items() if is_propositional(key[1])
        }

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
        self.pinned = True
        guard = self._spoken.get(formula)
        if guard is None:
            guard = self._spoken[formula] = Guard(self, self._encoding, formula)
        return guard

    def _learn_of(self, guard: Guard) -> None:
        guard.learn()
        self.candidates.synchronise()
        for clause in islice(guard.journal, self._heard.get(guard, 0), None):
            announced = [-one for one in self.candidates.always]
            self.candidates.clause([*clause, *announced])
        self._heard[guard] = len(guard.journal)

    def _sift(self, meter: Meter | None) -> None:
        """Leave out what was announced, but true at all worlds anyway: most of it, early on."""
        if not self._sifted:
            always = {one for one in self.guards if one.always(meter)}
            self.guards = [one for one in self.guards if one not in always]
            self._order = [one for one in self._order if one not in always]
            self._sifted = True
            if self.guards:
                # A literal that switches on what rests on announcements.
                self.candidates.always = [self._encoding.fresh()]
            for guard in self.guards:
                self._learn_of(guard)

    def always(self, target: Target, lasting: bool, meter: Meter | None) -> bool:
        """Whether `target` is true at all worlds, as far as that is found out soon.

        If it is `lasting`, by lemmas from swaps: see `modal_law`.
        """
        try:
            if self.find([], self.target(negation(target.formula)), meter, _TRIES) is not None:
                return False
        except GivenUp:
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

    def keeps(self, world: int, other: int, meter: Meter | None) -> bool:
        """Whether a swap from `world` to `other` leaves all that was announced true."""
        changed = world ^ other
        return all(
            not guard.rests_on & changed or guard.holds(other, meter) for guard in self._order
        )

    def literal(self, atom: Atom) -> int:
        """The literal of an atom (resolved)."""
        return self._encoding.atom(atom)

    def observed(self, agents: Sequence[str]) -> Literals:
        """The variables of what these agents observe, each once."""
        return self.seen_by(agents, False)

    def seen_by(self, agents: Sequence[str], common: bool) -> Literals:
        """The variables that these agents observe together; or, if `common`, all of them do."""
        return self._view(tuple(agents), common)[0]

    def _view(self, agents: tuple[str, ...], common: bool) -> tuple[Literals, int]:
        """The same, and as bits."""
        view = self._views.get((agents, common))
        if view is None:
            literal = self._encoding.atom
            observed = tuple(
                dict.fromkeys(
                    [
                        literal(observable.atom)
                        for agent in agents
                        for observable in self.structure.observables[agent]
                    ]
                )
            )
            if common:
                each = [set(self.observed((agent,))) for agent in agents]
                observed = tuple(one for one in observed if all(one in mine for mine in each))
            view = self._views[agents, common] = observed, sum([1 << one for one in observed])
        return view

    def target(self, formula: Formula) -> Target:
        """What has to be true at a world; `formula` as `normalise` leaves it."""
        known = self.targets.get(formula)
        if known is not None:
            return known
        guesses: dict[Formula, set[bool]] = {}
        for leaf, positive in polarities(formula):
            guesses.setdefault(leaf, set()).add(positive)
        proxies = {leaf: self.proxy(leaf) for leaf in guesses}
        plain = formula
        if proxies:
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
        self.candidates.synchronise()
        self.targets[formula] = target
        return target

    def proxy(self, leaf: Formula) -> Proxy:
        """The proxy of K, D, C, B or CB of something."""
        proxy = self.proxies.get(leaf)
        if proxy is None:
            assert isinstance(leaf, f.K | f.D | f.C | f.B | f.CB)
            agents = (leaf.agent,) if isinstance(leaf, f.K | f.B) else tuple(sorted(leaf.group))
            common = isinstance(leaf, f.C | f.CB)
            observed, fixed = self._view(agents, common)
            # A name that no other formula of the encoding has: proxies mean nothing elsewhere.
            name = self._names.get(leaf)
            if name is None:
                name = self._names[leaf] = Atom(f"proxy {self._encoding.variables + 1}")
            literal = self._encoding.atom(name)
            self.candidates.read((literal,))
            factive = is_propositional(leaf.operand) and not isinstance(leaf, f.B | f.CB)
            about = fluents_of(leaf.operand) if factive and not common else ()
            plain = None
            if factive:
                plain = self._encoding.literal(leaf.operand)
                self.candidates.synchronise()
                self.candidates.clause([-literal, plain])  # what is known is true
            seen = observed, common, about, plain, factive or is_persistent(leaf), fixed
            proxy = Proxy(leaf, name, literal, agents, leaf.operand, *seen)
            self.proxies[leaf] = proxy
            self.consequences.state(proxy)
        return proxy

    # ---- asking it -------------------------------------------------------------------------

    def find(
        self,
        assumptions: Sequence[int],
        target: Target,
        meter: Meter | None = None,
        tries: int | None = None,
        conflicts: int | None = None,
    ) -> int | None:
        """A world with these literals at which `target` is true; None if there is none.

        After None, `core` tells which of the assumptions were needed. Raises `GivenUp` if so many
        tries were not enough, or one of them takes more conflicts.
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
            if number == _LONG:
                self.consequences.hard = True
            if number % _PLACE == _PLACE - 1:
                self.candidates.elsewhere(self.law)
            found = self._solve(assumptions, target, meter, conflicts)
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
        raise GivenUp

    def find_for(
        self, views: Mapping[str, Sequence[int]], target: Target, meter: Meter | None
    ) -> int | None:
        """A world that one of these agents allows, by what it sees, at which `target` is true."""
        some = self.candidates.one_of(views)
        found = self.find([some], target, meter)
        self.candidates.retire(some)
        return found

    def _refute(self, target: Target, world: int, meter: Meter | None) -> bool:
        """Whether a guess is wrong on which the target rests at `world`; a lemma then says so."""
        needed = [
            (proxy, guess)
            for proxy, if_true, if_false in target.proxies
            if (if_true if (guess := bool((world >> proxy.literal) & 1)) else if_false)
        ]
        # First what is seen without the solver.
        if any(guess and refuted_quickly(self, proxy, world, meter) for proxy, guess in needed):
            return True
        for proxy, guess in needed:
            implied = self.consequences.of(proxy) if guess else None
            if implied is not None and self._refute(implied, world, meter):
                return True
            if self.decide(proxy, world, meter, tried=guess) is not guess:
                return True
        return False

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """Of these assumptions, those that the last refutation used."""
        return self.candidates.core(assumptions)

    def _solve(
        self,
        assumptions: Sequence[int],
        target: Target,
        meter: Meter | None,
        conflicts: int | None = None,
    ) -> int | None:
        groups = sorted(self.consequences.groups(target))
        selectors = [self.candidates.selector(agents) for agents in groups]
        given = [*selectors, *assumptions, target.literal]
        return self.candidates.find(given, self.law, meter, conflicts)

    def _selectors(self, target: Target) -> set[int]:
        """What is assumed for the lemmas from swaps about the proxies of a target to count."""
        groups = {proxy.agents for proxy, _, _ in target.proxies}
        return {self.candidates.selector(agents) for agents in sorted(groups)}

    def at(self, variables: Iterable[int], world: int) -> list[int]:
        """The literals of these variables that are true at a world."""
        return [one if (world >> one) & 1 else -one for one in variables]

    def decide(self, proxy: Proxy, world: int, meter: Meter | None, *, tried: bool = False) -> bool:
        """What the proxy really is at `world`; most often there is then a lemma that says so.

        The other case: what is known is not even true there. `tried`: no lemma or exchange says
        that the proxy is false.
        """
        if proxy.belief:
            return belief.decide(self, proxy, world, meter)
        if proxy.plain is not None and not self.certificates.true(proxy.operand, world):
            return False
        take(self, proxy)
        for truth in (True, False):
            if proxy.confirmed(truth, world) is not None:
                return truth
        if not tried and refuted_quickly(self, proxy, world, meter):
            return False
        refuted, law = self.refuted(proxy), self.veil(proxy)
        seen = self.at(proxy.observed, world)
        if proxy.common:
            return is_common(self, proxy, world, seen, meter)
        self.candidates.near(world)
        other = self.find(seen, refuted, meter)
        if other is None:
            core = smaller(self, self.core(seen), seen, refuted, meter)
            self.learn(proxy, True, self.law.lemma(*bits_of(core)))
            return True
        implied = self.consequences.fact(proxy, other) if proxy.plain is None else None
        if implied is not None:
            lemma = self._not_known(implied, world, meter)
        else:
            other, swapped = closer(self, law, world, other, seen, refuted, meter)
            lemma = lifted(self, proxy, law, world, other, swapped, refuted.formula, meter)
        self.learn(proxy, False, lemma)
        self.consequences.not_known(proxy, world)
        return False

    def _not_known(self, proxy: Proxy, world: int, meter: Meter | None) -> Lemma:
        """Conditions, true at `world`, with which something is not known, or is not even true."""
        self.decide(proxy, world, meter)
        lemma = proxy.confirmed(False, world)
        if lemma is None:
            kept = self.certificates.keeping(negation(proxy.operand), world)
            lemma = self.law.lemma(*bits_of(kept))
        return lemma

    def veil(self, proxy: Proxy) -> Law:
        """The law as far as it matters to what is known: see `projection`.

        All of it, where announcements about knowledge or what is known may speak of the rest.
        """
        if self.guards or not proxy.about:
            return self.law
        return self.veils.of(proxy.fixed | self.law.bits(proxy.about))

    def refuted(self, proxy: Proxy) -> Target:
        """What a counter-world of the proxy has to be."""
        if proxy.refuted is None:
            proxy.refuted = self.target(negation(proxy.operand))
        return proxy.refuted

    def forget(self, agents: tuple[str, ...]) -> None:
        """Let lemmas about what these agents know that an event can end count no more."""
        self.candidates.forget(agents)

    def learn(self, proxy: Proxy, truth: bool, lemma: Lemma) -> None:
        """Take up a new lemma that says that this is the truth of `proxy`."""
        self.learned += 1
        self.keep(proxy, truth, lemma)

    def keep(self, proxy: Proxy, truth: bool, lemma: Lemma) -> None:
        """Take up a lemma that says that this is the truth of `proxy`."""
        proxy.lemmas[truth].append(lemma)
        unless = [] if truth and proxy.lasting else [self.candidates.selector(proxy.agents)]
        if truth or not proxy.about:
            unless.extend(self.candidates.always)
        self.candidates.learn(lemma, proxy.literal if truth else -proxy.literal, unless)

    def fewer(self, literals: list[int], target: Target, meter: Meter | None) -> list[int]:
        """Some of these literals, which imply `target`, that do so by lemmas from swaps.

        Without what rests on announcements: see `modal_law`.
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
        given = [*self._selectors(target), -target.literal, *literals]
        return self.candidates.refuted(given, meter)

    def world(self, world: int) -> dict[str, str]:
        """A world by the names of its fluents."""
        true = [one for one in range(1, world.bit_length()) if (world >> one) & 1]
        return self._encoding.world(self.structure, true)

    def bits(self, world: World) -> int:
        """A world of the structure as an integer, without guesses."""
        return bits_of(self.here(world))[0]

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
