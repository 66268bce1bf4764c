"""Swaps of values, lemmas and their images: what they state about the law, by listing worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, permutations, product
from random import Random

import pytest
from pysat.solvers import Minicard

from symkripke.engines import Budget
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.bits import mask_of
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.modal.abstraction import Abstraction
from symkripke.engines.sat.modal.normal_form import normalise
from symkripke.engines.sat.solver import Solver
from symkripke.engines.sat.swaps.cycles import Cycles, Statements
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.precondition import Precondition
from symkripke.engines.sat.swaps.preservation import preserve
from symkripke.engines.sat.swaps.projection import Projections, residue
from symkripke.engines.sat.tuning import Tuning
from symkripke.errors import BudgetExceeded
from symkripke.language import Atom, Formula, K, M, disjunction, negation
from symkripke.language import formulas as f
from symkripke.model import KnowledgeStructure, Scene, World, announcement, evaluate
from symkripke.model.evaluate import counts
from symkripke.play import Table, game
from symkripke.testing.random_models import (
    BOOLEAN,
    Names,
    Seeded,
    all_worlds,
    random_formula,
    random_history,
)
from tests.support.situations import HIDDEN, at, dealt, told

AGENTS = ("ann", "bob", "cath")
DEEP = (*BOOLEAN, "K", "M", "Kw", "E", "D", "C")


def law_of(structure: KnowledgeStructure) -> tuple[Law, Encoding]:
    encoding = Encoding()
    law = Law(encoding, Implicants(encoding, {}))
    law.open(structure)
    for stage in structure.stages:
        for constraint in encoding.stage(stage):
            law.add(constraint.formula)
    return law, encoding


# ---- swaps -------------------------------------------------------------------------------------


def check_swaps(law: Law, worlds: list[int], most: int) -> Counter[str]:
    """Lift the steps between some worlds, and check where else they apply."""
    known, found = set(worlds), Counter[str]()
    for here, there in list(permutations(worlds[:8] + worlds[-8:], 2))[:most]:
        names = law.differing(here, there)
        kept = Precondition()
        swap = law.swap(here, there, names, kept)
        assert swap.applied(here) == there
        preserve(law, swap, kept, here)
        lemma = law.settled(kept, swap)
        assert lemma is not None
        assert lemma.applies(here)
        for world in worlds:
            if lemma.applies(world):
                assert swap.applied(world) in known
                found["elsewhere"] += world != here
        found["extended"] += len(swap.names) > len(names)
    found["defined"] += len(law.defined)
    return found


def test_swaps_keep_the_law_of_random_histories() -> None:
    found = Counter[str]()
    for seed in range(80):
        structure = random_history(Seeded(seed), most_events=4).structure
        if structure.law.is_modal or not structure.versions:
            continue
        law, encoding = law_of(structure)
        worlds = [
            sum(1 << encoding.atom(Atom(*one)) for one in world.items() if one[1] != "false")
            for world in all_worlds(tuple(structure.vocabulary.fluents.values()))
            if all(evaluate(one.formula, world) for one in structure.law)
        ]
        found += check_swaps(law, worlds, 40)
    assert found["defined"] > 30
    assert found["extended"] > 50
    assert found["elsewhere"] > 500


def worlds_of(structure: KnowledgeStructure) -> list[World]:
    table = ExplicitEngine().model(structure).table
    return [table.world(row) for row in range(table.size)]


@pytest.mark.parametrize("seed", range(5))
def test_no_clause_excludes_known_facts(seed: int) -> None:
    """This is checked at every world and after every event. Few wrong guesses remain, too."""
    chance = Random(f"{seed}/cycles")
    hands = ({"ann": 2, "bob": 2, "cath": 1, HIDDEN: 1}, {"ann": 2, "bob": 1, "cath": 2, HIDDEN: 1})
    scene = dealt(chance.choice(hands), chance)
    names = [*scene.structure.vocabulary.fluents]
    encoding, solver = Encoding(), Minicard()
    state, statements = Law(encoding, Implicants(encoding, {})), Statements(encoding.fresh)
    cycles: dict[tuple[str, bool], Cycles] = {}
    asked: list[Formula] = []
    known_of: dict[object, int] = {}
    stages = false = excluded = 0
    for _ in range(5):
        structure = scene.structure
        state.open(structure)
        for stage in structure.stages[stages:]:
            for constraint in encoding.stage(stage):
                state.add(constraint.formula)
        stages = len(structure.stages)
        projections, worlds = Projections.stated(state), worlds_of(structure)
        for _ in range(3):
            facts = [Atom(chance.choice(names), chance.choice((*AGENTS, HIDDEN))) for _ in "12"]
            signed = [one if chance.random() < 0.5 else negation(one) for one in facts]
            asked.append(disjunction(signed) if chance.random() < 0.4 else facts[0])
        for agent, whole in product(AGENTS, (False, True)):
            fixed = mask_of(encoding.observed(structure, (agent,)))
            law = state if whole else projections.of(fixed | state.bits(names))
            swaps = cycles.setdefault((agent, whole), Cycles(statements, law, fixed))
            swaps.move(law, fixed)
            views: dict[tuple[bool, ...], list[World]] = {}
            for world in worlds:
                looks = [evaluate(one.atom, world) for one in structure.observables[agent]]
                views.setdefault(tuple(looks), []).append(world)
            for fact, alike in product(asked, views.values()):
                known = known_of.setdefault((agent, whole, fact), 0) or encoding.fresh()
                known_of[agent, whole, fact] = known
                swaps.state(known, fact)
                is_known = all(evaluate(fact, world) for world in alike)
                for world in alike:
                    there = [
                        encoding.atom(atom) * (1 if evaluate(atom, world) else -1)
                        for fluent in structure.vocabulary.fluents.values()
                        for atom in fluent.atoms
                    ]
                    switch = swaps.switch
                    solver.append_formula(statements.clauses)
                    statements.clauses.clear()
                    possible = solver.solve([known, switch, *there])
                    assert solver.solve([known, -statements.used, *there])
                    assert possible or not is_known, f"{seed}: {agent}, {fact} at {world}"
                    false += not is_known and evaluate(fact, world)
                    excluded += not possible and evaluate(fact, world)
        scene = told(scene, chance)
    assert excluded > 0.4 * false, f"{excluded} of {false}"


# ---- lemmas ------------------------------------------------------------------------------------


def after(name: str, players: int, seed: int, events: int, mind: str = "random") -> Scene:
    """Return the scene of a game after `events` events."""
    table = Table.of(game(name), players=players, seed=seed, minds=(mind,))
    for _ in islice(table, events):
        pass
    return table.scenes[events]


def test_questions_in_a_long_game_take_few_lemmas() -> None:
    """Six players and thirty turns make over 1,000 fluents; each lemma covers few worlds."""
    scene, engine = after("old_maid", 6, 1, 30), SatEngine()
    engine.holds(scene, "M[bob] K[ann] holds(dan, queen)")
    modal = engine.evaluator.modal_solver(scene.structure)
    assert len(modal.law.defined) > 200
    lemmas = [one for proxy in modal.proxies.values() for one in proxy.lemmas[False]]
    assert 0 < len(lemmas) < 150
    assert sum(len(one.literals) for one in lemmas) / len(lemmas) < 80


@pytest.mark.parametrize(
    ("players", "seed", "events", "asked", "most"),
    [
        # Without cyclic swaps, going case by case, this took more than ten seconds.
        (7, 2, 20, "K[cath] K[ann] ~C[fay, gus] Kv[eve] hidden_gem", 500),
        # Without images of lemmas from counterexample worlds, this took 300 lemmas and 7,000 calls.
        (
            5,
            1,
            6,
            "Kw[dan] M[cath] M[dan] K[cath] ~(location(rps) = bob | location(bps) = hidden)",
            3_000,
        ),
        # Stating 14,000 images one by one took more than ten seconds.
        (4, 2, 3, "Kw[ann] ~Kw[dan] M[ann] Kv[cath] hidden_gem", 2_000),
    ],
)
def test_hard_questions_of_sleuth_take_few_calls(
    players: int, seed: int, events: int, asked: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, run = 0, Solver._run

    def counted(solver: Solver, assumptions: Sequence[int], conflicts: int) -> bool | None:
        nonlocal calls
        calls += 1
        return run(solver, assumptions, conflicts)

    scene = after("sleuth", players, seed, events, "lead")
    monkeypatch.setattr(Solver, "_run", counted)
    assert bool(SatEngine().holds(scene, asked)) is True
    assert calls < most


def test_a_refutation_has_a_sufficient_core() -> None:
    """The core contains no clauses that postpone guesses."""
    explicit, refuted = ExplicitEngine(), 0
    for seed in range(600, 640):
        scene, choices = random_history(Seeded(seed)), Seeded(seed)
        structure = scene.structure
        if structure.versions:
            continue  # with several versions, a name means the last one, also in a core
        modal = SatEngine(tuning=Tuning(first_stage=1, stage_growth=2)).evaluator.modal_solver(
            structure
        )
        names = Names.of(structure.root)
        for _ in range(4):
            formula = structure.resolve(random_formula(choices, names, 3, DEEP))
            here = modal.here(scene.world)
            target = modal.target(normalise(formula, structure))
            found = modal.find(here, target) is not None
            assert found is bool(explicit.holds(scene, formula))
            if found:
                continue
            atoms = modal.law.encoding.atoms
            core = [atom for literal in modal.core(here) if (atom := atoms[abs(literal)])]
            given = f.conjunction(
                atom if scene.world[atom.fluent] == atom.value else negation(atom) for atom in core
            )
            assert bool(explicit.valid(structure, f.Implies(given, negation(formula)))), seed
            refuted += 1
    assert refuted > 12


def test_an_interrupted_search_leaves_nothing_behind() -> None:
    """The next question begins with the first stage, and with all guesses."""
    scene, engine = after("old_maid", 6, 1, 72), SatEngine()
    with pytest.raises(BudgetExceeded):
        engine.holds(scene, "K[bob] ~Kw[fay] holds(ann, king)", Budget(work=3_000))
    modal = engine.evaluator.modal_solver(scene.structure)
    assert (modal._depth, modal._most, modal._without) == (0, None, 0)


def test_a_single_solver_follows_a_running_game() -> None:
    scene, sat = dealt({"ann": 2, "bob": 2, "cath": 2}), SatEngine()
    question = M("ann", f.Kv("bob", ["at(c1)"]))
    sat.holds(scene, question)
    first = sat.evaluator.modal_solver(scene.structure)
    later = scene.update(announcement(at(0, "ann")))
    sat.holds(later, question)
    assert sat.evaluator.modal_solver(later.structure) is first
    # The past gets a separate solver, and the game continues with the first solver.
    sat.holds(scene, question)
    assert sat.evaluator.modal_solver(scene.structure) is not first
    assert sat.evaluator.modal_solver(later.structure) is first
    assert sat.holds(later, K("ann", f.TRUE))


def test_a_residue_is_the_law_without_a_fluent() -> None:
    """By listing worlds: the residue is true iff some value of the fluent completes a world."""
    simple = true = false = 0
    for seed in range(150):
        structure = random_history(Seeded(seed), most_events=2).structure
        law, encoding = law_of(structure)
        fluents = tuple(structure.vocabulary.fluents.values())
        for fluent in fluents:
            clauses = residue(law, fluent.name)
            if clauses is None:
                continue
            simple += 1
            mask = law.masks[fluent.name]
            whole = [one for one in law.constraints.clauses if not (one[0] | one[1]) & mask]
            counting = [one for one in law.constraints.counting if not one[0] & mask]
            others = {one for occurrences in law.occurrences.values() for one in occurrences.others}
            for rest in all_worlds([one for one in fluents if one is not fluent])[:64]:
                true_ones = (Atom(*one) for one in rest.items() if one[1] != "false")
                world = sum(1 << encoding.atom(one) for one in true_ones)
                elsewhere = (
                    all(world & positive or ~world & negative for positive, negative in whole)
                    and all(
                        counts(relation, bound, (world & mask).bit_count())
                        for mask, relation, bound in counting
                    )
                    and all(evaluate(one, rest) for one in others)
                )
                left = all(world & one.positive or ~world & one.negative for one in clauses)
                fits = any(
                    all(
                        evaluate(one.formula, {**rest, fluent.name: value}) for one in structure.law
                    )
                    for value in fluent.values
                )
                assert (elsewhere and left) == fits, (seed, fluent.name)
                true, false = true + left, false + (not left)
    assert simple > 40
    assert true > 40
    assert false > 10


# ---- images ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3, None])
def test_a_literal_for_at_least_a_number_or_all(number: int | None) -> None:
    """It is true if enough literals are true, and may be true or false otherwise."""
    encoding = Encoding()
    abstraction = Abstraction(encoding)
    literals = [encoding.fresh(), -encoding.fresh(), encoding.fresh()]

    def stated(some: Iterable[int]) -> int:
        if number is None:
            return abstraction.all_of(some)
        return abstraction.at_least(frozenset(some), number)

    many = stated(literals)
    assert stated(reversed(literals)) == many
    assert abstraction.all_of(literals[:1]) == literals[0]
    for signs in product((1, -1), repeat=3):
        here = [sign * literal for sign, literal in zip(signs, literals, strict=True)]
        assert abstraction.refuted([*here, -many]) is (signs.count(1) >= (number or 3))
        assert not abstraction.refuted([*here, many])
