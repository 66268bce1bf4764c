"""By how much an answer is later than its budget, and how much memory it takes meanwhile.

Hard questions of every game at full size, of puzzles, and of small structures with formulas that
are deep or long, each put to every engine with several budgets. An engine is asked all that it can
be asked: truth, validity, reasons, sheets, counts, probabilities, samples. A budget is kept if the
answer or the error comes at most a second after it has run out.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, TextIO

import click

from benchmarks.common import duration, peak_memory, show
from benchmarks.fuzz import formulas
from benchmarks.fuzz.calls import PRELUDE
from benchmarks.fuzz.worker import forget_peak
from benchmarks.outliers import KINDS, Moment
from benchmarks.outliers import question as nested
from symkripke.engines import Budget, Counter, Engine, engine
from symkripke.engines.registry import TABLE
from symkripke.errors import SymkripkeError
from symkripke.language import Atom, Formula, K, exactly, parse
from symkripke.limits import within
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

ENGINES = ("auto", "sat", "bdd", "smt", "explicit")

# Seconds after its budget at which a question is ended from outside.
_PATIENCE = 8.0

Ask = Callable[[Any, Budget], object]


@dataclass(frozen=True)
class Spot:
    """Where questions are asked, and which.

    Attributes:
        scene: the scene.
        formulas: what is asked of its truth.
        counts: whether it is counted there, too.
        problem: a problem; then all of its questions are asked, and nothing else.
        weighting: how worlds are weighed, by engines that weigh them; None for the default.
    """

    scene: Scene | None
    formulas: Sequence[Formula | str] = ()
    counts: bool = True
    problem: Problem | None = None
    weighting: str | None = None


# ---- where ---------------------------------------------------------------------------------


def _game(name: str, players: int, events: int, seed: int = 1) -> Table[Any, Any]:
    found = game_named(name)
    table = Table(found, found.setup(players=players), ("random",), seed)
    for _ in range(events):
        if table.step() is None:
            break
    return table


def _dealt(name: str, players: int, events: int, asked: Sequence[str] = ()) -> Spot:
    """A game at full size after so many events, with random questions about knowledge."""
    table = _game(name, players, events)
    chance, structure = Random(f"{name}/{players}"), table.scene.structure
    kind = KINDS.get(name, KINDS["cluedo"])
    moment = Moment(players, 1, len(table.scenes) - 1, table)
    several = [nested(kind, moment, depth, chance) for depth in (2, 2, 3, 3, 4)]
    first, second, *_ = structure.agents
    atom = Random(name).choice(structure.atoms)
    texts = [
        f"P[{first}] (K[{second}] {atom}) >= 1/3",
        f"K[{first}] P[{second}] ({atom}) > 1/10",
        f"C[*] ~K[{first}] {atom}",
        f"B[{first}] ~B[{second}] {atom}",
        f"[!~K[{first}] {atom}] [!~K[{second}] {atom}] K[{first}] ~K[{second}] {atom}",
        *asked,
    ]
    return Spot(table.scene, [*several, *texts])


def _small(texts: Sequence[str]) -> Spot:
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    return Spot(names["scene"], texts, counts=False)


def _deep(start: str, number: int, inner: str = "p", end: str = "") -> str:
    return start * number + inner + end * number


def _random(seed: int) -> Spot:
    chance = Random(f"{seed}/overruns")
    made = [formulas.formula(chance, 5, faults=0.0) for _ in range(20)]
    return _small([*made, *(formulas.deep(chance) for _ in range(5))])


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
true? C[*] exists i in agents: p(i)
valid? forall i in agents: K[i] ~K[i mod 14 + 1] r(i)
true? E[*] exists i in agents: K[i] exists j in agents: M[j] ~p(i)
"""


def _deal() -> Spot:
    """50 cards of 25 kinds, two of each, dealt to three agents."""
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
    """An action with so many events, and what is known after it."""
    events = (f"  event e{i} when p({i % 20 + 1})" for i in range(number))
    before = ("agents a, b", "fluent p(i) for i in 1..20", "actual p(1)", "action look:")
    after = ("  a sees which", "do look: e20", "true? K[a] p(1)", "true? [look] K[b] p(1)")
    return read("\n".join((*before, *events, *after)))


def _likelihoods() -> Spot:
    """Likelihoods that overlap, so that the diagram of all together is large."""
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


SITUATIONS: dict[str, Callable[[], Spot]] = {
    "cluedo, 6 players": lambda: _dealt("cluedo", 6, 12),
    "cluedo, 3 players": lambda: _dealt("cluedo", 3, 4),
    "sleuth, 7 players": lambda: _dealt("sleuth", 7, 10),
    "kwartet, 4 players": lambda: _dealt("kwartet", 4, 15),
    "old maid, 5 players": lambda: _dealt("old_maid", 5, 12),
    "old maid, 6 players": lambda: _dealt("old_maid", 6, 12),
    "perudo, 6 players": lambda: _dealt("perudo", 6, 5),
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
    "random 1": lambda: _random(1),
    "random 2": lambda: _random(2),
    "random 3": lambda: _random(3),
    "russian cards": lambda: _puzzle("russian_cards"),
    "sum and product, 65": lambda: _puzzle("sum_and_product", n=65),
    "consecutive numbers, 200": lambda: _puzzle("consecutive_numbers", n=200),
    "muddy children, 60": lambda: _puzzle("muddy_children", n=60),
    "dining cryptographers, 25": lambda: _puzzle("dining_cryptographers", n=25),
    "gossip, 6": lambda: _puzzle("gossip", n=6),
    "prisoners": lambda: _puzzle("prisoners"),
    "products": lambda: Spot(None, problem=read(_PRODUCTS)),
    "wide": lambda: Spot(None, problem=read(_WIDE)),
    "50 cards of 25 kinds": _deal,
    "5,000 events": lambda: Spot(None, problem=_events(5_000)),
    "20,000 events": lambda: Spot(None, problem=_events(20_000)),
    "likelihoods": _likelihoods,
}


def _puzzle(name: str, n: int | None = None) -> Spot:
    return Spot(None, problem=puzzle(name).problem(n))


# ---- what ----------------------------------------------------------------------------------


def questions(spot: Spot) -> Iterator[tuple[str, Ask]]:
    """All that is asked there."""
    assert spot.scene is not None
    scene = spot.scene
    structure = scene.structure
    agents = structure.agents
    view = scene.perspective(agents[0])
    for number, formula in enumerate(spot.formulas):
        short = str(formula) if len(str(formula)) < 60 else f"{str(formula)[:57]}..."
        name = f"{number}: {short}"

        def truth(made: Any, budget: Budget, formula: Formula | str = formula) -> object:
            return made.holds(scene, formula, budget)

        def why(made: Any, budget: Budget, formula: Formula | str = formula) -> object:
            # Explaining has the budget once more: only what it takes beyond both is late.
            with within(seconds=budget.seconds):
                return made.holds(scene, formula, budget).why()

        def inside(made: Any, budget: Budget, formula: Formula | str = formula) -> object:
            asked = structure.parse(formula) if isinstance(formula, str) else formula
            return made.holds(view, K(agents[0], asked), budget)

        def validity(made: Any, budget: Budget, formula: Formula | str = formula) -> object:
            return made.valid(structure, formula, budget)

        def found(made: Any, budget: Budget, formula: Formula | str = formula) -> object:
            return made.witness(structure, formula, budget)

        def those(made: Any, budget: Budget, formula: Formula | str = formula) -> object:
            return made.possible_to(scene, formula, agents, budget)

        def likely(made: Any, budget: Budget, formula: Formula | str = formula) -> object:
            return made.probability(view, formula, budget)

        yield f"holds {name}", truth
        yield f"why {name}", why
        yield f"view {name}", inside
        yield f"valid {name}", validity
        yield f"witness {name}", found
        yield f"possible_to {name}", those
        yield f"probability {name}", likely
    yield "sheet", lambda made, budget: made.sheet(view, None, budget)
    yield "believed", lambda made, budget: made.believed(view, budget)
    some: list[Atom] = Random(1).sample(structure.atoms, min(14, len(structure.atoms)))
    yield (
        "possibilities",
        lambda made, budget: made.possibilities(view, some, budget=budget),
    )
    yield "worlds", lambda made, budget: made.worlds(structure, None, budget)
    yield "worlds of a view", lambda made, budget: made.worlds(view, None, budget)
    names = list(structure.versions or structure.vocabulary.fluents)[:6]
    yield "worlds over some", lambda made, budget: made.worlds(view, names, budget)

    def limited(ask: Callable[[Counter], object]) -> Ask:
        def within_budget(made: Any, budget: Budget) -> object:
            with within(seconds=budget.seconds, memory=budget.memory):
                return ask(made)

        return within_budget

    yield "marginals", limited(lambda made: made.marginals(view))
    yield "distribution", limited(lambda made: made.distribution(view, some))
    yield "sample", limited(lambda made: made.sample(view, 20_000, Random(1)))
    yield "sample over some", limited(lambda made: made.sample(view, 20_000, Random(1), names))
    yield "steps", limited(lambda made: made.steps(view, names))


def steps(problem: Problem, made: Any, budget: Budget) -> Iterator[tuple[str, Ask]]:
    """The steps of a problem, each with the budget; the first that has no answer is the last."""
    going = check(problem, made, budget)
    for number in range(len(problem.steps) + 1):
        yield f"step {number}", lambda *_: next(going)


# ---- in a process --------------------------------------------------------------------------


def serve(
    pipe: Connection,
    name: str,
    engine_name: str,
    budgets: Sequence[float],
    first: int,
    begin: str,
    where: str,
) -> None:
    """Ask all questions of one situation, from a first one on; each row goes into the pipe."""
    with Path(where or os.devnull).open("a", encoding="utf-8") as file:
        _serve(pipe, name, engine_name, budgets, first, begin, file if where else None)


def _serve(
    pipe: Connection,
    name: str,
    engine_name: str,
    budgets: Sequence[float],
    first: int,
    begin: str,
    file: TextIO | None,
) -> None:
    spot = SITUATIONS[name]()
    number = 0

    def run(label: str, seconds: float, ask: Ask, made: Any) -> bool:
        """Ask one question, and tell what came; whether that was an answer."""
        nonlocal number
        number += 1
        if number <= first or not label.startswith(begin):
            return True
        pipe.send(("begin", number, label, seconds))
        forget_peak()
        if file is not None:
            file.write(f"\n#### {name} / {engine_name} / {label} / {seconds}\n")
            file.flush()
            faulthandler.dump_traceback_later(seconds + 0.7, repeat=True, file=file)
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            ask(made, Budget(seconds=seconds, memory=2 * 1024**3))
            came = "answer"
        except SymkripkeError as error:
            came = type(error).__name__
        except Exception as error:
            came = f"FOREIGN {type(error).__name__}: {error}"
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        # Where other work has the processor meanwhile, only its share of the delay is ours.
        late = (wall - seconds) * min(1.0, cpu / wall) if wall > seconds else wall - seconds
        took = seconds + late
        if file is not None:
            faulthandler.cancel_dump_traceback_later()
        pipe.send(("end", took, peak_memory(), came))
        return came == "answer"

    if spot.problem is None:
        for label, ask in questions(spot):
            for seconds in budgets:
                run(label, seconds, ask, _engine(spot, engine_name))
    else:
        for seconds in budgets:
            made = engine(engine_name)
            budget = Budget(seconds=seconds, memory=2 * 1024**3)
            for label, ask in steps(spot.problem, made, budget):
                if not run(label, seconds, ask, made):
                    break
    pipe.send(None)


def _engine(spot: Spot, name: str) -> Engine:
    """An engine for the situation; sat and smt do not weigh worlds."""
    return engine(name, spot.weighting if TABLE[name].weighs else None)


@dataclass(frozen=True)
class Row:
    """One question with one budget."""

    situation: str
    engine: str
    question: str
    seconds: float
    took: float
    peak: int
    came: str

    @property
    def overrun(self) -> float:
        """The seconds beyond the budget."""
        return self.took - self.seconds


def ask_all(
    name: str, engine_name: str, budgets: Sequence[float], begin: str = "", where: str = ""
) -> Iterator[Row]:
    """All questions of one situation to one engine."""
    context = multiprocessing.get_context("spawn")
    first = 0
    while True:
        last = first
        ours, theirs = context.Pipe(duplex=False)
        arguments = (theirs, name, engine_name, budgets, first, begin, where)
        process = context.Process(target=serve, args=arguments, daemon=True)
        process.start()
        theirs.close()
        try:
            while True:
                message = ours.recv() if ours.poll(120) else None
                if message is None:
                    return
                _, first, label, seconds = message
                start = time.perf_counter()
                if not ours.poll(seconds + _PATIENCE):
                    took = time.perf_counter() - start
                    yield Row(name, engine_name, label, seconds, took, 0, "ended from outside")
                    break
                _, took, peak, came = ours.recv()
                yield Row(name, engine_name, label, seconds, took, peak, came)
        except EOFError:
            yield Row(name, engine_name, f"after {first}", 0, 0, 0, "DIED")
            if first == last:
                return
        finally:
            process.kill()
            process.join()
            ours.close()


@click.command(short_help="By how much answers are later than their budgets.")
@click.option("--seconds", default="0.2,1,3", help="The budgets.")
@click.option("--situation", "names", multiple=True, help="Those whose name has it.")
@click.option("--engine", "engines", multiple=True, type=click.Choice(ENGINES))
@click.option("--question", default="", help="Only those that begin so.")
@click.option("--late", type=float, default=1.0, help="From which overrun on they are listed.")
@click.option("--where", default="", help="A file for what Python did when it was late.")
def overruns(
    seconds: str,
    names: Sequence[str],
    engines: Sequence[str],
    question: str,
    late: float,
    where: str,
) -> None:
    """By how much answers are later than their budgets: the worst by name, and the memory."""
    budgets = [float(part) for part in seconds.split(",")]
    rows: list[Row] = []
    for name in SITUATIONS:
        if names and not any(part in name for part in names):
            continue
        for engine_name in engines or ENGINES:
            found = list(ask_all(name, engine_name, budgets, question, where))
            rows.extend(found)
            worst = max(found, key=lambda row: row.overrun, default=None)
            if worst is not None:
                most = max(row.peak for row in found) / 1024**2
                click.echo(
                    f"{name}, {engine_name}: {len(found)} asked, worst overrun "
                    f"{worst.overrun:.2f} s ({worst.question}, {worst.seconds} s), {most:,.0f} MB"
                )
            for row in found:
                if row.overrun > late or row.came.startswith(("FOREIGN", "DIED")):
                    click.echo(
                        f"   {row.overrun:.2f} s late: {row.question}, {row.seconds} s, "
                        f"{row.peak / 1024**2:,.0f} MB: {row.came}"
                    )
    rows.sort(key=lambda row: -row.overrun)
    show(
        "The latest answers",
        ("question", "engine", "budget", "overrun", "memory", "what came"),
        [
            (
                f"{row.situation}: {row.question}",
                row.engine,
                duration(row.seconds),
                duration(row.overrun),
                f"{row.peak / 1024**2:,.0f} MB",
                row.came,
            )
            for row in rows[:20]
        ],
        [f"{len(rows):,} asked, {sum(row.overrun > late for row in rows)} late"],
    )
