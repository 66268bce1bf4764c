"""What people say at real tables: near forms are understood, what is unclear is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from symkripke.cli.beginning import hand_of
from symkripke.errors import PhraseError
from symkripke.play import Contradiction, Game, Journal, Seat
from symkripke.play.acts import Understood, read
from symkripke.play.acts.parts import Situation
from symkripke_games import cluedo, kwartet, old_maid, perudo, sleuth
from tests.play.test_phrases import cluedo_read, cluedo_story

MAID = "ace ace king king queen jack ten ten two two three nine eight"
ANIMALS = (
    "crazy_pig fat_cow flying_cape invisible_girl broccoli brown_bread carrot_juice loose_rug "
    "sleeping_cat garden_rake evil_twin bagpipe steam_engine cheesecake chocolate_tart mercury "
    "venus saturn"
)
CARDS = "green dagger hall study rope"
GEMS = "rps gdp gdc yds ypc bdc bop bpc"

TABLES: dict[str, tuple[Game[Any, Any], dict[str, Any], str, str, str]] = {
    "old maid": (old_maid.GAME, {"players": 4}, "bob", MAID, ""),
    "kwartet": (kwartet.GAME, {"players": 3}, "ann", ANIMALS, "-"),
    "sleuth": (sleuth.GAME, {"players": 4}, "ann", GEMS, "rpp gos boc; -"),
    "cluedo": (cluedo.GAME, {"players": 4}, "mustard", CARDS, ""),
    "cluedo, my turn": (cluedo.GAME, {"players": 4}, "mustard", CARDS, "scarlett: no suggestion"),
    "cluedo, known": (
        *(cluedo.GAME, {"players": 4}, "mustard", CARDS),
        "scarlett: plum pipe lounge; mustard -; white -; green -",
    ),
    "perudo": (perudo.GAME, {"players": 3, "dice": 3}, "ann", "1 3 5", ""),
    "perudo, a bid": (perudo.GAME, {"players": 3, "dice": 3}, "ann", "1 3 5", "ann 1 five"),
    "perudo, a round": (
        *(perudo.GAME, {"players": 3, "dice": 3}, "ann", "1 3 5"),
        "1 five;; dudo 226 444",
    ),
}


def at_table(name: str, path: Path, text: str) -> str:
    """What comes of a line at that table: the entry or what is told so far, or what is wrong."""
    game, options, seat, holds, before = TABLES[name]
    setup = game.setup(**options)
    journal = Journal.begin(path, game, setup, seat=Seat(seat, tuple(holds.split())))
    if before:
        journal.enter(before)
    try:
        entered = journal.enter(text)
    except PhraseError as error:
        return f"! {error.problem}"
    except Contradiction as error:
        return f"! {error.problem}"
    if entered.pending is None or not entered.pending.said:
        return entered.entries[-1].story
    return f"{entered.pending.said} ... {entered.pending.ask}"


@pytest.mark.parametrize(
    ("name", "text", "comes"),
    [
        ("old maid", "ann: two kings, 4 4", "! this can be one pair of fours (44) or two pairs"),
        ("old maid", "ann 4 k 4", "! fours are named twice: is that one pair of fours (44) or two"),
        ("old maid", "ann a a; cath -", "! this can be one pair of aces (aa) or two pairs (aa aa)"),
        ("old maid", "ann 2 kings", "! this can be two kings, or a pair of 2s and a pair of kings"),
        ("old maid", "ann kings 4s 8s", "Ann discards two kings, two fours and two eights. ..."),
        ("old maid", "ann two kings, 44", "Ann discards two kings and two fours. ... Which pairs"),
        ("old maid", "ann 44 44", "Ann discards four fours. ... Which pairs does Cath discard?"),
        ("old maid", "ann nobody", "Ann discards nothing. ... Which pairs does Cath discard?"),
        ("old maid", "dan -", "Dan discards nothing. ... Which pairs does Ann discard?"),
        ("old maid", "ann -\nann 44", "! the pairs of Ann are told already"),
        ("old maid", "me aa kk 1010 22; ann 44", "Bob discards. Ann discards two fours. ... Which"),
        (
            "kwartet",
            "ann asked bob for smelly goat: nope",
            "Ann asks Bob for Smelly goat (Farm animals). No.",
        ),
        ("kwartet", "i ask bob for smelly goat. bob has it", "Ann asks Bob for Smelly goat"),
        ("kwartet", "bob ann fog no", "! it is Ann's turn, not Bob's: tell first what Ann did"),
        ("sleuth", "i ask bob for clusters: 2", "Ann asks Bob for Cluster gems: 2."),
        ("sleuth", "ann: bob red diamonds 0", "Ann asks Bob for Red Diamond gems. Bob shows no"),
        ("sleuth", "ann: bob red opal. Bob shows 1 gem", "Ann asks Bob for Red Opal gems. Bob sh"),
        ("sleuth", "ann: bob red opal nobody", "Ann asks Bob for Red Opal gems. Bob shows no gem."),
        ("perudo", "i say two 5s", "Ann bids 2 fives."),
        ("perudo", "me 2 5's", "Ann bids 2 fives."),
        ("perudo", "2 sixs", "Ann bids 2 sixes."),
        ("perudo, a bid", "bob calls dudo", "Bob doubts it: dudo! All show ... What do the dice"),
        ("perudo, a bid", "bob says two 5s", "Bob bids 2 fives."),
        ("perudo, a bid", "bob says liar!", "Bob doubts it: dudo! All show ... What do the dice"),
        ("perudo, a bid", "bob doubts ann", "Bob doubts it: dudo! All show ... What do the dice"),
        ("perudo, a bid", "bob doubts cath", "! the bid is Ann's, not Cath's"),
        *(
            ("perudo, a bid", typed, "Bob doubts it: dudo! All show ... What do the dice")
            for typed in ("bob call", "call", "calls it", "call!")
        ),
        ("perudo, a bid", "bob calza", "! calza cannot be called: it is an option of the setup"),
        ("perudo, a bid", "bob xx", "! expected a number of dice from 1 to 9 or 'dudo', got 'xx'"),
        ("perudo, a bid", "bob 1 three", "! 1 three is no higher bid than 1 five: expected at"),
        ("perudo, a bid", "bob dudo; cath 334", "Bob doubts it: dudo! All show: Cath 3 3 4 ..."),
        ("perudo, a bid", "dudo; cath 334; cath 334", "! the dice of Cath are told already"),
        ("perudo, a round", "i threw 2 3 5 5", "! there are only 3 dice: what is '5'?"),
        ("perudo, a round", "i threw 23", "All throw: Ann 2 3 ... 2, 3, and one more:"),
    ],
)
def test_lines_at_tables(name: str, text: str, comes: str, tmp_path: Path) -> None:
    """What is said is understood, or what is wrong with it is told."""
    assert at_table(name, tmp_path / "log.jsonl", text).startswith(comes)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        (
            "cluedo",
            "scarlett: plum pipe lounge; mustard !",
            "Mustard has none of Professor Plum, Lead Pipe and Lounge, so cannot show one: "
            "expected 'Mustard passes'",
        ),
        (
            "cluedo",
            "scarlett: plum rope lounge; mustard -",
            "Mustard has Rope, so cannot pass: expected 'Mustard shows'",
        ),
        (
            "cluedo, my turn",
            "me: green rope hall; white !",
            "Mustard has all three cards, so White cannot show one: expected 'nobody'",
        ),
        ("kwartet", "ann: bob halfling", "Ann has no card of"),
        ("kwartet", "ann: bob broccoli", "Ann has this card: expected one that it lacks"),
        ("old maid", "bob 33", "by its hand, Bob discards two aces, two kings, two tens and two"),
        ("perudo", "1 five;; 2 fives;; cath dudo; ann 222", "Ann threw 1 3 5: expected these dice"),
    ],
)
def test_what_my_own_hand_excludes_is_refused_at_once(
    name: str, text: str, problem: str, tmp_path: Path
) -> None:
    """The rest of the event is not asked for."""
    assert at_table(name, tmp_path / "log.jsonl", text).startswith(f"! {problem}")


def test_what_is_known_to_be_impossible_is_refused_at_once(tmp_path: Path) -> None:
    """White passed, so has none of the cards: which one it shows is not asked for."""
    told = at_table("cluedo, known", tmp_path / "log.jsonl", "me: plum pipe lounge; white !")
    assert told == "! it does not fit what is known"


_SHOWN = "Tom asks for Mrs White, Rope, Hall. Anna passes. Lee shows Rope."


@pytest.mark.parametrize(
    ("text", "story"),
    [
        ("i asked for Mrs. White rope hall; lee showed the rope", _SHOWN),
        ("me: mrs.white rope hall; anna nope; lee !rope", _SHOWN),
        ("Tom asked for Mrs. White, Rope, Hall. Anna passed. Lee showed rope.", _SHOWN),
        ("tom asked nothing", "Tom makes no suggestion."),
        (
            "my green rope hall; nobody has it",
            "Tom asks for Reverend Green, Rope, Hall. Anna passes. Lee passes. Bob passes. "
            "Nobody shows a card.",
        ),
    ],
)
def test_near_forms_of_a_suggestion(text: str, story: str) -> None:
    """The past tense, titles with a full stop, and the player whose log it is."""
    assert cluedo_story(text) == story


@pytest.mark.parametrize(
    ("text", "problem", "is_understood"),
    [
        ("anna: green rope hall", "what is to be told first", True),
        ("Mrs. Whtie rope hall", "got 'Mrs. Whtie'; did you mean 'Mrs White'?", False),
        ("Mrs. rope hall", "could be Mrs White or Mrs Peacock", False),
    ],
)
def test_what_is_wrong_is_told(text: str, problem: str, is_understood: bool) -> None:
    """A line that is understood, but cannot be now, is told apart; a slip is not hidden."""
    with pytest.raises(PhraseError) as raised:
        cluedo_read(text)
    expected = "tell first what Tom did ('Tom: no suggestion', if nothing)"
    assert (expected if is_understood else problem) in raised.value.problem
    assert raised.value.is_understood is is_understood


@pytest.mark.parametrize(
    ("names", "text", "bidder"),
    [
        (("ann", "bob", "cath"), "me 1 five", "ann"),
        (("ann", "me", "cath"), "me 1 five", "me"),
        (("ann", "meg", "cath"), "me 1 five", ""),
        (("ann", "ivan", "cath"), "i 1 five", ""),
        (("ann", "ivan", "cath"), "me 1 five", "ann"),
    ],
)
def test_me_is_the_seat(names: tuple[str, ...], text: str, bidder: str) -> None:
    """Unless somebody is called so; if a name begins so, it is unclear, and refused."""
    setup = perudo.GAME.setup(names=names, dice=3)
    start = perudo.GAME.start(setup, None)
    situation = Situation(setup, start, "ann")
    if bidder == "ann":
        found = read(perudo.GAME.acts, situation, text)
        assert isinstance(found, Understood)
        assert found.outcome.public.player == "ann"
        return
    with pytest.raises(PhraseError) as raised:
        read(perudo.GAME.acts, situation, text)
    # "Me" is somebody else here, whose turn it is not.
    assert ("Ann's turn, not Me's" if bidder else "could be") in raised.value.problem


def test_undo_takes_back_one_line_of_a_begun_event(tmp_path: Path) -> None:
    """And not all of them."""
    setup = cluedo.GAME.setup(names=["tom", "anna", "lee"])
    hand = tuple(card.id for card in setup.edition.cards[::4][:6])
    path = tmp_path / "log.jsonl"
    journal = Journal.begin(path, cluedo.GAME, setup, seat=Seat("lee", hand))
    for line in ("tom: rope", "study", "peacock"):
        journal.enter(line)
    assert journal.undo() == "peacock"
    assert journal.pending is not None
    assert Journal.open(path).pending == journal.pending
    assert (journal.undo(), journal.undo()) == ("study", "tom: rope")
    assert journal.pending is None


def test_entries_are_counted_and_not_turns(tmp_path: Path) -> None:
    """In reasons and suspects, where the two differ; a wrong bid is told in words there."""
    game, options, seat, holds, before = TABLES["kwartet"]
    journal = Journal.begin(
        tmp_path / "log.jsonl", game, game.setup(**options), seat=Seat(seat, tuple(holds.split()))
    )
    journal.enter(f"{before}\nann bob smelly goat no")
    with pytest.raises(Contradiction) as raised:
        journal.enter("bob cath fog no;; cath bob smelly goat yes")
    lines = "\n".join(raised.value.diagnose().lines())
    assert "entry " in lines
    assert "turn " not in lines
    bids = Journal.begin(
        tmp_path / "bids.jsonl",
        perudo.GAME,
        perudo.GAME.setup(players=3, dice=3),
        seat=Seat("ann", ("1", "3", "5")),
    )
    bids.enter("2 fives")
    with pytest.raises(Contradiction) as wrong:
        bids.enter("bob 1 five")
    found = wrong.value.diagnose()
    assert [suspect.text for suspect in found.suspects][:1] == ["Bob bids 1 five."]


def test_the_bid_that_was_doubted_can_be_corrected(tmp_path: Path) -> None:
    """What the doubt says of that bid and of who is wrong is made anew."""
    setup = perudo.GAME.setup(players=3, dice=3)
    journal = Journal.begin(tmp_path / "log", perudo.GAME, setup, seat=Seat("ann", ("1", "3", "5")))
    journal.enter("ann 1 five;; bob 2 fours;; cath dudo 444 226")
    journal.edit(2, "bob 2 sixes")
    bid, doubt = (entry.story for entry in journal.entries[1:3])
    assert bid == "Bob bids 2 sixes."
    assert "Bob bid 2 sixes; there are 2: Cath is wrong, and Cath loses a die." in doubt
    journal.edit(2, "bob 4 fives")
    assert "Bob bid 4 fives; there are 2: Cath is right" in journal.entries[2].story


@pytest.mark.parametrize(
    ("game", "options", "seat", "holds", "cards"),
    [
        (cluedo.GAME, {}, "plum", "Mrs. Peacock, billiard, rope", "peacock billiard_room rope"),
        (
            *(old_maid.GAME, {"players": 4}, "bob", "A,A,K,K,Q,J,10,10,2,2,3,9,8"),
            "ace ace king king queen jack ten ten two two three nine eight",
        ),
        (perudo.GAME, {"dice": 3}, "ann", "1,3, 5", "1 3 5"),
    ],
)
def test_hands_are_written_as_at_the_table(
    game: Game[Any, Any], options: dict[str, Any], seat: str, holds: str, cards: str
) -> None:
    """By those who type a whole command, too: with commas or blanks."""
    for text in (holds, holds.replace(",", " ")):
        assert hand_of(game, game.setup(**options), seat, text) == tuple(cards.split())
