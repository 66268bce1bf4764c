"""Questions for other solvers: DIMACS, QDIMACS, SMT-LIB; small models as pictures: DOT.

    export(scene, "K[ann] p", "qdimacs")

quantified  formulas about knowledge as quantified Boolean formulas
clauses     these in clauses: DIMACS and QDIMACS
smtlib      these in SMT-LIB

The text is the same on every machine and every day: it can be compared and kept.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Literal, TypeAlias, get_args

from symkripke.errors import TooManyNodes, TooManyWorlds, Unsupported, check_name, in_digits
from symkripke.language import Formula
from symkripke.model import EpistemicState, KnowledgeStructure

Format: TypeAlias = Literal["dimacs", "qdimacs", "smtlib", "dot"]
FORMATS: tuple[str, ...] = get_args(Format)

# Room for the diagram with which the worlds of a picture are counted: a tenth of a second.
_NODES = 200_000


def export(place: EpistemicState | KnowledgeStructure, formula: Formula | str, format: str) -> str:  # noqa: A002
    """Return the question whether `formula` is true at `place`, in the language of other solvers.

    Args:
        place: a scene; a perspective, with a formula about its agent's knowledge; or a structure:
            whether the formula is true at every world of the law.
        formula: the formula of the question.
        format: one of `FORMATS`.
            "dimacs": for a SAT solver. It can express one `K` or `M` of facts, and any other
                question that one call decides.
            "qdimacs": for a solver of quantified Boolean formulas; all but `C`, `P` and `B`.
            "smtlib": the same for an SMT solver.
            "dot": not a question but a picture of all worlds, in which those with `formula` are
                grey. The explicit engine lists them, at most 100.

    Raises:
        UnknownName: there is no such format.
        Unsupported: the format cannot express it; the message says why, and which formats can.
        BudgetExceeded: the text would be too long (`TooManyWorlds` for "dot").
        InputError: the perspective does not decide the formula, or the formula is invalid.
    """
    check_name("format", format, FORMATS)
    if format == "dot":
        return _picture(place, formula)
    if format == "smtlib":
        from symkripke.problems.export.smtlib import smtlib

        return smtlib(place, formula)
    from symkripke.problems.export import clauses

    write = clauses.dimacs if format == "dimacs" else clauses.qdimacs
    return write(place, formula)


def _picture(place: EpistemicState | KnowledgeStructure, formula: Formula | str) -> str:
    """Return the picture; too many worlds are counted before they are listed."""
    from symkripke.engines.explicit.picture import MOST_WORLDS, picture

    structure = place if isinstance(place, KnowledgeStructure) else place.structure
    many = _more_than(MOST_WORLDS, structure)
    if many:
        raise TooManyWorlds(f"there are {many} worlds, and a picture has at most {MOST_WORLDS}")
    return picture(place, formula)


def _more_than(most: int, structure: KnowledgeStructure) -> str:
    """Return the number of worlds in words if it exceeds the limit; else empty.

    To list them shows the same, but can take a minute and a gigabyte.
    """
    from symkripke.drawing.finding import has_more_worlds
    from symkripke.engines.bdd import BddEngine

    with suppress(TooManyNodes, Unsupported):
        number = BddEngine(_NODES).worlds(structure)
        return in_digits(number) if number > most else ""
    with suppress(Unsupported):
        return f"more than {most}" if has_more_worlds(structure, most) else ""
    return ""
