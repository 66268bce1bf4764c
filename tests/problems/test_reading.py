"""What the statements of a problem file mean."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from symkripke.errors import ProblemError
from symkripke.language import Atom, K, disjunction, parse
from symkripke.problems.checker import check
from symkripke.problems.outcome import Outcome, Where
from symkripke.problems.outcome_words import details
from symkripke.problems.problem import Happening, Question, Remark, Whether
from symkripke.problems.reader import Reader, read
from symkripke.problems.syntax import Statement


def told(text: str) -> list[Outcome]:
    return list(check(read(textwrap.dedent(text))))


def answers(text: str) -> list[bool]:
    return [bool(one.answer) for one in told(text) if one.answer is not None]


def places(text: str) -> list[Where]:
    return [one.where for one in told(text) if one.where is not None]


def formula(written: str, before: str = "fluent p, q, r\nfluent s(i), t(i) for i in 1..3") -> str:
    """How a formula is read, as text."""
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
        ("forall i in 1..2: s(i) -> t(i) | p", "(s(1) -> t(1) | p) & (s(2) -> t(2) | p)"),
        ("p & forall i in 1..2: s(i) | q", "p & (s(1) | q) & (s(2) | q)"),
        ("s(4 mod 3) & s(4 div 2)", "s(1) & s(2)"),
        ("K[a] p & q", "K[a] p & q"),
        ("E[a, b] p <-> C[*] p", "E[a, b] p <-> C[a, b] p"),
        ("forall x in agents: Kw[x] p", "Kw[a] p & Kw[b] p"),
        ("C[x for x in agents if x != a] p", "C[b] p"),
        ("<! p > q", "<!p> q"),
        ("<! K[a] p > K[b] q & r", "<!K[a] p> K[b] q & r"),
        ("[! p | q] K[a] p", "[!p | q] K[a] p"),
        ("P[a](p) >= 1/2", "P[a](p) >= 1/2"),
        ("if p then q else r", "(~p | q) & (p | r)"),
        ("p = true", "p"),
        ("p != q", "~(p <-> q)"),
        ("sum(s(i) for i in 1..3) = 3", "s(1) & s(2) & s(3)"),
        ("Kv[a] (p, q)", "Kw[a] p & Kw[a] q"),
        ("true -> p", "p"),
    ],
)
def test_formulas(written: str, meant: str) -> None:
    assert parse(formula(written)) is parse(meant) or formula(written) == meant


def test_a_formula_of_the_language_is_read_as_the_language_reads_it() -> None:
    for written in ("p -> q -> r", "p <-> q <-> r", "~p & q | r", "K[a] M[b] ~p", "Kw[a] K[b] p"):
        assert formula(written) == str(parse(written))


def test_comparisons_of_fluents() -> None:
    text = """\
        fluent x, y in 1..4
        fluent c in {red, blue}
        fluent d in {blue, green}
        where? x + y = 7
        where? x < y & y < 3
        where? 1 < x <= y < 3
        where? c = d
        where? c = blue & x * y = 16
        """
    found = places(text)
    assert [one.number for one in found] == [2 * 4, 1 * 4, 1 * 4, 16, 2]
    assert str(found[3].says) == "c = blue & d = blue"


def test_numbers_in_binary_are_told_as_numbers() -> None:
    text = """\
        agents a
        fluent x, y in 1..50
        a sees x + y
        actual x = 20, y = 30
        announce x * y = 600
        where? x < y
        knows? a: x, y
        true? Kv[a] (x, y)
        announce x < y
        knows? a
        """
    out = told(text)
    where = next(one.where for one in out if one.where is not None)
    assert (where.number, where.worlds) == (4, ({"x": "12", "y": "50"}, *where.worlds[1:]))
    assert str(where.says).startswith("x = 12 & y = 50 | ")
    assert [bool(one.answer) for one in out if one.answer is not None] == [False]
    from symkripke.problems.outcome_words import known

    problem = read(textwrap.dedent(text))
    sheets = [known(problem, one) for one in out if one.sheet is not None]
    assert sheets == [
        {"x": "open: 20, 30", "y": "open: 20, 30"},
        {"x": "20", "y": "30"},
    ]


def test_show_tell_and_announce() -> None:
    """`show`: all know that a learns whether; `tell`: b cannot rule out that a heard nothing."""
    start = "agents a, b\nfluent p, q\nactual p\n"
    shown = start + "show a: p <-> q\ntrue? K[a] ~(p <-> q)\nvalid? K[b] Kw[a] (p <-> q)\n"
    assert answers(shown) == [True, True]
    told_it = start + "tell a: p\ntrue? K[a] p\ntrue? M[b] ~Kw[a] p & M[b] K[a] p\ntrue? K[b] p\n"
    assert answers(told_it) == [True, True, False]
    whether = start + "announce whether q\nvalid? C[*] ~q\n"
    assert answers(whether) == [True]


def test_changes() -> None:
    text = """\
        agents a, b
        fluent p
        fluent x in 0..3
        a sees p
        actual p, x = 1
        change x := if p then x + 1 else 0
        """
    with pytest.raises(ValueError, match="would have no value in its domain where p = true, x = 3"):
        told(text)
    text = text.replace("change", "announce x < 3\nchange") + (
        "        true? x = 2\n"
        "        change p := ~p\n"
        "        valid? K[a] p -> p#0 = false\n"
        "        true? ~p & K[a] ~p\n"
        "        change p := true\n"
        "        valid? C[*] p\n"
        "        where? x = 1\n"
    )
    text = text.replace("        announce", "announce").replace("change x", "        change x")
    text = "\n".join(line.strip() for line in text.splitlines())
    assert answers(text) == [True, True, True, True]


def test_changes_of_numbers_in_binary() -> None:
    text = """\
        fluent x in 0..40
        fluent p
        actual x = 39
        announce x < 40
        change x := if p then 0 else x + 1
        true? x = 40
        where? x = 0
        announce x = 0
        where? p & x#0 > 37
        """
    with pytest.raises(ValueError, match="line 8"):
        told(text)
    found = places(
        "\n".join(
            line.strip()
            for line in text.splitlines()
            if not any(word in line for word in ("actual", "true?", "announce x = 0"))
        )
    )
    assert [one.number for one in found] == [40, 2]
    assert found[0].worlds[0] == {"x": "0", "p": "true"}


def test_late_fluents_are_events() -> None:
    text = """\
        agents a, b
        fluent p
        actual p
        announce p
        fluent coin in {heads, tails} actual tails
        show a: coin
        true? K[a] coin = tails & ~Kv[b] coin & K[b] Kv[a] coin
        where? coin = heads
        """
    out = told(text)
    assert [one.worlds for one in out[:4]] == [2, 1, 2, 2]
    assert bool(out[4].answer)
    assert out[5].where is not None
    assert str(out[5].where.says) == "coin = heads"


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


def test_definitions() -> None:
    text = """\
        let group = {1, 2}
        agents group, 3
        fluent p(i), q for i in agents
        define some = exists i in group: p(i)
        define knows(i, j) = K[i] p(j)
        define nested(i) = knows(i, 3) & some
        valid? nested(2) <-> K[2] p(3) & (p(1) | p(2))
        """
    assert answers(text) == [True]


def test_arguments_of_definitions_can_be_formulas() -> None:
    text = textwrap.dedent(
        """\
        agents ann, bob
        fluent knight(x) for x in agents
        fluent q
        define says(x, f) = knight(x) <-> f
        define no = ~q
        define both(x, f) = says(x, f & q) | K[x] f
        """
    )
    same = {
        "says(ann, ~knight(bob))": "knight(ann) <-> ~knight(bob)",
        "says(ann, (knight(bob) -> q))": "knight(ann) <-> (knight(bob) -> q)",
        "says(bob, q)": "knight(bob) <-> q",
        "says(bob, no)": "knight(bob) <-> ~q",
        "says(ann, true)": "knight(ann)",
        "both(ann, no)": "(knight(ann) <-> ~q & q) | K[ann] ~q",
        "exists x in agents: says(x, K[x] q)": (
            "(knight(ann) <-> K[ann] q) | (knight(bob) <-> K[bob] q)"
        ),
    }
    for written, meant in same.items():
        one, other = read(f"{text}valid? {written}\nvalid? {meant}\n").steps
        assert isinstance(one, Question)
        assert isinstance(other, Question)
        assert one.formula is other.formula, written


def test_names_mean_what_they_mean_in_their_own_file() -> None:
    """A word given to a definition is kept in mind, but not with the formula of another file."""
    text = "agents ann\nfluent a, b\ndefine p = {}\ndefine either(x) = x | b\nvalid? either(p)\n"
    for formula, meant in (("a", "a | b"), ("b", "b")):
        (asked,) = read(text.format(formula)).steps
        assert isinstance(asked, Question)
        assert asked.formula is parse(meant)


def test_a_word_is_a_formula_or_an_argument() -> None:
    text = """\
        agents ann, bob
        fluent knight(x) for x in agents
        fluent ann
        define both(x) = knight(x) & x
        define one(x) = forall y in agents: x = y -> knight(y)
        valid? both(ann) <-> knight(ann) & ann
        valid? (forall y in agents: knight(y)) <-> knight(ann) & knight(bob)
        valid? one(ann) & one(bob) <-> knight(ann) & knight(bob)
        """
    assert answers(text) == [True] * 3


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        ("i != j", lambda i, j: i != j),
        ("i = j", lambda i, j: i == j),
        ("i < j", lambda i, j: i < j),
        ("i <= j", lambda i, j: i <= j),
        ("i > 1", lambda i, j: i > 1),
        ("2 = i", lambda i, j: i == 2),
        ("i != three", lambda i, j: i != 3),
        ("1 < 2", lambda i, j: True),
        ("i = j = three", lambda i, j: i == j == 3),
        ("i < j + 1", lambda i, j: i < j + 1),
    ],
)
def test_conditions_that_compare_indices(condition: str, fits: Callable[[int, int], bool]) -> None:
    text = f"""\
        let three = 3
        agents ann
        fluent p(i, j) for i in 1..3 for j in 1..3
        valid? exists i in 1..3, j in 1..three if {condition}: p(i, j)
        """
    (asked,) = read(textwrap.dedent(text)).steps
    assert isinstance(asked, Question)
    pairs = [(i, j) for i in (1, 2, 3) for j in (1, 2, 3) if fits(i, j)]
    assert asked.formula is disjunction(Atom(f"p({i}, {j})") for i, j in pairs)


def test_words_are_compared_as_words() -> None:
    text = """\
        agents ann, bob
        fluent p(x) for x in agents
        valid? atmost(0; p(x) for x in agents if x != ann)
        """
    (asked,) = read(textwrap.dedent(text)).steps
    assert isinstance(asked, Question)
    assert asked.formula is parse("atmost(0; p(bob))")
    with pytest.raises(ProblemError, match="expected numbers, got 'ann'"):
        read(textwrap.dedent(text.replace("x != ann", "x < 2")))


def test_reasons_about_long_products_are_told_in_short() -> None:
    text = "fluent x, y in 1..200\nactual x = 3, y = 4\ntrue? x * x * x * x * y * y = 1296\n"
    problem = read(text)
    _, outcome = check(problem, count=False)
    told = [line.text for line in details(problem, outcome, why=True)]
    assert told == ["x * x * x * x * y * y = 1296: that is really so"]


def test_what_a_copy_reads_is_unknown_to_the_reader() -> None:
    """Not even the meaning of a definition that a refused statement begins with."""
    reader = Reader()
    for number, text in enumerate(("agents a", "fluent p, q"), 1):
        reader.take(Statement(text, number))
    with pytest.raises(ProblemError, match="unknown name 'r'"):
        reader.copy().take(Statement("{ define d = p; law d & r }", 3))
    for number, text in enumerate(("define d = q", "law d"), 3):
        reader.take(Statement(text, number))
    assert [constraint.formula for constraint in reader.law] == [Atom("q")]
