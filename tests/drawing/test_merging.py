"""Merging of worlds that no formula separates."""

from __future__ import annotations

from symkripke.drawing import Naming, draw
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import ImpossibleEvent, TooManyWorlds
from symkripke.problems.contraction import contraction
from symkripke.testing.random_actions import random_action
from symkripke.testing.random_models import Names, Seeded, random_history
from tests.drawing.test_exactness import listed


def test_worlds_are_merged_exactly_if_no_formula_separates_them() -> None:
    """The models are random, with only the first fluent shown; half of them end with an action."""
    compared = 0
    for seed in range(80):
        choices = Seeded(seed)
        structure = random_history(choices, 2, 3, most_worlds=12, beliefs=True).structure
        try:
            if seed % 2:
                action = random_action(choices, Names.of(structure), 9)
                structure = structure.update(action)
            model = ExplicitEngine(7).model(structure)
        except (ImpossibleEvent, TooManyWorlds):
            continue
        shown = Names.of(structure).fluents[0].name
        naming = Naming(chosen=(shown,))
        if not model.size:
            continue
        wanted = listed(structure, naming, None).classes(("shown", "gone"))
        sizes = sorted(map(wanted.count, set(wanted)))
        assert contraction(structure, naming).number == len(sizes), seed
        picture = draw(structure, fluents=[shown]).pictures[0]
        assert sorted(world.number for world in picture.worlds) == sizes, seed
        compared += model.size > len(sizes)
    assert compared > 20
