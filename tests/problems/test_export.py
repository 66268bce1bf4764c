"""Exported questions, answered by other solvers, and exported pictures of models."""

from __future__ import annotations

import re
from typing import Any

import pytest

import symkripke as sk
from symkripke.engines import engine
from symkripke.errors import (
    BudgetExceeded,
    InputError,
    TooManyNodes,
    TooManyWorlds,
    UnknownName,
    Unsupported,
)
from symkripke.language import formulas as f
from symkripke.model import EpistemicState, Fluent, KnowledgeStructure, Vocabulary
from symkripke.problems.export import FORMATS, _more_than, export
from symkripke.testing.random_models import BOOLEAN, KNOWLEDGE, seeded_case
from tests.support.solvers import by_expansion, by_sat, by_smt, read_qdimacs

OPERATORS = (*BOOLEAN, *KNOWLEDGE, "announced", "announced_true", "K", "M", "K", "M")


def truth(place: EpistemicState | KnowledgeStructure, formula: f.Formula) -> bool:
    """Return our own answer."""
    if isinstance(place, KnowledgeStructure):
        return bool(engine().valid(place, formula))
    return bool(engine().holds(place, formula))


def question(seed: int) -> tuple[EpistemicState | KnowledgeStructure, f.Formula]:
    """Return a random question: about a scene, every world, or an agent's observations."""
    scene, (formula,) = seeded_case(
        seed, depth=2 + seed % 2, operators=OPERATORS, most_events=2, most_fluents=3
    )
    if seed % 4 == 1:
        return scene.structure, formula
    if seed % 4 == 2:
        return scene.perspective("ann"), f.K("ann", formula)
    if seed % 4 == 3:
        return scene.perspective("bob"), f.Kw("bob", formula)
    return scene, formula


@pytest.mark.parametrize("block", range(3))
def test_other_solvers_give_the_same_answers(block: int) -> None:
    """They answer 120 random questions: in SMT-LIB, in QDIMACS and, if possible, in DIMACS."""
    asked = {"dimacs": 0, "qdimacs": 0, "alternating": 0}
    for seed in range(40 * block, 40 * block + 40):
        place, formula = question(seed)
        ours = truth(place, formula)
        assert by_smt(export(place, formula, "smtlib")) == ours, (seed, formula)
        text = export(place, formula, "qdimacs")
        if (expanded := by_expansion(text)) is not None:
            assert expanded == ours, (seed, formula)
            asked["qdimacs"] += 1
            asked["alternating"] += any(every for every, _ in read_qdimacs(text)[0])
        try:
            text = export(place, formula, "dimacs")
        except Unsupported:
            continue
        asked["dimacs"] += 1
        assert by_sat(text) == ours, (seed, formula)
    assert asked["dimacs"] >= 20
    assert asked["qdimacs"] >= 24
    assert asked["alternating"] >= 3


def test_an_agents_own_knowledge_needs_only_its_observations() -> None:
    mine = scene().perspective("bob")
    for text, form in (("K[bob] (p | q)", "dimacs"), ("~M[bob] K[ann] p", "qdimacs")):
        assert "by what bob has seen" in export(mine, text, form)
        assert by_smt(export(mine, text, "smtlib")) == truth(mine, sk.parse(text))
    with pytest.raises(InputError, match=r"export K\[bob\] \(p\) instead"):
        export(mine, "p", "dimacs")


# ---- the texts --------------------------------------------------------------------------------


def test_the_text_states_its_question_and_is_deterministic() -> None:
    place, formula = question(8)
    for form in FORMATS:
        assert export(place, formula, form) == export(place, formula, form)
    text = export(scene(), "K[ann] p", "dimacs")
    assert text == (
        "c Is this true at the actual world?\n"
        "c   K[ann] p\n"
        "c satisfiable: it is false; unsatisfiable: it is true\n"
        "c world 0: the actual world\n"
        "c world 1: a world that ann cannot tell from world 0\n"
        "c variable 1: p@1\n"
        "p cnf 1 1\n"
        "-1 0\n"
    )


def test_counting_constraints_become_clauses_of_moderate_size() -> None:
    fluents = [Fluent(f"x({n})") for n in range(40)]
    law = [sk.Constraint(sk.exactly(20, [sk.Atom(one.name) for one in fluents]), "half of them")]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, ("ann",)), law, {})
    some = ", ".join(one.name for one in fluents)
    text = export(structure, f"K[ann] atleast(20; {some})", "dimacs")
    assert "c each other variable names a part of the formula, or helps to count parts\n" in text
    (clauses,) = re.findall(r"^p cnf \d+ (\d+)$", text, re.MULTILINE)
    assert int(clauses) < 20_000


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        ("C[ann, bob] p", "qdimacs", "C\\[...\\] .* cannot be exported: any number of steps"),
        ("P[ann](p) >= 1/2", "smtlib", "P\\[...\\] .* do not weigh worlds"),
        ("K[ann] M[bob] q", "dimacs", "for all worlds and for some world"),
    ],
)
def test_questions_that_a_format_cannot_express_are_refused(
    text: str, form: str, message: str
) -> None:
    with pytest.raises(Unsupported, match=message):
        export(scene(), text, form)


def test_wrong_names_and_endless_questions_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName, match="did you mean 'dimacs'"):
        export(scene(), "p", "dimcas")
    with pytest.raises(InputError, match="unknown"):
        export(scene(), "K[ann] pp", "dimacs")
    deep = scene().structure
    for number in range(14):  # each announcement is about all previous ones
        deep = deep.announce(f"~Kw[{'ann' if number % 2 else 'bob'}] (p & q)")
    monkeypatch.setattr("symkripke.problems.export.quantified._MOST_COPIES", 50)
    with pytest.raises(BudgetExceeded, match="more than 50 worlds"):
        export(deep, "K[ann] p", "smtlib")


# ---- pictures ---------------------------------------------------------------------------------


def scene() -> sk.Scene:
    """Return a scene in which Ann sees q, Bob sees nothing, and p or q is true."""
    names = sk.Vocabulary.of([sk.Fluent("p"), sk.Fluent("q")], ("ann", "bob"))
    law = [sk.Constraint(sk.parse("p | q"), "one of them")]
    seen = {"ann": [sk.Observable(sk.Atom("q"), "in front of her")]}
    structure = KnowledgeStructure.of(names, law, seen)
    return sk.Scene.of(structure, {"p": "true", "q": "true"})


def test_a_picture_shows_worlds_and_indistinguishability() -> None:
    lines = export(scene(), "p", "dot").splitlines()
    labels = {line.split("label=")[1]: line for line in lines if re.match(r"  w\d+ \[", line)}
    assert {label.partition(",")[0].rstrip("];") for label in labels} == {'"q"', '"p"', '"p\\nq"'}
    assert sum("fillcolor" in line for line in labels) == 2
    edges = [line for line in lines if "--" in line]
    assert [sum(f'"{agent}"' in line for line in edges) for agent in ("ann", "bob")] == [1, 2]
    assert len({colour for line in edges for colour in re.findall(r"#\w+", line)}) == 2
    # A perspective marks all worlds that its agent considers possible.
    assert sum("peripheries=2" in line for line in lines) == 1
    assert export(scene().perspective("bob"), "p", "dot").count("peripheries=2") == 3


def test_the_worlds_of_a_picture_are_counted_before_they_are_listed() -> None:
    fluents = [Fluent(f"p({n})") for n in range(200)]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, ["ann"]), [], {})
    with pytest.raises(TooManyWorlds, match=r"1,606,.* worlds, and a picture has at most 100"):
        export(structure, "p(0)", "dot")


def test_worlds_are_found_one_by_one_if_a_diagram_has_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Too many worlds are never listed, and versions of a fluent are distinguished."""

    def worlds(*_: Any) -> int:
        raise TooManyNodes("no room")

    monkeypatch.setattr("symkripke.engines.bdd.BddEngine.worlds", worlds)
    fluents = [Fluent(f"p({n})") for n in range(200)]
    many = KnowledgeStructure.of(Vocabulary.of(fluents, ["ann"]), [], {})
    with pytest.raises(TooManyWorlds, match="more than 100 worlds, and a picture has at most 100"):
        export(many, "p(0)", "dot")
    few = KnowledgeStructure.of(Vocabulary.of(fluents[:2], ["ann"]), [], {})
    turned = (("true", sk.parse("~p(0)")), ("false", sk.parse("p(0)")))
    change = sk.Change("p(0)", turned, "it is turned over")
    after = few.update(sk.Event("it is turned over", (), changes=(change,)))
    assert _more_than(3, after) == "more than 3"
    assert not _more_than(4, after)
