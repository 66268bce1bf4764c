"""Evidence read off diagrams: concrete worlds for what is possible or not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symkripke.engines.bdd.diagram import Diagram, minus
from symkripke.engines.bdd.sources import resting_on
from symkripke.engines.bdd.truth import Evaluation, View
from symkripke.errors import Unsupported
from symkripke.explain.evidence import (
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Known,
    Possible,
    Ranged,
    Weighed,
    deciding,
    known_chance,
    own_chances,
)
from symkripke.language import formulas as f
from symkripke.language.walk import has_beliefs, is_propositional
from symkripke.model import Soft, World

_BOOLEAN = (f.Not, f.And, f.Or, f.Implies, f.Iff, f.Cardinality)


@dataclass(frozen=True)
class _Step:
    """Steps to other worlds, the last of which has `shows` true."""

    path: tuple[tuple[tuple[str, ...], World], ...]
    shows: f.Formula
    plausible: bool = False


class Explainer:
    """Finds the worlds that show why an answer is what it is, and what a belief rests on."""

    def __init__(self, work: Evaluation, whose: str | None = None) -> None:
        """For the structure that `work` is about, and the agent `whose` perspective it is."""
        self.work = work
        self.whose = whose

    def evidence(self, view: View, formula: f.Formula) -> Evidence:
        """Why `formula`, whose truth is the same at all worlds of `view`, has it there.

        Raises:
            Unsupported: it is so because something is known: of that, diagrams show worlds, not
                sources; or it is about belief, and the law is too large to look at as a whole.
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
        ranged = self._range(view, formula, truth)
        if ranged is not None:
            return ranged
        step = self._step(view, formula, truth)
        reasons = self._reasons(view, formula, truth) if step is None else None
        if reasons is not None:
            return reasons
        if step is None:
            raise Unsupported(
                f"the bdd engine has no world to show why {formula} is "
                f"{str(truth).lower()}; the sat engine finds minimal sources"
            )
        return Possible(formula, truth, self._chain(step))

    # ---- sources of beliefs -------------------------------------------------------------------

    def _reasons(self, view: View, formula: f.Formula, truth: bool) -> Evidence | None:
        """What a formula about belief rests on; None if it is not, or if that is not found."""
        if not has_beliefs(formula) or not self.work.is_small():
            return None
        match formula:
            case f.EB(group, operand):
                each: list[f.Formula] = [f.B(agent, operand) for agent in group]
                parts = [part for part in each if self._sometimes(view, part, True) is truth]
                shown = parts if truth else parts[:1]
                return Combined(formula, truth, tuple(self.evidence(view, one) for one in shown))
            case f.Kw(agent, operand) if truth:
                true = self._sometimes(view, f.K(agent, operand), True)
                one = f.K(agent, operand if true else f.negation(operand))
                return Combined(formula, truth, (self.evidence(view, one),))
            case f.C(group) | f.CB(group) if truth:
                return self._known(view, group, formula, formula, truth)
            case f.B(agent, f.And(operands), given) if truth:
                believed = [f.B(agent, part, given) for part in operands]
                return Combined(formula, truth, tuple(self.evidence(view, b) for b in believed))
            case f.B(agent) if truth and (cell := self._cell(view, (agent,))) is not None:
                return self._belief(cell, formula)
            case f.K(agent, operand) if truth:
                return self._known(view, (agent,), operand, formula, truth)
            case f.M(agent, operand) if not truth:
                return self._known(view, (agent,), f.negation(operand), formula, truth)
            case f.D(group, operand) if truth:
                return self._known(view, group, operand, formula, truth)
        if self.whose is None:
            return None
        # What the agent has seen decides it: it knows it, or that it is not so.
        known = f.K(self.whose, formula if truth else f.negation(formula))
        reason = self._known(view, (self.whose,), known.operand, known, True)
        return None if reason is None else Combined(formula, truth, (reason,))

    def _belief(self, cell: View, formula: f.B) -> Evidence | None:
        """The soft constraints, and what is known, that a belief follows from."""
        work, agent, given = self.work, formula.agent, formula.given
        worlds = self._part(cell, given)
        if not worlds.satisfiable():
            known = f.K(agent, f.negation(given))
            reason = self._known(cell, (agent,), known.operand, known, True)
            return None if reason is None else Combined(formula, True, (reason,))
        kept: list[Soft] = []
        for soft in work.structure.plausibility(agent):
            better = worlds & work.truth(cell, soft.formula)
            if better.satisfiable():
                kept.append(soft)
                worlds = better
        claim = formula.operand
        if given is not f.TRUE:
            claim = f.Implies(given, claim)
        return self._known(cell, (agent,), claim, formula, True, kept)

    def _known(
        self,
        view: View,
        group: tuple[str, ...],
        claim: f.Formula,
        formula: f.Formula,
        truth: bool,
        kept: Sequence[Soft] = (),
    ) -> Known | None:
        """Why the claim is true wherever the group sees what it does and these are kept."""
        seen = self.work.seen(view, group)
        found = None if seen is None else resting_on(self.work, group, seen, kept, claim)
        return None if found is None else Known(formula, found, truth)

    # ---- worlds ---------------------------------------------------------------------------------

    def _share(self, view: View, formula: f.P) -> Fraction | None:
        """The probability that is compared; None if it may differ between worlds of the view."""
        cell = self._cell(view, (formula.agent,))
        if cell is None:
            return None
        work = self.work
        law, among = work.worlds(cell), self._part(cell, formula.given)
        if not among.satisfiable():
            return None
        part = among & self._part(cell, formula.operand)
        whole, part, _ = work.part_of(cell, (), law, among, part)
        size = work.diagrams.manager.num_vars()
        return Fraction(work.diagrams.count(part, size), work.diagrams.count(whole, size))

    def _range(self, view: View, formula: f.Formula, truth: bool) -> Ranged | None:
        """Between which values a probability is, if it is known how it compares."""
        asked = known_chance(formula, truth)
        cell = None if asked is None else self._cell(view, asked[0])
        if asked is None or cell is None:
            return None
        chance = asked[1]
        if chance.given is not f.TRUE:
            return None  # at some world it may have no probability
        least, most = self._extreme(cell, chance, "<"), self._extreme(cell, chance, ">")
        return Ranged(formula, truth, chance, least, most)

    def _extreme(self, view: View, chance: f.P, further: f.Comparison) -> Fraction:
        """The probability from which none at a world of the view is further in that direction.

        Step by step from one world to another that is further, by any amount.
        """
        work = self.work
        world = work.world(work.worlds(view))
        while True:
            assert world is not None
            share = self._share(self._point(world), chance)
            assert share is not None  # at one world an agent has one cell
            beyond = f.P(chance.agent, chance.operand, further, share)
            world = work.world(self._part(view, beyond))
            if world is None:
                return share

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
            case f.CB(group, operand) if not truth:
                return self._led(view, group, f.negation(operand))
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
        path = self._back(layers, end, {agent: worlds for agent in group})
        return _Step(path or (((group[0],), end),), shows)

    def _led(self, view: View, group: tuple[str, ...], shows: f.Formula) -> _Step | None:
        """A shortest way, by steps of belief of members of the group, to a world with `shows`."""
        work = self.work
        start = work.world(work.worlds(view))
        if not view.complete or start is None:
            return None
        everywhere = work.shared(self._point(start), group)
        goal = self._part(everywhere, shows)
        best = {agent: work.best(everywhere, agent, f.TRUE) for agent in group}
        layers, reached = [work.worlds(view)], work.diagrams.false
        while not (layers[-1] & goal).satisfiable() or len(layers) == 1:
            near = [best[agent] & work.blurred(layers[-1], (agent,)) for agent in group]
            layers.append(minus(work.diagrams.some(near), reached))
            reached = reached | layers[-1]
            if not layers[-1].satisfiable():
                return None
        end = work.world(layers[-1] & goal)
        assert end is not None
        return _Step(self._back(layers, end, best), shows, True)

    def _back(
        self, layers: Sequence[Diagram], end: World, allowed: Mapping[str, Diagram]
    ) -> tuple[tuple[tuple[str, ...], World], ...]:
        """The way through these layers to `end`: who takes each step, and to which world.

        `allowed`: for each of the group, the worlds to which it takes steps.
        """
        work = self.work
        path: list[tuple[tuple[str, ...], World]] = []
        for layer in reversed(layers[:-1]):
            here = work.worlds(self._point(end))
            for agent, worlds in allowed.items():
                came = work.world(layer & work.blurred(here & worlds, (agent,)))
                if came is not None:
                    path.append(((agent,), end))
                    end = came
                    break
        return tuple(reversed(path))
