"""The encoding of formulas as clauses and native cardinality constraints.

Each atom has one Boolean variable. Cardinality constraints ("3 of these 18") are not turned into
clauses, because the solver (Minicard) propagates `sum of literals <= k` itself. So a constraint
over n literals has size n. Clause encodings have size n*k or n*log(k)^2. The table gives the time
of a question with six players in mid-game. "Clauses" is the best of four encodings under CaDiCaL
1.5.3:

    atoms   native   clauses
       21     7 us     20 us
      300    60 us  24,000 us
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain, islice
from weakref import WeakKeyDictionary

from symkripke import limits
from symkripke.engines.sat.bits import bits_of, literals_of, mask_of
from symkripke.engines.sat.compiled_formula import CompiledFormula, compiled
from symkripke.engines.sat.solver import Solver
from symkripke.engines.sat.tuning import DEFAULT, Tuning
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, subformulas
from symkripke.model import Constraint, Fluent, KnowledgeStructure
from symkripke.records import dataclass

# The kinds of formulas, besides literals, that a single clause states.
_ONE_CLAUSE = frozenset((f.Or, f.Implies))


@dataclass(slots=True)
class Clauses:
    """Clauses and cardinality constraints (literals, k): at most k of the literals are true."""

    clauses: list[list[int]] = field(default_factory=list)
    atmosts: list[tuple[list[int], int]] = field(default_factory=list)
    _variables: int | None = field(default=None, init=False, repr=False, compare=False)
    _occurring: tuple[int, ...] | None = field(default=None, init=False, repr=False, compare=False)

    def extend(self, other: Clauses) -> None:
        """Add all clauses and constraints of `other`."""
        self.clauses.extend(other.clauses)
        self.atmosts.extend(other.atmosts)
        self._variables = self._occurring = None

    def give(self, solver: Solver, known: tuple[int, int] = (0, 0)) -> tuple[int, int]:
        """Give a solver the clauses and constraints that it does not have.

        Args:
            solver: the solver.
            known: the numbers of clauses and of constraints that the solver already has.

        Returns:
            both numbers after the call.
        """
        limit, a_look = limits.current(), solver.tuning.clauses_a_look
        for start in range(known[0], len(self.clauses), a_look):
            solver.add_clauses(self.clauses[start : start + a_look])
            if limit is not None:
                limit.check()
        for literals, bound in islice(self.atmosts, known[1], None):
            solver.add_atmost(literals, bound)
            if limit is not None:
                limit.check()
        return len(self.clauses), len(self.atmosts)

    def slack(self, solver: Solver, guard: int, fresh: Callable[[], int]) -> list[int]:
        """Return the fresh variables that `give_if` needs; the guard implies them."""
        if not self.atmosts:
            return []
        number = max(len(literals) - bound for literals, bound in self.atmosts)
        slack = [fresh() for _ in range(number)]
        solver.add_clauses([-guard, variable] for variable in slack)
        return slack

    def give_if(
        self,
        solver: Solver,
        guard: int,
        slack: Sequence[int],
        number_of: Mapping[int, int] | None = None,
    ) -> None:
        """Give a solver the clauses and constraints, on condition that the guard is true.

        With `number_of`, all literals except the guard and the slack variables are renumbered.

        A constraint "at most k of n literals" becomes "at most n of these literals and of (n - k)
        slack variables". If the guard is false, all slack variables can be false. So several
        constraints, and copies of them, may share the slack variables.
        """
        clauses: Iterable[Iterable[int]] = self.clauses
        if number_of is not None:
            renumber = number_of.__getitem__
            clauses = (map(renumber, clause) for clause in clauses)
        solver.add_clauses([-guard, *clause] for clause in clauses)
        for literals, bound in self.atmosts:
            here = literals if number_of is None else map(renumber, literals)
            number = len(literals)
            solver.add_atmost([*here, *slack[: number - bound]], number)

    def renumbered(self, number_of: Mapping[int, int]) -> Clauses:
        """Return a copy with each literal replaced according to `number_of`."""
        number = number_of.__getitem__
        return Clauses(
            [list(map(number, clause)) for clause in self.clauses],
            [(list(map(number, literals)), bound) for literals, bound in self.atmosts],
        )

    def variables(self) -> int:
        """Return the variables that occur, as bits.

        The result is cached, so only `extend` may add clauses afterwards.
        """
        if self._variables is None:
            atmosts = [literals for literals, _ in self.atmosts]
            self._variables = mask_of(map(abs, chain(*self.clauses, *atmosts)))
        return self._variables

    @property
    def occurring(self) -> tuple[int, ...]:
        """The variables that occur, each once. The tuple is cached like `variables`."""
        if self._occurring is None:
            atmosts = [literals for literals, _ in self.atmosts]
            self._occurring = tuple(set(map(abs, chain(*self.clauses, *atmosts))))
        return self._occurring

    def test(self) -> Callable[[int], bool]:
        """Return the test of whether a model (bit v set: variable v true) satisfies all of them."""
        clauses = list(map(bits_of, self.clauses))
        atmosts = [(*bits_of(literals), bound) for literals, bound in self.atmosts]

        def satisfied(model: int) -> bool:
            for true, false in clauses:
                if not model & true and model & false == false:
                    return False
            for true, false, bound in atmosts:
                if (model & true).bit_count() + (~model & false).bit_count() > bound:
                    return False
            return True

        return satisfied


class Encoding:
    """The variables and definitions for all structures that come from one first structure.

    An encoding never shrinks. An atom has the same variable in all these structures. A subformula
    that is not a literal gets a variable, and `definitions` state that the two are equivalent (G.
    S. Tseitin, 1968). Definitions hold in every structure, so all solvers share them.
    """

    def __init__(self, tuning: Tuning = DEFAULT) -> None:
        """Create an empty encoding, whose solvers use this tuning."""
        self.tuning = tuning
        self.variables = 0
        self.defined = 0
        """The variables (bits) that do not stand for atoms."""
        self.atoms: list[Atom | None] = [None]
        """The atom of each variable; None if the variable does not stand for an atom."""
        self.definitions = Clauses()
        self._definition: dict[int, Clauses] = {}
        """The part of `definitions` that defines each variable."""
        self._literal: dict[Formula, int] = {}
        self._either: dict[frozenset[int], int] = {}
        self._spare: list[int] = []
        self._idle: tuple[int, int] | None = None
        self._implied: dict[tuple[int, int], int] = {}
        self._asserted: WeakKeyDictionary[Formula, Clauses] = WeakKeyDictionary()
        self._parts: WeakKeyDictionary[Formula, tuple[Clauses, ...]] = WeakKeyDictionary()
        self._added: WeakKeyDictionary[KnowledgeStructure, Clauses] = WeakKeyDictionary()
        self._compiled: WeakKeyDictionary[Formula, CompiledFormula] = WeakKeyDictionary()

    @property
    def known(self) -> Mapping[Formula, int]:
        """The literal of each (resolved) formula that has one."""
        return self._literal

    def solver(self) -> Solver:
        """Return a solver without clauses.

        It takes little memory, because there may be hundreds of solvers.
        """
        if self._idle is None:
            self._idle = self.fresh(), self.fresh()
        return Solver(self.tuning, self._idle)

    def synchronise(self, solver: Solver) -> None:
        """Give a solver of this encoding the definitions that are new since the last call."""
        definitions = self.definitions
        if solver.defined != (len(definitions.clauses), len(definitions.atmosts)):
            solver.defined = definitions.give(solver, solver.defined)

    # ---- literals ------------------------------------------------------------------------

    def fresh(self) -> int:
        """Return a new variable that does not stand for an atom."""
        self.variables += 1
        self.defined |= 1 << self.variables
        self.atoms.append(None)
        return self.variables

    def either(self, literals: frozenset[int]) -> int:
        """Return a variable for the disjunction of these literals.

        The caller adds its clauses to each solver.
        """
        known = self._either.get(literals)
        if known is None:
            known = self._either[literals] = self.fresh()
        return known

    def implied(self, positive: int, negative: int) -> int:
        """Return a variable for the disjunction of `positive` and the negations of `negative`.

        Both are sets of variables, as bits.
        """
        known = self._implied.get((positive, negative))
        if known is None:
            known = self._implied[positive, negative] = self.fresh()
        return known

    def spare(self, number: int) -> int:
        """Return the spare variable with this index. Each solver may define it differently."""
        while len(self._spare) <= number:
            self._spare.append(self.fresh())
        return self._spare[number]

    def atom(self, atom: Atom) -> int:
        """Return the literal of an atom (resolved): negative for `p = false`."""
        literal = self._literal.get(atom)
        if literal is None:
            if atom.value == "false":
                return -self.atom(Atom(atom.fluent))
            self.variables += 1
            literal = self._literal[atom] = self.variables
            self.atoms.append(atom)
        return literal

    def observed(self, structure: KnowledgeStructure, agents: Iterable[str]) -> tuple[int, ...]:
        """Return the variables that these agents observe, each once."""
        seen = chain.from_iterable(structure.observables[agent] for agent in agents)
        return tuple(dict.fromkeys([self.atom(observable.atom) for observable in seen]))

    def values(self, fluent: Fluent) -> tuple[int, ...]:
        """Return the variables of a fluent's atoms."""
        return tuple(map(self.atom, fluent.atoms))

    def literal(self, formula: Formula) -> int:
        """Return a literal equivalent to the propositional `formula`; define it if it is new."""
        known = self._literal.get(formula)
        if known is not None:
            return known
        if isinstance(formula, Atom):
            return self.atom(formula)
        for part in subformulas(formula):
            if part not in self._literal:
                literal = self.atom(part) if isinstance(part, Atom) else self._define(part)
                self._literal[part] = literal
        return self._literal[formula]

    def conjuncts(self, formula: Formula) -> list[int]:
        """Return literals that together are equivalent to the propositional `formula`."""
        parts = formula.operands if isinstance(formula, f.And) else (formula,)
        return [self.literal(part) for part in parts if part is not f.TRUE]

    def _define(self, formula: Formula) -> int:
        """Define and return the literal of a formula whose operands already have literals."""
        parts = [self._literal[part] for part in formula.operands]
        match formula:
            case f.Constant(value):
                true = self.fresh()
                self._defines(true, [[true]])
                return true if value else -true
            case f.Not():
                return -parts[0]
            case f.And():
                return -self._or([-part for part in parts])
            case f.Or():
                return self._or(parts)
            case f.Implies():
                return self._or([-parts[0], parts[1]])
            case f.Iff():
                left, right = parts
                return -self._or([-self._or([-left, right]), -self._or([left, -right])])
            case f.Cardinality(relation, bound, _):
                if relation == "atmost":
                    return self._atmost(parts, bound)
                if relation == "atleast":
                    return -self._atmost(parts, bound - 1)
                return -self._or([-self._atmost(parts, bound), self._atmost(parts, bound - 1)])
        raise TypeError(f"one world does not decide {formula}")

    def _or(self, parts: Sequence[int]) -> int:
        either = self.fresh()
        self._defines(either, [*([-part, either] for part in parts), [*parts, -either]])
        return either

    def _atmost(self, parts: Sequence[int], bound: int) -> int:
        """Return a literal equivalent to "at most `bound` of `parts`".

        A native constraint has no literal of its own, so each direction of the equivalence is one
        constraint with a guard. The guard implies n - k further literals, where n is the number of
        parts and k the bound. The constraint "at most n of the parts and these literals" means "at
        most k of the parts" if the guard is true, and has no effect if it is false.
        """
        literals, number = self._distinct(parts), len(parts)
        if bound >= number or bound < 0:
            return self.literal(f.TRUE if bound >= number else f.FALSE)
        holds = self.fresh()
        self.guarded(literals, bound, holds)
        self.guarded([-literal for literal in literals], number - bound - 1, -holds)
        return holds

    def guarded(self, literals: Sequence[int], bound: int, guard: int) -> None:
        """Define that at most `bound` of these literals are true if `guard` is."""
        guards = [self.fresh() for _ in range(len(literals) - bound)]
        self._defines(
            abs(guard),
            [[-guard, other] for other in guards],
            [([*literals, *guards], len(literals))],
        )

    def _distinct(self, literals: Sequence[int]) -> list[int]:
        """Return the literals, with repeated ones replaced by equivalent new variables."""
        if len(set(map(abs, literals))) == len(literals):
            return list(literals)
        seen: set[int] = set()
        distinct = []
        for literal in literals:
            if abs(literal) in seen:
                other = self.fresh()
                self._defines(other, [[-literal, other], [literal, -other]])
                literal = other
            seen.add(abs(literal))
            distinct.append(literal)
        return distinct

    def _defines(
        self,
        variable: int,
        clauses: Sequence[list[int]],
        atmosts: Sequence[tuple[list[int], int]] = (),
    ) -> None:
        """Add clauses and constraints to the definition of a variable."""
        added = Clauses([*clauses], [*atmosts])
        self.definitions.extend(added)
        self._definition.setdefault(variable, Clauses()).extend(added)

    def definitions_of(self, variables: Iterable[int]) -> tuple[Clauses, list[int]]:
        """Return the definitions on which these variables depend, and all variables that occur.

        The other definitions can be satisfied for any values of these variables. They are usually
        the great majority, because all structures share the definitions.
        """
        found: set[int] = set()
        pending = list(variables)
        while pending:
            variable = pending.pop()
            if variable in found:
                continue
            found.add(variable)
            if variable in self._definition:
                pending.extend(self._definition[variable].occurring)
        needed, ordered = Clauses(), sorted(found)
        for variable in ordered:
            if variable in self._definition:
                needed.extend(self._definition[variable])
        return needed, ordered

    # ---- evaluating ----------------------------------------------------------------------

    def compiled(self, formula: Formula) -> CompiledFormula:
        """Return the compiled form of the propositional `formula`, which is cached.

        Atoms without a variable get one.
        """
        compiled_formula = self._compiled.get(formula)
        if compiled_formula is None:
            compiled_formula = self._compiled[formula] = compiled(formula, self.atom)
        return compiled_formula

    def compiled_if_known(self, formula: Formula) -> CompiledFormula | None:
        """Return the compiled formula; None if it is modal or has an atom without a variable."""
        compiled_formula = self._compiled.get(formula)
        if compiled_formula is None and is_propositional(formula):
            try:
                compiled_formula = self._compiled[formula] = compiled(formula, self._known_literal)
            except KeyError:
                return None
        return compiled_formula

    def _known_literal(self, atom: Atom) -> int:
        """Return the literal of an atom; raise `KeyError` if the atom has no variable."""
        literal = self._literal.get(atom)
        if literal is None:
            if atom.value != "false":
                raise KeyError(atom)
            literal = -self._literal[Atom(atom.fluent)]
        return literal

    # ---- constraints ------------------------------------------------------------------

    def asserted(self, formula: Formula) -> Clauses:
        """Return the clauses and constraints that state the propositional `formula`."""
        asserted = self._asserted.get(formula)
        if asserted is None:
            parts = self.parts(formula)
            asserted = self._asserted[formula] = parts[0] if len(parts) == 1 else _all(parts)
        return asserted

    def parts(self, formula: Formula) -> tuple[Clauses, ...]:
        """Return the clauses and constraints that state each part of a conjunction.

        For other formulas, the tuple has one entry.
        """
        parts = self._parts.get(formula)
        if parts is None:
            stated = formula.operands if isinstance(formula, f.And) else (formula,)
            parts = self._parts[formula] = tuple([self._stated(part) for part in stated])
        return parts

    def _stated(self, formula: Formula) -> Clauses:
        bare = formula.operands[0] if isinstance(formula, f.Not) else formula
        if type(bare) is Atom or (bare is formula and type(bare) in _ONE_CLAUSE):
            # A shortcut for the most frequent case.
            return Clauses([self._clause((formula, True))])
        into = Clauses()
        # Pairs of a formula and True if it is stated, or False if its negation is.
        pending = [(formula, True)]
        while pending:
            limits.look()
            current, positive = pending.pop()
            kind = type(current)
            if kind is f.Not:
                pending.append((current.operands[0], not positive))
            elif kind is f.And if positive else kind is f.Or:
                pending.extend([(part, positive) for part in reversed(current.operands)])
            elif isinstance(current, f.Implies) and not positive:
                pending.extend(((current.right, False), (current.left, True)))
            elif isinstance(current, f.Iff) and positive:
                self._imply(current.left, current.right, into)
                self._imply(current.right, current.left, into)
            elif isinstance(current, f.Implies) and positive:
                self._imply(current.left, current.right, into)
            elif isinstance(current, f.Cardinality) and positive:
                self._assert_cardinality(current, into)
            elif current is not (f.TRUE if positive else f.FALSE):
                into.clauses.append(self._clause((current, positive)))
        return into

    def _imply(self, left: Formula, right: Formula, into: Clauses) -> None:
        """State that `left` implies `right`; use short clauses if one of the two is a literal."""
        lefts: Sequence[Formula] = (left,)
        rights: Sequence[Formula] = (right,)
        if isinstance(right, f.And) and _is_literal(left):
            rights = right.operands
        elif isinstance(left, f.Or) and _is_literal(right):
            lefts = left.operands
        into.clauses.extend(
            self._clause((then, True), (when, False)) for when in lefts for then in rights
        )

    def _clause(self, *stated: tuple[Formula, bool]) -> list[int]:
        """Return a clause stating that at least one of these formulas has its given truth value.

        `->`, `|` and negated `&` are split into their operands. The last formula comes first in the
        clause.
        """
        clause: list[int] = []
        known = self._literal
        pending = list(stated)
        while pending:
            current, positive = pending.pop()
            kind = type(current)
            if kind is Atom:
                literal = known.get(current) or self.literal(current)
                clause.append(literal if positive else -literal)
            elif kind is f.Not:
                pending.append((current.operands[0], not positive))
            elif kind is f.Or if positive else kind is f.And:
                pending.extend([(part, positive) for part in reversed(current.operands)])
            elif isinstance(current, f.Implies) and positive:
                pending.extend(((current.right, True), (current.left, False)))
            elif current is not (f.FALSE if positive else f.TRUE):
                clause.append(self.literal(current) if positive else -self.literal(current))
        return clause

    def _assert_cardinality(self, counted: f.Cardinality, into: Clauses) -> None:
        known, relation, bound = self._literal, counted.relation, counted.bound
        literals = self._distinct(
            [known.get(part) or self.literal(part) for part in counted.operands]
        )
        number = len(literals)
        if relation != "atmost" and bound > 0:
            if bound > number:
                into.clauses.append([])
            elif bound == 1:
                into.clauses.append(literals)
            else:
                into.atmosts.append(([-literal for literal in literals], number - bound))
        if relation != "atleast" and bound < number:
            if bound == 0:
                into.clauses.extend([-literal] for literal in literals)
            else:
                into.atmosts.append((literals, bound))

    def stage(self, structure: KnowledgeStructure) -> Iterable[Constraint]:
        """Yield the domains of the new fluents, and the constraints that the last event added."""
        for fluent in _new_fluents(structure):
            if not fluent.is_boolean:
                source = fluent.source or f"{fluent.name} has exactly one value"
                yield Constraint(fluent.domain, source)
        yield from structure.law.added

    def facts(self, structure: KnowledgeStructure) -> Iterator[Formula]:
        """Yield the propositional formulas that the last event of `structure` added."""
        for fluent in _new_fluents(structure):
            if not fluent.is_boolean:
                yield fluent.domain
        for constraint in structure.law.added:
            if not constraint.is_modal:
                yield constraint.formula

    def added(self, structure: KnowledgeStructure) -> Clauses:
        """Return the clauses of the propositional formulas that the last event added.

        The result is cached for the solvers of all agents.
        """
        added = self._added.get(structure)
        if added is None:
            added = self._added[structure] = _all(map(self.asserted, self.facts(structure)))
        return added

    def world(self, structure: KnowledgeStructure, bits: int) -> dict[str, str]:
        """Return a world of `structure` as a mapping from the names of fluents to values."""
        fluents = structure.vocabulary.fluents
        # The solver has no variable for a fluent with a single value that no constraint mentions.
        world = {name: fluent.values[0] for name, fluent in fluents.items()}
        for variable in literals_of(bits & (1 << len(self.atoms)) - 2, 0):
            atom = self.atoms[variable]
            if atom is not None and atom.fluent in fluents:
                world[atom.fluent] = atom.value
        return world


def _all(parts: Iterable[Clauses]) -> Clauses:
    whole = Clauses()
    for part in parts:
        whole.extend(part)
    return whole


def _new_fluents(structure: KnowledgeStructure) -> Iterable[Fluent]:
    """Return the fluents that the last event of `structure` added."""
    known = (
        0 if structure.history.before is None else len(structure.history.before.vocabulary.fluents)
    )
    return islice(structure.vocabulary.fluents.values(), known, None)


def _is_literal(formula: Formula) -> bool:
    return isinstance(formula.operand if isinstance(formula, f.Not) else formula, Atom)
