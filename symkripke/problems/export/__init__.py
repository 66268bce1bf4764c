"""Export of questions to other solvers (DIMACS, QDIMACS, SMT-LIB), and of small models (DOT).

    export(scene, "K[ann] p", "qdimacs")

quantified  formulas about knowledge as quantified Boolean formulas
clauses     these formulas in clauses: DIMACS and QDIMACS
smtlib      these formulas in SMT-LIB

The text is reproducible: it is the same on every machine.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Literal, TypeAlias, get_args

from symkripke.engines.asked import check_listed, structure_of
from symkripke.errors import TooManyNodes, TooManyWorlds, Unsupported, check_name, in_digits
from symkripke.language import Formula
from symkripke.model import EpistemicState, KnowledgeStructure

Format: TypeAlias = Literal["dimacs", "qdimacs", "smtlib", "dot"]
FORMATS: tuple[str, ...] = get_args(Format)

# The maximum number of nodes of the diagram that counts the worlds of a picture. Filling it takes
# about 0.1 s.
_NODES = 200_000


def export(place: EpistemicState | KnowledgeStructure, formula: Formula | str, form: str) -> str:
    """Return the question whether `formula` is true at `place`, in the format of another solver.

    Args:
        place: a scene; a perspective, with a formula about its agent's knowledge; or a structure,
            for the truth of the formula at every world of the law.
        formula: the formula of the question.
        form: the format, one of `FORMATS`.
            "dimacs": for a SAT solver. It can express one `K` or `M` of facts, and any other
                question that one call decides.
            "qdimacs": for a solver of quantified Boolean formulas; all but `C`, `P` and `B`.
            "smtlib": the same for an SMT solver.
            "dot": not a question but a picture of all worlds, in which the worlds with `formula`
                are grey. The explicit engine lists the worlds, at most 100.

    Raises:
        UnknownName: there is no such format.
        Unsupported: the format cannot express the question; the message gives the reason, and the
            formats that can.
        BudgetExceeded: the text would be too long (for "dot", `TooManyWorlds`).
        InputError: at a perspective, the formula is not about the agent's knowledge; or the formula
            is invalid.
    """
    check_name("format", form, FORMATS)
    check_listed(structure_of(place), "the export")
    if form == "dot":
        return _picture(place, formula)
    if form == "smtlib":
        from symkripke.problems.export.smtlib import smtlib

        return smtlib(place, formula)
    from symkripke.problems.export import clauses

    write = clauses.dimacs if form == "dimacs" else clauses.qdimacs
    return write(place, formula)


def _picture(place: EpistemicState | KnowledgeStructure, formula: Formula | str) -> str:
    """Return the picture. Raise `TooManyWorlds` early, without listing the worlds."""
    from symkripke.engines.explicit.picture import MOST_WORLDS, picture

    structure = place if isinstance(place, KnowledgeStructure) else place.structure
    many = _more_than(MOST_WORLDS, structure)
    if many:
        raise TooManyWorlds(f"there are {many} worlds, and a picture has at most {MOST_WORLDS}")
    return picture(place, formula)


def _more_than(most: int, structure: KnowledgeStructure) -> str:
    """Return the number of worlds in words if it exceeds the limit; otherwise empty.

    Listing all worlds could take a minute and a gigabyte.
    """
    from symkripke.drawing.finding import has_more_worlds
    from symkripke.engines.bdd import BddEngine

    with suppress(TooManyNodes, Unsupported):
        number = BddEngine(_NODES).worlds(structure)
        return in_digits(number) if number > most else ""
    with suppress(Unsupported):
        return f"more than {most}" if has_more_worlds(structure, most) else ""
    return ""
