"""What lemmas about knowledge rest on: fluents left out, solvers that move, several askers."""

from __future__ import annotations

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.encoding import Encoding
from symkripke.engines.sat.swaps.implicants import Implicants
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.projection import residue
from symkripke.errors import ImpossibleEvent
from symkripke.language import Atom, K, M, disjunction, exactly
from symkripke.language import formulas as f
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
    evaluate,
)
from symkripke.model.evaluate import counts
from symkripke.testing.random_models import (
    BOOLEAN,
    Names,
    Seeded,
    all_worlds,
    random_event,
    random_formula,
    random_history,
)

NESTED = (*BOOLEAN, "K", "M", "Kw", "Kv", "E", "D")


def law_of(structure: KnowledgeStructure) -> tuple[Law, Encoding]:
    encoding = Encoding()
    law = Law(encoding, Implicants(encoding, {}))
    law.open(structure)
    for stage in structure.stages:
        for constraint in encoding.stage(stage):
            law.add(constraint.formula)
    return law, encoding


def test_what_a_shown_card_says_of_the_hands() -> None:
    cards = ("rope", "hall", "plum")
    at = {card: Fluent(f"at({card})", ("ann", "bob")) for card in cards}
    shown = Fluent("shown", cards)
    vocabulary = Vocabulary.of([*at.values(), shown], ["ann", "bob"])
    held = [
        Constraint(f.Implies(shown.equals(card), at[card].equals("bob")), "bob showed it")
        for card in cards
    ]
    law, encoding = law_of(KnowledgeStructure.of(vocabulary, held, {}))
    found = residue(law, "shown")
    assert found is not None
    (clause,) = found
    assert set(clause.literals) == {encoding.literal(at[card].equals("bob")) for card in cards}
    counted = Constraint(exactly(2, [at[card].equals("bob") for card in cards]), "two cards")
    law, _ = law_of(KnowledgeStructure.of(vocabulary, [*held, counted], {}))
    assert residue(law, "at(rope)") is None
    assert residue(law, "shown")


def test_residues_are_what_is_left_when_a_fluent_is_forgotten() -> None:
    """By listing the worlds: the others go with some value of it iff the residue is true."""
    simple = true = false = 0
    for seed in range(400):
        structure = random_history(Seeded(seed), most_events=2).structure
        law, encoding = law_of(structure)
        fluents = tuple(structure.vocabulary.fluents.values())
        for fluent in fluents:
            clauses = residue(law, fluent.name)
            if clauses is None:
                continue
            simple += 1
            mask = law.masks[fluent.name]
            whole = [one for one in law.constraints.clauses if not (one[0] | one[1]) & mask]
            counting = [one for one in law.constraints.counting if not one[0] & mask]
            others = {one for occurrences in law.occurrences.values() for one in occurrences.others}
            for rest in all_worlds([one for one in fluents if one is not fluent])[:64]:
                true_ones = (Atom(*one) for one in rest.items() if one[1] != "false")
                world = sum(1 << encoding.atom(one) for one in true_ones)
                elsewhere = (
                    all(world & positive or ~world & negative for positive, negative in whole)
                    and all(
                        counts(relation, bound, (world & mask).bit_count())
                        for mask, relation, bound in counting
                    )
                    and all(evaluate(one, rest) for one in others)
                )
                left = all(world & one.positive or ~world & one.negative for one in clauses)
                fits = any(
                    all(
                        evaluate(one.formula, {**rest, fluent.name: value}) for one in structure.law
                    )
                    for value in fluent.values
                )
                assert (elsewhere and left) == fits, (seed, fluent.name)
                true, false = true + left, false + (not left)
    assert simple > 100
    assert true > 100
    assert false > 50


def shows(turn: int, shower: str, asker: str, cards: tuple[str, ...]) -> Event:
    fluent = Fluent(f"shown({turn})", cards)
    law = disjunction(fluent.atoms) & f.conjunction(
        f.Implies(fluent.equals(card), Atom(f"at({card})", shower)) for card in cards
    )
    seen = tuple(Observable(atom, f"turn {turn}") for atom in fluent.atoms)
    told = f"turn {turn}: {shower} showed {asker} a card"
    return Event(told, (Constraint(law, told),), (fluent,), {shower: seen, asker: seen})


def deal(seed: int) -> Scene:
    """Six cards, two to each of three players, who see their own."""
    choices, players = Seeded(seed), ("ann", "bob", "cat")
    cards = tuple("uvwxyz")
    places = [player for player in players for _ in range(2)]
    world = {f"at({card})": places.pop(choices.integer(0, len(places) - 1)) for card in cards}
    law = [
        Constraint(exactly(2, [Atom(f"at({card})", player) for card in cards]), f"{player}: two")
        for player in players
    ]
    observables = {
        player: [Observable(Atom(f"at({card})", player), "own hand") for card in cards]
        for player in players
    }
    vocabulary = Vocabulary.of([Fluent(f"at({card})", players) for card in cards], players)
    return Scene.of(KnowledgeStructure.of(vocabulary, law, observables), world)


def test_cards_shown_to_others_along_a_game() -> None:
    """Who knows what of hands, with what was shown left out of lemmas; then it is told to all."""
    known = 0
    for seed in range(7):
        scene, choices = deal(seed), Seeded(seed + 1)
        sat, explicit = SatEngine(), ExplicitEngine()
        scenes = [scene]
        for turn in range(1, 6):
            shower, asker = choices.one_of(
                [("ann", "bob"), ("bob", "cat"), ("cat", "ann"), ("bob", "ann")]
            )
            held = [card for card in "uvwxyz" if scene.world[f"at({card})"] == shower]
            shown = choices.one_of(held)
            other = choices.one_of([card for card in "uvwxyz" if card != shown])
            cards = tuple(sorted((shown, other)))
            scene = scene.update(shows(turn, shower, asker, cards), {f"shown({turn})": shown})
            scenes.append(scene)
            if turn == 4:
                # What was left open is said in public.
                said = Constraint(Atom("shown(1)", scene.world["shown(1)"]), "it is told")
                scene = scene.update(Event("told", (said,)))
                scenes.append(scene)
        for there in scenes:
            for card in "uvwx":
                for j in there.structure.agents:
                    for question in (f.Kv(j, [f"at({card})"]), ~f.Kv(j, [f"at({card})"])):
                        found = sat.possible_to(there, question, there.structure.agents)
                        expected = explicit.possible_to(there, question, there.structure.agents)
                        assert found == expected, (seed, str(question))
                        known += len(found)
    assert known > 100


def test_one_engine_along_branches_and_back() -> None:
    """Solvers move on with a game, stay where something rests on them, and start again."""
    asked = 0
    for seed in range(120_000, 120_020):
        scene, choices = random_history(Seeded(seed), most_events=2), Seeded(seed + 1)
        names = Names.of(scene.structure.root)
        formulas = [random_formula(choices, names, 3, NESTED) for _ in range(3)]
        scenes = [scene]
        for place in range(6):
            start = choices.one_of(scenes)
            event, values = random_event(choices, start, 10 + place)
            try:
                scenes.append(start.update(event, values))
            except ImpossibleEvent:
                continue
        sat, explicit = SatEngine(), ExplicitEngine()
        for _ in range(12):
            there = choices.one_of(scenes)
            for formula in formulas:
                truth = bool(explicit.holds(there, formula))
                assert bool(sat.holds(there, formula)) == truth, (seed, str(formula))
                found = sat.possible_to(there, formula, names.agents)
                assert found == explicit.possible_to(there, formula, names.agents), seed
                asked += 1
    assert asked > 500


def test_a_running_game_is_followed_by_one_solver() -> None:
    scene, sat = deal(3), SatEngine()
    question = M("ann", f.Kv("bob", ["at(u)"]))
    sat.holds(scene, question)
    first = sat.evaluator.modal_solver(scene.structure)
    said = Constraint(Atom("at(u)", scene.world["at(u)"]), "it is told")
    later = scene.update(Event("told", (said,)))
    sat.holds(later, question)
    assert sat.evaluator.modal_solver(later.structure) is first
    # The past has a solver of its own, and the game goes on with the first one.
    sat.holds(scene, question)
    assert sat.evaluator.modal_solver(scene.structure) is not first
    assert sat.evaluator.modal_solver(later.structure) is first
    assert sat.holds(later, K("ann", f.TRUE))
