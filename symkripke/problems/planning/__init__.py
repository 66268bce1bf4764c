"""Planning with knowledge: tasks, the search for plans, and the validation of plans.

| module | content |
|---|---|
| task | a planning task, and the effect of its actions on listed models |
| search | shortest plans by breadth-first search, A* and greedy search |
| contingent | plans with a branch for each result of a sensing action |
| validation | the run of a plan, with reasons |
"""

from symkripke.problems.planning.task import Action, Effects, Task

__all__ = ["Action", "Effects", "Task"]
