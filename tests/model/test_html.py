"""The HTML for notebooks: complete, plain, and escaped."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import symkripke as sk
from symkripke.model.html import MOST_ROWS, table
from symkripke.problems.checker import check
from symkripke.problems.reader import read


@pytest.fixture
def scene() -> sk.Scene:
    p, die = sk.Fluent("p"), sk.Fluent("die", ("1", "2"))
    names = sk.Vocabulary.of((p, die), ("ann", "bob"))
    structure = sk.KnowledgeStructure.of(
        names,
        [sk.Constraint(sk.parse("p -> die = 2"), "a <b>rule</b> & more")],
        {"ann": [sk.Observable(sk.Atom("p"), 'ann\'s "eyes" <script>')]},
    )
    return sk.Scene.of(structure, {"p": "true", "die": "2"})


def cells(html: str) -> list[list[str]]:
    """Return the rows of all tables; fail if the HTML is not well-formed."""
    root = ElementTree.fromstring(f"<div>{html}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


def test_structures_show_fluents_observers_and_law(scene: sk.Scene) -> None:
    html = scene.structure._repr_html_()
    assert cells(html) == [
        ["fluent", "values"],
        ["p", "true or false"],
        ["die", "1, 2"],
        ["agent", "observes"],
        ["ann", "p"],
        ["bob", "nothing"],
        ["constraint", "source"],
        ["p -> die = 2", "a <b>rule</b> & more"],
    ]
    assert "<b>" not in html
    assert "-&gt;" in html


def test_scenes_show_the_world_and_perspectives_the_observations(scene: sk.Scene) -> None:
    assert ["die", "2"] in cells(scene._repr_html_())
    seen = scene.perspective("ann")._repr_html_()
    assert ["p", "true", 'ann\'s "eyes" <script>'] in cells(seen)
    assert "<script" not in seen
    # Of the actual world, only the part that Ann has seen is shown.
    assert ["die", "2"] not in cells(seen)


def test_answers_and_sheets_are_tables(scene: sk.Scene) -> None:
    answer = sk.engine("sat").holds(scene, "K[ann] die = 2")._repr_html_()
    assert [row[-1] for row in cells(answer)] == ["yes", "sat"]
    assert "K[ann] die = 2" in answer
    sheet = sk.engine("sat").sheet(scene.perspective("bob"))._repr_html_()
    assert cells(sheet) == [["", "true", "1", "2"], ["p", "?", "", ""], ["die", "", "?", "?"]]
    known = sk.engine("sat").sheet(scene.perspective("ann"))._repr_html_()
    assert cells(known)[1:] == [["p", "yes", "", ""], ["die", "", "no", "yes"]]


def test_long_tables_are_cut_with_a_note() -> None:
    html = table("x < y", ("n", "m"), [(n, n) for n in range(MOST_ROWS + 5)])
    rows = cells(html)
    assert rows[-1] == ["... and 5 more"]
    assert len(rows) == MOST_ROWS + 2
    assert "x &lt; y" in html


def test_outcomes_of_the_steps_of_a_problem_are_shown() -> None:
    text = "agents a, b\nfluent p, q\nlaw p | q\na sees p\nactual p, q\nwhere? p & ~q\n"
    text += 'valid? K[a] q\nsay "so < so"\nannounce p -> q\nknows? b: p, q\n'
    shown = [outcome._repr_html_() for outcome in check(read(text))]
    facts = [[cell for row in cells(html) for cell in row] for html in shown]
    assert "3 worlds" in facts[0]
    assert "~q" in facts[1]  # this is enough, because the law is p or q
    assert "no" in facts[2]
    assert "so &lt; so" in shown[3]
    assert "now 2 worlds" in facts[4]
    assert ["q", "yes"] in cells(shown[5])
