"""The settings of the sat engine: bounds and thresholds."""

from __future__ import annotations

from symkripke.records import dataclass


@dataclass(frozen=True)
class Tuning:
    """The settings of one engine; none of them changes an answer.

    The default values were chosen by measurements, whose names are in brackets: `python -m
    benchmarks NAME`, or for the long checks `memory`, `overruns` and `reasons`, `python -m
    tests.soak NAME`.

    Attributes:
        conflicts_a_look: conflicts between two checks of the limits, if propagations are few
            [overruns].
        slice_cost: the cost of one slice of a solver, about 0.2 s: its propagations times 1 plus
            the average number of occurrences of a variable in cardinality constraints [overruns].
        least_propagations: the least propagations of a slice; in shorter slices the solver would
            mostly restart [overruns].
        first_slice_conflicts: the most conflicts of a first slice, which are not counted [work].
        clauses_a_look: clauses given to a solver between two checks of the limits, about 0.1 ms
            [overruns].
        work_of_call: units of work for a call of a solver [work].
        work_of_conflict: units of work for a conflict [work].
        work_of_full_slice: units of work for a slice that used up its propagations [work].
        work_of_candidate: units of work for a candidate, in addition to those for its bits [work].
        bits_a_unit: bits of a candidate for each further unit of work [work].
        announcement_candidates: candidates after which an announcement is no longer assumed to be
            true at all worlds [families].
        first_stage: candidates for a guess in the first stage of a search [outliers].
        stage_growth: factor from one stage to the next [outliers].
        candidates_before_swaps: candidates of one search after which cyclic swaps are stated
            [insight].
        candidates_before_first_swaps: candidates of all searches together before cyclic swaps are
            first stated, so that a single short question does not pay for later ones. (Buying once
            the rent paid equals the price costs at most twice the optimum: A. Karlin et al.:
            Competitive snoopy caching, 1988.) [nested]
        fluents_of_fact: fluents of a fact beyond which no axiom states knowledge of it [nested].
        similar_candidates: similar candidates after which the search goes on with a random one. Of
            eight numberings of the variables of eight hands of two, six are decided within 6 s.
            Without this setting two are, and without this setting and
            `conflicts_before_remembering` only one [engines].
        witnesses_a_target: worlds cached at which a formula with knowledge is true, about one for
            each agent [insight].
        conflicts_before_remembering: conflicts of one call after which the solver keeps more learnt
            clauses [engines].
        variables_to_remember: variables of the clauses that make the solver keep them, with three
            variables in each clause [engines].
        conflicts_before_aids: conflicts of one call after which the solver gets cardinality aids
            [outliers].
        unions: unions of values with variables of their own, as cardinality aids [outliers].
        long_core: length of a core beyond which the search first tries a core of positive literals
            only; without it, `nested` takes 1.2 times as long [nested].
        candidates_without: candidates of one step that tries to omit a literal from a core
            [nested].
        conflicts_without: conflicts of one call in such a step [nested].
        belief_failures: failed steps after which a core that depends on beliefs is not reduced
            further, because each step goes through all soft constraints [outliers].
        lemmas_before_images: lemmas of a formula before its symmetries are used [outliers].
        residue_clauses: clauses of a residue beyond which a fluent is not eliminated [nested].
        extensions: combinations of values of new fluents that are tried for a world [outliers].
        minds: cached results for what an agent believes, given observations and a condition
            [counts].
        conditions: conditions of beliefs for which a perspective caches the result [counts].
        world_solvers: cached world solvers. A running game needs one for each agent, and questions
            about the past need more [game].
        modal_solvers: cached solvers for knowledge about knowledge [nested].
        lists: lists of atoms for which literals and results are cached [growth].
        spare_witnesses: witnesses that a world solver keeps in addition to those of projections
            [game].
        most_witnesses: witnesses of a world solver beyond which the surplus is dropped [game].
        projections: lists of literals for which a world solver caches the projection [growth].
        size_of_worlds: variables and clauses of world solvers beyond which these are dropped
            [memory].
        size_of_knowledge: lemmas and variables of modal solvers beyond which these are dropped
            [memory].
        families: first structures for which solvers are cached [memory].
        looks_soon: checks of the size within which a bound that is reached again is raised
            [memory].
        looks_a_trim: checks of the size after which free memory is returned to the system, which
            takes 2 to 3 ms [memory].
        resolved: cached resolved formulas [memory].
        formulas_a_look: new formulas between two checks of the size of the caches [memory].
        source_orders: random orders in which a short explanation is searched for [reasons].
        orders_a_source: further orders for each source beyond two [reasons].
        most_further_orders: maximum number of further orders [reasons].
        source_conflicts: conflicts for one order. If no explanation is found, the next bound
            applies; None means no bound [reasons].
        grounds: worlds examined for a reason why others do not know [reasons].
        reason_candidates: candidates for such a reason [reasons].
        reason_work: units of work for such a reason; beyond these bounds it is not minimal
            [reasons].
        reason_conflicts: conflicts of one call for such a reason [reasons].
        covering_lemmas: lemmas beyond which no small covering set is searched for [reasons].
    """

    conflicts_a_look: int = 2_000
    slice_cost: int = 400_000
    least_propagations: int = 1_000
    first_slice_conflicts: int = 100
    clauses_a_look: int = 64
    work_of_call: int = 5
    work_of_conflict: int = 2
    work_of_full_slice: int = 20_000
    work_of_candidate: int = 20
    bits_a_unit: int = 4

    announcement_candidates: int = 1_000
    first_stage: int = 8
    stage_growth: int = 4
    candidates_before_swaps: int = 3
    candidates_before_first_swaps: int = 12
    similar_candidates: int = 8
    fluents_of_fact: int = 6
    witnesses_a_target: int = 16
    conflicts_before_remembering: int = 200
    variables_to_remember: int = 28
    conflicts_before_aids: int = 10_000
    unions: int = 64

    long_core: int = 4
    candidates_without: int = 3
    conflicts_without: int = 200
    belief_failures: int = 1
    lemmas_before_images: int = 8
    residue_clauses: int = 16
    extensions: int = 64

    minds: int = 256
    conditions: int = 64
    world_solvers: int = 24
    modal_solvers: int = 8
    lists: int = 64
    spare_witnesses: int = 48
    most_witnesses: int = 256
    projections: int = 32
    size_of_worlds: int = 3_000
    size_of_knowledge: int = 5_000
    families: int = 32
    looks_soon: int = 16
    looks_a_trim: int = 32
    resolved: int = 4_000
    formulas_a_look: int = 64

    source_orders: int = 12
    orders_a_source: int = 4
    most_further_orders: int = 40
    source_conflicts: tuple[int | None, ...] = (2_000, 20_000, None)
    grounds: int = 300
    reason_candidates: int = 4_000
    reason_work: int = 60_000
    reason_conflicts: int = 5_000
    covering_lemmas: int = 400


DEFAULT = Tuning()
