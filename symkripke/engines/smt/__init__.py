"""Questions as quantified formulas, answered by z3: the cross-check of the other engines."""

from symkripke.engines.smt.engine import SmtEngine

__all__ = ["SmtEngine"]
