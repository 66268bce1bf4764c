"""Words that a file gives to formulas, agents and fluents."""

from __future__ import annotations

import pytest

import symkripke as sk
from symkripke.errors import ProblemError
from symkripke.problems import read
from symkripke.problems.outcome_words import details, reasons
from symkripke.problems.step_words import step_in_words

CHILDREN = """
agents 1..2
fluent muddy(c) for c in agents
fluent month in {may, june}
fluent x in 1..3
words c "child {c}" for c in agents
words muddy(c) "child {c} is muddy", "child {c} is clean" for c in agents
words month "the month"
words month = june "it is June"
words x "the number"
law x = 2
1 sees muddy(2), month
2 sees muddy(1)
actual muddy(1), month = june, x = 2
define nobody = forall c in agents: ~Kw[c] muddy(c)
words nobody "no child knows whether it is muddy", "some child does"
"""


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("true? K[1] muddy(2)", "Is it true that child 1 knows that child 2 is muddy?"),
        ("true? K[1] ~muddy(2)", "Is it true that child 1 knows that child 2 is clean?"),
        ("true? ~month = june", "Is it true that it is not true that it is June?"),
        ("true? nobody", "Is it true that no child knows whether it is muddy?"),
        ("announce nobody", "It is announced that no child knows whether it is muddy."),
        ("true? Kv[2] month", "Is it true that child 2 knows the month?"),
    ],
)
def test_steps(step: str, says: str) -> None:
    problem = read(CHILDREN + step)
    assert step_in_words(problem, problem.structure, problem.steps[0]) == says


HAPPENING = """
agents ann, bob
fluent open, heads
fluent coin in {mine, yours}
words open "the box is open", "the box is closed"
words ann "Ann"
law heads
actual ~open, heads, coin = mine
action lift(a in agents) "{a} lifts the lid": open := true
  everybody sees which
action peek(a in agents): event up when heads
  event down when ~heads
  a sees which
action hand_over(a in agents, b in agents): coin := yours
  everybody sees which
action toss(a in agents): coin := if heads then yours else mine
  everybody sees which
action turn(a in agents): heads := ~heads
  everybody sees which
"""


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("do lift(ann)", "Ann lifts the lid."),
        ("do hand_over(ann, bob)", "The action “hand over” (Ann, bob) is done. Now coin = yours."),
        ("do peek(bob)", "The action “peek” (bob) is done."),
        ("do toss(bob)", "The action “toss” (bob) is done."),
        ("do turn(bob)", "The action “turn” (bob) is done."),
        ("change coin := if heads then yours else mine", "Facts change."),
        ("change open := heads", "Facts change."),
        ("do peek(bob): up", "The action “peek” (bob) is done, and this happens: “up”."),
        ("plan: lift(ann), lift(bob)", "The plan: ann lifts the lid; bob lifts the lid."),
        ('announce "it rings": heads', "It is announced that heads."),
        ("show ann: open", "Ann is shown whether the box is open."),
        ("show ann, bob: heads", "Ann and bob are shown something."),
        ("tell ann: ~open", "Ann is told that the box is closed."),
        ("change open := true", "Now the box is open."),
        ("change open := ~open", "Facts change."),
        ('change "wind": open := ~open', "Wind."),
        ("fluent rain actual false", "There is something new that nobody has seen yet: rain."),
        ("count? true", "How many worlds are still possible?"),
    ],
)
def test_what_happens_is_a_sentence(step: str, says: str) -> None:
    problem = read(HAPPENING + ("announce heads\n" if "fluent" in step else "") + step)
    assert step_in_words(problem, problem.structure, problem.steps[-1]) == says


def test_reasons_are_told_in_the_words_of_the_file() -> None:
    problem = read(f"{CHILDREN}true? K[2] muddy(2)")
    _, asked = sk.check(problem)
    assert [line.text for line in reasons(problem, asked)] == [
        "child 2 does not know that child 2 is muddy, because child 2 considers this possible:",
        "child 1 is muddy, it is June, the number is 2",
    ]


def test_an_action_with_one_event_is_just_seen() -> None:
    problem = read("""
agents a, b
fluent p, q
law ~p & q
actual q
action open: p := true
  c sees which when q for c in agents
do open
true? K[a] p
""")
    *_, asked = sk.check(problem)
    assert "a sees open" in " ".join(line.text for line in reasons(problem, asked))


def test_worlds_are_told_in_the_words_of_the_file() -> None:
    problem = read(f"{CHILDREN}where? month = june & ~muddy(1) & ~muddy(2)")
    _, found = sk.check(problem)
    assert [line.text for line in details(problem, found, why=False)][-1] == (
        "it is June, the number is 2"
    )


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ('words c "child {d}" for c in agents', "unknown name 'd'"),
        ('words 7 "seven"', "expected a formula, a fluent or an agent before the words"),
        ('words month "the month", "no month"', "only a formula has words for its negation"),
        ("words muddy(1) is muddy", 'a text in "..."'),
    ],
)
def test_faults(statement: str, fault: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(CHILDREN + statement)
    assert fault in caught.value.problem
    assert caught.value.line == len(CHILDREN.splitlines()) + 1
