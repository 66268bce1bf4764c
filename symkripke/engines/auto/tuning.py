"""The settings of the auto engine."""

from __future__ import annotations

from symkripke.records import dataclass


@dataclass(frozen=True, slots=True)
class AutoTuning:
    """The settings of an auto engine, all determined by `python -m benchmarks engines`.

    Work is in units of about 10 microseconds (see `symkripke.limits`).

    Attributes:
        clauses_first: the work of sat when it is asked first; more than most questions need.
        clauses_second: the work of sat after a diagram.
        diagram_first: the work of bdd when it is asked first. Rules that expect a small diagram are
            usually right, and this work takes less time than another engine needs to begin.
        diagram_second: the work of bdd after sat.
        deal_clauses: the work of sat if cards were dealt out; about three seconds.
        deal_diagram: the work of bdd if cards were dealt out; about a second.
        growth: the factor by which the work of turns grows after each round. All turns together
            therefore take at most about twice the work of the last round.
        small_nodes: the maximum number of nodes of "bdd_small". 640 muddy children need a third of
            this number. A larger diagram reaches the bound in about a second.
        few_valuations: the number of valuations up to which a diagram is always small.
    """

    clauses_first: int = 20_000
    clauses_second: int = 10_000
    diagram_first: int = 100_000
    diagram_second: int = 10_000
    deal_clauses: int = 300_000
    deal_diagram: int = 100_000
    growth: int = 2
    small_nodes: int = 500_000
    few_valuations: int = 1 << 16


DEFAULT = AutoTuning()
"""The default settings of an engine."""
