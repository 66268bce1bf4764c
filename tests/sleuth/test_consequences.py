"""The study's inferences, each as a consequence; and what they miss.

The study's agents keep three lists a player: gems that it has, that it has not, and that it may
have. They infer: seven known, so no others (1); known and possible are seven, so all of these (2).
They find the hidden gem as the last one left (3), or as one that no other player is known to know
(4). Nothing of this is in the program. Below, positions are built from events, and the engine is
asked; `StudyRules` shows what they miss there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from symkripke.engines import Engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import K, Kw, M
from symkripke.model import Scene
from symkripke.play.dealing import location
from symkripke.play.hands import at, holds
from symkripke_games.sleuth import GAME, knowledge
from symkripke_games.sleuth.gems import HIDDEN, TABLE
from symkripke_games.sleuth.knowledge import in_play, knows_gem
from symkripke_games.sleuth.rules import NOTHING, SOME, Question
from symkripke_games.sleuth.setup import Setup, answer_name
from tests.sleuth.study_rules import StudyRules

ENGINES: tuple[Engine, ...] = (SatEngine(), BddEngine())

# The study's own size: five players, seven gems each.
HANDS = {
    "ann": "rds rdp rdc ros rop roc rps",
    "bob": "rpp rpc gds gdp gdc gos gop",
    "cath": "goc gps gpp gpc yds ydp ydc",
    "dan": "yos yop yoc yps ypp ypc bds",
    "eve": "bdp bdc bos bop boc bps bpp",
    HIDDEN: "bpc",
}


@dataclass
class Position:
    """A full-size position, with the true deal of `HANDS`, made event by event."""

    rules: str = "study"
    hands: dict[str, str] = field(default_factory=lambda: dict(HANDS))
    setup: Setup = field(init=False)
    scene: Scene = field(init=False)
    record: list[Question] = field(default_factory=list)

    def __post_init__(self) -> None:
        players = tuple(name for name in self.hands if name not in (HIDDEN, TABLE))
        size = "2/2/2" if sum(len(gems.split()) for gems in self.hands.values()) == 8 else "4/3/3"
        self.setup = GAME.setup(rules=self.rules, names=players, size=size)
        self.places = {g: p for p, gems in self.hands.items() for g in gems.split()}
        deal = {location(gem.id): self.places[gem.id] for gem in self.setup.edition.gems}
        self.scene = Scene.of(GAME.structure(self.setup), deal)

    def ask(self, player: str, asked: str, what: str) -> Position:
        """A question; what is not told follows from the deal."""
        elements, turn = tuple(what.split()), len(self.record) + 1
        gems = self.setup.edition.matching(elements)
        number = sum(self.places[gem] == asked for gem in gems)
        values = {answer_name(turn): SOME if number else NOTHING}
        public = Question(
            turn=turn,
            player=player,
            asked=asked,
            elements=elements,
            number=None if self.rules == "study" else number,
        )
        event = knowledge.event(self.setup, public)
        self.scene = self.scene.update(event, values if self.rules == "study" else {})
        self.record.append(public)
        return self


def study_of(position: Position) -> StudyRules:
    """What the study's ann concludes."""
    return StudyRules(position.setup, position.places, position.record, "ann")


def knows(position: Position, engine: Engine, player: str, gem: str, where: str) -> bool:
    """Whether the player knows that the gem is there; checked with its perspective alone, too."""
    question = K(player, at(gem, where))
    here = bool(engine.holds(position.scene, question))
    assert here == bool(engine.holds(position.scene.perspective(player), question))
    return here


# ---- the study's four -----------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_seven_known_so_no_others(engine: Engine) -> None:
    position = Position().ask("ann", "bob", "green")
    assert not engine.holds(position.scene, K("ann", ~holds("bob", "bdp")))
    assert len(study_of(position).may("bob")) > 10
    position.ask("ann", "bob", "pearl")
    assert not study_of(position).may("bob")
    for gem in position.setup.edition.gems:
        if position.places[gem.id] != "bob":
            assert engine.holds(position.scene, K("ann", ~holds("bob", gem.id))), gem.id


@pytest.mark.parametrize("engine", ENGINES)
def test_known_and_possible_are_seven_so_all_of_these(engine: Engine) -> None:
    """Asked for all but the blue pearls and opals: what else could they be?"""
    position = Position()
    for what in ("red", "green", "yellow"):
        position.ask("ann", "eve", what)
    assert not knows(position, engine, "ann", "bos", "eve")
    position.ask("ann", "dan", "blue").ask("ann", "cath", "blue").ask("ann", "bob", "pearl")
    study = study_of(position)
    assert not study.has["eve"]
    assert study.may("eve") == set((HANDS["eve"] + " bpc").split())
    # Eight are left for eve; and then she shows nothing.
    position.ask("ann", "eve", "pearl cluster")
    assert study_of(position).has["eve"] == set(HANDS["eve"].split())
    for gem in HANDS["eve"].split():
        assert knows(position, engine, "ann", gem, "eve"), gem


@pytest.mark.parametrize("engine", ENGINES[:1])
def test_the_last_gem_is_the_hidden_one(engine: Engine) -> None:
    position = Position()
    for player in ("bob", "cath", "dan"):
        for what in ("red", "green", "yellow", "blue"):
            assert not engine.holds(position.scene, knows_gem("ann"))
            position.ask("ann", player, what)
    position.ask("ann", "eve", "diamond").ask("ann", "eve", "opal").ask("ann", "eve", "pair")
    assert not engine.holds(position.scene, knows_gem("ann"))  # bps or bpc: one is with eve
    position.ask("ann", "eve", "solitaire")
    assert study_of(position).hidden == "bpc"
    assert knows(position, engine, "ann", "bpc", HIDDEN)
    assert engine.holds(position.scene, knows_gem("ann"))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_gem_that_nobody_else_holds_is_the_hidden_one(engine: Engine) -> None:
    """Though of most other gems ann does not know where they are."""
    position = Position()
    for player in ("bob", "cath", "dan"):
        position.ask("ann", player, "pearl cluster")
    assert not engine.holds(position.scene, knows_gem("ann"))
    position.ask("ann", "eve", "blue cluster")
    study = study_of(position)
    assert study.hidden == "bpc"
    assert len(study.may("bob")) > 20
    assert knows(position, engine, "ann", "bpc", HIDDEN)


# ---- what the study's rules miss --------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_across_hands(engine: Engine) -> None:
    """Seven gems that only bob and cath may hold, and fourteen places: all else is elsewhere.

    Ann has asked dan and eve for so much that the fourteen gems left for bob and cath are all
    theirs, whoever has which. So these are in play, and neither of them holds the hidden one.
    """
    position = Position()
    for player in ("dan", "eve"):
        for what in ("red", "green", "diamond cluster", "yellow diamond"):
            position.ask("ann", player, what)
    fourteen = (HANDS["bob"] + " " + HANDS["cath"]).split()
    # bds and bdp are blue, so fifteen gems are left that are neither dan's nor eve's for sure.
    study = study_of(position)
    assert study.may("bob") >= set(fourteen)
    missed = [
        gem
        for gem in fourteen
        if engine.holds(position.scene, K("ann", in_play(gem)))
        and not any(gem in study.has[player] for player in study.has)
    ]
    assert missed == []
    # Now the other half: bob and cath have none of the rest but the hidden one.
    for player in ("bob", "cath"):
        position.ask("ann", player, "blue").ask("ann", player, "yellow opal")
        position.ask("ann", player, "yellow pearl")
    study = study_of(position)
    assert study.hidden is None
    for gem in fourteen:
        known = any(gem in study.has[player] for player in study.has)
        assert engine.holds(position.scene, K("ann", in_play(gem)))
        missed += [] if known else [gem]
    assert len(missed) == 14, missed


@pytest.mark.parametrize("engine", ENGINES)
def test_public_counts(engine: Engine) -> None:
    """Classic: all seven of bob's gems are told in numbers to others, none shown to ann."""
    position = Position("classic")
    position.ask("cath", "bob", "green").ask("dan", "bob", "pearl")
    position.ask("eve", "bob", "opal").ask("cath", "bob", "red diamond")
    study = study_of(position)
    assert len(study.may("bob")) == 29
    # Five green, two pearls, two opals, so three diamonds; none red: bob's diamonds...
    assert engine.holds(position.scene, K("ann", ~holds("bob", "rdp")))
    position.ask("dan", "bob", "green pearl")
    # ... five green ones without pearls, two opals: three green diamonds: all of them.
    for gem in ("gds", "gdp", "gdc"):
        assert knows(position, engine, "ann", gem, "bob"), gem
        assert gem in study_of(position).may("bob")


@pytest.mark.parametrize("engine", ENGINES[:1])
def test_what_others_can_be_seen_to_know(engine: Engine) -> None:
    """Study: ann learns nothing of an answer to cath; but she sees that cath learns it."""
    position = Position().ask("cath", "bob", "red pearl")
    scene = position.scene
    assert engine.holds(scene, ~Kw("ann", holds("bob", "rpp")))
    assert engine.holds(scene, K("ann", Kw("cath", holds("bob", "rpp"))))
    # rps is ann's: bob did not show it, so cath knows that bob does not hold it; ann knows that.
    assert engine.holds(scene, K("ann", K("cath", ~holds("bob", "rps"))))
    # The study takes "knows that it is in play" for "holds it": cath knows rpp, and has it not.
    assert engine.holds(scene, K("cath", in_play("rpp")) & ~holds("cath", "rpp"))
    assert engine.holds(scene, M("ann", K("cath", in_play("rpp"))))
    # Once bob's gems are all known to ann, she knows what cath saw.
    position.ask("ann", "bob", "red")
    assert engine.holds(position.scene, K("ann", K("cath", in_play("rpp") & in_play("rpc"))))
    assert engine.holds(position.scene, ~K("eve", K("cath", in_play("rpp"))))
