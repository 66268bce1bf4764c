"""A set of worlds as a readable formula: a short list of partial descriptions.

Such a list is a *cover*: each description (a cube) lies within the set, and together the cubes
cover the set. The cover may include valuations outside the law. It is computed on the diagram,
without listing worlds (S. Minato: Fast generation of irredundant sum-of-products forms from binary
decision diagrams, 1992). It is irredundant: no description, and no literal of a description, can be
left out.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TypeAlias

from symkripke.engines.bdd.diagram import Diagrams, Literal
from symkripke.engines.bdd.interruptible import Diagram
from symkripke.engines.bdd.law import Stage
from symkripke.engines.bdd.without_recursion import run
from symkripke.errors import BudgetExceeded
from symkripke.language import Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.limits import check
from symkripke.model import World
from symkripke.records import dataclass

Cubes: TypeAlias = tuple[tuple[Literal, ...], ...]
Found: TypeAlias = tuple[Diagram, Cubes]
"""The set that a list of cubes covers, and the cubes."""

_Steps: TypeAlias = Generator["_Steps", Found, Found]


@dataclass(frozen=True)
class Description:
    """The worlds at which a formula is true.

    Attributes:
        number: the number of worlds.
        says: a propositional formula for them; None if there is no short formula.
        worlds: the first few worlds.
    """

    number: int
    says: Formula | None
    worlds: tuple[World, ...]


# The maximum number of pairs of diagrams that the search examines.
_LOOKS = 50_000


class SumOfProducts:
    """The search for covers for one question."""

    def __init__(self, diagrams: Diagrams, most: int) -> None:
        """Create a search for covers of at most `most` cubes."""
        self.diagrams = diagrams
        self.most = most
        self._found: dict[tuple[Diagram, Diagram], Found] = {}

    def of(self, least: Diagram, whole: Diagram) -> Cubes:
        """Return cubes that cover all of `least` and lie in `whole`.

        Raises:
            BudgetExceeded: there are more cubes than allowed, or the search takes too long.
        """
        return run(self._cover(least, whole))[1]

    def _cover(self, least: Diagram, whole: Diagram) -> _Steps:
        if not least.satisfiable():
            return self.diagrams.false, ()
        if whole == self.diagrams.true:
            return self.diagrams.true, ((),)
        key = (least, whole)
        if key in self._found:
            return self._found[key]
        if len(self._found) >= _LOOKS:
            raise BudgetExceeded("the set has no short description")
        level = min(self.diagrams.level(least), self.diagrams.level(whole))
        variable = self.diagrams.order[level]
        (least1, least0), (whole1, whole0) = (
            self._sides(diagram, level) for diagram in (least, whole)
        )
        # Parts that need a cube with the variable false or true come first, then the rest.
        set0, cubes0 = yield self._cover(least0 & ~whole1, whole0)
        set1, cubes1 = yield self._cover(least1 & ~whole0, whole1)
        rest = (least0 & ~set0) | (least1 & ~set1)
        both, cubes = yield self._cover(rest, whole0 & whole1)
        literal = self.diagrams.literal(variable + 1)
        covered = literal.ite(set1, set0) | both
        cover = (
            *((variable + 1, *cube) for cube in cubes1),
            *((-variable - 1, *cube) for cube in cubes0),
            *cubes,
        )
        if len(cover) > self.most:
            raise BudgetExceeded(f"the set has no description of at most {self.most} parts")
        self._found[key] = covered, cover
        return self._found[key]

    def _sides(self, diagram: Diagram, level: int) -> tuple[Diagram, Diagram]:
        if self.diagrams.level(diagram) > level:
            return diagram, diagram
        sides = diagram.cofactors()
        assert sides is not None
        return sides


def in_words(stage: Stage, cubes: Cubes) -> Formula:
    """Return the cubes as a formula over the fluents of the stage."""
    fluent_of = {
        variable: (name, values, block)
        for name, (values, block) in stage.blocks.items()
        for variable in block
    }
    return disjunction(_description(fluent_of, cube) for cube in cubes)


def _description(
    fluent_of: dict[int, tuple[str, tuple[str, ...], tuple[int, ...]]], cube: Sequence[Literal]
) -> Formula:
    parts: list[Formula] = []
    excluded: dict[str, dict[str, None]] = {}
    for literal in sorted(cube, key=abs):
        name, values, block = fluent_of[abs(literal) - 1]
        if len(block) == 1:
            value = values[1]
            atom = f.Atom(name, value)
            if literal < 0:
                boolean = value == "true"
                parts.append(negation(atom) if boolean else f.Atom(name, values[0]))
            else:
                parts.append(atom)
        elif literal > 0:
            parts.append(f.Atom(name, values[block.index(literal - 1)]))
        else:
            excluded.setdefault(name, {})[values[block.index(-literal - 1)]] = None
    said = {part.fluent for part in parts if isinstance(part, f.Atom)}
    for name, out in excluded.items():
        if name not in said:
            values = next(values for known, values, _ in fluent_of.values() if known == name)
            left = [value for value in values if value not in out]
            if len(left) <= len(out):
                parts.append(disjunction(f.Atom(name, value) for value in left))
            else:
                parts += [negation(f.Atom(name, value)) for value in out]
    return conjunction(parts)


def first_members(
    diagrams: Diagrams, worlds: Diagram, stage: Stage, names: Sequence[str]
) -> Iterator[frozenset[int]]:
    """Yield the members of `worlds`, a set over the variables of these fluents, as true variables.

    The worlds come lazily, in the order of the fluents' values, so the first few take little time.
    """
    variables = [
        (v, len(stage.blocks[name][1]) > 1) for name in names for v in stage.blocks[name][1]
    ]
    stack: list[tuple[Diagram, int, tuple[int, ...]]] = [(worlds, 0, ())]
    while stack:
        check()
        current, place, true = stack.pop()
        if not current.satisfiable():
            continue
        if place == len(variables):
            yield frozenset(true)
            continue
        variable, one_of_many = variables[place]
        literal = diagrams.literal(variable + 1)
        high = (current & literal, place + 1, (*true, variable))
        low = (current & ~literal, place + 1, true)
        stack += [low, high] if one_of_many else [high, low]
