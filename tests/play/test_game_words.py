"""Reasons in words."""

from __future__ import annotations

import pytest

from symkripke.engines import Known, Source
from symkripke.errors import FormulaError, InputError
from symkripke.language import Atom, K, negation
from symkripke.play import Table, game
from symkripke.play.formula_words import by_name, named, sentences, wording
from symkripke.play.game_words import tell


def test_the_same_words_are_said_once() -> None:
    table = Table.of(game("perudo"), players=3, seed=1)
    die = Source(Atom("die(bob, 1)", "2"), "each die of Bob shows one face", "domain", 0)
    bid = Source(Atom("die(bob, 2)", "2"), "turn 1: Bob bid 2 twos (believed)", "believed", 1)
    lines = list(tell(table.moment, Known(K("ann", die.formula), (die, bid, die))))
    assert [line.text for line in lines[1:]] == [
        "1. each die of Bob shows one face (used 2 times)",
        "2. turn 1: Bob bid 2 twos (believed)",
    ]


def test_the_same_bid_has_one_name_met_or_not() -> None:
    """Of aces, "at least so many show it" and "the bid is met" are the same."""
    table = Table.of(game("perudo"), players=3, seed=1)
    structure = table.moment.structure
    names = named(structure)
    bid = structure.parse("met(2, 1)")
    assert by_name(bid, names) == "eT(2, 1)"
    assert by_name(negation(bid), names) == "~eT(2, 1)"


@pytest.mark.parametrize("name", ["cluedo", "kwartet", "perudo"])
def test_words_are_made_once_and_those_of_another_moment_are_not_taken(name: str) -> None:
    table = Table.of(game(name), players=3, seed=4)
    for _ in range(5):
        table.step()
    moments = [table.moment.after(number) for number in range(table.moment.events + 1)]
    for moment in (*moments, *reversed(moments)):
        said = wording(moment.structure, moment.layout).phrases
        assert said == sentences(moment.structure, moment.layout)
        again = moment.after(moment.events)
        assert wording(again.structure, again.layout).phrases is said


def test_a_bare_probability_is_no_yes_or_no() -> None:
    moment = Table.of(game("perudo"), players=3, seed=1).moment
    with pytest.raises(InputError, match=r"no yes or no: .*moment.probability\('ann', \.\.\.\)"):
        moment.ask("P[ann](met(6, 2))")
    with pytest.raises(FormulaError, match="got the end"):
        moment.ask("K[ann] met(6,")
