"""What a person at the table sees, and the answers to moves that are impossible."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from symkripke.cli.quiz import cell_question
from symkripke.drawing.text_width import text_width
from symkripke.play import Journal, Outcome, Record, Seat, Table, game
from symkripke.play.views.pictures import table_picture
from symkripke.web.views import asking, beginning, hosting, noting, watching
from symkripke_games.hanabi.rules import Play, State
from tests.cli.support import lines, run


def small_game(folder: Path) -> Path:
    """Play a short game, and return its log."""
    log = folder / "log.jsonl"
    small = ("--players", 2, "--set", "colours=1", "--set", "ranks=3", "--set", "hand=2")
    run("play", "hanabi", *small, "--seed", 3, "--minds", "iggi", "--brief", "--log", log)
    return log


def test_the_terminal_shows_the_hands_of_the_others_and_refuses_in_words(tmp_path: Path) -> None:
    log = str(tmp_path / "log.jsonl")
    moves = ["discard 1", "play 9", "bob 1", "bob red", "resign"]
    command = ["play", "hanabi", "--human", "ann", "--players", "3", "--seed", "1", "--log", log]
    command += ["--minds", "simple-knowing"]
    said = run(*command, typed=lines(moves), code=None).stdout.splitlines()
    bob, cath = "blue 4, white 2, red 4, red 5, green 2", "blue 2, white 1, red 3, red 2, white 5"
    fireworks = "Fireworks: red 0, yellow 0, green 0, blue 0, white 0."
    able = "red, green, blue, white, rank 2, rank 4 or rank 5"
    assert said[2:11] == [
        f"You are Ann. You see Bob with {bob}; Cath with {cath}.",
        f"Bob: {bob}.",
        f"Cath: {cath}.",
        f"{fireworks} Hints: 8, lives: 3, cards to draw: 35.",
        "You: no card is known.",
        "What do you do?",
        "Not possible now: nobody can discard a card while all hints are left",
        "Not understood: expected a card, got '9'; choose from: 1, 2, 3, 4 or 5",
        f"Not possible now: you can tell about {able}, not about rank 1",
    ]
    assert f"{fireworks} Hints: 7, lives: 3, cards to draw: 34." in said
    knew = said.index("Who knew what when (cards known, of 15):")
    assert said[knew + 1].startswith("  Ann: 10 after the deal")


def test_who_tells_what_others_are_known_to_know_of_their_own_cards(tmp_path: Path) -> None:
    """Bob's cards are told to Ann as Bob surely knows them, on the page and in the terminal."""
    log = str(tmp_path / "log.jsonl")
    options = {"colours": "2", "ranks": "3", "hand": "3"}
    hosting.begin(log, "hanabi", "classic", ("ann", "bob"), options, ("human", "random"), 5)
    before = hosting.seat_page(log, "ann", None, "others")
    assert before.tells_of_others
    assert before.known.words == [
        "Ann: card 1 may be red, yellow, rank 1, rank 2, rank 3 or playable; "
        "card 2 may be red, yellow, rank 1, rank 2, rank 3 or playable; "
        "card 3 may be red, yellow, rank 1, rank 2, rank 3 or playable.",
        "Bob surely knows: card 1 is not useless; card 2 is not useless; card 3 is not useless.",
    ]
    assert hosting.choose(log, "ann", None, (), "bob red") is None
    after = hosting.seat_page(log, "ann", None, "others").known.words
    assert after[1] == ("Bob surely knows: card 1 is yellow; card 2 is yellow; card 3 is red.")
    assert after[1] in run("who", log, "--plain", "--spoil").stdout
    known = json.loads(run("who", log, "--json", "--spoil").stdout)["who"]
    assert [known[knower]["card(3, red)"]["bob"] for knower in ("ann", "bob")] == ["yes", "yes"]


def test_the_page_of_a_seat_shows_all_hands_as_far_as_they_are_known(tmp_path: Path) -> None:
    """After the hints of the others, the person's own cards show the known rank or colour."""
    log = str(tmp_path / "log.jsonl")
    options = {"colours": "2", "ranks": "3", "hand": "3"}
    hosting.begin(log, "hanabi", "classic", ("ann", "bob"), options, ("human", "iggi"), 5)
    assert hosting.choose(log, "ann", None, (), "bob red") is None
    hosting.go_on(log, 5)
    record = Record.read(log)
    assert record.truth is not None
    page = hosting.seat_page(log, "ann", None, "")
    assert [(title, [face.title for face in faces]) for title, faces in page.rows] == [
        ("Fireworks. Hints: 6, lives: 3, cards to draw: 6", ["red 0", "yellow 0"]),
        ("Bob", [record.truth[f"card(bob, {n})"].replace("_", " ") for n in (1, 2, 3)]),
        ("You", ["? 1", "? 1", "a card face down"]),
    ]
    assert page.known.news == [
        "Ann: card 1 is rank 1 and playable; card 2 is rank 1 and playable; "
        "card 3 is not rank 1 or playable."
    ]
    sheet = hosting.seat_page(log, "ann", None, "sheet").known.sheet
    assert sheet is not None
    assert [cells for _, cells in sheet.brief] == [
        ["rank 1, playable ?", "yellow, rank 1, playable"],
        ["rank 1, playable ?", "yellow, rank 1, playable"],
        ["?", "red, rank 3"],
    ]
    mistake = hosting.choose(log, "ann", None, (), "bob 2")
    assert mistake is not None
    able = "red, yellow, rank 1 or rank 3"
    assert mistake.words == f"You can tell about {able}, not about rank 2."


def test_a_real_table_shows_what_is_left_and_takes_a_hint_in_parts(tmp_path: Path) -> None:
    """No single card is possible, but the list of cards can go on."""
    played = game("hanabi")
    setup = played.setup(players=2)
    seat = Seat("ann", ("red_1", "blue_3", "white_5", "yellow_1", "green_2"))
    journal = Journal.begin(tmp_path / "log.jsonl", played, setup, seat=seat)
    asked = journal.enter("ann tells bob rank 1").pending
    assert asked is not None
    assert asked.ask == "Which cards of Bob are named?"
    assert journal.takes_several
    page = noting.noted(str(journal.path), "")
    assert [(title, [face.title for face in faces]) for title, faces in page.middle] == [
        (
            "Fireworks. Hints: 8, lives: 3, cards to draw: 40",
            ["red 0", "yellow 0", "green 0", "blue 0", "white 0"],
        )
    ]
    assert journal.enter("1 and 4").pending is None
    assert [entry.story for entry in journal.entries] == [
        "Ann tells Bob about rank 1: cards 1 and 4."
    ]


@pytest.mark.parametrize(
    ("holds", "problem"),
    [
        ("r1,b3", "expected ann to see 5 cards, got 2"),
        ("r1,b3,w5,y1,zz", "unknown card 'zz'; expected one of red_1, red_2, red_3 or 22 others"),
    ],
)
def test_a_wrong_hand_is_refused_with_the_mistake(tmp_path: Path, holds: str, problem: str) -> None:
    log = tmp_path / "log.jsonl"
    players = ("--player", "ann", "--players", 2)
    done = run("begin", "hanabi", log, *players, "--holds", holds, code=1)
    assert done.stderr == f"Error: {problem}\n"


def test_the_deal_lists_the_facts_in_the_order_of_the_deck() -> None:
    """The order must not depend on the hash seed, or logs of the same game would differ."""
    setup = game("hanabi").setup(players=2, colours=2, ranks=3)
    assert [*State.first(setup, None).facts] == [f"use({kind})" for kind in setup.kinds]


def test_a_possible_case_is_shown_as_the_hands_are_now(tmp_path: Path) -> None:
    """The case must not be described by the cards of the deal, some of which have been played."""
    log = small_game(tmp_path)
    said = run("ask", log, "K[bob] has(bob, 1, 3)", "--at", 2, "--why").stdout.splitlines()
    assert said[2:] == ["    Bob: *red 1, red 2", "    everything else as in reality"]


def test_a_review_counts_the_cards_that_players_do_not_know(tmp_path: Path) -> None:
    """A card is one thing, although several rows of the note sheet describe it."""
    log = small_game(tmp_path)
    said = run("review", log, "--plain").stdout.splitlines()
    first = said.index("Cards that each player does not know completely:")
    assert said[first + 1] == "  Ann: 2 at the start"
    assert said[first + 2].startswith("  Bob: 2 at the start, 1 after turn 1, 2 after turn 2, ")


def test_the_form_for_a_new_table_shows_the_default_of_each_option() -> None:
    offered = beginning.offer("hanabi", "", None, {}).options
    assert {option.name: option.default for option in offered} == {
        "colours": "5",
        "ranks": "5",
        "hand": "",  # depends on the number of players
        "hints": "8",
        "lives": "3",
        "all_or_nothing": "no",
        "convention": "none",
    }


def test_questions_advice_and_menus_speak_of_cards_in_places() -> None:
    played = game("hanabi")
    setup = played.setup(players=2, colours=2, ranks=3, hand=3, hints=1)
    table = Table(played, setup, ("human", "human"), 5)
    first = table.seat("ann")
    asked = cell_question(first.moment, "ann", ("card(2, red)", "bob"))
    assert asked == "To Ann's knowledge, is card 2 of Bob red?"
    assert first.advise(1)[0].reason == "it names yellow 1 and yellow 1"
    table.choose("ann", first.read("bob red"))
    second = table.seat("bob")
    assert second.menu.ask == "What do you do?"
    reasons = {advice.title: advice.reason for advice in second.advise(6)}
    assert reasons["Bob plays card 1"] == "the chance that this card is playable is 50.0%"


def test_in_the_last_round_the_turns_that_are_left_are_shown() -> None:
    setup = game("hanabi").setup(players=2, colours=1, ranks=3, hand=2)
    state = State.first(setup, None)
    for kind in ("red_1", "red_2"):  # the last cards of the deck are drawn
        assert "turns left" not in state.left_over
        state = state.follow(Outcome(state.put(Play(1), kind), {}))
    assert state.left_over == "Hints: 8, lives: 3, cards to draw: 0, turns left: 2"


def test_a_reason_names_the_rank_of_a_hint(tmp_path: Path) -> None:
    log = small_game(tmp_path)
    said = run("ask", log, "K[bob] has(bob, 1, 1)", "--at", 1, "--why").stdout.splitlines()
    assert said[-1] == "    1. turn 1: Ann told Bob about rank 1"


def test_the_titles_in_the_middle_of_the_table_do_not_overlap(tmp_path: Path) -> None:
    """After a card is put down, the fireworks have only half of the middle."""
    log = small_game(tmp_path)
    record = Record.read(log)
    drawn = table_picture(record, record.replay().after(2))
    notes = re.findall(r'<text class="table-note" x="[\d.]+" y="([\d.]+)">([^<]+)</text>', drawn)
    low = {line: float(y) for y, line in notes}
    long = [line for line in low if line.startswith(("Fireworks", "cards to draw"))]
    assert long
    for line in long:
        assert low[line] > low["put down, drawn"] + 56  # below the cards
        assert text_width(line, 12) <= 248


def test_the_page_for_questions_offers_facts_about_cards_in_places(tmp_path: Path) -> None:
    """The rows of the note sheet say the same, and are not offered again."""
    moment = Record.read(small_game(tmp_path)).replay()
    facts = {fact.name: fact for fact in asking.menus(moment).facts}
    assert [*facts] == ["has", "playable", "useless"]
    assert ("1", "rank 1") in facts["has"].blanks[2].choices


def test_everybody_s_knowledge_is_about_their_own_cards(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    setup = ("--players", 3, "--seed", 5)
    run("play", "hanabi", *setup, "--minds", "iggi", "--log", path)
    wanted = watching.Wanted((), "all", with_knowledge=True, eyes=False, link="", seat_link="")
    seen = watching.watched(str(path), 4, wanted)
    assert seen.overview is not None
    assert seen.overview.columns == ["Ann", "Bob", "Cath"]
    assert [known for _, known in seen.overview.rows] == [
        ["?", "?", "rank 1 ?"],
        ["?", "?", "rank 1 ?"],
        ["?", "?", "?"],
        ["?", "?", "?"],
        ["?", "white, rank 1, playable", "?"],
    ]
