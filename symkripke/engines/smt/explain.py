"""Explanations from models of z3, with worlds as evidence.

Only formulas that possible worlds decide have evidence, and only if no quantifier is left. These
are true M formulas, false K, D and B formulas, chains of these, and Boolean combinations that they
decide. This module does not compute minimal sources.
"""

from __future__ import annotations

from symkripke.engines.explainer import Explainer
from symkripke.engines.smt.question import Place, SmtQuery, is_own
from symkripke.engines.smt.solving import is_quantified
from symkripke.engines.smt.translation import Stage
from symkripke.errors import Unsupported
from symkripke.explain.evidence import CounterWorld, Possible
from symkripke.language import Formula
from symkripke.language import formulas as f


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
