"""Reasons for conjunctions, definitions inside them, numbers, and facts at other worlds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.reasons import whole_evidence
from symkripke.explain import Possible
from symkripke.language import Atom, K, parse
from symkripke.limits import current
from symkripke.model import Change, Event, Fluent, KnowledgeStructure, Observable, Scene, Vocabulary
from symkripke.problems.outcome_words import minimal_proof
from symkripke.testing.engines import check_links
from tests.support.golden import log_file

LUCKY = """
agents ann, bob, cath
fluent p, q, r
ann sees p
bob sees q
law p | q
law p | r
actual p, q, r
define lucky = (p | q) & ~K[cath] p
"""


def told(folder: Path, *questions: str, words: tuple[str, ...] = ()) -> str:
    """Return the output of `symkripke check --why` for these questions."""
    file = folder / "lucky.skp"
    file.write_text(LUCKY.lstrip() + "".join(f"true? {asked}\n" for asked in questions))
    result = CliRunner().invoke(group, ["check", str(file), "--why", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("D[ann, bob] (p & q & ~K[cath] p)", "ann and bob together know that"),
        ("C[ann, bob] ((p | q) & (p | r) & ~K[cath] p)", "it is common knowledge between"),
        ("K[ann] K[bob] ((p | q) & ~K[cath] p)", "ann knows that bob knows that"),
        ("K[ann] C[*] ((p | q) & ~K[cath] p)", "ann knows that it is common knowledge that"),
    ],
)
def test_each_part_of_a_conjunction_has_its_reason(tmp_path: Path, asked: str, known: str) -> None:
    lines = told(tmp_path, asked).splitlines()
    facts = [line for line in lines if "One fact proves it" in line]
    assert facts
    assert all(line.startswith(f"    {known}") for line in facts)
    (silence,) = (line for line in lines if "This is true in every possible case" in line)
    assert silence.startswith(f"    {known}")
    assert "cath does not know that p. This is true" in silence


def test_facts_that_are_common_knowledge_have_one_list(tmp_path: Path) -> None:
    assert "These 2 facts prove it:" in told(tmp_path, "C[ann, bob] ((p | q) & (p | r))")


def test_a_definition_keeps_its_name_in_a_larger_formula(tmp_path: Path) -> None:
    for asked in ("C[ann, bob] (lucky & ~K[bob] r)", "K[ann] K[bob] (~K[bob] r & lucky)"):
        first = told(tmp_path, asked).splitlines()[2]
        assert "lucky is true" in first
        assert "K[" not in first
    both = told(tmp_path, "C[ann, bob] (lucky & (p | r))").splitlines()[2]
    assert "both that lucky is true and that p or r" in both


def reason(log: str, turn: int, formula: str, *words: str) -> str:
    """Return the output of `symkripke ask --why`."""
    path = str(log_file(log))
    result = CliRunner().invoke(group, ["ask", path, formula, "--at", str(turn), "--why", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_refuting_fact_describes_the_actual_deal() -> None:
    said = reason("kwartet-classic-4", 6, "K[ann] holds_group(bob, super_heroes)")
    fact = "Bob does not hold a card of the group Super heroes"
    assert f"    everything as in reality: {fact}\n" in said


def test_public_observations_belong_to_the_reason() -> None:
    said = reason("kwartet-classic-4", 6, "Kw[ann] laid_down(farm_animals)").splitlines()
    assert said[1].startswith("  Ann knows whether the group Farm animals is laid down")
    assert said[2] == "    everybody saw it (the deal: Bob laid down Farm animals)"


# ---- reasons at other worlds ------------------------------------------------------------------


def test_reasons_at_other_worlds_are_in_the_data() -> None:
    asked = ("cluedo-classic-6", 20, "K[plum] ~K[green] at(library, scarlett)")
    why = json.loads(reason(*asked, "--json"))["why"]
    (there,) = why["worlds"][0]["why"]
    assert (why["kind"], there["kind"]) == ("possible", "known")
    assert there["formula"].startswith("K[green]")
    text = reason(*asked)
    assert there["sources"]
    assert all(source["words"] in text for source in there["sources"])


def test_reasons_at_other_worlds_come_from_the_chosen_engine(tmp_path: Path) -> None:
    asked = "M[ann] K[bob] p"
    by_sat = told(tmp_path, asked, words=("--engine", "sat"))
    assert "bob knows that p. These 2 facts prove it:" in by_sat
    by_lists = told(tmp_path, asked, words=("--engine", "explicit"))
    assert "bob knows that p (the search for a reason" in by_lists


def test_reasons_at_other_worlds_obey_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float | None] = []

    def watched(*given: Any) -> Any:
        limit = current()
        left.append(None if limit is None else limit.seconds_left())
        return Scene(*given)

    monkeypatch.setattr("symkripke.engines.reasons.Scene", watched)
    formula = "K[plum] ~K[green] at(library, scarlett)"
    reason("cluedo-classic-6", 20, formula, "--seconds", "30000")
    assert left
    assert all(seconds is not None and 10_000 < seconds <= 15_000 for seconds in left)


def test_reasons_at_other_worlds_name_versions_before_a_change() -> None:
    """Bob saw p before it was turned, so the reason must name its older version."""
    sees = {"bob": [Observable(Atom("p"), "sees p")]}
    structure = KnowledgeStructure.of(Vocabulary.of([Fluent("p")], ["ann", "bob"]), [], sees)
    turn = Event("p is turned", changes=(Change("p", (("true", ~Atom("p")),)),))
    scene = Scene.of(structure, {"p": "false"}).update(turn)
    answer = engine().holds(scene, "K[ann] ~K[bob] p#0")
    found = whole_evidence(answer, scene.structure, engine())
    assert isinstance(found, Possible)
    check_links(found, scene, ExplicitEngine(), 0)
    assert [reason.formula for reason in found.worlds[0].reasons] == [K("bob", Atom("p"))]


# ---- numbers ----------------------------------------------------------------------------------


def test_a_minimal_proof_of_a_fact() -> None:
    stated = {"a": parse("p"), "b": parse("p -> q"), "c": parse("q | r"), "d": parse("r")}
    assert minimal_proof(stated, parse("q")) == ("a", "b")
    assert minimal_proof({"c": stated["c"]}, parse("q")) is None
    assert minimal_proof({"k": parse("K[ann] q")}, parse("q")) is None


NUMBERS = """
agents sam, polly
fluent x, y in 2..25
law "x before y": x < y
law x + y <= 26
sam sees x + y
polly sees x * y
actual x = 4, y = 13
true? K[sam] x + y = 17
true? K[polly] x * y = 52
true? K[polly] (x = 4 & y = 13)
"""


def test_reasons_about_numbers_are_minimal(tmp_path: Path) -> None:
    file = tmp_path / "numbers.skp"
    file.write_text(NUMBERS.lstrip())
    shown = CliRunner().invoke(group, ["check", str(file), "--why"]).stdout
    assert "sam knows that x + y = 17. One fact proves it:\n    1. x + y = 17" in shown
    assert "polly knows that x * y = 52. One fact proves it:\n    1. x * y = 52" in shown
    assert shown.count("law x + y <= 26") == shown.count("x before y")
    # Here the law x + y <= 26 can replace y in 2..25: either excludes 2 * 26. The rest is needed.
    for line in ('law "x before y": x < y\n', "polly sees x * y\n"):
        file.write_text(NUMBERS.lstrip().replace(line, ""))
        assert "no  true? K[polly] (x = 4" in CliRunner().invoke(group, ["check", str(file)]).stdout
