"""Exported questions put to solvers that share nothing with this program."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import z3
from pysat.formula import CNF
from pysat.solvers import Solver


def meaning(text: str, satisfiable: bool, sign: str) -> bool:
    """What the comments of an exported question say that "satisfiable" or its contrary means."""
    words = {"c": ("satisfiable: it is ", "unsatisfiable: it is ")}
    yes, no = words.get(sign, ("sat: it is ", "unsat: it is "))
    line = next(line for line in text.splitlines() if line.startswith(f"{sign} {yes}"))
    first, second = line[2:].split("; ")
    said = first.removeprefix(yes) if satisfiable else second.removeprefix(no)
    return {"true": True, "false": False}[said]


def by_sat(text: str) -> bool:
    """The answer of a SAT solver to a question in DIMACS."""
    with Solver(name="glucose4", bootstrap_with=CNF(from_string=text)) as solver:
        return meaning(text, bool(solver.solve()), "c")


def read_qdimacs(text: str) -> tuple[list[tuple[bool, list[int]]], list[list[int]]]:
    """Blocks of (universal, variables), and clauses; checks the format on the way."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("c")]
    assert lines[0][:2] == ["p", "cnf"]
    variables, number = map(int, lines[0][2:])
    prefix: list[tuple[bool, list[int]]] = []
    clauses: list[list[int]] = []
    for line in lines[1:]:
        assert line[-1] == "0"
        if line[0] in "ae":
            assert not clauses
            prefix.append((line[0] == "a", [int(one) for one in line[1:-1]]))
        else:
            clauses.append([int(one) for one in line[:-1]])
    bound = [variable for _, block in prefix for variable in block]
    assert all(block for _, block in prefix)
    assert sorted(bound) == list(range(1, variables + 1))
    assert all(one[0] is not other[0] for one, other in pairwise(prefix))
    assert not prefix or not prefix[-1][0] or not clauses
    assert number == len(clauses)
    return prefix, clauses


def by_quantifiers(text: str) -> bool:
    """The answer of z3 to a question in QDIMACS."""
    prefix, clauses = read_qdimacs(text)
    made = [z3.Bool(f"v{v}") for v in range(sum(len(block) for _, block in prefix) + 1)]
    stated: Any = z3.And(
        *(z3.Or(*(made[v] if v > 0 else z3.Not(made[-v]) for v in clause)) for clause in clauses)
    )
    for universal, block in reversed(prefix):
        quantifier = z3.ForAll if universal else z3.Exists
        stated = quantifier([made[v] for v in block], stated)
    return meaning(text, satisfiable(stated), "c")


def by_smt(text: str) -> bool:
    """The answer of z3 to a question in SMT-LIB."""
    return meaning(text, satisfiable(z3.And(*z3.parse_smt2_string(text))), ";")


def satisfiable(stated: Any) -> bool:
    """Whether z3 finds values for the constants of a formula with quantifiers."""
    solver = z3.Then("simplify", "qsat").solver()
    solver.add(stated)
    result = solver.check()
    assert result != z3.unknown, solver.reason_unknown()
    return bool(result == z3.sat)
