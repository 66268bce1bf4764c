"""The bdd engine: closed forms, full size and its diagrams; its contract covers the rest."""

from __future__ import annotations

from math import comb, factorial, prod
from random import Random

import pytest

from symkripke import limits
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.batch_knowledge import (
    BatchKnowledge,
    KnowledgeQueries,
    KnowledgeQuery,
    Mode,
)
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.interruptible import Diagram, minus
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import BudgetExceeded, ImpossibleEvent, InputError
from symkripke.language import Atom, Formula, K
from symkripke.language import formulas as f
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Scene,
    Vocabulary,
    announcement,
)
from symkripke_games.cluedo import GAME
from tests.support.situations import muddy

# ---- Cluedo ---------------------------------------------------------------------------------


def deals(players: int) -> int:
    """Return the number of deals in classic Cluedo: 6 * 6 * 9 solutions, and 18 dealt cards."""
    hands = [18 // players + (seat < 18 % players) for seat in range(players)]
    return 6 * 6 * 9 * factorial(18) // prod(factorial(hand) for hand in hands)


@pytest.mark.parametrize(
    ("players", "number"),
    [
        (3, 5_557_616_064),
        (6, 44_460_928_512_000),
    ],
)
def test_deals_of_the_full_game(players: int, number: int) -> None:
    structure = GAME.structure(GAME.setup(players=players))
    assert deals(players) == number
    assert BddEngine().worlds(structure) == number


# ---- puzzles ----------------------------------------------------------------------------------


def test_ten_muddy_children_are_counted() -> None:
    bdd = BddEngine()
    scene, nobody, _ = muddy(10, 5)
    structure, counts = scene.structure, [bdd.worlds(scene.structure)]
    for _ in range(9):
        structure = structure.announce(nobody)
        counts.append(bdd.worlds(structure))
    assert counts == [1023, 1013, 968, 848, 638, 386, 176, 56, 11, 1]
    assert counts == [sum(comb(10, m) for m in range(k, 11)) for k in range(1, 11)]


def test_forty_muddy_children() -> None:
    bdd = BddEngine()
    scene, nobody, know = muddy(40, 20)

    def judge(there: Scene, said: Formula) -> bool:
        return bool(bdd.holds(there, said))

    for _ in range(19):
        assert not bdd.holds(scene, know)
        scene = scene.update(announcement(nobody), judge=judge)
    assert bool(bdd.holds(scene, know))
    with pytest.raises(ImpossibleEvent):
        scene.update(announcement(nobody), judge=judge)


# ---- errors and limits ------------------------------------------------------------------------


def test_running_out_of_nodes_is_an_error() -> None:
    structure = GAME.structure(GAME.setup(players=6))
    small = BddEngine(max_nodes=20_000)
    for _ in range(2):
        with pytest.raises(BudgetExceeded, match="more than 20,000 nodes"):
            small.worlds(structure)
    # The same engine still answers a smaller question.
    easy, _, _ = muddy(5, 2)
    assert small.worlds(easy.structure) == 31
    with pytest.raises(InputError, match="1 or more"):
        BddEngine(max_nodes=0)


# ---- diagrams -----------------------------------------------------------------------------------


@pytest.mark.parametrize("relation", ["atleast", "atmost", "exactly"])
@pytest.mark.parametrize("bound", range(6))
def test_thresholds_are_small_and_counted(relation: f.Relation, bound: int) -> None:
    diagrams = Diagrams(10_000)
    variables = diagrams.add(4)
    parts = [diagrams.literal(v + 1) for v in variables]
    found = diagrams.number(relation, bound, [*parts, parts[0]])  # one literal is listed twice
    fits = {"atleast": int.__ge__, "atmost": int.__le__, "exactly": int.__eq__}[relation]
    expected = sum(comb(3, k) for first in (0, 1) for k in range(4) if fits(k + 2 * first, bound))
    assert diagrams.count(found, 4) == expected
    assert diagrams.count(found, 3) * 2 == expected or expected % 2


@pytest.mark.parametrize("seed", range(6))
def test_conjunctions_and_disjunctions_of_literals(seed: int) -> None:
    """They are built in one step, over fluents of one to three values, and compared by worlds."""
    chance = Random(seed)
    fluents = [Fluent(f"f({n})", tuple("xyz"[: 1 + n % 3])) for n in range(6)]
    fluents += [Fluent(f"b({n})") for n in range(2)]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, ("a",)), (), {"a": []})

    def literal() -> Formula:
        fluent = chance.choice(fluents)
        atom = Atom(fluent.name, chance.choice([v for v in fluent.values if v != "false"]))
        return atom if chance.random() < 0.5 else f.Not(atom)

    engine, oracle = BddEngine(), ExplicitEngine()
    for _ in range(20):
        parts = tuple(literal() for _ in range(chance.randrange(2, 6)))
        made = chance.choice((f.And, f.Or))(parts)
        law = KnowledgeStructure.of(structure.vocabulary, [Constraint(made, "law")], {"a": []})
        assert engine.worlds(law) == oracle.worlds(law)
        assert bool(engine.valid(structure, made)) == bool(oracle.valid(structure, made))
        assert bool(engine.valid(law, K("a", made)))


@pytest.mark.parametrize("seed", range(8))
def test_combined_queries_equal_single_ones(seed: int) -> None:
    """Random laws follow each other; the conjunction must be right at the worlds of each law."""
    chance = Random(seed)
    diagrams = Diagrams(100_000)
    variables = diagrams.add(7)
    ways: tuple[Mode, ...] = ("always", "somewhere", "decided")

    def anything(parts: int) -> Diagram:
        return diagrams.some(
            diagrams.cube(chance.choice((v + 1, -v - 1)) for v in chance.sample(variables, 3))
            for _ in range(parts)
        )

    batch = BatchKnowledge(diagrams, BddTuning())
    queries = [
        KnowledgeQuery(
            chance.choice(ways),
            diagrams.cube(v + 1 for v in chance.sample(variables, chance.randint(0, 4))),
            chance.choice((diagrams.literal(chance.choice(variables) + 1), anything(2))),
            chance.random() < 0.5,
        )
        for _ in range(chance.randint(0, 9))
    ]
    law = anything(9)
    sorted_once = KnowledgeQueries(tuple(queries))
    for _ in range(4):
        expected = diagrams.every([look.within(law) for look in queries])
        found = batch.all_of(law, sorted_once)
        assert law & found == law & expected
        law = minus(law, anything(2))
        if chance.random() < 0.3:  # cached results stay right when the order changes
            diagrams.add(1, [variables[2]])


def test_combined_queries_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    diagrams = Diagrams(10_000)
    variables = diagrams.add(6)
    law = diagrams.number("atleast", 2, [diagrams.literal(v + 1) for v in variables])
    parts = [
        KnowledgeQuery("decided", diagrams.cube([v + 1]), diagrams.literal(v + 1), False)
        for v in variables
    ]
    batch = BatchKnowledge(diagrams, BddTuning())
    queries = KnowledgeQueries(tuple(parts))

    def stop() -> None:
        raise BudgetExceeded("now")

    with monkeypatch.context() as patched:
        patched.setattr(limits, "check", stop)
        with pytest.raises(BudgetExceeded):
            batch.all_of(law, queries)
    nobody = batch.all_of(law, queries)
    assert diagrams.count(law & nobody, 6) == 2**6 - 1 - 6 - 15
    # The cache holds the whole result, also for other objects with the same content.
    monkeypatch.setattr(limits, "check", stop)
    assert batch.all_of(law, queries) == nobody
    assert batch.all_of(law, KnowledgeQueries(tuple(parts))) == nobody


def test_forced_literals_and_the_order() -> None:
    diagrams = Diagrams(10_000)
    one, two, four = diagrams.add(3)
    (three,) = diagrams.add(1, [two])
    assert [diagrams.manager.var_to_level(v) for v in (one, two, three, four)] == [0, 1, 2, 3]
    a, b, c, d = (diagrams.literal(v + 1) for v in (one, two, three, four))
    none = diagrams.true
    assert diagrams.forced(a & ~c, none) == {one + 1, -three - 1}
    assert diagrams.forced((a & b & d) | (~a & d), none) == {four + 1}
    assert diagrams.forced((a & b & d) | (~a & d), diagrams.cube([four + 1])) == frozenset()
    assert diagrams.forced(b.equiv(c), none) == frozenset()
    assert diagrams.cube([1, -1]) == diagrams.cube([0]) == diagrams.false
