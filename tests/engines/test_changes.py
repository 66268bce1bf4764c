"""Changes must give every world exactly one new value: engines refuse cases that omit worlds."""

from __future__ import annotations

import pytest

from symkripke.engines import ENGINES, Engine, engine
from symkripke.errors import ImpossibleEvent, Unsupported
from symkripke.language import Atom, parse
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
)


def start() -> KnowledgeStructure:
    fluents = [Fluent("p"), Fluent("q"), Fluent("x", ("1", "2", "3"))]
    law = [Constraint(parse("p | q"), "the law")]
    sees = {"ann": [Observable(Atom("p"), "sees p")]}
    return KnowledgeStructure.of(Vocabulary.of(fluents, ("ann", "bob")), law, sees)


def moved(fluent: str, *cases: tuple[str, str], said: str = "true", total: bool = False) -> Event:
    to = tuple((value, parse(formula)) for value, formula in cases)
    change = Change(fluent, to, "turn 1: it moved", total=total)
    return Event("turn 1", (Constraint(parse(said), "said"),), changes=(change,))


def refusals(asked: Engine, after: KnowledgeStructure) -> list[bool]:
    """Ask every kind of question; return for each whether it raises `ImpossibleEvent`."""
    scene = Scene.of(start(), {"p": "true", "q": "false", "x": "1"})
    assert after.history.event is not None
    scene = scene.update(after.history.event)
    view = scene.perspective("ann")
    questions = (
        lambda: asked.holds(scene, "K[ann] p"),
        lambda: asked.valid(scene.structure, "K[ann] p"),
        lambda: asked.witness(scene.structure, "p"),
        lambda: asked.possible_to(scene, "q", ("ann", "bob")),
        lambda: asked.sheet(view),
        lambda: asked.possibilities(view, (Atom("p"), Atom("q"))),
        lambda: asked.believed(view),
        lambda: asked.worlds(scene.structure),
        lambda: asked.probability(view, "q"),
        lambda: asked.marginals(view),
        lambda: asked.distribution(view, (Atom("q"),)),
        lambda: asked.steps(view, ("x",)),
    )
    refused = []
    for question in questions:
        try:
            question()
        except ImpossibleEvent:
            refused.append(True)
        except Unsupported:
            continue
        else:
            refused.append(False)
    return refused


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    ("event", "message"),
    [
        (moved("x", ("1", "p")), "one new value of x at each world, got 0 where p = false"),
        (moved("x", ("1", "p"), ("2", "q")), "got 2 where p = true, q = true"),
        (moved("p", ("true", "p"), ("false", "q")), "got 2 where p = true, q = true"),
    ],
)
def test_cases_that_omit_worlds_are_refused(name: str, event: Event, message: str) -> None:
    after = start().update(event)
    with pytest.raises(ImpossibleEvent, match="turn 1: it moved: expected") as error:
        engine(name).valid(after, "p")
    assert message in str(error.value)
    assert all(refusals(engine(name), after))
    # The error also appears after a later event.
    with pytest.raises(ImpossibleEvent):
        engine(name).valid(after.announce("p | ~p"), "p")


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    "event",
    [
        moved("x", ("1", "p"), ("2", "~p & q")),  # by the law
        moved("x", ("1", "p"), ("2", "q"), said="~(p & q)"),  # by an announcement in the same event
        moved("p", ("true", "p & q")),  # a Boolean fluent needs only one case
        moved("p", ("false", "q & ~p")),
    ],
)
def test_exclusive_cases_are_accepted(name: str, event: Event) -> None:
    assert not any(refusals(engine(name), start().update(event)))


def test_total_changes_are_not_checked() -> None:
    after = start().update(moved("x", ("1", "p"), total=True))
    assert after.unchecked == ()
    assert not any(refusals(engine("explicit"), after))
