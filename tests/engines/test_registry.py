"""The registry of engines: the table, entry points, and the features of each engine."""

from __future__ import annotations

import pytest

from symkripke import installed
from symkripke.engines import ENGINES, Entry, counter, engine, engine_names
from symkripke.engines.registry import GROUP, TABLE
from symkripke.engines.sat import SatEngine
from symkripke.errors import SymkripkeError, UnknownName, Unsupported
from symkripke.installed import EntryPoint
from symkripke.language import Atom
from symkripke.model import Fluent, KnowledgeStructure, Perspective, Vocabulary

COIN = KnowledgeStructure.of(Vocabulary.of([Fluent("heads")], ["ann"]), [], {"ann": []})
VIEW = Perspective.of(COIN, "ann", [])
HEADS = Atom("heads")


class Outside(SatEngine):
    """An engine from another package."""

    name = "outside"


COUNTING = ("auto", "bdd", "explicit")
NOTHING_TO_LOAD = "no entry"
OUTSIDE = Entry(__name__, "Outside")


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("broken", f"{__name__}:NOTHING_TO_LOAD", "other"),
        EntryPoint("outside", f"{__name__}:OUTSIDE", "other"),
    ]

    def entry_points(group: str) -> list[EntryPoint]:
        assert group == GROUP
        return points

    monkeypatch.setattr(installed, "entry_points", entry_points)


@pytest.mark.parametrize("name", ENGINES)
def test_the_table_lists_the_features_of_an_engine(name: str) -> None:
    made = engine(name)
    assert made.name == name
    assert bool(made.holds(VIEW, "M[ann] heads"))
    if name in COUNTING:
        assert counter(made).worlds(VIEW) == 2
    else:
        with pytest.raises(Unsupported, match=f"the {name} engine does not count worlds; ask the"):
            counter(made)
    if TABLE[name].weighs:
        assert counter(engine(name, "bayes")).probability(VIEW, HEADS) * 2 == 1
    else:
        with pytest.raises(Unsupported, match=f"the {name} engine does not weigh worlds"):
            engine(name, "bayes")


@pytest.mark.usefixtures("_installed")
def test_an_engine_from_outside_is_found() -> None:
    assert engine_names() == (*ENGINES, "broken", "outside")
    made = engine("outside")
    assert made.name == "outside"
    assert bool(made.holds(VIEW, "~K[ann] heads"))
    with pytest.raises(Unsupported, match="the outside engine does not weigh worlds"):
        engine("outside", "bayes")


@pytest.mark.usefixtures("_installed")
def test_an_unknown_name_lists_the_engines_from_outside_too() -> None:
    with pytest.raises(UnknownName, match="did you mean 'outside'"):
        engine("outsid")
    with pytest.raises(SymkripkeError, match=r"'broken' of symkripke\.engines is not an Entry"):
        engine("broken")


def test_names_in_the_table_need_no_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(group: str) -> list[EntryPoint]:
        raise AssertionError(group)

    monkeypatch.setattr(installed, "entry_points", entry_points)
    assert engine("explicit").name == "explicit"
