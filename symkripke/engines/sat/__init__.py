"""Answers by satisfiability checks (python-sat), the default engine.

`engine` puts questions to solvers: one of the worlds that an agent considers possible (`solver`);
for knowledge about knowledge one of all worlds of the law (`nested`), which learns from small
changes of a world that keep the law (`exchanges`). Why an answer is what it is, `reasons` finds.
"""

from symkripke.engines.sat.engine import SatEngine

__all__ = ["SatEngine"]
