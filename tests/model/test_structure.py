"""Structures, and the effects of events on them."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import InputError, UnknownName
from symkripke.language import TRUE, Atom, B, K, Kv, Kw, M, Name, Not, exactly, parse
from symkripke.model import (
    Change,
    Constraint,
    DerivedFluent,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Soft,
    Vocabulary,
    announcement,
    private,
)
from tests.support.strategies import scenes

COIN = Fluent("coin", ("heads", "tails"))
p, q, heads = Atom("p"), Atom("q"), Atom("coin", "heads")
AGENTS = ("ann", "bob")
ENGINE = ExplicitEngine()


def sees(*atoms: Atom) -> tuple[Observable, ...]:
    return tuple(Observable(atom, "sees it") for atom in atoms)


def seen(structure: KnowledgeStructure, agent: str) -> list[Atom]:
    return [observable.atom for observable in structure.observables[agent]]


@pytest.fixture
def first() -> KnowledgeStructure:
    """Return a structure in which Ann sees p, Bob sees the coin, and p or q is true."""
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q"), COIN], AGENTS)
    law = [Constraint(p | q, "one of them")]
    return KnowledgeStructure.of(vocabulary, law, {"ann": sees(p), "bob": sees(heads)})


def test_first_structures_know_their_names(first: KnowledgeStructure) -> None:
    assert first.stages == (first,)
    assert [str(c.source) for c in first.law] == ["one of them"]
    assert [c.formula for c in first.domains] == [COIN.domain]
    assert str(first.parse("C[*] p")) == "C[ann, bob] p"


LAW_OF_FORMULAS: Any = [p]


@pytest.mark.parametrize(
    ("law", "observables", "fact"),
    [
        ([], {"bert": []}, "agent 'bert'"),
        ([Constraint(Atom("r"), "")], {}, "fluent 'r'"),
        ([], {"ann": sees(Atom("coin", "edge"))}, "value of coin 'edge'"),
        ([Constraint(K("ann", p), "")], {}, "knowledge"),
        (LAW_OF_FORMULAS, {}, "expected constraints .*, got an atom"),
    ],
)
def test_invalid_structures(law: Any, observables: Any, fact: str) -> None:
    with pytest.raises(InputError, match=fact):
        KnowledgeStructure.of(Vocabulary.of([Fluent("p"), COIN], AGENTS), law, observables)


def test_the_first_law_and_observables_are_resolved(first: KnowledgeStructure) -> None:
    law = [Constraint(Atom("p#0") | Atom("q", "false"), "law")]
    structure = KnowledgeStructure.of(
        first.vocabulary, law, {"ann": sees(Atom("p#0"), Atom("q", "false"))}
    )
    assert structure.law.added[0].formula is p | Not(q)
    assert seen(structure, "ann") == [p, q]


def test_resolving_names(first: KnowledgeStructure) -> None:
    formula = parse("K[ann] p & Kv[bob] coin")
    assert first.resolve(formula) is formula
    assert first.resolve(parse("Kv[ann] p#0")) is Kv("ann", "p")
    assert first.resolve(Atom("p", "false")) is Not(p)
    for wrong in ("K[cat] p", "E[ann, cat] p", "Kv[cat] p", "P[cat](p) = 1"):
        with pytest.raises(UnknownName, match="unknown agent 'cat'"):
            first.resolve(parse(wrong))
    with pytest.raises(UnknownName, match="unknown fluent 'r'"):
        first.resolve(Kv("ann", "r"))
    with pytest.raises(UnknownName, match="unknown fluent"):
        first.fluents("r")


def test_facts_are_law_and_are_resolved_to_truth_values_until_they_change() -> None:
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q"), COIN], AGENTS)
    law, facts = [Constraint(p | q, "one")], [Constraint(heads, "heads"), Constraint(~q, "no q")]
    with pytest.raises(InputError, match="an atom"):
        KnowledgeStructure.of(vocabulary, law, {}, facts=facts)
    facts[1] = Constraint(Atom("q", "false"), "no q")
    known = KnowledgeStructure.of(vocabulary, law, {"ann": sees(p)}, facts=facts)
    stated = KnowledgeStructure.of(vocabulary, [*law, *facts], {"ann": sees(p)})
    assert [*map(str, known.law)] == [*map(str, stated.law)]
    tails, knows = Atom("coin", "tails"), K("bob", p & heads)
    asked = [p, q, heads, tails, knows, K("bob", q), Kv("bob", "coin")]
    turned = Event("turned", changes=(Change("coin", None, "turned"), Change("q", "true", "")))
    earlier = [heads, Atom(Name("coin").at(0), "heads"), Atom(Name("q").at(0)), K("bob", q)]
    for at, formulas in ((0, asked), (1, [*asked, *earlier])):
        for formula in formulas:
            both = []
            for structure in (known, stated):
                scene = Scene.of(structure, {"p": "true", "q": "false", "coin": "heads"})
                after = scene.update(turned, {"coin": "tails"}) if at else scene
                both.append(bool(ENGINE.holds(after, formula)))
            assert both[0] is both[1], formula
    assert known.resolve(heads & p) is p
    assert known.update(turned).resolve(Atom(Name("coin").at(0), "heads")) is TRUE
    assert known.update(turned).resolve(heads) is Atom(Name("coin").at(1), "heads")
    with pytest.raises(UnknownName, match="edge"):
        KnowledgeStructure.of(vocabulary, (), {}, facts=[Constraint(Atom("coin", "edge"), "")])


def test_derived_fluents_resolve_to_their_cases() -> None:
    who = DerivedFluent("who", (("ann", p), ("bob", Not(p))))
    vocabulary = Vocabulary.of([Fluent("p")], AGENTS, derived=[who])
    structure = KnowledgeStructure.of(vocabulary, [], {})
    assert structure.fluents("who") == (p, Not(p))
    assert structure.resolve(Kv("ann", "who")) is Kv("ann", "who")
    changed = structure.update(Event("flip", changes=(Change("p", (("true", Not(p)),)),)))
    now = Atom("p#1")
    assert changed.fluents("who") == (now, Not(now))
    assert changed.resolve(Kv("ann", "who")) is Kw("ann", now) & Kw("ann", Not(now))


def test_announcements_add_to_the_law(first: KnowledgeStructure) -> None:
    after = first.announce("K[ann] p")
    assert after.history.before is first
    assert after.stages == (first, after)
    assert after.root is first
    assert [str(c.source) for c in after.law] == ["one of them", "it was announced that K[ann] p"]
    assert after.law.added[0].is_modal
    assert after.vocabulary.fluents is first.vocabulary.fluents


def test_observables_are_not_listed_twice(first: KnowledgeStructure) -> None:
    after = first.update(Event("look", observes={"ann": sees(p, q)}))
    assert seen(after, "ann") == [p, q]


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Event("", changes=(Change("r", "true"),)), "fluent 'r'"),
        (Event("", changes=(Change("p#0", "true"),)), "fluent 'p#0'"),
        (Event("", changes=(Change("coin", "edge"),)), "value of coin 'edge'"),
        (Event("", changes=(Change("coin", (("edge", p),)),)), "value of coin 'edge'"),
        (Event("", changes=(Change("coin", (("heads", Atom("r")),)),)), "fluent 'r'"),
        (Event("", changes=(Change("p", (("true", K("ann", p)),), "magic"),)), "magic: "),
        (Event("", changes=(Change("p", "true"), Change("p", "false"))), "p changes twice"),
        (Event("", fluents=(Fluent("x#1"),)), "#"),
        (private(Fluent("p"), [], TRUE, "again"), "'p' already exists"),
        (private(Fluent("new"), ["cat"], TRUE, "nobody"), "agent 'cat'"),
        (announcement(Atom("r")), "fluent 'r'"),
    ],
)
def test_invalid_events(first: KnowledgeStructure, event: Event, message: str) -> None:
    with pytest.raises(InputError, match=message):
        first.update(event)


@settings(max_examples=60)
@given(scenes())
def test_structures_keep_their_past(scene: Scene) -> None:
    """Names, law and observables only grow (perfect recall), and resolved names stay valid."""
    line = scene.structure.stages
    for before, after in pairwise(line):
        assert after.history.before is before
        assert (
            list(before.vocabulary.fluents)
            == list(after.vocabulary.fluents)[: len(before.vocabulary.fluents)]
        )
        for agent in before.agents:
            kept = after.observables[agent][: len(before.observables[agent])]
            assert kept == before.observables[agent]
    for agent in scene.structure.agents:
        for observable in scene.structure.observables[agent]:
            fluent = scene.structure.vocabulary.fluents[observable.atom.fluent]
            assert observable.atom in fluent.atoms


@pytest.mark.parametrize("again", [False, True])
def test_names_are_checked_inside_every_operator(again: bool) -> None:
    """This includes cached facts, and questions cached for another agent."""
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent("p"), Fluent("x", ("1", "2", "3"))], ["ann", "bob"]), [], {}
    )
    fact = exactly(1, [Atom("p"), Atom("x", "2"), Atom("x", "3")])
    if again:
        assert structure.resolve(fact) is fact
        assert structure.resolve(K("ann", M("bob", fact))) is K("ann", M("bob", fact))
    for good in (K("ann", fact), Kw("bob", B("ann", fact)), M("ann", B("bob", fact, Atom("p")))):
        assert structure.resolve(good) is good
    for kind in K, M, Kw, B:
        for bad in kind("cat", fact), kind("ann", K("cat", fact)), ~kind("ann", M("dan", fact)):
            with pytest.raises(UnknownName, match="agent"):
                structure.resolve(bad)
    for bad in fact & Atom("q"), ~Atom("x", "4") | fact, Atom("y", "2") & fact:
        for asked in bad, K("ann", bad), B("ann", K("bob", bad)), B("ann", fact, bad):
            with pytest.raises(UnknownName):
                structure.resolve(asked)
    # False values become negations, and publicly known values are substituted.
    assert structure.resolve(K("ann", Atom("p", "false") & fact)) is K("ann", ~Atom("p") & fact)
    after = structure.update(Event("p is so", changes=(Change("p", "true"),)))
    assert after.resolve(K("ann", Atom("p") & Atom("x", "1"))) is K("ann", TRUE & Atom("x", "1"))
    assert structure.resolve(K("ann", Atom("p"))) is K("ann", Atom("p"))


def test_events_without_information_do_not_change_the_settled_structure(
    first: KnowledgeStructure,
) -> None:
    asked = first.update(Event("ann asks"))
    doubted = asked.update(Event("bob doubts it", soft=(Soft(p, {"bob": -1}),)))
    assert doubted.settled is asked.settled is first.settled is first
    told = doubted.announce(p)
    assert told.settled is told
    again = told.update(Event("ann asks"))
    assert again.settled is told
    shown = again.update(private(Fluent("r"), ("bob",), Atom("r"), "ann shows p"))
    assert shown.settled is shown


def test_structures_are_freed_without_the_cyclic_collector(first: KnowledgeStructure) -> None:
    gc.disable()
    try:
        asked = first.update(Event("ann asks"))
        told = asked.announce(p)
        assert told.stages == (first, asked, told)
        assert told.history.past == (first, asked)
        assert told.root is first
        assert told.settled is told
        assert asked.settled is first
        assert not told.unchecked
        assert told.resolve(K("ann", p)) is K("ann", p)
        seen = [weakref.ref(asked), weakref.ref(told)]
        del asked, told
        assert [one() for one in seen] == [None, None]
    finally:
        gc.enable()


def test_branches_with_fluents_of_the_same_name_do_not_mix(first: KnowledgeStructure) -> None:
    """A formula refers to the versions of its own structure, however often it is resolved."""
    left = first.update(Event("left", fluents=(Fluent("z", ("one", "two")),)))
    right = first.update(Event("right", fluents=(Fluent("z", ("two", "three")),)))
    changed = first.update(Event("coin changes", changes=(Change("coin", None),)))
    fixed = first.update(Event("heads", changes=(Change("coin", "heads"),)))
    for _ in range(2):
        assert first.resolve(heads & q) is heads & q
        assert changed.resolve(heads & q) is Atom("coin#1", "heads") & q
        assert fixed.resolve(heads & q) is q
        assert changed.parse("coin#1=heads & coin#0=tails") is parse("coin#1=heads & coin#0=tails")
        assert left.resolve(heads & Atom("z", "one")) is heads & Atom("z", "one")
        for wrong in (right, first):
            with pytest.raises(UnknownName):
                wrong.resolve(heads & Atom("z", "one"))


def test_structures_and_their_parts_have_a_short_repr(first: KnowledgeStructure) -> None:
    after = first.update(Event("turned", (Constraint(p, "said"),), changes=(Change("coin", None),)))
    for part, facts in (
        (after, ("4 fluents", "2 constraints", "1 events")),
        (after.law, ("2 in 2 layers",)),
        (after.resolver, ("4 fluents", "1 changed")),
        (after.history, (repr(first),)),
    ):
        assert all(fact in repr(part) for fact in facts)


@pytest.mark.parametrize("name", ["auto", "sat", "bdd", "smt", "explicit"])
def test_agents_that_consider_an_announcement_before_common_knowledge_possible(
    name: str, first: KnowledgeStructure
) -> None:
    scene = Scene.of(first, {"p": "true", "q": "true", "coin": "heads"})
    for text, right in (("[!p] C[ann, bob] q", {"bob"}), ("~<!p> C[ann, bob] q", {"ann", "bob"})):
        assert engine(name).possible_to(scene, text, AGENTS) == right, text
