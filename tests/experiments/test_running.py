"""Running experiments: the rows are the same however the games are run, and whatever stops them."""

from __future__ import annotations

import json
import logging
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars
import pytest
from scipy import stats

from symkripke.errors import InputError, LogError, SymkripkeError
from symkripke.experiments import Experiment, parse
from symkripke.experiments.pages import write_all
from symkripke.experiments.report import report, report_data
from symkripke.experiments.rows import Rows
from symkripke.experiments.running import _is_news, folder_of, kept, run, status, times
from symkripke.experiments.summary import compared_in_short
from symkripke.play.runs.run_folder import UNFINISHED

TEXT = """\
title = "Who loses?"
question = "Does knowledge help?"
game = "old_maid"
rules = "study"
players = 3
seed = 4
games = 12
rotate = true
curve = true
figures = ["losses", "kind-wins", "turns"]

[[condition]]
name = "logic against random"
minds = ["logic", "random*2"]

[[condition]]
name = "all random"
minds = ["random*3"]
games = 20

[[published]]
condition = "logic against random"
figure = "losses"
mind = "logic"
value = 0.325
games = 25000
source = "a study"
origin = "page"

[[published_curve]]
condition = "all random"
mind = "random"
values = [3, 2]
source = "a study"
origin = "page"

[[compare]]
figure = "turns"
first = ["logic against random"]
second = ["all random"]
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the experiment, run without interruption by one worker."""
    folder = tmp_path_factory.mktemp("whole")
    run(parse(TEXT, "who"), folder, workers=1)
    return folder


def rows(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files of the games."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted((folder / "conditions").rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def games(experiment: Experiment, folder: Path) -> list[int]:
    return [len(Rows(each, folder_of(folder, each))) for each in experiment.conditions]


def test_all_games_are_played_once(whole: Path) -> None:
    experiment = parse(TEXT, "who")
    assert games(experiment, whole) == [12, 20]
    assert all(standing.enough for standing in status(experiment, whole))
    assert kept(whole).question == experiment.question
    told_games: list[int] = []
    run(experiment, whole, workers=1, tell=lambda _, games, most: told_games.append(games))
    assert told_games == [12, 20]
    spent = times(whole)["logic against random"]
    assert spent.games == 12
    assert spent.thought["logic"][0] > 0


def test_the_curve_has_the_running_games_and_all_games(whole: Path) -> None:
    """All random players are one kind. The expected values are computed event by event."""
    condition = parse(TEXT, "who").conditions[1]
    place = folder_of(whole, condition)
    ends = dict(polars.read_parquet(place / "games.parquet").select("game", "turns").rows())
    events = polars.read_parquet(place / "events.parquet").sort("game", "event")
    rows = events.group_by("game", "event", "turn", maintain_order=True).agg(polars.mean("open"))
    (points,) = Rows(condition, place).curve().values()
    for point in points:
        running: dict[int, float] = {}
        solved: dict[int, float] = {}
        for game, _, turn, left in rows.rows():
            if turn == point.turn:
                running[game] = left
            if turn <= point.turn:
                solved[game] = min(left, 1) if ends[game] < point.turn else left
        assert (point.games, len(solved)) == (len(running), 20)
        for values, mean, error in (
            (list(running.values()), point.mean, point.error),
            (list(solved.values()), point.solved, point.solved_error),
        ):
            assert mean == pytest.approx(sum(values) / len(values))
            if len(values) > 1:
                assert error == pytest.approx(stats.sem(values))
    assert points[-1].games < 20


def test_two_workers_make_the_same_rows(whole: Path, tmp_path: Path) -> None:
    run(parse(TEXT, "who"), tmp_path, workers=2)
    assert rows(tmp_path) == rows(whole)


def test_more_games_keep_the_earlier_ones(whole: Path, tmp_path: Path) -> None:
    run(parse(TEXT.replace("games = 12", "games = 5"), "who", games=5), tmp_path, workers=1)
    before = [path for path in tmp_path.rglob("games.parquet")]
    assert len(before) == 2
    run(parse(TEXT, "who"), tmp_path, workers=1)
    assert rows(tmp_path) == rows(whole)
    # Twelve games of the first condition were played in total, five of them in the first run.
    assert times(tmp_path)["logic against random"].games == 12


def test_damaged_files_of_an_experiment(whole: Path, tmp_path: Path) -> None:
    """Unreadable lines about times are skipped; any other damage is an error."""
    folder = tmp_path / "copy"
    shutil.copytree(whole, folder)
    before = times(folder)
    with (folder / "times.jsonl").open("ab") as file:
        file.write(
            b'\xff\n{"condition":[]}\n' + b"[" * 100_000 + b'\n{"condition":"a","games":"1"}'
        )
    assert times(folder) == before
    experiment = parse(TEXT, "who")
    rows_file = next(folder.rglob("games.parquet"))
    content = rows_file.read_bytes()
    rows_file.write_bytes(content[:99] + bytes([content[99] ^ 1]) + content[100:])
    with pytest.raises(LogError, match=r"games\.parquet was damaged"):
        status(experiment, folder)
    (folder / "order.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(LogError, match=r"order\.json: "):
        kept(folder)


def test_a_folder_with_another_experiment_is_refused(whole: Path) -> None:
    other = parse(TEXT.replace("Who loses?", "Who wins?"), "who")
    with pytest.raises(InputError, match="holds another experiment"):
        run(other, whole, workers=1)
    with pytest.raises(InputError, match="seed is 4, expected 5"):
        run(parse(TEXT.replace("seed = 4", "seed = 5"), "who"), whole, workers=1)


_KILLED = """\
import os, sys
from pathlib import Path
from symkripke.experiments import read
from symkripke.experiments.running import run

games = iter(range(int(sys.argv[3])))
run(read(Path(sys.argv[1])), Path(sys.argv[2]), workers=1,
    tell=lambda *_: next(games, None) is None and os._exit(9))
"""


def test_a_killed_experiment_can_be_resumed(whole: Path, tmp_path: Path) -> None:
    """After two kills and a resumption, the rows are the same as without interruption."""
    file, out = tmp_path / "who.toml", tmp_path / "out"
    file.write_text(TEXT, encoding="utf-8")
    for games in ("3", "11"):
        words = [sys.executable, "-c", _KILLED, str(file), str(out), games]
        assert subprocess.run(words, check=False).returncode == 9
    run(parse(TEXT, "who"), out, workers=1)
    assert rows(out) == rows(whole)


def test_ctrl_c_keeps_finished_games(tmp_path: Path) -> None:
    """The test sends the interrupt after the third game."""
    seen: list[int] = []

    def tell(_: object, done: int, most: int) -> None:
        seen.append(done)
        if done == 3:
            signal.raise_signal(signal.SIGINT)

    experiment = parse(TEXT, "who")
    # Background processes, from which the tests may be started, ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        ended = run(experiment, tmp_path, workers=1, tell=tell)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.signal == signal.SIGINT
    assert 3 <= ended.standings[0].games < 12
    assert not ended.standings[0].enough


def test_failed_games_are_recorded_with_their_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from symkripke_games.old_maid.players import Logic

    choose = Logic.choose
    calls = [0]

    def failing(self: Logic, view: Any) -> Any:
        calls[0] += 1
        if calls[0] % 7 == 0:
            raise RuntimeError("no idea")
        return choose(self, view)

    monkeypatch.setattr(Logic, "choose", failing)
    experiment = parse(TEXT, "who")
    run(experiment, tmp_path, workers=1)
    found = report(experiment, tmp_path)
    faults = found.parts[0].faults
    assert faults
    assert all("no idea" in fault and seed == 4_000_000 + number for number, seed, fault in faults)
    assert found.parts[0].games == 12
    losses = next(line for line in found.parts[0].lines if line.name == "losses")
    assert losses.result.games == 12 - len(faults)
    # Resumed games have the same rows.
    run(parse(TEXT.replace("games = 12", "games = 13"), "who"), tmp_path, workers=1)


def test_a_stopping_rule_is_obeyed(tmp_path: Path) -> None:
    stop = '[stop]\nrule = "interval"\nfigure = "turns"\nwidth = 3\nevery = 4\n'
    text = TEXT.replace("games = 20", "games = 400").replace(
        "[[published]]", f"{stop}\n[[published]]", 1
    )
    experiment = parse(text, "who")
    standings = run(experiment, tmp_path, workers=1).standings
    assert standings[1].enough
    assert standings[1].games < 400
    assert standings[1].games % 4 == 0
    # A narrower interval needs more games, and keeps the existing ones.
    before = standings[1].games
    narrower = parse(text.replace("width = 3", "width = 1.5"), "who")
    assert run(narrower, tmp_path, workers=1).standings[1].games > before


def test_a_report_contains_the_results(whole: Path, tmp_path: Path) -> None:
    experiment = parse(TEXT, "who")
    found = report(experiment, whole)
    data = report_data(found)
    assert data["complete"]
    assert data["games"] == 32
    won = Rows(experiment.conditions[0], folder_of(whole, experiment.conditions[0])).won
    # The expected number of losses of `logic` is computed by hand, for games with a winner.
    losses = next(each for each in data["conditions"][0]["figures"] if each["figure"] == "losses")
    lost = sum(not won[game, (3 - game % 3) % 3] for game in range(12))
    assert losses["mind"] == "logic"
    assert losses["value"] == pytest.approx(lost / 12)
    write_all(found, tmp_path, "make the rows")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "make the rows" in page
    assert "32.50%" in page
    assert set(re.findall(r"https?://[\w.]+", page)) <= {"http://www.w3.org"}
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8")) == data


def test_two_reports_are_the_same(whole: Path, tmp_path: Path) -> None:
    experiment = parse(TEXT, "who")
    for name in ("one", "two"):
        write_all(report(experiment, whole), tmp_path / name, "x")
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two


def test_the_report_begins_with_the_written_answer(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(whole, folder)
    (folder / "answer.md").write_text("It does:\nless often.\n\nBy little.\n", encoding="utf-8")
    found = report(parse(TEXT, "who"), folder)
    assert found.answer == ("It does: less often.", "By little.")
    write_all(found, tmp_path / "pages", "x")
    assert "less often.\n\nBy little." in (tmp_path / "pages" / "report.md").read_text("utf-8")
    (folder / "answer.md").write_bytes(b"\xff")
    with pytest.raises(LogError, match=r"cannot read .*answer\.md"):
        report(parse(TEXT, "who"), folder)


def test_deals_do_not_depend_on_unrelated_options(tmp_path: Path) -> None:
    text = """\
title = "Same deals?"
question = "Who may be drawn from?"
game = "old_maid"
players = 3
seed = 4
games = 4
[[condition]]
name = "chosen"
options = { choose = true }
minds = ["random*3"]
[[condition]]
name = "the neighbour"
options = { choose = false }
minds = ["random*3"]
[[condition]]
name = "small deck"
rules = "study"
minds = ["random*3"]
[[compare]]
figure = "turns"
first = ["chosen"]
second = ["the neighbour"]
[[compare]]
figure = "turns"
first = ["chosen"]
second = ["small deck"]
"""
    experiment = parse(text, "same")
    run(experiment, tmp_path, workers=1)
    same, other = report_data(report(experiment, tmp_path))["comparisons"]
    assert same["paired"]
    assert same["saved"] is not None
    assert not other["paired"]


def test_the_deal_is_the_unit_if_each_deal_is_played_for_every_shift(tmp_path: Path) -> None:
    text = """\
title = "Deals"
question = "Who wins?"
game = "kwartet"
rules = "study"
players = 3
games = 36
rotate = "deals"
figures = ["wins"]
[[condition]]
name = "{mind}"
minds = ["{mind}", "random*2"]
each = { mind = ["first-order", "second-order"] }
[[compare]]
figure = "wins"
first = ["first-order", "first-order"]
second = ["second-order", "second-order"]
"""
    experiment = parse(text, "deals")
    run(experiment, tmp_path, workers=1)
    first, other = (Rows(each, folder_of(tmp_path, each)) for each in experiment.conditions)
    figure = experiment.figures["wins"]
    wins = first.ratio(figure, "first-order")
    seats = [minds.index("first-order") for minds in first.minds.tolist()]
    games = [bool(first.won[game][seat]) for game, seat in enumerate(seats)]
    assert wins.of.tolist() == [sum(games[3 * deal : 3 * deal + 3]) for deal in range(12)]
    assert set(wins.games) == {3}
    (compared,) = report(experiment, tmp_path).compared
    result = compared.result
    assert result is not None
    assert (result.deals, result.games, compared.same_seats) == (12, 36, True)
    gaps = (wins.of - other.ratio(figure, "second-order").of) / 3
    assert result.value == pytest.approx(gaps.mean())
    half = stats.t.ppf(0.975, 11) * gaps.std(ddof=1) / 12**0.5
    assert (result.low, result.high) == pytest.approx((gaps.mean() - half, gaps.mean() + half))
    assert "on the same 12 deals (36 games), in the same seats" in compared_in_short(compared)


def test_ties_can_be_divided_or_given_to_the_last_seat(tmp_path: Path) -> None:
    text = """\
title = "Ties"
question = "Who wins?"
game = "kwartet"
rules = "study"
players = 3
seed = 8
games = 12
rotate = true
figures = ["wins", "wins-divided", "wins-of-last"]
[[condition]]
name = "mixed"
minds = ["random", "first-order*2"]
"""
    experiment = parse(text, "ties")
    run(experiment, tmp_path, workers=1)
    (condition,) = experiment.conditions
    games = Rows(condition, folder_of(tmp_path, condition))
    for mind in ("random", "first-order"):
        won = dict.fromkeys(("wins", "wins-divided", "wins-of-last"), 0.0)
        sat = 0
        for number in range(12):
            winners = [seat for seat in range(3) if games.won[number, seat]]
            for seat, other in enumerate(condition.plan.minds_of(number)):
                if other == mind:
                    sat += 1
                    won["wins"] += seat in winners
                    won["wins-divided"] += (seat in winners) / len(winners)
                    won["wins-of-last"] += seat == winners[-1]
        for name, number_won in won.items():
            ratio = games.ratio(experiment.figures[name], mind)
            assert ratio.of.sum() / ratio.per.sum() == pytest.approx(number_won / sat), name
    assert games.won.sum() > 12  # there were ties


def test_nothing_can_be_played_or_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(LogError, match="cannot read"):
        run(parse(TEXT, "who"), tmp_path / "file", workers=1)
    with pytest.raises(InputError, match="nothing has been played"):
        report(parse(TEXT, "who"), tmp_path)
    pytest.importorskip("distributed")
    with pytest.raises(SymkripkeError, match="scheduler"):
        run(parse(TEXT, "who"), tmp_path, scheduler="nonsense://x")


def test_workers_of_a_cluster_make_the_same_rows(whole: Path, tmp_path: Path) -> None:
    """The local cluster has two processes, one of which is killed during the run."""
    distributed = pytest.importorskip("distributed")
    experiment = parse(TEXT, "who")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        killed: list[int] = []

        def tell(_: object, done: int, most: int) -> None:
            if done >= 2 and not killed:
                killed.append(done)
                next(iter(cluster.workers.values())).process.process._process.kill()

        run(experiment, tmp_path, scheduler=cluster.scheduler_address, tell=tell)
    assert killed
    assert rows(tmp_path) == rows(whole)
    assert not list(tmp_path.rglob(UNFINISHED))


def test_a_cancelled_result_is_not_logged() -> None:
    """Dask logs a traceback if Ctrl-C arrives while a result is being transferred."""
    from distributed.client import FutureCancelledError

    heard = logging.getLogger("tornado.application")
    for error, news in ((FutureCancelledError("key", "reason"), False), (ValueError(), True)):
        record = heard.makeRecord(
            heard.name,
            logging.ERROR,
            "",
            0,
            "Exception in callback",
            (),
            (type(error), error, None),
        )
        assert _is_news(record) is news
