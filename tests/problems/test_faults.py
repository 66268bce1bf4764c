"""Broken files: each gives one error with its place and the intended name, and never an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from symkripke.errors import ImpossibleStep, InputError, ProblemError
from symkripke.problems.checker import check
from symkripke.problems.files import load
from symkripke.problems.reader import read
from symkripke.problems.smcdel.reader import read_smcdel

GOOD = """\
let n = 3
let cards = {ace, king}
agents anna, bert
fluent p, q, near(a) for a in agents
fluent colour in {red, blue}
fluent x, y in 1..40
fluent holds(c) in agents for c in cards
law p | q
anna sees p, x
bert sees q
actual p, near(anna), colour = red, x = 3, y = 4, holds(c) = anna for c in cards
"""

# Lines after the good ones, with a mark before the error; and a name or word of the message.
LINES = [
    ("§lwa p | q", "did you mean 'law'"),
    ("§fluents r", "did you mean 'fluent'"),
    ("§valid p", "did you mean 'valid?'"),
    ("true? K[§ann] p", "did you mean 'anna'"),
    ("§ann sees q", "did you mean 'anna'"),
    ("anna §seees q", "did you mean 'sees'"),
    ("true? K[anna] §r", "'r'"),
    ("true? §colou = red", "did you mean 'colour'"),
    ("true? colour = §rde", "did you mean 'red'"),
    ("true? x = §41", "1..40"),
    ("true? colour = §3", "red, blue"),
    ("true? §colour", "colour = one of red, blue"),
    ("true? §x", "x = one of 1..40"),
    ("announce p &§", "the end"),
    ("announce (p | q§", "')', got the end"),
    ("announce p | q§)", "got ')'"),
    ("announce§", "'whether', got the end"),
    ("true? Q§[anna] p", "got '['"),
    ("true? p §^ q", "got '^'"),
    ("law p |\n  q & §& p", "got '&'"),
    ("true? p\n  & q§\u00a0 & p", "\\xa0"),
    ("true? <! <peek§> p> q", "brackets"),
    ("true? K[§anna, bert] p", "one agent, got 2"),
    ("true? §K[anna | q] p", "K[... | ...]"),
    ("true? B[anna | §r] p", "'r'"),
    ("true? P[anna](p) >= §3/2", "3/2"),
    ("true? p §and q", "'and' write &"),
    ("true? not §B[anna] p", "'not' write ~"),
    ("true? anna §believes p", "B[ann]"),
    ("true? K §anna p", "K[ann]"),
    ("valid? §Kw(anna, p & q)", "Kw[ann]"),
    ("valid? §C(anna, p)", "C[ann, bob]"),
    ("valid? §EB(anna, p)", "EB[ann, bob]"),
    ("true? CB §anna p", "CB[ann, bob]"),
    ('say §"once upon', "a text that does not end"),
    ('say "there are {§nn}"', "'nn'"),
    ("announce p\n§law q", "`announce`"),
    ("announce p\n§anna sees q", "`show`"),
    ("tell anna: §K[bert] p", "only facts"),
    ("knows? §carl", "anna, bert"),
    ("change colour := §green", "red, blue"),
    ("change p := q, §p := ~q", "p cannot change twice"),
    ("change p := §K[anna] q", "knowledge"),
    ("change x := §colour", "'red'"),
    ("§change x := x + 37", "in its domain"),
    ("true? forall i in §peopel: p", "'peopel'"),
    ("true? forall §n in 1..2: p", "n has a meaning"),
    ("true? forall §x in 1..2: p", "x has a meaning"),
    ("true? forall i in 1..2 §if p: q", "indices"),
    ("true? forall i in §1..m: p", "1 and m"),
    ("true? forall i in §1..9999999: p", "1,000,000"),
    ("valid? atmost(0; p for i in agents if §i < 2)", "'anna'"),
    ("true? §x div 0 = 1", "by 0"),
    ("true? §colour + 1 = 2", "'red'"),
    ("anna sees §x - y", "-39"),
    ("true? §p(1)", "0 arguments, got 1"),
    ("true? §9" + "9" * 5_000 + " = 1", "5,001 digits"),
    ("how? §K[anna] p", "got 'K'"),
    ("how? P[§anna, bert](p)", "one agent, got 2"),
    ("§how? P[anna | q & ~q](p)", "anna knows"),
    ("expected? bert: x = 3 + §r", "'r'"),
    ("expected? bert§", "':'"),
    ("entropy? §x: p", "'x'"),
    ("contract? §p", "got 'p'"),
    ("believe §K[anna] p", "a fact"),
    ("believe rank §p", "got 'p'"),
    ('words c "child {§d}" for c in cards', "'d'"),
    ('words §7 "seven"', "an agent"),
    ('words colour "the colour", §"none"', "negation"),
    ("words p §is q", '"..."'),
    ("action§", "a name, got the end"),
    ("action peek§", "'when', got the end"),
    ("§action peek:", "'everybody notices nothing'"),
    ("§action peek: p := true", "'everybody notices nothing'"),
    ("action peek: anna sees§", "'that' or 'which'"),
    ("action peek: anna sees §wich", "did you mean 'which'"),
    ("action peek:\n  everybody §seethat", "did you mean 'see'"),
    ("action peek: anna notices §which", "'nothing', got 'which'"),
    ("action peek: others see §nothing", "`notices nothing`"),
    ("action peek: anna §spots which", "got 'spots'"),
    ("action peek: §everyone sees which", "did you mean 'everybody'"),
    ("action peek(a in cards): §a sees which\ndo peek(ace)", "'ace'"),
    ("action peek(a in agents): §b sees which", "anna, bert"),
    ("action peek(a in §agnets): a sees which", "did you mean 'agents'"),
    ("action peek(a in agents, §a in cards): a sees which", "a is given twice"),
    ("action peek(§p): anna sees which", "p has a meaning"),
    ("action §near: anna sees which", "'near'"),
    ("action peek: anna sees which\naction §peek: anna sees which", "'peek'"),
    ("action peek:\n  event yes\n  event §yes\n  anna sees which", "yes is defined twice"),
    ("action peek:\n  event §skip\n  anna sees which", "'skip'"),
    ("action peek:\n  §even yes when p\n  anna sees which", "did you mean 'event'"),
    ("action peek:\n  event yes if p\n  §anna sees which", "'when'"),
    ("action peek:\n  event yes p\n  §anna sees which", "the line above"),
    ("action peek:\n  event yes when §nera(anna)\n  anna sees which", "did you mean 'near'"),
    ("action peek: anna sees which when K[§ann] p", "did you mean 'anna'"),
    ("action peek: anna sees which when §x", "x = one of"),
    ("action peek: §nera(anna) := true\n  anna sees which", "did you mean 'near(anna)'"),
    ("action peek: p := true, §p := false\n  anna sees which", "p cannot change twice"),
    ("action peek: holds(ace) := §berta\n  anna sees which", "did you mean 'bert'"),
    ("action peek: p §= true\n  anna sees which", "got '='"),
    ("action peek: §p#0 := true\n  anna sees which", "a version"),
    ("action peek: §p := true\n  event yes\n  anna sees which", "its events"),
    ("action peek: x := x + 38\n  anna sees which\n§do peek", "in its domain where x"),
    ("action peek:\n  event yes\n  anna sees that {yes, §no}", "'no'"),
    ("action peek:\n  event no\n  anna §sees that {no}, {no}", "no is in two classes"),
    ("action peek:\n  anna sees which\n  rank §high", "got 'high'"),
    ("action peek:\n  anna sees which\n  rank 1\n  §rank 2", "rank is given twice"),
    ('§action peek "{b} peeks":\n  anna sees which', "'b'"),
    ("do §peek", "'peek': there is no `action`"),
    ("action peek(a in agents): a sees which\ndo §peak(anna)", "did you mean 'peek'"),
    ("action peek(a in agents): a sees which\ndo §peek", "1 argument, got 0"),
    ("action peek(a in agents): a sees which\ndo peek(§ann)", "did you mean 'anna'"),
    ("action peek(a): a sees which\ndo §peek(ann)", "in peek: unknown agent 'ann'"),
    ("action peek:\n  event yes\n  anna sees which\ndo peek: §yess", "did you mean 'yes'"),
    ("action peek:\n  actual event a\n  event no\n  anna sees which\ndo peek: §no", "no is not"),
    ("action peek:\n  anna sees which\ntrue? §event(1) = peek", "'event'"),
    ("action peek: anna sees which\nplan:§", "a name, got the end"),
    ("action peek: anna sees which\nplan: peek, §pek", "did you mean 'peek'"),
    ("action peek: anna sees which\ntrue? [§pek] p", "did you mean 'peek'"),
    ("action peek: anna sees which\ntrue? [peek §p", "or ']', got 'p'"),
]

# Steps that are impossible.
IMPOSSIBLE = [
    ("§announce ~p", "~p is false in the actual world"),
    ('§announce "bad news": ~p & K[anna] p', "bad news: ~p & K[anna] p"),
    ("§announce K[bert] x = 3", "this is false in the actual world"),
    ("§tell anna: ~p", "~p is false in the actual world"),
    ("announce p\n§announce ~p", "~p is false in the actual world"),
    (
        "action peek when ~p: anna sees which\n§do peek",
        "peek cannot be done: ~p is false in the actual world",
    ),
    (
        "action peek:\n  event a when ~p\n  event b when q & p\n  anna sees which\n§do peek",
        "(a needs ~p; b needs q & p)",
    ),
]

# Whole files.
FILES = [
    ("", "got a text without"),
    (" \n\n", "got a text without"),
    ('§-- no\nsay "hi"\n', "got a text without"),
    ("  §fluent p\nlaw p\n", "at the beginning of a line"),
    ("§fluent p, q\nlaw p\nlaw q\nlaw ~(p & q)\n", "line 2: law p; line 3: law q; line 4: law"),
    ("fluent p\nlaw p\n§actual ~p\ntrue? p\n", "line 2: law p"),
    ("fluent x in 1..3\nactual x = 2\nfluent y in 1..3\n§true? x = 2\n", "a value for y"),
    ("fluent x in 1..3\nactual x = 2, §x = 3\n", "x has two values"),
    ("agents a\nfluent p, near(x) for x in {1, 2}\nactual §q\ntrue? p\n", "one of p, near"),
    ("fluent muddy\nactual §mudy\n", "did you mean 'muddy'"),
    ("fluent p\n§true? p\n", "write `actual`"),
    ("fluent p\n§announce whether p\n", "write `actual`"),
    ("agents a\nfluent p\nactual where p\n§knows? a", "one actual world"),
    ("agents a\nfluent p\nactual where p\n§actual p", "all actual worlds"),
    ("agents a, b\n§agents a\n", "'a' is given twice"),
    ("fluent p\nagents a, b, §a\n", "'a' is given twice"),
    ("fluent p\n§agents 5..1\n", "at least one agent"),
    ("agents a\nfluent p in {q, r, §q}\n", "'q' is given twice"),
    ("agents a\nlet l = {1, 2, §1}\n", "'1' is given twice"),
    ("let n = §n + 1\nagents 1..n\n", "'n' has no value yet"),
    ("fluent p, §p\n", "'p' already exists"),
    ("let p = 3\nfluent §p\n", "'p' already exists"),
    ("fluent p in §3..1\n", "at least one value"),
    ("fluent p in §q\n", "'q'"),
    ("fluent x in §-5..5\n", "0 or more"),
    ("fluent p actual §p\n", "got p"),
    ("agents a\nfluent p\nlaw §K[a] p\n", "knowledge"),
    ("fluent p\ndefine f(a) = p\nvalid? §f\n", "1 arguments, got 0"),
    ("fluent x in 1..3\ndefine f(a) = a\nvalid? f(§x + 1)\n", "as an argument"),
    ("agents a\nfluent p\ndefine f(i) = K[i] p\nvalid? §f(~p)\n", "in f: "),
    ("agents a\nfluent p\ndefine f(x) = g(x)\ndefine g(x) = p\nvalid? §f(a)\n", "g is defined"),
    ("fluent p\ndefine f = p | §f\n", "f is defined in terms of itself"),
    ("fluent p\ndefine f = r\nvalid? §f\n", "in f: unknown name 'r'"),
]


def fault_of(marked: str, before: str = "", kind: type[ProblemError] = ProblemError) -> str:
    """Return the error message of a text, after checking its place against the mark."""
    text = before + marked.replace("§", "", 1)
    above = (before + marked).partition("§")[0] if "§" in marked else ""
    line, column = above.count("\n") + 1, len(above) - above.rfind("\n")
    with pytest.raises(kind) as caught:
        list(check(read(text, "some.skp")))
    error, told = caught.value, str(caught.value).split("\n")
    assert (error.path, error.line, error.column) == ("some.skp", line, column)
    assert told[0] == f"some.skp, line {line}, column {column}: {error.problem}"
    if text.strip() and len(text) < 1_000:
        assert told[1:] == [f"  {text.split(chr(10))[line - 1]}", f"{'':{column + 1}}^"]
    return error.problem


@pytest.mark.parametrize(("marked", "fact"), LINES, ids=range(len(LINES)))
def test_a_broken_line(marked: str, fact: str) -> None:
    assert fact in fault_of(marked, GOOD)


@pytest.mark.parametrize(("marked", "fact"), IMPOSSIBLE)
def test_an_impossible_step(marked: str, fact: str) -> None:
    assert fact in fault_of(marked, GOOD, ImpossibleStep)


@pytest.mark.parametrize(("marked", "fact"), FILES)
def test_a_broken_file(marked: str, fact: str) -> None:
    assert fact in fault_of(marked)


def test_the_good_file_is_good_and_a_part_of_it_is_an_error_or_a_smaller_file() -> None:
    """The only possible error is a `ProblemError`, and it names an existing line."""
    assert [outcome.worlds for outcome in check(read(GOOD))] == [3 * 4 * 2 * 40 * 40 * 4]
    errors = []
    for end in range(1, len(GOOD)):
        try:
            read(GOOD[:end])
        except ProblemError as error:
            errors.append((error.line, GOOD[:end].count("\n") + 1))
    assert len(errors) > 100
    assert all(line <= lines for line, lines in errors)


def test_no_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.skp: No such file"):
        load(str(tmp_path / "none.skp"))
    (tmp_path / "bytes.skp").write_bytes(b"fluent p\xff\xfe")
    with pytest.raises(InputError, match=r"bytes\.skp.*UTF-8"):
        load(str(tmp_path / "bytes.skp"))
    with pytest.raises(InputError, match="'k'; expected one of n"):
        read(GOOD, constants={"k": 3})
    with pytest.raises(InputError, match="the value of n is a number of 5,000 digits"):
        read(GOOD, constants={"n": "9" * 5_000})


@pytest.mark.parametrize("before", [0, 3, 70, 9999])
def test_a_long_line_is_shown_around_the_error(before: int) -> None:
    text = "fluent p\nlaw " + "p & " * before + "wrong" + " & p" * (9999 - before)
    with pytest.raises(ProblemError) as caught:
        read(text)
    _, shown, caret = str(caught.value).split("\n")
    assert len(shown) <= 170
    assert shown[caret.index("^") :].startswith("wrong")
    assert ("  ..." in shown) == (before > 19)
    assert shown.endswith("...") == (before < 9990)


@pytest.mark.parametrize("law", ["p p", "x", "9"])
def test_long_names_and_numbers_are_shortened(law: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError) as caught:
        read(f"fluent p\nlaw {law}{law[-1] * 9_999}")
    assert len(str(caught.value)) < 700
    path = tmp_path / "long.smcdel.txt"
    with pytest.raises(ProblemError, match="a number of 5,000 digits"):
        read_smcdel(f"VARS {'9' * 5_000} LAW Top OBS a: 9 VALID? Top", str(path))
