"""Content of reports: verdicts on published figures, comparisons and pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec import structs

from symkripke import experiments
from symkripke.cli import group
from symkripke.experiments import ExperimentError, parse
from symkripke.experiments.estimates import Estimate, apart, published_interval
from symkripke.experiments.experiment import STANDARD, Published
from symkripke.experiments.pages import pages
from symkripke.experiments.report import Judgement, Report, agreement, report
from symkripke.experiments.rows import Rows
from symkripke.experiments.running import folder_of, run
from symkripke.experiments.summary import compared_in_short, compared_on, comparison_verdict
from symkripke.play import game
from symkripke.play.runs.measures import measures

TEXT = """\
title = "Who loses?"
question = "Does knowledge help?"
game = "old_maid"
rules = "study"
players = 3
seed = 4
games = 12
rotate = true
fill = "random"
figures = ["losses", "wins", "turns"]

[[condition]]
name = "{mind} among three"
minds = ["{mind}"]
[condition.each]
mind = ["logic", "epistemic", "random"]

[[condition]]
name = "four players"
players = 4
games = 5
minds = ["logic"]

[[condition]]
name = "five ranks"
options = { ranks = 5 }
games = 7
minds = ["logic"]

[[compare]]
figure = "losses"
first = ["epistemic among three", "epistemic"]
second = ["random among three", "random"]

[[compare]]
figure = "losses"
first = ["logic among three", "logic"]
second = ["logic among three", "random"]

[[compare]]
figure = "losses"
first = ["logic among three", "logic"]
second = ["five ranks", "logic"]
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return the report of these games."""
    folder = tmp_path_factory.mktemp("played")
    experiment = parse(TEXT, "who")
    run(experiment, folder, workers=1)
    return report(experiment, folder)


def _published(value: float, games: int | None, matters: float = 0.05) -> Published:
    return Published(
        condition="a",
        figure="wins",
        mind="b",
        value=value,
        games=games,
        matters=matters,
        source="a study",
        origin="page",
    )


@pytest.mark.parametrize(
    ("ours", "published", "judgement"),
    [
        (Estimate(0.318, 0.312, 0.324, 25000), _published(0.317, 25000), "reproduced"),
        (Estimate(0.318, 0.312, 0.324, 25000), _published(0.345, 25000), "differs, by less"),
        (Estimate(0.318, 0.312, 0.324, 25000), _published(0.37, 25000), "not reproduced"),
        # Without a number of games, nothing is known about the error of the published figure.
        (Estimate(0.318, 0.312, 0.324, 25000), _published(0.318, None), "near"),
        (Estimate(0.318, 0.312, 0.324, 25000), _published(0.345, None), "near"),
        (Estimate(0.318, 0.312, 0.324, 25000), _published(0.38, None), "far"),
        # A published result of 8 out of 8 is compatible with two thirds, however many games we
        # play.
        (Estimate(1.0, 0.998, 1.0, 2000), _published(1.0, 8), "too few games to tell"),
        # Our result of 8 out of 8 is compatible with any nearby published figure.
        (Estimate(1.0, 0.676, 1.0, 8), _published(0.99, None), "too few games to tell"),
        # The study itself states the difference that matters.
        (Estimate(0.318, 0.312, 0.324, 25000), _published(0.317, 25000, 0.005), "too few"),
        (Estimate(None, None, None, 0), _published(0.5, 100), "not played yet"),
    ],
)
def test_a_published_figure_is_judged(
    ours: Estimate, published: Published, judgement: Judgement
) -> None:
    found = agreement(ours, published, STANDARD["wins"])
    assert found.judgement.startswith(judgement)


def test_a_difference_of_two_shares_has_newcombes_interval() -> None:
    from statsmodels.stats.proportion import confint_proportions_2indep

    first = published_interval(56 / 70, 70, share=True)
    second = published_interval(48 / 80, 80, share=True)
    value, low, high = apart(first, second)
    assert value == pytest.approx(0.2)
    assert (low, high) == pytest.approx(confint_proportions_2indep(56, 70, 48, 80), abs=1e-3)


def test_a_replaced_mind_is_compared_in_the_same_seat(played: Report) -> None:
    instead, table, other = played.compared
    assert (instead.same_seats, compared_on(instead).count("12")) == (True, 1)
    assert (table.same_seats, table.same_games) == (False, True)
    assert other.result is not None
    assert not other.result.paired
    assert "12 and 7" in compared_on(other)
    assert '"logic among three"' in compared_in_short(table)


def test_a_comparison_with_a_fixed_value(tmp_path: Path) -> None:
    asked = '[[compare]]\nfigure = "losses"\nfirst = ["logic among three", "logic"]\n'
    asked += "against = 0.3\nequivalent = 0.05\n"
    experiment = parse(TEXT + asked, "who")
    run(experiment, tmp_path, workers=1)
    *_, fixed = report(experiment, tmp_path).compared
    assert fixed.result is not None
    assert fixed.result.value == pytest.approx(fixed.result.first - 0.3)
    assert "against 30.00%" in compared_in_short(fixed)
    assert comparison_verdict(fixed).startswith("neither a difference nor equivalence within 5")
    with pytest.raises(ExperimentError, match="expected either 'second' or 'against'"):
        parse(TEXT + asked.replace("against = 0.3\n", ""), "who")


@pytest.mark.parametrize(
    ("p", "p_apart", "verdict"),
    [
        (0.2, 0.01, "equivalent within 5 points (90% interval -1 to +2, p = 0.0100)"),
        (0.01, 0.01, "differs, by less than what matters: equivalent within 5 points"),
        (0.01, 0.2, "a difference is shown, and no equivalence within 5 points"),
        (0.2, 0.2, "neither a difference nor equivalence within 5 points"),
        (0.01, None, "a difference is shown"),
        (0.2, None, "no difference is shown"),
    ],
)
def test_a_comparison_is_judged(
    played: Report, p: float, p_apart: float | None, verdict: str
) -> None:
    compared = played.compared[0]
    assert compared.result is not None
    asked = structs.replace(compared.asked, equivalent=None if p_apart is None else 0.05)
    result = replace(compared.result, inner=(-0.01, 0.02))
    judged = replace(compared, asked=asked, result=result, p=p, p_apart=p_apart)
    assert comparison_verdict(judged).startswith(verdict)


def test_a_single_game_is_too_few(tmp_path: Path) -> None:
    experiment = parse(TEXT, "who", games=1)
    run(experiment, tmp_path, workers=1)
    for compared in report(experiment, tmp_path).compared:
        assert "too few games" in compared_in_short(compared)


def test_a_page_gives_the_command_to_replay_a_game(played: Report) -> None:
    assert "experiment replay who 'logic among three' 0" in pages(played, "make")["report.md"]


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["experiment", *arguments])


def test_show_prints_the_whole_study(tmp_path: Path) -> None:
    stop = '[stop]\nrule = "interval"\nfigure = "losses"\nmind = "logic"\nwidth = 0.1\n'
    published = (
        '[[published]]\ncondition = "five ranks"\nfigure = "losses"\nmind = "logic"\n'
        'value = 0.3\ngames = 50\nsource = "a study"\norigin = "plot"\n'
    )
    sizes = 'sizes = "Fixed before any game: a power of 80%."\n'
    (tmp_path / "who.toml").write_text(f"{sizes}{TEXT}\n{stop}\n{published}", encoding="utf-8")
    shown = _run("show", str(tmp_path / "who.toml"))
    assert shown.exit_code == 0, shown.output
    said = " ".join(shown.output.split())
    assert "How the sizes were fixed: Fixed before any game: a power of 80%." in said
    for fact in (
        "ranks=5",
        "95% interval of 'losses' of logic",
        "30% in 50 games (a study; read by eye",
    ):
        assert fact in said


def test_losses_of_the_seats_add_up_to_the_losses_of_a_game(tmp_path: Path) -> None:
    seats = ("losses-seat-1", "losses-seat-2", "losses-seat-3")
    text = TEXT[: TEXT.index("[[condition]]")].replace('"losses", "wins"', f"{[*seats]}"[1:-1])
    text += '[[condition]]\nname = "logic"\nminds = ["logic"]\nrotate = false\n'
    study = parse(text, "seats")
    run(study, tmp_path, workers=1)
    (condition,) = study.conditions
    rows = Rows(condition, folder_of(tmp_path, condition))
    lost = {
        (mind, seat): rows.ratio(STANDARD[seat], mind).of.tolist()
        for mind in ("logic", "random")
        for seat in seats
    }
    assert lost["logic", seats[1]] == [0] * 12
    assert [sum(game) for game in zip(*lost.values(), strict=True)] == [1] * 12


def test_a_game_of_a_study_is_replayed(tmp_path: Path) -> None:
    (tmp_path / "who.toml").write_text(TEXT, encoding="utf-8")
    study = str(tmp_path / "who.toml")
    shown = _run("replay", study, "five ranks", "1", "--brief")
    assert shown.exit_code == 0, shown.output
    assert "--seed 4000001 --minds random,random,logic" in shown.output
    assert _run("replay", study, "five ranks", "4000001", "--brief").output == shown.output
    wrong = _run("replay", study, "five rank", "1")
    assert wrong.exit_code != 0
    assert "did you mean 'five ranks'" in wrong.output
    assert "4999999" in _run("replay", study, "five ranks", "5000001").output


def test_all_games_can_be_played_without_stopping_early(tmp_path: Path) -> None:
    stop = '[stop]\nrule = "interval"\nfigure = "losses"\nmind = "logic"\nwidth = 0.1\n'
    (tmp_path / "who.toml").write_text(f"{TEXT}\n{stop}", encoding="utf-8")
    command = ("run", str(tmp_path / "who.toml"), "--out", str(tmp_path / "out"), "--no-report")
    done = _run(*command, "--games", "3", "--workers", "1")
    assert "all played; the interval is " in done.output
    (line,) = re.findall(r"five ranks .*", done.output)
    assert "enough" not in line


def test_the_page_names_all_figures_of_all_measures() -> None:
    """Figures that differ only in a number count as one."""
    page = (Path(experiments.__file__).parent / "README.md").read_text(encoding="utf-8")
    for name in ("cluedo", "hanabi", "kwartet", "old_maid", "perudo", "sleuth"):
        for measure in measures(game(name)).values():
            (row,) = re.findall(rf"^\|[^|]*`{measure.name}`[^|]*\|.*$", page, re.MULTILINE)
            for figure in measure.figures:
                pattern = re.sub(r"\d+", r"\\d+", f"`{figure}`")
                assert re.search(pattern, row), (measure.name, figure)
