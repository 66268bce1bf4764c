"""The settings of the explicit engine, each with the measurement that determined it.

Measurements run as `python -m benchmarks NAME`, and the long checks `memory` and `overruns` as
`python -m tests.soak NAME`.
"""

from __future__ import annotations

from symkripke.records import dataclass


@dataclass(frozen=True)
class ExplicitTuning:
    """The settings of one engine.

    Attributes:
        bytes: the maximum size of all cached models, in bytes (`memory`).
        between_sums: the number of questions after which this size is computed again
            (`versus-explicit`).
        partitions: the maximum number of cached partitions per model, both into cells and into
            components (`versus-explicit`).
        partition_bytes: the maximum size of each of these two caches, in bytes (`memory`).
    """

    bytes: int = 512_000_000
    between_sums: int = 64
    partitions: int = 64
    partition_bytes: int = 256_000_000
