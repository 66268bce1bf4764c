"""Swaps extended to what changes: they lead from worlds of the law to worlds of the law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations, product

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.bits import literals_of
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.precondition import Precondition
from symkripke.engines.sat.swaps.preservation import preserve
from symkripke.language import Atom, Formula, K, M, exactly
from symkripke.language import formulas as f
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
    evaluate,
)
from symkripke.play import Table
from symkripke.testing.random_models import Seeded, all_worlds, random_history
from symkripke_games.old_maid import GAME

CARDS = ("ace", "king", "queen", "ten")
PLAYERS = ("ann", "bob", "cath")


def law_of(
    structure: KnowledgeStructure, valuations: Iterable[dict[str, str]]
) -> tuple[Law, list[int]]:
    """The law, and which of these are its worlds."""
    encoding = Encoding()
    law = Law(encoding, Implicants(encoding, {}))
    law.open(structure)
    for stage in structure.stages:
        for constraint in encoding.stage(stage):
            law.add(constraint.formula)
    worlds = [
        sum(1 << encoding.atom(Atom(*one)) for one in world.items() if one[1] != "false")
        for world in valuations
        if all(evaluate(one.formula, world) for one in structure.law)
    ]
    return law, worlds


def check_swaps(law: Law, worlds: list[int], most: int) -> Counter[str]:
    """Lift the ways between some worlds; see where else they lead from."""
    known, found = set(worlds), Counter[str]()
    for here, there in list(permutations(worlds[:8] + worlds[-8:], 2))[:most]:
        names = law.differing(here, there)
        kept = Precondition()
        swap = law.swap(here, there, names, kept)
        assert swap.applied(here) == there
        preserve(law, swap, kept, here)
        lemma = law.settled(kept, swap)
        assert lemma is not None
        assert lemma.applies(here)
        for world in worlds:
            if lemma.applies(world):
                assert swap.applied(world) in known
                found["elsewhere"] += world != here
        found["extended"] += len(swap.names) > len(names)
    found["defined"] += len(law.defined)
    return found


def test_swaps_keep_the_law_of_random_histories() -> None:
    found = Counter[str]()
    for seed in range(80):
        structure = random_history(Seeded(seed), most_events=4).structure
        if not structure.law.is_modal and structure.versions:
            every = all_worlds(tuple(structure.vocabulary.fluents.values()))
            found += check_swaps(*law_of(structure, every), 40)
    assert found["defined"] > 30
    assert found["extended"] > 50
    assert found["elsewhere"] > 500


def holds(player: str, card: str) -> Atom:
    return Atom(f"holds({player}, {card})")


def drawing(turn: int, drawer: str, giver: str) -> Event:
    """One card goes from hand to hand; the two see which. All count their cards."""
    drawn = Fluent(f"drawn({turn})", CARDS)
    changes, law = [], []
    now: dict[Atom, Formula] = {
        holds(player, card): holds(player, card) for player in PLAYERS for card in CARDS
    }
    for card in CARDS:
        this = drawn.equals(card)
        law.append(Constraint(~this | (holds(giver, card) & ~holds(drawer, card)), "drawn"))
        now[holds(giver, card)] = holds(giver, card) & ~this
        now[holds(drawer, card)] = holds(drawer, card) | this
    for player in (drawer, giver):
        for card in CARDS:
            atom = holds(player, card)
            changes.append(Change(atom.fluent, (("true", now[atom]),), "drawn"))
    for card in CARDS:
        law.append(Constraint(exactly(1, [now[holds(one, card)] for one in PLAYERS]), "counted"))
    seen = tuple(Observable(atom, "drawn") for atom in drawn.atoms)
    observes = {drawer: seen, giver: seen}
    return Event(f"turn {turn}", tuple(law), (drawn,), observes, tuple(changes))


def dealt() -> KnowledgeStructure:
    fluents = [Fluent(holds(*one).fluent) for one in product(PLAYERS, CARDS)]
    law = [Constraint(exactly(1, [holds(one, card) for one in PLAYERS]), "dealt") for card in CARDS]
    law += [
        Constraint(exactly(n, [holds(player, card) for card in CARDS]), "hand")
        for player, n in zip(PLAYERS, (2, 1, 1), strict=True)
    ]
    seen = {
        player: [Observable(holds(player, card), "own hand") for card in CARDS]
        for player in PLAYERS
    }
    return KnowledgeStructure.of(Vocabulary.of(fluents, PLAYERS), law, seen)


def courses(structure: KnowledgeStructure) -> Iterator[dict[str, str]]:
    """All deals and draws, with the hands that come of them."""
    turns = len(structure.stages) - 1
    for places in product(PLAYERS, repeat=len(CARDS)):
        for drawn in product(CARDS, repeat=turns):
            world = {f"drawn({turn})": card for turn, card in enumerate(drawn)}
            for player, (card, place) in product(PLAYERS, zip(CARDS, places, strict=True)):
                world[holds(player, card).fluent] = "true" if place == player else "false"
            for constraint in structure.law:
                match constraint.formula:
                    case f.Iff(Atom() as atom, body):
                        world[atom.fluent] = "true" if evaluate(body, world) else "false"
            yield world


def test_swaps_keep_the_law_where_cards_are_drawn() -> None:
    structure = dealt()
    for turn, (drawer, giver) in enumerate((("bob", "ann"), ("cath", "bob"), ("ann", "cath"))):
        structure = structure.update(drawing(turn, drawer, giver))
    found = check_swaps(*law_of(structure, courses(structure)), 300)
    assert found["defined"] == 24
    assert found["extended"] > 200
    assert found["elsewhere"] > 150


def test_a_card_that_nobody_drew_says_nothing_of_the_others() -> None:
    """Two cards of the deal change places, whatever becomes of the other two."""
    structure = dealt().update(drawing(0, "bob", "ann"))
    law, worlds = law_of(structure, courses(structure))

    def world(hands: dict[str, str], drawn: str) -> int:
        (found,) = [
            one
            for one in worlds
            if one >> law.encoding.atom(Atom("drawn(0)", drawn)) & 1
            and all(one >> law.encoding.atom(holds(who, card)) & 1 for card, who in hands.items())
        ]
        return found

    here = world({"ace": "ann", "king": "ann", "queen": "bob", "ten": "cath"}, "ace")
    there = world({"ace": "ann", "ten": "ann", "queen": "bob", "king": "cath"}, "ace")
    names = law.differing(here, there)
    assert sorted(names) == [
        "holds(ann, king)",
        "holds(ann, ten)",
        "holds(cath, king)",
        "holds(cath, ten)",
    ]
    kept = Precondition()
    swap = law.swap(here, there, names, kept)
    assert {"holds(ann, king)#1", "holds(ann, ten)#1"} == set(swap.names) - set(names)
    preserve(law, swap, kept, here)
    speaks = law.names(literals_of(kept.true | kept.false, 0))
    assert not any("ace" in name or "queen" in name for name in speaks)


def test_questions_in_a_long_game_take_few_lemmas() -> None:
    """Six players, thirty turns: over a thousand fluents, and each lemma says little."""
    table = Table(GAME, GAME.setup(players=6), ("random",), 1)
    for number, _ in enumerate(table):
        if number == 30:
            break
    scene = table.scenes[-1]
    engine = SatEngine()
    engine.holds(scene, M("bob", K("ann", holds("dan", "queen"))))
    modal = engine.evaluator.modal_solver(scene.structure)
    assert len(modal.law.defined) > 200
    lemmas = [one for proxy in modal.proxies.values() for one in proxy.lemmas[False]]
    assert 0 < len(lemmas) < 150
    assert sum(len(one.literals) for one in lemmas) / len(lemmas) < 80


def test_answers_where_cards_are_drawn() -> None:
    explicit, engine = ExplicitEngine(), SatEngine()
    deal: dict[str, str] = {holds(*one).fluent: "false" for one in product(PLAYERS, CARDS)}
    for player, card in (("ann", "ace"), ("ann", "king"), ("bob", "queen"), ("cath", "ten")):
        deal[holds(player, card).fluent] = "true"
    scene = Scene.of(dealt(), deal)
    moves = (("bob", "ann", "ace"), ("cath", "bob", "queen"), ("ann", "cath", "ten"))
    asked = 0
    for turn, (drawer, giver, card) in enumerate(moves):
        scene = scene.update(drawing(turn, drawer, giver), {f"drawn({turn})": card})
        for i, j in permutations(PLAYERS, 2):
            for player, card in product(PLAYERS, CARDS):
                for question in (
                    M(i, K(j, holds(player, card))),
                    K(i, M(j, K(i, ~holds(player, card)))),
                ):
                    asked += 1
                    assert bool(engine.holds(scene, question)) == bool(
                        explicit.holds(scene, question)
                    ), (turn, question)
    assert asked == 432
