"""Plans and announcements that are found for questions of problem files."""

from __future__ import annotations

import pytest

from symkripke.errors import NoAnswerWithin, ProblemError
from symkripke.limits import within
from symkripke.problems import read
from symkripke.problems.checker import Run
from symkripke.problems.outcome import Outcome
from symkripke.problems.outcome_words import data, details

COIN = """agents ann, bob
fluent heads, opened, looks(a) for a in agents
law "the box is closed, and both look at it": ~opened & looks(ann) & looks(bob)
actual heads, looks(ann), looks(bob)

action open: opened := true
  b sees which when looks(b) for b in agents
action distract(a in agents) when looks(a): looks(a) := false
  everybody sees which
action peek(a in agents):
  event heads when heads & opened
  event tails when ~heads & opened
  a sees which
  b sees that when looks(b) for b in agents
"""

CARDS = """agents ann, bob, cath
fluent owner(c) in {ann, bob, cath} for c in 0..6
law exactly(3; owner(c) = ann for c in 0..6) & exactly(3; owner(c) = bob for c in 0..6)
for a in agents: a sees owner(c) = a for c in 0..6
actual owner(0) = ann, owner(1) = ann, owner(2) = ann, owner(3) = bob, owner(4) = bob, \
owner(5) = bob, owner(6) = cath
define bob_learns = forall c in 0..6: Kw[bob] owner(c) = ann
define cath_does_not = forall c in 0..6: owner(c) != cath -> ~Kw[cath] owner(c) = ann
"""


def last(text: str) -> Outcome:
    """Return the outcome of the last step."""
    run = Run(read(text))
    run.beginning()
    return [run.take(step) for step in run.problem.steps][-1]


@pytest.mark.parametrize(
    ("goal", "plan"),
    [
        ("heads", ()),
        ("K[ann] heads", ("open", "peek(ann)")),
        ("K[ann] heads & B[bob] ~opened", ("distract(bob)", "open", "peek(ann)")),
        ("K[ann] heads & Kw[bob] heads", ("open", "peek(ann)", "peek(bob)")),
        ("K[bob] ~looks(bob) & ~opened", ("distract(bob)",)),
    ],
)
def test_a_plan_is_a_shortest_one(goal: str, plan: tuple[str, ...]) -> None:
    outcome = last(f"{COIN}plan? {goal}\n")
    assert outcome.actions == plan
    assert outcome.verdict == ("1 action" if len(plan) == 1 else f"{len(plan)} actions")
    if plan:
        assert last(f"{COIN}plan: {', '.join(plan)}\ngoal? {goal}\n").answer


def test_a_plan_starts_after_the_events_before_it() -> None:
    outcome = last(f"{COIN}do open\nplan? K[ann] heads\n")
    assert outcome.actions == ("peek(ann)",)


def test_without_a_plan_all_states_are_exhausted() -> None:
    text = "agents a\nfluent p\nactual ~p\naction wait: p := false\n  a sees which\nplan? p\n"
    outcome = last(text)
    (line,) = details(read(text), outcome, why=False)
    assert line.text == "all states are exhausted"
    assert data(read(text), outcome, why=False)["plan"] is None


def test_events_that_may_be_missed_add_finitely_many_states() -> None:
    """A less plausible world that differs in nothing from a more plausible one does not count."""
    with within(seconds=60):
        assert last(f"{COIN}plan? K[ann] (heads & ~heads)\n").verdict == "no plan"


TOSS = """agents ann
fluent p
actual p
action toss:
  event first when p
  event second when p
  event third when ~p
  everybody sees that
"""


def test_the_number_of_worlds_counts_for_probability() -> None:
    assert last(f"{TOSS}plan? P[ann](p) > 3/4\n").actions == ("toss", "toss")


SHARE = """agents ann, bob
fluent p
actual p
action share:
  event one when p
  event two when p
  event three when ~p
  event four when ~p
  ann sees that {one, four}, {two, three}
  bob sees that {one, three}, {two, four}
"""


def test_pooled_observations_count_for_distributed_knowledge() -> None:
    """Each agent learns half of the secret, and none of them learns anything about p."""
    assert last(f"{SHARE}plan? D[ann, bob] p\n").actions == ("share",)
    assert last(f"{SHARE}plan? Kw[ann] p\n").verdict == "no plan"


def test_states_without_end_meet_the_limit() -> None:
    with within(seconds=0.3):
        outcome = last(f"{COIN}plan? P[ann](heads) > 1/2 & ~heads\n")
    assert isinstance(outcome.refused, NoAnswerWithin)


def test_a_plan_needs_actions() -> None:
    with pytest.raises(ProblemError, match="there is no `action` above"):
        read("agents a\nfluent p\nactual p\nplan? p\n")


@pytest.mark.parametrize("question", ["plan? K[a] x = 5", "protocol? a: x = 3"])
def test_infinitely_many_worlds_are_refused(question: str) -> None:
    model = "agents a\nfluent x in integers\nactual x = 3\naction up:\n  x := x + 1\n  a sees which"
    refused = last(f"{model}\n{question}\n").refused
    assert "numbers without bounds have infinitely many" in str(refused)


def test_the_protocol_of_the_russian_cards_is_found() -> None:
    """Ann tells Bob her hand in public, and Cath learns no card: five hands are enough."""
    goal = "bob_learns & cath_does_not"
    outcome = last(f"{CARDS}protocol? ann: {goal}\n")
    assert outcome.protocol is not None
    assert len(outcome.protocol.operands) == 5
    said = f"{CARDS}announce {outcome.protocol}\n"
    assert last(f"{said}valid? {goal}\n").answer
    assert last(f"{said}true? K[ann] ({outcome.protocol})\n").answer
    answer = last(f"{said}protocol? bob: (forall c in 0..6: Kw[ann] owner(c) = bob) & {goal}\n")
    assert answer.verdict == "found"


def test_an_announcement_that_does_not_exist_is_not_found() -> None:
    """Cath cannot tell Bob the cards without telling Ann."""
    outcome = last(f"{CARDS}protocol? cath: bob_learns & ~Kw[ann] owner(3) = bob\n")
    assert outcome.verdict == "none"


def test_common_knowledge_is_refused() -> None:
    outcome = last(f"{CARDS}protocol? ann: C[ann, bob] bob_learns\n")
    assert "goals with K, M, Kw and E" in str(outcome.refused)
