"""The settings of the auto engine."""

from __future__ import annotations

from symkripke.records import dataclass


@dataclass(frozen=True, slots=True)
class AutoTuning:
    """The work of the first turns. `python -m benchmarks engines` has chosen all of them.

    Work is in units of about 10 microseconds: see `symkripke.limits`.

    Attributes:
        clauses_first: work of sat where it is asked first: more than most questions take.
        clauses_second: work of sat after a diagram.
        diagram_first: work of bdd where it is asked first. A rule that expects a small diagram is
            mostly right, and half a second is less than another engine needs to begin.
        diagram_second: work of bdd after sat.
        deal_clauses: work of sat where cards were dealt out: a minute.
        deal_diagram: work of bdd then: ten seconds.
        growth: the factor by which the turns grow once each engine has had one. All turns together
            therefore take at most about twice the work of the last one.
        small_nodes: nodes of a diagram with little room. 640 muddy children need a third of them.
            A diagram that needs more reaches the bound in about a second.
        few_valuations: the number of valuations up to which a diagram is always small.
    """

    clauses_first: int = 20_000
    clauses_second: int = 10_000
    diagram_first: int = 100_000
    diagram_second: int = 10_000
    deal_clauses: int = 6_000_000
    deal_diagram: int = 1_000_000
    growth: int = 2
    small_nodes: int = 500_000
    few_valuations: int = 1 << 16


DEFAULT = AutoTuning()
"""The settings of an engine for which nothing else is said."""
