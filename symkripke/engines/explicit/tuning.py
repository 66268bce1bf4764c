"""The settings of the explicit engine, each with the command that chose it.

Measurements run as `python -m benchmarks NAME`, the long checks `memory` and `overruns` as
`python -m tests.soak NAME`.
"""

from __future__ import annotations

from symkripke.records import dataclass


@dataclass(frozen=True)
class ExplicitTuning:
    """The settings of one engine.

    Attributes:
        bytes: bytes of all models that are kept (`memory`).
        between_sums: questions between two sums of these bytes (`versus-explicit`).
        partitions: partitions into cells, and into components, that a model keeps
            (`versus-explicit`).
        partition_bytes: bytes of each of the two (`memory`).
    """

    bytes: int = 512_000_000
    between_sums: int = 64
    partitions: int = 64
    partition_bytes: int = 256_000_000
