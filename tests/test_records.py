"""Classes made by `symkripke.records` are as those that the standard library makes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field, replace
from typing import Any

import pytest

from symkripke import records


@records.dataclass(frozen=True, slots=True)
class Slotted:
    """A value with slots."""

    left: int
    right: tuple[int, ...] = ()


def both(**options: Any) -> list[Any]:
    """The same class, made by the standard library and here."""

    def sample() -> type:
        class Sample:
            """A sample."""

            first: int
            second: list[int] = field(default_factory=list, compare=False)
            third: str = field(default="c", repr=False)
            fourth: int = field(default=4, init=False)
            fifth: Any = field(default=5, hash=False)

            def __post_init__(self) -> None:
                if self.first < 0:
                    raise ValueError("negative")

        return Sample

    made: Any = records.dataclass
    return [dataclasses.dataclass(**options)(sample()), made(**options)(sample())]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"eq": False},
        {"repr": False},
        {"slots": True},
        {"frozen": True},
        {"frozen": True, "slots": True},
        {"frozen": True, "eq": False, "repr": False},
    ],
)
def test_objects_are_alike(options: dict[str, bool]) -> None:
    there, here = both(**options)
    assert str(inspect.signature(here)) == str(inspect.signature(there))
    assert here.__match_args__ == there.__match_args__
    assert getattr(here, "__slots__", None) == getattr(there, "__slots__", None)
    for made in there, here:
        value, same, other = made(1), made(1, [2]), made(1, third="d")
        assert value.second == []
        assert value.second is not made(1).second
        assert (value.third, value.fourth) == ("c", 4)
        assert (value == same, value == other) == (options.get("eq", True), False)
        assert value != (1, [], "c", 4, 5)
        assert replace(value, third="e").third == "e"
        assert [each.name for each in dataclasses.fields(made)] == [
            *("first", "second", "third", "fourth", "fifth")
        ]
        with pytest.raises(ValueError, match="negative"):
            made(-1)
    if options.get("repr", True):
        assert repr(here(1)) == repr(there(1))
    hashed = [made.__hash__ is not None for made in (there, here)]
    assert hashed[0] == hashed[1]
    if hashed[0] and options.get("eq", True):
        assert hash(here(1)) == hash(there(1))
        assert hash(replace(here(1), fifth=[])) == hash(here(1))


@pytest.mark.parametrize("slots", [False, True])
def test_frozen_objects_stay(slots: bool) -> None:
    for made in both(frozen=True, slots=slots):
        value = made(1)
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'first'"):
            value.first = 2
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'first'"):
            del value.first


def test_what_a_class_defines_itself_stays() -> None:
    @records.dataclass(frozen=True)
    class Own:
        """Compared in its own way."""

        number: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

    assert repr(Own(1)) == "own"
    assert Own(1) == Own(2)


def test_copies_and_pickles_of_slotted_values() -> None:
    value = Slotted(1, (2,))
    assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value


def test_a_decorator_without_options() -> None:
    @records.dataclass
    class Point:
        x: int
        y: int = 0

    point = Point(1)
    point.y = 2
    assert point == Point(1, 2)


def test_a_class_that_derives_from_another_one() -> None:
    @records.dataclass(frozen=True)
    class Judged:
        name: str
        truth: bool = True

    @records.dataclass(frozen=True)
    class Known(Judged):
        sources: tuple[int, ...] = ()

    known = Known("p", False, (1, 2))
    assert repr(known).endswith("Known(name='p', truth=False, sources=(1, 2))")
    assert known == Known("p", truth=False, sources=(1, 2))
    assert hash(known) == hash(Known("p", False, (1, 2)))
    assert known != Judged("p", False)
    assert replace(known, name="q") == Known("q", False, (1, 2))
    for name in ("name", "truth", "sources"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(known, name, None)


def test_an_option_that_is_not_there() -> None:
    made: Any = records.dataclass
    with pytest.raises(TypeError, match=r"expected options of init, repr.*, got order"):
        made(order=True)
