"""The language of events: what is printed can be typed, whatever the cards are called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
def test_what_is_printed_can_be_typed(name: str, names: list[str], seed: int, data: Any) -> None:
    """For every viewer, in full and in short, however the cards and players are called."""
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
    """For every viewer, in full and in short, however the players are called."""
    game, names, options = OTHERS[name]
    chosen = data.draw(st.permutations(names))[: options["players"]]
    setup = game.setup(names=chosen, **options)
    check_game(game, setup, seed, data.draw(st.sampled_from((None, *setup.players))))


def check_game(game: Game[Any, Any], setup: Any, seed: int, viewer: str | None) -> None:
    """The first events of a game are read as they were meant by that viewer."""
    table: Table[Any, Any] = Table(game, setup, ["random"], seed)
    for number, _ in enumerate(table, 1):
        if number == 12:
            break
    record = table.record
    check_record(record if viewer is None else record.seen_by(viewer))


def check_record(record: Record[Any, Any]) -> None:
    """Every event of a record is read as it was meant."""
    position = record.game.start(record.setup, record.truth)
    seat = None if record.seat is None else record.seat.player
    for outcome, state in zip(record.outcomes, record.replay().states, strict=False):
        check_sentence(record.game, Situation(record.setup, position, seat, state), outcome)
        position = position.follow(outcome)


def test_a_player_may_be_called_like_a_card() -> None:
    """ "a a" would be the aces of that player, or two aces of another one."""
    setup = old_maid.GAME.setup(names=["A", "show", "passes", "lee"])
    check_game(old_maid.GAME, setup, 690, "lee")


# ---- Cluedo ------------------------------------------------------------------------------------

SETUP = cluedo.GAME.setup(players=4, names=["tom", "anna", "lee", "bob"])
START = cluedo.GAME.start(SETUP, None)


def cluedo_read(text: str, seat: str = "tom") -> Understood | Pending:
    """What the text tells at the beginning of a game."""
    return read(cluedo.GAME.acts, Situation(SETUP, START, seat), text)


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
        ("tom: green rope study; tom !", "Tom asks, and does not answer; Anna answers", "tom !"),
        ("tom: green rope study; lee -; lee !", "Lee has answered already; Bob answers", "lee !"),
        ("tom: green rope study; lee -; anna !", "Anna was left out before Lee, and so", "anna !"),
        ("tom: green rope study; lee -; me !", "Tom asks, and does not answer; Bob", "me !"),
        ("tom: green rope study; bob -; lee !", "all have answered: what is 'lee'?", "lee !"),
        ("anna: green rope study; me !hall", "it is Tom's turn, not Anna's", "anna"),
        ("anna: green roap study", "it is Tom's turn, not Anna's", "anna"),
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
    found = completions(cluedo.GAME.acts, Situation(SETUP, START, "bob"), text)
    assert [way.text for way in found] == expected
    begun = text[found[0].start :].casefold()
    assert begun == "" or begun in found[0].text.casefold()


# ---- Old Maid ----------------------------------------------------------------------------------


def told(
    game: Game[Any, Any], texts: str, seat: str, holds: str, **options: Any
) -> list[str | Pending]:
    """What texts tell, one after another: the events as they are printed, or what is missing."""
    setup = game.setup(**options)
    record = Record(game, setup, seat=Seat(seat, tuple(holds.split())))
    course = record.begun(engine())
    found: list[str | Pending] = []
    for text in texts.split("\n"):
        situation = Situation(setup, course.positions[-1], seat, course.states[-1])
        understood = read(game.acts, situation, text)
        if isinstance(understood, Pending):
            found.append(understood)
            continue
        outcome = understood.outcome
        found.append(game.story(setup, outcome, seat))
        course.append(outcome)
    return found


_MAID = {"rules": "study", "players": 3, "ranks": 4}
_HELD = "ace king queen jack jack"
_DISCARDED = "Ann discards two kings. Bob discards two jacks. Cath discards two aces. Ann begins."


@pytest.mark.parametrize(
    "text",
    [
        _DISCARDED,
        "ann k; cath a; ann begins",
        "ann discards two kings; cath a pair of aces; ann",
        "ann k cath a ann",
        "kings; aces; ann",
        "cath aa; bob jj; ann kk; ann first",
        "k. a. ann",
    ],
)
def test_discards_can_be_said_in_many_ways(text: str) -> None:
    """In any order; Bob knows what he discards himself."""
    assert told(old_maid.GAME, text, "bob", _HELD, **_MAID) == [_DISCARDED]


@pytest.mark.parametrize(
    ("text", "story"),
    [
        ("bob kk", "Ann draws a card from Bob and discards two kings."),
        ("ann bob kings", "Ann draws a card from Bob and discards two kings."),
        ("ann draws k from bob and discards kings", "Ann draws a card from Bob and discards two"),
        ("cath -", "Ann draws a card from Cath and keeps it."),
        ("draws from cath, keeps it", "Ann draws a card from Cath and keeps it."),
        ("ace bob", "Ann draws an ace from Bob and keeps it."),
        ("ann draws a from bob", "Ann draws an ace from Bob and keeps it."),
        ("bob keeps ace", "Ann draws an ace from Bob and keeps it."),
    ],
)
def test_draws_can_be_said_in_many_ways(text: str, story: str) -> None:
    """Who draws is clear; what was drawn is named by who saw it."""
    _, found = told(old_maid.GAME, f"{_DISCARDED}\n{text}", "bob", _HELD, **_MAID)
    assert isinstance(found, str), found
    assert found.startswith(story)


def test_what_is_missing_of_a_draw_is_asked_for() -> None:
    """From whom, whether it is kept, and what it was; by its seat alone."""
    for text, seat, holds, ask in (
        ("", "bob", _HELD, "From whom does Ann draw?"),
        ("cath", "bob", _HELD, "Does Ann keep the card, or discard a pair?"),
        ("bob -", "bob", _HELD, "Which card does Ann draw?"),
        ("bob -", "ann", "king king ace queen jack", "Which card do you draw?"),
    ):
        _, found = told(old_maid.GAME, f"{_DISCARDED}\n{text}", seat, holds, **_MAID)
        assert isinstance(found, Pending)
        assert found.ask == ask
    with pytest.raises(PhraseError, match="Bob does not see this: only Ann and Cath"):
        told(old_maid.GAME, f"{_DISCARDED}\nann q cath", "bob", _HELD, **_MAID)
    with pytest.raises(PhraseError, match="an ace makes no pair of kings"):
        told(old_maid.GAME, f"{_DISCARDED}\nann ace bob kk", "bob", _HELD, **_MAID)
    with pytest.raises(PhraseError, match="did you mean 'a queen'"):
        told(old_maid.GAME, f"{_DISCARDED}\nqueem bob", "bob", _HELD, **_MAID)


# ---- Perudo ------------------------------------------------------------------------------------

_CALLED = (
    "Cath doubts it: dudo! All show: Ann 1 3 5; Bob 2 2 6; Cath 4 4 4. "
    "Bob bid 2 threes; there are 2: Cath is wrong, and Cath loses a die."
)


@pytest.mark.parametrize(
    "call",
    [
        _CALLED,
        "dudo 226; 444",
        "cath dudo bob 226 cath 444",
        "cath doubts; cath: 4 4 4; bob: 6, 2 and 2; ann 5 1 3",
        "dudo 226444",
        "liar: two six two; four 4 four",
    ],
)
def test_calls_can_be_said_in_many_ways(call: str) -> None:
    """The verdict follows; one's own dice are known; the new throw is told by its dice."""
    texts = f"1 five\nbob 2x3\n{call}\n615\nCath bids 1 four."
    assert told(perudo.GAME, texts, "ann", "1 3 5", players=3, dice=3) == [
        "Ann bids 1 five.",
        "Bob bids 2 threes.",
        _CALLED,
        "All throw: Ann 1 5 6. Cath begins.",
        "Cath bids 1 four.",
    ]


def test_dice_are_asked_for_one_player_after_another() -> None:
    """Who is out throws no dice, and has nothing to tell."""
    dice = {"players": 3, "dice": 1}
    texts = "1 five\nbob 1 six\ncath dudo"
    *_, found = told(perudo.GAME, texts, "ann", "6", **dice)
    assert isinstance(found, Pending)
    assert found.said == "Cath doubts it: dudo! All show"
    assert found.ask == "What do the dice of Bob show?"
    assert [choice.title for choice in found.choices] == list("123456")
    *_, found = told(perudo.GAME, f"{texts} 3", "ann", "6", **dice)
    assert isinstance(found, Pending)
    assert found.ask == "What do the dice of Cath show?"
    *_, called, thrown, asked = told(perudo.GAME, f"{texts} 3; 2\n\n", "cath", "2", **dice)
    assert called == (
        "Cath doubts it: dudo! All show: Ann 3; Bob 2; Cath 2. "
        "Bob bid 1 six; there are 0: Cath is right, and Bob loses a die."
    )
    assert isinstance(thrown, Pending)
    assert thrown.ask == "What do your dice show?"
    assert isinstance(asked, Pending)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("dudo", "there is no bid to be called yet"),
        ("bob 1 five", "it is Ann's turn, not Bob's"),
        ("1 sevn", "expected a face, got 'sevn'"),
        ("1 5 6", "expected the end of the event"),
        ("1 five\ncalza", "calza cannot be called: it is an option of the setup"),
        ("1 five\ndudo 7", "got '7'"),
    ],
)
def test_wrong_bids_and_calls(text: str, problem: str) -> None:
    """They are refused; what the rules forbid of a bid is told by the rules."""
    with pytest.raises(PhraseError) as raised:
        told(perudo.GAME, text, "ann", "1 3 5", players=3, dice=3)
    assert problem in raised.value.problem


# ---- all games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [cluedo.GAME, kwartet.GAME, old_maid.GAME, perudo.GAME, sleuth.GAME],
    ids=["cluedo", "kwartet", "old_maid", "perudo", "sleuth"],
)
def test_the_readme_says_what_can_be_typed(game: Game[Any, Any]) -> None:
    """Each form of each phrase stands in the table of the game's page."""
    package = __import__(type(game).__module__, fromlist=["x"])
    page = Path(str(package.__file__)).with_name("README.md").read_text()
    for phrase in game.acts:
        assert phrase.typed, phrase.kind
        for form, meaning in phrase.typed.items():
            assert f"| `{form}` | {meaning} |" in page


TABLES: dict[str, tuple[Game[Any, Any], list[dict[str, Any]]]] = {
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
    """Where an event is said in a game, by each of its players."""
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


@pytest.mark.parametrize("name", TABLES)
def test_what_the_readme_says_is_read(name: str) -> None:
    """Each form of the table on the game's page can be typed somewhere in a game."""
    game, tables = TABLES[name]
    every = [situation for options in tables for situation in positions(game, options)]
    for phrase in game.acts:
        for form in phrase.typed or {}:
            typed = form.removesuffix("; bob: ...")
            assert any(is_read(game, where, phrase.kind, typed) for where in every), form


def is_read(game: Game[Any, Any], situation: Situation[Any], kind: type[Any], text: str) -> bool:
    """Whether a text is understood there, as such an event or as the beginning of one."""
    try:
        found = read(game.acts, situation, text)
    except PhraseError:
        return False
    return isinstance(found, Pending) or isinstance(found.outcome.public, kind)


@pytest.mark.parametrize(
    ("game", "options", "text", "ways"),
    [
        (perudo.GAME, {"players": 3}, "", {"Ann", "1", "2"}),
        (perudo.GAME, {"players": 3}, "2 s", {"sixes"}),
        (perudo.GAME, {"players": 3}, "ann b", {"bids"}),
        (old_maid.GAME, {"players": 3}, "ann k", {"two kings", "four kings"}),
        (old_maid.GAME, {"players": 3}, "c", {"Cath"}),
    ],
)
def test_tab_completes(
    game: Game[Any, Any], options: dict[str, Any], text: str, ways: set[str]
) -> None:
    """Bids, faces, players and pairs, at the beginning of a game."""
    table: Table[Any, Any] = Table(game, game.setup(**options), ["random"], 1)
    next(iter(table))
    record = table.record.seen_by(table.setup.players[1])
    situation = Situation(
        record.setup,
        game.start(record.setup, None),
        record.setup.players[1],
        record.replay().at(0).state,
    )
    assert ways <= {way.text for way in completions(game.acts, situation, text)}


@pytest.mark.parametrize(
    ("bids", "text", "ways", "never"),
    [
        ((), "ann bids 1 ", {"two", "six"}, {"ace"}),  # no round is opened with aces
        ((), "ann bids ", {"1", "9"}, {"10"}),
        (((3, 6),), "bob bids ", {"2", "4", "9"}, {"1"}),  # two aces are more than three sixes
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
    assert near_titles(Typed("Eve"), 0, numbers) == ()  # "seven" has the same letters
    assert near_titles(Typed("sevn"), 0, numbers) == ("7",)
    assert near_titles(Typed("fiv"), 0, numbers) == ("5",)


def test_a_hand_of_one_card_is_asked_for_in_the_singular() -> None:
    setup = kwartet.GAME.setup(groups=1)
    assert kwartet.GAME.hand_act is not None
    found = read([kwartet.GAME.hand_act], Situation(setup, None, "ann"), "")
    assert isinstance(found, Pending)
    assert found.ask == "Which card was Ann dealt?"
