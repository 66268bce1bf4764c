"""Sources of facts that follow from constraints about knowledge, such as silences.

An announcement about knowledge ("Plum did not accuse: it did not know the solution") excludes some
observations, each by a clause (`modal_law`). These clauses replace the announcement, so that a fact
follows from facts. Minimal sources are then found as elsewhere, by leaving out each source in turn.
Such sources can be verified: the clauses follow from the announcement at the worlds of its
structure (`said`), and together with the other sources they prove the fact.
"""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.engines.sat.solver import minimal_refutation
from symkripke.engines.sat.solver_cache import SolverCache
from symkripke.explain.evidence import Source
from symkripke.explain.sources import oldest_first
from symkripke.explain.sources import stated as stated_source
from symkripke.language import Formula, conjunction, disjunction, negation
from symkripke.language.walk import is_propositional
from symkripke.model import KnowledgeStructure


def sources(
    cache: SolverCache,
    structure: KnowledgeStructure,
    seen: Mapping[int, Source],
    refuted: int,
) -> tuple[Source, ...] | None:
    """Return a minimal set of sources from which it follows that the literal `refuted` is false.

    The keys of `seen` are observed literals. Sources are observations, constraints and
    announcements. Return None if the clauses found so far do not prove the consequence.
    """
    encoding = cache.encoding
    stated: list[tuple[Source, list[list[int]]]] = []
    for number, stage in enumerate(structure.stages):
        for constraint in encoding.stage(stage):
            kind = "law" if any(constraint is added for added in stage.law.added) else "domain"
            source = stated_source(constraint, kind, number)
            if not constraint.is_modal:
                stated.append((source, [[encoding.literal(constraint.formula)]]))
        modal = [constraint for constraint in stage.law.added if constraint.is_modal]
        for constraint, announcement in zip(modal, cache.announcements(stage), strict=True):
            source = stated_source(constraint, "law", number)
            stated.append((source, [list(clause) for clause in announcement.journal]))
    solver = encoding.solver()
    encoding.definitions.give(solver)
    solver.add_clause([refuted])
    guards = dict(seen)
    for guard, (source, clauses) in enumerate(stated, start=encoding.variables + 1):
        guards[guard] = source
        for clause in clauses:
            solver.add_clause([*clause, -guard])
    # Leave out announcements first, because they take the most words to explain.
    order = sorted(guards, key=lambda guard: not is_propositional(guards[guard].formula))
    needed = minimal_refutation(solver, list(guards), order)
    return None if needed is None else oldest_first(guards[guard] for guard in needed)


def said(cache: SolverCache, structure: KnowledgeStructure) -> dict[Source, Formula]:
    """Return the clauses derived for the announcements of the structure's last event, as facts.

    `cache` must belong to the evaluator that computed the sources. The evaluator that gave the
    answer may have more clauses, which could make a source redundant.
    """
    modal = [constraint for constraint in structure.law.added if constraint.is_modal]
    formulas = {}
    for constraint, announcement in zip(modal, cache.announcements(structure), strict=True):
        source = stated_source(constraint, "law", len(structure.stages) - 1)
        formulas[source] = conjunction(
            disjunction(_fact(cache, literal) for literal in clause)
            for clause in announcement.journal
        )
    return formulas


def _fact(cache: SolverCache, literal: int) -> Formula:
    atom = cache.encoding.atoms[abs(literal)]
    if atom is None:
        return next(fact for fact, known in cache.encoding.known.items() if known == literal)
    return atom if literal > 0 else negation(atom)
