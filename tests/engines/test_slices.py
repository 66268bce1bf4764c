"""Long work inside libraries runs in slices, with a check of the limit between them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from oxidd.bcdd import BCDDManager

from symkripke.engines import Budget, engine
from symkripke.engines.bdd import interruptible
from symkripke.engines.bdd.interruptible import Diagram, in_slices
from symkripke.engines.bdd.tuning import NODES_A_UNIT, SLICING
from symkripke.engines.sat.solver import Solver, attempt, solve
from symkripke.engines.sat.tuning import DEFAULT, Tuning
from symkripke.errors import BudgetExceeded, NoAnswerWithin
from symkripke.limits import Limit, SearchAborted, trial, under
from tests.support.situations import coins


class Looks(Limit):
    """A limit that counts its checks, and runs out after `most` of them."""

    def __init__(self, most: int | None = None) -> None:
        super().__init__(Budget(seconds=1_000_000))
        self.most = most
        self.number = 0

    def check(self) -> None:
        self.number += 1
        if self.most is not None and self.number > self.most:
            raise BudgetExceeded("no looks are left")


# ---- the SAT solver ------------------------------------------------------------------------


def pigeons(holes: int, tuning: Tuning = DEFAULT, guard: int | None = None) -> Solver:
    """Return a solver with more pigeons than holes under the guard, which takes many conflicts."""
    solver = Solver(tuning)
    places = [[1 + pigeon * holes + hole for hole in range(holes)] for pigeon in range(holes + 1)]
    for place in places:
        solver.add_clause(place if guard is None else [-guard, *place])
    for first, one in enumerate(places):
        for other in places[:first]:
            for here, there in zip(one, other, strict=True):
                solver.add_clause([-here, -there])
    return solver


def test_a_hard_question_is_stopped_between_slices() -> None:
    limit = Looks(5)
    with under(limit), pytest.raises(BudgetExceeded, match="no looks"):
        solve(pigeons(14), [])
    assert limit.number == 6


def test_a_slice_that_is_too_short_for_progress_is_lengthened() -> None:
    tuning = Tuning(slice_cost=1, least_propagations=1)
    limit = Looks()
    with under(limit):
        assert not solve(pigeons(5, tuning), [])
    assert limit.number > 10


def test_a_stopped_slice_does_not_affect_the_next_question() -> None:
    solver = pigeons(8)
    with under(Looks(1)), pytest.raises(BudgetExceeded):
        solve(solver, [])
    assert attempt(solver, [], 1_000_000) is False


# ---- diagrams ------------------------------------------------------------------------------


def random_diagram(manager: BCDDManager, chance: random.Random) -> Diagram:
    found = manager.true()
    for _ in range(14):
        first, second, third = chance.sample(range(manager.num_vars()), 3)
        clause = manager.var(first) | manager.not_var(second) | manager.var(third)
        found = found & clause if chance.random() < 0.8 else found ^ clause
    return found


@pytest.mark.parametrize("slices", [1, 3, 64])
@pytest.mark.parametrize("seed", range(2))
def test_a_sliced_operation_has_the_same_result(seed: int, slices: int) -> None:
    chance = random.Random(f"{seed}/slices")
    manager = BCDDManager(1_000_000, 10_000, 1)
    manager.add_vars(16)
    f, g, h = (random_diagram(manager, chance) for _ in range(3))
    hidden = some_of(manager, chance)
    for one in (g, manager.true(), manager.false()):
        assert in_slices(lambda f, g: f & g, (f, one), number=slices) == f & one
        assert in_slices(lambda f, g, h: f.ite(g, h), (one, f, h), number=slices) == one.ite(f, h)
        found = in_slices(lambda f, g: (f & g).exists(hidden), (f, one), hidden, slices)
        assert found == (f & one).exists(hidden)


@pytest.fixture(scope="module")
def large() -> list[Diagram]:
    """Return diagrams large enough for operations to be sliced."""
    manager = BCDDManager(4_000_000, 100_000, 1)
    manager.add_vars(44)
    chance = random.Random("large")

    def more(diagram: Diagram) -> Diagram:
        first, second, third = chance.sample(range(44), 3)
        return diagram & (manager.var(first) | manager.not_var(second) | manager.var(third))

    shared = manager.true()
    while shared.node_count() <= 2 * SLICING.uncut_operands:
        shared = more(shared)
    found: list[Diagram] = []
    while manager.approx_num_inner_nodes() <= SLICING.uncut_in_all or len(found) < 3:
        found.append(more(shared))
    return found


def some_of(manager: BCDDManager, chance: random.Random) -> Diagram:
    """Return a cube of a few variables."""
    hidden = manager.true()
    for variable in chance.sample(range(manager.num_vars()), 6):
        hidden &= manager.var(variable)
    return hidden


def test_operations_on_large_diagrams_are_sliced(large: list[Diagram]) -> None:
    f, g, h = large[:3]
    hidden = some_of(f.manager, random.Random("hidden"))
    operations: list[tuple[Callable[[], Diagram], Diagram]] = [
        (lambda: interruptible.both(f, g), f & g),
        (lambda: interruptible.either(f, g), f | g),
        (lambda: interruptible.minus(f, g), f & ~g),
        (lambda: interruptible.choice(f, g, h), f.ite(g, h)),
        (lambda: interruptible.exists(f, hidden), f.exists(hidden)),
        (lambda: interruptible.and_exists(f, g, hidden), (f & g).exists(hidden)),
        (lambda: interruptible.diff_exists(f, g, hidden), (f & ~g).exists(hidden)),
    ]
    for operation, expected in operations:
        limit = Looks()
        with under(limit):
            assert operation() == expected
        assert limit.number > SLICING.slices


def test_the_limit_is_checked_between_slices(large: list[Diagram]) -> None:
    with under(Looks(10)), pytest.raises(BudgetExceeded):
        interruptible.both(large[0], ~large[1])


def test_a_share_of_work_ends_before_long_operations(
    large: list[Diagram], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a time limit, too. An operation on known diagrams creates no nodes, but visits many.

    In a game of Hanabi, one such operation took ten minutes in a turn of about a second.
    """
    f, g = large[:2]
    expected, sliced = f & g, in_slices
    cuts: list[object] = []

    def cut(*operation: Any) -> Diagram:
        cuts.append(operation)
        return sliced(*operation)

    monkeypatch.setattr(interruptible, "in_slices", cut)
    with trial(1_000_000):
        assert interruptible.both(f, g) == expected
    assert len(cuts) == 1
    size = (f.node_count() + g.node_count()) // NODES_A_UNIT
    with trial(size - 1), pytest.raises(SearchAborted):
        interruptible.both(f, g)


def test_a_count_that_would_take_too_long_is_not_begun(large: list[Diagram]) -> None:
    with under(Looks()):
        assert interruptible.count(large[0], 44) == large[0].sat_count(44)
        with pytest.raises(NoAnswerWithin):
            interruptible.afford(large[0], 1e9)


# ---- rewriting ---------------------------------------------------------------------


def test_rewriting_a_long_chain_of_announcements_can_be_stopped() -> None:
    state = coins()
    formula = state.structure.parse("[!~K[bob] p] " * 150 + "q")
    with under(Looks(1_000)), pytest.raises(BudgetExceeded):
        engine("sat").holds(state, formula)
