"""Random epistemic actions against the definitions, and plans for the tasks of plank."""

from __future__ import annotations

import time
from pathlib import Path

import click

from symkripke.errors import BudgetExceeded
from symkripke.limits import within
from symkripke.problems.epddl import load
from symkripke.problems.planning.search import search
from symkripke.problems.planning.validation import validate
from tests.soak.common import Found
from tests.support.epddl_update import differences

LENGTHS: dict[str, int | None] = {
    **{"amc-1": 2, "bw-1": 4, "cn-5": 3, "ncn-1": 3, "gra-1": 4, "sc-1": 7},
    **{"cb-1": 2, "cb-2": 4, "cb-3": 5, "cb-4": 6, "cb-5": 5},
    **{f"cc_2_2_3-{number}": length for number, length in enumerate((4, 4, 4, 4, 5, 6), 1)},
    **{"gos-1": None, "tig-5-3": None},
}
"""The length of the shortest plans of plank's tasks at 802df67; None if there is no plan."""


@click.command()
@click.option("--tasks", default=5_000, help="The number of random tasks.")
@click.option("--seed", default=0, help="The first seed.")
@click.option("--plank", default="", help="A checkout of plank, whose benchmarks are solved.")
@click.option("--seconds", default=60.0, help="The time limit of each of these benchmarks.")
def planning(tasks: int, seed: int, plank: str, seconds: float) -> Found:
    """Compare the effects of random actions with the definitions, and the lengths of plans."""
    found = Found()
    for number in range(seed, seed + tasks):
        found.done["random tasks"] += 1
        for fault in differences(number):
            found.fault(fault)
    if plank:
        for domain in sorted((Path(plank) / "benchmarks" / "domains").glob("*/*.epddl")):
            for problem in sorted(domain.parent.glob("instances/**/*.epddl")):
                _solve(domain, problem, seconds, found)
    return found


def _solve(domain: Path, problem: Path, seconds: float, found: Found) -> None:
    """Solve a task of plank, and check the length of the plan."""
    began, used = time.perf_counter(), time.process_time()
    task = load([str(domain), str(problem)])
    found.done["tasks of plank"] += 1
    try:
        with within(seconds=seconds):
            result = search(task)
    except BudgetExceeded as refused:
        found.fault(f"{task.name}: {refused}")
        return
    length = None if result.plan is None else len(result.plan)
    found.check(length == LENGTHS[task.name], f"{task.name}: a plan of length {length}")
    if result.plan is not None:
        found.check(validate(task, result.plan).is_reached, f"{task.name}: the plan is not valid")
    spent, cpu = time.perf_counter() - began, time.process_time() - used
    found.notes.append(
        f"{task.name}: {'no plan' if length is None else length}, {spent:.2f} s ({cpu:.2f} s of "
        f"processor time), {result.expanded:,} states expanded, {result.states:,} reached"
    )
