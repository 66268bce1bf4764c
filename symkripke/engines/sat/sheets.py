"""Questions about many atoms at once: note sheets, and the possible sets of true atoms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from symkripke.engines.protocol import Mark
from symkripke.engines.sat.bits import is_true
from symkripke.engines.sat.solver_cache import SolverCache
from symkripke.engines.sat.world_solver import WorldSolver
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.model import KnowledgeStructure


def literals_of(
    cache: SolverCache,
    structure: KnowledgeStructure,
    atoms: tuple[Atom, ...],
    resolve: Callable[[Atom], Formula],
) -> list[int | bool]:
    """Return the literal of each atom at `structure`, or its truth if it is common knowledge.

    `resolve` returns the formula for which an atom stands in the structure.
    """
    literals = None if structure.versions else cache.sheet_literals.get(atoms)
    if literals is None:
        literals = []
        known, fluents, versions = (
            cache.encoding.known,
            structure.vocabulary.fluents,
            structure.versions,
        )
        for atom in atoms:
            literal = known.get(atom)
            if literal and atom.fluent in fluents and atom.fluent not in versions:
                literals.append(literal)
                continue
            resolved = resolve(atom)
            if isinstance(resolved, f.Constant):
                literals.append(resolved.value)
            else:
                literals.append(cache.encoding.literal(resolved))
        first = structure.root.vocabulary.fluents
        if not versions and all(atom.fluent in first for atom in atoms):
            cache.sheet_literals.put(atoms, literals)
    return literals


def marks(solver: WorldSolver, literals: Sequence[int | bool]) -> Iterator[Mark]:
    """Yield the mark of each literal, by one backbone computation."""
    always, never = solver.marks(
        [abs(literal) for literal in literals if not isinstance(literal, bool)]
    )
    yes, no, either = Mark.YES, Mark.NO, Mark.OPEN
    for literal in literals:
        if literal is True or literal is False:
            yield yes if literal else no
        elif (always >> abs(literal)) & 1:
            yield yes if literal > 0 else no
        elif (never >> abs(literal)) & 1:
            yield no if literal > 0 else yes
        else:
            yield either


def possibilities(
    cache: SolverCache,
    solver: WorldSolver,
    atoms: tuple[Atom, ...],
    literals: Sequence[int | bool],
    limit: int,
) -> frozenset[frozenset[Atom]]:
    """Return the sets of `atoms` that can be true while all other `atoms` are false.

    `literals` has the literal of each atom, or its truth. Raise `BudgetExceeded` if there are more
    than `limit` sets.
    """
    variables = tuple(
        dict.fromkeys(abs(literal) for literal in literals if not isinstance(literal, bool))
    )
    if not solver.consistent():
        return frozenset()
    # Most sets recur after the next event, so they are cached.
    asked = (atoms, tuple(literals))
    known = cache.possibility_sets.get(asked)
    if known is None or len(known) > limit:
        known = cache.possibility_sets.put(asked, {})
    sets = []
    for key in solver.projection(variables, limit):
        true = known.get(key)
        if true is None:
            true = known[key] = frozenset(
                atom
                for atom, literal in zip(atoms, literals, strict=True)
                if (literal if isinstance(literal, bool) else is_true(literal, key))
            )
        sets.append(true)
    return frozenset(sets)
