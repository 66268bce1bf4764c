"""Past versions of fluents, and agents that still observe them, in every engine."""

from __future__ import annotations

import pytest

from symkripke.engines import ENGINES, engine
from symkripke.errors import FalseConstraint, FormulaError
from symkripke.language import Atom, parse
from symkripke.model import (
    Change,
    Event,
    Fluent,
    KnowledgeStructure,
    Scene,
    Vocabulary,
    announcement,
)
from symkripke.problems import check, read

P = Atom("p")

STORIES = {
    "what was so is announced": """
        agents b; fluent p; b sees p; actual p
        change p := ~p
        announce whether K[b] p#0
        expect C[b] p#0 & p#0 & ~p""",
    "a change to what all know makes a version": """
        agents b; fluent p; actual ~p
        change p := true
        expect K[b] p#1 & Kv[b] p#1 & ~Kw[b] p#0 & ~(p#1 = false)
        change p := ~p
        expect p#1 & ~p#2 & ~p & ~p#0 & K[b] ~p#2""",
    "an action to what all know makes a version": """
        agents b; fluent p; actual ~p
        action a: p := true
          everybody sees which
        do a
        expect K[b] p#1 & Kv[b] p#1 & ~Kw[b] p#0 & ~(p#1 = false)""",
    "numbers in binary have constant versions": """
        agents a; fluent n in 0..40; actual n = 7
        change n := 33
        change n := n + 1
        expect n#1 = 33 & n#2 = 34 & n = 34 & n#0 = 7 & K[a] n#1 = 33 & ~K[a] n#0 = 7""",
    "a photograph of the past is not watching": """
        agents ann, bob; fluent p; actual p
        change p := ~p
        show ann: p#0
        action toss:
          event heads: p := true
          event tails: p := false
          ann, bob see that
        do toss: heads
        expect Kw[ann] p#0 & ~Kw[ann] p""",
    "what all know can be shown, and is watched from then on": """
        agents a, b; fluent p, q; actual p, q
        change p := true
        show a: p, p#1
        change p := q
        expect Kw[a] p & ~Kw[b] p""",
    "who is shown a version and the fluent watches the fluent": """
        agents a; fluent p, q, r; actual p, q, r
        change p := ~q
        show a: p#0, p
        change p := r
        expect Kw[a] p & Kw[a] p#1""",
    "who is shown the present version by its number goes on watching": """
        agents b; fluent p, q; actual p, q
        change p := p & q
        show b: p#1
        change p := ~p
        expect Kw[b] p""",
    "who is shown the first version does not": """
        agents b; fluent p, q; actual p, q
        change p := p & q
        show b: p#0
        change p := ~p
        expect ~Kw[b] p""",
    "values of several versions": """
        agents a, b; fluent p; a sees p; actual p
        change p := true
        expect Kv[a] (p#0, p#1) & Kv[a] (p, p#0) & ~Kv[b] (p#0, p#1) & ~Kv[b] p#0""",
}

AFTER = """
agents ann, bob
fluent p
fluent q in {red, blue}
actual p, q = red
change p := ~p
action flip:
  p := ~p
  ann sees which
action paint:
  event a: q := blue, p := q = red
  bob sees which
expect [flip] (p#2 & ~p#1 & p#0)
expect [flip] [paint] (p#3 & p#2 & ~p#1 & q#1 = blue & q#0 = red)
expect <flip> <paint> (p#3 & Kv[bob] q)
"""


def coin(value: str = "true") -> Scene:
    """Return a coin p that nobody sees."""
    start = KnowledgeStructure.of(Vocabulary.of([Fluent("p")], ["ann", "bob"]), (), {})
    return Scene.of(start, {"p": value})


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("story", STORIES)
def test_stories(story: str, name: str) -> None:
    text = "\n".join(line[8:] for line in STORIES[story].splitlines()).replace("; ", "\n")
    answers = [one.answer for one in check(read(text), engine(name)) if one.answer is not None]
    assert answers
    assert all(answers)


def test_formulas_after_actions_can_name_the_new_versions() -> None:
    assert [bool(outcome.answer) for outcome in check(read(AFTER))][-3:] == [True] * 3
    with pytest.raises(FormulaError, match="p has no version #4"):
        read(f"{AFTER}true? [flip] (p | [paint] p#4)")


def test_a_false_statement_about_the_past_is_refused() -> None:
    scene = coin().update(Event("turned", changes=(Change("p", "false"),)))
    with pytest.raises(FalseConstraint):
        scene.update(announcement(parse("p#0 -> p")))
    with pytest.raises(FormulaError, match="p has no version #2"):
        scene.structure.parse("p#2")
