"""The worlds of a structure up to bisimilarity, and their number."""

from __future__ import annotations

from symkripke.drawing.labels import Naming
from symkripke.drawing.merging import classes
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import TooManyWorlds
from symkripke.limits import Budget
from symkripke.model import KnowledgeStructure
from symkripke.problems.outcome import Contraction

MOST_WORLDS = 20_000
"""The maximum number of worlds of a model to contract, because all worlds have to be listed."""

# The number of worlds to print.
_FIRST = 5


def contraction(
    structure: KnowledgeStructure, naming: Naming, budget: Budget | None = None
) -> Contraction:
    """Return the worlds up to bisimilarity, as in a picture of the whole model.

    Worlds are merged if no formula with K, M, B, conditional B, C and CB about the current values
    of the named fluents separates them: see `symkripke.drawing.merging`. Past versions (`x#0`) are
    ignored.

    Raises:
        TooManyWorlds: there are more than `MOST_WORLDS` worlds.
        BudgetExceeded: the contraction takes too long.
    """
    try:
        model = ExplicitEngine(MOST_WORLDS).model(structure, budget)
    except TooManyWorlds:
        most = f"{MOST_WORLDS:,}"
        raise TooManyWorlds(
            f"contracting a model lists its worlds, and there are more than {most}"
        ) from None
    worlds = [model.table.world(row) for row in range(model.size)]
    values = [naming.values(structure, world) for world in worlds]
    cells = {agent: model.cells((agent,)).tolist() for agent in structure.agents}
    plausible = {}
    for agent in structure.agents:
        truths = [model.table.truth(formula) for formula in model.plausibility.get(agent, ())]
        false = [(~truth).tolist() for truth in truths]
        plausible[agent] = [tuple(each[row] for each in false) for row in range(model.size)]
    group = classes([tuple(value.items()) for value in values], cells, plausible)
    number = len(set(group))
    firsts = [group.index(place) for place in range(min(number, _FIRST))]
    groups = tuple((values[first], group.count(group[first])) for first in firsts)
    return Contraction(number, model.size, groups)
