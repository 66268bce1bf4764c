"""Reading experiment files: their content, and one error with its line for each fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from symkripke.errors import InputError, UnknownName
from symkripke.experiments import ExperimentError, experiment, parse, read, studies
from symkripke.experiments.experiment import UntilDecided, UntilNarrow

WHOLE = """\
title = "Who loses?"
question = "Does knowledge help?"
game = "old_maid"
rules = "study"
players = 3
seed = 4
games = 20
measures = []
figures = ["losses", "turns"]

[[condition]]
name = "{a} against {b}"
minds = ["{a}", "{b}*2"]
different = ["a", "b"]
[condition.each]
a = ["logic", "epistemic"]
b = ["random", "logic"]

[[condition]]
name = "all random"
fill = "random"
rotate = true

[stop]
rule = "interval"
figure = "losses"
mind = "logic"
width = 0.1

[[published]]
condition = "epistemic against logic"
figure = "losses"
mind = "epistemic"
value = 0.345
games = 5000
source = "a study"
origin = "page"

[[compare]]
figure = "losses"
first = ["epistemic against random", "epistemic"]
second = ["logic against random", "logic"]
"""

# The replaced text, the replacement, the line of the fault, and a part of the message.
WRONG = [
    ('title = "Who loses?"', "", 1, "expected 'title', got nothing"),
    ('"Who loses?"', '""', 1, "expected a text that is not empty for 'title'"),
    ('"Who loses?"', "7", 1, "expected a text for 'title', got 7"),
    ("title", "titel", 1, "did you mean 'title'?"),
    ('question = "Does', 'question = "Does\nno', 2, "this is not TOML"),
    ('"old_maid"', '"oldmaid"', 3, "unknown game 'oldmaid'; did you mean 'old_maid'?"),
    ('rules = "study"', 'rules = "studies"', 4, "unknown rule set 'studies'"),
    (
        "players = 3",
        "players = 300",
        5,
        "expected a whole number of at most 100 for 'players', got 300",
    ),
    ("players = 3", "players = 40", 5, "is for 2 to 12 players, got 40"),
    ("players = 3", 'players = "three"', 5, "expected a whole number"),
    ("players = 3", "player = 3", 5, "unknown entry 'player'; did you mean 'players'?"),
    ("seed = 4", "seed = -4", 6, "expected a whole number of at least 0"),
    ("games = 20", "games = 0", 7, "expected a whole number of at least 1"),
    ("measures = []", 'measures = ["nowing"]', 8, "did you mean 'knowing'?"),
    ("measures = []", 'measures = ["given-away", "given-away"]', 8, "is named twice"),
    ("measures = []", 'measures = "knowing"', 8, "expected a list for 'measures'"),
    (
        'figures = ["losses"',
        'figures = ["loses"',
        9,
        "did you mean 'losses'? The figures are wins,",
    ),
    ('figures = ["losses"', 'figures = ["x"', 9, "unknown figure 'x'; expected one of wins,"),
    ('minds = ["{a}", "{b}*2"]', 'minds = ["{a}", "{b}*3"]', 13, "expected 3 minds"),
    ('minds = ["{a}", "{b}*2"]', 'minds = ["{a}", "{c}*2"]', 13, "unknown name of"),
    ('minds = ["{a}", "{b}*2"]', 'minds = ["{a}", "{b}*two"]', 13, "after the *"),
    ('minds = ["{a}", "{b}*2"]', 'minds = ["{a", "{b}*2"]', 13, "names in braces"),
    ('minds = ["{a}", "{b}*2"]', 'minds = ["{a.__class__}", "{b}*2"]', 13, "names in braces"),
    ('minds = ["{a}", "{b}*2"]', "minds = [1, 2]", 13, "expected a text for 'minds'"),
    ('a = ["logic", "epistemic"]', 'a = ["logik"]', 16, "did you mean 'logic'?"),
    ('a = ["logic", "epistemic"]', 'a = [\n  "logic",\n  "epistemik",\n]', 18, "'epistemic'"),
    ('fill = "random"', 'fill = "mine:Mine"', 21, "'mine:Mine': no file can load a class"),
    ('fill = "random"', 'fill = "randon"', 21, "did you mean 'random'?"),
    ("players = 3", 'players = "{number}"', 5, "unknown name of"),
    ('b = ["random", "logic"]', 'b = ["random", "logic"]\nc = [1, {}]', 18, "for 'c', got {}"),
    ('a = ["logic", "epistemic"]', "a = []", 16, "expected a list"),
    ('name = "{a} against {b}"', 'name = "one"', 12, "already exists"),
    ('name = "all random"', 'name = "logic against random"', 20, "already exists (line 11)"),
    ('name = "all random"', 'name = "logic against random!"', 20, "of its own: that of 'logic"),
    ('name = "all random"', "", 19, "expected 'name', got nothing"),
    ('fill = "random"', 'fill = "random"\noptions = { rank = 4 }', 22, "option of Old Maid"),
    ('fill = "random"', 'fill = "random"\nturns = "many"', 22, "expected a whole number"),
    ("rotate = true", "rotate = 1", 22, "expected true or false"),
    ("rotate = true", 'rotate = "deal"', 22, "did you mean 'deals'?"),
    ("rotate = true", 'rotate = "deals"', 21, "games would be repeated"),
    ('rule = "interval"', 'rule = "intervall"', 25, "did you mean 'interval'?"),
    ('mind = "logic"\nwidth', 'mind = "lodgic"\nwidth', 27, "did you mean 'logic'?"),
    ('figure = "losses"\nmind = "l', 'figure = "kind-wins"\nmind = "l', 26, "add it to the entry"),
    ('mind = "logic"\nwidth', "width", 24, "expected the mind whose 'losses' is meant"),
    ("width = 0.1", "width = -0.1", 28, "expected a number of at least"),
    ("width = 0.1", 'width = 0.1\nmost = "x"', 29, "unknown entry 'most' in [stop]"),
    ('condition = "epistemic against logic"', 'condition = "x"', 31, "unknown condition 'x'"),
    ("value = 0.345", "value = 34.5", 34, "expected a number from 0 to 1"),
    ('source = "a study"', "", 30, "expected 'source', got nothing"),
    ('origin = "page"', "", 30, "expected 'origin', got nothing"),
    ('origin = "page"', 'origin = "pages"', 37, "did you mean 'page'?"),
    ('mind = "epistemic"\nvalue', 'mind = "random"\nvalue', 33, "unknown mind"),
    ('first = ["epistemic against random",', 'first = ["x",', 41, "condition 'x'"),
    ('"logic against random", "logic"]', '"logic against random"]', 42, "a condition and a mind"),
]


def test_a_file_defines_the_games() -> None:
    found = parse(WHOLE, "who")
    assert [condition.name for condition in found.conditions] == [
        "logic against random",
        "epistemic against random",
        "epistemic against logic",
        "all random",
    ]
    first, *_, last = found.conditions
    assert first.plan.minds == ("logic", "random", "random")
    assert (first.plan.seed, first.plan.games, first.plan.rotate) == (4, 20, False)
    assert last.plan.minds == ("random",) * 3
    assert last.plan.rotate
    assert found.stop == UntilNarrow(figure="losses", mind="logic", width=0.1, every=500)
    assert list(found.figures) == ["losses", "turns", "given-up", "failed"]
    assert found.published[0].value == 0.345
    assert found.comparisons[0].first == ("epistemic against random", "epistemic")


def test_the_number_of_games_can_be_overridden() -> None:
    assert {each.plan.games for each in parse(WHOLE, "who", games=7).conditions} == {7}


def test_a_sequential_test_needs_games_that_count_once() -> None:
    """Two seats in one game are not independent trials, because at most one of them loses."""
    test = 'rule = "test"\nnull = 0.33\nalternative = 0.3\nbeta = 0.1'
    text = WHOLE.replace('rule = "interval"', test).replace("width = 0.1\n", "")
    assert parse(text.replace('mind = "logic"', 'mind = "epistemic"'), "who").stop == UntilDecided(
        figure="losses", mind="epistemic", null=0.33, alternative=0.3, alpha=0.05, beta=0.1
    )
    with pytest.raises(ExperimentError, match="'random' has 2 seats in 'logic against random'"):
        parse(text.replace('mind = "logic"', 'mind = "random"'), "who")
    text = text.replace('fill = "random"\nrotate = true', 'fill = "random"')
    text = text.replace('minds = ["{a}"', 'rotate = "deals"\nminds = ["{a}"')
    with pytest.raises(ExperimentError, match="a test needs independent games"):
        parse(text.replace('mind = "logic"', 'mind = "epistemic"'), "who")


@pytest.mark.parametrize(("before", "after", "line", "says"), WRONG)
def test_errors_name_their_place(before: str, after: str, line: int, says: str) -> None:
    assert before in WHOLE
    text = WHOLE.replace(before, after, 1)
    with pytest.raises(ExperimentError) as caught:
        parse(text, "who", "who.toml")
    said = str(caught.value)
    assert says in said
    assert said.startswith(f"who.toml, line {line}: ")
    assert len(said.splitlines()) <= 2


def test_pairs_can_be_unordered() -> None:
    text = WHOLE.replace('different = ["a", "b"]', 'unordered = ["a", "b"]').replace(
        'b = ["random", "logic"]', 'b = ["logic", "epistemic"]'
    )
    text = text[: text.index("[[published]]")]
    names = [condition.name for condition in parse(text, "who").conditions]
    assert names == ["logic against epistemic", "all random"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*missing\.toml: No such file"):
        read(tmp_path / "missing.toml")
    (tmp_path / "data.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="expected text"):
        read(tmp_path / "data.toml")


@pytest.mark.parametrize("name", studies())
def test_all_studies_can_be_read(name: str) -> None:
    found = experiment(name)
    assert found.conditions
    assert "?" in found.question
    assert found.name == name
    with pytest.raises(UnknownName, match=f"did you mean '{name}'"):
        experiment(f"{name}s")
