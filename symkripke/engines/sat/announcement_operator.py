"""Announcement operators before common knowledge, which have no reduction.

Most formulas [!a] f are equivalent to a formula without announcements: see
`symkripke.language.reduction`. If f mentions common knowledge, there is no such formula. Then [!a]
f is evaluated by its definition, in the updated structure, whose law also contains a:

* Outside other operators, f is evaluated in the updated structure.
* Inside K_i (or D_G, or "at all worlds"): i knows [!a] f iff i knows that a is false, or knows f in
  the updated structure, with the same observations.
* Deeper announcements (K_i K_j [!a] C_G p) would need one updated structure for each world. They
  raise `Unsupported`; the bdd engine evaluates them.
"""

from __future__ import annotations

from symkripke.errors import Unsupported
from symkripke.language import Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.reduction import reduce_announcements
from symkripke.language.walk import has_announcements, replace_leaves
from symkripke.model import Event, KnowledgeStructure, announcement


def reduced(structure: KnowledgeStructure, formula: Formula) -> Formula:
    """Return a resolved formula with announcements reduced, except before common knowledge.

    Raises:
        Unsupported: an announcement before common knowledge is inside several operators.
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
    """Return an announcement, or the negation of one, as an announcement; otherwise None."""
    match formula:
        case f.Announced() | f.AnnouncedTrue():
            return formula
        case f.Not(f.Announced(said, then)):
            return f.AnnouncedTrue(said, negation(then))
        case f.Not(f.AnnouncedTrue(said, then)):
            return f.Announced(said, negation(then))
    return None


def too_deep() -> Unsupported:
    """Return the error for an announcement before common knowledge inside several operators."""
    return Unsupported(
        "an announcement before common knowledge, inside other operators, has no reduction; the "
        "bdd engine and, at small sizes, the explicit one answer it"
    )


def said(structure: KnowledgeStructure, formula: Formula) -> Event:
    """Return the event that announces a formula with resolved names."""
    return announcement(structure.resolver.stated(formula), "the announcement")
