"""Reasons at counter-worlds.

Evidence that a formula is not known is a world. The world may show that another agent knows
something there. Then readers ask why it knows that. This module finds these reasons and puts them
into the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.evidence import (
    AfterAnnouncement,
    Combined,
    CounterWorld,
    Evidence,
    Known,
    Possible,
)
from symkripke.language import And, Formula, M, Not
from symkripke.language import formulas as f
from symkripke.limits import current, within
from symkripke.model import Scene

if TYPE_CHECKING:
    from symkripke.engines.protocol import Answer, Engine
    from symkripke.model import KnowledgeStructure

Parts = Callable[[Formula], Iterable[Formula]]
"""A function that yields the parts of a formula that state knowledge or belief of agents."""


def known_there(shows: Formula) -> Iterable[Formula]:
    """Yield the parts of a formula that state knowledge or belief of agents at a world."""
    parts = shows.operands if isinstance(shows, And) else (shows,)
    for part in parts:
        bare = part.operand if isinstance(part, Not) else part
        if isinstance(part, f.K | f.D | f.E | f.C | f.B | f.EB | f.CB | f.Kv | f.Kw) or (
            isinstance(bare, M) and bare is not part
        ):
            yield part


def whole_evidence(
    answer: Answer, structure: KnowledgeStructure, asked: Engine, parts: Parts = known_there
) -> Evidence:
    """Return the evidence of an answer, with the reasons of agents at the worlds that it shows.

    The search for each reason may take half of the remaining time (`limits.within`). Formulas for
    which no reason is found are listed in `CounterWorld.unexplained`.

    Args:
        answer: the answer.
        structure: the structure that was asked about.
        asked: the engine that finds these reasons.
        parts: a function that yields the parts of the formula at a world that need a reason.

    Raises:
        Unsupported: the answer's engine finds no evidence for this kind of formula.
    """
    return _Deeper(asked, parts).evidence(answer.why(), structure)


class _Deeper:
    """The traversal that adds reasons to evidence."""

    def __init__(self, asked: Engine, parts: Parts) -> None:
        self._asked = asked
        self._parts = parts

    def evidence(self, evidence: Evidence, structure: KnowledgeStructure) -> Evidence:
        match evidence:
            case Possible(worlds=worlds):
                return replace(evidence, worlds=tuple(self._world(w, structure) for w in worlds))
            case Combined(parts=parts):
                return replace(evidence, parts=tuple(self.evidence(p, structure) for p in parts))
            case AfterAnnouncement(announced=announced, reason=reason):
                if evidence.said:
                    from symkripke.engines.sat.announcement_operator import said

                    structure = structure.update(said(structure, announced))
                return replace(evidence, reason=self.evidence(reason, structure))
            case Known(others=others) if others is not None and others.example is not None:
                example = self.evidence(others.example, structure)
                return replace(evidence, others=replace(others, example=example))
        return evidence

    def _world(self, step: CounterWorld, structure: KnowledgeStructure) -> CounterWorld:
        """Return the counter-world with reasons for the agents' knowledge there."""
        reasons: list[Evidence] = []
        unexplained: list[Formula] = []
        for part in self._parts(step.shows):
            limit = current()
            left = None if limit is None else limit.seconds_left()
            try:
                with within(None if left is None else left / 2):
                    asked = structure.resolver.stated(part)
                    answer = self._asked.holds(Scene(structure, step.world), asked)
                    if answer:
                        why = replace(answer.why(), formula=part)
                        reasons.append(self.evidence(why, structure))
            except (Unsupported, BudgetExceeded):
                unexplained.append(part)
        return replace(step, reasons=tuple(reasons), unexplained=tuple(unexplained))
