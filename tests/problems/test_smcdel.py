"""SMCDEL's format: read as SMCDEL reads it, answered by its definitions, written and read again."""

from __future__ import annotations

import pytest

from symkripke.engines import engine
from symkripke.errors import Unsupported
from symkripke.language import formulas as f
from symkripke.problems.problem import Question
from symkripke.problems.run import check
from symkripke.problems.smcdel import read_smcdel, states
from symkripke.problems.smcdel_formulas import smcdel_text
from symkripke.problems.smcdel_syntax import written_formula
from tests.support.random_models import Seeded, some
from tests.support.smcdel_states import States, random_smcdel

AGENTS = ("Ann", "Bob", "c3")
VARIABLES = ("p0", "p1", "p2", "p14")


@pytest.mark.parametrize("block", range(5))
def test_formulas_are_the_same_when_written_and_read_again(block: int) -> None:
    """Of 500 random ones. What is made while reading (`f & f` is `f`) is made before, too."""
    for seed in range(100 * block, 100 * block + 100):
        formula = random_smcdel(Seeded(seed), VARIABLES, AGENTS, 2 + seed % 4)
        assert written_formula(smcdel_text(formula)) is formula, smcdel_text(formula)


@pytest.mark.parametrize("seed", range(150))
def test_answers_are_those_of_the_definitions(seed: int) -> None:
    """Random files, with updates, against the listed states of each structure."""
    choices = Seeded(seed)
    variables = VARIABLES[: choices.integer(2, 3)]
    agents = AGENTS[: choices.integer(1, 3)]
    observed = {agent: frozenset(some(choices, variables, 0, 3)) for agent in agents}
    boolean = random_smcdel(Seeded(seed), variables, agents, 0) | f.Atom(variables[0])
    law = f.Implies(boolean, f.Atom(variables[-1])) if seed % 3 else f.TRUE
    now = States.of(variables, law, observed)
    lines = [
        f"VARS {', '.join(name[1:] for name in variables)}",
        f"LAW {smcdel_text(law)} OBS",
        *(f"{a}: {', '.join(sorted(x[1:] for x in seen))}" for a, seen in observed.items()),
    ]
    expected: list[list[list[int]]] = []
    for place in range(3):
        formula = random_smcdel(choices, variables, agents, 3)
        lines.append(f"WHERE? {smcdel_text(formula)}")
        expected.append(_numbers(now, formula))
        if place == 1:
            said = random_smcdel(choices, variables, agents, 2)
            if now.told(said).law:
                lines.append(f"UPDATE! {smcdel_text(said)}")
                now = now.told(said)
    text = "\n".join(lines)
    try:
        problem = read_smcdel(text).problem
    except Unsupported as error:
        assert "under Forall or Exists" in str(error)  # noqa: PT017
        return
    found = []
    for outcome in check(problem, engine("explicit"), count=False):
        if isinstance(outcome.step, Question):
            assert outcome.refused is None, text
            assert outcome.where is not None
            assert outcome.where.number == len(expected[len(found)]), text
            found.append(sorted(states(map(dict, outcome.where.worlds))))
    assert [len(one) for one in found] == [min(5, len(one)) for one in expected]
    for one, all_of_them in zip(found, expected, strict=True):
        assert all(state in all_of_them for state in one), text


def _numbers(now: States, formula: f.Formula) -> list[list[int]]:
    true = now.law & now.where(formula)
    return sorted(sorted(int(name[1:]) for name in state) for state in true)
