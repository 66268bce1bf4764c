"""Input for the events of Sleuth, and prompts for missing parts."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from symkripke.errors import PhraseError
from symkripke.play import Contradiction, Journal, Outcome, Seat
from symkripke.play.dealing import location
from symkripke_games import sleuth
from symkripke_games.sleuth.deck import shuffled
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.rules import Declaration, Declare, Lay

NAMES = ["ann", "bob", "cath", "dan", "eve"]
HAND = ("rps", "rdc", "gos", "gpp", "yop", "bdp", "bpc")
ROWS = (
    "ann: red diamond, diamond, green pearl, a free choice; bob: b y rs free; "
    "cath: ro, yo, bo, go; dan: o pa s rpe; eve: free free free bs"
)


def begun(path: Path, *told: str, seat: str = "ann", **options: Any) -> Journal[Any, Any]:
    """Return a journal of Ann, or of another player with her gems, with these entries."""
    setup = sleuth.GAME.setup(**{"names": NAMES, **options})
    journal = Journal.begin(
        path / "log.jsonl", sleuth.GAME, setup, seat=Seat(seat, HAND), replace=True
    )
    for text in told:
        assert journal.enter(text).pending is None, text
    return journal


def entered(journal: Journal[Any, Any], text: str) -> str:
    """Enter a text, and return the printed event."""
    (entry,) = journal.enter(text).entries
    return entry.story


def asks(journal: Journal[Any, Any]) -> str:
    """Return the current prompt."""
    assert journal.asked is not None
    return journal.asked.ask


# ---- the opening -------------------------------------------------------------------------------


def test_a_slip_among_many_question_cards_is_found_at_once(tmp_path: Path) -> None:
    """Without separators, the parser does not try all ways to divide the cards."""
    cards = [f"{colour} {kind}" for colour in ("red", "blue") for kind in ("opal", "pearl", "pair")]
    text = " ".join((*cards, *cards, *cards, "bluu"))
    with pytest.raises(PhraseError, match="got 'bluu'; did you mean 'Blue'"):
        begun(tmp_path).enter(text)


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
    """Ann holds one of the three Red Pearl gems, so Bob has shown the other two."""
    journal = begun(tmp_path, "-")
    assert entered(journal, text) == _TWO
    assert dict(journal.entries[-1].outcome.secret) == {
        "location(rpp)": "bob",
        "location(rpc)": "bob",
    }


def test_missing_parts_are_asked_for(tmp_path: Path) -> None:
    """The prompt asks for the other player's gems, as far as the seat sees them."""
    journal = begun(tmp_path, "-")
    for text, ask in (
        ("bob red", "How many Red gems does Bob have?"),
        ("opal", "Which Red Opal gems"),
        ("1", "Which Red Opal gems"),
    ):
        journal.enter(text)
        assert asks(journal).startswith(ask)
    assert entered(journal, "roc").endswith("Bob shows the Red Opal Cluster.")
    journal.enter("cath red opal")
    assert asks(journal) == "How many Red Opal gems does Cath show?"
    assert entered(journal, "-").endswith("Cath shows no gem.")
    with pytest.raises(PhraseError, match="Ann does not see this: only Cath and Dan"):
        journal.enter("dan red pearl 2 rps")


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("bob opl 2", "got 'opl'; did you mean 'Opal'?", "opl"),
        ("bob xyz", "expected 'declares' or a colour, a type or a quantity, got", "xyz"),
        ("bob red green 2", "expected a type or a quantity or how many, got 'green'", "green"),
        ("bob p 2", "'p' could be Pearl or Pair", "p 2"),
        ("ann red 2", "Ann cannot ask themselves", "ann"),
        ("cath: bob red 2", "it is Ann's turn, not Cath's", "cath"),
        ("bob red opal yoc", "expected a gem that is shown, or how many, got 'yoc'", "yoc"),
        ("bob red opal 2; roc +gp", "expected a gem that is shown, got '+'", "+gp"),
        ("bob red opal 1 roc gp", "expected the end of the event, got 'gp'", "gp"),
    ],
)
def test_errors_point_at_the_place(text: str, problem: str, at: str, tmp_path: Path) -> None:
    """Messages give the expected words and similar names."""
    with pytest.raises(PhraseError) as raised:
        begun(tmp_path, "-").enter(text)
    assert problem in raised.value.problem
    assert text[raised.value.place :].startswith(at)


# ---- question cards ----------------------------------------------------------------------------


def test_the_card_that_is_used(tmp_path: Path) -> None:
    """The row determines the card if only one fits; if two fit, a free choice must be named."""
    journal = begun(tmp_path, ROWS)
    journal.enter("bob diamond 2")
    assert asks(journal) == "Which question card does Ann draw?"
    assert entered(journal, "gpa") == "Ann asks Bob for Diamond gems: 2. Ann draws Green Pair."
    with pytest.raises(PhraseError, match="expected"):
        journal.enter("cath b 2 free +y o")
    entered(journal, "cath b free 2 +yd")
    with pytest.raises(PhraseError, match="no question card for Red Pearl lies before Cath"):
        journal.enter("dan red pearl 2 +y")
    for text, used in (
        ("dan red opal - +free", ("red opal", "free")),
        ("ann red pearl +gs", ("red pearl", "green solitaire")),
        ("cath red pearl 1 draws pearl solitaire", ("free", "pearl solitaire")),
    ):
        entered(journal, text)
        public = journal.entries[-1].outcome.public
        assert (public.card, public.drawn) == used


# ---- declarations ------------------------------------------------------------------------------


def test_last_questions_and_declarations(tmp_path: Path) -> None:
    """After a last question its player declares; a wrong declarer looks at the hidden gem."""
    journal = begun(tmp_path, "-", "bob red 2", "eve declares gos")
    with pytest.raises(Contradiction, match="is out"):
        journal.enter("eve declares gop: wrong")
    journal.enter("cath last opal 1")
    assert asks(journal) == "Which gem does Bob declare?"
    assert entered(journal, "yds wrong") == "Bob declares the Yellow Diamond Solitaire: wrong."
    journal.enter("ann declares ydc wrong")
    assert asks(journal) == "Which gem is hidden?"
    assert entered(journal, "rds").endswith("wrong. Hidden: the Red Diamond Solitaire.")
    assert entered(journal, "cath declares rds").endswith("right!")


def test_logs_need_not_say_that_a_declaration_was_made_instead_of_a_question() -> None:
    game, setup = sleuth.GAME, sleuth.GAME.setup(players=3, size="2/2/2")
    deal = game.deal(setup, Random(3))
    wrong = [gem.id for gem in setup.edition.gems if deal[location(gem.id)] != HIDDEN]
    state = game.start(setup, deal)
    declared = []
    for move in (Lay(shuffled(setup, Random(3))), *map(Declare, wrong[:2])):
        before = state
        state, outcome = state.play(move)
        assert outcome is not None
        public = outcome.public
        if isinstance(public, Declaration):
            bare: Outcome[Any] = Outcome(msgspec.structs.replace(public, instead=False), {})
            assert game.with_derived_parts(before, bare) == outcome
            declared.append(public.instead)
    assert declared == [True, False]
