"""Broken action blocks: one error each, with line and caret, and near names where there are."""

from __future__ import annotations

import pytest

from symkripke.errors import ProblemError
from symkripke.problems.checker import check
from symkripke.problems.reader import read

GOOD = """\
let cards = {ace, king}
agents anna, bert
fluent p, near(a) for a in agents
fluent holds(c) in agents for c in cards
fluent x in 1..3
actual p, near(anna), holds(c) = anna for c in cards, x = 1
"""

NOTICED = "action peek: anna sees which\n"
TWO = "action peek:\n  event yes when p\n  event no when ~p\n  anna sees which\n"
OF_ONE = "action peek(a in agents): a sees which\n"

# What comes after the good lines; what is said of it; and where: line (from 1, behind the good
# lines) and column.
BROKEN = {
    "no name": ("action", "expected a name, got the end of the statement", 1, 7),
    "no colon": ("action peek", "':' or 'when', got the end of the statement", 1, 12),
    "nobody notices it": ("action peek:", "nobody would notice it", 1, 1),
    "nobody notices its event": ("action peek: p := true", "nobody would notice it", 1, 1),
    "no word for what is seen": ("action peek: anna sees", "expected 'that' or 'which'", 1, 23),
    "another word for it": ("action peek: anna sees wich", "did you mean 'which'?", 1, 24),
    "to notice which": ("action peek: anna notices which", "expected 'nothing'", 1, 27),
    "to see nothing": ("action peek: others see nothing", "`notices nothing`", 1, 25),
    "a name that an action made up": (f"{TWO}do peek\ntrue? event(1) = yes", "'event'", 6, 7),
    "another verb": ("action peek: anna spots which", "'notices', 'see' or 'sees', got", 1, 19),
    "no agent": ("action peek: ann sees which", "did you mean 'anna'?", 1, 14),
    "everyone": ("action peek: everyone sees which", "did you mean 'everybody'?", 1, 14),
    "a parameter that is none": (
        "action peek(a in agents): b sees which",
        "unknown agent 'b'; expected one of anna, bert",
        1,
        27,
    ),
    "no list": ("action peek(a in agnets): a sees which", "did you mean 'agents'?", 1, 18),
    "a parameter twice": (
        "action peek(a in agents, a in cards): a sees which",
        "the parameter a is given twice",
        1,
        26,
    ),
    "a parameter with a meaning": (
        "action peek(p): anna sees which",
        "p has a meaning already",
        1,
        13,
    ),
    "a name with a meaning": ("action near: anna sees which", "'near' is there already", 1, 8),
    "an action twice": (NOTICED * 2, "'peek' is there already", 2, 8),
    "an event twice": (
        "action peek:\n  event yes when p\n  event yes when ~p\n  anna sees which",
        "the event yes is there twice",
        3,
        9,
    ),
    "an event called skip": (
        "action peek:\n  event skip when p\n  anna sees which",
        "other than skip",
        2,
        9,
    ),
    "event misspelt": (
        "action peek:\n  even yes when p\n  anna sees which",
        "unknown word 'even'; did you mean 'event'?",
        2,
        3,
    ),
    "if for when": (
        "action peek:\n  event yes if p\n  anna sees which",
        "conditions of an action begin with 'when'",
        3,
        3,
    ),
    "a condition of no fluent": (
        "action peek:\n  event yes when q\n  anna sees which",
        "unknown name 'q'; expected one of p, near",
        2,
        18,
    ),
    "a fluent misspelt": (
        "action peek:\n  event yes when nera(anna)\n  anna sees which",
        "unknown fluent 'nera'; did you mean 'near'?",
        2,
        18,
    ),
    "an agent that knows nothing": (
        "action peek: anna sees which when K[ann] p",
        "unknown agent 'ann'; did you mean 'anna'?",
        1,
        37,
    ),
    "a condition that is a value": (
        "action peek: anna sees which when x",
        "write x = one of 1, 2, 3",
        1,
        35,
    ),
    "a change of no fluent": (
        "action peek: nera(anna) := true\n  anna sees which",
        "unknown fluent 'nera(anna)'; did you mean 'near(anna)'",
        1,
        14,
    ),
    "a change twice": (
        "action peek: p := true, p := false\n  anna sees which",
        "p cannot change twice",
        1,
        25,
    ),
    "a change to no value": (
        "action peek: holds(ace) := berta\n  anna sees which",
        "unknown value of holds(ace) 'berta'; did you mean 'bert'?",
        1,
        28,
    ),
    "a change with =": ("action peek: p = true\n  anna sees which", "got '='", 1, 16),
    "a change of a version": (
        "action peek: p#0 := true\n  anna sees which",
        "cannot change as a version of it",
        1,
        14,
    ),
    "a change out of the domain": (
        "action peek: x := x + 2\n  anna sees which\ndo peek",
        "would have no value in its domain",
        3,
        1,
    ),
    "a class with no event": (
        "action peek:\n  event yes when p\n  anna sees that {yes, no}",
        "unknown event 'no'",
        3,
        24,
    ),
    "an event in two classes": (
        "action peek:\n  event yes when p\n  event no\n  anna sees that {yes, no}, {no}",
        "the event no is in two classes",
        4,
        8,
    ),
    "a rank that is no number": (
        "action peek:\n  anna sees which\n  rank high",
        "expected a number after 'rank', got 'high'",
        3,
        8,
    ),
    "two ranks": (
        "action peek:\n  anna sees which\n  rank 1\n  rank 2",
        "the rank is given twice",
        4,
        3,
    ),
    "a change beside events": (
        "action peek: p := true\n  event yes\n  anna sees which",
        "say it of each event",
        1,
        14,
    ),
    "nobody is said to notice it": (
        "action peek: p := true",
        "if nobody does, write 'everybody notices nothing'",
        1,
        1,
    ),
    "an argument that it cannot have": (
        f"{OF_ONE}do peek(carl)",
        "'carl' cannot be the 'a' of 'peek'; expected one of anna, bert",
        2,
        9,
    ),
    "an event with half a line": (
        "action peek:\n  event yes p\n  anna sees which",
        "or the line above lacks something",
        3,
        3,
    ),
    "not in English": ("true? not B[anna] p", "for 'not' write ~", 1, 11),
    "and in English": ("action peek: p := p and true", "for 'and' write &", 1, 25),
    "belief in English": ("true? anna believes p", "for 'believes' write B[ann] ...", 1, 12),
    "an operator without brackets": ("true? K anna p", "write K[ann] ...", 1, 9),
    "a label with no parameter": (
        'action peek "{b} peeks":\n  anna sees which',
        "unknown parameter 'b'",
        1,
        1,
    ),
    "no action": ("do peek", "there is no `action` above", 1, 4),
    "an action misspelt": (f"{OF_ONE}do peak(anna)", "did you mean 'peek'?", 2, 4),
    "too few arguments": (f"{OF_ONE}do peek", "peek(a) takes 1 argument, got 0", 2, 4),
    "no such argument": (f"{OF_ONE}do peek(ann)", "did you mean 'anna'?", 2, 9),
    "an argument that is wrong inside": (
        "action peek(a): a sees which\ndo peek(ann)",
        "in peek: unknown agent 'ann'; did you mean 'anna'?",
        2,
        4,
    ),
    "no such event": (f"{TWO}do peek: yess", "did you mean 'yes'?", 5, 10),
    "an event that is not the actual one": (
        "action peek:\n  actual event yes\n  event no\n  anna sees which\ndo peek: no",
        "no is not one of the events that can be the actual one",
        5,
        10,
    ),
    "an action that cannot be done": (
        "action peek when ~p: anna sees which\ndo peek",
        "peek cannot be done: ~p is not so in the actual world",
        2,
        1,
    ),
    "events that cannot happen": (
        "action peek:\n  event yes when ~p\n  event no when x = 2\n  anna sees which\ndo peek",
        "none of its events can happen (yes needs ~p; no needs x = 2)",
        5,
        1,
    ),
    "a plan with no action": (f"{NOTICED}plan:", "expected a name, got the end", 2, 6),
    "a plan with an action misspelt": (f"{NOTICED}plan: peek, pek", "'peek'?", 2, 13),
    "a formula with no action": (f"{NOTICED}true? [pek] p", "'peek'?", 2, 8),
    "a formula with a bracket open": (f"{NOTICED}true? [peek p", "or ']', got 'p'", 2, 13),
}


def test_there_are_forty() -> None:
    assert len(BROKEN) >= 40


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_action_is_one_error_with_its_place(case: str) -> None:
    text, says, line, column = BROKEN[case]
    with pytest.raises(ProblemError) as caught:
        list(check(read(f"{GOOD}{text}\n", "room.skp")))
    assert says in caught.value.problem
    assert "\n" not in caught.value.problem
    assert (caught.value.line, caught.value.column) == (6 + line, column)
    caret = str(caught.value).splitlines()
    assert caret[0].startswith(f"room.skp, line {6 + line}, column {column}: ")
    assert caret[-1].index("^") == 1 + column


def test_the_good_part_is_good() -> None:
    for text in (NOTICED, TWO, OF_ONE):
        assert list(check(read(f"{GOOD}{text}do peek{'(anna)' * (text is OF_ONE)}\ntrue? p\n")))
