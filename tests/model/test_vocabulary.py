"""Names: the allowed names, and messages about unknown ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symkripke.errors import InputError, UnknownName
from symkripke.language import Atom, Not, exactly
from symkripke.language.formulas import TRUE
from symkripke.model import Definition, DerivedFluent, Fluent, Vocabulary
from symkripke.model.completing import OPERATORS, names_after, words_of_formulas

COIN = Fluent("coin", ("heads", "tails"))
WHO = DerivedFluent("who", (("ann", Atom("p")), ("bob", Not(Atom("p")))))
AT = Definition("at", (("card", ("rope", "knife")),), lambda card: Atom(f"at({card})"))
VOCABULARY = Vocabulary.of(
    [COIN, Fluent("at(rope, hall)")],
    ["ann"],
    definitions=[Definition("holds", (("agent", ("ann",)),), lambda agent: TRUE)],
)


def test_fluents() -> None:
    boolean = Fluent("p")
    assert boolean.is_boolean
    assert boolean.atoms == (Atom("p"),)
    assert boolean.domain is TRUE
    assert boolean.equals("false") is Not(Atom("p"))
    assert COIN.atoms == (Atom("coin", "heads"), Atom("coin", "tails"))
    assert COIN.domain is exactly(1, COIN.atoms)
    assert (WHO.values, WHO.equals("bob")) == (("ann", "bob"), Not(Atom("p")))
    assert AT("rope") is Atom("at(rope)")
    for name in ("p", "location(rope)", "die(ann, 2)", "Öl", "p_1(2, b)"):
        assert Fluent(name, ("1", "zwei")).name == name


@pytest.mark.parametrize("name", ["", "a b", "true", "p(a,b)", "p()", "1", "p#", "p(a", "é!"])
def test_names_that_could_not_be_parsed_again(name: str) -> None:
    with pytest.raises(InputError, match="expected a fluent named like"):
        Fluent(name)


@pytest.mark.parametrize("values", [("a b",), ("",), (), ("a", "a"), ("true", "maybe")])
def test_values_that_could_not_be_parsed_again(values: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="fluent p"):
        Fluent("p", values)


@pytest.mark.parametrize(
    ("wrong", "fact"),
    [
        (lambda: Vocabulary.of([Fluent("p"), Fluent("p")], []), "fluent 'p' is given twice"),
        (lambda: Vocabulary.of([], ["ann", "ann"]), "agent 'ann' is given twice"),
        (lambda: Vocabulary.of([], [], definitions=[AT, AT]), "definition 'at' is given twice"),
        (lambda: Vocabulary.of([COIN], []).extended([COIN]), "'coin' already exists"),
        (lambda: COIN.equals("head"), "did you mean 'heads'"),
        (lambda: WHO.equals("cat"), "'cat'"),
        (lambda: AT("rope", "knife"), "1 arguments, got 2"),
        (lambda: AT("roope"), "did you mean 'rope'"),
        (lambda: VOCABULARY.agent("an"), "did you mean 'ann'"),
    ],
)
def test_duplicate_and_unknown_names(wrong: Callable[[], object], fact: str) -> None:
    with pytest.raises(InputError, match=fact):
        wrong()


def test_the_names_of_a_vocabulary() -> None:
    assert VOCABULARY.extended([]) is VOCABULARY
    assert tuple(VOCABULARY.extended([Fluent("p")]).fluents) == ("coin", "at(rope, hall)", "p")
    assert VOCABULARY.names == ("holds", "coin", "at")
    signatures = [VOCABULARY.signature_of(name) for name in ("holds", "at", "coin")]
    assert signatures == ["holds(agent)", "at(..., ...)", "coin"]
    assert VOCABULARY.words(Atom("coin", "heads"), False) == "coin != heads"


@pytest.mark.parametrize(
    ("before", "names"),
    [
        ("K[ann] (p & C[", ["ann"]),
        ("p & holds(", ["ann"]),
        ("holds(ann, ", []),
        ("~at(", ["rope, hall"]),
        ("ann sees coin != h", ["heads", "tails"]),
        ("K[ann] nothing = ", [*OPERATORS, *VOCABULARY.names]),
        ("K[ann] ", [*OPERATORS, *VOCABULARY.names]),
    ],
)
def test_completions(before: str, names: list[str]) -> None:
    assert [*names_after(VOCABULARY, before)] == names
    typed = "h" if before.endswith("h") else ""
    assert [word for _, word in words_of_formulas(VOCABULARY, before)] == [
        name for name in names if name.startswith(typed)
    ]
    assert all(before[start:] == typed for start, _ in words_of_formulas(VOCABULARY, before))


def test_messages_list_few_names_and_the_first_of_many() -> None:
    assert str(UnknownName("card", "zzz", ["a", "b"])).endswith("'zzz'; expected one of a, b")
    many = [f"card{number}" for number in range(50)]
    assert str(UnknownName("card", "zzz", many)).endswith("card0, card1, card2 or 47 others")
    assert "did you mean 'Card1'" in str(UnknownName("card", "card1", ["Card1", "x"]))
