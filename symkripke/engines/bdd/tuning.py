"""The settings of the bdd engine, each with the measurement that determined it.

Measurements run as `python -m benchmarks NAME`, and the long checks `memory` and `overruns` as
`python -m tests.soak NAME`.
"""

from __future__ import annotations

from dataclasses import field

from symkripke.engines.count.tuning import CountingTuning
from symkripke.records import dataclass

NODES_A_UNIT = 50
"""The number of nodes that can be created in one unit of work (see `symkripke.limits`)."""


@dataclass(frozen=True)
class BddTuning:
    """The settings of one engine.

    A family consists of all structures that come from one first structure.

    Attributes:
        small_atoms: the number of atoms up to which a structure is small and its diagram counts the
            worlds. Other methods need numpy, whose import takes longer than checking a small file
            (`engines`).
        operations: the number of entries in the library's cache of operations. Four times this
            number is no faster and takes up to 0.3 s to set up (`counts`, `families`).
        few_operations: the value of `operations` for small structures (`engines`).
        uncollected_nodes: the number of nodes above which unused nodes are collected between
            questions (`memory`).
        fewest_nodes: the number of nodes that is allowed however little memory there is; about a
            megabyte (`memory`).
        live_nodes: the number of nodes in use above which a family is evicted (`memory`).
        soon: a family that is evicted again within this number of questions gets a higher bound
            (`memory`).
        bytes: the maximum size of the diagrams of all families, in bytes (`memory`).
        between_sums: the number of questions after which these sizes are summed up again
            (`questions`).
        laws: the maximum number of cached laws per family (`questions`).
        sets: the maximum number of cached sets of worlds with a formula per family (`engines`).
        facts: the maximum number of cached sets of worlds with a fact, for structures with the same
            fluents. A list of worlds has thousands of facts (`engines`).
        small_law: the number of nodes of the law up to which nested knowledge is computed for all
            worlds at once (`families`).
        small_law_of_many: the bound of `small_law` for laws with many variables (`families`).
        batch: the minimum number of parts for computing the knowledge of many agents in one pass
            (`families`).
        batches: the maximum number of cached lists of such parts (`families`).
        batch_results: the maximum number of cached results of such passes (`families`).
        cells: the number of cells of an agent up to which they are counted one by one (`counts`).
        counted_laws: the maximum number of cached weighted laws per family (`counts`).
        arrays: the maximum number of diagrams cached as arrays per family (`counts`, the studies of
            `symkripke experiment`).
        array_bytes: the maximum size of these arrays in bytes (`memory`).
        cases: the maximum number of combinations of cases that are tried to check whether the
            likelihoods of an event cancel (`counts`).
        weighted_diagrams: the maximum number of cached weighted diagrams per family (the studies).
        weighted_bytes: the maximum size of these diagrams in bytes (`memory`).
        weighted_share: the divisor of the maximum number of nodes that yields the maximum number of
            states of a weighted diagram. States are larger than nodes (`memory`).
        projected_views: the maximum number of cached pairs of sets for questions about others'
            knowledge (`outliers`).
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
    """The settings for cutting operations on diagrams into slices (`overruns`), for all engines.

    Attributes:
        uncut_in_all: the number of nodes of the manager up to which no operation is cut, because
            each takes at most a tenth of a second.
        uncut_operands: the number of nodes of the operands up to which an operation is not cut.
        slices: the approximate number of slices of an operation.
        seconds_per_counted_node: the time for counting a node, in seconds.
        seconds_per_written_node: the time for writing a node to a file and reading it, in seconds.
        lateness: the time by which an operation that cannot be cut may exceed the limit, in
            seconds.
        nodes_per_operation: the number of nodes whose creation takes as long as one operation.
    """

    uncut_in_all: int = 200_000
    uncut_operands: int = 20_000
    slices: int = 64
    seconds_per_counted_node: float = 2e-6
    seconds_per_written_node: float = 6e-6
    lateness: float = 0.3
    nodes_per_operation: int = 16


SLICING = Slicing()
