"""From text to formulas.

The grammar is `grammar.lark`, beside this file; `building` makes formulas of it, and is imported
with the first text that is read, because most programs that play read none.
"""

from __future__ import annotations

from symkripke.language.formulas import Formula
from symkripke.language.signature import Signature


def parse(text: str, signature: Signature | None = None) -> Formula:
    """Read one formula.

    Args:
        text: the formula, for example `K[plum] location(rope) = envelope`.
        signature: the names that it may use; without one, every name is good.

    Raises:
        FormulaError: the text is no formula, or uses a name that the signature does not
            have; shows the line and a caret.
    """
    from symkripke.language.building import build

    return build(text, signature)
