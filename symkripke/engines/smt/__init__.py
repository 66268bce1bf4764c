"""The smt engine: questions as quantified formulas for z3, to cross-check other engines."""

from symkripke.engines.smt.engine import SmtEngine

__all__ = ["SmtEngine"]
