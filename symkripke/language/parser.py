"""From text to formulas.

The grammar is `grammar.lark`, beside this file. `building` makes the formulas. It is imported with
the first text, because many programs that play games read no formulas.
"""

from __future__ import annotations

from symkripke.argument_types import checked, explained
from symkripke.language.chance import Chance
from symkripke.language.formulas import Formula
from symkripke.language.signature import Signature


@explained
def parse(text: str, signature: Signature | None = None) -> Formula:
    """Read one formula.

    Args:
        text: the formula, for example `K[plum] location(rope) = envelope`.
        signature: the names that it may use; without one, every name is allowed. Capitals do not
            matter if only one known name is spelled so: `K[Plum]` is `K[plum]`.

    Raises:
        FormulaError: the text is no formula, or uses a name that the signature does not
            have; shows the line and a caret.
    """
    from symkripke.language.building import build

    return build(checked(text, str), signature)


@explained
def parse_question(text: str, signature: Signature | None = None) -> Formula | Chance:
    """Read a formula, or the bare probability of one: `P[plum](at(rope, envelope))`.

    A bare probability is a number, so it can only be a whole question. Raises `FormulaError`, as
    `parse` does.
    """
    from symkripke.language.building import build_question

    return build_question(checked(text, str), signature)
