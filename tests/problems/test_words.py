"""The `words` of a file for formulas, agents and fluents."""

from __future__ import annotations

import pytest

import symkripke as sk
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
action lift(a in agents) "{a} lifts the lid": muddy(a) := true
  everybody sees which
action hand_over(a in agents, b in agents): month := june
  everybody sees which
action peek(a in agents): event up when muddy(1)
  event down when ~muddy(1)
  a sees which
action turn(a in agents): month := if muddy(a) then june else may
  everybody sees which
"""


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("true? K[1] muddy(2)", "child 1 knows that child 2 is muddy?"),
        ("true? K[1] ~muddy(2)", "child 1 knows that child 2 is clean?"),
        ("true? ~month = june", "it is not true that it is June?"),
        ("true? nobody", "no child knows whether it is muddy?"),
        ("true? Kv[2] month", "child 2 knows the month?"),
        ("count? true", "possible?"),
        ("announce nobody", "announced that no child knows whether it is muddy."),
        ('announce "it rings": muddy(1)', "that child 1 is muddy."),
        ("show 1: muddy(1)", "Child 1 is shown whether child 1 is muddy."),
        ("show 1, 2: muddy(2)", "Child 1 and child 2 are shown whether child 2 is muddy."),
        ("tell 1: ~muddy(2)", "Child 1 is told that child 2 is clean."),
        ("change muddy(1) := false", "Now child 1 is clean."),
        ("change muddy(1) := ~muddy(1)", "Facts change."),
        ("change muddy(2) := muddy(1)", "Facts change."),
        ('change "wind": muddy(1) := ~muddy(1)', "Wind."),
        ("announce muddy(1)\nfluent rain actual false", "rain."),
        ("do lift(1)", "1 lifts the lid."),
        ("do hand_over(1, 2)", "“hand over” (child 1, child 2) is done. Now it is June."),
        ("do peek(2)", "“peek” (child 2) is done."),
        ("do turn(2)", "“turn” (child 2) is done."),
        ("do peek(2): up", "“peek” (child 2) is done, and this happens: “up”."),
        ("plan: lift(1), lift(2)", "1 lifts the lid; 2 lifts the lid."),
    ],
)
def test_a_step_is_a_sentence(step: str, says: str) -> None:
    problem = read(CHILDREN + step)
    assert step_in_words(problem, problem.structure, problem.steps[-1]).endswith(says)


def test_reasons_and_worlds_are_told_in_the_words_of_the_file() -> None:
    problem = read(f"{CHILDREN}true? K[2] muddy(2)\nwhere? month = june & ~muddy(1) & ~muddy(2)")
    _, asked, found = sk.check(problem)
    known, world = (line.text for line in reasons(problem, asked))
    assert known.startswith("child 2 does not know that child 2 is muddy")
    assert world == "child 1 is muddy, it is June, the number is 2"
    said = [line.text for line in details(problem, found, why=False)]
    assert said[-1] == "it is June, the number is 2"
