"""Knowledge about another's knowledge where the world changes: by projection, event by event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.projected_views import KnowledgeOfOthers, Projected
from symkripke.engines.bdd.truth import Evaluation
from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import Atom, D, Formula, K, Kw, M, parse
from symkripke.model import Change, Event, Fluent, KnowledgeStructure, Observable, Scene, Vocabulary
from symkripke.play import Moment, Table, game
from symkripke.testing.random_models import BOOLEAN, seeded_case


@pytest.fixture
def projected(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many events were projected, and how many variables were left out. No law is small."""
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


def questions(agent: str, others: tuple[str, ...], facts: list[Formula]) -> Iterator[Formula]:
    """What an agent knows about the knowledge of one other, or of others together."""
    p, q, r = facts
    know = (
        [lambda fact: D(others, fact)]
        if len(others) > 1
        else [lambda fact, kind=kind: kind(others[0], fact) for kind in (K, M, Kw)]
    )
    for outer in (K, M, Kw):
        for knows in know:
            yield outer(agent, knows(p))
            yield outer(agent, knows(p) & ~knows(q) | r)
            yield ~outer(agent, ~knows(p) | q & knows(r))


def test_random_histories(projected: Counter[str]) -> None:
    used, truths = 0, Counter[bool]()
    for seed in range(80):
        scene, facts = seeded_case(seed, operators=BOOLEAN, formulas=3, most_events=6)
        ours, explicit = BddEngine(50_000), ExplicitEngine()
        agents = scene.structure.agents
        for agent in agents:
            rest = tuple(other for other in agents if other != agent)
            groups = [(other,) for other in rest] + ([rest] if len(rest) > 1 else [])
            for others in groups:
                before = projected["events"]
                for asked in questions(agent, others, list(facts)):
                    truth = bool(explicit.holds(scene, asked))
                    assert bool(ours.holds(scene, asked)) is truth, (seed, str(asked))
                    view = scene.perspective(agent)
                    assert bool(ours.holds(view, asked)) is truth, (seed, str(asked))
                    truths[truth] += 1
                used += projected["events"] > before
    assert used >= 40, used
    assert min(truths.values()) > 300, truths


def moment(players: int, seed: int, events: int, **options: Any) -> Moment[Any, Any]:
    table = Table.of(game("old_maid"), players=players, seed=seed, **options)
    while len(table.steps) < events and table.step() is not None:
        pass
    return table.moment


def test_old_maid_as_the_explicit_model(projected: Counter[str]) -> None:
    explicit, ours = ExplicitEngine(), BddEngine()
    truths = Counter[bool]()
    for seed in range(3):
        now = moment(3, seed, 6, rules="study")
        for one, two, three in permutations(now.setup.players):
            for text in (
                f"M[{one}] K[{two}] holds({three}, queen)",
                f"K[{one}] (holds({one}, king) | ~Kw[{two}] holds({three}, queen))",
            ):
                asked = now.structure.resolve(parse(text, now.structure.vocabulary))
                truth = bool(explicit.holds(now.state, asked))
                assert bool(ours.holds(now.state, asked)) is truth, (seed, text)
                truths[truth] += 1
    assert projected["events"] >= 30
    assert len(truths) == 2


def test_a_long_history_has_small_diagrams(projected: Counter[str]) -> None:
    """The clauses of 16 turns of four players have no answer in a minute, nor has the whole law."""
    now = moment(4, 5, 16)
    assert not now.ask("M[bob] K[ann] holds(cath, queen)", engine=engine("bdd"))
    assert projected["events"] >= 15
    assert projected["most"] < 100_000


def test_what_was_seen_and_tells_nothing_more_is_left_out(projected: Counter[str]) -> None:
    """Bob looks at a coin again and again, and each time it is thrown anew."""
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
    assert projected["events"] == 12  # the second question uses the sets of the first
    assert projected["most"] < 20
