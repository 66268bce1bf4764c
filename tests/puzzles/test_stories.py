"""Stories of secrets and false belief: known answers, and a comparison with the oracle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import pytest

from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, subformulas
from symkripke.model import Event, KnowledgeStructure, World, evaluate
from symkripke.problems import Doing, Happening, Plan, Problem, Question, check
from symkripke.problems.puzzles import Puzzle
from symkripke_games.stories import FALSE_BELIEF, STORIES
from tests.support.product_update import Listed
from tests.support.stories import as_act

BY_NAME = {story.name: story for story in STORIES}

# Larger models take too long to list in Python.
MOST_WORLDS = 600


def expected(story: Puzzle, n: int | None = None) -> list[bool]:
    """Return whether each `expect` of the file is true."""
    return [bool(told.answer) for told in check(story.problem(n)) if is_expected(told.step)]


def is_expected(step: object) -> bool:
    return isinstance(step, Question) and step.kind == "expect"


@pytest.mark.parametrize("name", BY_NAME)
def test_expectations_of_a_story_are_true(name: str) -> None:
    found = expected(BY_NAME[name])
    assert len(found) >= 3
    assert all(found)


@pytest.mark.parametrize("n", [1, 2, 7, 12])
def test_no_number_of_messages_makes_common_knowledge(n: int) -> None:
    answers = expected(BY_NAME["two_generals"], n)
    assert answers == [True] * (1 + 3 * n)


# ---- orders of belief -------------------------------------------------------------------------


def order(formula: Formula) -> int:
    """Return the depth of nested operators in the formula."""
    depth: dict[Formula, int] = {}
    for part in subformulas(formula):
        inner = max((depth[inside] for inside in part.operands), default=0)
        depth[part] = inner + isinstance(part, f.Modal)
    return depth[formula]


@pytest.mark.parametrize("story", FALSE_BELIEF, ids=lambda story: story.name)
def test_stories_have_their_stated_order(story: Puzzle) -> None:
    """Somebody has a false belief of the order that the list states."""
    orders = {"first": 1, "second": 2, "third": 3, "fourth": 4}
    said = orders[story.says.split()[0]]
    problem = story.problem()
    false = [
        formula
        for model, numbers, step in moments(problem)
        if isinstance(step, Question)
        for formula in subformulas(step.formula)
        if isinstance(formula, f.B)
        and model.holds(formula, numbers)
        and not model.holds(formula.operand, numbers)
    ]
    assert max(map(order, false)) >= said


# ---- the oracle -------------------------------------------------------------------------------


def listed(structure: KnowledgeStructure) -> Listed:
    """Return the oracle's model of the first structure."""
    observed = {
        agent: [(seen.atom.fluent, seen.atom.value) for seen in observables]
        for agent, observables in structure.observables.items()
    }
    model = Listed.of(structure.agents, worlds(structure), observed)
    for soft in reversed(structure.soft):  # the newest counts first
        ranks = {agent: soft.rank_for(agent) for agent in structure.agents}
        taken_up = {agent: rank for agent, rank in ranks.items() if rank is not None}
        model = model.believe(soft.formula, taken_up)
    return model


def moments(problem: Problem) -> Iterator[tuple[Listed, list[int], object]]:
    """Yield the oracle's model at each step, and the indices of the actual worlds in it."""
    structure = problem.structure
    model = listed(structure)
    model.reads = as_act
    assert problem.actual is not None
    names = tuple(structure.vocabulary.fluents)
    first = {name: problem.actual[name] for name in names}
    happened = [*model.points[0].past]  # public events have happened at all worlds
    for step in steps(problem):
        numbers = model.actual([first], *happened)
        assert len(numbers) == 1
        yield model, numbers, step
        if isinstance(step, Doing):
            model = model.update(as_act(step.action, structure.agents))
            (event,) = (
                event.name
                for event in step.action.events
                if event.name in step.action.actual and model.actual([first], *happened, event.name)
            )
            happened.append(event)
        elif isinstance(step, Happening):
            model = noticed(model, step.event, structure.agents)
            happened.extend(model.points[0].past[len(happened) :])


def steps(problem: Problem) -> Iterator[object]:
    for step in problem.steps:
        yield from step.actions if isinstance(step, Plan) else (step,)


def worlds(structure: KnowledgeStructure) -> Iterable[World]:
    """Yield all worlds of the first structure."""
    fluents = structure.vocabulary.fluents
    law = [constraint.formula for constraint in structure.law]
    assert all(map(is_propositional, law))
    for values in product(*(fluent.values for fluent in fluents.values())):
        world = dict(zip(fluents, values, strict=True))
        if all(evaluate(formula, world) for formula in law):
            yield world


def noticed(model: Listed, event: Event, agents: Iterable[str]) -> Listed:
    """Return the oracle's model after a public event, with its statements and beliefs."""
    assert not event.fluents
    assert not event.changes
    assert not event.observes
    for constraint in event.constraints:
        model = model.announce(constraint.formula)
    for soft in event.soft:
        rank = soft.rank
        ranks = dict.fromkeys(agents, rank) if isinstance(rank, int) else rank
        model = model.believe(soft.formula, ranks)
    return model


@pytest.mark.parametrize("name", sorted(BY_NAME.keys() - {"wiretap"}))
def test_the_oracle_agrees(name: str) -> None:
    problem = BY_NAME[name].problem()
    answers = {
        id(told.step): bool(told.answer) for told in check(problem) if told.answer is not None
    }
    compared = 0
    for model, numbers, step in moments(problem):
        assert len(model.points) <= MOST_WORLDS
        if isinstance(step, Question) and id(step) in answers:
            assert model.holds(step.formula, numbers) == answers[id(step)], step.text
            compared += 1
    assert compared >= 3
