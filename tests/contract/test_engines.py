"""The contract of engines, applied to the engines."""

from __future__ import annotations

from symkripke.engines import Engine, engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.testing import EngineContract
from symkripke.testing.random_models import BELIEF, BOOLEAN, KNOWLEDGE

KNOWING = (*BOOLEAN, *KNOWLEDGE)
BELIEVING = (*BOOLEAN, "K", "M", "E", "C", *BELIEF, "B", "B")
INSTANT = ("possibilities", "sheet", "worlds")


class TestSat(EngineContract):
    operators = (*KNOWING, "announced", "announced_true")
    cases = 25

    def make(self) -> Engine:
        return engine("sat")


class TestSatOnCommonKnowledge(EngineContract):
    operators = (*BOOLEAN, "K", "M", "E", "D", "C", "C")
    cases = 8
    seed = 70_000

    def make(self) -> Engine:
        return engine("sat")


class TestBdd(EngineContract):
    operators = (*KNOWING, "C", "P", "announced", "announced_true")
    cases = 15
    counts = True
    instant = INSTANT

    def make(self) -> Engine:
        return engine("bdd")


class TestBddInParts(TestBdd):
    """Simulate laws that are too large to be built as a whole."""

    cases = 6

    def make(self) -> Engine:
        return BddEngine(tuning=BddTuning(small_law=0, small_law_of_many=0))


class TestBddTogether(TestBdd):
    """Treat two agents as many so that their nested knowledge is computed together."""

    cases = 6

    def make(self) -> Engine:
        return BddEngine(tuning=BddTuning(batch=2))


class TestBddByWeight(EngineContract):
    operators = (*KNOWING, "C", "P", "P", "announced_true")
    cases = 8
    counts = True
    weighting = "bayes"
    seed = 10_000
    instant = INSTANT

    def make(self) -> Engine:
        return engine("bdd", "bayes")


class TestSatOnBelief(EngineContract):
    operators = BELIEVING
    cases = 12
    beliefs = True
    seed = 20_000

    def make(self) -> Engine:
        return engine("sat")


class TestBddOnBelief(EngineContract):
    operators = (*BELIEVING, "Kw", "Kv", "D", "announced")
    cases = 10
    beliefs = True
    seed = 30_000
    instant = INSTANT

    def make(self) -> Engine:
        return engine("bdd")


class TestSmtOnBelief(EngineContract):
    operators = (*BOOLEAN, "K", "M", "B", "B", "given", "EB")
    cases = 2
    formulas = 2
    beliefs = True
    explains = False

    def make(self) -> Engine:
        return engine("smt")


class TestSmt(EngineContract):
    operators = KNOWING
    cases = 5
    formulas = 2

    def make(self) -> Engine:
        return engine("smt")


class TestExplicit(EngineContract):
    cases = 5
    instant = INSTANT
    operators = (*KNOWING, "C", "P", "announced", "announced_true")
    counts = True

    def make(self) -> Engine:
        return engine("explicit")


class TestAuto(EngineContract):
    cases = 6
    operators = (*KNOWING, "C", "P", "announced", "announced_true")
    counts = True

    def make(self) -> Engine:
        return engine("auto")
