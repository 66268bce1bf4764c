"""The study's worked example, turn by turn: three players, each with a single three-sided die."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from symkripke.engines import Engine, engine
from symkripke.play import Moment, Record
from symkripke.play.positions import view_at
from symkripke_games.perudo import GAME
from symkripke_games.perudo.bidding import Offer
from symkripke_games.perudo.players import Situation, Study, StudyAsCoded
from symkripke_games.perudo.rules import DUDO, Doubt, Happening, Raise, State
from symkripke_games.perudo.throws import Setup

Told = Record[Setup, Happening]
Asked = Moment[Setup, Happening]

# One, Two and Three have thrown 1, 2 and 2; the log has the bids without their consequences.
LOG = """
{"log":"symkripke","version":1,"game":"perudo","setup":{"rules":"study",
 "players":["one","two","three"],"dice":1,"faces":3,"aces":false,"palifico":false,
 "calza":false,"first":"one"}}
{"truth":{"die(one, 1)":"1","die(two, 1)":"2","die(three, 1)":"2"}}
{"event":{"type":"bid","turn":1,"player":"one","quantity":1,"face":1}}
{"event":{"type":"bid","turn":2,"player":"two","quantity":1,"face":2}}
{"event":{"type":"bid","turn":3,"player":"three","quantity":2,"face":2}}
{"event":{"type":"call","turn":4,"player":"one","dice":{"one":[1],"two":[2],"three":[2]}}}
{"event":{"type":"throw","turn":5},"secret":{"dice(two)":"3","dice(three)":"1"}}
""".replace("\n ", " ")


RECORD: Told = Record.parse(LOG)
MOMENT: Asked = RECORD.replay()


@pytest.fixture(params=("sat", "bdd", "explicit"))
def answering(request: pytest.FixtureRequest) -> Engine:
    return engine(request.param)


def test_knowledge_of_the_throw(answering: Engine) -> None:
    """The numbers of dice are common knowledge, and players know their own dice."""
    for formula in (
        "C[*] dT(3)",
        "C[*] (dA(one, 1) & dA(two, 1) & dA(three, 1))",
        "K[one] (eA(one, 0, 1) & eA(one, 1, 1) & eA(one, 0, 2) & eA(one, 0, 3))",
        "K[two] (eA(two, 0, 1) & eA(two, 0, 2) & eA(two, 1, 2) & eA(two, 0, 3))",
        "K[three] (eA(three, 0, 1) & eA(three, 0, 2) & eA(three, 1, 2) & eA(three, 0, 3))",
        "K[one] ~eA(one, 1, 2) & ~Kw[one] eA(two, 1, 2) & M[one] eT(3, 1) & K[one] ~eT(3, 2)",
        "~C[*] eT(1, 1)",
        "C[*] (Kw[one] eA(one, 1, 1) & ~Kw[one] eA(two, 1, 1))",
    ):
        assert MOMENT.at(0).ask(formula, engine=answering), formula


def test_the_cube_of_states() -> None:
    for counting in map(engine, ("bdd", "explicit")):
        assert counting.worlds(MOMENT.at(0).structure) == 27
        assert counting.worlds(MOMENT.at(0).perspective("two")) == 9


@pytest.mark.parametrize(
    ("turn", "player", "worth"),
    [
        # The player's own die, plus a third of the two others, less the bid.
        (0, "one", {(1, 1): "2/3", (1, 2): "-1/3", (1, 3): "-1/3"}),
        (1, "two", {(2, 1): "-4/3", (1, 2): "2/3", (1, 3): "-1/3", (1, 1): "-1/3"}),
        # Two bids have the same value for Three: 2 x 2 and 1 x 3.
        (2, "three", {(2, 1): "-4/3", (2, 2): "-1/3", (1, 3): "-1/3", (1, 2): "2/3"}),
        # One calls because -(-2/3) exceeds -5/3. (The study prints the floors, -1 and -2.)
        (3, "one", {(3, 1): "-5/3", (3, 2): "-5/3", (2, 3): "-5/3", (2, 2): "-2/3"}),
    ],
)
def test_values_of_bids(turn: int, player: str, worth: dict[tuple[int, int], str]) -> None:
    """The values are those of the minimum bids and of the current bid."""
    view = view_at(RECORD, MOMENT.at(turn), player)
    assert view.decision is not None
    assert view.decision.options is not None
    situation, mind = Situation.of(view), Study(engine(), Random(0))
    offers = [Offer(m.quantity, m.face) for m in view.decision.options if isinstance(m, Raise)]
    if situation.standing is not None:
        offers.append(situation.standing)
    expected = {Offer(*bid): Fraction(value) for bid, value in worth.items()}
    assert mind.values(situation, mind.observed(situation), offers) == expected


def test_meanings_of_bids() -> None:
    """1 - 2/3 = 1/3 rounds to 0, which says nothing about the bidder's die; 2 - 2/3 rounds to 1."""
    view = view_at(RECORD, MOMENT.at(3), "one")
    claims = [bid.claim for bid in Situation.of(view).bids]
    assert [claim and claim.holds for claim in claims] == [0, 0, 1]
    # One calls. The study's program values bids in whole dice with a slack of 1: 1 > -2 + 1.
    for mind in (Study, StudyAsCoded):
        assert mind(engine(), Random(0)).choose(view) == Doubt(DUDO)


def test_beliefs_after_turn_3(answering: Engine) -> None:
    """All believe that Three has a 2, and that Three believes their own bid."""
    for formula, before, after in (
        ("EB[*] eA(three, 1, 2)", False, True),
        ("CB[*] eA(three, 1, 2)", False, True),
        ("B[three] eT(2, 2)", False, True),
        ("CB[*] B[three] eT(2, 2)", False, True),
        ("B[one] eT(2, 2)", False, False),  # One has no 2, and expects none elsewhere
        ("B[two] eT(2, 2)", False, True),
        ("B[one] eA(two, 1, 2)", False, False),
        ("K[one] eA(three, 1, 2)", False, False),  # a belief is not knowledge
        ("M[one] ~eA(three, 1, 2)", True, True),
        ("C[*] dT(3)", True, True),
    ):
        assert bool(MOMENT.at(2).ask(formula, engine=answering)) is before, formula
        assert bool(MOMENT.at(3).ask(formula, engine=answering)) is after, formula


def test_the_call_is_wrong() -> None:
    """There are two 2s, so One loses their last die, and Two begins the next round."""
    state = GAME.start(RECORD.setup, RECORD.truth)
    for outcome in RECORD.outcomes[:4]:
        state = state.follow(outcome)
    assert isinstance(state, State)
    assert dict(state.now.dice) == {"two": 1, "three": 1}
    assert (state.now.first, state.out, state.result) == ("two", frozenset(("one",)), None)
    assert MOMENT.at(4).ask("C[*] (eT(2, 2) & eA(one, 1, 1))")
    assert MOMENT.at(5).ask("C[*] (dT(2) & dA(one, 0) & ~eT(3, 1)) & K[two] eA(two, 1, 3)")
    assert MOMENT.at(5).ask("~Kw[one] eA(two, 1, 3)")


def test_a_players_own_log() -> None:
    """A player's own log has their die, the bids, and the dice that are shown."""
    seat = '{"seat":{"player":"one","holds":["1"]}}'
    secret = ',"secret":{"dice(two)":"3","dice(three)":"1"}'
    lines = [seat if "truth" in line else line.replace(secret, "") for line in LOG.split("\n")]
    moment = Record.parse("\n".join(lines)).replay()
    assert moment.at(3).ask("B[one] eA(three, 1, 2) & B[one] B[three] eT(2, 2) & ~B[one] eT(2, 2)")
    assert moment.at(4).ask("K[one] eT(2, 2)")
    assert moment.at(5).ask("K[one] dT(2)")
