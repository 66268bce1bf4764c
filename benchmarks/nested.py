"""`nested`: knowledge about knowledge at full size, for one engine or for several.

Questions, for all pairs of players of classic Cluedo, at several moments of seeded games:

* i considers it possible that j knows the solution;
* i knows that j knows whether j's left neighbour holds a card;
* three nested operators of both kinds, and common knowledge.

At each moment, new engines answer all questions of each kind in sequence, so the first question
pays for what the others reuse. An engine that exceeds the time limit of such a row is stopped; its
time is a lower bound. For games in which cards move, see `outliers`.
"""

from __future__ import annotations

import gc
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import click

from benchmarks.cluedo import played, setup_of
from benchmarks.common import (
    Table,
    Tables,
    check,
    clocked,
    measurement,
    median,
    numbers,
    spread,
)
from symkripke.engines import Budget, Engine, engine
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.language import C, Formula, K, Kw, M
from symkripke.model import Scene
from symkripke.play.hands import at
from symkripke_games.cluedo.knowledge import knows_solution
from symkripke_games.cluedo.rules import Setup

CARD = "dagger"


def families(players: Sequence[str]) -> dict[str, list[Formula]]:
    """Return the questions, by kind."""
    pairs = list(itertools.permutations(players, 2))
    left = {player: players[(n + 1) % len(players)] for n, player in enumerate(players)}
    triples = list(itertools.permutations(players, 3))[:8]
    return {
        "might j know the solution?": [M(i, knows_solution(j)) for i, j in pairs],
        "does j know whether its neighbour holds it?": [
            K(i, Kw(j, at(CARD, left[j]))) for i, j in pairs
        ],
        "three operators, both kinds": [
            *(K(i, M(j, K(k, at(CARD, "envelope")))) for i, j, k in triples),
            *(K(i, ~K(j, M(k, K(i, at(CARD, k))))) for i, j, k in triples),
        ],
        "common knowledge": [
            *(C(players, ~at(CARD, player)) for player in players),
            *(K(i, ~C((i, j), at(CARD, i))) for i, j in pairs),
        ],
    }


def verify(games: int, names: Sequence[str]) -> int:
    """Compare small games with the explicit model; return the number of answers compared."""
    checked = 0
    for seed in range(games):
        table = played(setup_of("study", 4, "3/3/4"), seed)
        asked, oracle = [engine(name) for name in names], engine("explicit")
        asking = [question for kind in families(table.setup.players).values() for question in kind]
        for number, scene in enumerate(table.scenes):
            for question in asking[number % 4 :: 4]:
                truth = bool(oracle.holds(scene, question))
                for one in asked:
                    try:
                        answer = bool(one.holds(scene, question))
                    except Unsupported:
                        continue
                    checked += 1
                    check(answer is truth, f"{one.name}, seed {seed}, event {number}: {question}")
    return checked


@dataclass
class Row:
    """The answers of one engine to the questions of one kind.

    Attributes:
        answers: the answers given before the end of the row.
        times: the processor time of each answer.
        ended: the processor time after which the engine was stopped; None if it was not.
        stopped: whether the engine does not support a question.
    """

    answers: list[bool] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    ended: float | None = None
    stopped: bool = False


def row_of(asked: Engine, scene: Scene, questions: Sequence[Formula], seconds: float) -> Row:
    """Ask the questions in sequence, within `seconds`."""
    row = Row()
    gc.collect()
    for question in questions:
        left = max(seconds - sum(row.times), 1e-3)

        def ask(formula: Formula = question, left: float = left) -> bool | None:
            try:
                return bool(asked.holds(scene, formula, Budget(seconds=left)))
            except BudgetExceeded:
                return None

        try:
            took, answer = clocked(ask)
        except Unsupported:
            row.stopped = True
            break
        if answer is None:
            row.ended = sum(row.times) + took
            break
        row.answers.append(answer)
        row.times.append(took)
    return row


def agreed(found: Mapping[str, Row], what: str) -> None:
    """Raise `WrongAnswer` unless all engines agree on the questions that they answered."""
    for answers in zip(*(row.answers for row in found.values() if row.answers), strict=False):
        check(len(set(answers)) == 1, f"{what}: {[(n, r.answers) for n, r in found.items()]}")


def times_as_long(other: Row, ours: Row) -> tuple[float, bool] | None:
    """Return the ratio of another engine's time to ours, and whether it is exact.

    If the other engine was stopped, compare the questions up to the first it did not answer; the
    ratio is then a lower bound.
    """
    number = len(other.times) + (other.ended is not None)
    if other.stopped or not 0 < number <= len(ours.times):
        return None
    spent = sum(other.times) if other.ended is None else other.ended
    return spent / max(sum(ours.times[:number]), 1e-6), other.ended is None


def _range(rows: Sequence[tuple[Row, Row]]) -> str | None:
    """Return the minimum and the median of the ratios as text; "over" marks lower bounds."""
    known = [one for one in (times_as_long(*pair) for pair in rows) if one is not None]
    if not known:
        return None
    least, sure = min(known)
    middle = median(one for one, _ in known)
    more = "" if all(one for _, one in known) else "over "
    return f"{'' if sure else 'over '}{least:.3g}, {more}{float(middle):.3g}"


IMPROBABLE = "K[{0}] P[{1}](at({2}, envelope)) < 1/2"


def improbable(setup: Setup, card: str) -> list[object]:
    """Time an answer about another player's probability after two turns, and its reason."""
    last, other = setup.players[-1], setup.players[-3]
    text = IMPROBABLE.format(last, other, card)
    moment = played(setup, 7).moment.at(turn=2)
    took, answer = clocked(lambda: moment.ask(text, engine=engine()))
    if setup.rules == "study":
        oracle = moment.ask(text, engine=engine("explicit"))
        check(bool(answer) is bool(oracle), f"{text} is {bool(oracle)}")
    else:
        check(bool(answer), f"{text} is true")
    why, _ = clocked(lambda: str(answer.why()))
    return [f"{setup.rules}, {len(setup.players)} players: {text}", took, why]


@measurement("nested")
@click.option("--players", default="3,4,5,6", help="Numbers of players.")
@click.option("--seeds", type=click.IntRange(1), default=2, help="Games for each number.")
@click.option("--every", type=click.IntRange(1), default=4, help="Events between two moments.")
@click.option("--engines", default="sat", help="The engines, as in sat,bdd,smt.")
@click.option("--seconds", default=30.0, help="The most seconds for a row.")
@click.option("--only", default="", help="Only kinds of questions with this in their name.")
@click.option("--checks", type=click.IntRange(1), default=3, help="Small games to check first.")
def nested(
    players: str, seeds: int, every: int, engines: str, seconds: float, only: str, checks: int
) -> Tables:
    """How long do questions about knowledge of knowledge take at full size?"""
    names = engines.split(",")
    checked = verify(checks, names)
    rows: list[list[object]] = []
    asked = 0
    for number in numbers(players):
        found: dict[str, list[dict[str, Row]]] = {}
        for seed in range(1, seeds + 1):
            table = played(setup_of("classic", number), seed)
            for events, scene in list(enumerate(table.scenes))[::every]:
                for kind, questions in families(table.setup.players).items():
                    if only not in kind:
                        continue
                    row = {name: row_of(engine(name), scene, questions, seconds) for name in names}
                    agreed(row, f"{number} players, seed {seed}, event {events}, {kind}")
                    found.setdefault(kind, []).append(row)
        for kind, group in found.items():
            ours = [row[names[0]] for row in group]
            first = [row.times[0] for row in ours if row.times]
            rest = [took for row in ours for took in row.times]
            asked += len(rest)
            others = [_range([(row[name], row[names[0]]) for row in group]) for name in names[1:]]
            rows.append(
                [f"{number} players: {kind}", len(rest), median(first), *spread(rest), *others]
            )
    yield Table(
        f"Nested questions, classic 6/6/9, asked in a row, {names[0]} (CPU)",
        [
            *("question", "asked", "new engine, first", "each", "9 of 10", "worst"),
            *(f"{name}, times as long (least, median)" for name in names[1:]),
        ],
        rows,
        f"{checked} answers on games of the study's size, against explicit; {asked} here, "
        f"between {', '.join(names)}",
    )
    yield Table(
        "What somebody knows of another's probability, after two turns (CPU)",
        ["question", "answer", "reason"],
        [
            improbable(setup_of("study", 4, "3/3/4"), CARD),
            improbable(setup_of("classic", 6), "rope"),
        ],
        "the first one, against explicit",
    )
