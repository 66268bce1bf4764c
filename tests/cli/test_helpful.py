"""Help inside a game: it uses the names of this game, and shows only what works there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symkripke.cli.beginning import Interview
from symkripke.cli.line_reader import LineReader
from symkripke.cli.options import Beginning, Limits
from symkripke.cli.person_dialogue import InTheGame
from symkripke.play import Table
from tests.cli.support import SMALL, lines, run

_OTHERS = re.compile(r"\b(ann|bob|cath|dan)\b", re.IGNORECASE)


def play(name: str, log: Path, *typed: str) -> str:
    """Begin a small game with Xena, Yuri and Zoe, type some lines, and return the output."""
    names = ("--human", "xena", "--names", "xena,yuri,zoe", "--seed", "2", "--log", log)
    return run("play", name, *names, *SMALL[name], typed=lines(typed), code=None).output


@pytest.mark.parametrize("name", SMALL)
def test_examples_for_a_person_can_be_typed(name: str, tmp_path: Path) -> None:
    """At every decision, each example is understood and names the actual players."""
    log = tmp_path / "game.jsonl"
    play(name, log)
    hosted = Table.open(log)
    decisions = 0
    while hosted.ended is None and len(hosted.steps) < 12:
        if hosted.step() is not None or (who := hosted.waiting_for) is None:
            continue
        view = hosted.seat(who)
        dialogue = InTheGame(hosted, LineReader(""), plain=True, limits=Limits())
        examples = dialogue.helped().partition("Commands:")[0].splitlines()[1:]
        forms = [line.strip() for line in examples if re.match(r"  \S", line)]
        assert forms
        assert not [line for line in examples if _OTHERS.search(line)]
        for form in forms:
            view.read(form)
        decisions += 1
        hosted.choose(who, next(view.menu.moves))
    assert decisions or name == "old_maid"


# ---- at the table --------------------------------------------------------------------------------


def test_questions_fit_a_narrow_terminal() -> None:
    """Listed rules and prompts are wrapped between words."""
    reader = LineReader("")
    asked = Interview(reader, "t", "cluedo", {}, Beginning())
    long = "The cards cannot be dealt evenly: 2 of you got one extra card. Who? [Anna, Lee] "
    assert asked.wrapped(long) == long
    reader.interactive = True
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", "50")
        shown = asked.wrapped(long)
    assert max(map(len, shown.split("\n"))) <= 50
    assert shown.split() == long.split()
    assert shown.endswith("Lee] ")


# ---- other commands ------------------------------------------------------------------------------
