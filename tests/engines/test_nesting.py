"""Nested operators: hundreds have answers, and too many give a clear error."""

from __future__ import annotations

import ctypes

import pytest

from symkripke.engines import engine
from symkripke.engines.sat import SatEngine
from symkripke.engines.smt import SmtEngine
from symkripke.engines.smt.translation import Translation
from symkripke.errors import NestedTooDeeply, Unsupported
from symkripke.language import Atom, Formula, K
from symkripke.language.formulas import AfterAction
from symkripke.model import (
    WHICH,
    ActionModel,
    PossibleEvent,
)
from tests.support.situations import coins


def nested(depth: int) -> Formula:
    """Return "Ann knows that Bob knows that Ann ... p or q", of this depth."""
    formula: Formula = Atom("p") | Atom("q")
    for level in range(depth):
        formula = K(("ann", "bob")[level % 2], formula)
    return formula


def test_a_hundred_nested_operators_are_answered() -> None:
    assert SatEngine().holds(coins(), nested(100))


@pytest.mark.parametrize("name", ["auto", "sat", "bdd", "smt", "explicit"])
def test_too_many_nested_actions(name: str) -> None:
    """Each action is resolved at the structure after the previous one."""
    look = ActionModel("ann looks", [PossibleEvent("it")], {"ann": WHICH, "bob": WHICH})
    formula: Formula = Atom("p")
    for _ in range(300):
        formula = AfterAction(look, formula)
    with pytest.raises(NestedTooDeeply):
        engine(name).holds(coins(), formula)
    with pytest.raises(NestedTooDeeply):
        engine(name).valid(coins().structure, K("ann", formula))


@pytest.mark.parametrize("method", ["holds", "valid"])
def test_a_limit_inside_the_binding_of_z3_is_the_same_error(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the stack overflows inside an argument conversion, ctypes hides the `RecursionError`."""

    def too_deep(*_: object, **__: object) -> None:
        raise ctypes.ArgumentError("argument 2: RecursionError: maximum recursion depth exceeded")

    monkeypatch.setattr(Translation, "formula", too_deep)
    here = coins()
    place = here if method == "holds" else here.structure
    with pytest.raises(Unsupported, match="the formula is nested too deeply"):
        getattr(SmtEngine(), method)(place, nested(3))
