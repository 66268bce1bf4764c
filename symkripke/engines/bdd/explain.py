"""Evidence read off diagrams: concrete worlds for what is possible or not known."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symkripke.engines.bdd.diagram import Diagram, minus
from symkripke.engines.bdd.truth import Evaluation, View
from symkripke.engines.evidence import (
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Possible,
    Weighed,
    deciding,
    own_chances,
)
from symkripke.errors import Unsupported
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model import World

_BOOLEAN = (f.Not, f.And, f.Or, f.Implies, f.Iff, f.Cardinality)


@dataclass(frozen=True)
class _Step:
    """Steps to other worlds, the last of which has `shows` true."""

    path: tuple[tuple[tuple[str, ...], World], ...]
    shows: f.Formula
    plausible: bool = False


class Explainer:
    """Finds the worlds that show why an answer is what it is."""

    def __init__(self, work: Evaluation) -> None:
        """For the structure that `work` is about."""
        self.work = work

    def evidence(self, view: View, formula: f.Formula) -> Evidence:
        """Why `formula`, whose truth is the same at all worlds of `view`, has it there.

        Raises:
            Unsupported: it is so because something is known: diagrams show worlds, not sources.
        """
        truth = self._sometimes(view, formula, True)
        if is_propositional(formula):
            return Fact(formula, truth)
        if isinstance(formula, _BOOLEAN):
            parts = deciding(
                formula, truth, lambda part, value: not self._sometimes(view, part, not value)
            )
            return Combined(formula, truth, tuple(self.evidence(view, part) for part in parts))
        if isinstance(formula, f.P) and (share := self._share(view, formula)) is not None:
            return Weighed(formula, truth, share)
        own = own_chances(formula)
        if own is not None and self._cell(view, own[:1]) is not None:
            return Combined(formula, truth, (self.evidence(view, own[1]),))
        step = self._step(view, formula, truth)
        if step is None:
            raise Unsupported(
                f"the bdd engine has no world to show why {formula} is "
                f"{str(truth).lower()}; the sat engine finds minimal sources"
            )
        return Possible(formula, truth, self._chain(step))

    def _share(self, view: View, formula: f.P) -> Fraction | None:
        """The probability that is compared; None if it may differ between worlds of the view."""
        cell = self._cell(view, (formula.agent,))
        if cell is None:
            return None
        work = self.work
        law, part = work.worlds(cell), self._part(cell, formula.operand)
        whole, part, _ = work.weigh(work, cell.given, (), law, part)
        size = work.diagrams.manager.num_vars()
        return Fraction(work.diagrams.count(part, size), work.diagrams.count(whole, size))

    def _sometimes(self, view: View, formula: f.Formula, truth: bool) -> bool:
        """Whether at some world of the view the formula has this truth."""
        return self._part(view, formula, truth).satisfiable()

    def _part(self, view: View, formula: f.Formula, truth: bool = True) -> Diagram:
        worlds, true = self.work.worlds(view), self.work.truth(view, formula)
        return worlds & true if truth else minus(worlds, true)

    def _chain(self, step: _Step) -> tuple[CounterWorld, ...]:
        """The worlds of `step` and, as long as what is shown needs another world, of the next."""
        worlds: list[CounterWorld] = []
        following: _Step | None = step
        while following is not None:
            worlds += [
                CounterWorld(who, world, following.shows, following.plausible)
                for who, world in following.path
            ]
            shown, truth = following.shows, True
            while isinstance(shown, f.Not):
                shown, truth = shown.operand, not truth
            following = self._step(self._point(following.path[-1][1]), shown, truth)
        return tuple(worlds)

    def _point(self, world: World) -> View:
        return self.work.view(self.work.line.point(self.work.stage, world), complete=True)

    def _step(self, view: View, formula: f.Formula, truth: bool) -> _Step | None:
        """The step to a world that gives `formula` this truth; None if no world does."""
        match formula:
            case f.M(agent, operand) if truth:
                return self._to(view, (agent,), operand)
            case f.K(agent, operand) if not truth:
                return self._to(view, (agent,), f.negation(operand))
            case f.Kw(agent, operand) if not truth:
                here = self._sometimes(view, operand, True)
                return self._to(view, (agent,), f.negation(operand) if here else operand)
            case f.D(group, operand) if not truth:
                return self._to(view, group, f.negation(operand))
            case f.E(group, operand) if not truth:
                for agent in group:
                    if not self._sometimes(view, f.K(agent, operand), True):
                        return self._to(view, (agent,), f.negation(operand))
            case f.C(group, operand) if not truth:
                return self._walk(view, group, f.negation(operand))
            case f.B() if not truth:
                return self._doubt(view, formula)
            case f.EB(group, operand) if not truth:
                for agent in group:
                    if not self._sometimes(view, f.B(agent, operand), True):
                        return self._doubt(view, f.B(agent, operand))
        return None

    def _doubt(self, view: View, belief: f.B) -> _Step | None:
        """To a most plausible world at which what is not believed is false."""
        cell = self._cell(view, (belief.agent,))
        if cell is None:
            return None
        best = self.work.best(cell, belief.agent, belief.given)
        world = self.work.world(minus(best, self.work.truth(cell, belief.operand)))
        if world is None:
            return None
        return _Step((((belief.agent,), world),), f.negation(belief.operand), True)

    def _cell(self, view: View, group: tuple[str, ...]) -> View | None:
        """The worlds that the group cannot tell from those of the view, if these are one cell."""
        seen = self.work.seen(view, group)
        return None if seen is None else self.work.view(seen, view.said)

    def _to(self, view: View, group: tuple[str, ...], shows: f.Formula) -> _Step | None:
        """To a world with `shows` that the group cannot tell from any of the view."""
        cell = self._cell(view, group)
        world = None if cell is None else self.work.world(self._part(cell, shows))
        return None if world is None else _Step(((group, world),), shows)

    def _walk(self, view: View, group: tuple[str, ...], shows: f.Formula) -> _Step | None:
        """A shortest way, by steps of members of the group, to a world with `shows`."""
        if not view.complete and not any(self._cell(view, (agent,)) for agent in group):
            return None
        work = self.work
        start = work.world(work.worlds(view))
        assert start is not None
        everywhere = work.shared(self._point(start), group)
        worlds, goal = work.worlds(everywhere), self._part(everywhere, shows)
        reached = work.worlds(self._point(start))
        layers = [reached]
        while not (layers[-1] & goal).satisfiable():
            near = work.diagrams.some([work.blurred(layers[-1], (agent,)) for agent in group])
            layers.append(minus(worlds & near, reached))
            reached = reached | layers[-1]
            if not layers[-1].satisfiable():
                return None
        end = work.world(layers[-1] & goal)
        assert end is not None
        path: list[tuple[tuple[str, ...], World]] = []
        for layer in reversed(layers[:-1]):
            here = work.worlds(self._point(end))
            for agent in group:
                came = work.world(layer & work.blurred(here, (agent,)))
                if came is not None:
                    path.append(((agent,), end))
                    end = came
                    break
        return _Step(tuple(reversed(path)) or (((group[0],), end),), shows)
