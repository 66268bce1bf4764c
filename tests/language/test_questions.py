"""Questions as text: formulas, bare probabilities, and names in any capitals."""

from __future__ import annotations

import pytest

from symkripke.errors import FormulaError, UnknownName
from symkripke.language import Atom, Chance, Formula, parse, parse_question
from symkripke.model import Definition, Fluent, Vocabulary

NAMES = Vocabulary.of(
    [
        Fluent("location(rope)", ("ann", "bob")),
        Fluent("location(Rope_2)", ("ann", "bob")),
        Fluent("wet(ann)"),
        # Two names that capitals alone keep apart.
        Fluent("q"),
        Fluent("Q"),
    ],
    ("ann", "bob"),
    definitions=[
        Definition(
            "at",
            (("card", ("rope",)), ("place", ("ann", "bob"))),
            lambda card, place: Atom(f"location({card})", place),
        )
    ],
)


def test_a_bare_probability_is_a_question_and_no_formula() -> None:
    asked = parse_question("P[ann](at(rope, bob) & wet(ann))", NAMES)
    assert asked == Chance("ann", parse("at(rope, bob) & wet(ann)", NAMES))
    assert parse_question(str(asked), NAMES) == asked
    with pytest.raises(FormulaError, match="expected one of >= > <= < =, got the end"):
        parse("P[ann](at(rope, bob))", NAMES)


@pytest.mark.parametrize(
    "text", ["wet(ann)", "P[ann](wet(ann)) >= 1/3", "K[bob] P[ann](wet(ann)) < 1/3 | q"]
)
def test_every_formula_is_a_question(text: str) -> None:
    asked = parse_question(text, NAMES)
    assert isinstance(asked, Formula)
    assert asked is parse(text, NAMES)


@pytest.mark.parametrize(
    ("text", "says", "column"),
    [
        ("K[bob] P[ann](q)", "expected one of >= > <= < =, got the end", 17),
        ("P[ann](q) | q", "expected one of >= > <= < =, the end, got '|'", 11),
        ("P[ann](q & )", "got '\\)'", 12),
        ("P[ann, bob](q)", "takes one agent, got 2", 8),
        ("P[ane](q)", "unknown agent 'ane'", 3),
    ],
)
def test_faults_in_questions(text: str, says: str, column: int) -> None:
    with pytest.raises(FormulaError, match=says) as caught:
        parse_question(text, NAMES)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("K[Ann] At(Rope, BOB)", "K[ann] at(rope, bob)"),
        ("Location(Rope) = Ann", "location(rope) = ann"),
        ("location(rope_2) != ANN", "location(Rope_2) != ann"),
        ("Kv[BOB] (Location(ROPE), Wet(Ann))", "Kv[bob] (location(rope), wet(ann))"),
        ("Wet(ANN)", "wet(ann)"),
        ("C[Ann, Bob] wet(ann)", "C[ann, bob] wet(ann)"),
        ("P[Ann](Wet(ann)) >= 1/2", "P[ann](wet(ann)) >= 1/2"),
    ],
)
def test_capitals_do_not_matter_where_one_name_is_meant(written: str, meant: str) -> None:
    assert parse(written, NAMES) is parse(meant, NAMES)


def test_an_exact_name_comes_first_and_two_near_ones_are_none() -> None:
    assert parse("q & ~Q", NAMES) is Atom("q") & ~Atom("Q")
    two = Vocabulary.of([Fluent("red"), Fluent("RED")], ("Ann", "ANN"))
    with pytest.raises(FormulaError, match="unknown proposition 'Red'; did you mean"):
        parse("Red", two)
    with pytest.raises(FormulaError, match="unknown agent 'ann'; did you mean"):
        parse("K[ann] red", two)


def test_names_that_are_known_nowhere_stay_unknown() -> None:
    with pytest.raises(FormulaError, match="unknown card 'Roep'; did you mean 'rope'") as caught:
        parse("K[Ann] at(Roep, Bob)", NAMES)
    assert caught.value.column == 11


def test_each_argument_is_spelled_as_its_place_wants() -> None:
    odd = Vocabulary.of([Fluent("r(A, a)")], ("ann",))
    assert parse("r(a, A)", odd) is Atom("r(A, a)")
    with pytest.raises(FormulaError, match="unknown argument of r 'b'"):
        parse("r(A, b)", odd)


def test_what_is_meant_by_an_unknown_name() -> None:
    assert UnknownName("card", "Rope", ["rope", "hall"]).meant == "rope"
    assert UnknownName("card", "Rope", ["rope", "ROPE"]).meant is None
    assert UnknownName("card", "rop", ["rope"]).meant is None
