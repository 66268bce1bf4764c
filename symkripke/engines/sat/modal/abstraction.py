"""The abstraction: a solver whose models are candidates.

A candidate is a world of the law with a guess for each modal subformula. The solver knows the
meaning of the guesses only through lemmas.

Lemmas can be withdrawn. A lemma that an event may make false is stated under a *selector*, a
variable for its agents that is assumed if the lemma applies. So a solver can move on with a game.
Lemmas that may have become false are withdrawn, and all others stay, with the clauses that the
solver learned from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from symkripke.engines.sat.encoding import Clauses, Encoding
from symkripke.engines.sat.modal.cardinality_aids import CardinalityAids
from symkripke.engines.sat.solver import attempt, implied_by, solve
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.lemma import Lemma
from symkripke.limits import SearchAborted


class Abstraction:
    """The worlds of a growing law, with a variable for each guess.

    Attributes:
        encoding: the source of variables.
        always: the literals that are assumed in all searches.
    """

    def __init__(self, encoding: Encoding) -> None:
        """Create an abstraction without constraints."""
        self.encoding = encoding
        self.always: list[int] = []
        self._solver = encoding.solver()
        self._meant: set[int] = set()
        """The variables of lemmas whose definitions the solver has."""
        self._read: dict[int, int] = {}
        """For each variable of an atom or a proxy, its index in the solver's models and its bit.

        Each variable occurs once, because bits are added.
        """
        self._spare = 0
        self._chance = Random(0)
        self._selectors: dict[tuple[str, ...], int] = {}
        self._views: dict[str, tuple[int, frozenset[int]]] = {}
        """For each agent, a literal that implies its observations, and their literals."""
        self._remembers = False
        """True after a hard question. The solver then keeps more learnt clauses."""
        self._aids: CardinalityAids | None = None
        self._many: dict[tuple[frozenset[int], int], int] = {}
        """The literals of `at_least`."""
        self._every: dict[frozenset[int], int] = {}
        """The variables of `all_of`, by literals."""
        self._lemmas: list[list[int]] = []

    def fresh(self) -> int:
        """Return a variable that this solver has not used."""
        self._spare += 1
        return self.encoding.spare(self._spare - 1)

    @property
    def size(self) -> int:
        """The number of bits of a candidate."""
        return len(self._read)

    # ---- clauses -----------------------------------------------------------------------------

    def synchronise(self) -> None:
        """Add the definitions that are new since the last call."""
        self.encoding.synchronise(self._solver)

    def state(self, constraint: Clauses) -> None:
        """Add a constraint."""
        self.synchronise()
        constraint.give(self._solver)

    def read(self, variables: Sequence[int]) -> None:
        """Include these variables in candidates, even if no constraint mentions them."""
        highest = max(variables)
        self._solver.add_clause([highest, -highest])
        self._read.update((variable - 1, 1 << variable) for variable in variables)

    def clause(self, clause: Sequence[int]) -> None:
        """Add a clause that is never withdrawn."""
        self._solver.add_clause(clause)

    def clauses(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses that are never withdrawn."""
        self._solver.add_clauses(clauses)

    def learn(self, lemma: Lemma, head: int, unless: Iterable[int]) -> None:
        """Add a lemma that implies `head` if all literals of `unless` are assumed."""
        for clause in lemma.meaning(self._meant):
            self._solver.add_clause(clause)
        clause = [*lemma.clause(head), *(-literal for literal in unless)]
        if self._aids is None:
            self._lemmas.append(clause)
        else:
            clause = self._aids.shortened(clause)
        self._solver.add_clause(clause)

    def few(self, literals: Sequence[int]) -> list[int]:
        """Return a part of these consistent literals that implies the rest."""
        needed = [literal for literal in literals if literal > 0]
        rest = set(literals).difference(needed, implied_by(self._solver, needed))
        return [*needed, *(literal for literal in literals if literal in rest)]

    def selector(self, agents: tuple[str, ...]) -> int:
        """Return the selector of lemmas about these agents, which an event may withdraw."""
        variable = self._selectors.get(agents)
        if variable is None:
            variable = self._selectors[agents] = self.fresh()
        return variable

    def forget(self, agents: tuple[str, ...]) -> None:
        """Withdraw all lemmas under the selector of these agents."""
        selector = self._selectors.pop(agents, None)
        if selector is not None:
            self._solver.add_clause([-selector])

    def forget_all(self) -> None:
        """Withdraw all lemmas under selectors."""
        for agents in list(self._selectors):
            self.forget(agents)

    def one_of(self, views: Mapping[str, Sequence[int]]) -> int:
        """Return a literal that implies all observations of at least one of these agents.

        It is valid until `retire` is called.
        """
        return self.any_of([self._view(agent, literals) for agent, literals in views.items()])

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a literal that implies the disjunction of these literals.

        It is valid until `retire` is called.
        """
        some = self.fresh()
        self._solver.add_clause([-some, *literals])
        return some

    def all_of(self, literals: Iterable[int]) -> int:
        """Return a literal that the conjunction of these literals implies."""
        wanted = frozenset(literals)
        if len(wanted) == 1:
            return next(iter(wanted))
        variable = self._every.get(wanted)
        if variable is None:
            variable = self._every[wanted] = self.fresh()
            self._solver.add_clause([variable, *(-literal for literal in sorted(wanted))])
        return variable

    def at_least(self, literals: frozenset[int], number: int) -> int:
        """Return a literal that is true if at least `number` (1 or more) of these literals are."""
        variable = self._many.get((literals, number))
        if variable is None:
            variable = self._many[literals, number] = self.fresh()
            # A native constraint has no literal of its own: see `Encoding.guarded`.
            guards = [self.fresh() for _ in range(len(literals) - number + 1)]
            self._solver.add_clauses([variable, guard] for guard in guards)
            self._solver.add_atmost([*sorted(literals), *guards], len(literals))
        return variable

    def retire(self, literal: int) -> None:
        """Make a literal, such as one from `any_of`, permanently false."""
        self._solver.add_clause([-literal])

    def _view(self, agent: str, literals: Sequence[int]) -> int:
        """Return a literal that implies these observations of the agent, from a cache."""
        known, old = self._views.get(agent, (0, frozenset()))
        if known and len(old) == len(literals) and old.issuperset(literals):
            return known
        view = self.fresh()
        if old.issubset(literals):
            new = [literal for literal in literals if literal not in old]
            if known:
                new.append(known)
        else:
            new = list(literals)
        for literal in new:
            self._solver.add_clause([-view, literal])
        self._views[agent] = view, frozenset(literals)
        return view

    # ---- candidates ----------------------------------------------------------------------------

    def find(self, assumptions: Sequence[int], law: Law, most: int | None = None) -> int | None:
        """Return a candidate at which these literals are true; None if there is none.

        After None, `core` returns the assumptions that were used. Raise `SearchAborted` after
        `most` conflicts.
        """
        given = [*assumptions, *self.always]
        if most is not None:
            world = self._attempt(given, most)
            if world is None:
                raise SearchAborted
        elif self._aids is None:
            world = self._attempt(given, self.encoding.tuning.conflicts_before_aids)
            if world is None:
                self._help_counting(law)
                return self.find(assumptions, law)
        else:
            world = solve(self._solver, given)
        if not world:
            return None
        values = self._solver.get_model()
        return sum([bit for place, bit in self._read.items() if values[place] > 0])

    def _attempt(self, given: list[int], conflicts: int) -> bool | None:
        """Return whether there is a model; None if undecided after `conflicts` conflicts."""
        hard = self.encoding.tuning.conflicts_before_remembering
        if self._remembers:
            return attempt(self._solver, given, conflicts)
        result = attempt(self._solver, given, min(conflicts, hard))
        if result is None:
            self._remembers = True
            self._solver.remember(self.fresh)
            if conflicts > hard:
                result = attempt(self._solver, given, conflicts)
        return result

    def near(self, world: int) -> None:
        """Make the solver prefer the values of this world."""
        phases = [place + 1 if world & bit else -1 - place for place, bit in self._read.items()]
        self._solver.set_phases(phases)

    def elsewhere(self, law: Law) -> None:
        """Make the solver prefer random values, so that candidates differ from earlier ones."""
        phases: list[int] = []
        for variables in law.fluents.values():
            true = self._chance.choice(variables if len(variables) > 1 else (variables[0], 0))
            phases.extend(own if own == true else -own for own in variables)
        self._solver.set_phases(phases)

    def refuted(self, assumptions: Sequence[int]) -> bool:
        """Return whether the solver refutes these literals, without `always`, in a short search."""
        most = self.encoding.tuning.conflicts_before_aids
        return attempt(self._solver, assumptions, most) is False

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """Return the assumptions that the last refutation used."""
        return self._solver.used(assumptions)

    def _help_counting(self, law: Law) -> None:
        """Add the clauses and constraints of `cardinality_aids`."""
        # Without these, a question of `python -m benchmarks outliers --game kwartet` that takes 0.5
        # s has no answer within 3 s.
        self._aids = CardinalityAids(law, self.encoding.either)
        self._aids.stated.give(self._solver)
        for clause in self._lemmas:
            self._solver.add_clause(self._aids.shortened(clause))
        self._lemmas.clear()
