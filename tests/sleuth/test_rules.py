from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from symkripke.errors import InputError, RuleError, UnknownName
from symkripke.play import Outcome, Table
from symkripke.play.dealing import location
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.deck import Deck, shuffled
from symkripke_games.sleuth.gems import CLASSIC, FREE, HIDDEN, TABLE, edition_named, sized
from symkripke_games.sleuth.rules import (
    Ask,
    AskLast,
    Declaration,
    Declare,
    Draw,
    Lay,
    Opening,
    Question,
    Silent,
    State,
)
from symkripke_games.sleuth.setup import Setup, check_deal

# 2/2/2: eight gems, three players with two each, one face up.
PLACES = {
    "rds": "ann",
    "rdp": "bob",
    "ros": "bob",
    "rop": HIDDEN,
    "gds": "cath",
    "gdp": "ann",
    "gos": "cath",
    "gop": TABLE,
}
DEAL = {location(gem): place for gem, place in PLACES.items()}
ROWS: dict[str, tuple[str, ...]] = {
    "ann": ("red", "red diamond", "opal", FREE),
    "bob": ("green", "red opal", FREE, FREE),
    "cath": ("pair", "solitaire", "green pair", FREE),
}


def small(rules: str = "classic") -> Setup:
    return GAME.setup(rules=rules, players=3, size="2/2/2")


def start(rules: str = "classic") -> State:
    """After the opening; ann is to ask."""
    state = GAME.start(small(rules), DEAL)
    after = state.play(Lay(ROWS))[0]
    assert isinstance(after, State)
    return after


def asked(state: State, *moves: Any) -> tuple[State, list[Outcome[Any]]]:
    """The state after these moves, and the events that they make."""
    outcomes = []
    for move in moves:
        state, outcome = state.play(move)
        if outcome is not None:
            outcomes.append(outcome)
    return state, outcomes


# ---- gems and setups ------------------------------------------------------------------------


def test_the_printed_set() -> None:
    assert len(CLASSIC.gems) == 36
    assert len(CLASSIC.cards) == 54
    sizes = Counter(len(asked) for asked in CLASSIC.questions)
    assert sizes == {1: 10, 2: 33}
    assert CLASSIC.cards.count(FREE) == 11
    assert CLASSIC.titles["rds"] == "Red Diamond Solitaire"
    assert CLASSIC.matching(("pearl", "pair")) == ("rpp", "gpp", "ypp", "bpp")
    assert [len(CLASSIC.matching(one)) for one in (("red",), ("opal",), ("pair",))] == [9, 12, 12]


@pytest.mark.parametrize(
    ("players", "hand", "left"), [(3, 11, 2), (4, 8, 3), (5, 7, 0), (6, 5, 5), (7, 5, 0)]
)
def test_hands_of_every_size(players: int, hand: int, left: int) -> None:
    setup = GAME.setup(players=players)
    assert (setup.hand, setup.left) == (hand, left)
    deal = GAME.deal(setup, Random(players))
    check_deal(setup, deal)
    assert list(deal.values()).count(TABLE) == left


def test_every_gem_is_hidden_now_and_then() -> None:
    hidden = Counter(
        gem
        for seed in range(360)
        for gem, place in GAME.deal(GAME.setup(), Random(seed)).items()
        if place == HIDDEN
    )
    assert len(hidden) == 36
    assert max(hidden.values()) <= 25  # 10 expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 2}, "for 3 to 7 players, got 2"),
        ({"players": 8}, "for 3 to 7 players, got 8"),
        ({"rules": "study", "players": 1}, "for 2 to 7 players, got 1"),
        ({"rules": "clasic"}, "did you mean 'classic'"),
        ({"edition": "2016"}, "unknown edition '2016'"),
        ({"edition": "none.toml"}, "cannot read none.toml"),
        ({"size": "2x2"}, "expected a size like 4/3/3"),
        ({"size": "5/3/3"}, "expected 1 to 4 of the colours, got 5"),
        ({"size": "1/1/2"}, "too few for 5 players"),
        ({"names": ("ann", "bob", "Hidden")}, "cannot be called 'Hidden'"),
        ({"names": ("ann", "b c", "bob")}, "got 'b c'"),
        ({"names": ("Ann", "ann", "bob")}, "'ann' is given twice"),
        ({"names": ("ann", "bob", "cath"), "players": 4}, "expected 4 names"),
        ({"gems": "36"}, "unknown option of Sleuth 'gems'"),
    ],
)
def test_bad_setups(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.setup(**options)


BROKEN = {
    "a name twice": ('colours = ["A"]\ntypes = ["A"]\nquantities = ["B"]', "'a' is given twice"),
    "first letters": (
        'colours = ["Blue", "Black"]\ntypes = ["A"]\nquantities = ["B"]',
        "different first letters .*'blue' and 'black'",
    ),
    "a digit first": (
        'colours = ["3 greens"]\ntypes = ["B"]\nquantities = ["C"]',
        "expected colours that begin with a letter .*, got '3 greens'",
    ),
    "an empty kind": ('colours = ["A"]\ntypes = ["B"]', "at least one of the quantities"),
    "no TOML": ("colours = [", "is not TOML"),
    "a wrong entry": ('colors = ["A"]', "did you mean 'colours'"),
    "no list": ('colours = "A"', "expected a list of titles for 'colours', got 'A'"),
    "no number": ('free = "x"', "expected a number of free choice cards for 'free', got 'x'"),
    "too many": (
        'colours = ["A"]\ntypes = ["B"]\nquantities = ["C"]\nfree = 5000',
        "expected 0 to 1000 free choice cards, got 5000",
    ),
    "a word with a meaning": (
        'colours = ["Free"]\ntypes = ["B"]\nquantities = ["C"]',
        "in colours cannot be called 'free'",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_editions(kind: str, tmp_path: Path) -> None:
    text, message = BROKEN[kind]
    file = tmp_path / "broken.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        edition_named(str(file))


def test_an_edition_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "shells.toml"
    file.write_text(
        'colours = ["Émeraude", "Deep blue"]\ntypes = ["Cowrie", "Whelk"]\n'
        'quantities = ["One", "Two"]\nfree = 3\n'
    )
    setup = GAME.setup(edition=str(file), players=3)
    assert [gem.id for gem in setup.edition.gems][:3] == ["éco", "éct", "éwo"]
    assert len(setup.edition.cards) == 6 + 12 + 3
    table = Table(GAME, setup, seed=1)
    for _ in table:
        pass
    assert table.state.winners


def test_sizes_keep_the_free_choices() -> None:
    made = sized(CLASSIC, "2/2/2")
    assert [gem.id for gem in made.gems] == list(PLACES)
    assert made.cards.count(FREE) == 11


# ---- question cards ------------------------------------------------------------------------


def test_used_cards_go_to_the_bottom_and_come_back_in_order() -> None:
    setup = GAME.setup(players=7)
    deck = Deck.of(setup, shuffled(setup, Random(1)))
    unseen, used = len(deck.unseen), []
    assert unseen == 54 - 28
    for number in range(unseen + 5):
        player = setup.players[number % 7]
        card = deck.rows[player][0]
        used.append(card)
        deck = deck.use(player, card)
        drawn = deck.next[0]
        if number >= unseen:
            assert deck.next == (used[number - unseen],)
        deck = deck.draw(player, drawn)
    total = [card for row in deck.rows.values() for card in row] + list(deck.unseen + deck.used)
    assert sorted(total) == sorted(setup.edition.cards)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({**ROWS, "ann": ("red",)}, "expected 4 question cards before ann, got 1"),
        ({**ROWS, "dan": ROWS["ann"]}, "unknown player 'dan'"),
        ({**ROWS, "ann": ("red", "red", "opal", FREE)}, "not so many question cards 'red'"),
        ({**ROWS, "ann": ("red", "blue", "opal", FREE)}, "unknown question card 'blue'"),
    ],
)
def test_bad_rows(rows: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.start(small(), DEAL).play(Lay(rows))


# ---- play ------------------------------------------------------------------------------------


def test_one_element_only_a_number() -> None:
    _, (outcome,) = asked(start(), Ask("bob", ("red",), "red"), Draw("diamond"))
    assert outcome.public == Question(
        turn=1,
        player="ann",
        asked="bob",
        elements=("red",),
        number=2,
        card="red",
        drawn="diamond",
    )
    assert outcome.secret == {}


def test_two_elements_show_and_the_number_is_public() -> None:
    move = Ask("bob", ("red", "diamond"), "red diamond")
    _, (outcome,) = asked(start(), move, Draw("diamond"))
    assert outcome.public.number == 1
    assert outcome.secret == {location("rdp"): "bob"}


def test_the_study_shows_all_and_says_nothing() -> None:
    _, (outcome,) = asked(start("study"), Ask("bob", ("red",), "red"), Draw("diamond"))
    assert outcome.public.number is None
    assert outcome.secret == {
        "answer(1)": "gems",
        location("rdp"): "bob",
        location("ros"): "bob",
    }
    _, (outcome,) = asked(start("study"), Ask("cath", ("red",), "red"), Draw("diamond"))
    assert outcome.secret == {"answer(1)": "nothing"}


def test_a_free_choice_asks_for_one_element_or_two() -> None:
    for elements in (("green",), ("green", "pair"), ("opal", "solitaire")):
        state, _ = asked(start(), Ask("cath", elements, FREE), Draw("diamond"))
        assert state.deck is not None
        assert sorted(state.deck.rows["ann"]) == ["diamond", "opal", "red", "red diamond"]


def test_after_a_question_all_may_declare_in_seat_order() -> None:
    state, _ = asked(start(), Ask("bob", ("red",), "red"), Draw("diamond"))
    order = []
    while state.phase == "declare":
        assert state.decision is not None
        order.append(state.decision.player)
        state, _ = asked(state, Silent())
    assert order == ["ann", "bob", "cath"]
    assert (state.mover, state.turn, state.phase) == ("bob", 2, "ask")


def test_declaring() -> None:
    state, _ = asked(start(), Ask("bob", ("red",), "red"), Draw("diamond"), Silent())
    won, (outcome,) = asked(state, Declare("rop"))
    assert outcome.public == Declaration(turn=1, player="bob", gem="rop", right=True)
    assert won.result == "bob wins in turn 1"
    assert won.winners == ("bob",)
    wrong, _ = asked(state, Declare("gos"))
    assert wrong.out == {"bob"}
    # News to all others: cath, and ann again; then it is not bob's turn.
    assert wrong.waiting == ("cath", "ann")
    after, _ = asked(wrong, Silent(), Silent())
    assert (after.mover, after.turn) == ("cath", 2)
    # Who is out still answers.
    answered, (outcome,) = asked(after, Ask("bob", ("solitaire",), "solitaire"), Draw("green opal"))
    assert outcome.public.number == 1
    assert answered.waiting == ("cath", "ann")


def test_if_all_declare_wrongly_nobody_wins() -> None:
    state, _ = asked(start(), Ask("bob", ("red",), "red"), Draw("diamond"))
    state, _ = asked(state, Declare("gos"), Declare("gos"), Declare("rds"))
    assert state.decision is None
    assert state.result == "all have declared wrongly: nobody wins"
    assert state.winners == ()


def test_a_last_question_needs_no_card_and_then_one_must_declare() -> None:
    state, (outcome,) = asked(start(), AskLast("cath", ("green", "solitaire")))
    assert outcome.public.last
    assert outcome.public.card is None
    assert outcome.secret == {location("gds"): "cath", location("gos"): "cath"}
    with pytest.raises(RuleError, match="ann cannot silent now"):
        state.play(Silent())
    assert state.decision is not None
    assert (state.decision.player, state.decision.kind) == ("ann", "last")
    assert asked(state, Declare("rop"))[0].winners == ("ann",)
    assert asked(state, Declare("gos"))[0].waiting == ("bob", "cath")


@pytest.mark.parametrize(
    ("rules", "move", "message"),
    [
        ("classic", Ask("ann", ("red",), "red"), "ann cannot ask itself"),
        ("classic", Ask("dan", ("red",), "red"), "unknown player 'dan'"),
        ("classic", Ask("bob", ("blue",), FREE), "unknown element 'blue'"),
        ("classic", Ask("bob", ("red", "green"), FREE), "two of different kinds"),
        ("classic", Ask("bob", ("diamond", "red"), FREE), "two of different kinds"),
        ("classic", Ask("bob", (), FREE), "expected one element, or two"),
        ("classic", Ask("bob", ("red",), "opal"), "'opal' does not ask for red"),
        ("classic", Ask("bob", ("green",), "green"), "one of the question cards before ann"),
        ("classic", Declare("xyz"), "unknown gem 'xyz'"),
        ("classic", Silent(), "ann cannot silent now"),
        ("study", AskLast("bob", ("red",)), "no last question"),
        ("study", Declare("rds"), "no wrong declarations"),
    ],
)
def test_moves_that_the_rules_forbid(rules: str, move: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        start(rules).play(move)


# ---- events that are told --------------------------------------------------------------------


def told(**changes: Any) -> Question:
    fields: dict[str, Any] = {
        "turn": 1,
        "player": "ann",
        "asked": "bob",
        "elements": ("red", "diamond"),
        "number": 1,
        "card": "red diamond",
        "drawn": "diamond",
    }
    return Question(**fields | changes)


RIGHT = {location("rdp"): "bob"}


@pytest.mark.parametrize(
    ("public", "secret", "message"),
    [
        (told(turn=2), RIGHT, "expected an event of turn 1, got one of turn 2"),
        (told(player="bob", asked="ann"), {}, "expected ann to ask in turn 1, got bob"),
        (told(player="zoe"), {}, "unknown player 'zoe'"),
        (told(number=3), RIGHT, r"how many red diamond gems bob has \(0 to 2\), got 3"),
        (told(number=None), RIGHT, "got None"),
        (told(number=2), RIGHT, "expected bob to have 1 red diamond gems, got 2"),
        (told(), {}, "expected bob to show rdp"),
        (told(), {location("rds"): "bob"}, "expected bob to show rdp"),
        (told(drawn=None), RIGHT, "the one that was drawn"),
        (told(drawn="red"), RIGHT, "'red' cannot be drawn now"),
        (told(card="red"), RIGHT, "'red' does not ask for red diamond"),
        (told(last=True), RIGHT, "a last question needs no question card"),
        (Opening(turn=1), {}, "laid already"),
        (
            Declaration(turn=1, player="ann", gem="rop", right=False),
            {},
            "this declaration is right",
        ),
        (
            Declaration(turn=1, player="ann", gem="rop", right=True),
            {location("rop"): HIDDEN},
            "expected no secret, or .*hidden.* of who declared wrongly",
        ),
    ],
)
def test_events_that_cannot_have_happened(
    public: Any, secret: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        start().follow(Outcome(public, secret))


def test_openings_that_cannot_be() -> None:
    state = GAME.start(small(), DEAL)
    for up, message in (((), "expected 1 gems face up"), (("rds",), "expected gop face up")):
        with pytest.raises(RuleError, match=message):
            state.follow(Outcome(Opening(turn=0, up=up, rows=ROWS), {}))
    with pytest.raises(UnknownName):
        state.follow(Outcome(Opening(turn=0, up=("xyz",), rows=ROWS), {}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({location("rds"): "bob"}, "expected ann to be dealt 2 gems, got 1"),
        ({location("rds"): HIDDEN}, "expected one hidden gem, got 2"),
        ({location("rds"): "zoe"}, "unknown place of location"),
        ({location("xyz"): "ann"}, "unknown gem in the deal"),
    ],
)
def test_deals_that_cannot_be(change: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.start(small(), DEAL | change)
    with pytest.raises(RuleError, match="does not say where"):
        GAME.start(small(), {name: place for name, place in DEAL.items() if "rds" not in name})


def test_hands_that_cannot_be() -> None:
    for gems, message in (
        (("rds",), "expected ann to be dealt 2 gems, got 1"),
        (("rds", "rds"), "'rds' is given twice"),
        (("rds", "yos"), "unknown gem 'yos'"),
    ):
        with pytest.raises(InputError, match=message):
            GAME.hand(small(), "ann", gems)
