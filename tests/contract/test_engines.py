"""The engines keep the contract of engines."""

from __future__ import annotations

from symkripke.engines import Engine, engine
from symkripke.testing import EngineContract
from symkripke.testing.random_models import BOOLEAN, KNOWLEDGE

KNOWING = (*BOOLEAN, *KNOWLEDGE)


class TestSat(EngineContract):
    operators = (*KNOWING, "announced", "announced_true")
    cases = 40

    def make(self) -> Engine:
        return engine("sat")


class TestSatOnCommonKnowledge(EngineContract):
    operators = (*BOOLEAN, "K", "M", "E", "D", "C", "C")
    cases = 20
    seed = 70_000

    def make(self) -> Engine:
        return engine("sat")


class TestBdd(EngineContract):
    operators = (*KNOWING, "C", "P", "announced", "announced_true")
    cases = 30
    counts = True

    def make(self) -> Engine:
        return engine("bdd")


class TestSmt(EngineContract):
    operators = KNOWING
    cases = 4
    formulas = 2

    def make(self) -> Engine:
        return engine("smt")


class TestExplicit(EngineContract):
    cases = 10
    operators = (*KNOWING, "C", "P", "announced", "announced_true")
    counts = True

    def make(self) -> Engine:
        return engine("explicit")


class TestAuto(EngineContract):
    cases = 20
    operators = (*KNOWING, "C", "P", "announced", "announced_true")
    counts = True

    def make(self) -> Engine:
        return engine("auto")
