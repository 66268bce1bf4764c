"""Drawing from Python: options, errors, notebooks, stories."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import symkripke as sk
from symkripke.drawing import MOST_NEAR, MOST_WORLDS, Options, draw, draw_story, draw_way
from symkripke.drawing.drawing import MOST_IN_STORY, MOST_PANELS
from symkripke.errors import ImpossibleEvent, InputError, TooManyWorlds
from tests.drawing.gallery import classic, cluedo_moment, drawing, story
from tests.drawing.reading import read


@pytest.fixture(scope="module")
def muddy() -> sk.Scene:
    scene = classic("muddy_children", 3).moments[1][1]
    assert isinstance(scene, sk.Scene)
    return scene


def test_structures_scenes_and_perspectives_are_drawn(muddy: sk.Scene) -> None:
    for place, marked in (
        (muddy.structure, 0),
        (muddy, 1),
        (muddy.perspective("2"), 2),
    ):
        made = place.draw()
        panel = read(made.svg).panels[0]
        assert len(panel.worlds) == 7
        marks = [mark for world in panel.worlds.values() for mark in world.marks]
        assert len(marks) == marked


def test_a_moment_of_a_game_is_drawn() -> None:
    moment = cluedo_moment()
    made = moment.draw(near=1, agents=["plum", "green"])
    assert made.pictures[0].agents == ("plum", "green")
    assert len(made.pictures[0].worlds) >= 2
    why = moment.draw(why="K[plum] K[green] at(library, scarlett)")
    assert [step.agents for step in why.pictures[0].steps] == [("plum",), ("green",)]
    assert any("*" in line for line in why.pictures[0].worlds[1].label)


def test_small_models_are_shown_in_notebooks(muddy: sk.Scene) -> None:
    for place in (muddy, muddy.structure, muddy.perspective("2")):
        html = place._repr_html_()
        assert html.count("<svg") == 1
        assert "<table>" in html
    assert "<svg" not in cluedo_moment().state._repr_html_()
    made = draw(muddy)
    assert made._repr_svg_() == made.svg
    assert repr(made).endswith(": 7 worlds>")


def test_two_pictures_on_one_page_have_different_ids(muddy: sk.Scene) -> None:
    texts = (draw(muddy).svg, draw(muddy.structure).svg)
    names = [set(re.findall(r' id="([^"]+)"', text)) for text in texts]
    assert not names[0] & names[1]


def test_a_page_is_self_contained(muddy: sk.Scene, tmp_path: Path) -> None:
    made = draw(muddy, "Kw[1] muddy(1)", title="Muddy <children>")
    made.save(tmp_path / "a.svg")
    made.save(tmp_path / "a.html")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == made.svg
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == made.html
    assert "<h1>Muddy &lt;children&gt;</h1>" in page
    assert made.svg in page
    assert "<script" not in page
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    assert page.count("<tr>") == 8
    assert "Grey: Kw[1]" in page


def test_remaining_worlds_keep_their_places() -> None:
    for name in ("cheryls-birthday", "cards-three-players", "three-hats", "drinking-logicians"):
        before, after = read(drawing(name).svg).panels[:2]
        left = {w.values: w.box for w in before.worlds.values() if "vanishes" not in w.marks}
        now = {world.values: world.box for world in after.worlds.values()}
        assert left.keys() == now.keys()
        moves = {
            (round(now[values].x - box.x), round(now[values].y - box.y))
            for values, box in left.items()
        }
        assert max(x for x, _ in moves) - min(x for x, _ in moves) <= 1
        assert max(y for _, y in moves) - min(y for _, y in moves) <= 1


def test_a_world_vanishes_if_it_has_no_future() -> None:
    """This includes worlds that new fluents split, and later models too large to be listed."""
    told = story("agents a\nfluent p\nfluent q\nactual p, q\nshow a: p\nannounce p | q")
    panels = read(draw_story(told.moments, Options(naming=told.naming)).svg).panels
    gone = [sum("vanishes" in w.marks for w in panel.worlds.values()) for panel in panels]
    assert gone == [0, 1, 0]
    told = classic("russian_cards")
    moments = [("before", told.moments[0][1]), ("after", told.moments[1][1])]
    panel = read(draw_story(moments, Options(near=1, width=3, naming=told.naming)).svg).panels[0]
    scene = told.moments[1][1]
    assert isinstance(scene, sk.Scene)
    assert 0 < sum("vanishes" in w.marks for w in panel.worlds.values()) < len(panel.worlds)


def test_layouts_can_be_chosen(muddy: sk.Scene) -> None:
    for layout in ("lines", "table"):
        assert read(draw(muddy, layout=layout).svg).panels[0].kind == layout
    two = draw(muddy, agents=["1", "2"], layout="areas")
    assert read(two.svg).panels[0].kind == "areas"


def test_labels_group_families_of_fluents() -> None:
    fluents = "fluent p\nfluent at(x) in {l, r} for x in 1..2\nfluent on(x) for x in 1..2"
    told = story(f"agents a\n{fluents}")
    labels = {world.label for world in draw(told.moments[0][1]).pictures[0].worlds}
    assert ("p", "at 1 = l", "at 2 = l", "on: 1, 2") in labels
    assert ("not p", "at 1 = r", "at 2 = r", "on: none") in labels


@pytest.mark.parametrize(
    ("options", "fact"),
    [
        ({"agents": ["zoe"]}, "'zoe'"),
        ({"fluents": ["mud"]}, "'mud'"),
        ({"layout": "round"}, "'round'"),
        ({"layout": "areas"}, "areas"),
        ({"near": 0}, "got 0"),
        ({"why": "K[1] ~muddy(2)"}, "yes"),
    ],
)
def test_bad_options(muddy: sk.Scene, options: dict[str, Any], fact: str) -> None:
    with pytest.raises(InputError, match=fact):
        draw(muddy, **options)


def test_models_without_anything_to_draw(muddy: sk.Scene) -> None:
    for options in ({"near": 1}, {"why": "K[1] muddy(1)"}):
        with pytest.raises(InputError, match="actual world"):
            draw(muddy.structure, **options)
    with pytest.raises(InputError, match="actual world"):
        draw_way(muddy.structure, "muddy(1)", Options())
    with pytest.raises(ImpossibleEvent):
        draw(muddy.structure.announce("muddy(1) & ~muddy(1)"))
    with pytest.raises(InputError, match="no moment"):
        draw_story([], Options())
    with pytest.raises(InputError, match="must come after"):
        draw_story([("a", muddy.structure.announce("muddy(1)")), ("b", muddy)], Options())


def test_large_models_are_refused_with_the_bound(muddy: sk.Scene) -> None:
    with pytest.raises(TooManyWorlds, match="near the actual world"):
        cluedo_moment().at(0).draw()
    place = classic("muddy_children", 7).moments[1][1]
    with pytest.raises(TooManyWorlds, match=f"127 worlds.* {MOST_WORLDS}"):
        draw(place)
    with pytest.raises(TooManyWorlds, match=f"more than {MOST_NEAR} worlds"):
        draw(place, near=4, width=40)
    whole = classic("prisoners")
    with pytest.raises(TooManyWorlds, match=f"at most {MOST_IN_STORY}"):
        draw_story(whole.moments, Options(naming=whole.naming))
    with pytest.raises(InputError, match=f"at most {MOST_PANELS}"):
        draw_story([("again", muddy)] * (MOST_PANELS + 1), Options())


def test_worlds_are_found_without_a_diagram(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are found one by one if the diagram has no room."""
    scene = classic("muddy_children", 3).moments[1][1]
    wanted = draw(scene).svg
    monkeypatch.setattr("symkripke.drawing.finding._NODES", 4)
    assert draw(scene).svg == wanted
    with pytest.raises(TooManyWorlds, match="more than 120 worlds"):
        draw(classic("muddy_children", 7).moments[1][1])


def test_the_data_match_the_picture(muddy: sk.Scene) -> None:
    data = draw(muddy).data()
    (picture,) = data["pictures"]
    assert len(picture["worlds"]) == picture["total"] == 7
    assert picture["agents"] == ["1", "2", "3"]
    assert [world["name"] for world in picture["worlds"] if world.get("actual")] == ["w4"]
    assert {cell["more"] for cell in picture["cells"]} == {False}
