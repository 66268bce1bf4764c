"""The data of a search for knowledge about knowledge: law, proxies, targets and lemmas.

`ModalState` has the data of one structure and the basic operations on them. It declares `find` and
`decide`, which only the search implements. Axioms, generalisation, symmetries, belief and common
knowledge use the state, and the search uses them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import chain, islice

from symkripke.engines.minimal_core import MinimisationStopped, minimal_core
from symkripke.engines.sat.bits import Literals, bits_of, literals_at, mask_of
from symkripke.engines.sat.compiled_formula import Test, compiled
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal.abstraction import Abstraction
from symkripke.engines.sat.modal.modal_law import AnnouncementInSearch, ModalLaw
from symkripke.engines.sat.modal.normal_form import fluents_of, is_persistent, polarities
from symkripke.engines.sat.modal.proxy import Proxy, Target
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.engines.sat.swaps.projection import Projections
from symkripke.language import Atom, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, replace_leaves
from symkripke.limits import SearchAborted
from symkripke.model import KnowledgeStructure, World


class ModalState(ABC):
    """The worlds of one structure, with proxies for knowledge at these worlds, and lemmas.

    Attributes:
        structure: the structure.
        encoding: the encoding, shared by all solvers of structures with one first structure.
        abstraction: the solver for candidates: worlds of the law, with guesses about knowledge.
        law: the law in bits, for swaps.
        modal_law: the announcements about knowledge.
        projections: the fluents that can be eliminated from the law.
        proxies: the proxies of all modal subformulas so far.
        targets: the targets of all formulas so far.
        implicants: the finder of literals that imply a formula at a world.
        learned: the number of lemmas learned.
        inherited: the number of lemmas taken over from an earlier structure.
    """

    def __init__(
        self,
        encoding: Encoding,
        structure: KnowledgeStructure,
        names: dict[Formula, Atom],
        announcement_of: Callable[[KnowledgeStructure, Formula], AnnouncementInSearch],
    ) -> None:
        """Create the state at `structure`, without proxies; see `ModalSolver`.

        Solvers share the names of proxies, but each gives them a meaning by its own clauses.
        """
        self.structure = structure
        self.encoding = encoding
        self.abstraction = Abstraction(encoding)
        self.proxies: dict[Formula, Proxy] = {}
        self.targets: dict[Formula, Target] = {}
        self.implicants = Implicants(encoding, self.proxies)
        self.law = Law(encoding, self.implicants)
        self.learned = 0
        self.inherited = 0
        self._names = names
        self._views: dict[tuple[tuple[str, ...], bool], tuple[Literals, int]] = {}
        """The variables that some member of a group (False) or all members (True) observe."""
        stated = self._state(structure.stages)
        self.modal_law = ModalLaw(self.abstraction, stated, announcement_of)
        self.projections = Projections.stated(self.law)

    # ---- constraints -----------------------------------------------------------------------

    def _state(
        self, stages: Sequence[KnowledgeStructure]
    ) -> list[tuple[KnowledgeStructure, Formula]]:
        """State the facts of these stages; the last stage is the structure.

        Returns:
            the constraints about knowledge, each with the structure to which it refers.
        """
        old = len(self.law.fluents)
        self.law.open(self.structure)
        opened = islice(self.law.fluents.values(), old, None)
        if variables := tuple(chain.from_iterable(opened)):
            self.abstraction.read(variables)
        modal: list[tuple[KnowledgeStructure, Formula]] = []
        for stage in stages:
            for formula in self.encoding.facts(stage):
                for part in self.encoding.parts(formula):
                    self.abstraction.state(part)
                self.law.add(formula)
            for constraint in stage.law.added:
                if constraint.is_modal:
                    assert stage.history.before is not None
                    modal.append((stage.history.before, constraint.formula))
        return modal

    def extend(self, structure: KnowledgeStructure) -> None:
        """Move to a later structure without new constraints about knowledge."""
        stages = structure.stages[len(self.structure.stages) :]
        self.structure = structure
        self._state(stages)
        self._views.clear()
        self.projections = Projections.stated(self.law)

    @property
    def size(self) -> int:
        """The number of lemmas, proxies and targets."""
        return self.learned + self.inherited + len(self.proxies) + len(self.targets)

    # ---- formulas --------------------------------------------------------------------------

    def literal(self, atom: Atom) -> int:
        """Return the literal of an atom (resolved)."""
        return self.encoding.atom(atom)

    def observed(self, agents: Sequence[str]) -> Literals:
        """Return the variables that some of these agents observe."""
        return self.view(tuple(agents), common=False)[0]

    def view(self, agents: tuple[str, ...], common: bool) -> tuple[Literals, int]:
        """Return the variables that some (or if `common`, all) of these agents observe.

        The variables are returned as a tuple and as bits.
        """
        view = self._views.get((agents, common))
        if view is None:
            observed = self.encoding.observed(self.structure, agents)
            if common:
                each = [set(self.observed((agent,))) for agent in agents]
                observed = tuple(
                    variable for variable in observed if all(variable in own for own in each)
                )
            view = self._views[agents, common] = observed, mask_of(observed)
        return view

    def target(self, formula: Formula) -> Target:
        """Return the target of a formula in normal form."""
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
            self.encoding.literal(plain),
            tuple(
                (proxies[leaf], True in signs, False in signs) for leaf, signs in guesses.items()
            ),
        )
        self.abstraction.synchronise()
        self.targets[formula] = target
        return target

    def proxy(self, leaf: Formula) -> Proxy:
        """Return the proxy of K, D, C, B or CB of a formula."""
        proxy = self.proxies.get(leaf)
        if proxy is None:
            proxy = self.proxies[leaf] = self._new_proxy(leaf)
        return proxy

    def _new_proxy(self, leaf: Formula) -> Proxy:
        assert isinstance(leaf, f.K | f.D | f.C | f.B | f.CB)
        agents = (leaf.agent,) if isinstance(leaf, f.K | f.B) else tuple(sorted(leaf.group))
        common = isinstance(leaf, f.C | f.CB)
        observed, observed_mask = self.view(agents, common)
        # The name must be unique in the encoding.
        name = self._names.get(leaf)
        if name is None:
            name = self._names[leaf] = Atom(f"proxy {self.encoding.variables + 1}")
        literal = self.encoding.atom(name)
        self.abstraction.read((literal,))
        factive = is_propositional(leaf.operand) and not isinstance(leaf, f.B | f.CB)
        operand_literal = None
        if factive:
            operand_literal = self.encoding.literal(leaf.operand)
            self.abstraction.synchronise()
            self.abstraction.clause([-literal, operand_literal])  # K f -> f
        return Proxy(
            formula=leaf,
            name=name,
            literal=literal,
            agents=agents,
            operand=leaf.operand,
            observed=observed,
            common=common,
            operand_fluents=fluents_of(leaf.operand) if factive and not common else (),
            operand_literal=operand_literal,
            persistent=factive or is_persistent(leaf),
            observed_mask=observed_mask,
        )

    def refuted(self, proxy: Proxy) -> Target:
        """Return the target of a counter-world of the proxy."""
        if proxy.refuted is None:
            proxy.refuted = self.target(negation(proxy.operand))
        return proxy.refuted

    def guessed(self, formula: Formula) -> Test:
        """Return a test of a formula with modal subformulas at candidates, by their guesses."""
        encoding, proxies = self.encoding, self.proxies
        return compiled(
            formula, encoding.atom, lambda leaf: encoding.compiled(proxies[leaf].name).test
        ).test

    def law_for(self, proxy: Proxy) -> Law:
        """Return the law without the fluents that do not matter to the proxy: see `projection`.

        Return the whole law if announcements about knowledge, or a modal operand, may depend on all
        fluents.
        """
        if self.modal_law.announcements or not proxy.operand_fluents:
            return self.law
        # With the whole law, `python -m benchmarks outliers --game cluedo` takes 1.25 times the
        # work.
        return self.projections.of(proxy.observed_mask | self.law.bits(proxy.operand_fluents))

    # ---- lemmas ----------------------------------------------------------------------------

    def learn(self, proxy: Proxy, truth: bool, lemma: Lemma) -> None:
        """Add a new lemma that implies this truth of `proxy`, and count it."""
        self.learned += 1
        self.keep(proxy, truth, lemma)

    def keep(self, proxy: Proxy, truth: bool, lemma: Lemma) -> None:
        """Add a lemma that implies this truth of `proxy`."""
        proxy.lemmas[truth].append(lemma)
        head = proxy.literal if truth else -proxy.literal
        self.abstraction.learn(lemma, head, self.unless(proxy, truth))

    def unless(self, proxy: Proxy, truth: bool) -> list[int]:
        """Return the assumptions under which lemmas for this truth of `proxy` apply."""
        unless = [] if truth and proxy.persistent else [self.abstraction.selector(proxy.agents)]
        if truth or not proxy.operand_fluents:
            unless.extend(self.abstraction.always)
        return unless

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """Return the assumptions that the last refutation used."""
        return self.abstraction.core(assumptions)

    def minimal(self, assumptions: list[int], target: Target) -> list[int]:
        """Return a minimal core of the assumptions with which `find` has just refuted the target.

        Within `limits.trial`, the core may not be minimal.
        """

        def refute(literals: list[int]) -> list[int] | None:
            try:
                return self.core(literals) if self.find(literals, target) is None else None
            except SearchAborted:
                raise MinimisationStopped from None

        return minimal_core(self.core(assumptions), refute)

    # ---- worlds ----------------------------------------------------------------------------

    def seen_at(self, proxy: Proxy, world: int) -> list[int]:
        """Return the observations of a proxy's agents at a world, as literals."""
        return literals_at(proxy.observed, world)

    def values_at(self, world: int) -> list[int]:
        """Return the values of all fluents at a world, as literals."""
        return [self.law.value(name, world) for name in self.law.fluents]

    def world(self, world: int) -> dict[str, str]:
        """Return a world as a mapping from the names of fluents to values."""
        return self.encoding.world(self.structure, world)

    def bits(self, world: World) -> int:
        """Return a world of the structure as an integer, without guesses."""
        return bits_of(self.here(world))[0]

    def here(self, world: World) -> list[int]:
        """Return the literals of the values in a world."""
        literals = []
        for name, variables in self.law.fluents.items():
            atoms = self.structure.vocabulary.fluents[name].atoms
            if len(atoms) == 1 and atoms[0].value != world[name]:
                literals.append(-variables[0])
            else:
                literals.append(self.literal(Atom(name, world[name])))
        return literals

    # ---- answers of the search -------------------------------------------------------------

    @abstractmethod
    def find(
        self,
        assumptions: Sequence[int],
        target: Target,
        tries: int | None = None,
        conflicts: int | None = None,
    ) -> int | None:
        """Return a world at which these literals and `target` are true; None if there is none.

        After None, `core` returns the assumptions that were used. Raise `SearchAborted` after
        `tries` candidates, or if a call of the solver exceeds `conflicts`.
        """

    @abstractmethod
    def decide(self, proxy: Proxy, world: int) -> bool:
        """Return the truth of the proxy's formula at `world`.

        Afterwards a lemma implies it, unless the operand is false there.
        """
