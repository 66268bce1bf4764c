"""The language of events: all printed sentences can be typed, whatever the names of the cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symkripke.cli.beginning import hand_of
from symkripke.engines import engine
from symkripke.errors import PhraseError
from symkripke.play import Game, Record, Seat, Table
from symkripke.play.acts import (
    Pending,
    Situation,
    Understood,
    completions,
    numbers_to_choose,
    read,
)
from symkripke.play.acts.matching import Typed
from symkripke.play.acts.reading import near_titles
from symkripke.testing.games import check_sentence
from symkripke_games import cluedo, kwartet, old_maid, perudo, sleuth
from symkripke_games.perudo.rules import Raise

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
_NAMES = ["no", "show", "nobody", "passes", "lee", "a", "for", "lead", "me", "i"]

_RANKS = ["king", "jack", "two", "nothing", "card", "keeps", "begins", "from"]
_DICE = ["six", "dudo", "aces", "x", "exact", "all", "three", "begins"]

EDITIONS: dict[str, tuple[Game[Any, Any], str]] = {
    "cluedo": (cluedo.GAME, _CLUEDO),
    "kwartet": (kwartet.GAME, _KWARTET),
    "sleuth": (sleuth.GAME, _SLEUTH),
}
OTHERS: dict[str, tuple[Game[Any, Any], list[str], dict[str, Any]]] = {
    "old maid, classic": (old_maid.GAME, _NAMES, {"players": 4}),
    "old maid, study": (old_maid.GAME, _RANKS, {"rules": "study", "players": 3, "ranks": 9}),
    "old maid, chosen": (old_maid.GAME, _RANKS, {"players": 4, "ranks": 8, "choose": True}),
    "perudo, classic": (perudo.GAME, _NAMES, {"players": 3, "dice": 3}),
    "perudo, calza": (perudo.GAME, _DICE, {"players": 4, "dice": 2, "calza": True}),
    "perudo, many faces": (perudo.GAME, _DICE, {"players": 3, "dice": 2, "faces": 12}),
    "perudo, study": (perudo.GAME, _DICE, {"rules": "study", "players": 3, "dice": 2}),
}


@settings(max_examples=16)
@given(st.sampled_from(sorted(EDITIONS)), st.permutations(_NAMES), st.integers(0, 1000), st.data())
def test_printed_sentences_can_be_typed(name: str, names: list[str], seed: int, data: Any) -> None:
    """This holds for every viewer, in full and in short, with any names of cards and players."""
    game, edition = EDITIONS[name]
    path = Path(__file__).with_name(f"edition-{name}.toml")
    path.write_text(edition)
    try:
        setup = game.setup(players=4, names=names[:4], edition=str(path))
    finally:
        path.unlink()
    check_game(game, setup, seed, data.draw(st.sampled_from((None, *setup.players))))


@settings(max_examples=16)
@given(st.sampled_from(sorted(OTHERS)), st.integers(0, 1000), st.data())
def test_ranks_dice_and_calls_can_be_names(name: str, seed: int, data: Any) -> None:
    """This holds for every viewer, in full and in short form, with any names of players."""
    game, names, options = OTHERS[name]
    chosen = data.draw(st.permutations(names))[: options["players"]]
    setup = game.setup(names=chosen, **options)
    check_game(game, setup, seed, data.draw(st.sampled_from((None, *setup.players))))


def check_game(game: Game[Any, Any], setup: Any, seed: int, viewer: str | None) -> None:
    """Check that the viewer's sentences for the first events of a game are parsed correctly."""
    table: Table[Any, Any] = Table(game, setup, ["random"], seed)
    for number, _ in enumerate(table, 1):
        if number == 12:
            break
    record = table.record
    check_record(record if viewer is None else record.seen_by(viewer))


def check_record(record: Record[Any, Any]) -> None:
    """Check that the sentences for all events of a record are parsed correctly."""
    position = record.game.start(record.setup, record.truth)
    seat = None if record.seat is None else record.seat.player
    for outcome, state in zip(record.outcomes, record.replay().states, strict=False):
        check_sentence(record.game, Situation(record.setup, position, seat, state), outcome)
        position = position.follow(outcome)


def test_a_player_may_have_the_name_of_a_card() -> None:
    """The text "a a" could mean the aces of player A, or two aces of another player."""
    setup = old_maid.GAME.setup(names=["A", "show", "passes", "lee"])
    check_game(old_maid.GAME, setup, 690, "lee")


# ---- input of people ----------------------------------------------------------------------------

_NAMED: dict[str, Any] = {"players": 4, "names": ["tom", "anna", "lee", "bob"]}
_MINE = "white scarlett dagger kitchen lounge"
_MAID: dict[str, Any] = {"rules": "study", "players": 3, "ranks": 4}
_ANIMALS = (
    "crazy_pig fat_cow flying_cape invisible_girl broccoli brown_bread carrot_juice loose_rug "
    "sleeping_cat garden_rake evil_twin bagpipe steam_engine cheesecake chocolate_tart mercury "
    "venus saturn"
)
_DISCARDED = "ann k; cath a; ann begins"

# For each name: the game, its setup, the player with the log, their cards, and earlier events.
TABLES: dict[str, tuple[Game[Any, Any], dict[str, Any], str, str, str]] = {
    "cluedo": (cluedo.GAME, _NAMED, "tom", _MINE, ""),
    "cluedo, anna": (cluedo.GAME, _NAMED, "anna", _MINE, "tom: no suggestion"),
    "cluedo, known": (cluedo.GAME, _NAMED, "tom", _MINE, "plum pipe hall; -; -; -\nno suggestion"),
    "maid": (old_maid.GAME, _MAID, "bob", "ace king queen jack jack", ""),
    "maid, draw": (old_maid.GAME, _MAID, "bob", "ace king queen jack jack", _DISCARDED),
    "maid, ann": (old_maid.GAME, _MAID, "ann", "king king ace queen jack", "bob j; cath a; ann"),
    "maid, 4": (
        *(old_maid.GAME, {"players": 4}, "bob"),
        "ace ace king king queen jack ten ten two two three nine eight",
        "",
    ),
    "kwartet": (kwartet.GAME, {"players": 3}, "ann", _ANIMALS, "-"),
    "sleuth": (
        *(sleuth.GAME, {"players": 4}, "ann", "rps gdp gdc yds ypc bdc bop bpc"),
        "rpp gos boc; -",
    ),
    "perudo": (perudo.GAME, {"players": 3, "dice": 3}, "ann", "1 3 5", ""),
    "perudo, a bid": (perudo.GAME, {"players": 3, "dice": 3}, "ann", "1 3 5", "1 five\nbob 2x3"),
}


def entered(name: str, text: str) -> Understood | Pending:
    """Return the meaning of a text's last line at the named table, after the earlier events."""
    game, options, seat, holds, before = TABLES[name]
    setup = game.setup(**options)
    course = Record(game, setup, seat=Seat(seat, tuple(holds.split()))).begun(engine())
    *lines, last = f"{before}\n{text}".split("\n") if before else text.split("\n")
    for line in lines:
        situation = Situation(setup, course.positions[-1], seat, course.states[-1])
        happened = read(game.acts, situation, line)
        assert isinstance(happened, Understood), happened
        course.append(happened.outcome)
    return read(game.acts, Situation(setup, course.positions[-1], seat, course.states[-1]), last)


# Each text means the same as its printed sentence.
ALIKE: list[tuple[str, str, list[str]]] = [
    (
        "cluedo",
        "Tom asks for Reverend Green, Rope, Study. Anna passes. Lee shows Rope.",
        [
            "tom: green rope study; anna -; lee !rope",
            "tom: green rope study; lee !rope",
            "green rope study; lee!rope",
            "TOM: GREEN, ROPE, STUDY. -. !ROPE",
            "Tom asks for Green with the rope in the study; Anna passes; Lee shows the rope",
            "Tom suggests study, rope and reverend green: anna no, lee yes: rope",
            "to: gree ro stu; an -; le ! ro",
            "i asked for Green rope study; lee showed the rope",
            "me: green rope study; anna nope; lee !rope",
            "Tom asked for Green, Rope, Study. Anna passed. Lee showed rope.",
        ],
    ),
    ("cluedo", "Tom makes no suggestion.", ["tom: no suggestion", "skips", "tom made none"]),
    (
        "cluedo",
        "Tom accuses Professor Plum, Rope, Hall: right!",
        ["tom accuses plum rope hall: right"],
    ),
    (
        "cluedo",
        "Tom accuses Professor Plum, Rope, Hall: wrong. In the envelope: Reverend Green, Rope, "
        "Hall.",
        ["tom accuses plum rope hall: wrong; envelope: green rope hall"],
    ),
    (
        "cluedo",
        "Tom asks for Mrs Peacock, Rope, Hall. Anna passes. Lee passes. Bob passes. "
        "Nobody shows a card.",
        ["Mrs. Peacock rope hall; nobody", "my peacock rope hall; nobody has it"],
    ),
    (
        "maid",
        "Ann discards two kings. Bob discards two jacks. Cath discards two aces. Ann begins.",
        [
            "ann discards two kings; cath a pair of aces; ann",
            "ann k cath a ann",
            "kings; aces; ann",
            "cath aa; bob jj; ann kk; ann first",
            "k. a. ann",
        ],
    ),
    (
        "maid, draw",
        "Ann draws a card from Bob and discards two kings.",
        ["bob kk", "ann bob kings", "ann draws k from bob and discards kings"],
    ),
    (
        "maid, draw",
        "Ann draws a card from Cath and keeps it.",
        ["cath -", "draws from cath, keeps it"],
    ),
    (
        "maid, draw",
        "Ann draws an ace from Bob and keeps it.",
        ["ace bob", "ann draws a from bob", "bob keeps ace"],
    ),
    (
        "kwartet",
        "Ann asks Bob for Smelly goat (Farm animals). No.",
        ["ann asked bob for smelly goat: nope"],
    ),
    ("sleuth", "Ann asks Bob for Cluster gems: 2.", ["i ask bob for clusters: 2"]),
    ("sleuth", "Ann asks Bob for Red Opal gems. Bob shows no gem.", ["ann: bob red opal nobody"]),
    ("perudo", "Ann bids 2 fives.", ["i say two 5s", "me 2 5's", "2x5", "ann two fives"]),
    ("perudo", "Ann bids 2 sixes.", ["2 sixs"]),
    (
        "perudo, a bid",
        "Cath doubts it: dudo! All show: Ann 1 3 5; Bob 2 2 6; Cath 4 4 4. "
        "Bob bid 2 threes; there are 2: Cath is wrong, and Cath loses a die.",
        [
            "dudo 226; 444",
            "cath dudo bob 226 cath 444",
            "cath doubts; cath: 4 4 4; bob: 6, 2 and 2; ann 5 1 3",
            "dudo 226444",
            "liar: two six two; four 4 four",
            "cath doubts bob 226 444",
            "calls it; 226 444",
        ],
    ),
]


@pytest.mark.parametrize(
    ("name", "printed", "text"),
    [(name, printed, text) for name, printed, texts in ALIKE for text in (printed, *texts)],
)
def test_human_input_is_understood(name: str, printed: str, text: str) -> None:
    found = entered(name, text)
    assert isinstance(found, Understood), found
    game, options, seat, *_ = TABLES[name]
    assert game.story(game.setup(**options), found.outcome, seat) == printed


# An invalid text, words of the error message, and the text from the reported position on.
WRONG: list[tuple[str, str, str, str]] = [
    ("cluedo", "tom: green roap study", "a weapon or a room, got 'roap'; did you mean", "roap"),
    ("cluedo", "tom: mrs rope study", "'mrs' could be Mrs White or Mrs Peacock", "mrs"),
    ("cluedo", "Mrs. Whtie rope hall", "did you mean 'Mrs White'", "Mrs"),
    ("cluedo", "anna: green rope study; lee !", "it is Tom's turn, not Anna's", "anna"),
    ("cluedo", "anna: green roap study", "it is Tom's turn, not Anna's", "anna"),
    ("cluedo", "tom: green rope study; lee !hall", "the card that is shown", "hall"),
    ("cluedo", "tom: green rope study; tom !", "asks, and does not answer", "tom !"),
    ("cluedo", "tom: green rope study; lee -; lee !", "Lee has answered already", "lee !"),
    ("cluedo", "tom: green rope study; lee -; anna !", "Anna was left out before Lee", "anna !"),
    ("cluedo", "tom: green rope study; bob -; lee !", "all have answered", "lee !"),
    ("cluedo", "tom: green rope study; ana ? ", "did you mean 'Anna'", "ana"),
    ("cluedo", "tom: green rope study; lee ! rope dagger", "the end of the event", "dagger"),
    ("cluedo", "plum rope lounge; tom -", "does not answer", "tom -"),
    ("cluedo, known", "lee: plum dagger hall; tom -", "has Dagger, so cannot pass", ""),
    ("cluedo, known", "lee: plum pipe hall; tom !", "so cannot show one", ""),
    ("maid, 4", "ann: two kings, 4 4", "one pair of fours (44) or two pairs", "4 4"),
    ("maid, 4", "ann 4 k 4", "fours are named twice", "4"),
    ("maid, 4", "ann 2 kings", "two kings, or a pair of 2s and a pair of kings", "2 kings"),
    ("maid, 4", "ann -; ann 44", "the pairs of Ann are already entered", "ann 44"),
    ("maid, 4", "bob 33", "according to the hand, Bob discards", ""),
    ("maid, draw", "ann q cath", "Bob does not see this: only Ann and Cath", "q"),
    ("maid, draw", "ann ace bob kk", "an ace makes no pair of kings", ""),
    ("maid, draw", "queem bob", "did you mean 'a queen'", "queem"),
    ("kwartet", "bob ann fog no", "it is Ann's turn, not Bob's", "bob"),
    ("kwartet", "ann: bob broccoli", "Ann has this card", ""),
    ("kwartet", "ann: bob halfling", "Ann has no card of", ""),
    ("perudo", "dudo", "there is no bid to call yet", ""),
    ("perudo", "bob 1 five", "it is Ann's turn, not Bob's", "bob"),
    ("perudo", "1 sevn", "expected a face, got 'sevn'", "sevn"),
    ("perudo", "1 5 6", "the end of the event", "6"),
    ("perudo, a bid", "cath doubts ann", "the bid is Bob's, not Ann's", "ann"),
    ("perudo, a bid", "cath calza", "calza cannot be called: this game was set", "calza"),
    ("perudo, a bid", "dudo; bob 334; bob 334", "the dice of Bob are already entered", "bob 334"),
    ("perudo, a bid", "dudo; ann 222", "Ann threw 1 3 5", ""),
]


@pytest.mark.parametrize(("name", "text", "problem", "at"), WRONG)
def test_errors_are_reported_at_their_place(name: str, text: str, problem: str, at: str) -> None:
    """Messages give the expected words and similar names; invalid text is never misread."""
    with pytest.raises(PhraseError) as raised:
        entered(name, text)
    error = raised.value
    assert problem in error.problem
    assert error.text[error.place :].startswith(at)
    assert str(error).endswith(f"\n  {' ' * error.place}^")


@pytest.mark.parametrize(
    ("name", "text", "ask"),
    [
        ("cluedo", "ask", "What does Tom ask for?"),
        ("cluedo", "tom: green rope", "And which room?"),
        ("cluedo", "tom: green rope study; lee !", "Which card does Lee show?"),
        ("cluedo, anna", "anna: green rope study; lee !", "Which card does Lee show?"),
        ("maid, draw", "", "From whom does Ann draw?"),
        ("maid, draw", "cath", "Does Ann keep the card, or discard a pair?"),
        ("maid, draw", "bob -", "Which card does Ann draw?"),
        ("maid, ann", "bob -", "Which card do you draw?"),
        ("perudo, a bid", "call", "What do the dice of Bob show?"),
        ("perudo, a bid", "dudo; bob 334", "What do the dice of Cath show?"),
        ("perudo, a bid", "dudo 226 444\ni threw 23", "2, 3, and one more:"),
    ],
)
def test_missing_parts_are_asked_for(name: str, text: str, ask: str) -> None:
    found = entered(name, text)
    assert isinstance(found, Pending), found
    assert found.ask == ask


def test_only_a_player_who_sees_a_card_can_name_it() -> None:
    assert isinstance(entered("cluedo, known", "lee: green rope study; bob !"), Understood)
    with pytest.raises(PhraseError, match="Tom does not see this: only Lee and Bob"):
        entered("cluedo, known", "lee: green rope study; bob ! rope")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tom: gre", ["Reverend Green"]),
        ("tom: green l", ["Lead Pipe", "Library", "Lounge"]),
        ("tom: green rope study; lee ", ["shows", "passes"]),
        ("tom ac", ["accuses"]),
    ],
)
def test_completion(text: str, expected: list[str]) -> None:
    """Completions are for the current word or the next one."""
    setup = cluedo.GAME.setup(**_NAMED)
    situation = Situation(setup, cluedo.GAME.start(setup, None), "bob")
    found = completions(cluedo.GAME.acts, situation, text)
    assert [way.text for way in found] == expected
    begun = text[found[0].start :].casefold()
    assert begun == "" or begun in found[0].text.casefold()


@pytest.mark.parametrize(
    ("names", "text", "bidder"),
    [
        (("ann", "bob", "cath"), "me 1 five", "ann"),
        (("ann", "me", "cath"), "me 1 five", ""),
        (("ann", "ivan", "cath"), "i 1 five", ""),
        (("ann", "ivan", "cath"), "me 1 five", "ann"),
    ],
)
def test_me_is_the_seat(names: tuple[str, ...], text: str, bidder: str) -> None:
    """A player named "me" takes precedence; a word that also begins another name is refused."""
    setup = perudo.GAME.setup(names=names, dice=3)
    situation = Situation(setup, perudo.GAME.start(setup, None), "ann")
    if bidder:
        found = read(perudo.GAME.acts, situation, text)
        assert isinstance(found, Understood)
        assert found.outcome.public.player == bidder
    else:
        with pytest.raises(PhraseError):
            read(perudo.GAME.acts, situation, text)


@pytest.mark.parametrize(
    ("game", "options", "seat", "holds", "cards"),
    [
        (cluedo.GAME, {}, "plum", "Mrs. Peacock, billiard, rope", "peacock billiard_room rope"),
        (perudo.GAME, {"dice": 3}, "ann", "1,3, 5", "1 3 5"),
    ],
)
def test_hands_are_typed_as_at_the_table(
    game: Game[Any, Any], options: dict[str, Any], seat: str, holds: str, cards: str
) -> None:
    """In commands, cards may be separated by commas or blanks."""
    for text in (holds, holds.replace(",", " ")):
        assert hand_of(game, game.setup(**options), seat, text) == tuple(cards.split())


# ---- all games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [cluedo.GAME, kwartet.GAME, old_maid.GAME, perudo.GAME, sleuth.GAME],
    ids=["cluedo", "kwartet", "old_maid", "perudo", "sleuth"],
)
def test_the_readme_lists_all_forms(game: Game[Any, Any]) -> None:
    """Each form of each phrase is in the table on the game's page."""
    package = __import__(type(game).__module__, fromlist=["x"])
    page = Path(str(package.__file__)).with_name("README.md").read_text()
    for phrase in game.acts:
        assert phrase.typed, phrase.kind
        for form, meaning in phrase.typed.items():
            assert f"| `{form}` | {meaning} |" in page


PLAYED: dict[str, tuple[Game[Any, Any], list[dict[str, Any]]]] = {
    "cluedo": (
        cluedo.GAME,
        [
            {"names": ["plum", "scarlett", "mustard"]},
            {"names": ["plum", "scarlett", "mustard"], "silence_speaks": True},
        ],
    ),
    "kwartet": (kwartet.GAME, [{"names": ["ann", "bob", "cath"]}]),
    "old_maid": (
        old_maid.GAME,
        [
            {"names": ["ann", "bob", "cath", "dan"], "choose": choose, "rules": rules}
            for rules, choose in (("classic", False), ("classic", True))
        ],
    ),
    "sleuth": (
        sleuth.GAME,
        [{"names": ["ann", "bob", "cath"]}, {"rules": "study", "names": ["ann", "bob", "cath"]}],
    ),
    "perudo": (perudo.GAME, [{"names": ["ann", "bob", "cath"], "calza": True}]),
}


def positions(game: Game[Any, Any], options: dict[str, Any]) -> list[Situation[Any]]:
    """Return all situations in which an event is entered in a game, for each of its players."""
    found: list[Situation[Any]] = []
    minds = [] if options.get("silence_speaks") else ["random"]
    table: Table[Any, Any] = Table.of(game, minds=minds, seed=1, **options)
    for _ in zip(range(60 if minds else 2), table, strict=False):
        pass
    truth = table.record
    for player in truth.setup.players:
        record = truth.seen_by(player)
        position = game.start(record.setup, None)
        for outcome, state in zip(record.outcomes, record.replay().states, strict=False):
            found.append(Situation(record.setup, position, player, state))
            position = position.follow(outcome)
    return found


@pytest.mark.parametrize("name", PLAYED)
def test_the_forms_in_the_readme_are_understood(name: str) -> None:
    """Each form of the table on the game's page can be typed somewhere in a game."""
    game, tables = PLAYED[name]
    every = [situation for options in tables for situation in positions(game, options)]
    for phrase in game.acts:
        for form in phrase.typed or {}:
            typed = form.removesuffix("; bob: ...")
            assert any(is_read(game, where, phrase.kind, typed) for where in every), form


def is_read(game: Game[Any, Any], situation: Situation[Any], kind: type[Any], text: str) -> bool:
    """Return whether a text is understood as such an event or the beginning of one."""
    try:
        found = read(game.acts, situation, text)
    except PhraseError:
        return False
    return isinstance(found, Pending) or isinstance(found.outcome.public, kind)


@pytest.mark.parametrize(
    ("bids", "text", "ways", "never"),
    [
        ((), "ann bids 1 ", {"two", "six"}, {"ace"}),  # nobody opens a round with aces
        ((), "ann bids ", {"1", "9"}, {"10"}),
        (((3, 6),), "bob bids ", {"2", "4", "9"}, {"1"}),  # two aces exceed three sixes
        (((3, 6),), "bob bids 3 ", {"aces"}, {"twos", "sixes"}),
        (((3, 5),), "bob bids 3 ", {"aces", "sixes"}, {"twos", "fives"}),
    ],
)
def test_bids_that_the_rules_forbid_are_not_offered(
    bids: Sequence[tuple[int, int]], text: str, ways: set[str], never: set[str]
) -> None:
    table: Table[Any, Any] = Table(perudo.GAME, perudo.GAME.setup(players=3, dice=3), ["random"], 1)
    state = perudo.GAME.start(table.setup, None)
    for quantity, face in bids:
        state, _ = state.play(Raise(quantity, face))
    situation = Situation(table.setup, state, "cath", table.moment.state)
    found = {way.text for way in completions(perudo.GAME.acts, situation, text)}
    assert ways <= found
    assert not never & found


def test_a_short_name_is_not_taken_for_a_number() -> None:
    numbers = numbers_to_choose(1, 9)
    assert near_titles(Typed("Eve"), 0, numbers) == ()  # "seven" contains the same letters
    assert near_titles(Typed("sevn"), 0, numbers) == ("7",)
    assert near_titles(Typed("fiv"), 0, numbers) == ("5",)


def test_a_hand_of_one_card_is_asked_for_in_the_singular() -> None:
    setup = kwartet.GAME.setup(groups=1)
    assert kwartet.GAME.hand_act is not None
    found = read([kwartet.GAME.hand_act], Situation(setup, None, "ann"), "")
    assert isinstance(found, Pending)
    assert found.ask == "Which card was Ann dealt?"
