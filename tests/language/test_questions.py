"""Questions as text: formulas, bare probabilities, and names in any case."""

from __future__ import annotations

import pytest

from symkripke.errors import FormulaError, UnknownName
from symkripke.language import Atom, Chance, parse, parse_question
from symkripke.model import Definition, Fluent, Vocabulary

NAMES = Vocabulary.of(
    [
        Fluent("location(rope)", ("ann", "bob")),
        Fluent("location(Rope_2)", ("ann", "bob")),
        Fluent("wet(ann)"),
        # These names differ only in case.
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


def test_a_bare_probability_is_a_question_but_not_a_formula() -> None:
    asked = parse_question("P[ann](at(rope, bob) & wet(ann))", NAMES)
    assert asked == Chance("ann", parse("at(rope, bob) & wet(ann)", NAMES))
    assert parse_question(str(asked), NAMES) == asked
    with pytest.raises(FormulaError, match="got the end"):
        parse("P[ann](at(rope, bob))", NAMES)
    for text in ("wet(ann)", "P[ann](wet(ann)) >= 1/3", "K[bob] P[ann](wet(ann)) < 1/3 | q"):
        assert parse_question(text, NAMES) is parse(text, NAMES)


@pytest.mark.parametrize(
    ("marked", "fact"),
    [
        ("K[bob] P[ann](q)§", "one of >= > <= < =, got the end"),
        ("P[ann](q) §| q", "one of >= > <= < = or the end, got '|'"),
        ("P[ann](q & §)", "got ')'"),
        ("P[ann, §bob](q)", "one agent, got 2"),
        ("P[§ane](q)", "'ane'"),
        ("K[Ann] at(§Roep, Bob)", "did you mean 'rope'"),
    ],
)
def test_errors_in_questions(marked: str, fact: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_question(marked.replace("§", ""), NAMES)
    assert fact in caught.value.problem
    assert caught.value.column == marked.index("§") + 1


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
def test_case_is_ignored_if_the_name_is_unambiguous(written: str, meant: str) -> None:
    assert parse(written, NAMES) is parse(meant, NAMES)


def test_an_exact_name_takes_precedence_and_ambiguous_ones_are_unknown() -> None:
    assert parse("q & ~Q", NAMES) is Atom("q") & ~Atom("Q")
    two = Vocabulary.of([Fluent("red"), Fluent("RED")], ("Ann", "ANN"))
    with pytest.raises(FormulaError, match="unknown proposition 'Red'; did you mean"):
        parse("Red", two)
    with pytest.raises(FormulaError, match="unknown agent 'ann'; did you mean"):
        parse("K[ann] red", two)


def test_each_argument_is_matched_in_its_own_place() -> None:
    odd = Vocabulary.of([Fluent("r(A, a)")], ("ann",))
    assert parse("r(a, A)", odd) is Atom("r(A, a)")
    with pytest.raises(FormulaError, match="unknown argument of r 'b'"):
        parse("r(A, b)", odd)


def test_the_intended_name_of_an_unknown_one() -> None:
    assert UnknownName("card", "Rope", ["rope", "hall"]).meant == "rope"
    assert UnknownName("card", "Rope", ["rope", "ROPE"]).meant is None
    assert UnknownName("card", "rop", ["rope"]).meant is None
