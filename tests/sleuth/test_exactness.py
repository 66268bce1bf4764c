"""The sat and bdd engines against the explicit model, after every event of whole small games."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from symkripke.engines import Engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import Formula, Iff, K, Kw, M
from symkripke.model import Scene
from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke.play.hands import at, holds
from symkripke_games.sleuth import GAME, knowledge
from symkripke_games.sleuth.gems import HIDDEN, TABLE
from symkripke_games.sleuth.knowledge import hidden_atoms, in_play, knows_gem
from symkripke_games.sleuth.rules import Declaration, Question
from symkripke_games.sleuth.setup import Setup

MIXED = ("gain", "study", "random")

# Name, setup, minds, games.
KINDS = (
    ("classic, 3 players, 2/2/2", {"players": 3, "size": "2/2/2"}, MIXED, 10),
    ("study, 2 players, 2/2/2", {"rules": "study", "players": 2, "size": "2/2/2"}, ("lead",), 10),
    ("study, 3 players, 2/2/2", {"rules": "study", "players": 3, "size": "2/2/2"}, MIXED, 6),
    ("classic, 3 players, 3/2/2", {"players": 3, "size": "3/2/2"}, ("gain",), 1),
)
BLOCKS = [
    pytest.param(setup, minds, range(start, min(start + 10, games)), id=f"{name}, {start}-")
    for name, setup, minds, games in KINDS
    for start in range(0, games, 10)
]


@pytest.mark.parametrize(("options", "minds", "seeds"), BLOCKS)
def test_whole_games(options: dict[str, object], minds: tuple[str, ...], seeds: range) -> None:
    setup = GAME.setup(**options)  # type: ignore[arg-type]
    for seed in seeds:
        table = Table(GAME, setup, minds, seed)
        sat, bdd, explicit = SatEngine(), BddEngine(), ExplicitEngine()
        check(setup, table.scene, sat, bdd, explicit, seed)
        for step in table:
            check(setup, table.scene, sat, bdd, explicit, seed + step.number)
        assert table.state.winners, (seed, table.result)


def check(
    setup: Setup,
    scene: Scene,
    sat: SatEngine,
    bdd: BddEngine,
    explicit: ExplicitEngine,
    seed: int,
) -> None:
    """Sheets, hidden gems and counts of every player; and some of the questions of order 2."""
    atoms = [at(gem.id, place) for gem in setup.edition.gems for place in setup.places]
    hidden = hidden_atoms(setup)
    for player in setup.players:
        view = scene.perspective(player)
        sheet = explicit.sheet(view, atoms)
        assert sat.sheet(view, atoms).marks == sheet.marks, (seed, player)
        for atom, mark in sheet:
            # The true world is never lost.
            assert mark.value != ("no" if scene.world[atom.fluent] == atom.value else "yes")
        left = explicit.possibilities(view, hidden)
        assert sat.possibilities(view, hidden) == left
        assert bool(sat.holds(view, knows_gem(player))) == (len(left) == 1)
        assert bdd.worlds(view) == explicit.worlds(view)
    questions = all_questions(setup)
    for question in (questions[(seed * 7 + number) % len(questions)] for number in range(6)):
        truth = bool(explicit.holds(scene, question))
        assert bool(sat.holds(scene, question)) == truth, (seed, str(question))


def all_questions(setup: Setup) -> list[Formula]:
    """Every K K, K M, M K, M M and K Kw of two players, about every gem; in a mixed order."""
    found: list[Formula] = []
    gems = [gem.id for gem in setup.edition.gems]
    for (one, two), gem in product(permutations(setup.players, 2), gems):
        found += [
            K(one, K(two, in_play(gem))),
            K(one, M(two, at(gem, HIDDEN))),
            M(one, K(two, in_play(gem))),
            M(one, ~K(two, in_play(gem))),
            K(one, Kw(two, holds(two, gem))),
            K(one, ~K(two, holds(one, gem))),
            M(one, knows_gem(two)),
            K(one, ~knows_gem(two)),
        ]
    return found[::3] + found[1::3] + found[2::3]


def test_every_question_of_order_two_after_every_event() -> None:
    """Of a few games all, so that none is left out."""
    for rules, seed in (("classic", 4), ("study", 5)):
        setup = GAME.setup(rules=rules, players=3, size="2/2/2")
        table = Table(GAME, setup, ("random",), seed)
        sat, explicit = SatEngine(), ExplicitEngine()
        for _ in zip(range(5), table, strict=False):
            for question in all_questions(setup):
                truth = bool(explicit.holds(table.scene, question))
                assert bool(sat.holds(table.scene, question)) == truth, str(question)


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
