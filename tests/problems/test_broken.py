"""Broken files: one clear error each, with file, line and caret, and nothing answered silently."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from symkripke.errors import ImpossibleStep, InputError, ProblemError
from symkripke.problems.checker import check
from symkripke.problems.reader import read, read_file
from symkripke.problems.smcdel.reader import read_smcdel

GOOD = """\
let n = 3
agents anna, bert
fluent p, q
fluent colour in {red, blue}
fluent x, y in 1..40
law p | q
anna sees p, x
bert sees q
actual p, colour = red, x = 3, y = 4
"""

# What is put in the place of a line of the good file (or after the last), and what is said of it.
BROKEN = {
    "a word that is no statement": ("lwa p | q", "unknown statement 'lwa'; did you mean 'law'?"),
    "an agent that is none": ("true? K[ann] p", "unknown agent 'ann'; did you mean 'anna'?"),
    "who sees is no agent": ("ann sees q", "unknown agent 'ann'; did you mean 'anna'?"),
    "a fluent that is none": ("true? K[anna] r", "unknown name 'r'"),
    "a fluent misspelt": ("true? colou = red", "colou"),
    "a value that is none": ("true? colour = rde", "unknown value of colour 'rde'; did you mean"),
    "a number out of its domain": ("true? x = 41", "expected a value of x (1..40), got 41"),
    "a number where a word is": ("true? colour = 3", "unknown value of colour '3'"),
    "a value where a formula is": ("true? colour", "write colour = one of red, blue"),
    "a number as a formula": ("true? x", "write x = one of 1..40"),
    "a formula that ends too soon": ("announce p &", "got the end of the statement"),
    "a bracket not closed": ("announce (p | q", "got the end of the statement"),
    "a bracket too many": ("announce p | q)", "got ')'"),
    "nothing to announce": ("announce", "or 'whether', got the end of the statement"),
    "an operator that is none": ("true? Q[anna] p", "got '['"),
    "two agents for K": ("true? K[anna, bert] p", "K[...] takes one agent, got 2"),
    "a text that does not end": ('say "once upon', "a text that does not end on its line"),
    "a sign that is none": ("true? p ^ q", "got '^'"),
    "sees misspelt": ("anna seees q", "unknown word 'seees'; did you mean 'sees'?"),
    "a statement in the plural": ("fluents r", "'fluents'; did you mean 'fluent'?"),
    "an operator like a fluent": ("valid? K(anna, p)", "write K[ann] ..."),
    "an operator like a fluent of a formula": ("valid? Kw(anna, p & q)", "write Kw[ann] ..."),
    "an operator of a group like a fluent": ("valid? C(anna, p)", "write C[ann, bob] ..."),
    "a question without its mark": ("valid p", "did you mean 'valid?'?"),
    "an impossible announcement": ("announce ~p", "~p is not so in the actual world"),
    "a lie about knowledge": ("announce K[bert] x = 3", "this is not so in the actual world"),
    "a law after the beginning": ("announce p\nlaw q", "comes before the first event or question"),
    "sees after the beginning": ("announce p\nanna sees q", "say it with `show`"),
    "a change out of the domain": ("change x := x + 37", "would have no value in its domain"),
    "a change to what is no value": ("change colour := green", "unknown value of colour 'green'"),
    "a fluent that changes twice": ("change p := q, p := ~q", "p cannot change twice"),
    "a change that depends on knowledge": ("change p := K[anna] q", "cannot depend on knowledge"),
    "a list that is none": ("true? forall i in peopel: p", "unknown list 'peopel'"),
    "an index with a meaning": ("true? forall n in 1..2: p", "n has a meaning already"),
    "an index called like a fluent": ("true? forall x in 1..2: p", "x has a meaning already"),
    "a condition that is no condition": ("true? forall i in 1..2 if p: q", "speak of indices only"),
    "division by nothing": ("true? x div 0 = 1", "cannot be divided by 0"),
    "a word that becomes a number": ("change x := colour", "expected numbers, got 'red'"),
    "words in a sum": ("true? colour + 1 = 2", "expected numbers, got 'red'"),
    "a huge list": ("true? forall i in 1..9999999: p", "more than 1,000,000 numbers"),
    "far too many parts": (
        "true? forall a in 1..9999, b in 1..9999, c in 1..9999, d in 1..9999: p",
        "more than 3,000,000 parts",
    ),
    "an unknown constant in a range": ("true? forall i in 1..m: p", "expected numbers around `..`"),
    "a fact told about knowledge": ("tell anna: K[bert] p", "only facts can be told"),
    "to know of nothing": ("knows? carl", "unknown agent 'carl'"),
    "a probability above one": ("true? P[anna](p) >= 3/2", "between 0 and 1"),
    "a text after an index": ("true? p(1)", "p"),
}

# Broken models: a whole file, the message, and the line that it names.
MODELS = {
    "a law that contradicts itself": (
        "fluent p, q\nlaw p\nlaw q\nlaw ~(p & q)\n",
        "these contradict each other: line 2: law p; line 3: law q; line 4: law ~(p & q)",
        1,
    ),
    "an actual world that breaks the law": (
        "fluent p\nlaw p\nactual ~p\ntrue? p\n",
        "the actual world breaks the law: line 2: law p",
        3,
    ),
    "no value at the actual world": (
        "fluent x in 1..3\nactual x = 2\nfluent y in 1..3\ntrue? x = 2\n",
        "the actual world needs a value for y",
        4,
    ),
    "two values at the actual world": (
        "fluent x in 1..3\nactual x = 2, x = 3\n",
        "x has two values in the actual world",
        2,
    ),
    "an unknown fluent at the actual world": (
        "agents a\nfluent p, near(x) for x in {1, 2}\nactual q\ntrue? p\n",
        "unknown fluent 'q'; expected one of p, near",
        3,
    ),
    "a misspelt fluent at the actual world": (
        "fluent muddy\nactual mudy\n",
        "unknown fluent 'mudy'; did you mean 'muddy'?",
        2,
    ),
    "no actual world": ("fluent p\ntrue? p\n", "needs an actual world", 2),
    "no actual world to announce": ("fluent p\nannounce whether p\n", "needs an actual world", 2),
    "nothing left": ("fluent p\nannounce p\nannounce ~p\n", "no world is left", 3),
    "an agent twice": ("agents a, b\nagents a\n", "agent 'a' is given twice", 2),
    "an agent twice at once": ("fluent p\nagents a, b, a\n", "agent 'a' is given twice", 2),
    "no agents in a range": ("fluent p\nagents 5..1\n", "at least one agent, got none", 2),
    "a value twice": ("agents a\nfluent p in {q, r, q}\n", "value 'q' is given twice", 2),
    "a number twice": ("agents a\nlet l = {1, 2, 1}\n", "value '1' is given twice", 2),
    "a name that is its own value": ("let n = n\nagents 1..n\n", "'n' has no value yet", 1),
    "a number from itself": ("let n = n + 1\nagents 1..n\n", "'n' has no value yet", 1),
    "an empty text": ("", "got a text without agents, fluents and questions", 1),
    "nothing but remarks": ('-- no\nsay "hi"\n', "without agents, fluents and questions", 1),
    "a fluent twice": ("fluent p\nfluent p in 1..3\n", "fluent 'p' is there already", 2),
    "a fluent twice at once": ("fluent p, p\n", "fluent 'p' is there already", 1),
    "a domain without values": ("fluent p in 3..1\n", "at least one value", 1),
    "a domain that is no set": ("fluent p in q\n", "unknown list 'q'", 1),
    "a name with two meanings": ("let p = 3\nfluent p\n", "'p' is there already", 2),
    "a law about knowledge": ("agents a\nfluent p\nlaw K[a] p\n", "cannot speak about", 3),
    "an indented beginning": ("  fluent p\nlaw p\n", "at the beginning of a line", 1),
    "a definition with too few": (
        "fluent p\ndefine f(a) = p\nvalid? f\n",
        "f(a) takes 1 arguments, got 0",
        3,
    ),
    "an argument that varies": (
        "fluent x in 1..3\ndefine f(a) = a\nvalid? f(x + 1)\n",
        "an argument is a name, a number or a formula",
        3,
    ),
    "a formula where a name belongs": (
        "agents a\nfluent p\ndefine f(i) = K[i] p\nvalid? f(~p)\n",
        "in f: ",
        4,
    ),
    "a definition of what comes later": (
        "agents a\nfluent p\ndefine f(x) = g(x)\ndefine g(x) = p\nvalid? f(a)\n",
        "in f: g is defined later",
        5,
    ),
    "a definition by itself": ("fluent p\ndefine f = p | f\n", "f is defined by itself", 2),
    "an unknown name in a text": (
        'let number = 3\nfluent p\nsay "there are {numbr}"\n',
        "unknown name 'numbr'; did you mean 'number'?",
        3,
    ),
    "a negative domain": ("fluent x in -5..5\n", "numbers begin at 0", 1),
    "a negative number in a formula": ("fluent x in 0..5\nlaw x > -1\n", "begin at 0", 2),
    "a value that is a fluent": ("fluent p actual p\n", "expected true or false after", 1),
    "an unknown name in a definition": (
        "fluent p\ndefine f = r\nvalid? f\n",
        "in f: unknown name 'r'",
        3,
    ),
    "a negative number": (
        "agents a\nfluent x, y in 0..3\na sees x - y\n",
        "a value cannot be negative, and this can be -3",
        3,
    ),
    "a fault on the second line of a statement": (
        "fluent p, q\nlaw p |\n  q & & p\n",
        "got '&'",
        3,
    ),
}


@pytest.mark.parametrize(("line", "says"), BROKEN.values(), ids=BROKEN)
def test_a_broken_line(line: str, says: str) -> None:
    text = GOOD + line + "\n"
    with pytest.raises(ProblemError) as caught:
        list(check(read(text, "some.skp")))
    error = caught.value
    assert says in error.problem
    last = 10 + line.count("\n")
    assert (error.path, error.line) == ("some.skp", last)
    told = str(error).split("\n")
    assert told[0].startswith(f"some.skp, line {last}, column {error.column}: ")
    assert told[1] == "  " + line.split("\n")[-1]
    assert told[2].strip() == "^"
    assert len(told) == 3


@pytest.mark.parametrize(("text", "says", "line"), MODELS.values(), ids=MODELS)
def test_a_broken_model(text: str, says: str, line: int) -> None:
    with pytest.raises(ProblemError) as caught:
        list(check(read(text, "some.skp")))
    assert says in caught.value.problem
    assert caught.value.line == line


def test_where_there_is_nothing_to_point_at_nothing_is_shown() -> None:
    """An empty file has no line with a fault."""
    for text in ("", " \n\n"):
        with pytest.raises(ProblemError) as caught:
            read(text, "some.skp")
        assert str(caught.value).endswith("a text without agents, fluents and questions")


def test_the_good_file_is_good() -> None:
    assert [outcome.worlds for outcome in check(read(GOOD))] == [3 * 2 * 40 * 40]


def test_a_truncated_file_is_an_error_or_a_smaller_file() -> None:
    """Never anything but the one error, which names a line that is there."""
    errors = []
    for end in range(1, len(GOOD)):
        try:
            read(GOOD[:end])
        except ProblemError as error:
            errors.append((error.line, GOOD[:end].count("\n") + 1))
    assert len(errors) > 100
    assert all(line <= lines for line, lines in errors)


def test_lists_and_ranges_may_have_members_in_common() -> None:
    text = "let l = {a, b}\nagents l, a\nfluent x in {1..3, 2..4, 3}\nlaw x = 1\n"
    problem = read(text)
    assert problem.structure.agents == ("a", "b")
    assert problem.structure.vocabulary.fluents["x"].values == ("1", "2", "3", "4")


def test_an_impossible_step_is_an_impossible_event_with_its_line() -> None:
    text = textwrap.dedent(
        """\
        fluent p
        actual p
        announce p
        announce ~p
        """
    )
    problem = read(text, "f.skp")
    steps = check(problem)
    assert next(steps).worlds == 2
    assert next(steps).worlds == 1
    with pytest.raises(ImpossibleStep, match=r"f\.skp, line 4, column 1: ~p is not so in"):
        next(steps)


def test_what_is_false_cannot_be_told_or_announced() -> None:
    model = "agents a, b\nfluent p\nfluent x in 1..40\nactual p, x = 7\n"
    said = {
        "tell a: ~p": "~p is not so in the actual world",
        'announce "bad news": ~p & K[a] p': "bad news: ~p & K[a] p is not so in the actual world",
        "announce x*x*x*x*x*x = 3": "this is not so in the actual world",
    }
    for statement, problem in said.items():
        with pytest.raises(ImpossibleStep) as caught:
            list(check(read(model + statement)))
        assert caught.value.problem == problem
        assert str(caught.value).count("line 5") == 1


def test_no_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none\.skp: No such file"):
        read_file(str(tmp_path / "none.skp"))
    (tmp_path / "bytes.skp").write_bytes(b"fluent p\xff\xfe")
    with pytest.raises(InputError, match=r"expected text \(UTF-8\), got other data"):
        read_file(str(tmp_path / "bytes.skp"))
    with pytest.raises(InputError, match="unknown constant of the file 'k'; expected one of n"):
        read(GOOD, constants={"k": 3})


@pytest.mark.parametrize("before", [0, 3, 70, 2000, 9999])
def test_of_a_long_line_what_is_near_is_shown(before: int) -> None:
    text = "fluent p\nlaw " + "p & " * before + "wrong" + " & p" * (9999 - before)
    with pytest.raises(ProblemError) as caught:
        read(text)
    _, shown, caret = str(caught.value).split("\n")
    assert len(shown) <= 170
    assert shown[caret.index("^") :].startswith("wrong")
    assert ("  ..." in shown) == (before > 19)
    assert shown.endswith("...") == (before < 9990)
    with pytest.raises(ProblemError) as long_name:
        read("fluent p\nlaw p p" + "x" * 9999)
    assert len(str(long_name.value)) < 700
    with pytest.raises(ProblemError) as unknown:
        read("fluent p\nlaw x" + "x" * 9999)
    assert len(str(unknown.value)) < 500


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("agents a\nfluent p\nlet n = 9\n", 3),
        ("agents a\nfluent p\ntrue? 9 = 1\n", 3),
        ("VARS 9 LAW Top OBS a: 9 VALID? Top\n", 1),
    ],
)
def test_numbers_that_are_far_too_long(text: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(text.replace("9", "9" * 5_000), encoding="utf-8")
    with pytest.raises(ProblemError, match="a number of 5,000 digits") as wrong:
        read_smcdel(path.read_text(), str(path)) if "VARS" in text else read_file(str(path))
    assert wrong.value.line == line
