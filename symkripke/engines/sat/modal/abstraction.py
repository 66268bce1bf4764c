"""The abstraction: candidates, worlds of the law with guesses of what is known, from one solver.

It abstracts from what the guesses mean; lemmas refine it.

Lemmas can be taken back: those that an event may end rest on a variable of their agents, a
*selector*, that is assumed where they are to count. This is how a solver moves on with a game: what
is not known to be true any more goes, the rest stays, with all that the solver has learned of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from symkripke.engines.clock import Meter
from symkripke.engines.sat.encoding import Clauses, Encoding
from symkripke.engines.sat.modal.cardinality_aids import CardinalityAids
from symkripke.engines.sat.solver import attempt, implied_by, solve
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.lemma import Lemma

# Conflicts of one call after which the solver gets help with counting: see `cardinality_aids`.
_PATIENCE = 10_000


class GivenUp(Exception):
    """A search was to be short, and was not."""


class Abstraction:
    """All worlds of a law that grows, with a variable for each guess.

    Attributes:
        encoding: where variables come from.
        always: literals that are assumed in all searches.
    """

    def __init__(self, encoding: Encoding) -> None:
        """Nothing is excluded yet."""
        self.encoding = encoding
        self.always: list[int] = []
        self._solver = encoding.solver()
        self._known = 0, 0
        """How many of the encoding's definitions the solver has."""
        self._meant: set[int] = set()
        """The variables of clauses in lemmas that the solver knows."""
        self._read: dict[int, int] = {}
        """The variables of atoms and proxies: their places in the solver's models, with their bits.

        Once each, also if reading one was asked for twice: bits are added up.
        """
        self._spare = 0
        self._chance = Random(0)
        self._selectors: dict[tuple[str, ...], int] = {}
        self._views: dict[str, tuple[int, frozenset[int]]] = {}
        """For an agent a literal that implies what it sees, and that."""
        self._aids: CardinalityAids | None = None
        self._lemmas: list[list[int]] = []

    def fresh(self) -> int:
        """A variable that means nothing yet to this solver."""
        self._spare += 1
        return self.encoding.spare(self._spare - 1)

    @property
    def size(self) -> int:
        """How many bits a candidate has."""
        return len(self._read)

    # ---- stating it --------------------------------------------------------------------------

    def synchronise(self) -> None:
        """Take over the definitions made since the last time."""
        definitions = self.encoding.definitions
        known = len(definitions.clauses), len(definitions.atmosts)
        if known != self._known:
            self._known = definitions.give(self._solver, self._known)

    def state(self, constraint: Clauses) -> None:
        """Take up a constraint."""
        self.synchronise()
        constraint.give(self._solver)

    def read(self, variables: Sequence[int]) -> None:
        """Let these variables be read off models, also if nothing is said about them yet."""
        highest = max(variables)
        self._solver.add_clause([highest, -highest])
        self._read.update((variable - 1, 1 << variable) for variable in variables)

    def clause(self, clause: Sequence[int]) -> None:
        """Add a clause for good."""
        self._solver.add_clause(clause)

    def learn(self, lemma: Lemma, head: int, unless: Iterable[int]) -> None:
        """Add a lemma for this literal, where these literals are assumed."""
        for clause in lemma.meaning(self._meant):
            self._solver.add_clause(clause)
        clause = [*lemma.clause(head), *(-literal for literal in unless)]
        if self._aids is None:
            self._lemmas.append(clause)
        else:
            clause = self._aids.shortened(clause)
        self._solver.add_clause(clause)

    def few(self, literals: Sequence[int]) -> list[int]:
        """Some of these literals, true at some world, that imply the others."""
        needed = [literal for literal in literals if literal > 0]
        rest = set(literals).difference(needed, implied_by(self._solver, needed))
        return [*needed, *(literal for literal in literals if literal in rest)]

    def selector(self, agents: tuple[str, ...]) -> int:
        """The literal that switches on what is not known to these agents (or not for long)."""
        found = self._selectors.get(agents)
        if found is None:
            found = self._selectors[agents] = self.fresh()
        return found

    def forget(self, agents: tuple[str, ...]) -> None:
        """Let what rests on their selector count no more."""
        selector = self._selectors.pop(agents, None)
        if selector is not None:
            self._solver.add_clause([-selector])

    def one_of(self, views: Mapping[str, Sequence[int]]) -> int:
        """A literal that says that what one of these agents sees is true."""
        return self.any_of([self._view(agent, literals) for agent, literals in views.items()])

    def any_of(self, literals: Sequence[int]) -> int:
        """A literal that implies that one of these is true, until it is retired."""
        some = self.fresh()
        self._solver.add_clause([-some, *literals])
        return some

    def retire(self, literal: int) -> None:
        """Forget what this literal implies."""
        self._solver.add_clause([-literal])

    def _view(self, agent: str, literals: Sequence[int]) -> int:
        """A literal that implies these, which the agent sees; kept as long as it sees no more."""
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

    # ---- asking it -----------------------------------------------------------------------------

    def find(
        self, assumptions: Sequence[int], law: Law, meter: Meter | None, most: int | None = None
    ) -> int | None:
        """A candidate with these literals; None if there is none (then `core` tells why).

        Raises `GivenUp` if so many conflicts are not enough.
        """
        given = [*assumptions, *self.always]
        found: bool | None
        if most is not None:
            found = attempt(self._solver, given, most, meter)
            if found is None:
                raise GivenUp
        elif self._aids is None:
            found = attempt(self._solver, given, _PATIENCE, meter)
            if found is None:
                self._help_counting(law)
                return self.find(assumptions, law, meter)
        else:
            found = solve(self._solver, given, meter)
        if not found:
            return None
        values = self._solver.get_model()
        return sum([bit for place, bit in self._read.items() if values[place] > 0])

    def near(self, world: int) -> None:
        """Let the next worlds be like this one, as far as that comes by itself."""
        phases = [place + 1 if world & bit else -1 - place for place, bit in self._read.items()]
        self._solver.set_phases(phases)

    def elsewhere(self, law: Law) -> None:
        """Let the next worlds be like one made by chance: where it looked, much may be alike."""
        phases: list[int] = []
        for variables in law.fluents.values():
            true = self._chance.choice(variables if len(variables) > 1 else (variables[0], 0))
            phases.extend(own if own == true else -own for own in variables)
        self._solver.set_phases(phases)

    def refuted(self, assumptions: Sequence[int], meter: Meter | None) -> bool:
        """Whether these literals are soon found to be impossible, without those assumed else."""
        return attempt(self._solver, assumptions, _PATIENCE, meter) is False

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """Of these assumptions, those that the last refutation used."""
        used = set(self._solver.get_core() or ())
        return [literal for literal in assumptions if literal in used]

    def _help_counting(self, law: Law) -> None:
        """Tell the solver what it would take it long to find out."""
        self._aids = CardinalityAids(law, self.encoding.either)
        self._aids.stated.give(self._solver)
        for clause in self._lemmas:
            self._solver.add_clause(self._aids.shortened(clause))
        self._lemmas.clear()
