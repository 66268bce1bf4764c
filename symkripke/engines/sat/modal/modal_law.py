"""Announcements about knowledge, checked world by world.

The law may say that something was true of knowledge in an earlier structure F ("Plum did not know
the solution then"). Such a constraint has no clauses. It is checked at one world w at a time:

* "G knew f" is true at w if no world of F that G could not tell from w has ~f. That depends on
  what G saw at w and on nothing else, so it is worked out once for each observation.
* If the announcement is false at w, then for reasons: f was known by the few observations that
  a refutation used (an unsatisfiable core), or it was not, by all that was observed. These
  literals make the announcement false at any world, so that not all of them are true is a
  clause for every solver that has heard it.

A solver that holds the rest of the law takes a world, has it checked, and takes another one if
that failed (`WorldSolver.find`): each failure adds a clause that excludes it. That is sound,
because the clauses follow from the announcement; complete, because a world is only returned if
every announcement is true there; and it ends, because there are finitely many worlds. The worlds
of F are found in the same way, so that what was announced before F counts there.

Where what was known is itself about knowledge, or common, `search` decides at the world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from symkripke.engines.clock import Meter
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal.normal_form import is_lasting, normalise
from symkripke.engines.sat.modal.search import ModalSolver
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.reduction import reduce_announcements
from symkripke.language.walk import is_propositional, leaves
from symkripke.model import KnowledgeStructure
from symkripke.model.evaluate import counts

_Test = Callable[[int, Meter | None], bool]


@dataclass(frozen=True, slots=True)
class _Core:
    """What some agents observed, as literals, and as bits of the true and the false ones."""

    true: int
    false: int
    literals: tuple[int, ...]

    @classmethod
    def of(cls, literals: Sequence[int]) -> _Core:
        true = sum(1 << one for one in literals if one > 0)
        false = sum(1 << -one for one in literals if one < 0)
        return cls(true, false, tuple(literals))


class Announcement:
    """One constraint about knowledge, and what has been found out about it.

    Attributes:
        source: where it comes from, in words.
        stated: what was said, with K, D and C as its only modal operators.
        lasting: whether it was true at all times before, if it was true once: all that it says
            is ignorance, and nobody forgets. Where i does not know f, i did not know it before.
        needs: the variables (bits) that its truth at a world rests on.
        journal: clauses that follow from it, as they were found.
    """

    def __init__(
        self,
        encoding: Encoding,
        before: KnowledgeStructure,
        formula: Formula,
        source: str,
        worlds: WorldSolver,
        modal: Callable[[KnowledgeStructure], ModalSolver],
    ) -> None:
        """An announcement, not yet checked anywhere.

        Args:
            encoding: that of the solvers that hear it.
            before: the structure that it speaks about.
            formula: what was said.
            source: where it comes from, in words.
            worlds: all worlds of `before`.
            modal: the solvers for what is known about knowledge.

        Raises:
            Unsupported: it speaks of something else than knowledge.
        """
        self.source = source
        self.stated = normalise(reduce_announcements(formula, before.fluents), before)
        self.journal: list[list[int]] = []
        self.needs = 0
        self._encoding = encoding
        self._before = before
        self._worlds = worlds
        self._modal = modal
        self._seen: dict[Formula, tuple[int, tuple[int, ...]]] = {}
        """For what was (not) known, the variables that its knowers observe: bits, and a list."""
        self._cores: dict[Formula, list[_Core]] = {}
        """For what was (not) known, observations with which it was."""
        self._tests: dict[Formula, _Test] = {}
        self._settled: set[int] = set()
        """Where it was found to be true: worlds, as far as its truth rests on them (`needs`)."""
        self._nested = False
        self.lasting = False
        for leaf in leaves(self.stated):
            if isinstance(leaf, Atom):
                self.needs |= 1 << abs(encoding.atom(leaf))
            elif isinstance(leaf, f.K | f.D) and is_propositional(leaf.operand):
                self._prepare(leaf)
            elif not isinstance(leaf, f.Constant):
                self._nested = True
        if self._nested:
            for fluent in before.vocabulary.fluents.values():
                for atom in fluent.atoms:
                    self.needs |= 1 << encoding.atom(atom)
        else:
            self.lasting = is_lasting(self.stated)

    def _prepare(self, leaf: f.K | f.D) -> None:
        variables = [
            self._encoding.atom(observable.atom)
            for agent in _knowers(leaf)
            for observable in self._before.observables[agent]
        ]
        mask = sum(1 << one for one in set(variables))
        self._seen[leaf] = mask, tuple(dict.fromkeys(variables))
        self._cores[leaf] = []
        self.needs |= mask | 1 << abs(self._encoding.literal(leaf.operand))

    # ---- at a world -------------------------------------------------------------------------

    def refuted(self, world: int, meter: Meter | None) -> bool:
        """Whether it is false at that world; then the last clause of `journal` excludes it.

        Raises:
            Unsupported: too many announcements rest on each other.
        """
        key = world & self.needs
        if key in self._settled:
            return False
        try:
            if self._nested:
                reason = self._decided(world, meter)
            elif self._true(self.stated, world, meter):
                reason = None
            else:
                reason = list(dict.fromkeys(self._reason(self.stated, False, world, meter)))
        except RecursionError:
            raise Unsupported(
                "too many announcements about knowledge rest on each other; ask the bdd engine"
            ) from None
        if reason is None:
            self._settled.add(key)
            return False
        self.journal.append([-literal for literal in reason])
        return True

    def _true(self, formula: Formula, world: int, meter: Meter | None) -> bool:
        test = self._tests.get(formula)
        if test is None:
            test = self._tests[formula] = self._test(formula)
        return test(world, meter)

    def _test(self, formula: Formula) -> _Test:
        """The truth of `formula` at a world, as a function: asked for by the ten thousand."""
        if isinstance(formula, f.Constant):
            value = formula.value
            return lambda world, meter: value
        if isinstance(formula, Atom):
            literal = self._encoding.atom(formula)
            return lambda world, meter: _is_true(literal, world)
        if isinstance(formula, f.K | f.D):
            return self._knowing(formula)
        parts = [self._test(part) for part in formula.operands]
        match formula:
            case f.Not():
                return lambda world, meter: not parts[0](world, meter)
            case f.And():
                return lambda world, meter: not _first(parts, False, world, meter)
            case f.Or():
                return lambda world, meter: _first(parts, True, world, meter)
            case f.Implies():
                return lambda world, meter: not parts[0](world, meter) or parts[1](world, meter)
            case f.Iff():
                return lambda world, meter: parts[0](world, meter) is parts[1](world, meter)
            case f.Cardinality(relation, bound, _):
                return lambda world, meter: counts(
                    relation, bound, sum(part(world, meter) for part in parts)
                )
        raise TypeError(f"not normalised: {formula}")

    def _knowing(self, leaf: f.K | f.D) -> _Test:
        """Whether its knowers knew it at a world."""
        literal = self._encoding.literal(leaf.operand)
        mask, variables = self._seen[leaf]
        cores = self._cores[leaf]
        found: dict[int, bool] = {}
        """By what the knowers saw."""

        def known(world: int, meter: Meter | None) -> bool:
            if ((world >> abs(literal)) & 1) != (literal > 0):
                return False  # what is known is true
            key = world & mask
            truth = found.get(key)
            if truth is None:
                truth = _applies(cores, world) is not None
                if not truth:
                    seen = [one if (key >> one) & 1 else -one for one in variables]
                    truth = self._worlds.find([*seen, -literal], meter, near=world) is None
                    if truth:
                        core = self._smaller(self._worlds.core(seen), -literal, meter)
                        cores.append(_Core.of(core))
                found[key] = truth
            return truth

        return known

    def _smaller(self, core: Sequence[int], refuted: int, meter: Meter | None) -> list[int]:
        """A minimal core: each literal is left out in turn, and stays out if the rest suffices."""
        needed = list(core)
        for literal in core:
            if literal not in needed:
                continue
            without = [one for one in needed if one != literal]
            if self._worlds.find([*without, refuted], meter) is None:
                needed = self._worlds.core(without)
        return needed

    def _reason(
        self, formula: Formula, truth: bool, world: int, meter: Meter | None
    ) -> Sequence[int]:
        """Literals, true at that world, with which `formula` has this truth everywhere."""
        match formula:
            case f.Constant():
                return ()
            case Atom():
                literal = self._encoding.atom(formula)
                return (literal if truth else -literal,)
            case f.K() | f.D():
                return self._of_knowledge(formula, truth, world)
            case f.Not(operand):
                return self._reason(operand, not truth, world, meter)
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
                    for literal in self._reason(part, self._true(part, world, meter), world, meter)
                ]
        if every:
            return [one for part in parts for one in self._reason(part, truth, world, meter)]
        one = next(part for part in parts if self._true(part, world, meter) is truth)
        return self._reason(one, truth, world, meter)

    def _of_knowledge(self, leaf: f.K | f.D, truth: bool, world: int) -> Sequence[int]:
        if truth:
            core = _applies(self._cores[leaf], world)
            assert core is not None
            return core.literals
        literal = self._encoding.literal(leaf.operand)
        if not _is_true(literal, world):
            return (-literal,)
        return [one if (world >> one) & 1 else -one for one in self._seen[leaf][1]]

    def _decided(self, world: int, meter: Meter | None) -> list[int] | None:
        """Where it is nested: None if it is true at that world, else why it is not."""
        modal = self._modal(self._before)
        here: dict[int, int] = {}
        for fluent in self._before.vocabulary.fluents.values():
            for atom in fluent.atoms:
                literal = self._encoding.atom(atom)
                sign = 1 if _is_true(literal, world) else -1
                here[sign * modal.literal(atom)] = sign * literal
        if modal.find(list(here), modal.target(self.stated), meter) is not None:
            return None
        return [here[one] for one in modal.core(list(here))]


def _first(tests: Sequence[_Test], truth: bool, world: int, meter: Meter | None) -> bool:
    """Whether one of them has this truth at that world; those after it are not tried."""
    return any(test(world, meter) is truth for test in tests)


def _applies(cores: Iterable[_Core], world: int) -> _Core | None:
    """One of these observations that is made at that world."""
    for core in cores:
        if world & core.true == core.true and not world & core.false:
            return core
    return None


def _is_true(literal: int, world: int) -> bool:
    return bool((world >> abs(literal)) & 1) is (literal > 0)


def _knowers(leaf: f.K | f.D) -> tuple[str, ...]:
    return (leaf.agent,) if isinstance(leaf, f.K) else leaf.group
