"""The settings of counting without diagrams, each with the command that chose it.

Measurements run as `python -m benchmarks NAME`, the long checks `memory` and `overruns` as
`python -m tests.soak NAME`.
"""

from __future__ import annotations

from symkripke.records import dataclass


@dataclass(frozen=True)
class CountingTuning:
    """The settings of one counter.

    Attributes:
        laws: laws that are kept with their counts (`counts`).
        states: states of all these, about 200 bytes each (`memory`).
        components: counts of components that are kept (`counts`).
        table: keys of states up to which they are looked up in a table of 32 MB; more are sorted
            (`counts`).
        machine: counts below this, and sums of two of them, are exact as numpy's integers.
        disjoint_parts: fluents of a sum up to which disjoint sums are counted without numpy
            (`engines`).
        event_atoms: atoms. What an event says of more is not made a table of weights (`counts`).
        event_values: the same for values of its private fluents (`counts`).
        value_rows: rows of a factor of one value (`counts`).
        value_states: states, and terms of all values, up to which worlds are counted value by value
            (`counts`).
    """

    laws: int = 16
    states: int = 500_000
    components: int = 2_000
    table: int = 1 << 22
    machine: int = 1 << 62
    disjoint_parts: int = 100
    event_atoms: int = 6
    event_values: int = 64
    value_rows: int = 2_000
    value_states: int = 10_000
