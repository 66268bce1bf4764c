"""Exactness of drawings: the data in the SVG, compared with the explicit engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

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
from tests.support.listed import model_of
from tests.support.product_update import Listed


def listed(place: Place, naming: Naming, after: Place | None) -> Listed:
    """List all worlds of a model, with the shown values of each and whether it vanishes."""
    structure = structure_of(place)
    worlds = worlds_of(structure)
    later = [] if after is None else worlds_of(structure_of(after))
    values = []
    for world in worlds:
        gone = after is not None and not any(world.items() <= new.items() for new in later)
        shown = repr(naming.values(structure, world))
        values.append({**world, "shown": shown, "gone": str(gone)})
    return model_of(structure, values)


def structure_of(place: Place) -> sk.KnowledgeStructure:
    return place if isinstance(place, sk.KnowledgeStructure) else place.structure


def worlds_of(structure: sk.KnowledgeStructure) -> list[sk.World]:
    table = ExplicitEngine().model(structure).table
    return [table.world(row) for row in range(table.size)]


def merged_cells(model: Listed, agent: str, signs: Sequence[Any]) -> Counter[frozenset[Any]]:
    """Return the cells of the merged worlds, with each world's sign and its best rank."""
    classes, levels = model.classes(("shown", "gone")), model.levels(agent)
    found = set()
    for cell in model.cells(agent):
        best: dict[int, tuple[bool, ...]] = {}
        for place in cell:
            best[classes[place]] = max(best.get(classes[place], ()), levels[place])
        order = sorted(set(best.values()), reverse=True)
        ranks = {one: order.index(level) + 1 for one, level in best.items()}
        found.add(frozenset((one, rank if len(order) > 1 else 0) for one, rank in ranks.items()))
    return Counter(frozenset((signs[one], rank) for one, rank in members) for members in found)


def sign(panel: ReadPanel, name: str) -> tuple[Any, ...]:
    world = panel.worlds[name]
    return world.values, world.number, "vanishes" in world.marks


@pytest.mark.parametrize("name", WHOLE)
def test_worlds_and_cells_match_the_explicit_engine(name: str) -> None:
    told = WHOLE[name]()
    made = drawing(name)
    panels = read(made.svg).panels
    assert len(panels) == len(told.moments)
    laters = [place for _, place in told.moments[1:]]
    for number, panel in enumerate(panels):
        place = told.moments[number][1]
        model = listed(place, told.naming, laters[number] if number < len(laters) else None)
        structure, shown = structure_of(place), made.pictures[number].shown
        classes = model.classes(("shown", "gone"))
        signs: dict[int, Any] = {}
        for one, point in zip(classes, model.points, strict=True):
            values = told.naming.values(structure, point.values)
            said = tuple(sorted((name, values[name]) for name in shown if name in values))
            signs[one] = (said, classes.count(one), point.values["gone"] == "True")
        by_class = [signs[one] for one in sorted(signs)]
        assert Counter(sign(panel, world) for world in panel.worlds) == Counter(by_class)
        assert sum(world.number for world in panel.worlds.values()) == len(model.points)
        for agent in structure.agents:
            drawn = Counter(
                frozenset(
                    (sign(panel, world), cell.ranks[at] if cell.ranks else 0)
                    for at, world in enumerate(cell.worlds)
                )
                for cell in panel.cells
                if agent in cell.agents
            )
            assert drawn == merged_cells(model, agent, by_class)
        actual = [world for world in panel.worlds.values() if "actual" in world.marks]
        if isinstance(place, sk.Scene):
            here = worlds_of(structure).index(dict(place.world))
            assert [sign(panel, world.name) for world in actual] == [signs[classes[here]]]
        else:
            assert not actual


def test_worlds_that_look_the_same_are_merged() -> None:
    told = story("agents a, b\nfluent p\nfluent q\na sees p\nb sees p\nactual p, q")
    picture = draw(told.moments[0][1], fluents=["p"]).pictures[0]
    assert [(world.label, world.number) for world in picture.worlds] == [
        (("p",), 2),
        (("not p",), 2),
    ]
    assert "which stand for 4" in picture.describe()
    # A world in which a knows p differs, although the shown values are the same.
    told = story("agents a, b\nfluent p\nfluent q\na sees p & q\nactual p, q")
    picture = draw(told.moments[0][1], fluents=["p"]).pictures[0]
    assert sorted((world.label, world.number) for world in picture.worlds) == [
        (("not p",), 2),
        (("p",), 1),
        (("p",), 1),
    ]


def test_a_neighbourhood_is_a_part_of_the_model() -> None:
    """The test uses the 140 deals of the Russian cards."""
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
        # Two cards changed hands, which is the minimum.
        if depth == 1:
            differ = [sum(w[n] != scene.world[n] for n in w) for w in found.worlds[1:]]
            assert set(differ) == {2}
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
            # The same number of other worlds was searched for in the cell of the actual world.
            assert places.count(places[0]) > width


def test_the_steps_of_a_way_exist_in_the_model() -> None:
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


def test_worlds_where_the_formula_is_true_are_grey() -> None:
    told = story_of(puzzle("muddy_children").problem(3))
    scene = told.moments[1][1]
    formula = "Kw[1] muddy(1)"
    panel = read(draw_story([("", scene)], Options(formula=formula)).svg).panels[0]
    assert isinstance(scene, sk.Scene)
    grey = {world.values for world in panel.worlds.values() if "true" in world.marks}
    assert grey == {(("muddy(1)", "true"), ("muddy(2)", "false"), ("muddy(3)", "false"))}


def test_worlds_that_the_agent_of_a_perspective_considers_possible_are_marked() -> None:
    told = classic("muddy_children", 3)
    scene = told.moments[1][1]
    assert isinstance(scene, sk.Scene)
    for agent in scene.structure.agents:
        panel = read(draw(scene.perspective(agent)).svg).panels[0]
        seen = sum("seen" in world.marks for world in panel.worlds.values())
        assert seen == ExplicitEngine().worlds(scene.perspective(agent))
        assert not any("actual" in world.marks for world in panel.worlds.values())
