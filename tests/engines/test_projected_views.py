"""Knowledge about others' knowledge in a changing world: by projection, event by event."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.projected_views import KnowledgeOfOthers, Projected
from symkripke.engines.bdd.truth import Evaluation
from symkripke.language import Atom, K, Kw, M
from symkripke.model import Change, Event, Fluent, KnowledgeStructure, Observable, Scene, Vocabulary
from symkripke.play import Moment, Table, game


@pytest.fixture
def projected(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the projected events, record the maximum number of nodes, and treat no law as small."""
    seen: Counter[str] = Counter()
    whole = KnowledgeOfOthers._after

    def after(self: KnowledgeOfOthers, before: Projected, *args: Any) -> Projected:
        result = whole(self, before, *args)
        seen["events"] += 1
        nodes = result.possible.node_count() + result.considered.node_count()
        seen["most"] = max(seen["most"], nodes)
        return result

    monkeypatch.setattr(KnowledgeOfOthers, "_after", after)
    monkeypatch.setattr(Evaluation, "is_small", lambda self: False)
    return seen


def moment(players: int, seed: int, events: int, **options: Any) -> Moment[Any, Any]:
    table = Table.of(game("old_maid"), players=players, seed=seed, **options)
    while len(table.steps) < events and table.step() is not None:
        pass
    return table.moment


def test_a_long_history_has_small_diagrams(projected: Counter[str]) -> None:
    """The clauses of 16 turns of four players take over a minute, as does the whole law."""
    now = moment(4, 5, 16)
    assert not now.ask("M[bob] K[ann] holds(cath, queen)", engine=engine("bdd"))
    assert projected["events"] >= 15
    assert projected["most"] < 100_000


def test_outdated_observations_are_left_out(projected: Counter[str]) -> None:
    """Bob repeatedly looks at a coin, which is thrown again each time."""
    coin = Fluent("coin")
    structure = KnowledgeStructure.of(
        Vocabulary.of([coin, Fluent("noise")], ["ann", "bob"]),
        [],
        {"bob": [Observable(Atom("coin"), "looks")]},
    )
    scene = Scene(structure, {"coin": "true", "noise": "false"})
    for number in range(12):
        thrown = Fluent(f"thrown{number}")
        scene = scene.update(
            Event(
                f"throw {number}",
                fluents=(thrown,),
                changes=(Change("coin", (("true", Atom(thrown.name)),)),),
                observes={"bob": (Observable(Atom(thrown.name), "looks"),)},
            ),
            {thrown.name: "true"},
        )
    ours = BddEngine()
    assert ours.holds(scene, M("ann", K("bob", Atom("coin"))))
    assert ours.holds(scene, K("ann", Kw("bob", Atom("coin"))))
    assert projected["events"] == 12  # the second question reuses the sets of the first
    assert projected["most"] < 20
