"""`work`: the counted work of fixed questions, which reveals a loss of speed without a clock.

The counts are solver calls, candidates and lemmas of the search, diagram nodes, and counted work.
They are the same in every run and on every machine with the same library versions, which the table
file records. After an intended change, run `python -m benchmarks work --write` to update the table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import click

from benchmarks.cluedo import setup_of, suggested
from benchmarks.common import Table, Tables, check, measurement
from benchmarks.smcdel_files import deal, dining, drinkers, muddy, ring, whether
from symkripke.engines import Engine, engine
from symkripke.engines.auto import AutoEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.sat import solver
from symkripke.engines.sat.modal.search import ModalSolver
from symkripke.engines.sat.modal.state import ModalState
from symkripke.limits import current, within
from symkripke.play import Table as PlayTable
from symkripke.problems.checker import check as go_through
from symkripke.problems.problem import Problem
from symkripke.problems.puzzles import puzzle
from symkripke.problems.smcdel.reader import read_smcdel
from symkripke_games.cluedo.knowledge import knows_solution
from symkripke_games.sleuth import GAME as SLEUTH

TABLE = Path(__file__).parent / "work.json"

# A loss exceeds the table by more than this share plus this number.
_SHARE = 0.10
_NUMBER = 20

_ENOUGH = 1 << 50


Ask = Callable[[Engine], None]
"""A function that asks an engine one or several questions."""


def _problem(problem: Problem) -> Ask:
    def ask(asked: Engine) -> None:
        for _ in go_through(problem, asked, count=False):
            pass

    return ask


def _puzzle(name: str, n: int) -> Callable[[], Ask]:
    return lambda: _problem(puzzle(name).problem(n or None))


def _text(text: str) -> Callable[[], Ask]:
    return lambda: _problem(read_smcdel(text).problem)


def _who_might_know() -> Ask:
    """Return a question for each of 16 turns of six players: who might know the solution?"""
    setup = setup_of("classic", 6)
    scenes, _ = suggested(setup, 1, 16)

    def ask(asked: Engine) -> None:
        for scene in scenes:
            for player in setup.players:
                asked.possible_to(scene, knows_solution(player), setup.players)

    return ask


def _sleuth(turns: int, text: str) -> Callable[[], Ask]:
    """Return a question after `turns` events of Sleuth with four players."""

    def prepare() -> Ask:
        table = PlayTable(SLEUTH, SLEUTH.setup(players=4), ("lead",), 2)
        for _ in islice(table, turns):
            pass
        scene = table.scene

        def ask(asked: Engine) -> None:
            asked.holds(scene, scene.structure.parse(text))

        return ask

    return prepare


QUESTIONS: Mapping[str, tuple[str, Callable[[], Ask]]] = {
    "muddy children 8, sat": ("sat", _puzzle("muddy_children", 8)),
    "muddy children 40, bdd": ("bdd", _puzzle("muddy_children", 40)),
    "muddy children in SMCDEL's format 10, auto": ("auto", _text(muddy(10).text)),
    "dining cryptographers 8, sat": ("sat", _puzzle("dining_cryptographers", 8)),
    "dining cryptographers 20, auto": ("auto", _puzzle("dining_cryptographers", 20)),
    "all share coins, chain of 6, auto": ("auto", _text(dining(6, "chain").text)),
    "all share coins, parity of 10, auto": ("auto", _text(dining(10, "parity").text)),
    "announcements whether, 20, sat": ("sat", _text(whether(20).text)),
    "announcements whether, 20, bdd": ("bdd", _text(whether(20).text)),
    "drinking logicians 10, auto": ("auto", _text(drinkers(10).text)),
    "ring of 10, sat": ("sat", _text(ring(10).text)),
    "four hands of two, auto": ("auto", _text(deal(4, 2).text)),
    "Russian cards, auto": ("auto", _puzzle("russian_cards", 0)),
    "sum and product 65, sat": ("sat", _puzzle("sum_and_product", 65)),
    "sum and product 65, bdd": ("bdd", _puzzle("sum_and_product", 65)),
    "gossip of 4, auto": ("auto", _puzzle("gossip", 4)),
    "Cluedo with six, who might know, auto": ("auto", _who_might_know),
    "Sleuth with four, who might know, sat": (
        "sat",
        _sleuth(4, "Kw[ann] ~Kw[dan] M[ann] Kv[cath] hidden_gem"),
    ),
}
"""For each name, the engine and the function that prepares the question."""

COUNTS = ("calls", "candidates", "lemmas", "nodes", "work")


@contextmanager
def _counted(counts: dict[str, int]) -> Iterator[None]:
    """Add up solver calls, candidates and lemmas in the body."""
    run, iterate, learn = solver.Solver._run, ModalSolver._candidate, ModalState.learn

    def count(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any, **options: Any) -> Any:
            counts[what] += 1
            return function(*arguments, **options)

        return counting

    kinds: list[tuple[type[Any], str, Any]] = [
        (solver.Solver, "_run", count("calls", run)),
        (ModalSolver, "_candidate", count("candidates", iterate)),
        (ModalState, "learn", count("lemmas", learn)),
    ]
    before = [(kind, name, getattr(kind, name)) for kind, name, _ in kinds]
    for kind, name, counting in kinds:
        setattr(kind, name, counting)
    try:
        yield
    finally:
        for kind, name, function in before:
            setattr(kind, name, function)


def measured(name: str) -> dict[str, int]:
    """Return the counts of a question, from the start."""
    engine_name, prepare = QUESTIONS[name]
    ask, made = prepare(), engine(engine_name)
    counts = dict.fromkeys(COUNTS, 0)
    with _counted(counts), within(work=_ENOUGH):
        ask(made)
        limit = current()
        assert limit is not None
        assert limit.work is not None
        counts["work"] = _ENOUGH - limit.work.left
    drawn = (made.bdd, made.bdd_small) if isinstance(made, AutoEngine) else (made,)
    counts["nodes"] = sum(part.all_nodes for part in drawn if isinstance(part, BddEngine))
    return counts


def versions() -> dict[str, str]:
    """Return the versions of the libraries that the counts depend on."""
    return {name: version(name) for name in ("python-sat", "oxidd")}


def lost(name: str, found: Mapping[str, int], table: Mapping[str, int]) -> list[str]:
    """Return a sentence for each count that exceeds the table."""
    return [
        f"{name}: {found[what]:,} {what}, in the table {table[what]:,}"
        for what in COUNTS
        if found[what] > table[what] * (1 + _SHARE) + _NUMBER
    ]


@measurement("work")
@click.option("--write", is_flag=True, help="Write the table anew.")
def work(write: bool) -> Tables:
    """How much work is each of some fixed questions, compared with the last version's table?"""
    found = {name: measured(name) for name in QUESTIONS}
    if write:
        made = {"versions": versions(), "counts": found}
        TABLE.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    worse = [
        loss for name, counts in found.items() for loss in lost(name, counts, table["counts"][name])
    ]
    comparable = versions() == table["versions"]
    yield Table(
        "Work of questions, in counts",
        ["question", *COUNTS],
        [[name, *counts.values()] for name, counts in found.items()],
        f"against {TABLE.name}, made with {_written(table['versions'])}",
        [] if comparable else [f"here is {_written(versions())}: more is no fault of ours", *worse],
    )
    if comparable:
        meant = "if that is meant: python -m benchmarks work --write"
        check(not worse, "\n".join([*worse, meant]))


def _written(used: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in used.items())
