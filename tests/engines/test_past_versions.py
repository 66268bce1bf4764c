"""Past versions of fluents, and who goes on observing them: the same in every engine."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from symkripke.engines import engine
from symkripke.errors import FalseConstraint, FormulaError
from symkripke.language import FALSE, TRUE, Announced, Atom, Formula, parse
from symkripke.language.formulas import AfterAction, after_some
from symkripke.model import (
    WHICH,
    ActionModel,
    Change,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    PossibleEvent,
    Postcondition,
    Scene,
    Soft,
    Vocabulary,
    announcement,
    that,
)
from symkripke.problems import check, read

ENGINES = ("auto", "sat", "bdd", "explicit", "smt")
P = Atom("p")


def coin(*agents: str, sees: str = "", fluents: int = 0, value: str = "true") -> Scene:
    """A coin p that agents named in `sees` see, beside more fluents of which nothing is known."""
    names = [f"q({number})" for number in range(fluents)]
    vocabulary = Vocabulary.of([Fluent("p"), *map(Fluent, names)], agents)
    seen = {agent: [Observable(P, "looks")] for agent in sees.split()}
    start = KnowledgeStructure.of(vocabulary, (), seen)
    return Scene.of(start, {"p": value, **dict.fromkeys(names, "true")})


def turned(to: str = "~p") -> Event:
    value = to if to in ("true", "false") else (("true", parse(to)),)
    return Event("it is turned", changes=(Change("p", value),))


def judge(name: str) -> Callable[[Scene, Formula], bool]:
    return lambda scene, formula: bool(engine(name).holds(scene, formula))


def toss(*agents: str) -> ActionModel:
    """It is tossed, and these agents notice only that."""
    events = [
        PossibleEvent(side, TRUE, [Postcondition("p", value)])
        for side, value in (("heads", "true"), ("tails", "false"))
    ]
    return ActionModel("it is tossed", events, dict.fromkeys(agents, that()))


def curtain(*agents: str) -> ActionModel:
    """A curtain is opened; ann notices it, bob does not, and all of these agents see p behind."""
    shown = {agent: [Observable(P, "it stands open")] for agent in agents}
    return ActionModel("the curtain", [PossibleEvent("open")], {"ann": WHICH}, observes=shown)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("fluents", [0, 24])
def test_announcements_speak_of_past_versions(name: str, fluents: int) -> None:
    if name == "explicit" and fluents:
        return
    scene = coin("b", sees="b", fluents=fluents).update(turned())
    was, was_not = parse("K[b] p#0"), parse("K[b] ~p#0")
    assert engine(name).holds(scene, was)
    assert engine(name).holds(scene.update(announcement(was), judge=judge(name)), was)
    with pytest.raises(FalseConstraint):
        scene.update(announcement(was_not), judge=judge(name))
    act = ActionModel("act", [PossibleEvent("e", was, [Postcondition("p", ~P)])], otherwise=WHICH)
    assert scene.update(act, judge=judge(name)).world["p#2"] == "true"
    if name != "smt":  # it does not answer what is so after an action
        assert engine(name).holds(scene, after_some(act, TRUE))
        assert engine(name).holds(scene, AfterAction(act, parse("p & p#0 & ~p#1")))
        never = AfterAction(ActionModel("n", [PossibleEvent("e")], otherwise=WHICH), FALSE)
        assert not engine(name).holds(scene, Announced(was, never))


def test_files_speak_of_past_versions() -> None:
    text = (
        "agents b\nfluent p\nb sees p\nactual p\nchange p := ~p\nannounce whether K[b] p#0\n"
        "true? C[b] p#0"
    )
    *_, common = check(read(text))
    assert common.answer


@pytest.mark.parametrize("name", ENGINES)
def test_every_change_makes_a_version(name: str) -> None:
    """Also one to a value that everybody knows, by an event or by an action."""
    act = ActionModel(
        "a", [PossibleEvent("e", TRUE, [Postcondition("p", "true")])], otherwise=WHICH
    )
    for constant in (turned("true"), act):
        scene = coin("b", value="false").update(constant)
        asked = scene.structure.parse("K[b] p#1 & Kv[b] p#1 & ~Kw[b] p#0 & ~(p#1 = false)")
        assert engine(name).holds(scene, asked)
        scene = scene.update(turned())
        assert engine(name).holds(scene, scene.structure.parse("p#1 & ~p#2 & ~p & ~p#0"))
        assert engine(name).holds(scene, scene.structure.parse("K[b] ~p#2"))
        with pytest.raises(FormulaError, match="p has no version #3"):
            scene.structure.parse("p#3")


def test_numbers_in_binary_have_constant_versions() -> None:
    text = (
        "agents a\nfluent n in 0..40\nactual n = 7\nchange n := 33\nchange n := n + 1\n"
        "true? n#1 = 33 & n#2 = 34 & n = 34 & n#0 = 7\ntrue? K[a] n#1 = 33 & ~K[a] n#0 = 7"
    )
    assert [bool(one.answer) for one in check(read(text)) if one.answer is not None] == [True, True]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    "change", [toss("ann", "bob"), Event("it is tossed", changes=(Change("p", None),))]
)
def test_what_an_action_shows_is_watched_only_where_it_was_noticed(
    name: str, change: ActionModel | Event
) -> None:
    ask = engine(name).holds
    for happens, opened in (("open", True), ("skip", False)):
        scene = coin("ann", "bob").update(curtain("ann", "bob"), happens=happens)
        assert bool(ask(scene, "Kw[ann] p")) is opened
        if isinstance(change, Event):
            scene = scene.update(change, {"p": "false"})
        else:
            scene = scene.update(change, happens="tails")
        assert bool(ask(scene, "Kw[ann] p")) is opened
        assert not ask(scene, "Kw[bob] p")
        assert ask(scene, "M[bob] Kw[ann] p & M[bob] ~Kw[ann] p")


@pytest.mark.parametrize("name", ENGINES)
def test_to_see_a_past_version_is_not_to_watch_the_fluent(name: str) -> None:
    past = Event("a photograph", observes={"ann": (Observable(Atom("p#0"), "the photograph"),)})
    for before in (turned(), turned("true")):
        scene = (
            coin("ann", "bob")
            .update(before)
            .update(past)
            .update(toss("ann", "bob"), happens="heads")
        )
        assert engine(name).holds(scene, "Kw[ann] p#0 & ~Kw[ann] p")


@pytest.mark.parametrize("name", ENGINES)
def test_a_whispered_rumour_is_believed_by_those_who_hear_it(name: str) -> None:
    rumour = ActionModel(
        "a rumour", [PossibleEvent("said")], {"ann": WHICH}, soft=[Soft(P, 0, "the rumour")]
    )
    scene = coin("ann", "bob").update(rumour, happens="said")
    assert engine(name).holds(scene, "B[ann] p & ~B[bob] p & B[ann] ~B[bob] p & ~B[bob] B[ann] p")
    told = ActionModel(
        "a rumour",
        [PossibleEvent("said")],
        {"ann": [(P, WHICH)], "bob": [(~P, WHICH)]},
        soft=[Soft(P)],
    )
    assert engine(name).holds(coin("ann", "bob").update(told), "~B[bob] p & ~B[ann] ~p")


@pytest.mark.parametrize("name", ENGINES)
def test_what_everybody_knows_can_be_shown_and_is_watched_from_then_on(name: str) -> None:
    holds = judge(name)
    known = coin("a", "b", fluents=1).update(turned("true"))
    look = Event("a looks", observes={"a": (Observable(P, ""), Observable(Atom("p#1"), ""))})
    peek = ActionModel(
        "a peeks", [PossibleEvent("e")], {"a": WHICH}, observes={"a": (Observable(P, ""),)}
    )
    missed = ActionModel(
        "a peeks, b does not notice",
        [PossibleEvent("e")],
        {"a": WHICH},
        observes={"a": (Observable(P, ""),), "b": (Observable(P, ""),)},
    )
    for step in (look, peek, missed):
        after = known.update(step).update(turned("q(0)"))
        assert holds(after, parse("Kw[a] p"))
        assert not holds(after, parse("Kw[b] p"))


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("names", ["p p#0", "p#0 p", "p p#1", "p#1 p"])
def test_who_is_shown_a_version_and_the_fluent_watches_the_fluent(name: str, names: str) -> None:
    shown = tuple(Observable(Atom(one), "") for one in names.split())
    scene = coin("a", fluents=2).update(turned("~q(0)"))
    after = scene.update(Event("a looks", observes={"a": shown})).update(turned("q(1)"))
    assert judge(name)(after, parse("Kw[a] p & Kw[a] p#1"))


@pytest.mark.parametrize("name", ["auto", "bdd", "explicit"])
def test_known_values_of_several_versions(name: str) -> None:
    scene = coin("a", "b", sees="a").update(turned("true"))
    for seen, agent in ((True, "a"), (False, "b")):
        for text in (f"Kv[{agent}] (p#0, p#1)", f"Kv[{agent}] (p, p#0)", f"Kv[{agent}] p#0"):
            asked = scene.structure.parse(text)
            assert bool(engine(name).valid(scene.structure, asked)) is seen, text


def test_formulas_after_actions_name_the_versions_that_these_make() -> None:
    told = dedent("""
    agents ann, bob
    fluent p
    fluent q in {red, blue}
    actual p, q = red
    change p := ~p
    action flip:
      p := ~p
      ann sees which
    action paint:
      event a: q := blue, p := q = red
      bob sees which
    true? [flip] (p#2 & ~p#1 & p#0)
    true? [flip] [paint] (p#3 & p#2 & ~p#1 & q#1 = blue & q#0 = red)
    true? <flip> <paint> (p#3 & Kv[bob] q)
    """)
    assert [bool(outcome.answer) for outcome in check(read(told))][-3:] == [True] * 3
    with pytest.raises(FormulaError, match="p has no version #4"):
        read(f"{told}true? [flip] (p | [paint] p#4)")


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("shown", "goes_on"), [("p", True), ("p#1", True), ("p#0", False)])
def test_who_is_shown_the_present_version_by_its_number_goes_on_watching(
    name: str, shown: str, goes_on: bool
) -> None:
    scene = coin("b", fluents=1).update(turned("p & q(0)"))
    look = Event("b looks", observes={"b": (Observable(Atom(shown), "looks"),)})
    scene = scene.update(look).update(turned("~p"))
    assert bool(engine(name).holds(scene, parse("Kw[b] p"))) is goes_on
