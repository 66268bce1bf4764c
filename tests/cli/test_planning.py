"""`symkripke plan`, `validate` and `epddl show`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.support import run
from tests.support.epddl import FOLDER

COIN = (FOLDER / "coin.epddl", FOLDER / "coin-heads.epddl")
PLAN = ["uncover_ann", "peek_ann"]


def test_a_plan_is_found_and_validated(tmp_path: Path) -> None:
    found = run("plan", *COIN)
    assert json.loads(found.stdout) == PLAN
    assert "a shortest plan of 2 actions" in found.stderr
    assert "per second" in found.stderr
    plan = tmp_path / "plan.json"
    plan.write_text(found.stdout, encoding="utf-8")
    assert run("validate", *COIN, plan).stdout.endswith("the goal is reached\n")
    picture = tmp_path / "steps.svg"
    run("validate", *COIN, plan, "--draw", picture)
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.count('class="panel"') == 3
    assert drawn.count("peek_ann") > 0
    assert "exists" in run("validate", *COIN, plan, "--draw", picture, code=1).stderr
    explained = run("plan", *COIN, "--why").stdout
    assert "2. peek_ann: now 3 worlds\n   ann believes heads\n" in explained


def test_one_world_is_not_worlds() -> None:
    explained = run("plan", FOLDER / "tower.epddl", FOLDER / "tower-4.epddl", "--why").stdout
    assert "1 world at the beginning\n1. lift_b2_b1_b3: now 1 world\n" in explained


def test_a_plan_that_fails_has_a_reason_and_an_exit_code(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('["peek_ann"]', encoding="utf-8")
    failed = run("validate", *COIN, plan, code=1)
    assert "1. peek_ann cannot be done: sees-heads needs" in failed.stdout
    data = json.loads(run("validate", *COIN, plan, "--json", code=1).stdout)
    assert (data["applicable"], data["goal"]) == (False, False)
    plan.write_text('{"do": 1}', encoding="utf-8")
    assert f"{plan}: expected a plan" in run("validate", *COIN, plan, code=1).stderr
    plan.write_text('["peak_ann"]', encoding="utf-8")
    assert f"{plan}: unknown action 'peak_ann'" in run("validate", *COIN, plan, code=1).stderr


def test_exhausted_states_are_an_exit_code(tmp_path: Path) -> None:
    domain = tmp_path / "coin.epddl"
    text = COIN[0].read_text(encoding="utf-8")
    domain.write_text(text.replace("(holds-cup ?a) (awake ?a)", "(false)"), encoding="utf-8")
    failed = run("plan", domain, COIN[1], code=1)
    assert "no plan: all states are exhausted" in failed.stderr
    assert json.loads(run("plan", domain, COIN[1], "--json", code=1).stdout)["plan"] is None
    assert (
        "no plan: all states are exhausted"
        in run("plan", domain, COIN[1], "--contingent", code=1).stderr
    )


def test_a_limit_is_another_exit_code() -> None:
    gossip = (FOLDER / "gossip.epddl", FOLDER / "gossip-6.epddl")
    assert "no answer within 0 seconds" in run("plan", *gossip, "--seconds", "0", code=3).stderr


def test_ground_tasks_are_written_and_read_as_json(tmp_path: Path) -> None:
    task = tmp_path / "task.json"
    task.write_text(run("epddl", "show", *COIN, "--json").stdout, encoding="utf-8")
    assert json.loads(run("plan", task).stdout) == PLAN
    assert "2 worlds, 1 of them designated" in run("epddl", "show", task).stdout
    paths = {"domain": str(COIN[0]), "problem": str(COIN[1]), "action-type-libraries": []}
    task.write_text(json.dumps(paths), encoding="utf-8")
    assert json.loads(run("plan", task).stdout) == PLAN
    task.write_text("{}", encoding="utf-8")
    problem = f"{task}: not a ground task in plank's JSON: the key 'facts' is missing"
    assert problem in run("plan", task, code=1).stderr


def test_show_tells_what_is_odd(tmp_path: Path) -> None:
    domain = tmp_path / "coin.epddl"
    text = COIN[0].read_text(encoding="utf-8").replace(":ontic-actions", "")
    domain.write_text(text, encoding="utf-8")
    shown = run("epddl", "show", domain)
    assert f"note: {domain}, line 12: this needs :ontic-actions, which the file" in shown.stderr
    assert shown.stdout.startswith("domain coin\n")
    action = run("epddl", "show", *COIN, "--action", "uncover_bob").stdout
    assert "  bob: Fully if true\n" in action
    wrong = run("epddl", "show", *COIN, "--action", "uncover_bo", code=1)
    assert "did you mean 'uncover_bob'" in wrong.stderr
