"""The study's examples: each step of its dialogue, and the resulting common knowledge."""

from __future__ import annotations

import pytest

from symkripke.engines import engine
from symkripke.model import Scene
from symkripke.play.dealing import location
from symkripke_games.kwartet import GAME, knowledge
from symkripke_games.kwartet.rules import Opening, Question, Setup
from tests.support.played import played


def dealt(setup: Setup, hands: dict[str, str]) -> Scene:
    """Return the scene of a deal, after the opening has shown that nobody was dealt a group."""
    deal = {location(card): player for player, hand in hands.items() for card in hand.split()}
    GAME.start(setup, deal)
    scene = Scene.of(GAME.structure(setup), deal)
    return scene.update(knowledge.event(setup, Opening(turn=0)))


def dialogue_setup(groups: int) -> Setup:
    return GAME.setup(rules="study", names=("diego", "ruben", "tanja"), groups=groups)


SMALL = {
    "diego": "crazy_pig proud_rooster flying_cape",
    "ruben": "smelly_goat iron_fist masked_avenger",
    "tanja": "fat_cow invisible_girl",
}
FULL = {
    "diego": f"{SMALL['diego']} broccoli spinach toy_brick pirate elf",
    "ruben": f"{SMALL['ruben']} brown_bread loose_rug mad_scientist pickpocket dwarf",
    "tanja": f"{SMALL['tanja']} carrot_juice sleeping_cat garden_rake evil_twin orc halfling",
}
CASES = [(2, SMALL, "bdd"), (2, SMALL, "explicit"), (6, FULL, "sat"), (6, FULL, "bdd")]


@pytest.mark.parametrize(("groups", "hands", "engine_name"), CASES)
def test_the_dialogue(groups: int, hands: dict[str, str], engine_name: str) -> None:
    setup = dialogue_setup(groups)
    answering = engine(engine_name)
    scene = dealt(setup, hands)

    def common(*formulas: str) -> None:
        for formula in formulas:
            assert answering.holds(scene, f"C[*] {formula}"), formula
            # So everybody also knows that everybody knows it.
            assert answering.holds(scene, f"K[tanja] K[ruben] K[diego] {formula}"), formula

    def not_common(*formulas: str) -> None:
        for formula in formulas:
            assert not answering.holds(scene, f"C[*] {formula}"), formula

    not_common("holds_group(diego, farm_animals)", "~holds(diego, smelly_goat)")

    # Diego: "Tanja, do you have the smelly goat?" Even before she answers:
    goat = Question(turn=1, player="diego", asked="tanja", card="smelly_goat", given=False)
    scene = scene.update(knowledge.asking(setup, goat))
    common("holds_group(diego, farm_animals)", "~holds(diego, smelly_goat)")
    not_common("~holds(tanja, smelly_goat)")

    # Tanja: "No."
    scene = scene.update(knowledge.event(setup, goat))
    common("~holds(tanja, smelly_goat)", "holds(ruben, smelly_goat)")
    not_common("holds_group(tanja, farm_animals)")

    # Tanja: "Diego, do you have the crazy pig?"
    pig = Question(turn=2, player="tanja", asked="diego", card="crazy_pig", given=True)
    scene = scene.update(knowledge.asking(setup, pig))
    common(
        "holds_group(tanja, farm_animals)",
        "~holds(tanja, crazy_pig)",
        "holds_group(diego, farm_animals)",
    )
    not_common("holds(diego, crazy_pig)")

    # Diego: "Yes." The pig moves to Tanja.
    scene = scene.update(knowledge.event(setup, pig))
    common("holds(tanja, crazy_pig)", "~holds(diego, crazy_pig)", "~holds(ruben, crazy_pig)")
    for other in ("ruben", "tanja"):
        assert not answering.holds(scene, f"Kw[{other}] holds_group(diego, farm_animals)")
    not_common("holds_group(diego, farm_animals)")
    # The deal can still be queried: the pig was Diego's.
    common("location(crazy_pig)#0 = diego")


@pytest.mark.parametrize("engine_name", ["sat", "bdd", "explicit"])
def test_three_players_one_group(engine_name: str) -> None:
    """B starts with two cards, A and C with one. A asks C for card 1, C says no, so B has it."""
    setup = GAME.setup(names=("b", "a", "c"), groups=1)
    one, two, three, four = setup.cards_of["farm_animals"]
    assert setup.sizes == {"b": 2, "a": 1, "c": 1}
    answering = engine(engine_name)
    scene = dealt(setup, {"b": f"{one} {two}", "a": three, "c": four})
    question = Question(turn=1, player="a", asked="c", card=one, given=False)
    if engine_name != "sat":
        assert answering.worlds(scene.structure) == 12
        assert [answering.worlds(scene.perspective(p)) for p in "abc"] == [3, 2, 3]
    scene = scene.update(knowledge.event(setup, question))
    if engine_name != "sat":
        assert answering.worlds(scene.structure) == 6
        assert [answering.worlds(scene.perspective(p)) for p in "abc"] == [2, 2, 2]
    for formula in (f"~holds(c, {one})", f"~holds(a, {one})", f"holds(b, {one})"):
        assert answering.holds(scene, f"C[*] {formula}")
    for card in (two, three, four):
        assert not answering.holds(scene, f"C[*] holds(b, {card})")
        assert answering.holds(scene, f"M[c] M[a] holds(c, {card})")
    assert answering.holds(scene, f"Kw[a] holds(a, {three})")
    assert not answering.holds(scene, f"Kw[a] holds(c, {four})")


def test_unreachable_worlds_are_left_out_of_reasons() -> None:
    """Of two ways to refute the knowledge of a whole group, only one is used for the reason."""
    table = played(GAME, (), 1, players=3, groups=3)
    for turn in range(table.moment.turn + 1):
        answer = table.moment.at(turn).ask("K[bob] E[*] knows_place(cath, smelly_goat)")
        assert answer.why().truth is bool(answer)
