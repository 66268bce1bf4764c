"""The settings of counting without diagrams, each with the measurement that determined it.

Measurements run as `python -m benchmarks NAME`, and the long checks `memory` and `overruns` as
`python -m tests.soak NAME`.
"""

from __future__ import annotations

from symkripke.records import dataclass


@dataclass(frozen=True)
class CountingTuning:
    """The settings of one counter.

    Attributes:
        laws: the maximum number of cached laws with their counts (`counts`).
        states: the maximum number of states of all cached laws, of about 200 bytes each (`memory`).
        components: the maximum number of cached counts of components (`counts`).
        table: the number of possible keys of states up to which a table of 32 MB finds equal keys;
            above it, keys are sorted (`counts`).
        machine: the bound below which counts, and sums of two of them, are exact as numpy integers.
        disjoint_parts: the number of fluents per sum up to which disjoint sums are counted without
            numpy (`engines`).
        event_atoms: the maximum number of atoms in the table of weights of an event (`counts`).
        event_values: the maximum number of joint values of an event's private fluents for such a
            table (`counts`).
        value_rows: the maximum number of rows of a factor of one value (`counts`).
        value_states: the number of states, and of terms of all values, up to which worlds are
            counted value by value (`counts`).
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
