"""The delay of answers after their budget, and their memory.

There are hard questions about every game at full size, about puzzles, and about small structures
with deep or long formulas. Every engine gets each with several budgets, and all kinds of queries:
truth, validity, reasons, sheets, counts, probabilities, samples. A budget is kept if the answer or
the error comes at most a second after it has run out.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from multiprocessing.connection import Connection
from random import Random
from typing import Any

import click

from symkripke.engines import Budget, engine
from symkripke.engines.registry import TABLE
from symkripke.errors import SymkripkeError
from symkripke.language import Atom, Formula, exactly, parse
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Likelihood,
    Observable,
    Scene,
    Vocabulary,
)
from symkripke.play import Table
from symkripke.play import game as game_named
from symkripke.problems import Problem, check, puzzle, read
from symkripke.testing.random_models import Names, Seeded, random_formula
from tests.soak import formula_texts
from tests.soak.common import Found, forget_peak, memory_of
from tests.soak.odd_calls import PRELUDE
from tests.soak.questions import Ask, about, others

ENGINES = ("auto", "sat", "bdd", "smt", "explicit")

MOST_MEMORY = 2 * 1024**3

_FOREIGN = "foreign"

# Seconds after its budget at which a question is stopped from outside.
_PATIENCE = 8.0


@dataclass(frozen=True)
class Spot:
    """A set of questions about one scene or problem.

    Attributes:
        scene: the scene.
        formulas: the formulas whose truth is asked.
        problem: a problem; if given, only all of its questions are asked.
        weighting: the weighting for engines that weigh worlds; None for the default.
    """

    scene: Scene | None
    formulas: Sequence[Formula | str] = ()
    problem: Problem | None = None
    weighting: str | None = None


# ---- the situations ------------------------------------------------------------------------


def _dealt(name: str, players: int, events: int) -> Spot:
    """Return a full-size game after `events` events, with random questions about knowledge."""
    found = game_named(name)
    table: Table[Any, Any] = Table(found, found.setup(players=players), ("random",), 1)
    while len(table.steps) < events and table.step() is not None:
        pass
    choices, names = Seeded(players), Names.of(table.scene.structure)
    operators = ("atom", "atom", "not", "or", "K", "M", "Kw", "B")
    several = [random_formula(choices, names, depth, operators) for depth in (2, 2, 3, 3, 4)]
    first, second, *_ = names.agents
    atom = Random(name).choice(table.scene.structure.atoms)
    texts = [
        f"P[{first}] (K[{second}] {atom}) >= 1/3",
        f"K[{first}] P[{second}] ({atom}) > 1/10",
        f"C[*] ~K[{first}] {atom}",
        f"B[{first}] ~B[{second}] {atom}",
        f"[!~K[{first}] {atom}] [!~K[{second}] {atom}] K[{first}] ~K[{second}] {atom}",
    ]
    return Spot(table.scene, [*several, *texts])


def _small(texts: Sequence[str]) -> Spot:
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    return Spot(names["scene"], texts)


def _deep(start: str, number: int, inner: str = "p", end: str = "") -> str:
    return start * number + inner + end * number


def _random(seed: int) -> Spot:
    chance = Random(f"{seed}/overruns")
    made = [formula_texts.formula(chance, 5) for _ in range(20)]
    return _small([*made, *(formula_texts.deep(chance) for _ in range(5))])


_PRODUCTS = """agents a, b
fluent x, y, z in 1..60
law "product": x * y * z = 5040
a sees x
b sees y + z
actual x = 7, y = 12, z = 60
true? K[a] (x + y > 20)
true? ~K[b] K[a] (y > z)
valid? K[a] ~K[b] x = 7
"""

_WIDE = """agents 1..14
fluent p(i), q(i), r(i) for i in agents
law "some": atleast(1; p(i) for i in agents)
law "few": atmost(9; q(i) for i in agents)
for i in agents: i sees q(i)
for i in agents, j in agents if i != j: i sees p(j)
announce forall i in agents: ~K[i] p(i)
announce exists i in agents: ~K[i] q(i mod 14 + 1)
valid? C[*] exists i in agents: p(i)
valid? forall i in agents: K[i] ~K[i mod 14 + 1] r(i)
valid? E[*] exists i in agents: K[i] exists j in agents: M[j] ~p(i)
"""


def _deal() -> Spot:
    """Return 50 cards of 25 kinds, two of each, dealt to three agents."""
    kinds = tuple(map(str, range(25)))
    fluents = [Fluent(f"card({i})", kinds) for i in range(50)]
    structure = KnowledgeStructure.of(
        Vocabulary.of(fluents, ("a", "b", "c")),
        [
            Constraint(exactly(2, [fluent.equals(kind) for fluent in fluents]), "two of a kind")
            for kind in kinds
        ],
        {
            agent: [
                Observable(Atom(fluent.name, k), "a hand")
                for fluent in fluents[first::3]
                for k in kinds
            ]
            for first, agent in enumerate("abc")
        },
    )
    world: dict[str, str] = {fluent.name: kinds[place // 2] for place, fluent in enumerate(fluents)}
    texts = ("K[a] ~K[b] card(1) = 0", "K[a] ~K[b] ~K[c] card(1) = 0", "~K[c] K[a] ~card(2) = 7")
    return Spot(Scene.of(structure, world), texts)


def _events(number: int) -> Problem:
    """Return an action with `number` events, and questions about knowledge after it."""
    events = (f"  event e{i} when p({i % 20 + 1})" for i in range(number))
    before = ("agents a, b", "fluent p(i) for i in 1..20", "actual p(1)", "action look:")
    after = ("  a sees which", "do look: e20", "true? K[a] p(1)", "true? [look] K[b] p(1)")
    return read("\n".join((*before, *events, *after)))


def _likelihoods() -> Spot:
    """Return likelihoods that overlap, which makes the diagram of all of them large."""
    chance = Random("likelihoods")

    def clause() -> str:
        return " | ".join(f"p({i})" for i in chance.sample(range(30), 3))

    cases = [parse(f"({clause()}) & ~({clause()}) & ({clause()})") for _ in range(30)]
    shares = [Fraction(chance.randrange(1, 1_000), 1_009) for _ in cases]
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(f"p({i})") for i in range(30)], ("a", "b")),
        (),
        {},
        likelihoods=[
            Likelihood(((case, share), (~case, 1 - share)))
            for case, share in zip(cases, shares, strict=True)
        ],
    )
    world = dict.fromkeys(structure.vocabulary.fluents, "true")
    return Spot(Scene.of(structure, world), ["p(1) & p(2)"], weighting="bayes")


def _puzzle(name: str, n: int | None = None) -> Spot:
    return Spot(None, problem=puzzle(name).problem(n))


_DEALT = (
    *(("cluedo", 6, 12), ("cluedo", 3, 4), ("sleuth", 7, 10), ("kwartet", 4, 15)),
    *(("old_maid", 5, 12), ("old_maid", 6, 12), ("perudo", 6, 5)),
)
_PUZZLES: dict[str, int | None] = {
    **{"russian_cards": None, "sum_and_product": 65, "consecutive_numbers": 200, "gossip": 6},
    **{"muddy_children": 60, "dining_cryptographers": 25, "prisoners": None},
}

SITUATIONS: dict[str, Callable[[], Spot]] = {
    **{f"{name}, {n} players": partial(_dealt, name, n, at) for name, n, at in _DEALT},
    **{name: partial(_puzzle, name, n) for name, n in _PUZZLES.items()},
    **{f"random {seed}": partial(_random, seed) for seed in (1, 2, 3)},
    "deep": lambda: _small(
        [
            _deep("P[a](", 1000, "p", ") >= 1/2"),
            _deep("P[a](P[b](", 500, "p", ") >= 1/2) < 1/3"),
            _deep("K[a] ~K[b] ", 500),
            _deep("C[a, b] ~", 500),
            _deep("B[a] ~B[b] ", 500),
            _deep("[!p | q] ", 300),
            _deep("[!K[a] p | q] ", 20, "K[b] q"),
            _deep("[!~K[a] p] ", 500, "q"),
            _deep("K[a | K[b] p] ".replace("K[a | ", "B[a | "), 300),
            _deep("~[!M[b] p] K[a] ", 12),
            _deep("CB[a, b] ~", 300),
        ]
    ),
    "products": lambda: Spot(None, problem=read(_PRODUCTS)),
    "wide": lambda: Spot(None, problem=read(_WIDE)),
    "50 cards of 25 kinds": _deal,
    "5,000 events": lambda: Spot(None, problem=_events(5_000)),
    "20,000 events": lambda: Spot(None, problem=_events(20_000)),
    "likelihoods": _likelihoods,
}


# ---- the questions -------------------------------------------------------------------------


def questions(spot: Spot) -> Iterator[tuple[str, Ask]]:
    """Yield all questions about the scene, with their names."""
    assert spot.scene is not None
    view = spot.scene.perspective(spot.scene.structure.agents[0])
    for number, formula in enumerate(spot.formulas):
        short = str(formula) if len(str(formula)) < 60 else f"{str(formula)[:57]}..."
        for name, ask in about(spot.scene, view, formula):
            yield f"{name} {number}: {short}", ask
    yield from others(view, Random(1), 20_000)


# ---- in a process --------------------------------------------------------------------------


@dataclass(frozen=True)
class Answered:
    """The outcome of a question, with its time in seconds and its peak memory."""

    took: float
    peak: int
    came: str


Job = tuple[str, float, Callable[[], object]]
"""A question: its name, its budget in seconds, and the function that asks it."""


def _jobs(spot: Spot, name: str, budgets: Sequence[float], begin: str) -> Iterator[Iterator[Job]]:
    """Yield groups of questions; each group goes to the same engine in sequence."""
    # sat and smt cannot weigh worlds.
    weighting = spot.weighting if TABLE[name].weighs else None
    asks = [] if spot.problem is not None else [*questions(spot)]
    for seconds in budgets:
        budget = Budget(seconds=seconds, memory=MOST_MEMORY)
        if spot.problem is not None:
            going = check(spot.problem, engine(name), budget)
            steps = range(len(spot.problem.steps) + 1)
            yield ((f"step {at}", seconds, partial(next, going)) for at in steps)
        for label, ask in asks:
            if label.startswith(begin):
                yield iter([(label, seconds, partial(ask, engine(name, weighting), budget))])


def serve(pipe: Connection, jobs: Iterator[Job]) -> None:
    """Ask questions until one has no answer, and send the outcomes through the pipe."""
    for label, seconds, ask in jobs:
        pipe.send((label, seconds))
        forget_peak()
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            ask()
            came = "answer"
        except SymkripkeError as error:
            came = type(error).__name__
        except Exception as error:
            came = f"{_FOREIGN} {type(error).__name__}: {error}"
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        # If other work occupies the processor meanwhile, only our share of the delay counts.
        took = seconds + (wall - seconds) * min(1.0, cpu / wall) if wall > seconds else wall
        pipe.send(Answered(took, memory_of(kind="VmHWM"), came))
        if came != "answer":
            break
    pipe.send(None)


def ask_all(
    name: str, engine_name: str, budgets: Sequence[float], begin: str = ""
) -> Iterator[tuple[str, float, Answered]]:
    """Ask one engine all questions about a situation; yield each with its budget and outcome."""
    context = multiprocessing.get_context("fork")
    for jobs in _jobs(SITUATIONS[name](), engine_name, budgets, begin):
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=serve, args=(theirs, jobs), daemon=True)
        process.start()
        theirs.close()
        label, seconds = "the first", 0.0
        try:
            while (asked := ours.recv()) is not None:
                label, seconds = asked
                if not ours.poll(seconds + _PATIENCE):
                    yield label, seconds, Answered(seconds + _PATIENCE, 0, "ended from outside")
                    break
                yield label, seconds, ours.recv()
        except EOFError:
            yield label, seconds, Answered(0.0, 0, f"{_FOREIGN}: the process died")
        finally:
            process.kill()
            process.join()
            ours.close()


@click.command()
@click.option("--seconds", default="0.2,1,3", help="The budgets.")
@click.option("--situation", "names", multiple=True, help="Those whose name has it.")
@click.option("--engine", "engines", multiple=True, type=click.Choice(ENGINES))
@click.option("--question", default="", help="Only those that begin so.")
def overruns(seconds: str, names: Sequence[str], engines: Sequence[str], question: str) -> Found:
    """Check that hard questions are answered or given up within their budgets.

    Prints the worst overrun and the peak memory of each engine.
    """
    found = Found()
    budgets = [float(part) for part in seconds.split(",")]
    for engine_name in engines or ENGINES:
        worst, most, where = 0.0, 0, "none"
        for name in SITUATIONS:
            if names and not any(part in name for part in names):
                continue
            for label, budget, told in ask_all(name, engine_name, budgets, question):
                overrun = told.took - budget
                asked = f"{name}, {engine_name}: {label}, {budget} s"
                found.done[f"{engine_name}, {name}"] += 1
                if overrun > 1.0 or told.came.startswith(_FOREIGN):
                    megabytes = told.peak / 1024**2
                    found.fault(f"{asked}: {overrun:.2f} s late, {megabytes:,.0f} MB: {told.came}")
                most = max(most, told.peak)
                if overrun > worst:
                    worst, where = overrun, asked
        memory = f"{most / 1024**2:,.0f} MB"
        found.notes.append(f"{engine_name}: worst overrun {worst:.2f} s ({where}); {memory}")
    return found
