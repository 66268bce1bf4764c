"""Knowledge of numbers by quantifiers of z3: the definitions, without elimination by the engine."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import Any

import z3

from symkripke.language import Atom, Formula
from symkripke.language import formulas as f

_FRESH = count()

World = Mapping[str, Any]
"""The z3 constant of each fluent at a world."""


class FirstOrder:
    """The translation of formulas to arithmetic with quantifiers over worlds.

    Truth depends on what has been said: formulas, of which the first ones are the law.
    """

    def __init__(self, numbers: Sequence[str], sights: Mapping[str, Collection[str]]) -> None:
        """Prepare worlds with these integers and the proposition `p`; `sights` are by agent."""
        self._numbers = numbers
        self._sights = sights

    def valid(self, said: Sequence[Formula], formula: Formula, seconds: float) -> bool | None:
        """Return whether a formula is true at all worlds; None if z3 finds no answer in time."""
        here = self._world()
        solver = z3.Solver()
        solver.set("timeout", int(1000 * seconds))
        solver.add(self._law(said, here), z3.Not(self._truth(said, formula, here)))
        answer = solver.check()
        return None if answer == z3.unknown else bool(answer == z3.unsat)

    def _world(self) -> dict[str, Any]:
        number = next(_FRESH)
        return {n: z3.Int(f"{n}{number}") for n in self._numbers} | {"p": z3.Bool(f"p{number}")}

    def _law(self, said: Sequence[Formula], here: World) -> Any:
        return z3.And([self._truth(said[:i], each, here) for i, each in enumerate(said)])

    def _truth(self, said: Sequence[Formula], formula: Formula, here: World) -> Any:
        def truth(part: Formula) -> Any:
            return self._truth(said, part, here)

        match formula:
            case Atom(fluent):
                return here[fluent]
            case f.Constant(value):
                return z3.BoolVal(value)
            case f.Linear(row):
                total = sum((here[n] * int(c) for n, c in row.sum.terms), int(row.sum.constant))
                match row.relation:
                    case "|":
                        return total % row.modulus == 0
                    case "=":
                        return total == 0
                return total <= 0
            case f.Not(operand):
                return z3.Not(truth(operand))
            case f.And(operands):
                return z3.And(list(map(truth, operands)))
            case f.Or(operands):
                return z3.Or(list(map(truth, operands)))
            case f.Implies(left, right):
                return z3.Implies(truth(left), truth(right))
            case f.K(agent, operand) | f.B(agent, operand):  # there are no beliefs
                return self._known(said, (agent,), operand, here)
            case f.M(agent, operand):
                return z3.Not(self._known(said, (agent,), f.Not(operand), here))
            case f.Kw(agent, operand):
                sides = (operand, f.Not(operand))
                return z3.Or([self._known(said, (agent,), side, here) for side in sides])
            case f.D(group, operand):
                return self._known(said, group, operand, here)
            case f.E(group, operand):
                return z3.And([self._known(said, (agent,), operand, here) for agent in group])
            case f.Kv(agent, fluents):
                there, hidden, law = self._other(said, (agent,), here)
                same = z3.And([here[name] == there[name] for name in fluents])
                return _for_all(hidden, z3.Implies(law, same))
            case f.Announced(stated, after):
                return z3.Implies(truth(stated), self._truth((*said, stated), after, here))
            case f.AnnouncedTrue(stated, after):
                return z3.And(truth(stated), self._truth((*said, stated), after, here))
        raise AssertionError(formula)

    def _known(
        self, said: Sequence[Formula], group: Collection[str], operand: Formula, here: World
    ) -> Any:
        there, hidden, law = self._other(said, group, here)
        return _for_all(hidden, z3.Implies(law, self._truth(said, operand, there)))

    def _other(
        self, said: Sequence[Formula], group: Collection[str], here: World
    ) -> tuple[World, list[Any], Any]:
        """Return a world that a group considers possible, the values unseen there, and the law."""
        seen = {name for agent in group for name in self._sights[agent]}
        there = {**self._world(), **{name: here[name] for name in seen}}
        hidden = [value for name, value in there.items() if name not in seen]
        return there, hidden, self._law(said, there)


def _for_all(hidden: list[Any], formula: Any) -> Any:
    return z3.ForAll(hidden, formula) if hidden else formula
