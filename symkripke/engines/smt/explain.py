"""Explanations from models of z3: worlds, and for structures with numbers also sources.

`NumberExplainer` explains answers about structures with numbers. The worlds that it shows have
small numbers. `SmtExplainer` is for other structures:

Only formulas that possible worlds decide have evidence, and only if no quantifier is left. These
are true M formulas, false K, D and B formulas, chains of these, and Boolean combinations that they
decide. This module does not compute minimal sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symkripke.engines.explainer import Asked, Explainer, Way, WorldExplainer
from symkripke.engines.minimal_core import minimal_core
from symkripke.engines.smt.common import is_common, path_to
from symkripke.engines.smt.question import Place, SmtQuery, is_own
from symkripke.engines.smt.reasoner import Reasoner
from symkripke.engines.smt.solving import is_quantified
from symkripke.engines.smt.translation import Stage
from symkripke.engines.smt.truth_sets import observed
from symkripke.errors import Unsupported
from symkripke.explain import sources
from symkripke.explain.evidence import CounterWorld, Evidence, Known, Possible, Source
from symkripke.language import Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, replace_leaves
from symkripke.model import KnowledgeStructure, World
from symkripke.model.vocabulary import VALUE


class SmtExplainer(Explainer[Place]):
    """An explainer of formulas that a place decides, by models of one question."""

    def __init__(self, question: SmtQuery, stage: Stage) -> None:
        """Create an explainer for a question about the structure of a stage."""
        super().__init__(stage.structure)
        self._question = question
        self._stage = stage

    def truth(self, place: Place, formula: Formula) -> bool | None:
        """See `Explainer.truth`."""
        return self._question.truth(self._stage, place, formula)

    def refused(self, formula: Formula, truth: bool | None) -> Unsupported:
        """See `Explainer.refused`."""
        return Unsupported(
            f"the smt engine has no world to show why {formula} is {str(truth).lower()}; "
            "the sat engine finds minimal sources, and worlds"
        )

    def shown(self, place: Place, formula: Formula) -> Possible | None:
        """Return a chain of worlds, read from a model of the vectors that represent them.

        Return None if there is no such chain, or if quantifiers are left.
        """
        truth = self.truth(place, formula)
        if truth is None or not is_own(formula, place):
            raise self.refused(formula, truth)
        if not isinstance(formula, f.M if truth else f.K | f.D | f.B):
            return None
        stated = self._question.stated(self._stage, place, formula, truth)
        model = None if is_quantified(stated) else self._question.model(stated)
        steps = self._question.shown(self._stage, place, formula, truth)
        if model is None or not steps:
            return None
        worlds = tuple(
            CounterWorld(
                step.agents, self._question.world(self.structure, step.point, model), step.shows
            )
            for step in steps
        )
        return Possible(formula, truth, worlds)


class NumberExplainer(WorldExplainer[Formula]):
    """An explainer for structures with numbers. A place is the formula of its worlds."""

    def __init__(self, structure: KnowledgeStructure, reasoner: Reasoner) -> None:
        """Create an explainer that asks a reasoner."""
        super().__init__(structure)
        self._reasoner = reasoner
        self._sets = reasoner.sets
        self._stage = Stage(structure)

    def _can(self, *formulas: Formula) -> bool:
        return self._reasoner.numbers.satisfiable(self._sets.law(self._stage), *formulas)

    def truth(self, place: Formula, formula: Formula) -> bool | None:
        """See `Explainer.truth`. Common knowledge is the same in the whole cell of a member."""

        def decided(leaf: Formula) -> Formula:
            if isinstance(leaf, f.C) and any(self.cell(place, (i,)) for i in leaf.group):
                return f.Constant(
                    is_common(self._sets, self._stage, leaf.group, place, leaf.operand)
                )
            return leaf

        truth = self._sets.truth(self._stage, replace_leaves(formula, decided))
        can_be_true = self._can(place, truth)
        return None if can_be_true is self._can(place, negation(truth)) else can_be_true

    def refused(self, formula: Formula, truth: bool | None) -> Unsupported:
        """See `Explainer.refused`."""
        return Unsupported(f"the smt engine has no reason why {formula} is {str(truth).lower()}")

    # ---- worlds -------------------------------------------------------------------------------

    def cell(self, place: Formula, group: tuple[str, ...]) -> Formula | None:
        """See `WorldExplainer.cell`."""
        law = self._sets.law(self._stage)
        world = self._reasoner.some_world(self.structure, law, place)
        assert world is not None
        seen = conjunction(observed(self._stage, agent, world) for agent in group)
        return None if self._can(place, negation(seen)) else seen

    def to_world(
        self, cell: Formula, group: tuple[str, ...], shows: Formula, belief: f.B | None
    ) -> Way[Formula] | None:
        """See `WorldExplainer.to_world`."""
        among = self._sets.law(self._stage)
        if belief is not None:
            among = self._sets.best(self._stage, belief.agent, belief.given)
        wanted = self._sets.truth(self._stage, shows)
        world = self._reasoner.first_world(self.structure, among, cell, wanted)
        return None if world is None else self._way(((group, world),))

    def to_reachable(
        self, place: Formula, group: tuple[str, ...], shows: Formula, *, plausible: bool
    ) -> Way[Formula] | None:
        """See `WorldExplainer.to_reachable`."""
        if plausible:
            return None
        wanted = self._sets.truth(self._stage, shows)
        path = path_to(self._sets, self._stage, group, place, wanted)
        if path is None:
            return None
        steps = tuple(((agent,), world) for agent, world in path[1:])
        return self._way(steps or (((group[0],), path[0][1]),))

    def _way(self, steps: Sequence[tuple[tuple[str, ...], World]]) -> Way[Formula]:
        fluents = self.structure.vocabulary.fluents
        end = conjunction(fluents[name].equals(value) for name, value in steps[-1][1].items())
        return Way(tuple(steps), end)

    def share(self, cell: Formula, chance: f.P) -> None:
        """Return None: probabilities have no evidence here."""

    def extremes(self, place: Formula, group: tuple[str, ...], chance: f.P) -> None:
        """Return None: probabilities have no evidence here."""

    # ---- sources ------------------------------------------------------------------------------

    def evidence(self, place: Formula, formula: Formula) -> Evidence:
        """See `Explainer.evidence`. The value of a number is a fact that is known, or not."""
        if not isinstance(formula, f.Kv):
            return super().evidence(place, formula)
        cell = self.cell(place, (formula.agent,))
        if cell is None:
            return self.undecided(place, formula)
        law = self._sets.law(self._stage)
        world = self._reasoner.first_world(self.structure, law, place)
        assert world is not None
        fluents = self.structure.vocabulary.fluents
        same = conjunction(fluents[name].equals(world[name]) for name in formula.fluents)
        if not self._can(cell, negation(same)):
            return self.known(place, Asked((formula.agent,), same, formula))
        way = self.to_world(cell, (formula.agent,), negation(same), None)
        assert way is not None
        shown = CounterWorld((formula.agent,), way.steps[0][1], negation(same))
        return Possible(formula, False, (shown,))

    def common(self, place: Formula, formula: f.C | f.CB) -> Evidence | None:
        """Return the whole law as the source of true common knowledge."""
        return (
            Known(formula, (sources.whole_law(self.structure),))
            if isinstance(formula, f.C)
            else None
        )

    def believed(self, place: Formula, formula: f.B) -> Evidence:
        """Return the whole law as the source of a belief."""
        if not self.truth(place, formula):
            return self.undecided(place, formula)
        return Known(formula, (sources.whole_law(self.structure),))

    def known(self, place: Formula, asked: Asked) -> Evidence:
        """Return the evidence that agents know the operand: a minimal set of sources."""
        law = self._sets.law(self._stage)
        world = self._reasoner.some_world(self.structure, law, place)
        fails = negation(self._sets.truth(self._stage, asked.operand))
        given = [] if world is None else [*self._seen(asked.agents, world)]
        if is_propositional(asked.operand):
            rules = [*given, *sources.laws(self.structure)]
            proof = self._proof(rules, fails)
            if proof is not None:
                return Known(asked.formula, sources.oldest_first(proof), asked.if_known)
        seen = self._proof(given, conjunction((law, fails)))
        if seen is None:
            return self.undecided(place, asked.formula)
        needed = [*seen, sources.whole_law(self.structure)]
        return Known(asked.formula, sources.oldest_first(needed), asked.if_known)

    def _seen(self, agents: tuple[str, ...], world: World) -> Iterator[Source]:
        """Yield the observations of agents at a world."""
        fluents = self.structure.vocabulary.fluents
        for agent in agents:
            for seen in self.structure.observables[agent]:
                name, value = seen.atom.fluent, world[seen.atom.fluent]
                if seen.atom.value != VALUE:
                    yield sources.seen(self.structure, agents, seen, value == seen.atom.value)
                    continue
                fact = fluents[name].equals(value)
                words = f"{fact} ({seen.source})" if seen.source else str(fact)
                yield Source(fact, words, "seen", 0, seen.source)

    def _proof(self, given: Sequence[Source], fails: Formula) -> list[Source] | None:
        """Return a minimal part of the sources that refutes a formula; None if all do not."""

        def refute(chosen: Sequence[Source]) -> Sequence[Source] | None:
            facts = (source.formula for source in chosen)
            return None if self._reasoner.numbers.satisfiable(fails, *facts) else chosen

        return None if refute(given) is None else list(minimal_core(given, refute, last_first=True))
