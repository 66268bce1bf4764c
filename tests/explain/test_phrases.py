"""Formulas as people say them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from symkripke.engines import Budget, engine
from symkripke.errors import SymkripkeError
from symkripke.explain.data import as_data
from symkripke.explain.evidence import Teller
from symkripke.explain.phrases import Wording
from symkripke.language import Atom, Formula, negation, parse
from symkripke.model import State, World
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

SENTENCES = {
    "K[ann] p": ("Ann knows that p", "Ann does not know that p"),
    "M[ann] ~p": (
        "Ann considers it possible that ~p",
        "Ann does not consider it possible that ~p",
    ),
    "Kw[ann] K[bob] p": (
        "Ann knows whether Bob knows that p",
        "Ann does not know whether Bob knows that p",
    ),
    "Kv[cat] p": ("cat knows the value of p", "cat does not know the value of p"),
    "K[ann] p | K[ann] ~p": ("Ann knows whether p", "Ann does not know whether p"),
    "M[ann] ~p & M[ann] p": ("Ann does not know whether p", "Ann knows whether p"),
    "K[ann] (K[bob] p & ~q)": (
        "Ann knows both that Bob knows that p and that ~q",
        "Ann does not know both that Bob knows that p and that ~q",
    ),
    "B[ann] (p | q)": ("Ann believes that p or q", "Ann does not believe that p or q"),
    "E[ann, bob] p": ("Ann and Bob know that p", "it is not true that Ann and Bob know that p"),
    "D[ann, bob] p": (
        "Ann and Bob together know that p",
        "Ann and Bob together do not know that p",
    ),
    "C[ann, bob] p": (
        "it is common knowledge between Ann and Bob that p",
        "it is not common knowledge between Ann and Bob that p",
    ),
    "C[ann, bob, cat] p": ("it is common knowledge that p", "it is not common knowledge that p"),
    "CB[ann, bob] p": (
        "it is common belief between Ann and Bob that p",
        "it is not common belief between Ann and Bob that p",
    ),
    "p -> K[ann] q": ("if p, then Ann knows that q", "p, and Ann does not know that q"),
    "[!p] K[ann] q": (
        "after the announcement that p, Ann knows that q",
        "it can be announced that p, and then Ann does not know that q",
    ),
    "[!p] false": ("it cannot be announced that p", "it can be announced that p"),
    "(p & q) | (q & r)": ("either p and q, or q and r", "~p or ~q, and ~q or ~r"),
    "K[ann] p | ~p": ("either ~p, or Ann knows that p", "p, and Ann does not know that p"),
    "K[ann] (p | ~p)": ("Ann knows that p or ~p", "Ann does not know that p or ~p"),
    "K[ann] (K[bob] p | q)": (
        "Ann knows that either q, or Bob knows that p",
        "Ann does not know that either q, or Bob knows that p",
    ),
    "B[ann | q] p": (
        "given that q, Ann believes that p",
        "given that q, Ann does not believe that p",
    ),
    "(p -> q) & M[ann] r": (
        "Ann considers it possible that r, and (if p, then q)",
        "either p and ~q, or Ann does not consider it possible that r",
    ),
    "Kw[ann] ~(p & q)": (
        "Ann knows whether it is true that p and q",
        "Ann does not know whether it is true that p and q",
    ),
    "C[ann] p": ("Ann knows that p", "Ann does not know that p"),
    "P[ann | K[bob] q](K[bob] p) = 1/2": (
        "for Ann, the probability that (Bob knows that p), given that (Bob knows that q), is "
        "exactly 1/2",
        "for Ann, the probability that (Bob knows that p), given that (Bob knows that q), is "
        "not exactly 1/2",
    ),
    "P[ann](p) > 1/2": (
        "for Ann, the probability that p is more than 1/2",
        "for Ann, the probability that p is at most 1/2",
    ),
    "K[ann] (K[bob] p & q & ~r)": (
        "Ann knows that all of these are true: Bob knows that p; q; ~r",
        "Ann does not know that all of these are true: Bob knows that p; q; ~r",
    ),
    "K[ann] (p <-> (q <-> r))": (
        "Ann knows that both or neither of these are true: p; q if and only if r",
        "Ann does not know that both or neither of these are true: p; q if and only if r",
    ),
    "K[ann] (p <-> q)": (
        "Ann knows that p if and only if q",
        "Ann does not know that p if and only if q",
    ),
    "D[ann, bob] p | D[ann, bob] ~p": (
        "Ann and Bob together know whether p",
        "Ann and Bob together do not know whether p",
    ),
    "atmost(1; p, q, r)": (
        "at most one of these is true: p; q; r",
        "more than one of these is true: p; q; r",
    ),
    "~(p <-> q)": ("exactly one of these is true: p; q", "p if and only if q"),
    "atleast(1; p, K[bob] q)": (
        "at least one of these is true: p; Bob knows that q",
        "none of these is true: p; Bob knows that q",
    ),
    "atleast(2; p, K[bob] q, r)": (
        "at least 2 of these are true: p; Bob knows that q; r",
        "fewer than 2 of these are true: p; Bob knows that q; r",
    ),
}


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences(text: str) -> None:
    formula = parse(text)
    assert isinstance(formula, Formula)
    assert (SAYS.claim(formula, True), SAYS.claim(formula, False)) == SENTENCES[text]


def test_what_would_be_too_long_stays_a_formula() -> None:
    text = " & ".join(f"K[ann] p{number}" for number in range(12))
    formula = parse(text)
    assert isinstance(formula, Formula)
    assert SAYS.claim(formula, True) == f"{text} is true"


class Plain(Teller):
    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        yield f"{dict(world)}, not {before}"


def test_all_evidence_can_be_told() -> None:
    told = 0
    for seed in range(40):
        choices = Seeded(seed)
        scene = random_history(choices, most_events=3, most_fluents=4, most_worlds=64, beliefs=True)
        names = Names.of(scene.structure)
        for _ in range(3):
            asked = random_formula(choices, names, 4, (*ALL, *BELIEF, "K", "M"))
            view: State = scene.perspective(scene.structure.agents[0])
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
