"""The default engine, which answers by satisfiability checks (python-sat).

`engine` is the interface, and `evaluator` decides the truth of formulas. Questions about facts go
to a solver for the worlds that an agent considers possible (`world_solver`). Questions about nested
knowledge go to a search over all worlds of the law (`modal`), which learns from small changes of a
world that preserve the law (`swaps`). `solver_cache` keeps the solvers. `explain` finds the reasons
for answers.
"""

from symkripke.engines.sat.engine import SatEngine

__all__ = ["SatEngine"]
