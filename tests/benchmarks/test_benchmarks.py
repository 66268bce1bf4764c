"""Each benchmark at its smallest: it runs, and it fails when an answer is wrong."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from benchmarks import (
    common,
    engines,
    families,
    game,
    growth,
    peers,
    perudo,
    puzzles,
    questions,
    reference,
    rivals,
    sizes,
    smcdel_files,
    study,
    versus_explicit,
    work,
)
from benchmarks.__main__ import main
from benchmarks.common import WrongAnswer
from symkripke.engines import Answer, Mark, Sheet, engine
from symkripke.engines.auto import AutoEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.explain import Fact
from symkripke.language import TRUE, Formula, K, Kw
from symkripke.model import State
from symkripke.problems.checker import check
from symkripke.problems.smcdel.reader import read_smcdel
from symkripke_games.cluedo import GAME

SMALLEST = {
    "versus-explicit": ["--case", "study:2/2/2:2", "--events", "2", "--seconds", "20"],
    "questions": ["--seeds", "1", "--players", "3", "--rounds", "1"],
    "game": ["--seeds", "1", "--players", "3", "--runs", "1"],
    "study": ["--games", "1", "--checked", "1"],
    "counts": ["--seeds", "1", "--players", "3", "--draws", "1000", "--questions", "1"],
    "families": ["--most", "11", "--family", "muddy", "--family", "parity"],
    "engines": ["--only", "whether", "--sizes", "1", "--questions", "0", "--problems", "0"],
    "peers": ["--family", "whether", "--most", "6", "--runs", "1"],
    "work": [],
    "puzzles": ["--most", "3", "--puzzle", "three_hats"],
    "rivals": [
        *("--players", "3", "--events", "4", "--kinds", "1,2"),
        *("--checks", "1", "--engines", "sat,bdd", "--seconds", "2"),
    ],
    "nested": ["--players", "3", "--seeds", "1", "--every", "12", "--checks", "1"],
    "unnoticed": ["--actions", "5", "--public", "5", "--checked", "1"],
    "outliers": ["--game", "sleuth", "--players", "3", "--questions", "4", "--moments", "1"],
    "perudo-questions": ["--players", "2", "--events", "3"],
    "perudo-robin": ["--games", "1", "--players", "2", "--minds", "odds,random"],
    "sleuth": ["--seeds", "1", "--most", "3"],
    "insight": ["--players", "3", "--seeds", "1", "--checks", "1"],
    "growth": [
        "--cards",
        "21",
        "--cards",
        "24",
        "--sample",
        "20",
        "--checked",
        "5",
        "--rounds",
        "1",
    ],
}


def run(name: str, *more: str) -> Result:
    return CliRunner().invoke(main, [name, *SMALLEST[name], *more])


@pytest.mark.parametrize("name", SMALLEST)
def test_runs(name: str, tmp_path: Path) -> None:
    drawn = name in ("versus-explicit", "growth")
    result = run(name, *(["--out", str(tmp_path)] if drawn else []))
    assert result.exit_code == 0, result.output
    assert "checked: " in result.output
    if drawn:
        assert {path.name for path in tmp_path.iterdir()} == {f"{name}.svg", f"{name}.png"}


def test_help_lists_them() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for name in SMALLEST:
        assert name in result.output


@pytest.mark.parametrize("name", ["questions", "growth"])
def test_wrong_sheet_fails(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = SatEngine.sheet

    def wrong(*arguments: Any) -> Sheet:
        sheet = plain(*arguments)
        flipped = Mark.OPEN if sheet.marks[0] is not Mark.OPEN else Mark.YES
        return Sheet(sheet.perspective, sheet.atoms, (flipped, *sheet.marks[1:]))

    monkeypatch.setattr(SatEngine, "sheet", wrong)
    result = run(name, *(["--no-picture"] if name == "growth" else []))
    assert result.exit_code != 0
    assert isinstance(result.exception, WrongAnswer)
    assert "x bare" not in result.output


# Who answers at the size at which others collapse, or shine; at none does it need to be told.
PICKED = {
    "ring": ((16, 0), "sat"),
    "deal": ((8, 3), "sat"),
    "muddy": ((40, 0), "bdd"),
    "dining": ((11, 0), "bdd"),
    "merged": ((40, 0), "bdd"),
    "parity": ((40, 0), "bdd"),
}


@pytest.mark.parametrize("name", families.FAMILIES)
def test_auto_picks_well_in_each_family(name: str) -> None:
    """The answers are checked on the way."""
    (agents, cards), picked = PICKED[name]
    assert families.FAMILIES[name][0](agents, cards, engine()) == picked


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("asked", ["explicit", "sat", "bdd"])
def test_small_members_of_the_families(name: str, asked: str) -> None:
    size = (3, 2) if name == "deal" else (4, 0)
    assert families.FAMILIES[name][0](*size, engine(asked)) == asked


@pytest.mark.parametrize("lie", [K, Kw])
def test_a_wrong_answer_fails_the_families(
    lie: type[Formula], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what somebody knows, and of what somebody knows whether."""
    plain = AutoEngine.holds

    def wrong(asked: AutoEngine, state: State, formula: Formula) -> Answer:
        answer = plain(asked, state, formula)
        truth = bool(answer) ^ isinstance(formula, lie)
        return Answer(truth, answer.formula, answer.engine, answer.why)

    monkeypatch.setattr(AutoEngine, "holds", wrong)
    with pytest.raises(WrongAnswer):
        families.verify(engine())


def test_wrong_counts_fail_the_families(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AutoEngine, "worlds", lambda *_: 1023)
    with pytest.raises(WrongAnswer, match="worlds after 1 rounds: expected 1013, got 1023"):
        families.verify(engine())


def test_a_wrong_answer_fails_the_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(puzzles.ANSWERS, "three_hats", lambda _: [True, False])
    with pytest.raises(WrongAnswer, match="three_hats 3"):
        puzzles.verify("auto")


def test_wrong_counts_fail_the_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(puzzles.WORLDS, ("cheryls_birthday", 0), [10, 5, 2, 1])
    monkeypatch.setattr(puzzles, "SIZES", {"cheryls_birthday": (0,)})
    with pytest.raises(WrongAnswer, match="worlds, got"):
        puzzles.verify("auto")


def test_a_family_without_an_answer_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    found, note = families.row("muddy", (30, 0), "explicit", 1, 60)
    assert found[2:4] == ["-", "-"]
    assert note.startswith("muddy 30: ")
    monkeypatch.setattr(families, "in_child", lambda *_, **__: common.Child(None, 0))
    found, note = families.row("muddy", (30, 0), "sat", 1, 60)
    assert (found[3], note) == ("-", "muddy 30: over 60 s")
    wrong = common.Child({"wrong": "no"}, 0)
    monkeypatch.setattr(families, "in_child", lambda *_, **__: wrong)
    with pytest.raises(WrongAnswer, match="muddy 30: no"):
        families.row("muddy", (30, 0), "sat", 1, 60)


def test_wrong_single_answer_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Evaluator, "_at_perspective", lambda *arguments: True)
    result = run("questions")
    assert isinstance(result.exception, WrongAnswer)


def test_wrong_solutions_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = SatEngine()
    monkeypatch.setattr(asked, "possibilities", lambda *arguments: frozenset())
    with pytest.raises(WrongAnswer, match="solutions differ"):
        study.verify(0, asked)


def test_wrong_number_of_worlds_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versus_explicit, "worlds_at_start", lambda setup: 1)
    result = run("versus-explicit", "--no-picture")
    assert isinstance(result.exception, WrongAnswer)


def sides(**changed: object) -> tuple[versus_explicit.Side, versus_explicit.Side]:
    """Two sides that agree, but for what is changed of the symbolic one."""
    given: dict[str, Any] = {"asked": [(True, False)], "marks": [(Mark.YES, Mark.NO)]}
    return (
        versus_explicit.Side(**{**given, **changed}),
        versus_explicit.Side(**given, worlds=8),
    )


def test_sides_must_agree() -> None:
    case = versus_explicit.Case.of("study:2/2/2:2")
    versus_explicit.verify(case, 0, 2, *sides())
    with pytest.raises(WrongAnswer, match="single question"):
        versus_explicit.verify(case, 0, 2, *sides(asked=[(True, True)]))
    with pytest.raises(WrongAnswer, match="sheets differ"):
        versus_explicit.verify(case, 0, 2, *sides(marks=[(Mark.NO, Mark.NO)]))


def test_where_the_explicit_model_stops_the_reference_checks() -> None:
    case = versus_explicit.Case.of("study:2/2/2:2")
    played = versus_explicit.play_side("sat", case, 3, 2, 60, 1)
    stopped = versus_explicit.play_side("explicit", case, 3, 2, 60, 1)
    assert stopped.stopped == "more than 1 worlds"
    versus_explicit.verify(case, 3, 2, played, stopped)
    flipped = {Mark.YES: Mark.OPEN, Mark.NO: Mark.OPEN, Mark.OPEN: Mark.YES}
    played.marks[-1] = tuple(flipped[mark] for mark in played.marks[-1])
    with pytest.raises(WrongAnswer, match="expected"):
        versus_explicit.verify(case, 3, 2, played, stopped)


def test_an_accusation_too_early_fails() -> None:
    table = common.played(common.setup_of("classic", 3), 0)
    game.verify(table)
    del table.steps[1:-1], table.scenes[2:-1]
    with pytest.raises(WrongAnswer, match="before it could know"):
        game.verify(table)


def test_a_silent_player_that_knew_fails() -> None:
    tables = (common.played(common.setup_of("classic", 3), seed) for seed in range(9))
    # One in which the winner found out by its own suggestion; here it waits a turn.
    table = next(one for one in tables if one.steps[-2].turn == one.steps[-1].turn)
    last = table.steps[-1]
    later = msgspec.structs.replace(last.outcome.public, turn=last.turn + 1)
    table.steps[-1] = replace(last, outcome=replace(last.outcome, public=later))
    with pytest.raises(WrongAnswer, match="and was silent"):
        game.verify(table)


@pytest.mark.parametrize(
    "case", ["study:2/2/2:2", "study:3/3/4:4", "study:3/4/2:3", "classic:3/3/4:3"]
)
def test_closed_forms_count_worlds(case: str) -> None:
    setup = common.setup_of(*versus_explicit.Case.of(case).given)
    structure = GAME.structure(setup)
    assert reference.worlds_at_start(setup) == engine("explicit").worlds(structure)


def test_closed_forms_give_the_published_deals() -> None:
    sizes.verify_worlds()


def test_a_case_that_is_none() -> None:
    result = CliRunner().invoke(main, ["versus-explicit", "--case", "study:2/2/2:9"])
    assert result.exit_code == 2
    assert "too few" in result.output


def test_exponent() -> None:
    sizes = [10, 100, 1000]
    assert math.isclose(common.exponent(sizes, [7 * n**1.5 for n in sizes]), 1.5)
    assert math.isnan(common.exponent([10], [1]))


def test_a_command_that_is_not_there() -> None:
    assert common.run_often(["no-such-command-anywhere"], 1).failure
    assert questions.MINICARD != questions.CADICAL
    assert [len(kind) for kind in growth.large_setup(1000).edition.categories] == [333, 333, 334]


def test_a_child_that_overruns_is_ended() -> None:
    import time

    child = common.in_child(time.sleep, 60, seconds=0.5)
    assert child.result is None


def test_rivals_must_agree_as_far_as_they_came() -> None:
    ours, other = rivals.Row([True, False], [0.5, 0.5]), rivals.Row([True], [4.0], least=9.0)
    rivals.agreed({"sat": ours, "bdd": other, "smt": rivals.Row(least=9.0)}, "here")
    other.answers[0] = False
    with pytest.raises(WrongAnswer, match="here"):
        rivals.agreed({"sat": ours, "bdd": other}, "here")


def test_a_rival_that_was_ended_gives_a_lower_bound() -> None:
    ours = rivals.Row([True, False, True], [0.5, 0.5, 1.0])
    ended, gave_up = rivals.Row([True], [4.0], least=9.0), rivals.Row([True], [4.0], stopped="-")
    assert rivals.over(ended, ours, 1) == rivals.over(gave_up, ours, 1) == (8.0, True)
    # It was ended at its second question: for which ours took one second with the first.
    assert rivals.over(ended, ours, 3) == (9.0, False)
    assert rivals.over(gave_up, ours, 3) is None
    assert [row.told(3) for row in (ours, ended, gave_up)] == ["2 s", "over 9 s", "-"]


def test_a_rival_that_overruns_is_ended_and_goes_on() -> None:
    rival = rivals.Rival("smt", 0.05)
    for _ in range(2):
        assert rival.row((3, 1, 0), 0) == rivals.Row(least=0.05)
    rival.end()


def test_wrong_deals_of_sleuth_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BddEngine, "worlds", lambda *_: 7)
    result = run("sleuth")
    assert isinstance(result.exception, WrongAnswer)
    assert "7 by diagrams" in str(result.exception)


def test_a_wrong_share_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = BddEngine.marginals

    def wrong(*arguments: Any) -> Any:
        shares = dict(plain(*arguments))
        return {atom: share / 2 for atom, share in shares.items()}

    monkeypatch.setattr(BddEngine, "marginals", wrong)
    result = run("counts")
    assert isinstance(result.exception, WrongAnswer)
    assert "add up to 1" in str(result.exception)


def test_wrong_answers_about_dice_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perudo, "binomial", lambda number, share, least: Fraction(1, 2))
    assert isinstance(run("perudo-questions").exception, WrongAnswer)
    monkeypatch.undo()
    monkeypatch.setattr(SatEngine, "holds", lambda *_: _always_yes)
    assert isinstance(run("perudo-questions").exception, WrongAnswer)


_always_yes = Answer(True, TRUE, "sat", lambda: Fact(TRUE, True))


def test_lost_work_is_seen() -> None:
    """Above the table by more than the tolerance; and less is no loss."""
    table = {"calls": 1000, "candidates": 0, "lemmas": 0, "nodes": 100, "work": 5000}
    assert work.lost("a question", table, table) == []
    assert work.lost("a question", {**table, "calls": 1100, "work": 1}, table) == []
    assert work.lost("a question", {**table, "calls": 1200}, table) == [
        "a question: 1,200 calls, in the table 1,000"
    ]


def test_a_smcdel_is_run_and_compared(tmp_path: Path) -> None:
    """A program that prints as SMCDEL does: compared, also where it is wrong or fails."""
    program = tmp_path / "smcdel"
    file = smcdel_files.whether(6)
    for told, right in (("False\nTrue", True), ("True\nTrue", False)):
        program.write_text(f"#!/bin/sh\ncat <<END\nIs it valid?\n{told}\nEND\n")
        program.chmod(0o755)
        arguments = ["peers", *SMALLEST["peers"], "--smcdel", str(program)]
        result = CliRunner().invoke(main, arguments)
        assert isinstance(result.exception, WrongAnswer) is not right
        assert (f"| {file.name}" in result.output) is right
    program.write_text("#!/bin/sh\necho no memory\nexit 2\n")
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert "exit code 2: no memory" in result.output
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    ended = peers.run([str(program)], peers.THEIRS, 0.2)
    assert (ended.answers, ended.failure) == (None, "over 200 ms")


@pytest.mark.parametrize("family", smcdel_files.FAMILIES)
def test_files_have_the_answers_that_are_known(family: str) -> None:
    make, sizes = smcdel_files.FAMILIES[family]
    file = make(sizes[0])
    told = check(read_smcdel(file.text).problem, count=False)
    answers = tuple(bool(step.answer) for step in told if step.answer is not None)
    assert answers == file.answers


def test_the_limit_of_an_answer_waits_for_finalizers() -> None:
    """An error in a finalizer would be ignored."""

    class Long:
        def __del__(self) -> None:
            start = time.process_time()
            while time.process_time() < start + 0.3:
                pass

    def work() -> None:
        Long()
        while True:
            pass

    with pytest.raises(engines.OutOfProcessorTime), engines.processor_time(0.1):
        work()


def test_the_limit_of_an_answer_is_of_processor_time() -> None:
    """To wait costs nothing; the work of a hard question does."""
    with engines.processor_time(0.1):
        time.sleep(0.3)
    file = smcdel_files.what_sum(50).text
    (timed,) = engines.answer_file(file, "sat", 0.3)
    assert timed.answers is None
    assert 0.2 <= timed.seconds < 10  # the timer counts in ticks, and may be early by some
