"""Who learns what of an answer, and of a wrong declaration."""

from __future__ import annotations

import pytest

from symkripke.engines import Engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import Iff, K, Kw
from symkripke.model import Scene
from symkripke.play.dealing import location
from symkripke.play.hands import at, holds
from symkripke_games.sleuth import GAME, knowledge
from symkripke_games.sleuth.gems import HIDDEN, TABLE
from symkripke_games.sleuth.knowledge import in_play, knows_gem
from symkripke_games.sleuth.rules import Declaration, Question
from symkripke_games.sleuth.setup import Setup

ENGINES: tuple[Engine, ...] = (SatEngine(), ExplicitEngine())


# ---- who learns what of an answer ------------------------------------------------------------


def after(rules: str, question: Question) -> tuple[Setup, Scene]:
    """Three players; bob holds the two red diamonds; only the green opal pair lies face up."""
    setup = GAME.setup(rules=rules, players=3, size="2/2/2")
    places = {"rds": "bob", "rdp": "bob", "ros": "ann", "rop": HIDDEN}
    places |= {"gds": "ann", "gdp": "cath", "gos": "cath", "gop": TABLE}
    deal = {location(gem): place for gem, place in places.items()}
    scene = Scene.of(GAME.structure(setup), deal)
    values = {} if question.number is not None else {"answer(1)": "gems"}
    return setup, scene.update(knowledge.event(setup, question), values)


def asked(elements: tuple[str, ...], number: int | None) -> Question:
    return Question(turn=1, player="ann", asked="bob", elements=elements, number=number)


@pytest.mark.parametrize("engine", ENGINES)
def test_of_a_secret_look_others_learn_the_number_only(engine: Engine) -> None:
    """Classic, two elements: ann sees the gems, and all know that she does."""
    _, scene = after("classic", asked(("diamond", "solitaire"), 1))
    for player, knows in (("ann", True), ("bob", True), ("cath", False)):
        assert bool(engine.holds(scene, K(player, holds("bob", "rds")))) == knows, player
    assert engine.holds(scene, K("cath", Kw("ann", holds("bob", "rds"))))
    assert engine.holds(scene, K("cath", ~Iff(holds("bob", "gds"), holds("bob", "rds"))))
    # If these are all that there are, the number says it all.
    _, scene = after("classic", asked(("red", "diamond"), 2))
    assert engine.holds(scene, K("cath", holds("bob", "rds") & holds("bob", "rdp")))


@pytest.mark.parametrize("engine", ENGINES)
def test_of_a_number_the_asker_learns_no_more_than_others(engine: Engine) -> None:
    """Classic, one element: bob has two red gems. Who holds two others knows which."""
    _, scene = after("classic", asked(("red",), 2))
    assert engine.holds(scene, ~Kw("ann", holds("bob", "rds")))
    # Two are all that bob holds.
    assert engine.holds(scene, K("cath", ~holds("bob", "gds")))
    assert engine.holds(scene, ~Kw("cath", Kw("ann", holds("bob", "rds"))))
    # By the study's rules ann would have seen them.
    _, scene = after("study", asked(("red",), None))
    assert engine.holds(scene, K("cath", Kw("ann", holds("bob", "rds"))))


@pytest.mark.parametrize("engine", ENGINES)
def test_of_the_studys_answers_others_learn_nothing(engine: Engine) -> None:
    setup, scene = after("study", asked(("red",), None))
    before = scene.after(0)
    atoms = [at(gem.id, place) for gem in setup.edition.gems for place in setup.places]
    marks = engine.sheet(scene.perspective("cath"), atoms).marks
    assert marks == engine.sheet(before.perspective("cath"), atoms).marks
    assert engine.holds(scene, K("ann", holds("bob", "rds") & ~holds("bob", "rop")))
    # What all know is that ann knows.
    assert engine.holds(scene, K("cath", K("bob", Kw("ann", holds("bob", "rop")))))
    assert not engine.holds(scene, Kw("cath", holds("bob", "rop")))


def test_who_declares_wrongly_has_looked_in_classic_games() -> None:
    setup, scene = after("classic", asked(("red",), 2))
    wrong = Declaration(turn=1, player="cath", gem="rds", right=False)
    after_it = scene.update(knowledge.event(setup, wrong))
    for engine in ENGINES:
        assert engine.holds(after_it, knows_gem("cath"))
        assert engine.holds(after_it, K("ann", knows_gem("cath") & in_play("rds")))
        assert not engine.holds(after_it, knows_gem("ann"))
