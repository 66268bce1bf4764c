"""The README's sessions print what it says they print."""

from __future__ import annotations

import doctest
import re

from symkripke.play import Record
from symkripke_games.cluedo import GAME
from tests.support.readme import README, examples, rewritten


def test_console_examples() -> None:
    """If a change is meant, `python -m tests.support.readme` writes the output anew."""
    text = README.read_text(encoding="utf-8")
    assert len(list(examples(text))) >= 4
    assert rewritten(text) == text


def test_python_examples() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert tried >= 15
    assert failed == 0


def test_the_log_of_a_real_table() -> None:
    """The lines that the README shows, behind the header of a played log, can be asked."""
    block = re.search(r"```json\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    header = next(iter(Record.of(GAME.table()).lines()))
    moment = Record.parse(f"{header}\n{block[1]}").replay()
    assert moment.turn == 3
    assert moment.ask("K[plum] holds(white, study)")
    assert not moment.at(1).ask("K[plum] holds(white, study)")
    assert moment.at(1).ask("K[plum] (holds(white, green) | holds(white, study))")
