"""Action blocks in problem files, actions that are done, and plans."""

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
from tests.support.story_check import compare

ROOM = """\
let cards = {ace, king}
agents anna, bert
fluent p, near(a) for a in agents
fluent holds(c) in agents for c in cards
actual p, near(anna), holds(c) = anna for c in cards
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
action ask: looks(bob) := K[ann] heads
  bob sees which
"""

TOSS = """\
agents a, b
fluent p
actual p
action toss:
  event yes: p := true
  event no: p := false
  a sees which
  b sees that
"""


def told(text: str) -> list[Outcome]:
    return list(check(read(text)))


def answers(text: str) -> list[bool]:
    return [bool(outcome.answer) for outcome in told(text) if outcome.answer is not None]


def checked(text: str, *arguments: str, path: Path) -> str:
    file = path / "story.skp"
    file.write_text(text)
    return CliRunner().invoke(group, ["check", str(file), *arguments]).output


def done(text: str) -> Doing:
    (step,) = [step for step in read(f"{ROOM}{text}").steps if isinstance(step, Doing)]
    return step


# ---- parsing ----------------------------------------------------------------------------------


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
    assert (action.actual, action.rank, action.name) == (("ace",), 4, "show(anna, bert)")
    assert str(action.source) == "anna shows bert a card"
    assert [how for _, how in action.sees["anna"]] == [WHICH]
    assert [how for _, how in action.sees["bert"]] == [that(["ace", "other(king)"]), NOTHING]
    assert action.otherwise == NOTHING


@pytest.mark.parametrize(
    ("seen", "anna", "bert", "otherwise"),
    [
        ("everybody sees that", ["that"], ["that"], "nothing"),
        ("anna sees which when p\n  others see that", ["which", "that"], ["that"], "that"),
        ("anna sees which\n  others see that when p", ["which"], ["that", "nothing"], "nothing"),
    ],
)
def test_others_are_all_agents_that_are_not_named_or_do_not_see(
    seen: str, anna: list[str], bert: list[str], otherwise: str
) -> None:
    action = done(f"action leave when near(anna): near(anna) := false\n  {seen}\ndo leave").action
    assert [event.name for event in action.events] == ["leave"]
    assert action.rank == ABOVE_ALL
    assert [how.kind for _, how in action.cases("anna")] == anna
    assert [how.kind for _, how in action.cases("bert")] == bert
    assert action.otherwise.kind == otherwise


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
    with pytest.raises(ImpossibleStep, match="in its domain where n = 37"):
        told(f"{text}do add(4)")


# ---- effects ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_files_agree_with_the_oracle(seed: int) -> None:
    """Random files have announcements, changes, actions, plans, beliefs and questions."""
    assert not compare(500 + seed, written=True, engines=("auto",)).faults


def test_probabilities_are_shares_of_the_most_plausible_worlds() -> None:
    asked = "do peek(ann)\nhow? P[bob](Kw[ann] heads)\nhow? P[bob](heads)\nentropy? bob: heads"
    assert [outcome.number for outcome in told(COIN + asked)[2:]] == [0, 0.5, 1.0]
    asked = "do turn\nhow? P[bob](heads = heads#0)\nhow? P[bob | heads != heads#0](heads)"
    assert [outcome.number for outcome in told(COIN + asked)[2:]] == [1, 0.5]


def test_an_action_with_several_possible_events_leaves_several_actual_worlds() -> None:
    asked = "do toss\ntrue? Kw[a] p\ntrue? p\ntrue? ~p\ntrue? K[b] Kw[a] p"
    assert answers(TOSS + asked) == [True, False, False, True]
    assert answers(f"{TOSS}do toss: no\ntrue? ~p\ntrue? K[a] ~p") == [True, True]
    with pytest.raises(ProblemError, match="several actual worlds"):
        told(f"{TOSS}do toss\nknows? a")


def test_a_description_of_worlds_does_not_name_events() -> None:
    actions = "action flip: p := ~p\n  b notices nothing\naction look when q: a sees which\n"
    text = f"agents a, b\nfluent p, q\nb sees p\n{actions}"
    asked = "do flip\nwhere? B[b] p\n" * 3 + "do look\nwhere? K[a] q\n"
    said = [outcome.where.says for outcome in told(text + asked) if outcome.where]
    # Where q is true, a knows it only if the look happened, which no fluent of the file says.
    assert [says and str(says) for says in said] == [*["p#0"] * 3, None]


def test_a_set_of_actual_worlds() -> None:
    text = "agents a, b\nfluent p, q\na sees p\nlaw p | q\nactual where p\n"
    asked = "true? p\ntrue? q\ntrue? Kw[a] p\nannounce p\ntrue? K[b] p\nannounce whether K[b] p\n"
    assert answers(text + asked) == [True, False, True, True]
    for step in ("announce q", "announce whether q"):
        with pytest.raises(ImpossibleStep, match="actual world"):
            told(f"{text}{step}")
    with pytest.raises(ProblemError, match="none of the actual worlds"):
        told(f"{text.replace('where p', 'where ~p & ~q')}true? p")


# ---- plans ------------------------------------------------------------------------------------


def test_the_latest_plan_decides_whether_a_goal_is_reached() -> None:
    """A plan ends before the first impossible action, and does not change the facts permanently."""
    text = f"{COIN}plan: turn, look(ann), peek(ann)\ngoal? ~heads\ntrue? ~heads\n"
    problem = read(f"{text}plan: peek(ann)\ngoal? K[ann] ~heads\n")
    _, plan, goal, after, passed, reached = check(problem)
    assert plan.verdict == "stops at look(ann)"
    one, two = (line.text for line in details(problem, plan, why=False))
    assert one == "1. turn  now 16 worlds"
    assert two.startswith("2. look(ann) cannot be done: it needs ~looks(ann)")
    (because,) = (line.text for line in details(problem, goal, why=False))
    assert "line 15" in because
    assert [o.verdict for o in (goal, after, passed, reached)] == ["no", "yes", "done", "yes"]


def test_an_error_within_a_plan_leaves_the_run_unchanged() -> None:
    common = "action meet when CB[ann, bob] heads#0:\n  everybody sees which\n"
    problem = read(f"{COIN}{common}plan: turn, meet\n")
    run = Run(problem, engine("smt"))
    run.beginning()
    before = run.now
    with pytest.raises(Unsupported):
        run.take(problem.steps[-1])
    assert run.now == before


# ---- output -----------------------------------------------------------------------------------


def test_reasons_speak_of_actions(tmp_path: Path) -> None:
    asked = "true? K[ann] heads#0\ntrue? B[bob] ~heads\n"
    found = checked(f"{COIN}do peek(ann)\ndo look(bob)\ndo turn\n{asked}", "--why", path=tmp_path)
    assert "the event of peek(ann) was heads (line 15: do peek(ann))" in found
    assert "event(" not in found
    assert "signal(" not in found


def test_traces_of_actions_have_different_words() -> None:
    """Traces are the event, each agent's signal and earlier values, for an action done twice."""
    text = (
        "agents ann, bob\nfluent p, q\nactual p, q\naction draw:\n  event ace\n  event king\n"
        "  event ten\n  ann sees that {ace, king}, {ten} when p\n  ann sees that when q\n"
        "  bob sees which when K[ann] q\ndo draw: ace\ndo draw: ace\n"
    )
    structure = told(text)[-1].structure
    words = Written(read(text), structure).words
    fluents = structure.vocabulary.fluents
    traces = [atom for name in structure.history.traces.auxiliary for atom in fluents[name].atoms]
    assert len(traces) > 20
    assert len({words(atom, truth) for atom in traces for truth in (True, False)}) == 2 * len(
        traces
    )


def test_reasons_name_the_unnoticed_steps_of_a_plan(tmp_path: Path) -> None:
    text = (
        "agents ann, bob, eve\nfluent p\nlaw ~p\nactual ~p\n"
        "action turn(a in agents): p := ~p\n  a sees which\naction wait: everybody sees which\n"
        "plan: wait, turn(bob)\ntrue? B[bob] B[eve] ~p\n"
    )
    found = checked(text, "--why", path=tmp_path)
    assert "eve does not notice: line 8: turn(bob)" in found
    assert "ann does not notice" not in found


@pytest.mark.parametrize("agents", ["sally, anne", "anne, sally"])
def test_the_belief_of_another_rests_on_what_that_agent_missed(agents: str, tmp_path: Path) -> None:
    """This holds even if the agent that knows of the belief could have missed it, and is first."""
    text = (
        f"agents {agents}\nfluent box, inside(a) for a in agents\n"
        "law ~box & inside(anne) & ~inside(sally)\n"
        "actual inside(anne)\naction move: box := ~box\n"
        "  b sees which when inside(b) for b in agents\n"
        "do move\ntrue? K[anne] B[sally] ~box\n"
    )
    found = checked(text, "--why", path=tmp_path)
    assert "sally does not notice" in found
    assert "anne does not notice" not in found


def test_data(tmp_path: Path) -> None:
    text = f"{COIN}do peek(ann)\nplan: turn, look(ann)\ngoal? heads\n"
    acted, plan, goal = json.loads(checked(text, "--json", path=tmp_path))["steps"]
    assert acted == {"line": 15, "kind": "action", "text": "do peek(ann)", "worlds": 16}
    assert plan["kind"] == "plan"
    assert (plan["done"], plan["complete"], plan["stops"]) == (["turn"], False, "look(ann)")
    assert (goal["holds"], goal["stopped"]) == (False, 16)


def test_stories_are_drawn() -> None:
    story = story_of(read(f"{COIN}do peek(ann)\nplan: turn\n"))
    headings = [heading for heading, _ in story.moments]
    assert headings == ["0. at first", "1. do peek(ann)", "2. turn"]
    assert "event(1)" in story.naming.hidden


def test_a_plan_explains_missing_knowledge() -> None:
    more = "action shout when K[bob] heads:\n  everybody sees which\nplan: peek(ann), shout\n"
    problem = read(COIN + more)
    plan = list(check(problem))[-1]
    said = [line.text for line in details(problem, plan, why=False)]
    assert said[1].startswith("2. shout cannot be done: it needs K[bob] heads")
    assert said[2].startswith("bob does not know that heads")


def test_an_action_is_typed_done_and_undone_at_the_prompt() -> None:
    typed = f"{COIN}do peek(ann)\ntrue? K[ann] heads\nundo\nundo\ntrue? K[ann] heads\n"
    typed += "plan: look(ann)\ngoal? heads\nundo\nundo\ngoal? heads\nexpect ~heads\n"
    run = CliRunner().invoke(group, ["check", "-"], input=typed)
    said = [line for line in run.output.splitlines() if "?" in line or "expect" in line]
    assert said == [
        "yes  true? K[ann] heads",
        "removed: true? K[ann] heads",
        "no  true? K[ann] heads",
        "no  goal? heads",
        "removed: goal? heads",
        "yes  goal? heads",
        "not as expected  expect ~heads",
    ]
    assert run.exit_code == 1


def test_a_model_after_actions_is_exported(tmp_path: Path) -> None:
    file = tmp_path / "coin.skp"
    file.write_text(f"{COIN}do peek(ann)\nplan: turn\n")
    arguments = ["export", str(file), "K[ann] heads", "--at", "1", "--format", "qdimacs"]
    assert "p cnf" in CliRunner().invoke(group, arguments).output
