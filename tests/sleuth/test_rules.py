from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from symkripke.errors import InputError, RuleError
from symkripke.play import Outcome, Table
from symkripke.play.dealing import location
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.deck import Deck, shuffled
from symkripke_games.sleuth.gems import CLASSIC, FREE, HIDDEN, TABLE
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

# 2/2/2: eight gems, three players with two each, one face up and one hidden.
HANDS = {"ann": "rds gdp", "bob": "rdp ros", "cath": "gds gos", HIDDEN: "rop", TABLE: "gop"}
DEAL = {location(gem): place for place, gems in HANDS.items() for gem in gems.split()}
ROWS: dict[str, tuple[str, ...]] = {
    "ann": ("red", "red diamond", "opal", FREE),
    "bob": ("green", "red opal", FREE, FREE),
    "cath": ("pair", "solitaire", "green pair", FREE),
}


def small(rules: str = "classic") -> Setup:
    return GAME.setup(rules=rules, players=3, size="2/2/2")


def start(rules: str = "classic") -> State:
    """Return the position after the opening, with Ann to ask."""
    state = GAME.start(small(rules), DEAL)
    after = state.play(Lay(ROWS))[0]
    assert isinstance(after, State)
    return after


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


def test_every_gem_is_hidden_sometimes() -> None:
    hidden = Counter(
        gem
        for seed in range(360)
        for gem, place in GAME.deal(GAME.setup(), Random(seed)).items()
        if place == HIDDEN
    )
    assert len(hidden) == 36
    assert max(hidden.values()) <= 25  # 10 are expected


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
        ({**ROWS, "ann": ("red", "red", "opal", FREE)}, "not that many question cards 'red'"),
        ({**ROWS, "ann": ("red", "blue", "opal", FREE)}, "unknown question card 'blue'"),
    ],
)
def test_bad_rows(rows: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.start(small(), DEAL).play(Lay(rows))


# ---- play ------------------------------------------------------------------------------------


def told(**changes: Any) -> Question:
    """Return Ann's question with her card for red diamonds, with some fields replaced."""
    fields: dict[str, Any] = {"turn": 1, "player": "ann", "asked": "bob", "number": 1}
    fields |= {"elements": ("red", "diamond"), "card": "red diamond", "drawn": "diamond"}
    return Question(**fields | changes)


def declared(**changes: Any) -> Declaration:
    """Return Ann's right declaration, with some fields replaced."""
    fields: dict[str, Any] = {"turn": 1, "player": "ann", "gem": "rop", "right": True}
    return Declaration(**fields | changes)


RED, LAST = [Ask("bob", ("red",), "red"), Draw("diamond")], AskLast("cath", ("green", "solitaire"))
OF_RED: dict[str, Any] = {"elements": ("red",), "card": "red", "number": None}
NUMBER, SECRET = told(**OF_RED | {"number": 2}), told(**OF_RED)
RIGHT, GREEN = {location("rdp"): "bob"}, {location("gds"): "cath", location("gos"): "cath"}
SHOWN, NONE = {"answer(1)": "gems", **RIGHT, location("ros"): "bob"}, {"answer(1)": "nothing"}
SHOW = [Ask("bob", ("red", "diamond"), "red diamond"), Draw("diamond")]
ASK_CATH = [Ask("cath", ("red",), "red"), Draw("diamond")]
BY_CATH = {"turn": 2, "player": "cath", "elements": ("solitaire",), "card": "solitaire"}
WRONG = declared(gem="gos", right=False)
BOB = replace(WRONG, player="bob")
GOS, TWICE = [*RED, Silent(), Declare("gos")], [Silent(), Silent()]
SOLITAIRE = [Ask("bob", ("solitaire",), "solitaire"), Draw("green opal")]
LASTLY = told(asked="cath", elements=LAST.elements, number=2, card=None, drawn=None, last=True)

# The rules, the moves, the event of the last move and its secret; then the kind of decision, the
# turn, and the deciding players.
PLAY: list[tuple[str, list[Any], Any, dict[str, str], str]] = [
    # For one element, the answer is only a number. For two, the asker sees the gems, and all hear
    # the number.
    ("classic", RED, NUMBER, {}, "declare 1 ann bob cath"),
    ("classic", SHOW, told(), RIGHT, "declare 1 ann bob cath"),
    # In the study, the asker sees the gems, and others hear nothing.
    ("study", RED, SECRET, SHOWN, "declare 1 ann bob cath"),
    ("study", ASK_CATH, replace(SECRET, asked="cath"), NONE, "declare 1 ann bob cath"),
    ("classic", [*RED, Silent()], None, {}, "declare 1 bob cath"),
    ("classic", [*RED, Silent(), *TWICE], None, {}, "ask 2 bob"),
    ("classic", [*RED, Declare("rop")], declared(), {}, "ann wins in turn 1: ann"),
    # A wrong declaration is news to the others, Cath and Ann; then it is not Bob's turn.
    ("classic", GOS, BOB, {}, "declare 1 cath ann"),
    ("classic", [*GOS, *TWICE], None, {}, "ask 2 cath"),
    # Players who are out still answer, but no longer declare.
    (
        "classic",
        [*GOS, *TWICE, *SOLITAIRE],
        told(**BY_CATH, drawn="green opal"),
        {},
        "declare 2 cath ann",
    ),
    (
        "classic",
        [*RED, *[Declare("gos")] * 3],
        replace(WRONG, player="cath"),
        {},
        "all have declared wrongly: nobody wins:",
    ),
    # A last question needs no card, and its player must declare.
    ("classic", [LAST], LASTLY, GREEN, "last 1 ann"),
    ("classic", [LAST, Declare("rop")], declared(), {}, "ann wins in turn 1: ann"),
    ("classic", [LAST, Declare("gos")], WRONG, {}, "declare 1 bob cath"),
    # A declaration can replace a question.
    ("classic", [Declare("gos")], replace(WRONG, instead=True), {}, "declare 1 bob cath"),
]


@pytest.mark.parametrize(("rules", "moves", "public", "secret", "then"), PLAY)
def test_play(rules: str, moves: list[Any], public: Any, secret: dict[str, str], then: str) -> None:
    """Compare the event of the last move, and the next decision with its turn and players."""
    state, outcome = start(rules), None
    for move in moves:
        state, outcome = state.play(move)
    assert outcome == (None if public is None else Outcome(public, secret))
    decision = state.decision
    if decision is None:
        assert " ".join([f"{state.result}:", *state.winners]) == then
        with pytest.raises(RuleError, match="the game is over"):
            state.play(Silent())
    else:
        who = state.waiting or (state.mover,)
        assert decision.player == who[0]
        assert " ".join([decision.kind, str(state.turn), *who]) == then


def test_a_free_choice_asks_for_one_element_or_two() -> None:
    for elements in (("green",), ("green", "pair"), ("opal", "solitaire")):
        state = start().play(Ask("cath", elements, FREE))[0].play(Draw("diamond"))[0]
        assert state.deck is not None
        assert sorted(state.deck.rows["ann"]) == ["diamond", "opal", "red", "red diamond"]


@pytest.mark.parametrize(
    ("rules", "moves", "message"),
    [
        ("classic", [Ask("ann", ("red",), "red")], "ann cannot ask themselves"),
        ("classic", [Ask("dan", ("red",), "red")], "unknown player 'dan'"),
        ("classic", [Ask("bob", ("blue",), FREE)], "unknown element 'blue'"),
        ("classic", [Ask("bob", ("red", "green"), FREE)], "two of different kinds"),
        ("classic", [Ask("bob", ("diamond", "red"), FREE)], "two of different kinds"),
        ("classic", [Ask("bob", (), FREE)], "expected one element, or two"),
        ("classic", [Ask("bob", ("red",), "opal")], "'opal' does not ask for red"),
        ("classic", [Ask("bob", ("green",), "green")], "one of the question cards before ann"),
        ("classic", [Declare("xyz")], "unknown gem 'xyz'"),
        ("classic", [Silent()], "ann cannot silent now"),
        ("classic", [LAST, Silent()], "ann cannot silent now"),
        ("study", [AskLast("bob", ("red",))], "no last question"),
        ("study", [Declare("rds")], "no wrong declarations"),
    ],
)
def test_forbidden_moves(rules: str, moves: list[Any], message: str) -> None:
    state = start(rules)
    for move in moves[:-1]:
        state = state.play(move)[0]
    with pytest.raises(InputError, match=message):
        state.play(moves[-1])


# ---- recorded events -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("public", "secret", "message"),
    [
        (told(turn=2), RIGHT, "expected an event of turn 1, got one of turn 2"),
        (told(player="bob", asked="ann"), {}, "expected ann to ask in turn 1, got bob"),
        (told(player="zoe"), {}, "unknown player 'zoe'"),
        (told(number=3), RIGHT, r"how many red diamond gems bob has \(0 to 2\), got 3"),
        (told(number=None), RIGHT, "got None"),
        (told(number=2), RIGHT, "expected bob to have 1 red diamond gems, as in the deal, got 2"),
        (told(), {}, "expected bob to show rdp"),
        (told(), {location("rds"): "bob"}, "expected bob to show rdp"),
        (told(drawn=None), RIGHT, "the one that was drawn"),
        (told(drawn="red"), RIGHT, "'red' cannot be drawn now"),
        (told(card="red"), RIGHT, "'red' does not ask for red diamond"),
        (told(last=True, card=None), RIGHT, "a last question needs no question card"),
        (told(last=True, drawn=None), RIGHT, "a last question needs no question card"),
        (Opening(turn=1), {}, "laid already"),
        (declared(right=False), {}, "this declaration is right"),
        (declared(player="bob", instead=True), {}, "bob is not the asking player"),
        (
            declared(),
            {location("rop"): HIDDEN},
            "expected no secret, or .*hidden.* of who declared",
        ),
    ],
)
def test_impossible_events(public: Any, secret: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        start().follow(Outcome(public, secret))


def test_a_wrong_declarer_may_record_the_hidden_gem() -> None:
    opening: Outcome[Any] = Outcome(Opening(turn=0, up=("gop",)), {})
    state, wrong = GAME.start(small(), None).follow(opening), declared(gem="gos", right=False)
    assert state.follow(Outcome(wrong, {location("rop"): HIDDEN})).out == {"ann"}
    for secret in (dict.fromkeys(DEAL, HIDDEN), {location("rop"): "bob"}, {"rop": HIDDEN}):
        with pytest.raises(RuleError, match="expected no secret, or"):
            state.follow(Outcome(wrong, secret))


def test_only_one_declares_after_a_last_question_and_nobody_twice() -> None:
    state = start().play(LAST)[0]
    with pytest.raises(RuleError, match="expected ann to declare"):
        state.follow(Outcome(declared(player="bob"), {}))
    with pytest.raises(RuleError, match="nobody can ask now"):
        state.follow(Outcome(told(), RIGHT))
    wrong = state.play(Declare("gos"))[0]
    with pytest.raises(RuleError, match="is out"):
        wrong.follow(Outcome(declared(), {}))


@pytest.mark.parametrize(
    ("up", "message"),
    [
        ((), "expected 1 gems face up"),
        (("rds",), "expected gop face up"),
        (("xyz",), "unknown gem"),
    ],
)
def test_impossible_openings(up: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.start(small(), DEAL).follow(Outcome(Opening(turn=0, up=up, rows=ROWS), {}))
