"""The smt engine, which answers questions about numbers without bounds by z3.

About other structures, it asks z3 whether a quantified formula is true, to cross-check other
engines.
"""

from symkripke.engines.smt.engine import SmtEngine

__all__ = ["SmtEngine"]
