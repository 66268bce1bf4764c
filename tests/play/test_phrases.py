"""The language of events: what is printed can be typed, whatever the cards are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symkripke.errors import PhraseError
from symkripke.play import Game, Record, Table
from symkripke.play.phrases import Pending, Situation, Understood, completions, read
from symkripke.testing.games import check_phrase
from symkripke_games import cluedo, kwartet, sleuth

_CLUEDO = """
suspects = ["No", "Show", "Nobody", "Nobody shows a card", "Lee passes"]
weapons = ["Lead", "Lead Pipe", "Wrong", ".38 Revolver", { id = "cpp", title = "C++" }, "C"]
rooms = ["A card", "Asks for", "The hall", "The hall: no", "Study; -"]
"""
_KWARTET = """
"No" = ["Yes", "No", "Yes! Lee lays down No", "No (yes)"]
"Yes" = ["Fog", "Fog (No)", "Fog (Yes). Yes!", "fog lamp"]
"Ann" = ["Lays down", "Down", "Ann lays down", "Ann lays down Ann."]
"""
_SLEUTH = """
colours = ["Red", "Asks", "Last; 1", "Two"]
types = ["Nobody", "For Red", "Gems: 2", "The Red"]
quantities = ["No gem", "Shows 1", "Free choice", "One"]
free = 4
"""
_NAMES = ["no", "show", "nobody", "passes", "lee", "a", "for", "lead"]

GAMES: dict[str, tuple[Game[Any, Any], str]] = {
    "cluedo": (cluedo.GAME, _CLUEDO),
    "kwartet": (kwartet.GAME, _KWARTET),
    "sleuth": (sleuth.GAME, _SLEUTH),
}


@settings(max_examples=16)
@given(st.sampled_from(sorted(GAMES)), st.permutations(_NAMES), st.integers(0, 1000), st.data())
def test_what_is_printed_can_be_typed(name: str, names: list[str], seed: int, data: Any) -> None:
    """For every viewer, in full and in short, however the cards and players are called."""
    game, edition = GAMES[name]
    path = Path(__file__).with_name(f"edition-{name}.toml")
    path.write_text(edition)
    try:
        setup = game.setup(players=4, names=names[:4], edition=str(path))
    finally:
        path.unlink()
    table = Table(game, setup, ["random"], seed)
    for number, _ in enumerate(table):
        if number == 8:
            break
    record = Record.of(table)
    viewer = data.draw(st.sampled_from((None, *setup.players)))
    check_record(record if viewer is None else record.seen_by(viewer))


def check_record(record: Record[Any, Any]) -> None:
    """Every event of a record is read as it was meant."""
    position = record.game.start(record.setup, record.truth)
    seat = None if record.seat is None else record.seat.player
    for outcome, state in zip(record.outcomes, record.replay().states, strict=False):
        check_phrase(record.game, Situation(record.setup, position, seat, state), outcome)
        position = position.follow(outcome)


# ---- Cluedo ------------------------------------------------------------------------------------

SETUP = cluedo.GAME.setup(players=4, names=["tom", "anna", "lee", "bob"])
START = cluedo.GAME.start(SETUP, None)


def cluedo_read(text: str, seat: str = "tom") -> Understood | Pending:
    """What the text tells at the beginning of a game."""
    return read(cluedo.GAME.phrases, Situation(SETUP, START, seat), text)


def cluedo_story(text: str, seat: str = "tom") -> str:
    """The event that the text tells, as it is printed."""
    found = cluedo_read(text, seat)
    assert isinstance(found, Understood), found
    return cluedo.GAME.story(SETUP, found.outcome, seat)


_SHOWN = "Tom asks for Reverend Green, Rope, Study. Anna passes. Lee shows Rope."


@pytest.mark.parametrize(
    "text",
    [
        _SHOWN,
        _SHOWN.casefold(),
        "tom: green rope study; anna -; lee !rope",
        "tom: green rope study; lee !rope",
        "lee!rope".join(("green rope study; ", "")),
        "TOM: GREEN, ROPE, STUDY. -. !ROPE",
        "Tom asks for Green with the rope in the study; Anna passes; Lee shows the rope",
        "Tom suggests study, rope and reverend green: anna no, lee yes: rope",
        "to: gree ro stu; an -; le ! ro",
        "tom: green rope study\n\n  anna passes\n  lee shows a card: rope",
    ],
)
def test_a_suggestion_can_be_said_in_many_ways(text: str) -> None:
    """In any capitals and order, in short, by beginnings, on several lines."""
    assert cluedo_story(text) == _SHOWN


@pytest.mark.parametrize(
    ("text", "story"),
    [
        ("tom: no suggestion", "Tom makes no suggestion."),
        ("skips", "Tom makes no suggestion."),
        (
            "tom accuses plum rope hall: right",
            "Tom accuses Professor Plum, Rope, Hall: right!",
        ),
        (
            "tom accuses plum rope hall: wrong; envelope: green rope hall",
            "Tom accuses Professor Plum, Rope, Hall: wrong. "
            "In the envelope: Reverend Green, Rope, Hall.",
        ),
        (
            "plum rope hall; nobody",
            "Tom asks for Professor Plum, Rope, Hall. Anna passes. Lee passes. Bob passes. "
            "Nobody shows a card.",
        ),
    ],
)
def test_other_events(text: str, story: str) -> None:
    """Accusations, turns without a suggestion, questions that nobody answers."""
    assert cluedo_story(text) == story


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("tom: green roap study", "expected a weapon or a room, got 'roap'; did you mean", "roap"),
        ("tom: mrs rope study", "'mrs' could be Mrs White or Mrs Peacock", "mrs"),
        ("anna: green rope study; lee !", "it is Tom's turn, not Anna's", "anna"),
        ("tom: green rope study; lee !hall", "expected the card that is shown", "hall"),
        ("tom: green rope study; tom !", "expected who answers or 'shows' or 'passes'", "tom !"),
        ("tom: green rope study; ana ? ", "got 'ana'; did you mean 'Anna'", "ana"),
        ("tom: green rope study; lee ! rope dagger", "expected the end of the event", "dagger"),
        ("tom: green rope", "", ""),
    ],
)
def test_errors_point_at_the_place(text: str, problem: str, at: str) -> None:
    """With what was expected, and names that are near; never taken for what they are not."""
    if not problem:
        assert isinstance(cluedo_read(text), Pending)
        return
    with pytest.raises(PhraseError) as raised:
        cluedo_read(text)
    assert problem in raised.value.problem
    assert text[raised.value.place :].startswith(at)
    assert str(raised.value).endswith(f"\n  {' ' * raised.value.place}^")


def test_only_who_sees_a_card_can_name_it() -> None:
    """And must: it is asked for."""
    text = "tom: green rope study; lee !"
    assert cluedo_story(text, "bob").endswith("Lee shows a card.")
    with pytest.raises(PhraseError, match="Bob does not see this: only Tom and Lee"):
        cluedo_read(f"{text} rope", "bob")
    for seat, ask in (("tom", "Which card does Lee show?"), ("lee", "Which card do you show?")):
        found = cluedo_read(text, seat)
        assert isinstance(found, Pending)
        assert found.ask == ask
        assert found.said.endswith("Lee shows a card.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tom: gre", ["Reverend Green"]),
        ("tom: green l", ["Lead Pipe", "Library", "Lounge"]),
        ("tom: green lead p", ["Lead Pipe"]),
        ("tom: green rope study; le", ["Lee"]),
        ("tom: green rope study; lee ", ["shows", "passes"]),
        ("tom ac", ["accuses"]),
    ],
)
def test_completion(text: str, expected: list[str]) -> None:
    """Of the word that is being typed, or the next one."""
    found = completions(cluedo.GAME.phrases, Situation(SETUP, START, "bob"), text)
    assert [way.text for way in found] == expected
    begun = text[found[0].start :].casefold()
    assert begun == "" or begun in found[0].text.casefold()


@pytest.mark.parametrize(
    "game", [cluedo.GAME, kwartet.GAME, sleuth.GAME], ids=["cluedo", "kwartet", "sleuth"]
)
def test_the_readme_says_what_can_be_typed(game: Game[Any, Any]) -> None:
    """Each form of each phrase stands in the table of the game's page."""
    package = __import__(type(game).__module__, fromlist=["x"])
    page = Path(str(package.__file__)).with_name("README.md").read_text()
    for phrase in game.phrases:
        assert phrase.typed, phrase.kind
        for form, meaning in phrase.typed.items():
            assert f"| `{form}` | {meaning} |" in page
