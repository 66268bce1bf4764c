"""Guesses that are hard to check are put off: answers stay right, and come soon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import pytest

from symkripke.engines import Budget
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.engines.sat.modal.proxy import Proxy
from symkripke.engines.sat.modal.search import ModalSolver
from symkripke.engines.sat.solver import Solver
from symkripke.engines.sat.tuning import Tuning
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.language import Formula, Implies, conjunction, negation
from symkripke.model import Scene
from symkripke.play import Table
from symkripke.testing.random_models import (
    BELIEF,
    BOOLEAN,
    Names,
    Seeded,
    random_formula,
    random_history,
)
from tests.support.tables import KINDS

KNOWLEDGE = (*BOOLEAN, "K", "K", "M", "Kw", "Kv", "E", "D", "C")
OPERATORS = (*KNOWLEDGE, "announced")


@dataclass
class Counts:
    """How often guesses were put off, and how often a solver was called."""

    put_off: int = 0
    calls: int = 0


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    """What is counted from now on."""
    counted = Counts()
    defer, run = ModalSolver._defer, Solver._run

    def deferred(solver: ModalSolver, proxy: Proxy, guess: bool) -> None:
        counted.put_off += 1
        defer(solver, proxy, guess)

    def called(solver: Solver, assumptions: Sequence[int], conflicts: int) -> bool | None:
        counted.calls += 1
        return run(solver, assumptions, conflicts)

    monkeypatch.setattr(ModalSolver, "_defer", deferred)
    monkeypatch.setattr(Solver, "_run", called)
    return counted


SHORT_STAGES = Tuning(first_stage=1, stage_growth=2)


def test_answers_are_those_of_the_definitions(counts: Counts) -> None:
    """After each event of random histories, in one engine: what it learned must hold."""
    explicit = ExplicitEngine()

    def judge(there: Scene, formula: Formula) -> bool:
        return bool(explicit.holds(there, formula))

    asked = 0
    for seed in range(500, 560):
        beliefs = seed % 4 == 0
        choices = Seeded(seed)
        # Some of them with announcements about knowledge.
        scene = random_history(choices, judge=judge if seed % 2 else None, beliefs=beliefs)
        names = Names.of(scene.structure.root)
        operators = (*OPERATORS, *BELIEF) if beliefs else OPERATORS
        sat = SatEngine(tuning=SHORT_STAGES)
        formulas = [
            random_formula(choices, names, choices.integer(2, 4), operators) for _ in range(4)
        ]
        for events in range(len(scene.structure.stages)):
            there = scene.after(events)
            for formula in formulas:
                try:
                    truth = bool(sat.holds(there, formula))
                    valid = bool(sat.valid(there.structure, formula))
                except Unsupported:
                    continue  # an announcement that is too deep before common knowledge
                assert truth is bool(explicit.holds(there, formula)), (seed, events, str(formula))
                assert valid is bool(explicit.valid(there.structure, formula)), (seed, events)
                asked += 1
    assert asked > 300
    assert counts.put_off > 50


def test_a_refutation_names_what_it_needs(counts: Counts) -> None:
    """The core is one without the clauses by which guesses were put off."""
    explicit, refuted = ExplicitEngine(), 0
    for seed in range(600, 700):
        scene, choices = random_history(Seeded(seed)), Seeded(seed)
        structure = scene.structure
        if structure.versions:
            continue  # there a name means the last version, also in a core
        modal = SatEngine(tuning=SHORT_STAGES).evaluator.modal_solver(structure)
        names = Names.of(structure.root)
        for _ in range(4):
            formula = structure.resolve(random_formula(choices, names, 3, KNOWLEDGE))
            here = modal.here(scene.world)
            target = modal.target(normalise(formula, structure))
            found = modal.find(here, target) is not None
            assert found is bool(explicit.holds(scene, formula))
            if found:
                continue
            core = [modal.law.atom(abs(literal)) for literal in modal.core(here)]
            given = conjunction(
                atom if scene.world[atom.fluent] == atom.value else negation(atom) for atom in core
            )
            assert bool(explicit.valid(structure, Implies(given, negation(formula)))), seed
            refuted += 1
    assert refuted > 30
    assert counts.put_off > 10


def after(game: str, players: int, seed: int, events: int) -> Scene:
    """The scene of a game after so many events."""
    kind = KINDS[game]
    table = Table(kind.game, kind.game.setup(players=players), (kind.mind,), seed)
    for _ in islice(table, events):
        pass
    return table.scenes[events]


def test_an_easy_guess_comes_before_a_hard_one(counts: Counts) -> None:
    """Old Maid: the first guess that came was not checked in twenty seconds."""
    scene = after("old_maid", 6, 1, 72)
    counts.calls = 0
    asked = "D[cath, eve] ~Kw[bob] D[bob, dan, fay, ann, eve, cath] Kw[fay] holds(ann, king)"
    assert bool(SatEngine().holds(scene, asked)) is False
    assert counts.put_off > 0
    assert counts.calls < 4_000


def test_a_search_that_is_interrupted_leaves_nothing_behind() -> None:
    """The next question begins with the first stage, and with all guesses."""
    scene = after("old_maid", 6, 1, 72)
    engine = SatEngine()
    with pytest.raises(BudgetExceeded):
        engine.holds(scene, "K[bob] ~Kw[fay] holds(ann, king)", Budget(work=3_000))
    modal = engine.evaluator.modal_solver(scene.structure)
    assert (modal._depth, modal._most, modal._without) == (0, None, 0)
