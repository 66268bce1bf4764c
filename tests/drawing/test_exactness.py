"""What is drawn is the model: compared, from the SVG's own data, with the explicit engine."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import symkripke as sk
from symkripke.drawing import Naming, Place, draw, draw_story
from symkripke.drawing.drawing import Options
from symkripke.drawing.finding import near, observed
from symkripke.engines.explicit import ExplicitEngine
from symkripke.problems import puzzle
from symkripke.problems.story import story_of
from tests.drawing.gallery import WHOLE, classic, drawing, story
from tests.drawing.reading import ReadPanel, read

Values = tuple[tuple[str, str], ...]


class Listed:
    """A model, all its worlds listed, and merged by the definition of bisimilarity."""

    def __init__(self, place: Place, naming: Naming, after: Place | None) -> None:
        self.structure = place if isinstance(place, sk.KnowledgeStructure) else place.structure
        self.model = ExplicitEngine().model(self.structure)
        self.worlds = [self.model.table.world(row) for row in range(self.model.size)]
        self.values = [naming.values(self.structure, world) for world in self.worlds]
        self.cells = {agent: self.model.cells((agent,)) for agent in self.structure.agents}
        self.gone = [after is not None and not self._lives(world, after) for world in self.worlds]
        self.ranks = {agent: self._ranks(agent) for agent in self.structure.agents}
        self.like = self._bisimilar()
        self.classes = {
            row: min(other for other in range(self.model.size) if self.like[row, other])
            for row in range(self.model.size)
        }

    @staticmethod
    def _lives(world: Any, after: Place) -> bool:
        structure = after if isinstance(after, sk.KnowledgeStructure) else after.structure
        model = ExplicitEngine().model(structure)
        later = [model.table.world(row) for row in range(model.size)]
        return any(all(new[name] == world[name] for name in world) for new in later)

    def _ranks(self, agent: str) -> list[int]:
        """How plausible: taken away level by level, from the most plausible on."""
        left = np.ones(self.model.size, dtype=np.bool_)
        ranks = [0] * self.model.size
        level = 1
        while left.any():
            best = self.model.most_plausible(agent, left)
            for row in np.flatnonzero(best):
                ranks[int(row)] = level
            left &= ~best
            level += 1
        return ranks

    def _bisimilar(self) -> Any:
        """The greatest relation that respects values and can be followed step by step.

        A world is as plausible as the best world of its cell that is related to it.
        """
        size = self.model.size
        keys = [(tuple(self.values[row].items()), self.gone[row]) for row in range(size)]
        like = np.array([[one == other for other in keys] for one in keys])
        while True:
            before = like.copy()
            best = {agent: self._best(agent, before) for agent in self.cells}
            for first, second in np.argwhere(like):
                like[first, second] = all(
                    self._follows(agent, before, best[agent], *pair)
                    for agent in self.cells
                    for pair in ((first, second), (second, first))
                )
            if (like == before).all():
                return like

    def _cell(self, agent: str, row: int) -> list[int]:
        return [int(other) for other in np.flatnonzero(self.cells[agent] == self.cells[agent][row])]

    def _best(self, agent: str, like: Any) -> list[int]:
        return [
            min(self.ranks[agent][other] for other in self._cell(agent, row) if like[row, other])
            for row in range(self.model.size)
        ]

    def _follows(self, agent: str, like: Any, best: list[int], here: int, there: int) -> bool:
        return all(
            any(
                like[u, v] and np.sign(best[here] - best[u]) == np.sign(best[there] - best[v])
                for v in self._cell(agent, there)
            )
            for u in self._cell(agent, here)
        )

    def signs(self, shown: tuple[str, ...]) -> dict[int, tuple[Any, ...]]:
        """For each class what tells it from others: values, number, whether it vanishes."""
        return {
            first: (
                tuple(sorted((n, self.values[first][n]) for n in shown if n in self.values[first])),
                sum(other == first for other in self.classes.values()),
                self.gone[first],
            )
            for first in set(self.classes.values())
        }

    def drawn_cells(self, agent: str, shown: tuple[str, ...]) -> Counter[frozenset[Any]]:
        """The cells of the merged worlds, each world by its sign and the rank of the best one."""
        signs = self.signs(shown)
        cells = self.cells[agent]
        found = set()
        for cell in range(int(cells.max()) + 1):
            rows = [int(row) for row in np.flatnonzero(cells == cell)]
            best: dict[int, int] = {}
            for row in sorted(rows, key=lambda row: -self.ranks[agent][row]):
                best[self.classes[row]] = self.ranks[agent][row]
            order = sorted(set(best.values()))
            found.add(
                frozenset(
                    (first, order.index(rank) + 1 if len(order) > 1 else 0)
                    for first, rank in best.items()
                )
            )
        return Counter(
            frozenset((signs[first], rank) for first, rank in members) for members in found
        )


def sign(panel: ReadPanel, name: str) -> tuple[Any, ...]:
    world = panel.worlds[name]
    return world.values, world.number, "vanishes" in world.marks


@pytest.mark.parametrize("name", WHOLE)
def test_worlds_and_cells_are_those_of_the_explicit_engine(name: str) -> None:
    told = WHOLE[name]()
    made = drawing(name)
    panels = read(made.svg).panels
    assert len(panels) == len(told.moments)
    laters = [place for _, place in told.moments[1:]]
    for number, panel in enumerate(panels):
        place = told.moments[number][1]
        listed = Listed(place, told.naming, laters[number] if number < len(laters) else None)
        shown = made.pictures[number].shown
        signs = listed.signs(shown)
        assert Counter(sign(panel, world) for world in panel.worlds) == Counter(signs.values())
        assert sum(world.number for world in panel.worlds.values()) == listed.model.size
        for agent in listed.structure.agents:
            drawn = Counter(
                frozenset(
                    (sign(panel, world), cell.ranks[at] if cell.ranks else 0)
                    for at, world in enumerate(cell.worlds)
                )
                for cell in panel.cells
                if agent in cell.agents
            )
            assert drawn == listed.drawn_cells(agent, shown)
        actual = [world for world in panel.worlds.values() if "actual" in world.marks]
        if isinstance(place, sk.Scene):
            row = listed.classes[listed.worlds.index(dict(place.world))]
            assert [sign(panel, world.name) for world in actual] == [signs[row]]
        else:
            assert not actual


def test_worlds_that_nothing_shown_tells_apart_are_one() -> None:
    told = story("agents a, b\nfluent p\nfluent q\na sees p\nb sees p\nactual p, q")
    picture = draw(told.moments[0][1], fluents=["p"]).pictures[0]
    assert [(world.label, world.number) for world in picture.worlds] == [
        (("p",), 2),
        (("not p",), 2),
    ]
    assert "which stand for 4" in picture.describe()
    # Where a knows p it makes a difference, though nothing shown says so.
    told = story("agents a, b\nfluent p\nfluent q\na sees p & q\nactual p, q")
    picture = draw(told.moments[0][1], fluents=["p"]).pictures[0]
    assert sorted((world.label, world.number) for world in picture.worlds) == [
        (("not p",), 2),
        (("p",), 1),
        (("p",), 1),
    ]


def test_a_neighbourhood_is_a_part_of_the_model() -> None:
    """Of the 140 deals of the Russian cards."""
    told = classic("russian_cards")
    scene = told.moments[0][1]
    assert isinstance(scene, sk.Scene)
    model = ExplicitEngine().model(scene.structure)
    for depth, width in ((1, 1), (1, 3), (2, 1)):
        found = near(scene, depth, width)
        rows = [model.row(world) for world in found.worlds]
        assert None not in rows
        assert len(set(rows)) == len(rows)
        assert rows[0] == model.row(scene.world)
        panel = read(draw(scene, near=depth, width=width).svg).panels[0]
        assert len(panel.worlds) == len(rows)
        reached = {0}
        for _ in range(depth):
            reached |= {
                place
                for place in range(len(rows))
                for agent in scene.structure.agents
                for here in reached
                if model.cells((agent,))[rows[place]] == model.cells((agent,))[rows[here]]
            }
        assert len(reached) == len(rows)
        for agent in scene.structure.agents:
            cells = model.cells((agent,))
            places = [int(cells[row]) for row in rows]
            wanted = {
                (
                    frozenset(f"w{at + 1}" for at, there in enumerate(places) if there == cell),
                    int((cells == cell).sum()) > places.count(cell),
                )
                for cell in set(places)
            }
            drawn = [cell for cell in panel.cells if agent in cell.agents]
            assert {(frozenset(cell.worlds), cell.more) for cell in drawn} == wanted
            # In the cell of the actual world as many others were looked for.
            assert places.count(places[0]) > width


def test_a_neighbourhood_has_the_likest_worlds() -> None:
    """Two cards changed hands: no fewer can."""
    told = classic("russian_cards")
    scene = told.moments[0][1]
    assert isinstance(scene, sk.Scene)
    for world in near(scene, 1).worlds[1:]:
        assert sum(world[name] != scene.world[name] for name in world) == 2


def test_the_steps_of_a_way_are_steps_of_the_model() -> None:
    told = classic("consecutive_numbers")
    panel = read(drawing("three-counter-worlds").svg).panels[0]
    assert [(agents, start, end) for agents, start, end in panel.steps] == [
        (("bill",), "w1", "w2"),
        (("anne",), "w2", "w3"),
        (("bill",), "w3", "w4"),
    ]
    structure = told.moments[0][1]
    assert isinstance(structure, sk.Scene)
    model = ExplicitEngine().model(structure.structure)
    worlds = [model.table.world(row) for row in range(model.size)]
    by_values = {
        tuple(sorted(told.naming.values(structure.structure, world).items())): world
        for world in worlds
    }
    for agents, start, end in panel.steps:
        first, second = (by_values[panel.worlds[name].values] for name in (start, end))
        for agent in agents:
            assert observed(structure.structure, agent, first) == observed(
                structure.structure, agent, second
            )


def test_what_is_asked_about_is_grey() -> None:
    told = story_of(puzzle("muddy_children").problem(3))
    scene = told.moments[0][1]
    formula = "Kw[1] muddy(1)"
    panel = read(draw_story([("", scene)], Options(formula=formula)).svg).panels[0]
    assert isinstance(scene, sk.Scene)
    grey = {world.values for world in panel.worlds.values() if "true" in world.marks}
    assert grey == {(("muddy(1)", "true"), ("muddy(2)", "false"), ("muddy(3)", "false"))}


def test_of_a_perspective_what_its_agent_considers_possible_is_marked() -> None:
    told = classic("muddy_children", 3)
    scene = told.moments[0][1]
    assert isinstance(scene, sk.Scene)
    for agent in scene.structure.agents:
        panel = read(draw(scene.perspective(agent)).svg).panels[0]
        seen = sum("seen" in world.marks for world in panel.worlds.values())
        assert seen == ExplicitEngine().worlds(scene.perspective(agent))
        assert not any("actual" in world.marks for world in panel.worlds.values())
