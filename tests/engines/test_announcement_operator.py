"""Announcements before common knowledge: the sat engine evaluates the rest after them."""

from __future__ import annotations

from contextlib import suppress

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.errors import Unsupported
from symkripke.language import Formula, negation
from symkripke.language import formulas as f
from symkripke.testing.random_models import (
    BOOLEAN,
    Names,
    Seeded,
    random_formula,
    random_history,
    some,
)
from tests.engines.test_engines_agree import compare

_SAID = (
    (*BOOLEAN, "K", "M", "Kw", "E", "D", "announced", "announced_true"),
    (*BOOLEAN, "K", "M", "C"),  # a law cannot contain both
)
_THEN = (*BOOLEAN, "K", "M", "C", "C")


def _open(choices: Seeded, names: Names, depth: int = 0) -> Formula:
    """Draw `[!a] .. C[G] g ..` or `<!a> ..`, sometimes nested, sometimes negated."""
    kind = f.Announced if choices.integer(0, 2) else f.AnnouncedTrue
    said = random_formula(choices, names, choices.integer(0, 2), choices.one_of(_SAID))
    if depth == 0 and not choices.integer(0, 3):
        then = _open(choices, names, 1)
    else:
        inner = random_formula(choices, names, choices.integer(0, 2), _THEN)
        then = f.C(some(choices, names.agents, 1, 3), inner)
    made = kind(said, then)
    return negation(made) if not choices.integer(0, 3) else made


def _question(choices: Seeded, names: Names) -> Formula:
    one, other = _open(choices, names), _open(choices, names)
    agent, group = choices.one_of(names.agents), some(choices, names.agents, 1, 3)
    made: list[Formula] = [
        one,
        one | other,
        f.Iff(one, f.K(agent, other)),
        f.K(agent, one),
        f.K(agent, one & other),
        f.M(agent, one),
        f.Kw(agent, one),
        f.E(group, one),
        f.D(group, one & other),
    ]
    return choices.one_of(made)


def test_answers_match_the_model() -> None:
    """The questions are asked of scenes, perspectives and structures, after events and changes."""
    asked = known = 0
    answers: list[bool] = []
    for seed in range(30):
        scene, choices = random_history(Seeded(300_000 + seed)), Seeded(seed)
        names, sat = Names.of(scene.structure), SatEngine()
        questions = [_question(choices, names) for _ in range(6)]
        asked += len(questions)
        answers += compare(sat, ([scene], questions))
        for agent in names.agents:
            about = f.K(agent, _open(choices, names))
            with suppress(Unsupported):
                answer = sat.holds(scene.perspective(agent), about)
                assert bool(answer) == bool(ExplicitEngine().holds(scene, about)), (seed, about)
                assert answer.why().truth == bool(answer), (seed, str(about))
                known += 1
    assert len(answers) > 0.7 * asked
    assert known > 50


def test_each_part_is_evaluated_in_its_own_place() -> None:
    """The solver of a group has moved on with the first part when the second part is evaluated."""
    scene = random_history(Seeded(300_429))
    question = (
        "D[ann, cat, bob] ([!p = blue] <!true> C[cat, bob, ann] (p = white -> true)"
        " & [![!p = blue] p = white] C[bob, ann] false)"
    )
    assert not ExplicitEngine().holds(scene, question)
    assert not SatEngine().holds(scene, question)
