"""The smt engine against the explicit model: random situations, study-size games, errors."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from symkripke.engines import (
    ENGINES,
    After,
    Budget,
    Combined,
    Evidence,
    Fact,
    Known,
    Possible,
    Ranged,
    Weighed,
    engine,
)
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.smt import SmtEngine
from symkripke.errors import BudgetExceeded, ImpossibleEvent, InputError, Unsupported
from symkripke.language import (
    CB,
    Announced,
    Atom,
    C,
    D,
    Formula,
    K,
    Kv,
    Kw,
    M,
    P,
    conjunction,
    exactly,
    negation,
)
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Perspective,
    Scene,
    Vocabulary,
    evaluate,
)
from symkripke.play import Table
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import ANSWERS, at, envelope_atoms
from tests.support.random_models import (
    BOOLEAN,
    KNOWLEDGE,
    Names,
    Seeded,
    random_formula,
    seeded_case,
)

OPERATORS = (*BOOLEAN, *KNOWLEDGE, "C", "announced", "announced_true")

smt, explicit = SmtEngine(), ExplicitEngine()


def judge(scene: Scene, formula: Formula) -> bool:
    return bool(explicit.holds(scene, formula))


def case(seed: int, formulas: int = 3) -> tuple[Scene, tuple[Formula, ...]]:
    """Every second situation has events that speak of knowledge."""
    return seeded_case(
        seed,
        operators=OPERATORS,
        formulas=formulas,
        judge=judge if seed % 2 else None,
    )


@pytest.mark.parametrize("block", range(4))
def test_truth_at_scenes(block: int) -> None:
    """120 formulas a block, with all operators but P and B."""
    answered = 0
    for seed in range(block * 40, block * 40 + 40):
        scene, formulas = case(seed)
        for formula in formulas:
            try:
                answer = smt.holds(scene, formula)
            except Unsupported:
                continue
            assert bool(answer) == bool(explicit.holds(scene, formula)), (seed, str(formula))
            answered += 1
    assert answered >= 118  # common knowledge along very long paths may be refused


def test_truth_at_perspectives_and_validity() -> None:
    undecided = 0
    for seed in range(70_000, 70_040):
        scene, (formula, another) = case(seed, 2)
        valid = explicit.valid(scene.structure, formula)
        assert bool(smt.valid(scene.structure, formula)) == bool(valid), (seed, str(formula))
        for agent in scene.structure.agents:
            view = scene.perspective(agent)
            for asked in (formula, another, K(agent, another)):
                truths: list[bool | None] = []
                for one in (smt, explicit):
                    try:
                        truths.append(bool(one.holds(view, asked)))
                    except InputError:
                        truths.append(None)
                assert truths[0] == truths[1], (seed, agent, str(asked))
                undecided += truths[0] is None
    assert undecided > 15


def test_sheets_possibilities_and_witnesses() -> None:
    for seed in range(71_000, 71_030):
        scene, _ = case(seed)
        structure = scene.structure
        atoms = structure.atoms[:5]
        for agent in structure.agents:
            view = scene.perspective(agent)
            assert smt.sheet(view).marks == explicit.sheet(view).marks, seed
            assert smt.possibilities(view, atoms) == explicit.possibilities(view, atoms), seed
            for atom in atoms[:2]:
                try:
                    world = smt.witness(view, atom)
                except Unsupported:
                    assert any(constraint.is_modal for constraint in structure.law)
                    continue
                assert (world is None) == (explicit.witness(view, atom) is None)
                if world is None:
                    continue
                stated = [c.formula for c in structure.law if not c.is_modal]
                for formula in (structure.resolve(atom), *stated):
                    assert evaluate(formula, world), seed
                for observable, truth in view.observation:
                    assert evaluate(observable.atom, world) == truth, seed


# ---- evidence ---------------------------------------------------------------------------


def leaves(evidence: Evidence) -> list[Fact | Known | Possible | Weighed | Ranged | After]:
    if isinstance(evidence, Combined):
        return [leaf for part in evidence.parts for leaf in leaves(part)]
    return [evidence]


def test_counter_worlds_link_up_and_show_what_they_should() -> None:
    """For K, M, Kw, Kv, D at depth one, and for chains of one polarity."""
    shown = chains = 0
    for seed in range(72_000, 72_060):
        scene, _ = seeded_case(seed)
        choices = Seeded(seed)
        names = Names.of(scene.structure)
        inner = random_formula(choices, names, 2, BOOLEAN)
        one, two = choices.one_of(names.agents), choices.one_of(names.agents)
        fluent = choices.one_of(names.fluents).name
        for formula in (
            K(one, inner),
            M(one, inner),
            Kw(one, inner),
            Kv(one, (fluent,)),
            D((one, two), inner),
            K(one, K(two, inner)),
            negation(M(one, M(two, inner))),
        ):
            answer = smt.holds(scene, formula)
            try:
                evidence = answer.why()
            except Unsupported as error:
                assert "sat engine" in str(error)  # noqa: PT017  (the message is what counts)
                continue
            assert evidence.truth == bool(answer)
            for leaf in leaves(evidence):
                if not isinstance(leaf, Possible):
                    continue
                here = dict(scene.world)
                for step in leaf.worlds:
                    for agent in step.agent:
                        for observable in scene.structure.observables[agent]:
                            atom = observable.atom
                            assert evaluate(atom, here) == evaluate(atom, step.world), seed
                    here = dict(step.world)
                    assert explicit.model(scene.structure).row(step.world) is not None, seed
                shown += 1
                chains += len(leaf.worlds) > 1
                assert evaluate(leaf.worlds[-1].shows, here), seed
    assert shown > 100
    assert chains > 15


def test_a_counterexample_to_validity() -> None:
    scene = two_coins()
    evidence = smt.valid(scene.structure, Atom("p")).why()
    assert isinstance(evidence, Possible)
    assert evidence.worlds[0].world["p"] == "false"
    with pytest.raises(Unsupported, match="sat engine"):
        smt.valid(scene.structure, Atom("p") | Atom("q")).why()


# ---- games ------------------------------------------------------------------------------


def questions(table: Table[Any, Any], turn: int) -> list[Formula]:
    players, cards = table.setup.players, table.setup.edition.cards
    one, two, three = (players[(turn + step) % len(players)] for step in range(3))
    card = cards[turn % len(cards)].id
    inside = [at(other.id, ENVELOPE) for other in table.setup.edition.suspects]
    knows = {player: Kv(player, ANSWERS) for player in players}
    return [
        K(one, ~at(card, two)),
        Kw(one, at(card, ENVELOPE)),
        knows[one],
        D((one, two), at(card, ENVELOPE)),
        K(one, K(two, ~at(card, ENVELOPE))),
        M(one, knows[two]),
        K(one, M(two, knows[three])),
        M(one, K(two, ~knows[three])),
        Announced(~at(card, one), M(two, knows[three])),
        Announced(~knows[two], C((one, three), ~at(card, one))),
        C(players, exactly(1, inside)),
        C((one, two), ~at(card, three)),
        C(players, ~knows[one]),
        K(three, C((one, two), ~at(card, three))),
        M(one, C((two, three), ~at(card, one))),
    ]


@pytest.mark.parametrize("seed", [3, 4])
def test_study_size_games(seed: int) -> None:
    table = Table(GAME, GAME.setup(rules="study"), seed=seed)
    truths = set()
    for number, step in enumerate(table):
        if number not in (0, 3, 6):
            continue
        for question in questions(table, step.number):
            truth = bool(explicit.holds(table.scene, question))
            assert bool(smt.holds(table.scene, question)) == truth, (number, str(question))
            truths.add((type(question), truth))
        view = table.scene.perspective(table.setup.players[number % 4])
        solutions = smt.possibilities(view, envelope_atoms(table.setup))
        assert solutions == explicit.possibilities(view, envelope_atoms(table.setup))
        assert smt.sheet(view).marks == explicit.sheet(view).marks
    assert {(M, True), (M, False), (C, True), (C, False)} <= truths


# ---- common knowledge -------------------------------------------------------------------


def test_common_knowledge_needs_many_steps() -> None:
    """Worlds in a row, each of which only one of the two tells from the next."""
    number = 8
    atoms = [Atom(f"p{place}") for place in range(number)]
    seen = {
        agent: [Observable(atom, "") for place, atom in enumerate(atoms) if place % 2 == parity]
        for agent, parity in (("ann", 0), ("bob", 1))
    }
    # Each p implies the one before it: the worlds are 0...0, 10...0, 110...0 and so on.
    law = [Constraint(later >> earlier, "") for earlier, later in pairwise(atoms)]
    vocabulary = Vocabulary.of([Fluent(f"p{n}") for n in range(number)], ["ann", "bob"])
    scene = Scene.of(
        KnowledgeStructure.of(vocabulary, law, seen), {f"p{n}": "false" for n in range(number)}
    )
    last = negation(atoms[-1])
    for formula in (
        C(("ann", "bob"), last),
        C(("ann", "bob"), last | atoms[0]),
        C(("ann",), last),
        K("ann", C(("ann", "bob"), last)),
        M("bob", C(("ann", "bob"), last | atoms[0])),
        C(("ann", "bob"), M("ann", atoms[0]) | negation(atoms[0])),
    ):
        assert bool(smt.holds(scene, formula)) == bool(explicit.holds(scene, formula)), str(formula)


# ---- limits and faults ------------------------------------------------------------------


def two_coins() -> Scene:
    """Ann sees p, bob sees q; at least one is true."""
    p, q = Atom("p"), Atom("q")
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent("p"), Fluent("q")], ["ann", "bob"]),
        [Constraint(p | q, "one of them")],
        {"ann": [Observable(p, "sees p")], "bob": [Observable(q, "sees q")]},
    )
    return Scene.of(structure, {"p": "true", "q": "true"})


def test_it_is_an_engine_by_name() -> None:
    assert "smt" in ENGINES
    assert engine("smt").name == "smt"


def test_what_it_does_not_answer_it_says() -> None:
    scene = two_coins()
    for formula in (CB("ann", Atom("p")), P("ann", Atom("p"), ">=", Fraction(1, 2))):
        with pytest.raises(Unsupported, match="does not answer"):
            smt.holds(scene, formula)
    with pytest.raises(Unsupported, match="does not count"):
        smt.worlds(scene.structure)
    with pytest.raises(Unsupported, match="does not count"):
        smt.probability(scene.perspective("ann"), "q")
    with pytest.raises(Unsupported, match="no world"):
        smt.holds(scene, "K[ann] p").why()
    deep: Formula = Atom("q")
    for place in range(3000):
        deep = K(("ann", "bob")[place % 2], deep)
    with pytest.raises(Unsupported):
        smt.holds(scene, deep)


@pytest.mark.parametrize("levels", [200, 450, 1_000])
@pytest.mark.parametrize("kind", ["K", "announced"])
def test_what_is_nested_deeply_is_answered_or_refused(kind: str, levels: int) -> None:
    """Also where the recursion ends inside a call of z3."""
    deep: Formula = Atom("q")
    for place in range(levels):
        deep = K(("ann", "bob")[place % 2], deep) if kind == "K" else Announced(Atom("p"), deep)
    scene = two_coins()
    refused = ""
    try:
        answer = bool(smt.holds(scene, deep))
    except Unsupported as error:
        refused, answer = str(error), kind == "announced"
    assert answer == (kind == "announced")
    assert not refused or "inside each other" in refused


def test_an_undecided_perspective_is_a_fault() -> None:
    view = two_coins().perspective("ann")
    for formula in ("q", "K[bob] q", "C[bob] q"):
        with pytest.raises(InputError, match="does not decide"):
            smt.holds(view, formula)
    assert smt.holds(view, "M[ann] q")
    assert smt.holds(view, "p | q")
    assert not smt.holds(view, "C[ann, bob] q")


def test_seen_things_that_contradict_the_law_are_a_fault() -> None:
    structure = two_coins().structure.announce("p & q")
    view = Perspective.of(structure, "ann", [])
    for one in (smt, explicit):
        with pytest.raises(ImpossibleEvent):
            one.holds(view, "K[ann] q")
        with pytest.raises(ImpossibleEvent):
            one.sheet(view)
        assert one.possibilities(view, [Atom("q")]) == frozenset()
        assert one.witness(view, "q") is None


def test_running_out_is_no_answer() -> None:
    table = Table(GAME, GAME.setup(players=3), seed=1)
    one, two, _ = table.setup.players
    question = conjunction([M(one, Kv(two, ANSWERS)), C(table.setup.players, Kv(one, ANSWERS))])
    with pytest.raises(BudgetExceeded, match=r"0\.01 seconds"):
        smt.holds(table.scene, question, Budget(seconds=0.01))
    view = two_coins().perspective("ann")
    with pytest.raises(BudgetExceeded, match="more than 1"):
        smt.possibilities(view, [Atom("q")], limit=1)
