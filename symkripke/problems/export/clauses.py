"""Questions as clauses: DIMACS, and QDIMACS with a prefix of quantifiers.

Every quantifier of a translated question is nested in "and" and "or" only, and each binds its own
Booleans. All quantifiers can therefore be moved to the front, in any order in which a copy comes
after the copies that its values refer to. The chosen order has few changes between "for all" and
"for some". The other variables of the clauses (names for subformulas, counters) are determined by
the rest, and are quantified last: "for some".

(QDIMACS: the standard of the QBF evaluations, version 1.1.)
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import pycard
from pysat.card import EncType

from symkripke.engines.sat.encoding import Encoding
from symkripke.errors import Unsupported
from symkripke.language import Formula
from symkripke.language.walk import rewrite
from symkripke.model import EpistemicState, KnowledgeStructure
from symkripke.problems.export.quantified import (
    Copy,
    Quantified,
    QuantifiedQuestion,
    translate,
)
from symkripke.records import dataclass


@dataclass(frozen=True, eq=False)
class Clauses:
    """A question as clauses under quantifiers.

    Attributes:
        question: the question that the clauses translate.
        prefix: alternating blocks of (universal, variables), outermost first.
        clauses: the clauses, all of which must be true.
        names: the words for each variable that stands for an atom of a copy.
        variables: the number of variables.
    """

    question: QuantifiedQuestion
    prefix: tuple[tuple[bool, tuple[int, ...]], ...]
    clauses: tuple[tuple[int, ...], ...]
    names: dict[int, str]
    variables: int

    def text(self, *, with_prefix: bool) -> str:
        """Return the clauses in DIMACS, or in QDIMACS with the prefix."""
        comments = self.question.comments("satisfiable", "unsatisfiable")
        comments += [f"variable {variable}: {says}" for variable, says in self.names.items()]
        if len(self.names) < self.variables:
            comments.append(
                "each other variable names a part of the formula, or helps to count parts"
            )
        blocks = self.prefix if with_prefix else ()
        lines = [
            *(f"c {comment}" for comment in comments),
            f"p cnf {self.variables} {len(self.clauses)}",
            *(" ".join(("ea"[every], *map(str, block), "0")) for every, block in blocks),
            *(" ".join(map(str, (*clause, 0))) for clause in self.clauses),
        ]
        return "".join(f"{line}\n" for line in lines)


def dimacs(place: EpistemicState | KnowledgeStructure, formula: Formula | str) -> str:
    """Return the question in DIMACS, so that one call of a SAT solver answers it.

    This is possible if the formula, or its negation, only states that some worlds exist: for one
    `K` or `M` over facts, for `K` over `K`, and so on. The comments say what "satisfiable" means.

    Raises:
        Unsupported: the question takes more than one call; QDIMACS and SMT-LIB can express it.
    """
    for truth in (False, True):
        question = translate(place, formula, truth=truth)
        if not any(quantifier.universal for quantifier in question.quantifiers):
            return clauses(question).text(with_prefix=False)
    raise Unsupported(
        f"{question.asked} asks for all worlds and for some world: one call of a SAT solver "
        "does not answer that; export it as qdimacs or smtlib"
    )


def qdimacs(place: EpistemicState | KnowledgeStructure, formula: Formula | str) -> str:
    """Return the question in QDIMACS. The comments say what "true" (satisfiable) means.

    "True" means either that the formula is true or that it is false, whichever needs fewer
    variables under "for all".
    """
    made = min(
        (clauses(translate(place, formula, truth=truth)) for truth in (True, False)),
        key=lambda clauses: sum(len(block) for universal, block in clauses.prefix if universal),
    )
    return made.text(with_prefix=True)


def clauses(question: QuantifiedQuestion) -> Clauses:
    """Return the question as clauses; their size is linear in the law times the copies."""
    encoding = Encoding()
    stated = encoding.asserted(rewrite(question.stated, _without_quantifiers))
    all_clauses = [*stated.clauses, *encoding.definitions.clauses]
    top = encoding.variables
    for literals, bound in (*stated.atmosts, *encoding.definitions.atmosts):
        # `CardEnc.atmost` would replace the handler of Ctrl-C; the last argument 0 prevents that.
        # The result is None if there is nothing to forbid.
        counted, top = pycard.encode_atmost(literals, bound, top, EncType.seqcounter, 0) or (
            (),
            top,
        )
        all_clauses.extend(counted)
    owner = {atom: copy for copy in question.copies for atom in copy.own}
    levels = _levels(question.quantifiers)
    last = max(levels.values(), default=0)
    innermost = last + last % 2
    blocks: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for variable in range(1, top + 1):
        atom = encoding.atoms[variable] if variable <= encoding.variables else None
        if atom is not None:
            names[variable] = str(atom)
        level = innermost if atom is None else levels[owner[atom]]
        blocks.setdefault(level, []).append(variable)
    if max(blocks, default=0) % 2:  # the standard requires "for some" innermost
        top += 1
        blocks[innermost] = [top]
        names[top] = "nothing; the format wants a variable here"
    prefix = tuple(
        (every, tuple(variable for level in alike for variable in blocks[level]))
        for every, alike in groupby(sorted(blocks), key=lambda level: level % 2 == 1)
    )
    return Clauses(question, prefix, tuple(map(tuple, all_clauses)), names, top)


def _without_quantifiers(part: Formula) -> Formula:
    return part.operand if isinstance(part, Quantified) else part


def _levels(quantifiers: Iterable[Quantified]) -> dict[Copy, int]:
    """Return the level of each quantified copy in the prefix: even for "some", odd for "all"."""
    universal = {quantifier.copy: quantifier.universal for quantifier in quantifiers}
    tried = []
    for first in (0, 1):
        levels: dict[Copy, int] = {}
        for copy in sorted(universal, key=lambda copy: copy.number):
            before = copy.before
            while before is not None and before not in levels:
                before = before.before
            level = first if before is None else levels[before]
            levels[copy] = level + ((level % 2 == 1) is not universal[copy])
        tried.append(levels)
    return min(
        tried, key=lambda levels: max(levels.values(), default=0) - min(levels.values(), default=0)
    )
