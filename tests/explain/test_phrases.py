"""Formulas in words."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from symkripke.engines import Budget, engine
from symkripke.errors import SymkripkeError
from symkripke.explain.data import as_data
from symkripke.explain.evidence import Teller
from symkripke.explain.phrases import Wording
from symkripke.language import Atom, negation, parse
from symkripke.model import EpistemicState, World
from symkripke.testing.random_models import (
    ALL,
    BELIEF,
    Names,
    Seeded,
    random_formula,
    random_history,
)


def _atom(atom: Atom, truth: bool) -> str:
    return str(atom if truth else negation(atom))


SAYS = Wording(_atom, {"ann": "Ann", "bob": "Bob"}, everybody=frozenset(("ann", "bob", "cat")))

# `test_unambiguous.py` shows that different formulas get different sentences.
SENTENCES = {
    "K[ann] p": ("Ann knows that p", "Ann does not know that p"),
    "Kv[cat] p": ("cat knows the value of p", "cat does not know the value of p"),
    "K[ann] p | K[ann] ~p": ("Ann knows whether p", "Ann does not know whether p"),
    "M[ann] ~p & M[ann] p": ("Ann does not know whether p", "Ann knows whether p"),
    "C[ann, bob] p": ("knowledge between Ann and Bob that p", "not common knowledge between"),
    "C[ann, bob, cat] p": ("it is common knowledge that p", "not common knowledge that p"),
    "C[ann] p": ("Ann knows that p", "Ann does not know that p"),
    "D[ann, bob] p": ("Ann and Bob together know that p", "together do not know that p"),
    "p -> K[ann] q": ("if p, then Ann knows that q", "p, and Ann does not know that q"),
    "[!p] false": ("cannot be announced that p", "can be announced that p"),
    "[!p] K[ann] q": ("after the announcement", "can be announced that p, and then Ann does not"),
    "B[ann | q] p": ("given that q, Ann believes that p", "given that q, Ann does not believe"),
    "(p -> q) & M[ann] r": ("Ann considers it possible that r, and (if p, then q)", "~q, or Ann"),
    "K[ann] (K[bob] p & ~q)": ("both that Bob knows that p and that ~q", "does not know both that"),
    "K[ann] (K[bob] p & q & ~r)": ("all of these are true: Bob knows that p; q; ~r", "does not"),
    "(p & q) | (q & r)": ("either p and q, or q and r", "~p or ~q, and ~q or ~r"),
    "atmost(1; p, q, r)": ("at most one of these is true: p; q; r", "more than one of these is"),
    "~(p <-> q)": ("exactly one of these is true: p; q", "p if and only if q"),
    "atleast(2; p, q, r)": ("at least 2 of these are true", "fewer than 2 of these are true"),
    "P[ann](p) > 1/2": ("probability that p is more than 1/2", "p is at most 1/2"),
    "P[ann | q](K[bob] p) = 1/2": ("given that q, is exactly 1/2", "q, is not exactly 1/2"),
}


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences(text: str) -> None:
    formula = parse(text)
    for truth, said in zip((True, False), SENTENCES[text], strict=True):
        assert said in SAYS.claim(formula, truth)


def test_long_sentences_stay_formulas() -> None:
    text = " & ".join(f"K[ann] p{number}" for number in range(12))
    assert SAYS.claim(parse(text), True) == f"{text} is true"


class Plain(Teller):
    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        yield f"{dict(world)}, not {before}"


def test_all_evidence_can_be_explained() -> None:
    told = 0
    for seed in range(40):
        choices = Seeded(seed)
        scene = random_history(choices, most_events=3, most_fluents=4, most_worlds=64, beliefs=True)
        names = Names.of(scene.structure)
        for _ in range(3):
            asked = random_formula(choices, names, 4, (*ALL, *BELIEF, "K", "M"))
            view: EpistemicState = scene.perspective(scene.structure.agents[0])
            state = choices.one_of((scene, view))
            try:
                evidence = engine().holds(state, asked, Budget(seconds=20)).why()
            except SymkripkeError:
                continue
            told += 1
            lines = list(Plain(SAYS, scene.world).tell(evidence))
            assert lines
            assert all(line.text for line in lines)
            assert json.loads(json.dumps(as_data(evidence)))["truth"] is evidence.truth
    assert told > 60
