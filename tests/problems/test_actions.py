"""Action blocks in problem files, what is done, and plans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.engines import engine
from symkripke.errors import ImpossibleStep, ProblemError, Unsupported
from symkripke.model import ABOVE_ALL, NOTHING, WHICH, that
from symkripke.problems import Doing, check, read
from symkripke.problems.checker import Run
from symkripke.problems.outcome import Outcome
from symkripke.problems.outcome_words import Written, details
from symkripke.problems.story import story_of

ROOM = """\
let cards = {ace, king}
agents anna, bert
fluent p, near(a) for a in agents
fluent holds(c) in agents for c in cards
fluent x in 1..3
actual p, near(anna), holds(c) = anna for c in cards, x = 1
"""

COIN = """\
agents ann, bob
fluent heads, looks(a) for a in agents
actual heads, looks(ann)
action peek(a in agents):
  event heads when heads
  event tails when ~heads
  a sees which
  b sees that when looks(b) for b in agents
action turn: heads := ~heads
  ann sees which
action look(a in agents) when ~looks(a): looks(a) := true
  everybody sees which
"""


def told(text: str) -> list[Outcome]:
    return list(check(read(text)))


def answers(text: str) -> list[bool]:
    return [bool(outcome.answer) for outcome in told(text) if outcome.answer is not None]


def lines(text: str, *arguments: str, path: Path) -> list[str]:
    file = path / "story.skp"
    file.write_text(text)
    return CliRunner().invoke(group, ["check", str(file), *arguments]).output.splitlines()


def done(text: str) -> Doing:
    (step,) = [step for step in read(f"{ROOM}{text}").steps if isinstance(step, Doing)]
    return step


# ---- what is read -----------------------------------------------------------------------------


def test_the_parts_of_an_action() -> None:
    action = done(
        """\
action show(a in agents, b in agents) "{a} shows {b} a card":
  actual event ace when holds(ace) = a: holds(ace) := b, near(b) := near(a) | p
  event other(c) for c in cards if c != ace when holds(c) = a & K[a] p
  a sees which
  c sees that {ace, other(king)} when near(c) for c in agents
  others notice nothing
  rank 4
do show(anna, bert)
"""
    ).action
    ace, other = action.events
    assert (ace.name, other.name) == ("ace", "other(king)")
    assert str(ace.precondition) == "holds(ace) = anna"
    assert str(other.precondition) == "holds(king) = anna & K[anna] p"
    assert [change.fluent for change in ace.postconditions] == ["holds(ace)", "near(bert)"]
    assert action.actual == ("ace",)
    assert action.rank == 4
    assert str(action.source) == "anna shows bert a card"
    assert action.name == "show(anna, bert)"
    assert [how for _, how in action.sees["anna"]] == [WHICH]
    assert [how for _, how in action.sees["bert"]] == [that(["ace", "other(king)"]), NOTHING]
    assert action.otherwise == NOTHING


def test_an_action_with_one_event_needs_no_name_for_it() -> None:
    leave = "action leave when near(anna): near(anna) := false\n  everybody sees that\n"
    action = done(f"{leave}do leave").action
    (event,) = action.events
    assert event.name == "leave"
    assert action.rank == ABOVE_ALL
    assert set(action.sees) == {"anna", "bert"}
    assert all(how.kind == "that" for cases in action.sees.values() for _, how in cases)


def test_what_an_action_needs_each_of_its_events_needs() -> None:
    text = (
        "agents a, b\nfluent p, near(i) for i in agents\nactual p, near(a)\n"
        "action peek(i in agents) when near(i):\n  event yes when p\n  event no when ~p\n"
        "  i sees which\n"
    )
    assert answers(f"{text}true? <peek(b)> true\ntrue? [peek(a)] K[a] (p & near(a))") == [
        False,
        True,
    ]
    with pytest.raises(ImpossibleStep, match="none of its events can happen"):
        told(f"{text}do peek(b)")


def test_what_others_see_is_for_all_who_are_not_named_or_do_not_see() -> None:
    text = "action go:\n  anna sees which when near(anna)\n  others see that\ndo go"
    action = done(text).action
    assert [how.kind for _, how in action.sees["anna"]] == ["which", "that"]
    assert action.otherwise.kind == "that"
    text = "action go:\n  anna sees which\n  others see that when p\ndo go"
    action = done(text).action
    assert [how.kind for _, how in action.sees["bert"]] == ["that"]
    assert [how.kind for _, how in action.cases("bert")] == ["that", "nothing"]


def test_numbers_in_binary_change_digit_by_digit() -> None:
    text = """\
agents a
fluent n in 0..40
actual n = 35
action add(k in 1..5) when n < 38: n := n + k
  a sees which
"""
    asked = "do add(2)\ntrue? n = 37\ntrue? K[a] (n#0 = 35 -> n = 37)"
    assert answers(text + asked) == [True, True]
    with pytest.raises(ImpossibleStep, match="have no value in its domain where n = 37"):
        told(f"{text}do add(4)")


def test_changes_can_depend_on_knowledge() -> None:
    text = f"{COIN}fluent glad\n".replace("fluent heads,", "fluent heads, glad, ").replace(
        "fluent glad\n", ""
    )
    more = "action ask: glad := K[ann] heads\n  bob sees which\n"
    asked = "do ask\ntrue? glad\ndo peek(ann)\ndo ask\ntrue? glad & K[bob] (glad -> K[ann] heads)"
    assert answers(text + more + asked) == [False, True]


# ---- what comes of it -------------------------------------------------------------------------


def test_who_looks_sees_that_and_who_does_not_notices_nothing() -> None:
    secret = "do peek(ann)\ntrue? K[ann] heads & B[bob] ~Kw[ann] heads & ~K[bob] ~Kw[ann] heads"
    assert answers(COIN + secret) == [True]
    seen = "do look(bob)\ndo peek(ann)\ntrue? K[bob] Kw[ann] heads & ~Kw[bob] heads"
    assert answers(COIN + seen) == [True]


def test_formulas_about_what_would_be() -> None:
    asked = """\
true? [peek(ann)] K[ann] heads
true? ~K[ann] heads
true? <look(bob)> true
true? <look(ann)> true
true? [look(ann)] false
true? [look(bob)] [peek(ann)] K[bob] Kw[ann] heads
valid? [peek(bob)] (heads -> K[bob] heads)
true? [turn] (~heads & B[bob] ~K[bob] heads)
true? heads
"""
    assert answers(COIN + asked) == [True, True, True, False, True, True, True, True, True]


def test_probabilities_are_shares_of_the_most_plausible_worlds() -> None:
    asked = "do peek(ann)\nhow? P[bob](Kw[ann] heads)\nhow? P[bob](heads)\nentropy? bob: heads"
    found = [outcome.number for outcome in told(COIN + asked)[2:]]
    assert found == [0, 0.5, 1.0]


def test_an_action_of_which_several_events_can_happen_leaves_several_actual_worlds() -> None:
    text = """\
agents a, b
fluent p
actual p
action toss:
  event yes: p := true
  event no: p := false
  a sees which
  b sees that
"""
    asked = "do toss\ntrue? Kw[a] p\ntrue? p\ntrue? ~p\ntrue? K[b] Kw[a] p"
    assert answers(text + asked) == [True, False, False, True]
    assert answers(f"{text}do toss: no\ntrue? ~p\ntrue? K[a] ~p") == [True, True]
    with pytest.raises(ProblemError, match="there are several actual worlds"):
        told(f"{text}do toss\nknows? a")


def test_a_set_of_actual_worlds() -> None:
    text = "agents a, b\nfluent p, q\na sees p\nlaw p | q\nactual where p\n"
    asked = "true? p\ntrue? q\ntrue? Kw[a] p\nannounce p\ntrue? K[b] p\nannounce whether K[b] p\n"
    assert answers(text + asked) == [True, False, True, True]
    with pytest.raises(ImpossibleStep, match="q is not so"):
        told(f"{text}announce q")
    with pytest.raises(ImpossibleStep, match="at some of the actual worlds, but not at all"):
        told(f"{text}announce whether q")
    with pytest.raises(ProblemError, match="the law allows none of the actual worlds"):
        told(f"{text.replace('where p', 'where ~p & ~q')}true? p")
    with pytest.raises(ProblemError, match="needs one actual world"):
        read(f"{text}knows? a")
    with pytest.raises(ProblemError, match="gives all actual worlds at once"):
        read(f"{text}actual q")


# ---- plans ------------------------------------------------------------------------------------


def test_a_plan_that_leads_to_its_goal() -> None:
    plan, goal = told(f"{COIN}plan: look(bob), peek(ann), turn\ngoal? K[ann] ~heads & ~heads")[1:]
    assert plan.verdict == "done"
    assert goal.verdict == "yes"


def test_the_first_action_that_cannot_be_done_ends_a_plan() -> None:
    problem = read(f"{COIN}plan: turn, look(ann), peek(ann)\ngoal? ~heads\ntrue? ~heads\n")
    plan, goal, after = list(check(problem))[1:]
    assert plan.verdict == "stops at look(ann)"
    said = [line.text for line in details(problem, plan, why=False)]
    assert said == [
        "1. turn  now 16 worlds",
        "2. look(ann) cannot be done: it needs ~looks(ann), which is not so",
    ]
    assert goal.verdict == "no"
    said = [line.text for line in details(problem, goal, why=False)]
    assert said == ["the plan in line 13 could not be followed to its end"]
    assert after.verdict == "yes"


def test_the_latest_plan_decides_whether_a_goal_is_reached() -> None:
    failed, passed, goal = "plan: look(ann)\n", "plan: peek(ann)\n", "goal? K[ann] heads\n"
    found = told(f"{COIN}{failed}{passed}{goal}{failed}{goal}{passed}{goal}")
    assert [found[place].verdict for place in (3, 5, 7)] == ["yes", "no", "yes"]


def test_an_error_within_a_plan_leaves_the_run_where_it_was() -> None:
    common = "action meet when CB[ann, bob] heads#0:\n  everybody sees which\n"
    problem = read(f"{COIN}{common}plan: turn, meet\n")
    run = Run(problem, engine("smt"))
    run.beginning()
    before = run.now
    with pytest.raises(Unsupported):
        run.take(problem.steps[-1])
    assert run.now == before


def test_what_is_expected_and_not_so_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "story.skp"
    file.write_text(f"{COIN}do peek(ann)\nexpect K[ann] heads\nexpect K[bob] heads\n")
    run = CliRunner().invoke(group, ["check", str(file)])
    assert run.exit_code == 1
    assert "as expected  expect K[ann] heads\n" in run.output
    assert "not as expected  expect K[bob] heads\n  bob does not know that heads" in run.output


# ---- how it is told ---------------------------------------------------------------------------


def test_reasons_speak_of_actions(tmp_path: Path) -> None:
    asked = "true? K[ann] heads#0\ntrue? B[bob] ~heads\n"
    text = f"{COIN}do peek(ann)\ndo look(bob)\ndo turn\n{asked}"
    found = lines(text, "--why", path=tmp_path)
    assert "    1. peek(ann) was heads (line 13: do peek(ann))" in found
    assert any("turn has not been done" in line for line in found)
    assert not [line for line in found if "event(" in line or "signal(" in line]


def test_traces_of_actions_have_different_words() -> None:
    """Which event, what each agent sees of it, and what was so before; done twice."""
    text = (
        "agents ann, bob\nfluent p, q\nactual p, q\naction draw:\n  event ace\n  event king\n"
        "  event ten\n  ann sees that {ace, king}, {ten} when p\n  ann sees that when q\n"
        "  bob sees which when K[ann] q\ndo draw: ace\ndo draw: ace\n"
    )
    structure = told(text)[-1].structure
    words = Written(read(text), structure).words
    fluents = structure.vocabulary.fluents
    traces = [atom for name in structure.history.traces.made_up for atom in fluents[name].atoms]
    said = {words(atom, truth) for atom in traces for truth in (True, False)}
    assert len(traces) > 20
    assert len(said) == 2 * len(traces)
    assert "ann sees that draw (time 2) was ace or king" in said


def test_reasons_say_who_did_not_notice_which_step_of_a_plan(tmp_path: Path) -> None:
    text = (
        "agents ann, bob, eve\nfluent p\nlaw ~p\nactual ~p\n"
        "action turn(a in agents): p := ~p\n  a sees which\naction wait: everybody sees which\n"
        "plan: wait, turn(bob)\ntrue? B[bob] B[eve] ~p\n"
    )
    found = "\n".join(lines(text, "--why", path=tmp_path))
    assert "eve does not notice: line 8: turn(bob) (believed)" in found
    assert "has not been done" not in found
    assert "ann does not notice" not in found


def test_data(tmp_path: Path) -> None:
    text = f"{COIN}do peek(ann)\nplan: turn, look(ann)\ngoal? heads\n"
    found = json.loads("\n".join(lines(text, "--json", path=tmp_path)))
    acted, plan, goal = found["steps"]
    assert acted == {"line": 13, "kind": "action", "text": "do peek(ann)", "worlds": 16}
    assert plan["kind"] == "plan"
    assert (plan["done"], plan["complete"], plan["stops"]) == (["turn"], False, "look(ann)")
    assert (goal["holds"], goal["stopped"]) == (False, 14)


def test_stories_are_drawn() -> None:
    story = story_of(read(f"{COIN}do peek(ann)\nplan: turn\n"))
    headings = [heading for heading, _ in story.moments]
    assert headings == ["0. at first", "1. do peek(ann)", "2. turn"]
    assert "event(1)" in story.naming.hidden


def test_a_plan_says_why_somebody_does_not_know_what_it_needs() -> None:
    more = "action shout when K[bob] heads:\n  everybody sees which\nplan: peek(ann), shout\n"
    problem = read(COIN + more)
    plan = list(check(problem))[-1]
    said = [line.text for line in details(problem, plan, why=False)]
    assert said[:3] == [
        "1. peek(ann)  now 16 worlds",
        "2. shout cannot be done: it needs K[bob] heads, which is not so",
        "bob does not know that heads, because bob considers this possible:",
    ]


def test_what_was_not_noticed_can_be_given() -> None:
    asked = "do turn\nhow? P[bob](heads = heads#0)\nhow? P[bob | heads != heads#0](heads)"
    found = [outcome.number for outcome in told(COIN + asked)[2:]]
    assert found == [1, 0.5]


def test_at_the_prompt_an_action_is_typed_done_and_taken_back() -> None:
    typed = f"{COIN}do peek(ann)\ntrue? K[ann] heads\nundo\nundo\ntrue? K[ann] heads\n"
    typed += "plan: look(ann)\ngoal? heads\nundo\nundo\ngoal? heads\nexpect ~heads\n"
    run = CliRunner().invoke(group, ["check", "-"], input=typed)
    said = [line for line in run.output.splitlines() if "?" in line or "expect" in line]
    assert said == [
        "yes  true? K[ann] heads",
        "taken back: true? K[ann] heads",
        "no  true? K[ann] heads",
        "no  goal? heads",
        "taken back: goal? heads",
        "yes  goal? heads",
        "not as expected  expect ~heads",
    ]
    assert run.exit_code == 1


def test_a_model_after_actions_is_exported(tmp_path: Path) -> None:
    file = tmp_path / "coin.skp"
    file.write_text(f"{COIN}do peek(ann)\nplan: turn\n")
    arguments = ["export", str(file), "K[ann] heads", "--at", "1", "--format", "qdimacs"]
    run = CliRunner().invoke(group, arguments)
    assert run.exit_code == 0
    assert "p cnf" in run.output
