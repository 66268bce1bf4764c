"""The parser: meanings of texts, and messages about invalid texts."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symkripke.errors import FormulaError
from symkripke.language import (
    CB,
    EB,
    TRUE,
    Announced,
    AnnouncedTrue,
    Atom,
    B,
    C,
    Formula,
    Iff,
    Implies,
    K,
    Kv,
    Kw,
    Not,
    P,
    exactly,
    negation,
    parse,
)
from symkripke.language.formulas import Modal, linear
from symkripke.language.linear import Sum, constant
from symkripke.model import Definition, DerivedFluent, Fluent, Number, Vocabulary
from tests.support.linear_models import random_formula

p, q, r = Atom("p"), Atom("q"), Atom("r")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("p", p),
        ("((p))", p),
        ("~p & q", Not(p) & q),
        ("~~p", p),
        ("p & q | r", (p & q) | r),
        ("p | q & r", p | (q & r)),
        ("p | q -> r", Implies(p | q, r)),
        ("p -> q -> r", Implies(p, Implies(q, r))),
        ("p -> q <-> r", Iff(Implies(p, q), r)),
        ("p <-> q <-> r", Iff(Iff(p, q), r)),
        ("K[a] p & q", K("a", p) & q),
        ("K[a] p -> q", Implies(K("a", p), q)),
        ("K [ a ] p", K("a", p)),
        ("Kw[a] p | B[b] q", Kw("a", p) | B("b", q)),
        ("B[a | p | q & r] ~q", B("a", ~q, p | (q & r))),
        ("EB[a] CB[a, b] p", EB("a", CB(("a", "b"), p))),
        ("Kv[a] x & p", Kv("a", ["x"]) & p),
        ("Kv[a] (x, f(1)#2)", Kv("a", ["x", "f(1)#2"])),
        ("C[a, b] p", C(("a", "b"), p)),
        ("C[1, 2] p", C(("1", "2"), p)),
        ("[!p] q & r", Announced(p, q) & r),
        ("<!p> <!q> r", AnnouncedTrue(p, AnnouncedTrue(q, r))),
        ("<!P[a](p) > 1/2> q", AnnouncedTrue(P("a", p, ">", Fraction(1, 2)), q)),
        ("P[a](p -> q) <= 0.25", P("a", Implies(p, q), "<=", Fraction(1, 4))),
        ("~P[a](p) = 1 | q", Not(P("a", p, "=", Fraction(1))) | q),
        ("P[a](p) < 2 / 3", P("a", p, "<", Fraction(2, 3))),
        ("exactly(0;)", exactly(0, [])),
        ("exactly (1; p -> q, p)", exactly(1, [Implies(p, q), p])),
        ("x = red & y != 3", Atom("x", "red") & Not(Atom("y", "3"))),
        ("x = true", Atom("x")),
        ("x = false", Not(Atom("x"))),
        ("x != false", Atom("x")),
        ("at( rope ,hall )", Atom("at(rope, hall)")),
        ("at(rope,hall)#3 = x", Atom("at(rope, hall)#3", "x")),
        ("true & ~false", TRUE),
        ("truely", Atom("truely")),
        ("K & M(1) = K", Atom("K") & Atom("M(1)", "K")),
        ("atleast(2)", Atom("atleast(2)")),
        ("P(1) -> C", Implies(Atom("P(1)"), Atom("C"))),
        ("wer_weiß = schön", Atom("wer_weiß", "schön")),
    ],
)
def test_meaning(text: str, formula: Formula) -> None:
    assert parse(text) is formula
    assert parse(str(formula)) is formula


VOCABULARY = Vocabulary.of(
    [
        Fluent("p"),
        Fluent("q"),
        Fluent("at(rope, hall)"),
        Fluent("at(rope, study)"),
        Fluent("at(knife, hall)"),
        Fluent("die", ("1", "2", "3")),
    ],
    ["ann", "bob"],
    definitions=[
        Definition(
            "holds",
            (("agent", ("ann", "bob")), ("card", ("rope", "knife"))),
            lambda agent, card: K(agent, Atom(f"at({card}, hall)")),
        )
    ],
    derived=[DerivedFluent("who", (("ann", p), ("bob", Not(p))))],
)
# A text with a mark before its error, and a name or word of the message.
FAULTS = [
    ("§", "got the end of the text"),
    ("p &§", "'atleast('"),
    ("p & §& q", "a name, an operator such as K[...], '('"),
    ("(p | q§", "a version such as #2, '!=', '&', '(', ')', '->', '<->', '=' or '|', got the end"),
    ("<!p§] q", "'=', '>' or '|', got ']'"),
    ("E[§] p", "a name, a number or '*', got ']'"),
    ("P[ann](p)§", ">= > <= < =, got the end"),
    ("P[ann](p) >= §3/2", "3/2"),
    ("P[ann](p) >= §1/0", "denominator"),
    ("q |\nP[ann](p) >= 0.§" + "9" * 5_000, "5,000 digits"),
    ("p &\natleast(§" + "9" * 5_000 + "; p)", "5,000 digits"),
    ("K[§an] p", "did you mean 'ann'"),
    ("K[ann, §bob] p", "one agent, got 2"),
    ("§K[*] p", "one agent, got '*'"),
    ("§K[ann | p] p", "K[... | ...]"),
    ("§BC[ann] p", "did you mean 'C' or 'B'"),
    ("p & §X[ann] p", "one of K, M, Kw, B, Kv, E, D, C, EB, CB, P"),
    ("at(rope, §hal)", "did you mean 'hall'"),
    ("at(§rop, hall)", "did you mean 'rope'"),
    ("§at(rope)", "2 arguments, got 1: for example at(rope, hall)"),
    ("§die", "die = one of 1, 2, 3"),
    ("die = §4", "1, 2, 3"),
    ("die = 1 &\n  K[ann] (§pp)", "did you mean 'p'"),
    ("§p#3", "p has no version #3"),
    ("§who#1 = ann", "who has no version #1"),
    ("who = §cat", "ann, bob"),
    ("holds(ann, §rop)", "did you mean 'rope'"),
    ("§holds(ann)", "holds(agent, card) takes 2 arguments, got 1"),
    ("§holds(ann, rope)#1", "no versions"),
    ("Kv[ann] (die, §whom)", "did you mean 'who'"),
    ("p\n& q\n& §)", "got ')'"),
]


@pytest.mark.parametrize(("marked", "fact"), FAULTS)
def test_errors_show_their_place(marked: str, fact: str) -> None:
    above, _, below = marked.partition("§")
    text, line, column = above + below, above.count("\n") + 1, len(above) - above.rfind("\n")
    with pytest.raises(FormulaError) as caught:
        parse(text, VOCABULARY)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert fact in error.problem
    place = f"line {line}, column {column}" if "\n" in text else f"column {column}"
    assert str(error).startswith(f"{error.problem} ({place})")
    if 0 < len(text) < 1_000:
        assert str(error).endswith(f"\n  {text.splitlines()[line - 1]}\n{'':{column + 1}}^")


def test_the_caret_is_aligned_below_tabs() -> None:
    with pytest.raises(FormulaError) as caught:
        parse("\tp & r", VOCABULARY)
    assert str(caught.value).endswith("\n  \tp & r\n  \t    ^")


def test_a_star_needs_agents() -> None:
    assert parse("C[*] p", VOCABULARY) is C(("ann", "bob"), p)
    with pytest.raises(FormulaError, match="no agents are declared here"):
        parse("C[*] p")


def test_definitions_and_derived_fluents_are_expanded() -> None:
    assert parse("holds(ann, rope)", VOCABULARY) is K("ann", Atom("at(rope, hall)"))
    assert parse("who = bob", VOCABULARY) is Not(p)
    assert parse("Kv[ann] who", VOCABULARY) is Kv("ann", ["who"])


def test_an_error_does_not_affect_the_parser() -> None:
    with pytest.raises(FormulaError):
        parse("K[nobody] p", VOCABULARY)
    assert parse("K[nobody] p") is K("nobody", p)


@given(st.text(alphabet="pqKMCP[]()!<>-&|~=#;,*01/. \nann", max_size=30))
def test_any_text_is_a_formula_or_an_error_with_a_place(text: str) -> None:
    fault: FormulaError | None = None
    try:
        formula = parse(text, VOCABULARY)
    except FormulaError as error:
        fault = error
    if fault is None:
        assert parse(str(formula)) is formula
    else:
        lines = text.split("\n")
        assert 1 <= fault.line <= len(lines)
        assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1


def test_formulas_keep_no_tokens_of_the_text() -> None:
    for text in ("Kv[ian] x", "B[iris | p] q", "P[ida](p) >= 1/2", "K[ivo] p", "C[ina, ivy] p"):
        read = parse(text)
        assert isinstance(read, Modal)
        assert {type(agent) for agent in read.agents} == {str}
        assert pickle.loads(pickle.dumps(read)) is read


NUMBERS = Vocabulary.of(
    [*(Number(name) for name in "xyz"), Number("t(1, ann)", is_real=True), Fluent("p")],
    ["ann", "bob"],
)


@pytest.mark.parametrize("seed", range(200))
def test_constraints_on_numbers_round_trip(seed: int) -> None:
    chance = random.Random(seed)
    formula = random_formula(chance, seed % 4, common=True)
    assert parse(str(formula), NUMBERS) is formula
    total = Sum.of("t(1, ann)", is_real=True).times(chance.choice((-3, Fraction(-1, 2), 1, 2)))
    total = total.plus(constant(Fraction(chance.randint(-5, 5), chance.choice((1, 3)))))
    real = linear(total, chance.choice(("=", "<=", "<")))
    for each in (real, negation(real)):
        assert parse(str(each), NUMBERS) is each


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2*x - 3 > -y & p", "2 * x + y >= 4 & p"),
        ("<!x < 3> y > 4", "<!x <= 2> y >= 5"),
        ("K[Ann] (x - y) mod 3 != 1", "K[ann] (x + 2 * y) mod 3 != 1"),
        ("t(1,ann) = 1 / 2", "2 * t(1, ann) = 1"),
        ("x = x | x = 1/2", "true"),
    ],
)
def test_forms_of_constraints(text: str, same: str) -> None:
    assert parse(text, NUMBERS) is parse(same, NUMBERS)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x", "x is a number: compare it, as in x = 3"),
        ("x = y + p", r"got '\+'"),
        ("x < t(1, ann)", "integers and reals cannot be in one constraint"),
        ("x = red", "expected an integer as the value of x"),
    ],
)
def test_wrong_constraints(text: str, says: str) -> None:
    with pytest.raises(FormulaError, match=says):
        parse(text, NUMBERS)
