"""Names: which there may be, and what is said about those that are not there."""

from __future__ import annotations

import pytest

from symkripke.errors import InputError, UnknownName
from symkripke.language import Atom, Not, exactly
from symkripke.language.formulas import TRUE
from symkripke.model import Definition, DerivedFluent, Fluent, Vocabulary

COIN = Fluent("coin", ("heads", "tails"))


def test_fluents() -> None:
    boolean = Fluent("p")
    assert boolean.is_boolean
    assert boolean.atoms == (Atom("p"),)
    assert boolean.domain is TRUE
    assert boolean.equals("false") is Not(Atom("p"))
    assert COIN.atoms == (Atom("coin", "heads"), Atom("coin", "tails"))
    assert COIN.domain is exactly(1, COIN.atoms)
    with pytest.raises(UnknownName, match="unknown value of coin 'head'; did you mean 'heads'"):
        COIN.equals("head")


@pytest.mark.parametrize("values", [(), ("a", "a")])
def test_a_domain_has_different_values(values: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="fluent x: expected one or more different values"):
        Fluent("x", values)


def test_names_are_given_once() -> None:
    with pytest.raises(InputError, match="fluent 'p' is given twice"):
        Vocabulary.of([Fluent("p"), Fluent("p")], [])
    with pytest.raises(InputError, match="agent 'ann' is given twice"):
        Vocabulary.of([], ["ann", "ann"])
    with pytest.raises(InputError, match="definition 'd' is given twice"):
        Vocabulary.of([], [], definitions=[Definition("d", (), lambda: TRUE)] * 2)
    with pytest.raises(InputError, match="'coin' is there already"):
        Vocabulary.of([COIN], []).extended([COIN])


def test_extending_by_nothing_is_nothing() -> None:
    vocabulary = Vocabulary.of([COIN], [])
    assert vocabulary.extended([]) is vocabulary
    assert tuple(vocabulary.extended([Fluent("p")]).fluents) == ("coin", "p")


def test_definitions_check_their_arguments() -> None:
    at = Definition("at", (("card", ("rope", "knife")),), lambda card: Atom(f"at({card})"))
    assert at("rope") is Atom("at(rope)")
    with pytest.raises(InputError, match=r"at\(card\) takes 1 arguments, got 2"):
        at("rope", "knife")
    with pytest.raises(UnknownName, match="unknown card 'roope'; did you mean 'rope'"):
        at("roope")


def test_derived_fluents() -> None:
    who = DerivedFluent("who", (("ann", Atom("p")), ("bob", Not(Atom("p")))))
    assert who.values == ("ann", "bob")
    assert who.equals("bob") is Not(Atom("p"))
    with pytest.raises(UnknownName, match="unknown value of who 'cat'"):
        who.equals("cat")


def test_help() -> None:
    vocabulary = Vocabulary.of(
        [COIN, Fluent("at(rope, hall)")],
        ["ann"],
        definitions=[Definition("holds", (("agent", ("ann",)),), lambda agent: TRUE)],
    )
    assert vocabulary.names == ("holds", "coin", "at")
    assert vocabulary.signature_of("holds") == "holds(agent)"
    assert vocabulary.signature_of("at") == "at(..., ...)"
    assert vocabulary.signature_of("coin") == "coin"
    assert vocabulary.words(Atom("coin", "heads"), False) == "coin != heads"
    with pytest.raises(UnknownName, match="unknown agent 'an'; did you mean 'ann'"):
        vocabulary.agent("an")


def test_messages_list_few_names_and_hint_among_many() -> None:
    assert str(UnknownName("card", "zzz", ["a", "b"])) == (
        "unknown card 'zzz'; expected one of a, b"
    )
    many = [f"card{number}" for number in range(50)]
    assert str(UnknownName("card", "zzz", many)) == "unknown card 'zzz'"
    assert "did you mean 'Card1'" in str(UnknownName("card", "card1", ["Card1", "x"]))
