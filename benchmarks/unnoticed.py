"""`unnoticed`: unnoticed actions, and question times after thirty of them and as they accumulate.

There are six agents and a coin in a box. Each agent is in the room or not, which the others do not
see. Agents turn the coin, look at it, and come and go; those in the room notice. Before any
measurement, answers are checked against the explicit model, with fewer agents and actions. Times
are processor times.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import click

from benchmarks.common import Seconds, Table, Tables, check, clocked, measurement, median
from symkripke.engines import Budget, Engine, engine
from symkripke.errors import BudgetExceeded
from symkripke.language import CB, TRUE, Atom, B, Formula, negation
from symkripke.model import (
    WHICH,
    ActionModel,
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    PossibleEvent,
    Postcondition,
    Scene,
    Vocabulary,
    that,
)

HEADS = Atom("heads")
AGENTS = ("ann", "bob", "cat", "dan", "eve", "fay")
_LIMIT = Budget(seconds=60)


def inside(agent: str) -> Atom:
    """Return the atom "the agent is in the room"."""
    return Atom(f"in({agent})")


def room(agents: Sequence[str]) -> Scene:
    """Return a scene with half of the agents in the room, each of whom knows where they are."""
    fluents = [Fluent("heads"), *(Fluent(f"in({agent})") for agent in agents)]
    sees = {agent: [Observable(inside(agent), "knows where it is")] for agent in agents}
    structure = KnowledgeStructure.of(
        Vocabulary.of(fluents, agents), [Constraint(HEADS, "the coin shows heads")], sees
    )
    world = {"heads": "true"}
    world.update({f"in({a})": "true" if place % 2 else "false" for place, a in enumerate(agents)})
    return Scene.of(structure, world)


def turn(agents: Sequence[str], number: int) -> ActionModel:
    """Return the action of an agent turning the coin, seen by those in the room."""
    who = agents[number % len(agents)]
    made = PossibleEvent("turn", TRUE, [Postcondition("heads", negation(HEADS))])
    sees = {agent: [(inside(agent), WHICH)] for agent in agents if agent != who}
    return ActionModel(f"{who} turns the coin", [made], {**sees, who: WHICH})


def look(agents: Sequence[str], number: int) -> ActionModel:
    """Return the action of an agent looking at the coin; those in the room see the agent look."""
    who = agents[number % len(agents)]
    seen = [PossibleEvent("heads", HEADS), PossibleEvent("tails", negation(HEADS))]
    sees = {agent: [(inside(agent), that())] for agent in agents if agent != who}
    return ActionModel(f"{who} looks at the coin", seen, {**sees, who: WHICH})


def move(agents: Sequence[str], number: int) -> ActionModel:
    """Return the action of an agent going in or out, seen by the next agent."""
    who = agents[number % len(agents)]
    to = [Postcondition(f"in({who})", negation(inside(who)))]
    seer = agents[(number + 1) % len(agents)]
    return ActionModel(f"{who} moves", [PossibleEvent("move", TRUE, to)], {who: WHICH, seer: WHICH})


Kind = Callable[[Sequence[str], int], ActionModel]
FAMILIES: dict[str, tuple[Kind, ...]] = {
    "turning": (turn,),
    "looking": (look,),
    "moving": (move,),
    "all three": (turn, look, move),
}


def questions(agents: Sequence[str]) -> dict[str, list[Formula]]:
    """Return questions of belief about the coin, by order."""
    size = len(agents)
    triples = [tuple(agents[(n + step) % size] for step in range(3)) for n in range(size)]
    facts = (HEADS, negation(HEADS))
    return {
        "first order": [B(i, fact) for i, _, _ in triples for fact in facts],
        "second order": [B(i, B(j, fact)) for i, j, _ in triples for fact in facts],
        "third order": [B(i, B(j, B(k, fact))) for i, j, k in triples for fact in facts],
        "common belief": [CB(agents, fact) for fact in facts],
    }


def history(kinds: Sequence[Kind], agents: Sequence[str], actions: int) -> list[Scene]:
    """Return the initial scene and the scene after each of `actions` actions."""
    scenes = [room(agents)]
    for number in range(actions):
        scenes.append(scenes[-1].update(kinds[number % len(kinds)](agents, number)))
    return scenes


def verify(most_actions: int) -> int:
    """Check questions with three agents by the explicit model; return the number of answers."""
    agents, checked = AGENTS[:3], 0
    for name, kinds in FAMILIES.items():
        for number, scene in enumerate(history(kinds, agents, most_actions)):
            oracle, engines = engine("explicit"), [engine(one) for one in ("sat", "bdd", "auto")]
            for asked in (q for kind in questions(agents).values() for q in kind):
                expected = bool(oracle.holds(scene, asked))
                for one in engines:
                    got = bool(one.holds(scene, asked))
                    check(got == expected, f"{name}, {number} actions: {asked} ({one.name})")
                    checked += 1
    return checked


def _timed(asking: Engine, scene: Scene, asked: Formula) -> Seconds | None:
    """Return the processor time of a question, or None if it took too long."""
    start = time.process_time()
    try:
        asking.holds(scene, asked, _LIMIT)
    except BudgetExceeded:
        return None
    return Seconds(time.process_time() - start)


def _row(scene: Scene, asking: Engine) -> list[str]:
    """Return the median and the longest time of the questions of each order, as text."""
    row = []
    for kind in questions(scene.structure.agents).values():
        times = [_timed(asking, scene, asked) for asked in kind]
        known = [seconds for seconds in times if seconds is not None]
        longest = str(max(known)) if len(known) == len(times) else "over 60 s"
        row.append(f"{median(known)} ({longest})")
    return row


def announced(number: int) -> ActionModel:
    """Return the action of turning the coin in public, if it shows the side that all have seen."""
    who = AGENTS[number % len(AGENTS)]
    shows = HEADS if number % 2 == 0 else negation(HEADS)
    to = Postcondition("heads", "false" if number % 2 == 0 else "true")
    return ActionModel(
        f"{who} turns the coin before all", [PossibleEvent("turn", shows, [to])], otherwise=WHICH
    )


def _public(actions: int) -> Iterator[list[object]]:
    """Time public actions and the questions after each of them as they accumulate."""
    asking, scene = engine("sat"), room(AGENTS)
    acting: list[Seconds] = []
    asked: list[Seconds] = []
    for number in range(actions):
        took, scene = clocked(partial(scene.update, announced(number)))
        acting.append(took)
        for question in questions(AGENTS)["second order"][:4]:
            seconds = _timed(asking, scene, question)
            assert seconds is not None
            asked.append(seconds)
        if (number + 1) % (actions // 5) == 0:
            fluents = len(scene.structure.vocabulary.fluents)
            yield [str(number + 1), fluents, median(acting), median(asked)]
            acting, asked = [], []


@measurement("unnoticed")
@click.option("--actions", type=click.IntRange(5), default=30, help="The number of actions.")
@click.option("--public", type=click.IntRange(5), default=100, help="Those that all notice.")
@click.option("--checks", type=click.IntRange(1), default=4, help="Actions of checked histories.")
def unnoticed(actions: int, public: int, checks: int) -> Tables:
    """How long do questions of belief take after unnoticed actions, and as actions accumulate?"""
    checked = f"{verify(checks):,} answers with three agents, against the explicit model"
    orders = ("first order", "second order", "third order", "common belief")
    yield Table(
        f"{actions} actions, {len(AGENTS)} agents: median (longest) time of a question, sat",
        ["actions", *orders],
        [
            [name, *_row(history(kinds, AGENTS, actions)[-1], engine("sat"))]
            for name, kinds in FAMILIES.items()
        ],
        checked,
        ["the first question of each kind pays for what the others reuse"],
    )
    grown = [(n, history(FAMILIES["all three"], AGENTS, n)[-1]) for n in range(5, actions + 1, 5)]
    yield Table(
        "Growth with the number of actions",
        ["actions", "fluents", *orders],
        [
            [str(n), len(scene.structure.vocabulary.fluents), *_row(scene, engine("sat"))]
            for n, scene in grown
        ],
        checked,
    )
    yield Table(
        "Public actions: the next one, and a question, sat",
        ["actions so far", "fluents", "the action", "second order"],
        list(_public(public)),
        checked,
    )
