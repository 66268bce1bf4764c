"""Wrong types give our own errors; errors raised by our own values stay as they are."""

from __future__ import annotations

import inspect
from pathlib import Path
from random import Random
from typing import Any

import pytest

import symkripke as sk
from symkripke import model, problems
from symkripke.argument_types import described
from symkripke.errors import InputError, SymkripkeError


def situation() -> dict[str, Any]:
    """Return a small structure, scene, perspective, engine and table, by name."""
    vocabulary = sk.Vocabulary.of([sk.Fluent("p"), sk.Fluent("x", ("1", "two"))], ("a", "b"))
    sees = {"a": [sk.Observable(sk.Atom("p", "true"), "a sees p")]}
    structure = sk.KnowledgeStructure.of(vocabulary, [], sees)
    scene = sk.Scene.of(structure, {"p": "true", "x": "1"})
    cluedo = sk.game("cluedo")
    table: Any = sk.Table(cluedo, cluedo.setup(rules="study", players=2), seed=1)
    found = {"sk": sk, "model": model, "problems": problems, "structure": structure}
    return found | {
        "scene": scene,
        "view": scene.perspective("a"),
        "engine": sk.engine("auto"),
        "table": table,
    }


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("sk.parse(3)", "text, got the number 3"),
        ("sk.Fluent('x', 'yes')", "fluent x: expected several, each text, got the text 'yes'"),
        ("sk.Atom('x', 3)", "names in Atom(...), got the number 3"),
        ("sk.conjunction([[]])", "formulas in And(...), got a list: []"),
        ("sk.parse('p') | 'q'", "formulas in Or(...), got the text 'q'"),
        ("sk.atleast('1', [])", "a whole number as a bound, got the text '1'"),
        ("sk.Constraint('p', 'why')", "a formula as a constraint, got the text 'p'"),
        ("sk.Change('x', 3)", "change of x: expected several, each a tuple, got the number 3"),
        ("sk.Budget(conflicts=1.5)", "a whole number of conflicts, got the number 1.5"),
        ("sk.Vocabulary.of([3], ['a'])", "fluents: expected a fluent, got the number 3"),
        ("scene.perspective(3)", "the name of an agent, got the number 3"),
        ("engine.holds(3, 'p')", "a scene or a perspective, got the number 3"),
        ("sk.engine('sat').holds(structure, 'p')", "got a knowledge structure"),
        ("engine.holds(scene, 3)", "a formula or its text, got the number 3"),
        ("engine.possible_to(scene, 'p', ['a', 3])", "agents: expected text, got the number 3"),
        ("engine.sheet(view, [3])", "a formula or its text, got the number 3"),
        ("sk.game('perudo').setup(dice=[])", "option dice: expected a whole number, got a list"),
        ("sk.game('cluedo').setup(rules=3)", "the name of a rule set, got the number 3"),
        ("sk.game('cluedo').setup(players='3')", "a number of players, got the text '3'"),
        (
            "sk.game('kwartet').setup(dealt_more=(3,))",
            "dealt_more: expected text, got the number 3",
        ),
        ("structure.coverings()", "this is a first structure"),
        ("structure.vocabulary.version('nobody', 1)", "unknown fluent 'nobody'"),
        ("table.record.place(-1)", "the number of an event, from 0, got -1"),
        ("sk.Table(3, 3)", "a game, got the number 3"),
        ("sk.Problem(structure, (3,))", "a step, got the number 3"),
        ("list(sk.check(3))", "a problem, got the number 3"),
        ("model.evaluate(sk.parse('p'), {})", "the world has no value for p"),
        ("problems.files.load(3)", "expected the name of a file, got the number 3"),
        ("problems.files.load(chr(0))", "cannot read \0: embedded null byte"),
        ("table.record.write(chr(0))", "embedded null byte"),
    ],
)
def test_a_wrong_type_is_named(call: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        eval(call, situation())
    assert message in str(error.value)


def is_called(name: str) -> bool:
    """Return whether the name is a function, or a class other than exceptions and formulas."""
    made = getattr(sk, name)
    kind = made if isinstance(made, type) else object
    return callable(made) and made is not sk.Formula and not issubclass(kind, Exception)


@pytest.mark.parametrize("name", [name for name in sk.__all__ if is_called(name)])
def test_anything_anywhere_is_an_answer_or_an_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All exported names, and methods of engines, scenes and tables, are called with odd values."""
    monkeypatch.chdir(tmp_path)
    names = situation()
    odd: list[Any] = [None, 3, -1, 0.5, "", "nobody", "a", "p", "p &", "\0", b"p", [], (), {}]
    odd += [["a", "a"], {"p": 3}, object(), sk.Atom("nothing", "true"), *names.values()]
    chance = Random(name)
    made = names.get(name.lower(), getattr(sk, name))
    methods = [method for method, _ in inspect.getmembers_static(made, inspect.isfunction)]
    public = [getattr(made, method) for method in methods if not method.startswith("_")]
    for call in [getattr(sk, name), *public]:
        count = len(inspect.signature(call).parameters)
        for _ in range(10):
            given = [chance.choice(odd) for _ in range(chance.randint(0, count))]
            try:
                call(*given)
            except (SymkripkeError, TypeError, AttributeError, ValueError):
                continue


def test_values_in_words() -> None:
    assert described(sk.Atom("p")) == "an atom"
    assert described(10**5_000) == "the number ..."
    assert described("x" * 500).endswith("...'")
    assert described(lambda: 1) == "a function"
