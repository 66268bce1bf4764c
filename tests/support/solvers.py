"""Independent solvers for exported questions."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import z3
from pysat.formula import CNF
from pysat.solvers import Solver


def meaning(text: str, satisfiable: bool, sign: str) -> bool:
    """Return the truth that an exported question's comments give for this result."""
    words = {"c": ("satisfiable: it is ", "unsatisfiable: it is ")}
    yes, no = words.get(sign, ("sat: it is ", "unsat: it is "))
    line = next(line for line in text.splitlines() if line.startswith(f"{sign} {yes}"))
    first, second = line[2:].split("; ")
    said = first.removeprefix(yes) if satisfiable else second.removeprefix(no)
    return {"true": True, "false": False}[said]


def by_sat(text: str) -> bool:
    """Answer a question in DIMACS with a SAT solver."""
    with Solver(name="glucose4", bootstrap_with=CNF(from_string=text)) as solver:
        return meaning(text, bool(solver.solve()), "c")


def read_qdimacs(text: str) -> tuple[list[tuple[bool, list[int]]], list[list[int]]]:
    """Return blocks of (universal, variables), and clauses; check the format."""
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
    assert not prefix or not prefix[-1][0]
    assert number == len(clauses)
    return prefix, clauses


def by_expansion(text: str, most: int = 8) -> bool | None:
    """Answer a question in QDIMACS by expanding universal variables, with a SAT solver.

    (A. Biere: Resolve and expand, 2004.) Return None for more than `most` universal variables.
    """
    prefix, clauses = read_qdimacs(text)
    universal = [variable for every, block in prefix if every for variable in block]
    if len(universal) > most:
        return None
    depends: dict[int, int] = {}  # how many universal variables precede it
    before = 0
    for every, block in prefix:
        before += len(block) if every else 0
        depends.update(dict.fromkeys(() if every else block, before))
    names: dict[tuple[int, tuple[bool, ...]], int] = {}
    with Solver(name="glucose4") as solver:
        for values in product((False, True), repeat=len(universal)):
            chosen = dict(zip(universal, values, strict=True))

            def literal(one: int, values: tuple[bool, ...] = values) -> int:
                key = (abs(one), values[: depends[abs(one)]])
                number = names.setdefault(key, len(names) + 1)
                return number if one > 0 else -number

            for clause in clauses:
                if any(chosen.get(abs(one)) is (one > 0) for one in clause if abs(one) in chosen):
                    continue
                solver.add_clause([literal(one) for one in clause if abs(one) not in chosen])
        return meaning(text, bool(solver.solve()), "c")


def by_smt(text: str) -> bool:
    """Answer a question in SMT-LIB with z3."""
    return meaning(text, satisfiable(z3.And(*z3.parse_smt2_string(text))), ";")


def satisfiable(stated: Any) -> bool:
    """Return whether z3 finds values for the constants of a formula with quantifiers."""
    solver = z3.Then("simplify", "qsat").solver()
    solver.add(stated)
    result = solver.check()
    assert result != z3.unknown, solver.reason_unknown()
    return bool(result == z3.sat)
