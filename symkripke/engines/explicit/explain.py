"""Evidence read off a Kripke model: concrete worlds for what is possible or not known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symkripke.engines.explicit.counting import share
from symkripke.engines.explicit.model import KripkeModel
from symkripke.engines.explicit.table import Rows, Vector
from symkripke.engines.explicit.truth import evaluate
from symkripke.errors import Unsupported
from symkripke.explain.evidence import (
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Possible,
    Ranged,
    Weighed,
    deciding,
    known_chance,
    own_chances,
)
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional

_BOOLEAN = (f.Not, f.And, f.Or, f.Implies, f.Iff, f.Cardinality)


def evidence(model: KripkeModel, formula: f.Formula, rows: Rows) -> Evidence:
    """Why `formula`, whose truth is the same at all of `rows` (one or more), has it there.

    `rows` is the actual world, or all that an agent considers possible.

    Raises:
        Unsupported: it is so because something is known: the model shows worlds, not sources.
    """
    truth = bool(evaluate(model, formula)[rows[0]])
    if is_propositional(formula):
        return Fact(formula, truth)
    if isinstance(formula, _BOOLEAN):
        parts = deciding(
            formula,
            truth,
            lambda part, value: bool((evaluate(model, part)[rows] == value).all()),
        )
        return Combined(formula, truth, tuple(evidence(model, part, rows) for part in parts))
    own = own_chances(formula)
    if own is not None and _cell(model, own[0], rows) is not None:
        return Combined(formula, truth, (evidence(model, own[1], rows),))
    if isinstance(formula, f.P) and (cell := _cell(model, formula.agent, rows)) is not None:
        cell = cell[evaluate(model, formula.given)[cell]]
        if len(cell):
            return Weighed(formula, truth, share(model, cell, evaluate(model, formula.operand)))
    known = known_chance(formula, truth)
    if known is not None and (ranged := _range(model, formula, truth, *known, rows)) is not None:
        return ranged
    step = _step(model, formula, rows, truth)
    if step is None:
        raise Unsupported(
            f"the explicit engine lists worlds: it has none to show why {formula} is "
            f"{str(truth).lower()}; the sat engine finds minimal sources"
        )
    return Possible(formula, truth, chain(model, step))


def _cell(model: KripkeModel, agent: str, rows: Rows) -> Rows | None:
    """The worlds that the agent cannot tell from any of `rows`, if these are one cell."""
    cells = model.cells((agent,))
    if bool((cells[rows] != cells[rows[0]]).any()):
        return None
    return np.flatnonzero(cells == cells[rows[0]])


def _range(
    model: KripkeModel,
    formula: f.Formula,
    truth: bool,
    group: tuple[str, ...],
    chance: f.P,
    rows: Rows,
) -> Ranged | None:
    """Between which values the probability is where the group cannot tell the world from `rows`.

    None if what is given is impossible somewhere: there is no probability then.
    """
    cells, own = model.cells(group), model.cells((chance.agent,))
    there, given = evaluate(model, chance.operand), evaluate(model, chance.given)
    among = [
        np.flatnonzero((own == cell) & given)
        for cell in np.unique(own[np.isin(cells, cells[rows])])
    ]
    if not all(map(len, among)):
        return None
    shares = [share(model, one, there) for one in among]
    return Ranged(formula, truth, chance, min(shares), max(shares))


@dataclass(frozen=True)
class _Step:
    """Steps to other worlds, the last of which has `shows` true."""

    path: tuple[tuple[tuple[str, ...], int], ...]
    shows: f.Formula
    plausible: bool = False


def chain(model: KripkeModel, step: _Step) -> tuple[CounterWorld, ...]:
    """The worlds of `step` and, as long as what is shown needs another world, of the next."""
    worlds: list[CounterWorld] = []
    following: _Step | None = step
    while following is not None:
        for agents, row in following.path:
            world = model.table.world(row)
            worlds.append(CounterWorld(agents, world, following.shows, following.plausible))
        shown, truth = following.shows, True
        while isinstance(shown, f.Not):
            shown, truth = shown.operand, not truth
        last = np.array([following.path[-1][1]], dtype=np.intp)
        following = _step(model, shown, last, truth)
    return tuple(worlds)


def _step(model: KripkeModel, formula: f.Formula, rows: Rows, truth: bool) -> _Step | None:
    """The step to a world that gives `formula` this truth; None if no world does."""
    match formula:
        case f.M(agent, operand) if truth:
            return _to(model, (agent,), rows, operand)
        case f.K(agent, operand) if not truth:
            return _to(model, (agent,), rows, f.negation(operand))
        case f.Kw(agent, operand) if not truth:
            here = bool(evaluate(model, operand)[rows[0]])
            return _to(model, (agent,), rows, f.negation(operand) if here else operand)
        case f.D(group, operand) if not truth:
            return _to(model, group, rows, f.negation(operand))
        case f.E(group, operand) if not truth:
            for agent in group:
                if not evaluate(model, f.K(agent, operand))[rows].any():
                    return _to(model, (agent,), rows, f.negation(operand))
        case f.C(group, operand) if not truth:
            return _walk(model, group, rows, f.negation(operand))
        case f.B(agent, operand, given) if not truth:
            best = model.most_plausible(agent, evaluate(model, given))
            return _to(model, (agent,), rows, f.negation(operand), best)
        case f.EB(group, operand) if not truth:
            for agent in group:
                if not evaluate(model, f.B(agent, operand))[rows].any():
                    return _step(model, f.B(agent, operand), rows, False)
        case f.CB(group, operand) if not truth and len(rows) == 1:
            return _led(model, group, int(rows[0]), f.negation(operand))
    return None


def _to(
    model: KripkeModel,
    group: tuple[str, ...],
    rows: Rows,
    shows: f.Formula,
    best: Vector | None = None,
) -> _Step | None:
    """To a world with `shows` that the group cannot tell from any of `rows`; one of `best`."""
    cells = model.cells(group)
    if bool((cells[rows] != cells[rows[0]]).any()):
        return None
    good = (cells == cells[rows[0]]) & evaluate(model, shows)
    found = np.flatnonzero(good if best is None else good & best)
    return _Step(((group, int(found[0])),), shows, best is not None) if len(found) else None


def _led(model: KripkeModel, group: tuple[str, ...], start: int, shows: f.Formula) -> _Step | None:
    """A shortest way from `start`, by steps of belief of the group, to a world with `shows`."""
    goal = evaluate(model, shows)
    every = np.ones(model.size, dtype=np.bool_)
    best = {agent: model.most_plausible(agent, every) for agent in group}
    paths: dict[int, tuple[tuple[tuple[str, ...], int], ...]] = {start: ()}
    reached: set[int] = set()
    frontier = [start]
    while frontier:
        fresh: list[int] = []
        for row in frontier:
            for agent in group:
                cells = model.cells((agent,))
                for other in np.flatnonzero((cells == cells[row]) & best[agent]).tolist():
                    if other not in reached:
                        reached.add(other)
                        path = (*paths[row], ((agent,), other))
                        if goal[other]:
                            return _Step(path, shows, True)
                        paths.setdefault(other, path)
                        fresh.append(other)
        frontier = fresh
    return None


def _walk(model: KripkeModel, group: tuple[str, ...], rows: Rows, shows: f.Formula) -> _Step | None:
    """A shortest way, by steps of members of the group, to a world with `shows`."""
    component = model.components(group)
    if bool((component[rows] != component[rows[0]]).any()):
        return None
    goal = evaluate(model, shows)
    entered: set[tuple[str, int]] = set()
    came: dict[int, tuple[str, int] | None] = {int(rows[0]): None}
    frontier = list(came)
    while frontier:
        reached: list[int] = []
        for row in frontier:
            for agent in group:
                cells = model.cells((agent,))
                cell = (agent, int(cells[row]))
                if cell in entered:
                    continue
                entered.add(cell)
                for other in np.flatnonzero(cells == cell[1]).tolist():
                    if other not in came:
                        came[other] = (agent, row)
                        reached.append(other)
        ends = [row for row in (*frontier, *reached) if goal[row]]
        if ends:
            return _Step(_path(came, ends[0]) or (((group[0],), ends[0]),), shows)
        frontier = reached
    return None


def _path(
    came: dict[int, tuple[str, int] | None], end: int
) -> tuple[tuple[tuple[str, ...], int], ...]:
    path: list[tuple[tuple[str, ...], int]] = []
    step = came[end]
    while step is not None:
        agent, start = step
        path.append(((agent,), end))
        end, step = start, came[start]
    return tuple(reversed(path))
