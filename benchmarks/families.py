"""Families of situations on which other checkers collapse, or shine; `auto` must pick well in each.

* ring: n players, n cards, one each; each sees the next one's card. Three questions of depth 1.
  Diagrams are exponential in n here (M. Gattinger's SMCDEL, a BDD checker: n = 16 took 113 s).
* deal: p players with h cards each; three questions of depth 1 and one of depth 2.
* muddy: n muddy children, n/2 muddy; "nobody knows" is announced while it is true. The best case of
  diagrams, and one that needs very many lemmas.
* dining: n cryptographers, each pair of neighbours shares a coin, each says one parity aloud.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence

import click

from benchmarks.common import check, duration, show
from symkripke.engines import Engine, engine
from symkripke.language import (
    Atom,
    Formula,
    Iff,
    K,
    Kw,
    M,
    atleast,
    atmost,
    conjunction,
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
)

Family = Callable[[int, int, Engine], str]


def _ask(asked: Engine, scene: Scene, questions: Sequence[tuple[Formula, bool]]) -> str:
    """Check each answer; who gave them."""
    engines = []
    for question, truth in questions:
        answer = asked.holds(scene, question)
        check(bool(answer) is truth, f"{question} is {truth}")
        engines.append(answer.engine)
    return ", ".join(dict.fromkeys(engines))


def ring(players: int, _: int, asked: Engine) -> str:
    """Each holds one card, and sees that of the next one."""
    names = [f"p{n}" for n in range(players)]
    cards = [Fluent(f"c{n}", tuple(names)) for n in range(players)]
    law = [
        Constraint(exactly(1, [Atom(card.name, name) for card in cards]), f"{name} holds one")
        for name in names
    ]
    sees = {
        name: [Observable(Atom(card.name, names[(n + 1) % players]), "sees") for card in cards]
        for n, name in enumerate(names)
    }
    structure = KnowledgeStructure.of(Vocabulary.of(cards, names), law, sees)
    scene = Scene.of(structure, {f"c{n}": name for n, name in enumerate(names)})
    return _ask(
        asked,
        scene,
        [
            (K("p0", Atom("c1", "p1")), True),
            (K("p0", Atom("c0", "p0")), False),
            (K("p0", negation(Atom("c1", "p0"))), True),
        ],
    )


def deal(players: int, cards: int, asked: Engine) -> str:
    """Hands of so many cards, each seen by its player."""
    names = [f"p{n}" for n in range(players)]
    deck = [Fluent(f"c{n}", tuple(names)) for n in range(players * cards)]
    law = [
        Constraint(exactly(cards, [Atom(card.name, name) for card in deck]), f"hand of {name}")
        for name in names
    ]
    sees = {
        name: [Observable(Atom(card.name, name), "own hand") for card in deck] for name in names
    }
    structure = KnowledgeStructure.of(Vocabulary.of(deck, names), law, sees)
    scene = Scene.of(structure, {card.name: names[n // cards] for n, card in enumerate(deck)})
    first, other = Atom("c0", "p0"), Atom(f"c{cards}", "p1")
    return _ask(
        asked,
        scene,
        [
            (K("p0", first), True),
            (K("p0", other), False),
            (M("p0", Atom(f"c{cards}", "p2")), True),
            (K("p0", M("p1", negation(first))), True),
        ],
    )


def muddy(children: int, _: int, asked: Engine) -> str:
    """Half of them are muddy: "nobody knows" is true n/2 - 1 times, then the muddy know."""
    names = [f"k{n}" for n in range(children)]
    mud = {name: Atom(f"muddy({name})") for name in names}
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(atom.fluent) for atom in mud.values()], names),
        [Constraint(atleast(1, mud.values()), "the father said so")],
        {
            name: [Observable(mud[other], "sees") for other in names if other != name]
            for name in names
        },
    )
    scene = Scene.of(
        structure,
        {mud[k].fluent: "true" if n < children // 2 else "false" for n, k in enumerate(names)},
    )
    nobody = conjunction(negation(Kw(name, mud[name])) for name in names)
    rounds = 0
    while asked.holds(scene, nobody):
        said = Event("nobody knows", constraints=(Constraint(nobody, f"round {rounds}"),))
        scene = scene.update(said, judge=lambda there, formula: bool(asked.holds(there, formula)))
        rounds += 1
    check(rounds == children // 2 - 1, f"{children // 2 - 1} rounds")
    return _ask(asked, scene, [(K(names[0], mud[names[0]]), True)])


def dining(diners: int, _: int, asked: Engine) -> str:
    """All learn whether one of them paid; nobody learns who."""
    names = [f"d{n}" for n in range(diners)]
    fluents = [Fluent(f"{kind}({n})") for n in range(diners) for kind in ("coin", "paid")]
    coin = [Atom(f"coin({n})") for n in range(diners)]
    paid = [Atom(f"paid({n})") for n in range(diners)]
    sees = {
        name: [Observable(atom, "sees") for atom in (coin[n], coin[n - 1], paid[n])]
        for n, name in enumerate(names)
    }
    structure = KnowledgeStructure.of(
        Vocabulary.of(fluents, names), [Constraint(atmost(1, paid), "at most one paid")], sees
    )
    world = {fluent.name: "true" if n % 3 == 0 else "false" for n, fluent in enumerate(fluents)}
    world |= {atom.fluent: "true" if n == 1 else "false" for n, atom in enumerate(paid)}
    scene = Scene.of(structure, world)
    for n in range(diners):
        parity = Iff(Iff(coin[n], coin[n - 1]), paid[n])
        truth = (world[coin[n].fluent] == world[coin[n - 1].fluent]) == (
            world[paid[n].fluent] == "true"
        )
        said = parity if truth else negation(parity)
        scene = scene.update(Event("said", constraints=(Constraint(said, f"d{n} said so"),)))
    some = atleast(1, paid)
    return _ask(
        asked,
        scene,
        [(K("d0", some), True), (K("d0", paid[1]), False), (K("d1", K("d0", some)), True)],
    )


FAMILIES: dict[str, tuple[Family, Sequence[tuple[int, int]]]] = {
    "ring": (ring, [(10, 0), (16, 0), (32, 0), (64, 0)]),
    "deal": (deal, [(4, 13), (6, 5), (8, 3), (10, 3), (20, 5)]),
    "muddy": (muddy, [(10, 0), (40, 0), (80, 0), (160, 0)]),
    "dining": (dining, [(11, 0), (40, 0), (120, 0)]),
}

# Seconds that others need, measured on a machine like ours: SMCDEL 1.3.
PUBLISHED = {
    ("ring", 10, 0): 0.075,
    ("ring", 16, 0): 113.0,
    ("deal", 4, 13): 8.5,
    ("deal", 6, 5): 24.0,
    ("deal", 8, 3): 39.0,
    ("muddy", 40, 0): 0.064,
    ("muddy", 80, 0): 0.125,
    ("muddy", 160, 0): 1.1,
    ("dining", 11, 0): 48.7,
}


@click.command(short_help="Families on which checkers collapse or shine.")
@click.option("--family", "only", multiple=True, help="Only these families.")
@click.option("--most", type=int, help="Only sizes of at most so many agents.")
@click.option("--engine", "engine_name", default="auto", help="Who answers.")
def families(only: tuple[str, ...], most: int | None, engine_name: str) -> None:
    """Deals of cards, muddy children, dining cryptographers; who was picked, and the time."""
    rows = []
    for name, (family, sizes) in FAMILIES.items():
        if only and name not in only:
            continue
        for agents, cards in itertools.filterfalse(
            lambda size: most is not None and size[0] > most, sizes
        ):
            start = time.perf_counter()
            answered = family(agents, cards, engine(engine_name))
            seconds = time.perf_counter() - start
            other = PUBLISHED.get((name, agents, cards))
            rows.append(
                [
                    name,
                    f"{agents}x{cards}" if cards else str(agents),
                    answered,
                    duration(seconds),
                    "-" if other is None else duration(other),
                ]
            )
    show(
        "Families, built and asked through the public API (whole time)",
        ["family", "size", "answered by", "symkripke", "SMCDEL 1.3 (published)"],
        rows,
        ["checked: every answer against the one that is known for the family"],
    )
