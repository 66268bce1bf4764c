"""An incremental solver for the worlds that an agent considers possible.

A `WorldSolver` represents one structure and one set of observations, and moves on as events happen.
Constraints are only added, so knowledge is never lost. Three measures make questions cheap:

* Observations are unit clauses, not assumptions.
* Every model that the solver finds is kept as a *witness* (an integer, bit v for variable v) while
  later constraints allow it. Most questions "is this possible?" are answered by a witness.
* A refuted literal stays impossible, so the solver is never called for it again.

If the law has constraints about knowledge, every world that is found is checked against these
constraints (`modal_law`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from symkripke.engines.asked import no_world_left
from symkripke.engines.caches import LRUCache
from symkripke.engines.minimal_core import minimal_core
from symkripke.engines.sat.bits import bits_of, literals_at, literals_of, mask_of, ways
from symkripke.engines.sat.compiled_formula import true_somewhere
from symkripke.engines.sat.encoding import Clauses, Encoding
from symkripke.engines.sat.solver import solve
from symkripke.errors import BudgetExceeded
from symkripke.language import Atom, Formula
from symkripke.model import KnowledgeStructure, Observable


class KnowledgeAnnounced(Protocol):
    """The interface of an announcement about knowledge that world solvers need."""

    stated: Formula
    """The formula that was announced, in normal form."""

    rests_on: int
    """The variables (bits) for which a world must have a value to be checked."""

    journal: list[list[int]]
    """Clauses that follow from the announcement, oldest first."""

    lasting: bool
    """True if the formula, whenever it is true, was true at all times before."""

    def refuted(self, world: int) -> bool:
        """Return whether the formula is false at a world.

        If so, the last clause of `journal` excludes the world.
        """


class WorldSolver:
    """The worlds that some agents consider possible, given their pooled observations.

    Attributes:
        structure: the current structure.
        seen: the atoms that the agents observe to be true there.
    """

    def __init__(
        self,
        encoding: Encoding,
        structure: KnowledgeStructure,
        agents: Iterable[str],
        seen: frozenset[Atom],
        heard: Callable[[KnowledgeStructure], Iterable[KnowledgeAnnounced]],
    ) -> None:
        """Create a solver for `structure`, given that the agents observe `seen` to be true.

        All solvers for structures with one first structure share the encoding. `heard` returns the
        announcements about knowledge in the last event of a structure.
        """
        self.encoding = encoding
        self._tuning = encoding.tuning
        self.agents = tuple(agents)
        self.structure = structure.root
        self.seen: frozenset[Atom] = frozenset()
        self._solver = encoding.solver()
        self._observed: set[Atom] = set()
        self._observables: dict[str, tuple[Observable, ...]] = {}
        self._yes = self._no = 0
        """The variables (bits) that are true (false) in some witness."""
        self._always = self._never = 0
        """The variables (bits) that are known to be true (false)."""
        self._witnesses: dict[int, int] = {}
        """For each witness, the variables (bits) for which it has a value."""
        self._most_witnesses = self._tuning.most_witnesses
        self._projections: LRUCache[tuple[int, ...], dict[int, int | None]] = LRUCache(
            self._tuning.projections
        )
        self._heard = heard
        self._announced: dict[KnowledgeAnnounced, int] = {}
        """The number of stated clauses of each announcement about knowledge."""
        self._size = 0
        self._near = -1
        self._go(structure.stages, seen)

    # ---- moving on -------------------------------------------------------------------

    def reaches(self, structure: KnowledgeStructure, seen: frozenset[Atom]) -> bool:
        """Return whether this solver is at the given perspective, or can move on to it."""
        if structure is self.structure:
            return seen is self.seen or seen == self.seen
        past, here = structure.history.past, len(self.structure.history.past)
        if here >= len(past) or past[here] is not self.structure:
            return False
        if seen is self.seen:
            return True
        return all((atom in seen) == (atom in self.seen) for atom in self._observed)

    def advance(self, structure: KnowledgeStructure, seen: frozenset[Atom]) -> None:
        """Move to a later perspective that this solver reaches."""
        self._go(structure.stages[len(self.structure.history.past) + 1 :], seen)

    def _go(self, stages: Sequence[KnowledgeStructure], seen: frozenset[Atom]) -> None:
        """Add these stages. Successive stages that only add constraints are added together."""
        here = self.structure.vocabulary.fluents
        plain: list[KnowledgeStructure] = []
        for stage in stages:
            plain.append(stage)
            fluents = stage.vocabulary.fluents
            if fluents is not here or any(constraint.is_modal for constraint in stage.law.added):
                if plain[:-1]:
                    self._add(plain[:-1], seen)
                self._add([stage], seen)
                here, plain = fluents, []
        if plain:
            self._add(plain, seen)

    def _add(self, stages: Sequence[KnowledgeStructure], seen: frozenset[Atom]) -> None:
        encoding, stage = self.encoding, stages[-1]
        # The clauses leave out constraints about knowledge, which `find` checks.
        new = encoding.added(stage)
        observed = self._observe(stage, seen)
        if observed or len(stages) > 1:
            new = Clauses(observed)
            for added in stages:
                new.extend(encoding.added(added))
        encoding.synchronise(self._solver)
        new.give(self._solver)
        # Unit clauses are known without a question.
        always, never = bits_of(clause[0] for clause in new.clauses if len(clause) == 1)
        self._always |= always
        self._never |= never
        fluents = stage.vocabulary.fluents
        fresh = [
            [encoding.atom(atom) for atom in fluents[name].atoms]
            for name in itertools.islice(fluents, len(self.structure.vocabulary.fluents), None)
        ]
        self.structure = stage
        if self.seen is not seen:
            known = seen <= self._observed
            self.seen = seen if known else frozenset(seen & self._observed)
        self._keep(new, fresh, self._hear(stage))

    def _observe(self, stage: KnowledgeStructure, seen: frozenset[Atom]) -> list[list[int]]:
        """Return unit clauses for the atoms that the agents begin to observe at this stage."""
        clauses = []
        for agent in self.agents:
            observables = stage.observables[agent]
            if self._observables.get(agent) is observables:
                continue
            self._observables[agent] = observables
            for observable in observables:
                if observable.atom not in self._observed:
                    self._observed.add(observable.atom)
                    literal = self.encoding.atom(observable.atom)
                    clauses.append([literal if observable.atom in seen else -literal])
        return clauses

    def _hear(self, stage: KnowledgeStructure) -> list[KnowledgeAnnounced]:
        """Add and return the announcements about knowledge in the last event of this stage."""
        new = []
        for announcement in self._heard(stage):
            if announcement.lasting:
                # An agent that does not know a fact now never knew it. So an earlier announcement
                # of the same formula is weaker, and is dropped.
                for earlier in list(self._announced):
                    if earlier.lasting and earlier.stated is announcement.stated:
                        self._learn()
                        del self._announced[earlier]
            self._announced[announcement] = 0
            new.append(announcement)
        return new

    def _learn(self) -> None:
        """Add the new clauses from the journals of announcements."""
        for announcement, read in self._announced.items():
            if read < len(announcement.journal):
                for clause in itertools.islice(announcement.journal, read, None):
                    self._solver.add_clause(clause)
                self._announced[announcement] = len(announcement.journal)

    def _keep(
        self, new: Clauses, fresh: list[list[int]], announced: Sequence[KnowledgeAnnounced]
    ) -> None:
        """Keep the witnesses that fit the new constraints, with values for the new fluents."""
        if not self._witnesses and not self._projections:
            self._yes = self._no = 0
            self._most_witnesses = self._tuning.most_witnesses
            return
        added = mask_of(itertools.chain.from_iterable(fresh))
        needed = new.variables() & ~added
        for announcement in announced:
            needed |= announcement.rests_on
        always = self._always & added
        extensions = [
            extension
            for extension in (ways(fresh, self._tuning.extensions) if self._witnesses else ())
            if extension & always == always and not extension & self._never
        ]
        satisfies = new.test()
        moved: dict[int, int] = {}
        covers: dict[int, int] = {}
        for witness, covered in self._witnesses.items():
            known = covered
            if added:
                # If a question about a later structure was asked earlier, the witness has arbitrary
                # values for the new fluents and for variables defined by them.
                known &= ~(added | self.encoding.defined)
            if needed & ~known:
                # The witness has no value for a variable of a new constraint.
                continue
            for extension in extensions:
                extended = witness & known | extension
                if satisfies(extended):
                    if any(announcement.refuted(witness) for announcement in announced):
                        break
                    moved[witness] = extended
                    covers[extended] = known | added
                    break
        for projection in self._projections.values():
            for key, stands in projection.items():
                projection[key] = None if stands is None else moved.get(stands)
        self._witnesses = covers
        self._let_go()
        self._yes = self._no = 0
        for witness, covered in covers.items():
            self._yes |= witness
            self._no |= covered & ~witness

    def _let_go(self) -> None:
        """Drop all witnesses except the newest spare ones and those of projections."""
        witnesses = self._witnesses
        standing = {w for p in self._projections.values() for w in p.values() if w is not None}
        spare = [witness for witness in witnesses if witness not in standing]
        for witness in spare[: -self._tuning.spare_witnesses]:
            del witnesses[witness]
        self._most_witnesses = max(self._tuning.most_witnesses, 2 * len(witnesses))

    # ---- questions ---------------------------------------------------------------------

    def find(self, assumptions: Sequence[int], near: int | None = None) -> int | None:
        """Return a world at which these literals are true; None if there is none.

        After None, `core` returns the assumptions that were refuted. `near` is a world whose values
        the solver prefers; the result may differ from it.
        """
        self.encoding.synchronise(self._solver)
        if near is not None:
            changed = near ^ self._near if self._near >= 0 else (2 << self.encoding.variables) - 2
            self._solver.set_phases(literals_of(changed & near, changed & ~near))
            self._near = near
        while True:
            if self._announced:
                self._learn()
            if not solve(self._solver, assumptions):
                return None
            values = self._solver.get_model()
            self._size = len(values)
            # The model has all variables in order. Parsing a string of binary digits takes linear
            # time.
            digits = ["1" if literal > 0 else "0" for literal in reversed(values)]
            world = int("".join(digits) + "0", 2)
            if not self._announced:
                return world
            if not any(announcement.refuted(world) for announcement in reversed(self._announced)):
                return world

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """Return the assumptions that the last refutation used."""
        return self._solver.used(assumptions)

    def minimal(self, assumptions: list[int], refuted: int) -> list[int]:
        """Return a minimal core of the assumptions that have just contradicted `refuted`."""

        def refute(literals: list[int]) -> list[int] | None:
            core = self.find([*literals, refuted])
            return self.core(literals) if core is None else None

        return minimal_core(self.core(assumptions), refute)

    def model(self, assumptions: Sequence[int] = ()) -> int | None:
        """Return a world at which these literals are true, and keep it as a witness; or None."""
        witness = self.find(assumptions)
        if witness is None:
            return None
        # A known world covers more variables now if variables have been added since.
        known, covered = self._witnesses.get(witness, 0), (2 << self._size) - 2
        if covered & ~known:
            if not known and len(self._witnesses) >= self._most_witnesses:
                self._let_go()
            self._witnesses[witness] = known | covered
            self._yes |= witness
            self._no |= covered & ~witness
        return witness

    def consistent(self) -> bool:
        """Return whether some world fits the law and what has been seen."""
        return bool(self._witnesses) or self.model(()) is not None

    def require_consistent(self) -> None:
        """Raise `ImpossibleEvent` if no world fits what has been seen."""
        if not self.consistent():
            raise no_world_left(self.agents)

    def possible(self, literal: int) -> bool:
        """Return whether some possible world has `literal` true."""
        witnesses, refuted = (self._yes, self._never) if literal > 0 else (self._no, self._always)
        if (witnesses >> abs(literal)) & 1:
            return True
        if (refuted >> abs(literal)) & 1:
            return False
        if self.model((literal,)) is not None:
            return True
        if literal > 0:
            self._never |= 1 << literal
        else:
            self._always |= 1 << -literal
        return False

    def found(self, formula: Formula, literals: Sequence[int] = ()) -> bool:
        """Return whether the formula and all literals are true at a witness.

        If not, they may still be true at another world.
        """
        compiled = self.encoding.compiled_if_known(formula)
        return compiled is not None and true_somewhere(compiled, self._witnesses, literals)

    def possible_together(self, literals: Sequence[int]) -> bool:
        """Return whether some possible world has all these literals true."""
        if len(literals) == 1:
            return self.possible(literals[0])
        for literal in literals:
            fixed = self._never >> literal if literal > 0 else self._always >> -literal
            if fixed & 1:
                return False
        true, false = bits_of(literals)
        for witness, covered in self._witnesses.items():
            if witness & true == true and covered & ~witness & false == false:
                return True
        return self.model(literals) is not None

    def marks(self, literals: Sequence[int]) -> tuple[int, int]:
        """Return the variables (bits) known to be true, and those known to be false.

        Both are complete for the positive `literals`. Each model rules out values of these
        variables. The negations of the remaining values are checked one by one (J. Marques-Silva,
        M. Janota, I. Lynce: On computing backbones of propositional theories, 2010).
        """
        self.require_consistent()
        asked = mask_of(literals)
        shown = asked & self._yes
        while unsettled := asked & ~((self._yes | self._never) & (self._no | self._always)):
            # Without these phases, the solver finds models similar to the last one.
            missing = asked & ~(self._yes | self._never)
            self._solver.set_phases(literals_of(missing, shown & ~missing))
            self._near = -1
            before = self._yes
            literal = (unsettled & -unsettled).bit_length() - 1
            self.possible(literal if missing >> literal & 1 else -literal)
            shown = asked & self._yes & ~before
        return self._always, self._never

    def projection(self, literals: tuple[int, ...], limit: int) -> list[int]:
        """Return the sets of positive `literals` (as bits) that can be exactly the true ones.

        The sets are enumerated once. Later, only sets that have lost their witness are checked
        again, because an impossible set stays impossible. Raise `BudgetExceeded` if there are more
        than `limit` sets.
        """
        mask = mask_of(literals)
        alive = self._projections.get(literals)
        if alive is None:
            # Register the projection first, so that its witnesses are not dropped meanwhile.
            alive = self._projections.put(literals, {})
            try:
                self._enumerate(alive, literals, mask, limit)
            except BaseException:
                del self._projections[literals]
                raise
        for key in [key for key, stands in alive.items() if stands is None]:
            model = self.model(literals_at(literals, key))
            if model is None:
                del alive[key]
            else:
                alive[key] = model
        if len(alive) > limit:
            raise BudgetExceeded(f"more than {limit:,} possibilities")
        return list(alive)

    def _enumerate(
        self,
        worlds: dict[int, int | None],
        literals: tuple[int, ...],
        mask: int,
        limit: int,
    ) -> None:
        for witness in self._witnesses:
            worlds.setdefault(witness & mask, witness)
        block = self.encoding.fresh()
        for key in worlds:
            self._block(block, literals, key)
        while (other := self.model((block,))) is not None:
            key = other & mask
            worlds[key] = other
            self._block(block, literals, key)
            if len(worlds) > limit:
                raise BudgetExceeded(f"more than {limit:,} possibilities")
        self._solver.add_clause([-block])

    def _block(self, block: int, literals: tuple[int, ...], key: int) -> None:
        differs = literals_at(literals, ~key)
        self._solver.add_clause([-block, *differs])
