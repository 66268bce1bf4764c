"""Wrong types are told by errors of ours; errors of our own making stay as they are."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import symkripke as sk
from symkripke.argument_types import described
from symkripke.errors import InputError, SymkripkeError
from tests.support.odd_calls import ODD_ANYWHERE, PRELUDE, filled


def situation() -> dict[str, Any]:
    """The names of the fuzzer's prelude: a small structure, a scene, a perspective, a table."""
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    return names


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("sk.parse(3)", "expected text, got the number 3"),
        ("sk.Fluent('x', 3)", "fluent x: expected several, each text, got the number 3"),
        ("sk.Fluent('x', 'yes')", "fluent x: expected several, each text, got the text 'yes'"),
        ("sk.Atom('x', 3)", "expected names in Atom(...), got the number 3"),
        ("sk.conjunction([3])", "expected formulas in And(...), got the number 3"),
        ("sk.conjunction([[]])", "expected formulas in And(...), got a list: []"),
        ("sk.negation(None)", "expected formulas in Not(...), got None"),
        ("sk.parse('p') | 'q'", "expected formulas in Or(...), got the text 'q'"),
        ("sk.atleast('1', [])", "expected a whole number as a bound, got the text '1'"),
        ("sk.Constraint('p', 'why')", "expected a formula as a constraint, got the text 'p'"),
        ("sk.Change('x', 3)", "change of x: expected several, each a tuple, got the number 3"),
        ("sk.Budget(seconds='1')", "expected a number of seconds, got the text '1'"),
        ("sk.Budget(conflicts=1.5)", "expected a whole number of conflicts, got the number 1.5"),
        ("sk.Vocabulary.of([3], ['a'])", "fluents: expected a fluent, got the number 3"),
        ("sk.Vocabulary.of([], 'ab')", "agents: expected several, each text, got the text 'ab'"),
        ("scene.perspective(3)", "expected the name of an agent, got the number 3"),
        (
            "engine.holds(3, 'p')",
            "expected a scene or a perspective, got the number 3",
        ),
        (
            "sk.engine('sat').holds(structure, 'p')",
            "expected a scene or a perspective, got a knowledge structure",
        ),
        ("engine.holds(scene, 3)", "expected a formula or its text, got the number 3"),
        ("engine.possible_to(scene, 'p', ['a', 3])", "agents: expected text, got the number 3"),
        ("engine.sheet(view, [3])", "expected a formula or its text, got the number 3"),
        ("sk.game('cluedo').setup(names='abc')", "names: expected several, each text, got"),
        ("sk.game('perudo').setup(dice=[])", "option dice: expected a whole number, got a list"),
        ("sk.Table(3, 3)", "expected a game, got the number 3"),
        ("sk.Problem(structure, 3)", "steps: expected several, each a step, got the number 3"),
        ("sk.Problem(structure, (3,))", "expected a step, got the number 3"),
        ("list(sk.check(3))", "expected a problem, got the number 3"),
        ("model.evaluate(sk.parse('p'), {})", "the world has no value for p"),
        ("problems.read_file(chr(0))", "cannot read \0: embedded null byte"),
        ("table.record.write(chr(0))", "embedded null byte"),
    ],
)
def test_a_wrong_type_is_told(call: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        eval(call, situation())
    assert message in str(error.value)


def test_everything_odd_everywhere_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call of the fuzzer once, with odd values: an answer, our error, or one of types."""
    monkeypatch.chdir(tmp_path)  # one of them writes a file
    chance = Random(1)
    for line in ODD_ANYWHERE:
        names = situation()
        call = filled(line, chance, 1.0)
        try:
            exec(call, names)
        except (SymkripkeError, TypeError, AttributeError, ValueError):
            continue
        except Exception as error:
            pytest.fail(f"{call}: {type(error).__name__}: {error}")


def test_every_name_that_is_exported_is_tried_by_the_fuzzer() -> None:
    """Constructors and functions; what engines and readers return is made by them alone."""
    returned = {"Formula", "Answer", "Sheet", "Mark", "Moment", "Engine", "Perspective", "Beliefs"}
    calls = "\n".join(ODD_ANYWHERE)
    for name in sk.__all__:
        made = getattr(sk, name)
        if name in returned or (isinstance(made, type) and issubclass(made, Exception)):
            continue
        assert f"sk.{name}" in calls or name == "game_names", name


def test_values_in_words() -> None:
    assert described(sk.Atom("p")) == "an atom"
    assert described(10**5_000) == "the number ..."
    assert described("x" * 500).endswith("...'")
    assert described(lambda: 1) == "a function"
