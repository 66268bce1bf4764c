"""Hypothesis strategies for small random situations and formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.model import Scene
from symkripke.testing.random_models import (
    ALL,
    BELIEF,
    NAMES,
    Names,
    random_formula,
    random_history,
)

T = TypeVar("T")


class Drawn:
    """Decisions of hypothesis, which it can shrink."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def integer(self, least: int, most: int) -> int:
        return self._draw(st.integers(least, most))

    def one_of(self, options: Sequence[T]) -> T:
        return options[self._draw(st.integers(0, len(options) - 1))]


@st.composite
def formulas(
    draw: st.DrawFn,
    names: Names = NAMES,
    depth: int = 4,
    operators: Sequence[str] = (*ALL, *BELIEF),
) -> f.Formula:
    """A strategy for formulas over `names`."""
    return random_formula(Drawn(draw), names, depth, operators)


@st.composite
def scenes(
    draw: st.DrawFn,
    most_events: int = 3,
    most_fluents: int = 4,
    judge: Callable[[Scene, Formula], bool] | None = None,
) -> Scene:
    """A strategy for scenes after some events."""
    return random_history(Drawn(draw), most_events, most_fluents, judge)
