"""What can be typed for the events of Sleuth, and what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from symkripke.errors import PhraseError
from symkripke.play import Contradiction, Journal, Outcome, Record, Seat, Table, read_hand
from symkripke.play.acts import Pending, Situation, told_shortly
from symkripke.play.dealing import location
from symkripke.testing.games import check_sentence
from symkripke_games import sleuth
from symkripke_games.sleuth.deck import shuffled
from symkripke_games.sleuth.gems import HIDDEN, TABLE
from symkripke_games.sleuth.rules import Declaration, Declare, Lay, Opening, Silent

NAMES = ["ann", "bob", "cath", "dan", "eve"]
HAND = ("rps", "rdc", "gos", "gpp", "yop", "bdp", "bpc")
ROWS = (
    "ann: red diamond, diamond, green pearl, a free choice; bob: b y rs free; "
    "cath: ro, yo, bo, go; dan: o pa s rpe; eve: free free free bs"
)


def begun(path: Path, *told: str, seat: str = "ann", **options: Any) -> Journal[Any, Any]:
    """A journal of Ann, or of who holds her gems, with these entries."""
    setup = sleuth.GAME.setup(**{"names": NAMES, **options})
    journal = Journal.begin(
        path / "log.jsonl", sleuth.GAME, setup, seat=Seat(seat, HAND), replace=True
    )
    for text in told:
        assert journal.enter(text).pending is None, text
    return journal


def entered(journal: Journal[Any, Any], text: str) -> str:
    """The event that a text tells, as it is printed."""
    (entry,) = journal.enter(text).entries
    return entry.story


# ---- the opening -------------------------------------------------------------------------------


def test_question_cards_are_asked_for_in_seat_order(tmp_path: Path) -> None:
    """Until all rows are told."""
    journal = begun(tmp_path)
    asks = []
    for text in ("rd, d, gpe, free", "bob: b y rs", "a free choice", "ro yo bo go\no pair s rpe"):
        asked = journal.asked
        assert asked is not None
        asks.append(asked.ask)
        journal.enter(text)
    assert asks == [
        "Which question cards lie before Ann? ('-' if you do not write them down)",
        "Which question cards lie before Bob?",
        "Blue, Yellow, Red Solitaire, and one more:",
        "Which question cards lie before Cath?",
    ]
    (entry,) = journal.enter("eve free free free bs").entries
    public = entry.outcome.public
    assert isinstance(public, Opening)
    assert public.rows["dan"] == ("opal", "pair", "solitaire", "red pearl")
    assert entry.outcome == begun(tmp_path, ROWS).entries[0].outcome


def test_a_slip_among_many_question_cards_is_found_at_once(tmp_path: Path) -> None:
    """Also if no signs part them: cards are not taken apart in all ways."""
    cards = [f"{colour} {kind}" for colour in ("red", "blue") for kind in ("opal", "pearl", "pair")]
    text = " ".join((*cards, *cards, *cards, "bluu"))
    with pytest.raises(PhraseError, match="got 'bluu'; did you mean 'Blue'"):
        begun(tmp_path).enter(text)


@pytest.mark.parametrize("text", ["-", "not written down", "Question cards are not written down."])
def test_question_cards_need_not_be_written_down(text: str, tmp_path: Path) -> None:
    """Then nothing asks for them."""
    journal = begun(tmp_path, text)
    assert journal.entries[0].outcome.public == Opening(turn=0)
    assert journal.asked is not None
    assert journal.asked.ask == "Whom does Ann ask?"
    assert entered(journal, "bob red 2") == "Ann asks Bob for Red gems: 2."


def test_gems_that_are_left_over_lie_face_up(tmp_path: Path) -> None:
    """They are asked for, and need not be told where the truth is known."""
    game, path = sleuth.GAME, tmp_path / "log.jsonl"
    setup = game.setup(players=3)
    deal = game.deal(setup, Random(1))
    up = tuple(gem.id for gem in setup.edition.gems if deal[location(gem.id)] == TABLE)
    journal = Journal.begin(path, game, setup, truth=deal)
    assert journal.enter("-").entries[0].outcome.public == Opening(turn=0, up=up)
    hand = (*HAND, "rpp", "rds", "bds", "bos")
    journal = Journal.begin(path, game, setup, seat=Seat("ann", hand), replace=True)
    assert journal.asked is not None
    assert journal.asked.ask == "Which gems lie face up?"
    journal.enter("gdc and the blue pearl solitaire")
    assert entered(journal, "-") == (
        "Face up: the Green Diamond Cluster and the Blue Pearl Solitaire. "
        "Question cards are not written down."
    )


# ---- questions ---------------------------------------------------------------------------------

_TWO = "Ann asks Bob for Red Pearl gems. Bob shows the Red Pearl Pair and the Red Pearl Cluster."


@pytest.mark.parametrize(
    "text",
    [
        _TWO,
        _TWO.upper(),
        "ann: bob red pearl 2",
        "bob red pearl rpp rpc",
        "bob pearl red, pair cluster",
        "ann: bob red pearl 2, sees rpp rpc",
        "ann asks bob for red pearl: rpp and rpc",
        "b r pe 2",
        "bob\nred\npearl\n2",
    ],
)
def test_a_question_for_two_elements(text: str, tmp_path: Path) -> None:
    """Ann holds one of the three: so two are the other two."""
    journal = begun(tmp_path, "-")
    assert entered(journal, text) == _TWO
    assert dict(journal.entries[-1].outcome.secret) == {
        "location(rpp)": "bob",
        "location(rpc)": "bob",
    }


def test_what_follows_need_not_be_typed(tmp_path: Path) -> None:
    """The answers that one gives oneself; and what has been seen already."""
    journal = begun(tmp_path, "-", "bob red pearl 2")
    for text, story in (
        ("ann b", "Bob asks Ann for Blue gems: 2."),
        ("ann d blue", "Cath asks Ann for Blue Diamond gems. Ann shows 1."),
        ("bob red pe", "Dan asks Bob for Red Pearl gems. Bob shows 2."),
        ("ann opal", "Eve asks Ann for Opal gems: 2."),
        ("bob red pe", _TWO),
    ):
        assert entered(journal, text) == story
    with pytest.raises(Contradiction, match="does not fit what is known"):
        journal.enter("bob: ann blue 3")


def test_what_does_not_follow_is_asked_for(tmp_path: Path) -> None:
    """The gems of who is asked, as far as the seat sees them."""
    journal = begun(tmp_path, "-")
    for text, said, ask in (
        ("bob red", "Ann asks Bob for Red", "How many Red gems does Bob have?"),
        ("opal", "Ann asks Bob for Red Opal gems. Bob shows", "Which Red Opal gems"),
        ("1", "Ann asks Bob for Red Opal gems. Bob shows 1", "Which Red Opal gems"),
    ):
        pending = journal.enter(text).pending
        assert pending is not None
        assert pending.said == said
        assert pending.ask.startswith(ask)
    assert entered(journal, "roc").endswith("Bob shows the Red Opal Cluster.")
    pending = journal.enter("cath red opal").pending
    assert pending is not None
    assert pending.ask == "How many Red Opal gems does Cath show?"
    assert entered(journal, "-").endswith("Cath shows no gem.")


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("bob opl 2", "got 'opl'; did you mean 'Opal'?", "opl"),
        ("bob xyz", "expected 'declares' or a colour, a type or a quantity, got", "xyz"),
        ("bob red green 2", "expected a type or a quantity or how many, got 'green'", "green"),
        ("bob p 2", "'p' could be Pearl or Pair", "p 2"),
        ("ann red 2", "Ann cannot ask itself", "ann"),
        ("cath: bob red 2", "it is Ann's turn, not Cath's", "cath"),
        ("bob red opal yoc", "expected a gem that is shown, or how many, got 'yoc'", "yoc"),
        ("bob red opal 2; roc +gp", "expected a gem that is shown, got '+'", "+gp"),
        ("bob red opal 1 roc gp", "expected the end of the event, got 'gp'", "gp"),
    ],
)
def test_errors_point_at_the_place(text: str, problem: str, at: str, tmp_path: Path) -> None:
    """With what was expected, and names that are near."""
    with pytest.raises(PhraseError) as raised:
        begun(tmp_path, "-").enter(text)
    assert problem in raised.value.problem
    assert text[raised.value.place :].startswith(at)


@pytest.mark.parametrize("rules", ["classic", "study"])
@pytest.mark.parametrize("text", ["rps", "rpp and rpc"])
def test_only_who_sees_gems_can_name_them(rules: str, text: str, tmp_path: Path) -> None:
    """Others hear how many they are, or not even that."""
    journal = begun(
        tmp_path, "-", "bob red pearl -" if rules == "study" else "bob red 2", rules=rules
    )
    with pytest.raises(PhraseError, match="Ann does not see this: only Bob and Cath"):
        journal.enter(f"cath red pearl 2 {text}" if rules == "classic" else f"cath red {text}")
    with pytest.raises(PhraseError, match="Ann does not see this: only Bob and Cath"):
        journal.enter(f"cath red pearl {text}")


def test_the_answer_of_the_study(tmp_path: Path) -> None:
    """Who asks is shown all; others learn nothing; who is asked knows what it shows."""
    journal = begun(tmp_path, "-", rules="study")
    assert entered(journal, "bob red rds rop").endswith(
        "Bob shows the Red Diamond Solitaire and the Red Opal Pair."
    )
    assert dict(journal.entries[-1].outcome.secret)["answer(1)"] == "gems"
    assert entered(journal, "cath green") == "Bob asks Cath for Green gems. Cath shows what it has."
    with pytest.raises(PhraseError, match="that is not what Ann has"):
        journal.enter("ann green: gos gdc")
    assert entered(journal, "ann green: gos gpp").endswith("Ann shows what it has.")
    assert entered(journal, "dan declares goc") == "Dan declares the Green Opal Cluster: right!"


# ---- question cards ----------------------------------------------------------------------------


def test_the_card_that_is_used(tmp_path: Path) -> None:
    """It follows from the row, if only one fits; a free choice must be named, if two do."""
    journal = begun(tmp_path, ROWS)
    pending = journal.enter("bob diamond 2").pending
    assert pending is not None
    assert pending.said == "Ann asks Bob for Diamond gems: 2. Ann draws"
    assert pending.ask == "Which question card does Ann draw?"
    assert entered(journal, "gpa") == "Ann asks Bob for Diamond gems: 2. Ann draws Green Pair."
    for text, card, drawn in (
        ("cath b 2 free +y o", "", ""),
        ("cath b free 2 +yd", "free", "yellow diamond"),
        ("dan red opal - +free", "red opal", "free"),
        ("ann red pearl +gs", "red pearl", "green solitaire"),
        ("cath red pearl 1 draws pearl solitaire", "free", "pearl solitaire"),
    ):
        if not card:
            with pytest.raises(PhraseError, match="expected"):
                journal.enter(text)
            continue
        entered(journal, text)
        public = journal.entries[-1].outcome.public
        assert (public.card, public.drawn) == (card, drawn)
    assert "with a free choice" in journal.entries[-1].story


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("bob red opal 2 +y", "no question card for Red Opal lies before Cath"),
        ("bob red opal free 1 +y", "no free choice lies before Cath"),
    ],
)
def test_cards_that_are_not_there(text: str, problem: str, tmp_path: Path) -> None:
    """The error says so, and points at the question."""
    rows = ROWS.replace("ro, yo", "rd, yo" if "no question" in problem else "ro, yo")
    rows = rows.replace("red diamond", "yd")
    journal = begun(tmp_path, rows, "bob diamond 2 +gpa", "cath blue 2 +ype")
    with pytest.raises(PhraseError, match=problem) as raised:
        journal.enter(text)
    assert raised.value.place == text.index("red")


def test_a_card_that_cannot_be_drawn(tmp_path: Path) -> None:
    """It lies before a player: the rules forbid it."""
    with pytest.raises(Contradiction, match="'opal' cannot be drawn now") as raised:
        begun(tmp_path, ROWS).enter("bob diamond 2 +opal")
    assert raised.value.forbidden_by == "rules"


def test_completion(tmp_path: Path) -> None:
    """Of elements the row allows, of cards that can be drawn, of gems."""

    def ways(text: str) -> list[str]:
        return [way.text for way in journal.completions(text)]

    journal = begun(tmp_path, ROWS, "bob diamond 2 +gpa", "cath blue 2 +yd")
    assert ways("dan r") == ["Red"]
    assert ways("dan y") == ["Yellow"]
    assert ways("dan o") == ["Opal"]
    assert ways("dan red op") == ["Opal"]
    assert ways("dan red opal 2 +green ") == [
        "Green Diamond",
        "Green Solitaire",
        "Green Cluster",
    ]
    assert ways("ann dec") == ["declares"]
    assert ways("ann declares red p") == [
        "Red Pearl Solitaire",
        "Red Pearl Pair",
        "Red Pearl Cluster",
    ]


# ---- declarations ------------------------------------------------------------------------------


def test_last_questions_and_declarations(tmp_path: Path) -> None:
    """After a last question its player declares; who is wrong looks at the hidden gem."""
    journal = begun(tmp_path, "-", "bob red 2")
    assert entered(journal, "eve declares gos") == "Eve declares the Green Opal Solitaire: wrong."
    with pytest.raises(Contradiction, match="is out"):
        journal.enter("eve declares gop: wrong")
    pending = journal.enter("dan").pending
    assert isinstance(pending, Pending)
    assert (pending.said, pending.ask) == ("Dan", "What does Dan do?")
    journal.undo()
    assert entered(journal, "cath last opal 1") == (
        "Bob asks Cath as a last question for Opal gems: 1."
    )
    assert journal.asked is not None
    assert journal.asked.ask == "Which gem does Bob declare?"
    assert entered(journal, "yds wrong") == "Bob declares the Yellow Diamond Solitaire: wrong."
    pending = journal.enter("ann declares ydc wrong").pending
    assert pending is not None
    assert pending.ask == "Which gem is hidden?"
    assert entered(journal, "rds") == (
        "Ann declares the Yellow Diamond Cluster: wrong. Hidden: the Red Diamond Solitaire."
    )
    assert entered(journal, "cath declares rds") == (
        "Cath declares the Red Diamond Solitaire: right!"
    )


@pytest.mark.parametrize("instead", [False, True])
def test_a_declaration_in_place_of_a_question(instead: bool, tmp_path: Path) -> None:
    """It is told apart from one after the question before, and so in logs that do not say so."""
    game = sleuth.GAME
    setup = game.setup(players=3, size="2/2/2")
    deal = game.deal(setup, Random(3))
    wrong = [gem.id for gem in setup.edition.gems if deal[location(gem.id)] != HIDDEN]
    silent = 2 if instead else 0
    moves = (
        Lay(shuffled(setup, Random(3))),
        Declare(wrong[0]),
        *[Silent()] * silent,
        Declare(wrong[1]),
    )
    state, outcomes = game.start(setup, deal), []
    for move in moves:
        state, outcome = state.play(move)
        outcomes += [] if outcome is None else [outcome]
    declared = [told.public for told in outcomes if isinstance(told.public, Declaration)]
    assert [public.instead for public in declared] == [True, instead]
    assert [public.turn for public in declared] == [1, 2 if instead else 1]
    record = Record(game, setup, tuple(outcomes), truth=deal)
    for told in (record, *map(record.seen_by, setup.players)):
        check_record(told)
    bare = Record(game, setup, (outcomes[0], *map(_without, outcomes[1:])), truth=deal)
    assert bare.replay().turns == record.replay().turns
    position = game.start(setup, deal).follow(outcomes[0])
    for outcome in outcomes[1:]:
        assert game.with_derived_parts(position, _without(outcome)) == outcome
        position = position.follow(outcome)


def _without(outcome: Outcome[Any]) -> Outcome[Any]:
    public = outcome.public
    return Outcome(
        Declaration(turn=public.turn, player=public.player, gem=public.gem, right=public.right),
        outcome.secret,
    )


def check_record(record: Record[Any, Any]) -> None:
    """Every event is read as it was meant."""
    position = record.game.start(record.setup, record.truth)
    seat = None if record.seat is None else record.seat.player
    for outcome, state in zip(record.outcomes, record.replay().states, strict=False):
        check_sentence(record.game, Situation(record.setup, position, seat, state), outcome)
        position = position.follow(outcome)


# ---- a whole game ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "written"), [("classic", True), ("classic", False), ("study", True)]
)
def test_a_whole_game_is_typed(rules: str, written: bool, tmp_path: Path) -> None:
    """At full size, from one seat, in short forms: then the seat knows what it knew."""
    table: Table[Any, Any] = Table.of(sleuth.GAME, minds=["lead"], seed=5, rules=rules, players=5)
    for _ in table:
        pass
    record = table.record.seen_by("bob")
    if not written:
        record = _unwritten(record)
    assert record.seat is not None
    setup = record.setup
    dealt = read_hand(sleuth.GAME, setup, "bob", " ".join(record.seat.holds))
    assert dealt == record.seat.holds
    journal = Journal.begin(tmp_path / "log.jsonl", sleuth.GAME, setup, seat=Seat("bob", dealt))
    lengths: list[int] = []
    for outcome in record.outcomes:
        text = told_shortly(sleuth.GAME.act(outcome), journal.situation, outcome)
        assert journal.enter(text).pending is None
        lengths.append(len(text))
        journal = Journal.open(journal.path) if len(lengths) % 10 == 0 else journal
    assert journal.record.outcomes == record.outcomes
    assert journal.moment.marks("bob") == record.replay().marks("bob")
    assert _median(lengths[1:]) <= 32


def _median(numbers: Sequence[int]) -> int:
    return sorted(numbers)[len(numbers) // 2]


def _unwritten(record: Record[Any, Any]) -> Record[Any, Any]:
    """The same game, if question cards are not written down."""
    outcomes = []
    for outcome in record.outcomes:
        public = outcome.public
        left_out: dict[str, Any] = {"rows": {}}
        if not isinstance(public, Opening):
            left_out = {} if isinstance(public, Declaration) else {"card": None, "drawn": None}
        outcomes.append(Outcome(msgspec.structs.replace(public, **left_out), outcome.secret))
    return replace(record, outcomes=tuple(outcomes))
