"""Questions as clauses: DIMACS, and QDIMACS with a prefix of quantifiers.

Every quantifier of a translated question stands under "and" and "or" only, and each has Booleans of
its own. So all may be moved to the front, in any order in which a copy comes after the copies
that its values refer to; they are moved so that there are few changes between "for all" and
"for some". What clauses need besides (names for subformulas, counters) is determined
by the rest, and is quantified last: "for some".

(QDIMACS: the standard of the QBF evaluations, version 1.1.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pycard
from pysat.card import EncType

from symkripke.engines.sat.encoding import Encoding
from symkripke.errors import Unsupported
from symkripke.language import Formula, conjunction, disjunction
from symkripke.model import KnowledgeStructure, State
from symkripke.problems.export.quantified import (
    Copy,
    Node,
    Quantified,
    QuantifiedQuestion,
    translate,
)


@dataclass(frozen=True, eq=False)
class Clauses:
    """A question as clauses under quantifiers.

    Attributes:
        question: the question that the clauses translate.
        prefix: blocks of (universal, variables), outermost first; no two alike beside each other.
        clauses: all of them must be true.
        names: for each variable that stands for an atom of a copy, that atom in words.
        variables: how many variables there are.
    """

    question: QuantifiedQuestion
    prefix: tuple[tuple[bool, tuple[int, ...]], ...]
    clauses: tuple[tuple[int, ...], ...]
    names: dict[int, str]
    variables: int


def dimacs(place: State | KnowledgeStructure, formula: Formula | str) -> str:
    """The question in DIMACS: one call of a SAT solver answers it.

    That is possible if the formula, or its negation, only says that some worlds exist: for one
    `K` or `M` over facts, for `K` over `K`, and so on. The comments say what "satisfiable" means.

    Raises:
        Unsupported: it takes more than one call; QDIMACS and SMT-LIB can say it.
    """
    for truth in (False, True):
        question = translate(place, formula, truth=truth)
        if not any(quantifier.universal for quantifier in quantifiers(question.node)):
            made = clauses(question)
            head = f"p cnf {made.variables} {len(made.clauses)}"
            return "".join(f"{line}\n" for line in (*_comments(made), head, *_lines(made)))
    raise Unsupported(
        f"{question.asked} asks for all worlds and for some world: one call of a SAT solver "
        "does not answer that; export it as qdimacs or smtlib"
    )


def qdimacs(place: State | KnowledgeStructure, formula: Formula | str) -> str:
    """The question in QDIMACS; the comments say what "true" (satisfiable) means.

    "True" means that the formula is true, or that it is false, whichever of the two needs fewer
    variables under "for all".
    """
    made = min(
        (clauses(translate(place, formula, truth=truth)) for truth in (True, False)),
        key=lambda clauses: sum(len(block) for universal, block in clauses.prefix if universal),
    )
    head = f"p cnf {made.variables} {len(made.clauses)}"
    prefix = [
        " ".join(("a" if universal else "e", *map(str, variables), "0"))
        for universal, variables in made.prefix
    ]
    return "".join(f"{line}\n" for line in (*_comments(made), head, *prefix, *_lines(made)))


def clauses(question: QuantifiedQuestion) -> Clauses:
    """The question as clauses: their number is linear in the size of the law, times the worlds."""
    encoding = Encoding()
    stated = encoding.asserted(matrix(question.node))
    found = [*stated.clauses, *encoding.definitions.clauses]
    top = encoding.variables
    for literals, bound in (*stated.atmosts, *encoding.definitions.atmosts):
        # `CardEnc.atmost` would take over Ctrl-C: the last argument says not to. With nothing to
        # forbid, there is no answer.
        counted, top = pycard.encode_atmost(literals, bound, top, EncType.seqcounter, 0) or (
            (),
            top,
        )
        found.extend(counted)
    owner = {atom: copy for copy in question.copies for atom in copy.own}
    levels = _levels(question.node)
    blocks: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    inner = []
    for variable in range(1, top + 1):
        atom = encoding.atoms[variable] if variable <= encoding.variables else None
        if atom is None:
            inner.append(variable)
            continue
        blocks.setdefault(levels[owner[atom]], []).append(variable)
        names[variable] = str(atom)
    prefix = [(level % 2 == 1, tuple(blocks[level])) for level in sorted(blocks)]
    prefix.append((False, tuple(inner)))
    merged: list[tuple[bool, tuple[int, ...]]] = []
    for universal, variables in prefix:
        if merged and merged[-1][0] is universal:
            merged[-1] = universal, (*merged[-1][1], *variables)
        elif variables:
            merged.append((universal, variables))
    if merged and merged[-1][0]:  # the standard wants the innermost block to be "for some"
        top += 1
        merged.append((False, (top,)))
        names[top] = "nothing; the format wants a variable here"
    return Clauses(question, tuple(merged), tuple(map(tuple, found)), names, top)


def matrix(node: Node) -> Formula:
    """The question without its quantifiers."""
    done: dict[Node, Formula] = {}

    def of(current: Node) -> Formula:
        if isinstance(current, Formula):
            return current
        if current not in done:
            if isinstance(current, Quantified):
                done[current] = of(current.body)
            else:
                parts = [of(part) for part in current.parts]
                done[current] = conjunction(parts) if current.every else disjunction(parts)
        return done[current]

    return of(node)


def quantifiers(node: Node) -> Iterator[Quantified]:
    """All quantifiers, each once, from the outermost inwards."""
    seen: set[Node] = set()
    pending = [node]
    while pending:
        current = pending.pop()
        if current in seen or isinstance(current, Formula):
            continue
        seen.add(current)
        if isinstance(current, Quantified):
            yield current
            pending.append(current.body)
        else:
            pending.extend(reversed(current.parts))


def _levels(node: Node) -> dict[Copy, int]:
    """For each quantified copy its place in the prefix: even for some, odd for all."""
    universal = {quantifier.copy: quantifier.universal for quantifier in quantifiers(node)}
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


def _comments(made: Clauses) -> Sequence[str]:
    question = made.question
    answer, other = ("true", "false") if question.truth else ("false", "true")
    lines = [
        f"c Is this true {question.where}?",
        f"c   {question.asked}",
        f"c satisfiable: it is {answer}; unsatisfiable: it is {other}",
    ]
    lines += [f"c world {copy.number}: {copy.says}" for copy in question.copies]
    lines += [f"c variable {variable}: {says}" for variable, says in made.names.items()]
    if len(made.names) < made.variables:
        lines.append("c all other variables stand for parts of the formula, and count")
    return lines


def _lines(made: Clauses) -> Iterator[str]:
    for clause in made.clauses:
        yield " ".join(map(str, (*clause, 0)))
