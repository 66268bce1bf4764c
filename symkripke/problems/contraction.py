"""The worlds of a structure up to bisimilarity: how many there are, and which."""

from __future__ import annotations

from symkripke.drawing.labels import Naming
from symkripke.drawing.merging import classes, rank_numbers
from symkripke.engines.clock import Budget
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import TooManyWorlds
from symkripke.model import KnowledgeStructure
from symkripke.problems.outcome import Contraction

MOST_WORLDS = 20_000
"""Models with more worlds are not contracted, because all worlds have to be listed."""

# How many worlds are printed.
_FIRST = 5


def contraction(
    structure: KnowledgeStructure, naming: Naming, budget: Budget | None = None
) -> Contraction:
    """The worlds up to bisimilarity, as in a picture of the whole model.

    Two worlds are bisimilar if they agree on the named fluents, and if every world that an agent
    considers possible at one of them is bisimilar to an equally plausible world that the agent
    considers possible at the other.

    Raises:
        TooManyWorlds: there are more than `MOST_WORLDS`.
        BudgetExceeded: it takes too long.
    """
    try:
        model = ExplicitEngine(MOST_WORLDS).model(structure, budget)
    except TooManyWorlds:
        most = f"{MOST_WORLDS:,}"
        raise TooManyWorlds(
            f"to contract a model its worlds are listed, and there are more than {most}"
        ) from None
    worlds = [model.table.world(row) for row in range(model.size)]
    values = [naming.values(structure, world) for world in worlds]
    cells = {agent: model.cells((agent,)).tolist() for agent in structure.agents}
    ranks = {}
    for agent, order in model.plausibility.items():
        truths = [model.table.truth(formula).tolist() for formula in order]
        keys = list(zip(*truths, strict=True)) if truths else [()] * model.size
        mine = rank_numbers(cells[agent], [tuple(not true for true in key) for key in keys])
        if any(rank > 1 for rank in mine):
            ranks[agent] = mine
    group = classes([tuple(value.items()) for value in values], cells, ranks)
    number = max(group) + 1
    firsts = [group.index(place) for place in range(min(number, _FIRST))]
    told = tuple((values[first], group.count(group[first])) for first in firsts)
    return Contraction(number, model.size, told)
