"""Planning: known lengths of plans, plans with branches, reasons, and the definitions."""

from __future__ import annotations

import json
from cProfile import Profile

import pytest

from symkripke.errors import NoAnswerWithin, UnknownName
from symkripke.limits import within
from symkripke.problems.epddl.task_json import task_data, task_of
from symkripke.problems.planning.contingent import contingent_plan
from symkripke.problems.planning.search import STRATEGIES, search
from symkripke.problems.planning.validation import validate
from tests.support.epddl import GOALS, coin, muddy, task_of_texts, text_of
from tests.support.epddl_update import differences


@pytest.mark.parametrize("seed", range(0, 300, 30))
def test_actions_agree_with_the_definitions(seed: int) -> None:
    assert [fault for each in range(seed, seed + 30) for fault in differences(each)] == []


@pytest.mark.parametrize("goal", GOALS)
def test_shortest_plans_have_the_known_lengths(goal: str) -> None:
    task = coin(goal)
    found = search(task)
    assert found.plan is not None
    assert found.shortest
    assert len(found.plan) == GOALS[goal]
    assert validate(task, found.plan).is_reached


@pytest.mark.parametrize(
    ("names", "length"),
    [(("tower", "tower-4"), 4), (("numbers", "numbers-3"), 3), (("gossip", "gossip-6"), 6)],
)
def test_plans_of_other_domains_have_the_known_lengths(names: tuple[str, str], length: int) -> None:
    task = task_of_texts(*map(text_of, names))
    found = search(task)
    assert found.plan is not None
    assert len(found.plan) == length
    assert validate(task, found.plan).is_reached
    read_back = search(task_of(json.loads(json.dumps(task_data(task)))))
    assert (read_back.states, len(read_back.plan or ())) == (found.states, length)


def test_without_its_action_gossip_has_no_plan() -> None:
    domain = text_of("gossip")
    silent = f"{domain[: domain.index('(:action confide')]})"
    found = search(task_of_texts(silent, text_of("gossip-6")))
    assert found.plan is None
    assert found.words.startswith("no plan: all states are exhausted (states: 1 reached")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_only_breadth_first_search_calls_a_plan_shortest(strategy: str) -> None:
    goal, length = next(reversed(GOALS.items()))
    task = coin(goal)
    found = search(task, strategy)
    assert found.plan is not None
    assert validate(task, found.plan).is_reached
    assert found.shortest == (strategy == "bfs")
    assert found.length >= length
    assert found.length == length or not found.shortest


@pytest.mark.parametrize(
    ("goal", "agents"), [("(uncovered)", ()), ("([ann] (uncovered))", ("ann",))]
)
def test_agents_that_no_formula_mentions_do_not_matter(goal: str, agents: tuple[str, ...]) -> None:
    """Bob and Eve do not notice that Ann lifts the cup, which adds worlds for them alone."""
    domain = text_of("coin")
    domain = f"{domain[: domain.index('(:event wakes')]})"
    task = task_of_texts(domain, text_of("coin-heads").replace("([ann] (heads))", goal))
    assert task.relevant().agents == agents
    found = search(task)
    assert found.plan == ["uncover_ann"]
    assert found.states == 2
    assert validate(task, found.plan).steps[-1].worlds == 4


@pytest.mark.parametrize(("children", "dirty", "calls"), [(8, 4, 20_000), (10, 5, 120_000)])
def test_many_children_are_a_mask_over_the_first_model(
    children: int, dirty: int, calls: int
) -> None:
    """Function calls are counted, because they do not depend on the speed of the machine."""
    task = task_of_texts(*muddy(children, dirty))
    counted = Profile()
    found = counted.runcall(search, task)
    assert sum(each.callcount for each in counted.getstats()) < calls
    assert found.plan is not None
    assert len(found.plan) == dirty - 1
    assert task.start.number == 2**children - 1


def test_a_limit_on_time_ends_the_search() -> None:
    task = task_of_texts(*muddy(9, 6))
    with pytest.raises(NoAnswerWithin), within(seconds=0.01):
        search(task)


# ---- branches ---------------------------------------------------------------------------------


def test_a_sensing_action_needs_a_branch_for_each_result() -> None:
    """Nobody knows which face lies up, so that the plan must work in both cases."""
    problem = text_of("coin-heads").replace("    (heads)\n", "    (or (heads) (not (heads)))\n")
    task = task_of_texts(text_of("coin"), problem.replace("([ann] (heads))", "([Kw. ann] (heads))"))
    assert task.start.designated.bit_count() == 2
    found = contingent_plan(task)
    assert found.plan == {
        "action": "uncover_ann",
        "branches": {
            "uncovers": {"action": "peek_ann", "branches": {"sees-heads": [], "sees-tails": []}}
        },
    }
    assert found.length == 2
    assert validate(task, found.plan).is_reached
    cut = json.loads(json.dumps(found.plan))
    cut["branches"]["uncovers"] = []
    assert not validate(task, cut).is_reached


def test_a_plan_with_branches_continues_differently_in_each() -> None:
    """Bob must hear the face: Ann can say heads, and nobody can say tails."""
    problem = text_of("coin-heads").replace("    (heads)\n", "    (or (heads) (not (heads)))\n")
    goal = "(or ([bob] (heads)) ([ann] (not (heads))))"
    task = task_of_texts(text_of("coin"), problem.replace("([ann] (heads))", goal))
    found = contingent_plan(task)
    assert found.length == 4
    result = validate(task, found.plan)
    assert result.is_reached
    assert {step.event for step in result.steps} >= {"sees-heads", "sees-tails"}


def test_without_a_plan_for_both_results_all_states_are_exhausted() -> None:
    domain = text_of("gossip")
    silent = f"{domain[: domain.index('(:action confide')]})"
    found = contingent_plan(task_of_texts(silent, text_of("gossip-6")))
    assert found.plan is None
    assert "exhausted" in found.words


# ---- reasons ----------------------------------------------------------------------------------


def test_an_action_that_cannot_be_done_has_a_reason() -> None:
    result = validate(coin("([ann] (heads))"), ["uncover_ann", "uncover_bob"])
    assert not result.is_applicable
    assert result.steps[-1].failure == "uncovers needs holds-cup(bob), which is false"


def test_a_goal_that_is_missed_is_named() -> None:
    result = validate(coin("(and (heads) ([ann] (heads)))"), ["uncover_ann"])
    assert result.is_applicable
    assert [str(part) for part in result.missing] == ["K[ann] heads"]


def test_steps_say_what_agents_learn() -> None:
    result = validate(coin("([ann] (heads))"), ["uncover_ann", "peek_ann"])
    assert [step.learned for step in result.steps] == [
        (),
        ("ann believes uncovered",),
        ("ann believes heads",),
    ]


def test_the_step_is_named_at_which_an_agent_considers_no_world_possible() -> None:
    """Bob sleeps while the cup is lifted, so that Ann's words contradict his beliefs."""
    task = coin("([bob] (heads))")
    plan = ["uncover_ann", "peek_ann", "wake_ann_bob", "say-heads_ann"]
    result = validate(task, plan)
    assert result.is_reached
    assert [step.empty for step in result.steps] == [(), (), (), (), ("bob",)]
    assert "   bob considers no world possible any more, and believes everything" in result.words()


def test_an_unknown_action_suggests_a_name() -> None:
    with pytest.raises(UnknownName, match="did you mean 'uncover_ann'"):
        validate(coin("([ann] (heads))"), ["uncover_anne"])
