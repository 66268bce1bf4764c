"""`questions`: one question at full size, compared with a tight loop over the solver."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import click
from pysat.solvers import Minicard

from benchmarks.cluedo import all_atoms, played, setup_of, stand
from benchmarks.common import Table, Tables, check, clocked, measurement, median, quiet
from benchmarks.reference import ReferenceSolver
from symkripke.engines import Engine, Mark, engine
from symkripke.engines.sat.encoding import Clauses, Encoding
from symkripke.language import Atom, Formula, K
from symkripke.model import Perspective
from symkripke.play import Moment
from symkripke_games.cluedo.rules import Happening, Setup


@dataclass(frozen=True)
class Midgame:
    """A game after half of its turns.

    Attributes:
        seed: the seed of the game.
        moment: the moment after half of the turns.
        events: the events until then.
        perspectives: the perspective of each player.
        atoms: an atom for every pair of a card and a place.
    """

    seed: int
    moment: Moment[Setup, Happening]
    events: list[Happening]
    perspectives: dict[str, Perspective]
    atoms: list[Atom]

    @property
    def asked(self) -> int:
        """The number of questions: one for each player and atom."""
        return len(self.perspectives) * len(self.atoms)


def midgame(setup: Setup, seed: int) -> Midgame:
    """Return the middle of a game of higher-order players."""
    table = played(setup, seed)
    moment = table.moment.at(table.steps[-1].turn // 2)
    events = [s.outcome.public for s in table.steps if s.turn <= moment.turn]
    perspectives = {player: moment.perspective(player) for player in setup.players}
    return Midgame(seed, moment, events, perspectives, all_atoms(setup))


def verify(game: Midgame, asked: Engine) -> None:
    """Raise `WrongAnswer` unless sheets, single questions and questions as text are all right.

    CaDiCaL decides, over clauses written directly from the rules.
    """
    with ReferenceSolver(game.moment.setup, game.events) as reference:
        for player, perspective in game.perspectives.items():
            marks = dict(asked.sheet(perspective, game.atoms))
            for atom in game.atoms:
                expected = reference.mark(perspective, atom)
                yes = expected is Mark.YES
                where = f"game {game.seed}, {player}, {atom}"
                check(marks[atom] is expected, f"{where}: {marks[atom]}, expected {expected}")
                single = asked.holds(perspective, K(player, atom))
                check(bool(single) == yes, f"{where}: K is {bool(single)}, expected {yes}")
                said = game.moment.ask(f"K[{player}] {atom}", engine=asked)
                check(bool(said) == yes, f"{where}: as text {bool(said)}, expected {yes}")


# ---- the timed ways -------------------------------------------------------------------


def _there(game: Midgame) -> Engine:
    """Return a new engine that is prepared for this moment."""
    made = engine("sat")
    for perspective in game.perspectives.values():
        stand(made, perspective)
    return made


def _sheets(made: Engine, game: Midgame) -> None:
    for perspective in game.perspectives.values():
        made.sheet(perspective, game.atoms)


def _singles(made: Engine, asked: Sequence[tuple[Perspective, Formula]]) -> None:
    for perspective, formula in asked:
        made.holds(perspective, formula)


def _texts(moment: Moment[Setup, Happening], made: Engine, texts: Sequence[str]) -> None:
    for text in texts:
        moment.ask(text, engine=made)


def law(game: Midgame) -> Clauses:
    """Return the clauses and cardinality constraints that the engine gives its solvers."""
    encoding = Encoding()
    whole = Clauses()
    for stage in game.moment.structure.stages:
        for constraint in encoding.stage(stage):
            part = encoding.asserted(constraint.formula)
            whole.clauses.extend(part.clauses)
            whole.atmosts.extend(part.atmosts)
    whole.clauses.extend(encoding.definitions.clauses)
    whole.atmosts.extend(encoding.definitions.atmosts)
    return whole


def bare_minicard(game: Midgame) -> float:
    """Return the seconds per question of a tight loop over Minicard, with one solver per player."""
    encoding = Encoding()
    for stage in game.moment.structure.stages:
        for constraint in encoding.stage(stage):
            encoding.asserted(constraint.formula)
    literals = [encoding.literal(atom) for atom in game.atoms]
    total = 0.0
    whole = law(game)
    for perspective in game.perspectives.values():
        with Minicard() as solver:
            for clause in whole.clauses:
                solver.add_clause(clause)
            for lits, bound in whole.atmosts:
                solver.add_atmost(lits, bound)
            for observable, truth in perspective.observation:
                literal = encoding.atom(observable.atom)
                solver.add_clause([literal if truth else -literal])
            solver.solve()
            with quiet():
                start = time.process_time()
                for literal in literals:
                    solver.solve([-literal])
                total += time.process_time() - start
    return total / game.asked


def bare_cadical(game: Midgame) -> float:
    """Return the seconds per question of a tight loop over one CaDiCaL, under assumptions."""
    total = 0.0
    with ReferenceSolver(game.moment.setup, game.events) as reference:
        solver = reference.solver
        solver.solve()
        literals = [reference.variable(atom.fluent, atom.value) for atom in game.atoms]
        for perspective in game.perspectives.values():
            seen = reference.assumptions(perspective)
            asked = [[*seen, -literal] for literal in literals]
            with quiet():
                start = time.process_time()
                for assumptions in asked:
                    solver.solve(assumptions)
                total += time.process_time() - start
    return total / game.asked


@dataclass(frozen=True)
class Run:
    """The times of one game in seconds: per question for each way, and for whole sheets."""

    question: dict[str, float]
    sheets: dict[str, float]


BATCH, SINGLE, TEXT = "batch: engine.sheet", "one by one: engine.holds", "as text: Moment.ask"
MINICARD = "bare Minicard, native cardinality, own cards as unit clauses"
CADICAL = "bare CaDiCaL 1.5.3, sequential counters, own cards as assumptions"


def measure(game: Midgame) -> Run:
    """Measure one game in all ways, side by side."""
    times: dict[str, float] = {}
    sheets: dict[str, float] = {}
    singles = [
        (perspective, K(player, atom))
        for player, perspective in game.perspectives.items()
        for atom in game.atoms
    ]
    texts = [str(formula) for _, formula in singles]
    ways: list[tuple[str, Callable[[Engine], None]]] = [
        (BATCH, lambda made: _sheets(made, game)),
        (SINGLE, lambda made: _singles(made, singles)),
        (TEXT, lambda made: _texts(game.moment, made, texts)),
    ]
    times[MINICARD] = bare_minicard(game)
    times[CADICAL] = bare_cadical(game)
    for name, ask in ways:
        way, made = clocked(lambda: _there(game))
        sheets["moving a new engine to the moment"] = way
        for state in ("cold", "warm"):
            with quiet():
                took, _ = clocked(partial(ask, made))
            times[f"{name}, {state}"] = took / game.asked
            if name == BATCH:
                sheets[f"all sheets, {state}"] = took
    return Run(times, sheets)


@measurement("questions")
@click.option("--seeds", type=click.IntRange(1), default=8, help="The number of games.")
@click.option("--players", type=click.IntRange(3, 6), default=6, help="The number of players.")
@click.option("--rounds", type=click.IntRange(1), default=3, help="How often each is measured.")
def questions(seeds: int, players: int, rounds: int) -> Tables:
    """What does a K question cost midway in full-size Cluedo, compared with a bare solver?"""
    setup = setup_of("classic", players)
    games = [midgame(setup, seed) for seed in range(seeds)]
    for game in games:
        verify(game, engine("sat"))
    runs = [measure(game) for _ in range(rounds) for game in games]
    rows = []
    for name in runs[0].question:
        against = [
            median(run.question[name] / run.question[bare] for run in runs)
            for bare in (MINICARD, CADICAL)
        ]
        worst = max(median(r.question[name] for r in runs[n::seeds]) for n in range(seeds))
        rows.append([name, median(run.question[name] for run in runs), worst, *map(float, against)])
    checked = "all answers, each way, against CaDiCaL over clauses straight from the rules"
    yield Table(
        f"A K question, classic 6/6/9, {players} players, mid-game "
        f"({seeds} games, {games[0].asked} questions each, {rounds} rounds, CPU)",
        ["method", "median", "worst game", "x bare Minicard", "x bare CaDiCaL"],
        rows,
        checked,
        [
            "cold: first asked by an engine that has just come to this moment; warm: asked again",
            "a sheet answers two questions an atom (known to be so? known not to be so?), "
            "here counted as one",
        ],
    )
    yield Table(
        f"The whole sheets of all {players} players ({games[0].asked} atoms)",
        ["what", "time"],
        [[name, median(run.sheets[name] for run in runs)] for name in runs[0].sheets],
        checked,
    )
