"""Answers by satisfiability checks (python-sat), the default engine.

`engine` is the interface. `evaluator` decides truth: facts by one solver of the worlds that an
agent considers possible (`world_solver`); knowledge about knowledge by a search over all worlds of
the law (`modal`), which learns from small changes of a world that keep the law (`swaps`).
`solver_cache` keeps the solvers. `explain` finds the reasons of answers.
"""

from symkripke.engines.sat.engine import SatEngine

__all__ = ["SatEngine"]
