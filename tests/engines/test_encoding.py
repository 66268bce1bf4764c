"""Translation to clauses, and small changes of worlds that preserve them, checked at all worlds."""

from __future__ import annotations

from itertools import product

from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.solver import Solver, solve
from symkripke.language import Atom
from symkripke.language import formulas as f
from symkripke.model import Fluent, evaluate
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula

P, Q, R = Atom("p"), Atom("q"), Atom("r")


def models(encoding: Encoding, formula: f.Formula) -> set[tuple[bool, ...]]:
    """Return the truth values of p, q and r in all models of the asserted formula."""
    solver = Solver()
    stated = encoding.asserted(formula)
    for compiled in (encoding.definitions, stated):
        for clause in compiled.clauses:
            solver.add_clause(clause)
        for literals, bound in compiled.atmosts:
            solver.add_atmost(literals, bound)
    return {
        truths
        for truths in product((False, True), repeat=3)
        if solve(
            solver,
            [
                encoding.atom(atom) * (1 if true else -1)
                for atom, true in zip((P, Q, R), truths, strict=True)
            ],
        )
    }


def test_asserted_formulas_keep_their_models() -> None:
    """The formulas include double negations and nested conjunctions."""
    choices, names = Seeded(1), Names(tuple(map(Fluent, "pqr")), ("ann",))
    made: list[f.Formula] = [P, Q, R, f.TRUE, f.FALSE]
    some = 0
    for _ in range(150):
        one, other, third = (choices.one_of(made) for _ in range(3))
        formula = choices.one_of(
            [
                f.Not(f.Not(one)),
                f.Or((one, other, third)),
                f.Not(f.And((one, f.And((other, third))))),
                f.Not(f.Or((one, f.Not(f.Implies(other, third))))),
                f.Implies(one, other),
                f.Not(f.Iff(one, other)),
                f.exactly(1, (one, other, third)),
                f.Not(f.atleast(2, (one, one, other))),
                f.atmost(1, (one, other, other)),
                random_formula(choices, names, 3, BOOLEAN),
            ]
        )
        made.append(formula)
        if len(made) > 12:
            del made[5:]
        expected = {
            truths
            for truths in product((False, True), repeat=3)
            if evaluate(
                formula,
                {n: str(true).lower() for n, true in zip("pqr", truths, strict=True)},
            )
        }
        assert models(Encoding(), formula) == expected, str(formula)
        some += 0 < len(expected) < 8
    assert some > 50


def test_a_guard_switches_a_formula_in_all_copies() -> None:
    """With the guard, each copy has the models of the formula; without it, all valuations."""
    choices, names = Seeded(2), Names(tuple(map(Fluent, "pqr")), ("ann",))
    some = 0
    for seed in range(60):
        formula = f.And(
            (
                random_formula(choices, names, 2, BOOLEAN),
                f.Or((P, f.exactly(1, (P, Q, f.And((Q, R)))))),
                choices.one_of([f.atmost(1, (P, Q, R, P)), f.atleast(2, (P, Q, Q, R)), f.TRUE]),
            )
        )
        encoding = Encoding()
        wanted = models(encoding, formula)
        encoding.literal(random_formula(choices, names, 3, BOOLEAN))  # adds other definitions
        stated, atoms = encoding.asserted(formula), [encoding.atom(atom) for atom in (P, Q, R)]
        definitions, variables = encoding.definitions_of([*atoms, *stated.occurring])
        fresh = iter(range(2 * len(variables) + 1, 10_000)).__next__
        solver = Solver()
        guard = fresh()
        slack = stated.slack(solver, guard, fresh)
        places = []
        for copy in range(2):
            moved = {
                sign * variable: sign * (place + copy * len(variables))
                for place, variable in enumerate(variables, start=1)
                for sign in (1, -1)
            }
            definitions.renumbered(moved).give(solver)
            stated.give_if(solver, guard, slack, moved)
            places += [moved[atom] for atom in atoms]
        for truths in product((False, True), repeat=6):
            world = [v if true else -v for v, true in zip(places, truths, strict=True)]
            both = truths[:3] in wanted and truths[3:] in wanted
            assert solve(solver, [guard, *world]) is both, seed
            assert solve(solver, world), seed
        some += 0 < len(wanted) < 8
    assert some > 20
