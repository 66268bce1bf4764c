"""Golden logs: they can still be read and written, and all questions to them have the same answers.

`tests/data/golden/README.md` says how they were made.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import convert

from symkripke.play import Record, game, game_names
from symkripke_games.cluedo import rules as cluedo
from symkripke_games.kwartet import rules as kwartet
from symkripke_games.sleuth import setup as sleuth
from tests.support.golden_answers import FOLDER, LOGS, differences, log_file, written


@pytest.mark.parametrize("name", LOGS)
def test_a_log_is_written_as_it_was_read(name: str) -> None:
    """Line by line the same data; of the result, which is words, only that there is one.

    Of the setup, options that have their default value may be left out.
    """
    old = [json.loads(line) for line in log_file(name).read_text(encoding="utf-8").splitlines()]
    new = [json.loads(line) for line in Record.read(log_file(name)).lines()]
    assert [_without_words(line) for line in new] == [_without_words(line) for line in old]


def _without_words(line: dict[str, Any]) -> dict[str, Any]:
    if "setup" in line:
        return {**line, "setup": convert(line["setup"], game(line["game"]).setup_type)}
    return {"result": bool(line["result"])} if "result" in line else line


@pytest.mark.parametrize("name", LOGS)
def test_the_answers_are_the_same(name: str) -> None:
    assert sum(1 for _ in written(name)) >= 50
    assert not differences(name)


def test_every_log_has_answers() -> None:
    assert len(LOGS) == 60
    assert {file.stem for file in (FOLDER / "answers").iterdir()} == set(LOGS)


def value_of(setup: Any, option: str) -> Any:
    """What the setup has of an option of its game."""
    match setup, option:
        case cluedo.Setup(), "size":
            return [len(kind) for kind in setup.edition.categories]
        case cluedo.Setup(), "silence_speaks":
            return setup.accusers
        case sleuth.Setup(), "size":
            return len(setup.edition.gems)
        case kwartet.Setup(), "edition":
            return setup.groups[0]
    return getattr(setup, option)


# Options and kinds of player that are newer than the logs; the tests of each game have them.
NEWER = {"dealt_more", "depth-0", "depth-1", "depth-2", "depth-3"}


@pytest.mark.parametrize("name", game_names())
def test_the_logs_cover_all_of_a_game(name: str) -> None:
    """Rule sets, kinds of player, options, the fewest and the most players, and one's own table."""
    chosen = game(name)
    of_game = name.replace("_", "-")
    logs = [Record.read(log_file(log)) for log in LOGS if log.startswith(of_game)]
    assert {log.setup.rules for log in logs} == set(chosen.rules)
    minds = {mind.partition(":")[0] for log in logs for mind in log.minds}
    assert minds == chosen.strategies.keys() - NEWER
    for option in chosen.options.keys() - NEWER:
        assert len({str(value_of(log.setup, option)) for log in logs}) > 1, option
    for rules, (fewest, most) in chosen.seats.items():
        seats = {len(log.setup.players) for log in logs if log.setup.rules == rules}
        assert {fewest, most} <= seats
    assert any(log.seat is not None for log in logs)
