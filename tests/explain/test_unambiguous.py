"""Unambiguous wording: formulas with the same sentence are equivalent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import symkripke as sk
from symkripke.engines.asked import without_values
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.explicit.model import KripkeModel
from symkripke.engines.explicit.truth import evaluate
from symkripke.explain.phrases import Wording
from symkripke.language import Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.model import ActionModel, PossibleEvent
from symkripke.problems import read
from symkripke.problems.outcome_words import Written
from symkripke.problems.problem import Question
from symkripke.problems.step_words import step_in_words
from symkripke.testing.random_models import ALL, BELIEF, Names, Seeded, random_formula, random_scene
from tests.support.sentences import texts, unambiguous

AGENTS = ("ann", "bob")
P, Q = Atom("p"), Atom("q")
SAYS = Wording(
    lambda atom, truth: f"{'' if truth else 'not '}{atom}",
    {"ann": "Ann", "bob": "Bob"},
    everybody=frozenset(AGENTS),
)


class Models:
    """Random models; formulas true at the same worlds of all of them count as equivalent."""

    def __init__(self) -> None:
        self._models: list[tuple[sk.KnowledgeStructure, KripkeModel]] = []
        for seed in range(400):
            structure = random_scene(Seeded(seed), 4, beliefs=True).structure
            fluents = structure.vocabulary.fluents
            if all(fluents[name].is_boolean for name in ("p", "q")):
                model = ExplicitEngine().model(structure)
                if 6 <= model.size <= 16:
                    self._models.append((structure, model))
        assert len(self._models) > 10

    def truth(self, formula: Formula) -> tuple[bytes, ...]:
        """Return the worlds at which a formula is true, in each model."""
        return tuple(
            evaluate(model, without_values(structure, structure.resolve(formula))).tobytes()
            for structure, model in self._models
        )

    def check(self, formulas: Iterable[Formula]) -> int:
        """Check that formulas with the same sentence are equivalent, and return their number."""
        told: dict[str | None, dict[Formula, None]] = defaultdict(dict)
        for formula in formulas:
            told[SAYS.sentence(formula, True)][formula] = None
        told.pop(None, None)
        for said, alike in told.items():
            first, *others = alike
            for other in others:
                assert self.truth(first) == self.truth(other), (said, first, other)
        return sum(map(len, told.values()))


def combined(parts: Iterable[Formula], with_parts: Iterable[Formula]) -> list[Formula]:
    """Return all formulas that apply one operator to the given formulas."""
    parts, half = list(parts), Fraction(1, 2)
    found: list[Formula] = []
    for one in parts:
        found += (negation(one), f.K("ann", one), f.M("bob", one), f.Kw("ann", one))
        found += (f.E(AGENTS, one), f.C(AGENTS, one), f.CB(AGENTS, one), f.B("ann", one))
    for one, other in product(parts, with_parts):
        found += (conjunction((one, other)), disjunction((one, other)), f.Implies(one, other))
        found += (f.Iff(one, other), f.Announced(one, other), f.AnnouncedTrue(one, other))
        found += (f.B("ann", one, other), f.P("ann", one, ">=", half, other))
        found += (f.exactly(1, (one, other)), f.D(AGENTS, other))
    return found


def test_all_small_formulas() -> None:
    """These have two nested operators, and some have three."""
    models = Models()
    single = [P, Q, f.Kv("ann", ("p",)), f.Kv("ann", ("p", "q"))]
    double = list(dict.fromkeys(combined(single[:2], single)))
    few = [P, f.K("bob", Q), Q & ~P]
    triple = list(dict.fromkeys(combined(double, few)))
    assert models.check([*single, *double, *triple]) > 3_000
    assert models.check([g for h in triple[::4] for g in (f.K("ann", h), h | Q, h & P)]) > 2_000


def test_random_formulas() -> None:
    choices, names = Seeded(1), Names((sk.Fluent("p"), sk.Fluent("q")), AGENTS)
    operators = (*ALL, *BELIEF, "K", "and", "or")
    drawn = [random_formula(choices, names, 3, operators) for _ in range(3_000)]
    assert Models().check(drawn) > 2_000


def test_actions() -> None:
    """The formulas say what holds after an action, and that it is possible or impossible."""
    toss = ActionModel("toss", [PossibleEvent("heads", P), PossibleEvent("tails", Q)])
    found = [*(f.AfterAction(toss, g) for g in (P, ~P, P & Q, f.TRUE, f.FALSE)), P]
    found += map(negation, list(found))
    found += [f.K("ann", g) for g in found]
    found += [g & Q for g in found]
    assert len({SAYS.sentence(g, True) for g in found}) == len(found)


STORY = """\
agents a, b
fluent p, q
fluent x, y in 0..40
a sees x + y
define lucky = p & x > 3
actual p, q, x = 3, y = 4
action turn: p := ~p
  a sees which
change p := ~p, x := y
change p := ~p
"""

ASKED = """
p;; ~p;; p#0;; p#1;; ~p#1;; x = 3;; x != 3;; x#0 = 3;; x > 3;; x#0 > 3;; x + y > 7;; x#0 + y > 7
x = y;; x = x#0;; lucky;; ~lucky;; lucky | q;; p | q & x > 3;; Kv[a] x;; Kv[a] x#0;; Kv[a] (x, y)
Kv[a] p;; Kv[a] p#0;; [turn] p;; [turn] p#0;; [turn] p#2;; <turn> p;; <turn> p#0;; [turn] ~p
[turn] [turn] p;; [turn] x = 3;; [turn] x#0 = 3;; [!p] [turn] p;; [!p] q;; <!p> q;; <!p> [turn] p
[turn] [!p] q;; [turn] K[a] p;; K[a] [turn] p;; sum(p, q) = 1;; x div 2 = 1;; x mod 2 = 1
(if p then x else y) = 3;; B[a] p;; B[a | q] p;; B[a | p#0] q;; K[a] (p | q);; K[a] p | q
K[a] (K[b] p | q);; K[a] K[b] p | q;; atleast(1; p, q);; atleast(2; p, q, x = 3)
P[a](p) > 1/2;; P[a | q](p) > 1/2;; P[a](p & q) > 1/2
"""


def test_questions_of_a_file() -> None:
    """Past versions, binary numbers, definitions and actions, in questions and claims."""
    asked = ASKED.strip().replace("\n", ";;").split(";;")
    problem = read(STORY + "".join(f"true? {text}\n" for text in asked))
    structure = list(sk.check(problem))[-1].structure
    claims = Written(problem, structure).wording()
    questions = [step for step in problem.steps if isinstance(step, Question)]
    asks = [step_in_words(problem, structure, step) for step in questions]
    told = [claims.claim(structure.resolve(step.formula), True) for step in questions]
    for words in (asks, told):
        assert all(words)
        assert len(set(words)) == len(asked), sorted(words)


FACTS = ("p", "q", "p#0", "lucky", "x = 3", "x#0 = 3", "x > 3", "x + y > 7", "Kv[a] x", "[turn] p")


def test_random_questions_of_a_file() -> None:
    """Pairs of facts in random formulas are compared, both in questions and in claims."""
    asked = list(texts(FACTS, ("a", "b"), Seeded(1), 7))
    problem = read(STORY + "".join(f"true? {text}\n" for text in asked))
    structure = list(sk.check(read(STORY + "true? p\n")))[-1].structure
    said = Written(problem, structure).wording()
    questions = [step for step in problem.steps if isinstance(step, Question)]
    asks = ((step_in_words(problem, structure, step), step.formula) for step in questions)
    assert unambiguous(structure, asks) > 100
    claims = (
        (said.sentence(structure.resolve(step.formula), truth), stated)
        for step in questions
        for truth, stated in ((True, step.formula), (False, negation(step.formula)))
    )
    assert unambiguous(structure, claims) > 150
