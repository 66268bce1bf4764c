"""Protocols: an announcement after which a formula is true at every world that remains possible.

An agent can announce what it knows: that its observations are among some of its cells. A SAT solver
chooses the cells, with one variable each. Further variables state the truth of each part of the
formula at each world or cell of the model that remains. Then the number of cells is made as small
as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.explicit.frames import listed
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, conjunction, disjunction
from symkripke.language import formulas as f
from symkripke.limits import look
from symkripke.model import MultiPointedStructure, Scene
from symkripke.model.listed import ListedModel, Worlds, numbers
from symkripke.problems.planning.own import pointed

MOST_WORLDS = 5_000
"""The maximum number of worlds, because the truth at each of them is encoded."""


def find_announcement(
    actual: Scene | MultiPointedStructure, speaker: str, goal: Formula
) -> Formula | None:
    """Return an announcement of the speaker after which the goal is true at all worlds that remain.

    Args:
        actual: the actual worlds, at which the announcement is true.
        speaker: the agent that speaks, which knows that the announcement is true.
        goal: the formula.

    Raises:
        TooManyWorlds: the model has more than `MOST_WORLDS` worlds.
        Unsupported: the formula has an operator other than K, M, Kw and E.
        BudgetExceeded: a limit was reached first.
    """
    state = pointed(actual)
    explicit = ExplicitEngine(MOST_WORLDS).model(state.structure)
    model = listed(state.structure, explicit, explicit.table.truth(state.actual))
    encoding = _Encoding(model, speaker)
    for world in range(model.size):
        encoding.clauses.append([-encoding.present(world), encoding.at(goal, world)])
    cells = encoding.smallest()
    return None if cells is None else _in_words(model, speaker, cells)


class _Encoding:
    """The clauses that state the truth of formulas after the announcement."""

    def __init__(self, model: ListedModel, speaker: str) -> None:
        self.clauses: list[list[int]] = []
        self._model = model
        self._new = count(1)
        self._cells = {
            agent: [cell for cell, _ in arrows] for agent, arrows in model.arrows.items()
        }
        self._cell_of = {
            agent: {world: place for place, cell in enumerate(cells) for world in numbers(cell)}
            for agent, cells in self._cells.items()
        }
        self._true = next(self._new)
        self.clauses.append([self._true])
        self._speaker = speaker
        # For each cell of the speaker, whether the announcement is true there.
        self._said = [next(self._new) for _ in self._cells[speaker]]
        self._at: dict[tuple[Formula, int], int] = {}
        self._known: dict[tuple[str, Formula, int], int] = {}
        for world in numbers(model.designated):
            self.clauses.append([self.present(world)])

    def present(self, world: int) -> int:
        """Return the literal for "the world remains possible"."""
        return self._said[self._cell_of[self._speaker][world]]

    def at(self, formula: Formula, world: int) -> int:
        """Return the literal for the truth of a formula at a world that remains possible."""
        key = (formula, world)
        if key not in self._at:
            self._at[key] = self._literal(formula, world)
        return self._at[key]

    def _literal(self, formula: Formula, world: int) -> int:
        match formula:
            case f.Constant(value):
                return self._true if value else -self._true
            case f.Atom():
                return self._true if self._model.truth[formula] >> world & 1 else -self._true
            case f.Not(part):
                return -self.at(part, world)
            case f.And(parts):
                return self._all([self.at(part, world) for part in parts])
            case f.Or(parts):
                return -self._all([-self.at(part, world) for part in parts])
            case f.Implies(left, right):
                return -self._all([self.at(left, world), -self.at(right, world)])
            case f.Iff(left, right):
                one, other = self.at(left, world), self.at(right, world)
                return self._all([-self._all([one, -other]), -self._all([-one, other])])
            case f.K(agent, part):
                return self._knows(agent, part, world)
            case f.M(agent, part):
                return -self._knows(agent, ~part, world)
            case f.Kw(agent, part):
                whether = (self._knows(agent, each, world) for each in (part, ~part))
                return -self._all([-known for known in whether])
            case f.E(group, part):
                return self._all([self._knows(agent, part, world) for agent in group])
        raise Unsupported(f"{formula}: protocols are found for goals with K, M, Kw and E")

    def _knows(self, agent: str, part: Formula, world: int) -> int:
        """Return the literal for knowledge, which is the same at all worlds of a cell."""
        place = self._cell_of[agent][world]
        key = (agent, part, place)
        if key not in self._known:
            look()
            self._known[key] = self._all(
                [
                    -self._all([self.present(other), -self.at(part, other)])
                    for other in numbers(self._cells[agent][place])
                ]
            )
        return self._known[key]

    def _all(self, literals: Iterable[int]) -> int:
        """Return the literal for a conjunction."""
        parts = {literal for literal in literals if literal != self._true}
        if -self._true in parts:
            return -self._true
        if len(parts) < 2:
            return next(iter(parts), self._true)
        new = next(self._new)
        self.clauses += [[-new, part] for part in parts]
        self.clauses.append([new, *(-part for part in parts)])
        return new

    def smallest(self) -> list[Worlds] | None:
        """Return the cells of the announcement, as few as possible; None if there are none."""
        top = next(self._new)
        best: set[int] | None = None
        with Solver(name="cadical153", bootstrap_with=self.clauses) as solver:
            while solver.solve():
                look()
                best = {literal for literal in solver.get_model() or () if literal > 0}
                number = sum(literal in best for literal in self._said)
                if number == 1:
                    break
                bound = CardEnc.atmost(
                    self._said, number - 1, top_id=top, encoding=EncType.seqcounter
                )
                top = max(top, bound.nv)
                solver.append_formula(bound.clauses)
        if best is None:
            return None
        cells = zip(self._cells[self._speaker], self._said, strict=True)
        return [cell for cell, literal in cells if literal in best]


def _in_words(model: ListedModel, agent: str, cells: Sequence[Worlds]) -> Formula:
    """Return a formula that is true in these cells of the agent, and in no others."""
    others = [cell for cell, _ in model.arrows[agent] if cell not in cells]
    return disjunction(_cell(model.truth, cell, others) for cell in cells)


def _cell(truth: Mapping[Atom, Worlds], cell: Worlds, others: Sequence[Worlds]) -> Formula:
    """Return what the agent knows in a cell; without what is false, if that is enough."""
    true = [atom for atom, worlds in truth.items() if not cell & ~worlds]
    common = [worlds for atom, worlds in truth.items() if not cell & ~worlds]
    if all(any(other & ~worlds for worlds in common) for other in others):
        return conjunction(true)
    false = [~atom for atom, worlds in truth.items() if not cell & worlds]
    return conjunction([*true, *false])
