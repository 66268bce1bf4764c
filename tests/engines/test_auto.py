"""The auto engine: its choice of engine, its fallback when that engine gives up, its messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from symkripke import limits
from symkripke.engines import Answer, Budget
from symkripke.engines.auto import AutoEngine
from symkripke.engines.auto.tuning import AutoTuning
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.errors import BudgetExceeded, InputError, OutOfWork, TooManyNodes, Unsupported
from symkripke.language import Announced, Atom, C, Formula, K, Kw, P, exactly
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
    announcement,
)
from tests.support.situations import at, dealt, muddy

FACTS = "the law speaks of facts only"
KNOWLEDGE = "the law or the question announces what agents know"


def announced(scene: Scene, said: Formula) -> Scene:
    """Return the scene after a true announcement."""
    return scene.update(announcement(said), judge=lambda *_: True)


def refuse(error: Exception) -> Callable[..., Any]:
    """Return a method that gives up."""

    def method(*_: Any, **__: Any) -> Any:
        raise error

    return method


def test_the_chosen_engine_and_the_reason() -> None:
    scene, nobody, knows = muddy(4, 2)
    after, mud, kids = announced(scene, nobody), Atom("muddy(k1)"), scene.structure.agents
    said = Announced(mud, C(kids, mud))
    for state, asked, name, reason in (
        (scene, nobody, "sat", FACTS),
        (scene, Announced(mud, nobody), "sat", FACTS),
        (scene, said, "sat", FACTS),
        (scene, K("k0", ~K("k1", ~said)), "bdd", "sat gave up: "),
        (scene, Announced(nobody, knows), "bdd", KNOWLEDGE),
        (after, knows, "bdd", KNOWLEDGE),
        (scene, P("k0", mud, "=", Fraction(1)), "bdd", "counts and probabilities are read off"),
    ):
        auto = AutoEngine()
        answer = auto.holds(state, asked)
        assert answer.engine == name
        assert reason in answer.reason
        assert bool(answer) == bool(ExplicitEngine().holds(state, asked))
        # Engines are made on demand, first the diagrams with little room.
        assert auto._bdd_small is None or name == "bdd"
        assert auto._bdd is None or asked is not knows
        assert auto.worlds(after.structure) == 11
    with pytest.raises(InputError, match="muddy"):
        AutoEngine().holds(scene, "K[k0] mudy(k0)")


@pytest.mark.parametrize(("cards", "engine"), [(8, "bdd"), (9, "sat")])
def test_few_cards_are_a_small_diagram(cards: int, engine: str) -> None:
    """Eight cards with four values each have 2 to the power of 16 deals, which is small."""
    names = ["a", "b", "c", "d"]
    deck = [Fluent(f"c{n}", tuple(names)) for n in range(cards)]
    law = [Constraint(exactly(1, [Atom(card.name, "a") for card in deck]), "one for a")]
    sees = {name: [Observable(Atom(card.name, name), "own") for card in deck] for name in names}
    structure = KnowledgeStructure.of(Vocabulary.of(deck, names), law, sees)
    scene = Scene.of(structure, {c.name: names[n % 3 + 1 if n else 0] for n, c in enumerate(deck)})
    after = announced(scene, ~Kw("b", Atom("c0", "d")))
    own = K("a", Atom("c0", "a"))
    answer = AutoEngine().holds(after, own)
    assert (bool(answer), answer.engine) == (True, engine)
    everywhere = AutoEngine().valid(after.structure, own | ~Atom("c0", "a"))
    assert (bool(everywhere), everywhere.engine) == (True, engine)
    assert everywhere.why().truth  # which diagrams do not support


def test_a_diagram_without_room_hands_over_to_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law exceeds the room of bdd, so sat answers; each initial structure is tried once."""
    auto = AutoEngine(tuning=AutoTuning(small_nodes=20))
    scene, nobody, muddy_knows = muddy(8, 2)
    after = announced(scene, nobody)
    answer = auto.holds(after, muddy_knows)
    assert (bool(answer), answer.engine) == (True, "sat")
    assert answer.reason.startswith(f"{KNOWLEDGE}; bdd gave up: ")
    assert "more than 20 nodes" in answer.reason
    monkeypatch.setattr(BddEngine, "holds", refuse(AssertionError("it is known not to fit")))
    again = auto.holds(after, ~muddy_knows)
    assert (bool(again), again.engine) == (False, "sat")
    assert again.reason.startswith(KNOWLEDGE)
    # Deals go directly to clauses.
    deal = dealt({"ann": 3, "bob": 3, "cath": 3, "dan": 3})
    nobody_there = ~Kw("cath", at(0, "bob")) & ~Kw("dan", at(0, "bob"))
    there = auto.holds(announced(deal, nobody_there), K("cath", ~at(0, "cath")))
    assert (bool(there), there.engine) == (True, "sat")
    assert there.reason == "cards were dealt out"
    # A situation with another initial structure is tried again.
    monkeypatch.undo()
    other, ignorant, knows = muddy(4, 2)
    assert auto.holds(announced(other, ignorant), knows).engine == "bdd"


def test_clauses_that_give_up_hand_over_to_diagrams() -> None:
    """When the budget of sat runs out, bdd answers."""
    auto = AutoEngine()
    scene, _, knows = muddy(5, 2)
    deep = K("k1", ~K("k2", K("k3", ~knows)))
    auto.sat.holds = refuse(BudgetExceeded("no more conflicts"))  # type: ignore[method-assign]
    answer = auto.holds(scene, deep, Budget(conflicts=0))
    assert (bool(answer), answer.engine) == (bool(BddEngine().holds(scene, deep)), "bdd")
    assert "sat gave up: no more conflicts" in answer.reason


def test_after_the_trial_and_clauses_diagrams_get_their_full_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    auto = AutoEngine(tuning=AutoTuning(small_nodes=10))
    auto.sat.holds = refuse(BudgetExceeded("no answer within a minute"))  # type: ignore[method-assign]
    scene, nobody, knows = muddy(5, 2)
    answer = auto.holds(announced(scene, nobody), knows)
    assert (bool(answer), answer.engine) == (True, "bdd")
    assert "bdd gave up" in answer.reason
    assert "sat gave up" in answer.reason


def test_when_all_engines_give_up_the_budget_error_is_raised() -> None:
    auto = AutoEngine()
    scene, nobody, knows = muddy(5, 2)
    after = announced(scene, nobody)
    with pytest.raises(BudgetExceeded, match=r"^no answer within 0 seconds$"):
        auto.holds(after, knows, Budget(seconds=0))
    # The time ran out, not the room, so the next question tries again.
    assert auto.holds(after, knows).engine == "bdd"
    auto.sat.holds = refuse(Unsupported("not this"))  # type: ignore[method-assign]
    for engine in (auto.bdd_small, auto.bdd):
        engine.holds = refuse(TooManyNodes("no room"))  # type: ignore[method-assign]
    with pytest.raises(TooManyNodes, match=r"^no room$"):
        auto.holds(scene, Kw("k1", knows))


def test_a_budget_of_time_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    auto = AutoEngine()
    scene, nobody, knows = muddy(4, 2)
    given: list[tuple[str, float | None]] = []

    def note(engine: SatEngine | BddEngine, error: Exception) -> None:
        def holds(_: Any, __: Any, budget: Budget | None = None) -> Answer:
            given.append((engine.name, limits.seconds_left()))
            raise error

        monkeypatch.setattr(engine, "holds", holds)

    note(auto.sat, BudgetExceeded("not this"))
    note(auto.bdd_small, TooManyNodes("not here"))
    note(auto.bdd, TooManyNodes("nor here"))
    with pytest.raises(BudgetExceeded):
        auto.holds(announced(scene, nobody), knows, Budget(seconds=800))
    (one, first), (two, second), (three, third) = given
    assert (one, two, three) == ("bdd", "sat", "bdd")
    assert first == pytest.approx(400, abs=5)
    assert second == pytest.approx(400, abs=5)  # half of the rest: nothing was spent
    assert third == pytest.approx(800, abs=5)


def asked_of(
    auto: AutoEngine, needed: Mapping[str, int], monkeypatch: pytest.MonkeyPatch
) -> list[tuple[str, int | None]]:
    """Patch the engines to need this much work; return a list of each call and its work limit."""
    given: list[tuple[str, int | None]] = []
    scene, _, knows = muddy(2, 1)
    answer = SatEngine().holds(scene, knows)

    def note(engine: SatEngine | BddEngine) -> None:
        def holds(_: Any, __: Any, budget: Budget | None = None) -> Answer:
            limit = limits.current()
            given.append(
                (engine.name, None if limit is None or limit.work is None else limit.work.left)
            )
            limits.spend(needed[engine.name])
            return answer

        monkeypatch.setattr(engine, "holds", holds)

    note(auto.sat)
    note(auto.bdd_small)
    return given


def test_turns_grow_until_one_has_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each engine is asked again, with a higher work limit."""
    auto = AutoEngine()
    scene, nobody, knows = muddy(4, 2)
    given = asked_of(auto, {"sat": 70_000, "bdd": 1_000_000}, monkeypatch)
    after = announced(scene, nobody)
    found = auto.holds(after, knows)
    assert [name for name, _ in given] == ["bdd", "sat"] * 4
    works = [work for _, work in given]
    for earlier, later in zip(works, works[2:], strict=False):
        assert earlier is not None
        assert later == 2 * earlier
    assert "bdd gave up" in found.reason


def test_a_budget_of_work_is_for_all_turns() -> None:
    auto = AutoEngine()
    scene, nobody, knows = muddy(6, 3)
    with pytest.raises(OutOfWork):
        auto.holds(announced(scene, nobody), knows, Budget(work=1))
    assert not auto.holds(announced(scene, nobody), knows, Budget(work=1_000_000))


def test_a_repeated_question_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    auto = AutoEngine()
    scene, nobody, knows = muddy(4, 2)
    answer = auto.holds(scene, nobody)
    monkeypatch.setattr(SatEngine, "holds", refuse(AssertionError("asked again")))
    assert auto.holds(scene, nobody) is answer
    assert auto.holds(scene, str(nobody)) is answer
    with pytest.raises(AssertionError):
        auto.holds(scene, knows)
    with pytest.raises(AssertionError):
        auto.holds(Scene(scene.structure, scene.world), nobody)
