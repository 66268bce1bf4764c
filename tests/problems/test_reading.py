"""The meaning of the statements of a problem file."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from symkripke.errors import NoAnswerWithin, ProblemError
from symkripke.language import Atom, Formula, K, parse
from symkripke.language.scanner import Token
from symkripke.limits import within
from symkripke.model import Fluent
from symkripke.problems.checker import check
from symkripke.problems.outcome_words import details, known
from symkripke.problems.problem import Happening, Question, Remark, Whether
from symkripke.problems.reader import Reader, read
from symkripke.problems.syntax import Fault, Statement, Tree, tree
from symkripke.testing.random_models import ALL, BELIEF, Names
from tests.support.strategies import formulas


def formula(written: str, before: str = "fluent p, q, r\nfluent s(i), t(i) for i in 1..3") -> str:
    """Parse a formula, and return it as text."""
    (step,) = read(f"agents a, b\n{before}\nvalid? {written}").steps
    assert isinstance(step, Question)
    return str(step.formula)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("forall i in 1..3: s(i)", "s(1) & s(2) & s(3)"),
        ("exists i in {1, 3}: s(i)", "s(1) | s(3)"),
        ("forall i in 1..2, j in 1..3 if i < j: s(i)", "s(1) & s(2)"),
        ("exactly(2; s(i) for i in 1..3)", "exactly(2; s(1), s(2), s(3))"),
        ("atleast(1 + 1; p, s(i) for i in 1..3 if i != 2)", "atleast(2; p, s(1), s(3))"),
        ("exists i in 1..3 if 1 < i = 2: s(i)", "s(2)"),
        ("exists i in 1..3, j in 1..2 if i <= j + 1: s(i)", "s(1) | s(2) | s(3)"),
        ("forall x in agents if x != a: Kw[x] p", "Kw[b] p"),
        ("exists i in 1..3 if 3 > i >= 2: s(i)", "s(2)"),
        ("p + q * 2 - r = 2", "~p & q & ~r | p & q & r"),
        ("CB[*] p | EB[b] q", "CB[a, b] p | EB[b] q"),
        ("forall i in 1..2: s(i) -> t(i) | p", "(s(1) -> t(1) | p) & (s(2) -> t(2) | p)"),
        ("p & forall i in 1..2: s(i) | q", "p & (s(1) | q) & (s(2) | q)"),
        ("s(4 mod 3) & s(4 div 2)", "s(1) & s(2)"),
        ("E[a, b] p <-> C[*] p", "E[a, b] p <-> C[a, b] p"),
        ("C[x for x in agents if x != a] p", "C[b] p"),
        ("<! p > q", "<!p> q"),
        ("if p then q else r", "(~p | q) & (p | r)"),
        ("p != q", "~(p <-> q)"),
        ("sum(s(i) for i in 1..3) = 3", "s(1) & s(2) & s(3)"),
        ("Kv[a] (p, q)", "Kw[a] p & Kw[a] q"),
        ("true -> p", "p"),
    ],
)
def test_formulas(written: str, meant: str) -> None:
    assert parse(formula(written)) is parse(meant) or formula(written) == meant


NAMED = Names(
    (
        Fluent("p"),
        Fluent("q"),
        Fluent("at(rope, hall)"),
        Fluent("card(a)", ("red", "blue", "green")),
        Fluent("die", ("1", "2", "3")),
    ),
    ("ann", "bob", "cat"),
)
OPERATORS = tuple(operator for operator in (*ALL, *BELIEF) if operator not in ("constant", "Kv"))


@given(formulas(NAMED, operators=OPERATORS))
def test_formulas_in_files_match_the_language(formula: Formula) -> None:
    """Brackets do not change them, and every part of a tree has its own text."""
    start = "agents ann, bob, cat\nfluent p, q, at(x, y) for x in {rope} for y in {hall}\n"
    start += "fluent card(x) in {red, blue, green} for x in {a}\nfluent die in 1..3\n"
    steps = read(f"{start}valid? {formula}\nvalid? (({formula}))\n").steps
    assert [step.formula for step in steps if isinstance(step, Question)] == [formula] * 2
    text = f"law {formula}"
    for part in tree(text).subtrees():
        if part.data in ("conjunction", "disjunction", "comparison", "modal"):
            alone = tree(f"law {text[part.start_pos : part.end_pos]}")
            assert shown(alone) == ("law", shown(part)), text


def shown(node: Tree | Token) -> Any:
    """Return a token as text, or a tree as its rule and its parts."""
    if isinstance(node, Token):
        return str(node)
    return (node.data, *map(shown, node.children))


def test_each_part_has_its_place() -> None:
    text = "law (p & q) & -- a comment\n  f(x, y)#2"
    found = {part.data: text[part.start_pos : part.end_pos] for part in tree(text).subtrees()}
    assert found == {
        "law": text,
        "conjunction": text[4:],
        "name": "f(x, y)#2",
        "term": "f(x, y)#2",
    }
    (last,) = [part for part in tree(text).words() if part == "f"]
    assert (last.line, last.column) == (2, 3)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(", ")"),
        ("~", ""),
        ("p & ", ""),
        ("[!p] ", ""),
        ("[!", "] p"),
        ("f(", ")"),
        ("if p then q else ", ""),
        ("1 + ", ""),
    ],
)
def test_nesting_and_length_have_no_limit(before: str, after: str) -> None:
    text = f"law {before * 2_000}p"
    assert tree(text + after * 2_000).data == "law"
    with pytest.raises(Fault, match="expected"):
        tree(f"{text} )")


def test_limits_apply_to_parsing() -> None:
    with within(seconds=0), pytest.raises(NoAnswerWithin):
        tree(f"law {'p & ' * 1_000}p")


# Files with the answers to their questions: yes, no, or the number of worlds.
STORIES = {
    "comparisons": """\
fluent x, y in 1..4
fluent c in {red, blue}
fluent d in {blue, green}
where? x + y = 7                    -- 8
where? x < y & y < 3                -- 4
where? 1 < x <= y < 3               -- 4
where? c = d                        -- 16
where? c = blue & x * y = 16        -- 2
""",
    "numbers in binary": """\
agents a
fluent x, y in 1..50
a sees x + y
actual x = 20, y = 30
announce x * y = 600
where? x < y                        -- 4
true? Kv[a] (x, y)                  -- no
announce x < y
true? Kv[a] (x, y)                  -- yes
change x := if x < 21 then x + 1 else 1
true? x = 21                        -- yes
where? x = 1 | x#0 < 13             -- 2
""",
    "a formula is shown": """\
agents a, b
fluent p, q
actual p
show a: p <-> q
true? K[a] ~(p <-> q)               -- yes
valid? K[b] Kw[a] (p <-> q)         -- yes
""",
    "late fluents": """\
agents a, b
fluent p
actual p
announce p
fluent coin in {heads, tails} actual tails
show a: coin
true? K[a] coin = tails & ~Kv[b] coin & K[b] Kv[a] coin   -- yes
where? coin = heads                 -- 1
""",
    "definitions": """\
let group = {1, 2}
agents group, 3
fluent p(i), q for i in agents
define some = exists i in group: p(i)
define knows(i, j) = K[i] p(j)
define nested(i) = knows(i, 3) & some
define says(x, f) = p(x) <-> f
define no = ~q
define both(x, f) = says(x, f & q) | K[x] f
valid? nested(2) <-> K[2] p(3) & (p(1) | p(2))                                   -- yes
valid? says(1, (p(2) -> q)) <-> (p(1) <-> (p(2) -> q))                           -- yes
valid? says(2, no) <-> (p(2) <-> ~q)                                             -- yes
valid? both(1, no) <-> ((p(1) <-> ~q & q) | K[1] ~q)                             -- yes
valid? (exists x in group: says(x, K[x] q)) <-> (p(1) <-> K[1] q) | (p(2) <-> K[2] q)  -- yes
valid? says(1, q) <-> says(2, q)                                                 -- no
""",
    "words that are formulas or arguments": """\
agents ann, bob
fluent knight(x) for x in agents
fluent ann
define both(x) = knight(x) & x
define one(x) = forall y in agents: x = y -> knight(y)
valid? both(ann) <-> knight(ann) & ann                                           -- yes
valid? (forall y in agents: knight(y)) <-> knight(ann) & knight(bob)             -- yes
valid? one(ann) & one(bob) <-> knight(ann) & knight(bob)                         -- yes
""",
    "lists with members in common": """\
let l = {a, b}
agents l, a
fluent x in {1..3, 2..4, 3}
where? x != 1                       -- 3
valid? C[a, b] x <= 4               -- yes
valid? CB[l] x <= 4 & B[b | x > 1] x != 1                                        -- yes
""",
}


@pytest.mark.parametrize("name", STORIES)
def test_stories_have_their_answers(name: str) -> None:
    for outcome in check(read(STORIES[name])):
        wanted = STORIES[name].splitlines()[outcome.step.place.line - 1 if outcome.step else 0]
        found = ""
        if outcome.where is not None:
            found = str(outcome.where.number)
        elif outcome.answer is not None:
            found = "yes" if outcome.answer else "no"
        assert found == wanted.partition("-- ")[2], wanted


def test_binary_numbers_are_shown_as_numbers() -> None:
    text = "agents a\nfluent x, y in 1..50\na sees x + y\nactual x = 20, y = 30\n"
    problem = read(f"{text}announce x * y = 600\nwhere? x < y\nknows? a: x, y\n")
    *_, asked, sheet = check(problem)
    assert asked.where is not None
    assert asked.where.worlds[0] == {"x": "12", "y": "50"}
    assert str(asked.where.says).startswith("x = 12 & y = 50 | ")
    assert known(problem, sheet) == {"x": "open: 20, 30", "y": "open: 20, 30"}


def test_steps_know_their_place_and_text() -> None:
    text = (
        "agents a  -- one\n"
        "fluent p\n"
        "\n"
        "actual p\n"
        'say "{1} is a set"\n'
        "let n = 2\n"
        'say "n is {n}"\n'
        "for i in 1..2: { announce p |\n"
        "    ~p; true? K[a] p }\n"
        "announce whether p\n"
    )
    steps = read(text).steps
    kinds = [type(step) for step in steps]
    assert kinds == [Remark, Remark, Happening, Question, Happening, Question, Whether]
    assert [(step.place.line, step.place.column) for step in steps][2:4] == [(8, 18), (9, 9)]
    assert steps[2].text == "announce p | ~p   (i = 1)"
    assert [step.says for step in steps if isinstance(step, Remark)] == ["{1} is a set", "n is 2"]
    question = steps[3]
    assert isinstance(question, Question)
    assert question.formula is K("a", parse("p"))


def test_constants_from_outside() -> None:
    text = "let n = 2\nlet m = 2 * n\nfluent p(i) for i in 1..m\n"
    assert len(read(text).structure.vocabulary.fluents) == 4
    assert len(read(text, constants={"n": 5}).structure.vocabulary.fluents) == 10


def test_names_belong_to_their_own_file() -> None:
    """Arguments of definitions are cached, but not with the formula of another file."""
    text = "agents ann\nfluent a, b\ndefine p = {}\ndefine either(x) = x | b\nvalid? either(p)\n"
    for formula, meant in (("a", "a | b"), ("b", "b")):
        (asked,) = read(text.format(formula)).steps
        assert isinstance(asked, Question)
        assert asked.formula is parse(meant)


def test_reasons_about_long_products_are_short() -> None:
    text = "fluent x, y in 1..200\nactual x = 3, y = 4\ntrue? x * x * x * x * y * y = 1296\n"
    problem = read(text)
    _, outcome = check(problem, count=False)
    told = [line.text for line in details(problem, outcome, why=True)]
    assert told == ["x * x * x * x * y * y = 1296: this is the case"]


def test_a_copy_does_not_affect_its_reader() -> None:
    """This includes definitions at the beginning of a rejected statement."""
    reader = Reader()
    for number, text in enumerate(("agents a", "fluent p, q"), 1):
        reader.take(Statement(text, number))
    with pytest.raises(ProblemError, match="unknown name 'r'"):
        reader.copy().take(Statement("{ define d = p; law d & r }", 3))
    for number, text in enumerate(("define d = q", "law d"), 3):
        reader.take(Statement(text, number))
    assert [constraint.formula for constraint in reader.law] == [Atom("q")]
