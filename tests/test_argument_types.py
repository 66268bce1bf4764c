"""Wrong types are told by errors of ours; errors of our own making stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest

import symkripke as sk
from benchmarks.fuzz.calls import ODD_ANYWHERE, PRELUDE, filled
from symkripke.argument_types import check_result, described, explained
from symkripke.errors import InputError, SymkripkeError


def situation() -> dict[str, Any]:
    """The names of the fuzzer's prelude: a small structure, a scene, a perspective, a table."""
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    return names


STATE = "state: expected a scene, a perspective or a multi-pointed structure"


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
        ("scene.update('p')", "event: expected an event or an action model, got the text 'p'"),
        ("sk.Scene.of(structure, 3)", "world: expected a dict, got the number 3"),
        (
            "engine.holds(3, 'p')",
            "state: expected a scene, a perspective or a multi-pointed structure, got the number 3",
        ),
        ("engine.holds(scene, 3)", "expected a formula or its text, got the number 3"),
        ("engine.holds(scene, 'p', 3)", "budget: expected a budget or None, got the number 3"),
        (
            "sk.engine('sat').holds(structure, 'p')",
            "state: expected a scene, a perspective or a multi-pointed structure, got",
        ),
        ("engine.possible_to(scene, 'p', ['a', 3])", "agents: expected text, got the number 3"),
        ("engine.sheet(view, [3])", "expected a formula or its text, got the number 3"),
        ("engine.sample(view, 2, 3)", "chance: expected a random, got the number 3"),
        ("engine.worlds(scene)", "state: expected a knowledge structure or a perspective, got a s"),
        ("sk.game(3)", "name: expected text, got the number 3"),
        ("sk.game('cluedo').setup(players='3')", "players: expected a whole number or None, got"),
        ("sk.game('cluedo').setup(names='abc')", "names: expected several, each text, got"),
        ("sk.game('perudo').setup(dice=[])", "option dice: expected a whole number, got a list"),
        ("sk.Table(3, 3)", "expected a game, got the number 3"),
        ("table.moment.at('1')", "turn: expected a whole number, got the text '1'"),
        ("sk.Problem(structure, 3)", "steps: expected several, each a step, got the number 3"),
        ("sk.Problem(structure, (3,))", "expected a step, got the number 3"),
        ("list(sk.check(3))", "expected a problem, got the number 3"),
        ("sk.puzzle('muddy_children').problem('3')", "n: expected a whole number or None, got"),
        ("model.evaluate(sk.parse('p'), {})", "the world has no value for p"),
        ("problems.read_file(chr(0))", "cannot read \0: embedded null byte"),
        ("sk.Record.of(table).write(chr(0))", "embedded null byte"),
    ],
)
def test_a_wrong_type_is_told(call: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        eval(call, situation())
    assert message in str(error.value)


def test_everything_odd_everywhere_is_an_error_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call of the fuzzer once, with odd values: what comes is an answer or our own error."""
    monkeypatch.chdir(tmp_path)  # one of them writes a file
    chance = Random(1)
    for line in ODD_ANYWHERE:
        names = situation()
        call = filled(line, chance, 1.0)
        try:
            exec(call, names)
        except SymkripkeError:
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


@explained
def broken(number: int, names: Iterable[str] = ()) -> int:
    return number + len("") + "text"  # type: ignore[operator]


def test_an_error_of_our_own_making_stays_what_it_is() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        broken(3, ["a"])
    with pytest.raises(InputError, match="names: expected text, got the number 4"):
        broken(3, ["a", 4])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        broken()  # type: ignore[call-arg]


def test_what_can_be_read_only_once_is_not_used_up() -> None:
    rest = iter([1, 2])

    @explained
    def take(numbers: Iterable[str]) -> None:
        raise KeyError("inside")

    with pytest.raises(KeyError):
        take(rest)  # type: ignore[arg-type]
    assert list(rest) == [1, 2]


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (Mapping[str, int], {"a": "b"}, "expected a whole number, got the text 'b'"),
        (Mapping[str, int], ["a"], "expected a dict, got a list: ['a']"),
        (tuple[str, int], ("a",), "expected a tuple of 2, got a tuple: ('a',)"),
        (tuple[str, int], ("a", "b"), "expected a whole number, got the text 'b'"),
        (Sequence[str] | None, ["a", None], "expected text, got None"),
        (Callable[[str], str], 3, "expected a function, got the number 3"),
        (Literal["a", "b"], "c", "expected one of a, b, got the text 'c'"),
        (float | str, b"x", "expected a number or text, got a bytes: b'x'"),
    ],
)
def test_types_in_words(kind: Any, given: object, message: str) -> None:
    def returns(text: str) -> Any: ...

    returns.__annotations__["return"] = kind
    with pytest.raises(InputError) as error:
        check_result(partial(returns, "x"), given)
    assert str(error.value) == message


def test_a_value_of_the_type_is_taken() -> None:
    def returns(text: str) -> Any: ...

    for kind, given in ((float, 1), (Mapping[str, str], {}), (Sequence[str], ["a"]), (Any, None)):
        returns.__annotations__["return"] = kind
        check_result(returns, given)


def test_values_in_words() -> None:
    assert described(sk.Atom("p")) == "an atom"
    assert described(10**5_000) == "the number ..."
    assert described("x" * 500).endswith("...'")
    assert described(lambda: 1) == "a function"
