"""Small situations that many tests share: dealt cards, muddy children, two coins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from symkripke.errors import ImpossibleEvent
from symkripke.language import (
    Atom,
    Formula,
    Iff,
    Implies,
    K,
    Kw,
    atleast,
    atmost,
    conjunction,
    disjunction,
    exactly,
    negation,
)
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

HIDDEN = "hidden"
TABLE = "table"


def at(card: int, place: str) -> Atom:
    """Return the atom "the card with this number is at the place"."""
    return Atom(f"at(c{card})", place)


def dealt(hands: Mapping[str, int], chance: Random | None = None) -> Scene:
    """Return a deal of these hand sizes, in order or at random; agents see their own cards.

    The places `HIDDEN` and `TABLE` are not agents.
    """
    places = [place for place, size in hands.items() for _ in range(size)]
    if chance is not None:
        chance.shuffle(places)
    numbers = range(len(places))
    agents = [place for place in hands if place not in (HIDDEN, TABLE)]
    law = [
        Constraint(exactly(size, [at(card, place) for card in numbers]), f"{size} at {place}")
        for place, size in hands.items()
    ]
    seen = {
        agent: [Observable(at(card, agent), "own hand") for card in numbers] for agent in agents
    }
    fluents = [Fluent(at(card, HIDDEN).fluent, tuple(hands)) for card in numbers]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, agents), law, seen)
    return Scene.of(structure, dict(zip(structure.vocabulary.fluents, places, strict=True)))


EVENTS = ("pass", "show", "show", "look", "count", "count", "hint", "hint")


def told(scene: Scene, chance: Random, *kinds: str) -> Scene:
    """Return the scene after a random true event of a card game.

    A player passes, shows somebody a card, or looks at some cards; or all hear a number or a hint.
    """
    structure, world, turn = scene.structure, scene.world, len(scene.structure.stages)
    places = structure.vocabulary.fluents["at(c0)"].values
    cards = chance.sample([n for n in range(len(world)) if f"at(c{n})" in world], 3)
    place, agent = chance.choice(places), chance.choice(structure.agents)
    atoms = [at(card, place) for card in cards]
    others = [at(card, chance.choice(places)) for card in cards]
    mixed = [atom if chance.random() < 0.6 else negation(atom) for atom in others]
    number = sum(evaluate(atom, world) for atom in atoms)
    many = chance.choice((atleast, atmost, exactly))(chance.randint(0, 2), mixed[1:])
    kind = chance.choice(kinds or EVENTS)
    if kind == "show":
        held = [card for card in cards if world[f"at(c{card})"] == agent]
        shown = Fluent(f"shown({turn})", tuple(f"c{card}" for card in cards))
        law = [
            Implies(atom, at(card, agent)) for card, atom in zip(cards, shown.atoms, strict=True)
        ]
        seen = tuple(Observable(atom, "seen") for atom in shown.atoms)
        asker = chance.choice([other for other in structure.agents if other != agent])
        if held:
            event = happened(f"turn {turn}", law, (shown,), {agent: seen, asker: seen})
            return scene.update(event, {shown.name: f"c{chance.choice(held)}"})
        atoms = [at(card, agent) for card in cards]
    said: Formula = {
        "count": exactly(number, atoms),
        "look": exactly(number, atoms),
        "hint": chance.choice((disjunction(mixed), many, Implies(mixed[0], many), Iff(*mixed[:2]))),
    }.get(kind, conjunction(map(negation, atoms)))
    looks = tuple(Observable(atom, "look") for atom in atoms if kind == "look")
    observes = {agent: looks} if looks else {}
    try:
        true = [said] if evaluate(said, world) else []
        return scene.update(happened(f"turn {turn}", true, (), observes))
    except ImpossibleEvent:
        return scene


def happened(
    name: str,
    law: Iterable[Formula] = (),
    fluents: tuple[Fluent, ...] = (),
    observes: Mapping[str, tuple[Observable, ...]] | None = None,
) -> Event:
    """Return an event with this name and these formulas as its law."""
    return Event(name, tuple(Constraint(one, name) for one in law), fluents, observes or {})


def muddy(children: int, dirty: int) -> tuple[Scene, Formula, Formula]:
    """Return the muddy children after the father spoke, "nobody knows" and "the first knows"."""
    names = [f"k{number}" for number in range(children)]
    mud = {name: Atom(f"muddy({name})") for name in names}
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(atom.fluent) for atom in mud.values()], names),
        [Constraint(atleast(1, mud.values()), "the father said so")],
        {
            name: [Observable(mud[other], "sees") for other in names if other != name]
            for name in names
        },
    )
    world: dict[str, str] = {
        mud[name].fluent: "true" if place < dirty else "false" for place, name in enumerate(names)
    }
    nobody = conjunction(~Kw(name, mud[name]) for name in names)
    return Scene.of(structure, world), nobody, K(names[0], mud[names[0]])


def coins(law: bool = True) -> Scene:
    """Return a scene in which Ann sees p, Bob sees q, both are true, and the law may be p or q."""
    p, q = Atom("p"), Atom("q")
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent("p"), Fluent("q")], ["ann", "bob"]),
        [Constraint(p | q, "one of them")] if law else [],
        {"ann": [Observable(p, "looks")], "bob": [Observable(q, "looks")]},
    )
    return Scene.of(structure, {"p": "true", "q": "true"})
