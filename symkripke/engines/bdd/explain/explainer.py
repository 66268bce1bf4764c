"""Explanations from diagrams: worlds, probabilities, and sources of beliefs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symkripke.engines.bdd.explain.belief_sources import one_step, resting_on
from symkripke.engines.bdd.interruptible import Diagram, both, either, minus
from symkripke.engines.bdd.truth import Evaluation, View
from symkripke.engines.explainer import Asked, Way, WorldExplainer
from symkripke.errors import Unsupported
from symkripke.explain.evidence import Combined, Evidence, Known
from symkripke.language import Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import has_beliefs
from symkripke.model import Soft, World


class BddExplainer(WorldExplainer[View]):
    """An explainer of formulas that are true, or false, at all worlds of a view.

    It finds no sources of knowledge. It finds sources of beliefs if the whole law is small.
    """

    def __init__(self, work: Evaluation, asked: Formula, whose: str | None = None) -> None:
        """Create an explainer of a formula for the structure of `work`.

        `whose` is the agent of the view, if it is a perspective.
        """
        super().__init__(work.structure)
        self.work = work
        self.whose = whose
        self._finds_sources = has_beliefs(asked) and work.is_small()

    def truth(self, place: View, formula: Formula) -> bool | None:
        """See `Explainer.truth`."""
        if not self._part(place, formula).satisfiable():
            return False
        return None if self._part(place, formula, truth=False).satisfiable() else True

    def refused(self, formula: Formula, truth: bool | None) -> Unsupported:
        """See `Explainer.refused`."""
        return Unsupported(
            f"the bdd engine has no world to show why {formula} is "
            f"{str(truth).lower()}; the sat engine finds minimal sources"
        )

    # ---- sources of beliefs -------------------------------------------------------------------

    def known(self, place: View, asked: Asked) -> Evidence:
        """See `Explainer.known`. The evidence has sources if the question is about belief."""
        proof = self._resting(place, asked) if self._finds_sources else None
        return self.undecided(place, asked.formula) if proof is None else proof

    def common(self, place: View, formula: f.C | f.CB) -> Evidence | None:
        """See `Explainer.common`. The evidence has sources if the question is about belief."""
        if not self._finds_sources:
            return None
        return self._resting(place, Asked(formula.group, formula, formula))

    def believed(self, place: View, formula: f.B) -> Evidence:
        """Return the soft constraints and observations from which a belief follows."""
        cell = self.cell(place, (formula.agent,))
        if cell is None or not self._finds_sources:
            return self.undecided(place, formula)
        agent, given = formula.agent, formula.given
        worlds = self._part(cell, given)
        if not worlds.satisfiable():
            return Combined(formula, True, (self.evidence(cell, f.K(agent, negation(given))),))
        kept: list[Soft] = []
        for soft in self.structure.plausibility(agent):
            better = both(worlds, self.work.truth(cell, soft.formula))
            if better.satisfiable():
                kept.append(soft)
                worlds = better
        claim = formula.operand if given is f.TRUE else f.Implies(given, formula.operand)
        proof = self._resting(cell, Asked((agent,), claim, formula), kept)
        return self.undecided(place, formula) if proof is None else proof

    def undecided(self, place: View, formula: Formula) -> Evidence:
        """Return evidence that the agent knows the formula, or knows that it is false.

        Raise `Unsupported` if there is none.
        """
        truth = self.truth(place, formula)
        if self.whose is not None and truth is not None and self._finds_sources:
            claim = formula if truth else negation(formula)
            known = f.K(self.whose, claim)
            reason = self._resting(place, Asked((self.whose,), claim, known))
            if reason is not None:
                return Combined(formula, truth, (reason,))
        raise self.refused(formula, truth)

    def _resting(self, view: View, asked: Asked, kept: Sequence[Soft] = ()) -> Known | None:
        """Return sources of the operand: the agents' observations and constraints of `kept`."""
        seen = self.work.seen(view, asked.agents)
        if seen is None:
            return None
        sources = resting_on(self.work, asked.agents, seen, kept, asked.operand)
        return None if sources is None else Known(asked.formula, sources, asked.if_known)

    # ---- probabilities ------------------------------------------------------------------------

    def share(self, cell: View, chance: f.P) -> Fraction | None:
        """See `WorldExplainer.share`."""
        work = self.work
        law = work.worlds(cell)
        if work.by_plausibility:
            among = work.best(cell, chance.agent, chance.given)
        else:
            among = self._part(cell, chance.given)
        if not among.satisfiable():
            return None
        part = both(among, self._part(cell, chance.operand))
        whole, part, _ = work.part_of(cell, (), law, among, part)
        size = work.diagrams.manager.num_vars()
        return Fraction(work.diagrams.count(part, size), work.diagrams.count(whole, size))

    def extremes(
        self, place: View, group: tuple[str, ...], chance: f.P
    ) -> tuple[Fraction, Fraction] | None:
        """See `WorldExplainer.extremes`."""
        cell = self.cell(place, group)
        if cell is None or chance.given is not f.TRUE:
            return None  # at some world the probability may be undefined
        shares = self.work.shares(cell, chance)
        return min(shares), max(shares)

    # ---- worlds ---------------------------------------------------------------------------------

    def cell(self, place: View, group: tuple[str, ...]) -> View | None:
        """See `WorldExplainer.cell`."""
        seen = self.work.seen(place, group)
        return None if seen is None else self.work.view(seen, place.said)

    def to_world(
        self, cell: View, group: tuple[str, ...], shows: Formula, belief: f.B | None
    ) -> Way[View] | None:
        """See `WorldExplainer.to_world`."""
        worlds = self.work.worlds(cell)
        if belief is not None:
            worlds = self.work.best(cell, belief.agent, belief.given)
        world = self.work.world(both(worlds, self.work.truth(cell, shows)))
        return None if world is None else Way(((group, world),), self._point(world))

    def to_reachable(
        self, place: View, group: tuple[str, ...], shows: Formula, *, plausible: bool
    ) -> Way[View] | None:
        """See `WorldExplainer.to_reachable`."""
        undecided = plausible or not any(self.cell(place, (agent,)) for agent in group)
        if not place.complete and undecided:
            return None
        start = self.work.world(self.work.worlds(place))
        if start is None:
            return None
        here = self._point(start)
        everywhere = self.work.shared(here, group)
        worlds, goal = self.work.worlds(everywhere), self._part(everywhere, shows)
        if plausible:
            allowed = {agent: self.work.best(everywhere, agent, f.TRUE) for agent in group}
        else:
            allowed = dict.fromkeys(group, worlds)
            if both(self.work.worlds(here), goal).satisfiable():
                return Way((((group[0],), start),), here)
        layers = self._layers(self.work.worlds(here), goal, allowed, again=plausible)
        end = None if layers is None else self.work.world(both(layers[-1], goal))
        if layers is None or end is None:
            return None
        return Way(self._back(layers, end, allowed), self._point(end))

    def _layers(
        self, start: Diagram, goal: Diagram, allowed: Mapping[str, Diagram], *, again: bool
    ) -> list[Diagram] | None:
        """Return the new worlds after each step until the goal is reached; None if it never is.

        If `again`, the start counts as new when a step leads back to it.
        """
        layers = [start]
        reached = self.work.diagrams.false if again else start
        while len(layers) == 1 or not both(layers[-1], goal).satisfiable():
            layers.append(minus(one_step(self.work, layers[-1], allowed), reached))
            reached = either(reached, layers[-1])
            if not layers[-1].satisfiable():
                return None
        return layers

    def _back(
        self, layers: Sequence[Diagram], end: World, allowed: Mapping[str, Diagram]
    ) -> tuple[tuple[tuple[str, ...], World], ...]:
        """Return the path through these layers to `end`, with the agent and the world of each step.

        `allowed` maps each agent of the group to the worlds to which its steps may lead.
        """
        work = self.work
        path: list[tuple[tuple[str, ...], World]] = []
        for layer in reversed(layers[:-1]):
            here = work.worlds(self._point(end))
            for agent, worlds in allowed.items():
                came = work.world(both(layer, work.blurred(both(here, worlds), (agent,))))
                if came is not None:
                    path.append(((agent,), end))
                    end = came
                    break
        return tuple(reversed(path))

    def _part(self, view: View, formula: Formula, *, truth: bool = True) -> Diagram:
        """Return the worlds of the view at which the formula has this truth value."""
        worlds, true = self.work.worlds(view), self.work.truth(view, formula)
        return both(worlds, true) if truth else minus(worlds, true)

    def _point(self, world: World) -> View:
        """Return the view that has only this world."""
        return self.work.view(self.work.encoding.point(self.work.stage, world), complete=True)
