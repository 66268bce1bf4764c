"""Explanations from a Kripke model: worlds and probabilities."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from symkripke.engines.explainer import Way, WorldExplainer
from symkripke.engines.explicit.counting import share
from symkripke.engines.explicit.model import KripkeModel
from symkripke.engines.explicit.table import Rows, Vector
from symkripke.engines.explicit.truth import evaluate
from symkripke.errors import Unsupported
from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.limits import look
from symkripke.model import KnowledgeStructure

_Path = tuple[tuple[tuple[str, ...], int], ...]


class ExplicitExplainer(WorldExplainer[Rows]):
    """An explainer of formulas at some rows: the actual world, or an agent's possible worlds.

    It finds no sources of knowledge.
    """

    def __init__(self, structure: KnowledgeStructure, model: KripkeModel) -> None:
        """Create an explainer for the model of a structure."""
        super().__init__(structure)
        self.model = model

    def truth(self, place: Rows, formula: Formula) -> bool | None:
        """See `Explainer.truth`."""
        true = evaluate(self.model, formula)[place]
        return bool(true[0]) if true.all() or not true.any() else None

    def refused(self, formula: Formula, truth: bool | None) -> Unsupported:
        """See `Explainer.refused`."""
        return Unsupported(
            f"the explicit engine lists worlds: it has none to show why {formula} is "
            f"{str(truth).lower()}; the sat engine finds minimal sources"
        )

    # ---- probabilities ------------------------------------------------------------------------

    def share(self, cell: Rows, chance: f.P) -> Fraction | None:
        """See `WorldExplainer.share`."""
        look()
        given = evaluate(self.model, chance.given)
        if self.model.by_plausibility:
            given = self.model.most_plausible(chance.agent, given)
        among = cell[given[cell]]
        return (
            share(self.model, among, evaluate(self.model, chance.operand)) if len(among) else None
        )

    def extremes(
        self, place: Rows, group: tuple[str, ...], chance: f.P
    ) -> tuple[Fraction, Fraction] | None:
        """See `WorldExplainer.extremes`."""
        cells, own = self.model.cells(group), self.model.cells((chance.agent,))
        numbers = np.unique(own[np.isin(cells, cells[place])])
        shares = [self.share(np.flatnonzero(own == number), chance) for number in numbers]
        values = [value for value in shares if value is not None]
        return (min(values), max(values)) if len(values) == len(shares) else None

    # ---- worlds -------------------------------------------------------------------------------

    def cell(self, place: Rows, group: tuple[str, ...]) -> Rows | None:
        """See `WorldExplainer.cell`."""
        cells = self.model.cells(group)
        if bool((cells[place] != cells[place[0]]).any()):
            return None
        return np.flatnonzero(cells == cells[place[0]])

    def to_world(
        self, cell: Rows, group: tuple[str, ...], shows: Formula, belief: f.B | None
    ) -> Way[Rows] | None:
        """See `WorldExplainer.to_world`."""
        good = evaluate(self.model, shows)
        if belief is not None:
            given = evaluate(self.model, belief.given)
            good = good & self.model.most_plausible(belief.agent, given)
        rows = cell[good[cell]]
        return self._way(((group, int(rows[0])),)) if len(rows) else None

    def to_reachable(
        self, place: Rows, group: tuple[str, ...], shows: Formula, *, plausible: bool
    ) -> Way[Rows] | None:
        """See `WorldExplainer.to_reachable`."""
        start = int(place[0])
        if plausible:
            decided = len(place) == 1
        else:
            component = self.model.components(group)
            decided = bool((component[place] == component[start]).all())
        path = self._path(group, start, evaluate(self.model, shows), plausible) if decided else None
        return None if path is None else self._way(path)

    def _path(
        self, group: tuple[str, ...], start: int, goal: Vector, plausible: bool
    ) -> _Path | None:
        """Return a shortest path to the goal by steps of members; None if there is none.

        If `plausible`, the steps are steps of belief, and the start counts as reached only when a
        step leads back to it.
        """
        model = self.model
        if not plausible and goal[start]:
            return (((group[0],), start),)
        every = np.ones(model.size, dtype=np.bool_)
        best = {
            agent: model.most_plausible(agent, every) if plausible else every for agent in group
        }
        entered: set[tuple[str, int]] = set()
        paths: dict[int, _Path] = {start: ()}
        reached = set() if plausible else {start}
        frontier = [start]
        while frontier:
            fresh: list[int] = []
            for row, agent in product(frontier, group):
                look()
                cells = model.cells((agent,))
                if (agent, int(cells[row])) in entered:
                    continue
                entered.add((agent, int(cells[row])))
                for other in np.flatnonzero((cells == cells[row]) & best[agent]).tolist():
                    if other not in reached:
                        reached.add(other)
                        path = (*paths[row], ((agent,), other))
                        if goal[other]:
                            return path
                        paths.setdefault(other, path)
                        fresh.append(other)
            frontier = fresh
        return None

    def _way(self, path: _Path) -> Way[Rows]:
        steps = tuple((agents, self.model.table.world(row)) for agents, row in path)
        return Way(steps, np.array([path[-1][1]], dtype=np.intp))
