"""The settings of the bdd engine, each with the command that chose it.

Measurements run as `python -m benchmarks NAME`, the long checks `memory` and `overruns` as
`python -m tests.soak NAME`.
"""

from __future__ import annotations

from dataclasses import field

from symkripke.engines.count.tuning import CountingTuning
from symkripke.records import dataclass

NODES_A_UNIT = 50
"""The number of nodes that can be made in one unit of work (see `symkripke.limits`)."""


@dataclass(frozen=True)
class BddTuning:
    """The settings of one engine. A family is all structures that come from one first structure.

    Attributes:
        small_atoms: atoms. A structure with no more atoms has a small diagram, which counts its
            worlds. Other methods need numpy, whose import takes longer than a small file
            (`engines`).
        operations: entries of the library's cache of operations. Four times as many are no faster,
            and take up to 0.3 s to set up (`counts`, `families`).
        few_operations: the same for small structures (`engines`).
        uncollected_nodes: nodes beyond which unused ones are collected between questions
            (`memory`).
        fewest_nodes: nodes that are allowed however little memory there is; a megabyte (`memory`).
        live_nodes: nodes in use. A family with more is dropped (`memory`).
        soon: questions. A family that is dropped again within this number gets a higher bound
            (`memory`).
        bytes: bytes of the diagrams of all families (`memory`).
        between_sums: questions between two sums of these bytes (`questions`).
        laws: laws that are kept for a family (`questions`).
        sets: sets of worlds with a formula that are kept for a family (`engines`).
        facts: sets of worlds with a fact that are kept for structures with the same fluents. A list
            of worlds has thousands (`engines`).
        small_law: nodes of the law up to which nested knowledge is computed for all worlds at once
            (`families`).
        small_law_of_many: the bound of `small_law` for laws with many variables (`families`).
        batch: parts from which the knowledge of many agents is computed in one pass (`families`).
        batches: lists of such parts that are kept (`families`).
        batch_results: results of such passes that are kept (`families`).
        cells: cells of an agent up to which they are counted one by one (`counts`).
        counted_laws: weighted laws that are kept for a family (`counts`).
        arrays: diagrams that are kept as arrays for a family (`counts`, the studies of `symkripke
            experiment`).
        array_bytes: bytes of these arrays (`memory`).
        cases: combinations of cases that are tried to see if the likelihoods of an event cancel
            (`counts`).
        weighted_diagrams: weighted diagrams that are kept for a family (the studies).
        weighted_bytes: bytes of these (`memory`).
        weighted_share: a weighted diagram may have this fraction (1/n) of the nodes of an engine,
            since its states are larger (`memory`).
        projected_views: pairs of sets for questions about others' knowledge that are kept
            (`outliers`).
        counting: the settings of counting without diagrams.
    """

    small_atoms: int = 32
    operations: int = 1 << 20
    few_operations: int = 1 << 16
    uncollected_nodes: int = 1 << 18
    fewest_nodes: int = 20_000
    live_nodes: int = 750_000
    soon: int = 256
    bytes: int = 256_000_000
    between_sums: int = 64
    laws: int = 192
    sets: int = 64
    facts: int = 1 << 13
    small_law: int = 60_000
    small_law_of_many: int = 250_000
    batch: int = 8
    batches: int = 4
    batch_results: int = 1 << 20
    cells: int = 4_000
    counted_laws: int = 64
    arrays: int = 256
    array_bytes: int = 64_000_000
    cases: int = 256
    weighted_diagrams: int = 512
    weighted_bytes: int = 32_000_000
    weighted_share: int = 8
    projected_views: int = 64
    counting: CountingTuning = field(default_factory=CountingTuning)


@dataclass(frozen=True)
class Slicing:
    """When operations on diagrams are cut into slices (`overruns`); the same for all engines.

    Attributes:
        uncut_in_all: nodes of the manager up to which no operation is cut: each takes at most a
            tenth of a second.
        uncut_operands: nodes of the operands up to which an operation is not cut.
        slices: slices of an operation.
        seconds_per_counted_node: seconds to count a node.
        seconds_per_written_node: seconds to write a node to a file, and to read it.
        lateness: seconds by which an operation that cannot be cut may exceed the limit.
        nodes_per_operation: the number of nodes that take as long to make as one operation.
    """

    uncut_in_all: int = 200_000
    uncut_operands: int = 20_000
    slices: int = 64
    seconds_per_counted_node: float = 2e-6
    seconds_per_written_node: float = 6e-6
    lateness: float = 0.3
    nodes_per_operation: int = 16


SLICING = Slicing()
