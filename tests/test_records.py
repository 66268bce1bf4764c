"""Classes made by `symkripke.records`, compared with those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field, replace
from typing import Any

import pytest

from symkripke import records


def both(**options: Any) -> list[Any]:
    """Return the same class, made by the standard library and by us."""

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
def test_objects_match_the_standard_library(options: dict[str, bool]) -> None:
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


@records.dataclass
class Judged:
    """A class that is not frozen, is made without options, and has its own comparison."""

    name: str
    truth: bool = True

    def __eq__(self, other: object) -> bool:
        return True


@records.dataclass(frozen=True, slots=True)
class Known:
    """A value with slots."""

    name: str
    sources: tuple[int, ...] = ()


@records.dataclass(frozen=True, slots=True)
class Told(Known):
    """A value of a subclass."""

    by: str = "ann"


def test_values_are_compared_copied_and_kept() -> None:
    judged = Judged("p")
    judged.truth = False
    assert judged == Judged("q")
    told = Told("p", (1, 2))
    assert repr(told) == "Told(name='p', sources=(1, 2), by='ann')"
    assert told == Told("p", sources=(1, 2)) == replace(Told("q", (1, 2)), name="p")
    assert told != Known("p", (1, 2))
    assert hash(told) == hash(Told("p", (1, 2)))
    assert copy.copy(told) == copy.deepcopy(told) == pickle.loads(pickle.dumps(told)) == told
    for name in ("name", "sources", "by"):
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"assign to field '{name}'"):
            setattr(told, name, None)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'name'"):
        del told.name


def test_an_unknown_option() -> None:
    made: Any = records.dataclass
    with pytest.raises(TypeError, match=r"expected options of init, repr.*, got order"):
        made(order=True)
