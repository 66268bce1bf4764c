"""Golden logs and transcripts: logs are read, written, queried and printed as when they were made.

After an intended change, run `python -m tests.support.golden` to update answers and transcripts.
"""

from __future__ import annotations

import json
from math import factorial, prod
from random import Random
from typing import Any

import pytest
from msgspec import convert

from symkripke.engines import engine
from symkripke.model import Scene
from symkripke.play import Record, game
from symkripke.play.dealing import location
from symkripke.play.odds import deal_fluents
from tests.support.golden import (
    LOGS,
    TRANSCRIPTS,
    answered,
    answers_file,
    log_file,
    printed,
    transcript_file,
)


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcripts(name: str) -> None:
    assert printed(name) == transcript_file(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", LOGS)
def test_a_log_is_written_unchanged(name: str) -> None:
    """Options with default values may be omitted, and the words of a result may differ."""
    old = [json.loads(line) for line in log_file(name).read_text(encoding="utf-8").splitlines()]
    new = [json.loads(line) for line in Record.read(log_file(name)).lines()]
    assert list(map(_without_words, new)) == list(map(_without_words, old))


def _without_words(line: dict[str, Any]) -> dict[str, Any]:
    if "setup" in line:
        return {**line, "setup": convert(line["setup"], game(line["game"]).setup_type)}
    return {"result": bool(line["result"])} if "result" in line else line


@pytest.mark.parametrize("name", LOGS)
def test_the_answers_are_the_same(name: str) -> None:
    written = json.loads(answers_file(name).read_text(encoding="utf-8"))
    for part, now in zip(written, answered(name), strict=True):
        assert now == part, f"after {part['events']} events"


def _ways(hands: list[int]) -> int:
    """Return the number of ways to deal all cards into hands of these sizes."""
    return factorial(sum(hands)) // prod(map(factorial, hands))


# For a game and a number of players, the number of deals of the cards that the first player lacks.
CLOSED_FORMS = {
    ("cluedo", 6): _ways([3] * 5),
    ("kwartet", 4): _ways([13] * 3),
    ("sleuth", 3): _ways([1, 2, 11, 11]),
    ("sleuth", 4): _ways([1, 3, 8, 8, 8]),
    ("sleuth", 5): _ways([1, 7, 7, 7, 7]),
}


@pytest.mark.parametrize(("name", "players"), CLOSED_FORMS)
def test_deals_at_full_size_are_counted(name: str, players: int) -> None:
    played = game(name)
    setup = played.setup(players=players)
    deal = played.deal(setup, Random(1))
    view = Scene.of(played.structure(setup), deal).perspective(setup.players[0])
    expected = CLOSED_FORMS[name, players]
    if name == "cluedo":  # any card of a category that is not held may be in the envelope
        held = {card for card, place in deal.items() if place == setup.players[0]}
        kinds = [{location(c.id) for c in kind} - held for kind in setup.edition.categories]
        expected *= prod(map(len, kinds))
    assert engine("bdd").worlds(view, deal_fluents(view)) == expected
