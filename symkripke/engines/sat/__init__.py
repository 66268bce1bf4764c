"""Answers by satisfiability checks (python-sat), the default engine."""

from symkripke.engines.sat.engine import SatEngine

__all__ = ["SatEngine"]
