"""Reasons in words."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from symkripke.errors import FormulaError, InputError
from symkripke.explain import Known, Source
from symkripke.language import Atom, Constant, Formula, K, Kv, M, conjunction, negation, parse
from symkripke.play import Table, game, game_names
from symkripke.play.formula_words import _known, named, sentences, wording
from symkripke.play.game_words import tell


def test_repeated_words_are_stated_once() -> None:
    table = Table.of(game("perudo"), players=3, seed=1)
    die = Source(Atom("die(bob, 1)", "2"), "each die of Bob shows one face", "domain", 0)
    bid = Source(Atom("die(bob, 2)", "2"), "turn 1: Bob bid 2 twos (believed)", "believed", 1)
    lines = list(tell(table.moment, Known(K("ann", die.formula), (die, bid, die))))
    assert [line.text for line in lines[1:]] == [
        "1. each die of Bob shows one face (used 2 times)",
        "2. turn 1: Bob bid 2 twos (believed)",
    ]


def test_the_same_bid_has_one_name_met_or_not() -> None:
    """On aces, "at least this number show the face" and "the bid is met" are equivalent."""
    table = Table.of(game("perudo"), players=3, seed=1)
    structure = table.moment.structure
    names = named(structure)
    bid = structure.parse("met(2, 1)")
    assert str(names[bid]) == "eT(2, 1)"


@pytest.mark.parametrize("name", ["cluedo", "kwartet", "perudo"])
def test_words_are_cached_for_each_moment(name: str) -> None:
    table = Table.of(game(name), players=3, seed=4)
    for _ in range(5):
        table.step()
    moments = [table.moment.after(number) for number in range(table.moment.events + 1)]
    for moment in (*moments, *reversed(moments)):
        said = _known(moment.structure, moment.layout).phrases
        assert said == sentences(moment.structure, moment.layout)
        again = moment.after(moment.events)
        assert _known(again.structure, again.layout).phrases is said


@pytest.mark.parametrize(
    ("name", "card"), [("kwartet", "location(crazy_pig)"), ("sleuth", "location(rds)")]
)
def test_a_seat_is_shown_whole_hands_then_differences(name: str, card: str) -> None:
    moment = Table.of(game(name), players=3, seed=5).moment
    seat = replace(moment, states=(moment.perspective("ann"),))
    held = Atom(card, "bob")
    both = conjunction([M("ann", held), M("ann", negation(held))])
    worlds = [line.text for line in tell(seat, seat.ask(both).why()) if line.kind == "world"]
    layout = moment.layout
    whole, different = worlds[: len(layout.columns)], worlds[len(layout.columns) :]
    hands = [line.partition(": ")[2].split(", ") for line in whole if "nothing" not in line]
    assert sorted(title for hand in hands for title in hand) == sorted(layout.rows.values())
    title = layout.rows[card]
    assert [line for line in different if line.endswith(f" instead of {title}")]
    assert different[-1] == "everything else as in that case"


@pytest.mark.parametrize("name", game_names())
def test_facts_of_all_moments_have_different_words(name: str) -> None:
    """Their words distinguish versions: "Ann held a king then" is not "Ann holds one"."""
    table = Table.of(game(name), players=3, seed=4)
    for _ in range(14):
        table.step()
    moment, told = table.moment, dict[str, Formula]()
    structure, said = moment.structure, wording(moment.structure, moment.layout)
    formulas: list[Formula] = []
    for fluent in structure.vocabulary.fluents.values():
        formulas += [*fluent.atoms, Kv(moment.setup.players[0], (fluent.name,))]
    for definition in structure.vocabulary.definitions.values():
        for arguments in product(*(values for _, values in definition.parameters)):
            formulas.append(structure.resolve(definition(*arguments)))
    for formula in formulas:
        for stated in (formula, negation(formula)):
            if not isinstance(stated, Constant):
                assert told.setdefault(said.claim(stated, True), stated) is stated


@pytest.mark.parametrize("name", game_names())
def test_a_formula_with_a_name_is_written_by_it_whatever_its_parts_are_called(name: str) -> None:
    """After some turns of Hanabi, one operand of `has(ann, 1, 1)` means `useless(ann, 1)`."""
    table = Table.of(game(name), players=3, seed=4)
    for _ in range(14):
        table.step()
    structure, layout = table.moment.structure, table.moment.layout
    said, count = wording(structure, layout), 0
    for definition in structure.vocabulary.definitions.values():
        for arguments in product(*(values for _, values in definition.parameters)):
            meant = structure.resolve(definition(*arguments))
            if isinstance(meant, Constant):
                continue
            text = said.text(meant)
            assert text == said.named(meant)
            assert structure.resolve(parse(text, structure.vocabulary)) is meant
            count += 1
    assert count > 20 or not structure.vocabulary.definitions


def test_a_bare_probability_is_not_a_yes_or_no_question() -> None:
    moment = Table.of(game("perudo"), players=3, seed=1).moment
    with pytest.raises(
        InputError, match=r"is true or false, got .*moment.probability\('ann', \.\.\.\)"
    ):
        moment.ask("P[ann](met(6, 2))")
    with pytest.raises(FormulaError, match="got the end"):
        moment.ask("K[ann] met(6,")
