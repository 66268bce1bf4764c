"""Announcements before common knowledge: what is asked after them is asked of what they leave.

[!a] f can be said without the announcement, except where f speaks of common knowledge (see
`symkripke.language.reduction`). There it is true by definition if f is, in the structure whose law
has a as well. So one that is not inside other operators is asked in that structure; and of those
inside K_i (or D_G, or "at all worlds"): i knows that [!a] f iff it excludes a, or else knows f
after the announcement of a, with what it has seen. Deeper ones (K_i K_j [!a] C_G p) would need
such a structure for each world at which they are asked: they are for diagrams.
"""

from __future__ import annotations

from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.reduction import reduce_announcements
from symkripke.language.walk import has_announcements, replace_leaves, rewrite
from symkripke.model import Event, KnowledgeStructure, announcement


def reduced(structure: KnowledgeStructure, formula: Formula) -> Formula:
    """`formula` (resolved) without announcements, as far as that can be said.

    Raises:
        Unsupported: one stands before common knowledge, and inside more than one operator.
    """

    def leaf(current: Formula) -> Formula:
        if not has_announcements(current):
            return current
        try:
            return reduce_announcements(current, structure.fluents)
        except Unsupported:
            match current:
                case f.Announced() | f.AnnouncedTrue():
                    return current
                case f.K(_, f.And(parts)) | f.D(_, f.And(parts)) | f.E(_, f.And(parts)):
                    opens = [
                        part if opened(part) else reduce_announcements(part, structure.fluents)
                        for part in parts
                    ]
                    return current.rebuild((conjunction(opens),))
                case f.K() | f.M() | f.Kw() | f.D() | f.E() if opened(current.operand):
                    return current
            raise

    return replace_leaves(formula, leaf)


def opened(formula: Formula) -> f.Announced | f.AnnouncedTrue | None:
    """The formula as an announcement, if it is one, or the negation of one."""
    match formula:
        case f.Announced() | f.AnnouncedTrue():
            return formula
        case f.Not(f.Announced(said, then)):
            return f.AnnouncedTrue(said, negation(then))
        case f.Not(f.AnnouncedTrue(said, then)):
            return f.Announced(said, negation(then))
    return None


def too_deep() -> Unsupported:
    """The error for one inside more than one operator."""
    return Unsupported(
        "an announcement before common knowledge, inside other operators, has no reduction; the "
        "bdd engine and, at small sizes, the explicit one answer it"
    )


def said(structure: KnowledgeStructure, formula: Formula) -> Event:
    """The announcement of a formula that is resolved already: its names are not of today."""

    def first(name: str) -> str:
        return f"{name}#0" if name in structure.versions else name

    def change(current: Formula) -> Formula:
        if isinstance(current, Atom):
            return Atom(first(current.fluent), current.value)
        if isinstance(current, f.Kv):
            return f.Kv(current.agent, tuple(map(first, current.fluents)))
        return current

    return announcement(rewrite(formula, change), "the announcement")
