"""The contract of engines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from symkripke.engines import Budget, Engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.smt.recheck import stands
from symkripke.errors import (
    BudgetExceeded,
    ImpossibleEvent,
    InputError,
    SymkripkeError,
    Unsupported,
)
from symkripke.explain import Combined, Evidence, Known, Possible
from symkripke.language import (
    CB,
    FALSE,
    TRUE,
    Atom,
    C,
    D,
    Formula,
    K,
    Kv,
    M,
    conjunction,
    negation,
)
from symkripke.language.walk import is_propositional
from symkripke.limits import Limit, under
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Perspective,
    Scene,
    Soft,
    Vocabulary,
    evaluate,
)
from symkripke.testing.histories import BrokenContract
from symkripke.testing.random_models import (
    ALL,
    BELIEF,
    BOOLEAN,
    Names,
    Seeded,
    random_formula,
    random_history,
)

NOTHING = Budget(seconds=0)

# The numbers of checks of the limits after which a question is stopped.
_LOOKS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377)

Asked = Callable[[Engine], Any]
Limited = Callable[[Engine, Budget | None], Any]


class EngineContract(ABC):
    """The contract of every engine. Subclass it in a test file, and define `make`.

    The oracle is the explicit engine, which implements the definitions directly.

    Attributes:
        operators: the operators that the engine answers at scenes.
        cases: the number of random situations in each test.
        formulas: the number of formulas asked about each situation.
        counts: whether the engine counts and weighs worlds.
        weighting: the weighting of worlds.
        beliefs: whether all situations have soft constraints, so that belief differs from
            knowledge.
        explains: whether the engine must find counter-worlds.
        instant: kinds of questions (see `limited`) that the engine may answer in small situations
            before it checks the time.
        seed: the seed of the random situations.
    """

    operators: Sequence[str] = (*BOOLEAN, "K", "M", "Kw", "Kv", "E", "D")
    cases: int = 30
    formulas: int = 4
    counts: bool = False
    weighting: str = "equal"
    beliefs: bool = False
    explains: bool = True
    instant: Sequence[str] = ()
    seed: int = 0

    @abstractmethod
    def make(self) -> Engine:
        """Return a new engine."""

    # ---- situations ----------------------------------------------------------------------------

    @property
    def oracle(self) -> ExplicitEngine:
        """A new engine whose answers are taken to be correct."""
        return ExplicitEngine(weighting=self.weighting)

    def scenes(self, offset: int, modal: bool = False, beliefs: bool = False) -> Iterator[Any]:
        """Yield random situations, each with its seed and the choices for its formulas."""
        oracle = self.oracle

        def judge(scene: Scene, formula: Formula) -> bool:
            return bool(oracle.holds(scene, formula))

        for number in range(self.cases):
            seed = self.seed + 100_000 * offset + number
            scene = random_history(
                Seeded(seed),
                judge=judge if modal else None,
                likelihoods=self.weighting != "equal",
                beliefs=beliefs or self.beliefs,
            )
            yield seed, scene, Seeded(seed + 50_000)

    def asked(self, scene: Scene, choices: Seeded) -> list[Formula]:
        """Return random formulas about a situation."""
        names = Names.of(scene.structure)
        return [
            random_formula(choices, names, choices.integer(1, 4), self.operators)
            for _ in range(self.formulas)
        ]

    # ---- answers -----------------------------------------------------------------------------

    def test_truth_and_validity(self) -> None:
        """Check truth at scenes, validity and evidence of nested formulas."""
        oracle = self.oracle
        for seed, scene, choices in self.scenes(1):
            engine = self.make()
            for formula in self.asked(scene, choices):
                answer = engine.holds(scene, formula)
                same(oracle.holds(scene, formula), answer, seed, formula)
                valid = engine.valid(scene.structure, formula)
                same(oracle.valid(scene.structure, formula), valid, seed, formula)
                evidence = evidence_of(answer)
                if evidence is not None and evidence.truth != bool(answer):
                    raise BrokenContract(f"case {seed}: the evidence contradicts {answer!r}")

    def test_one_engine_along_a_game_and_back(self) -> None:
        """Check that results cached at one moment do not affect answers at another."""
        oracle = self.oracle
        for seed, scene, choices in self.scenes(2):
            engine, stages = self.make(), len(scene.structure.stages)
            names = Names.of(scene.structure.root)
            formulas = [
                random_formula(choices, names, choices.integer(1, 3), self.operators)
                for _ in range(self.formulas)
            ]
            for events in (*range(stages), *reversed(range(stages))):
                there = scene.after(events)
                for formula in formulas:
                    answer = engine.holds(there, formula)
                    same(oracle.holds(there, formula), answer, seed, formula)

    def test_announcements_about_knowledge(self) -> None:
        """Check that engines answer correctly with modal laws, or raise `Unsupported`.

        The engine is asked about the end first. Results cached there must not affect its answers
        about earlier moments.
        """
        oracle = self.oracle
        for seed, scene, choices in self.scenes(3, modal=True):
            if not scene.structure.law.is_modal:
                continue
            engine, names = self.make(), Names.of(scene.structure.root)
            formulas = [
                random_formula(choices, names, choices.integer(1, 3), self.operators)
                for _ in range(self.formulas)
            ]
            stages = len(scene.structure.stages)
            for events in (stages - 1, *range(stages)):
                there = scene.after(events)
                for formula in formulas:
                    with suppress(Unsupported, BudgetExceeded):
                        answer = engine.holds(there, formula)
                        same(oracle.holds(there, formula), answer, seed, formula)
                        valid = engine.valid(there.structure, formula)
                        same(oracle.valid(there.structure, formula), valid, seed, formula)
            for agent in names.agents:
                view = scene.perspective(agent)
                with suppress(Unsupported):
                    equal(oracle.sheet(view).marks, engine.sheet(view).marks, seed, "sheet")

    def test_perspectives(self) -> None:
        """Check truth at perspectives, and `InputError` for formulas that are not decided there."""
        oracle = self.oracle
        for seed, scene, choices in self.scenes(4):
            engine = self.make()
            for agent in scene.structure.agents:
                view = scene.perspective(agent)
                for formula in self.asked(scene, choices)[:2]:
                    expected = truth_or_fault(oracle, view, formula)
                    if truth_or_fault(engine, view, formula) != expected:
                        raise BrokenContract(
                            f"case {seed}: {formula} at the perspective of {agent}: expected "
                            f"{expected} (None if undecided)"
                        )

    def test_who_considers_possible(self) -> None:
        """Check that `possible_to` agrees with M for each agent."""
        for seed, scene, choices in self.scenes(5):
            engine, agents = self.make(), scene.structure.agents
            formula = random_formula(choices, Names.of(scene.structure), 2, BOOLEAN)
            group = engine.possible_to(scene, formula, agents)
            expected = {agent for agent in agents if self.oracle.holds(scene, M(agent, formula))}
            equal(expected, group, seed, f"possible_to {formula}")

    def test_sheets_possibilities_and_witnesses(self) -> None:
        """Check the agents' knowledge of atoms, and the worlds that they consider possible."""
        oracle = self.oracle
        for seed, scene, _ in self.scenes(6):
            engine = self.make()
            for agent in scene.structure.agents:
                view = scene.perspective(agent)
                equal(oracle.sheet(view).marks, engine.sheet(view).marks, seed, "sheet")
                atoms = view.structure.atoms[:6]
                expected = oracle.possibilities(view, atoms)
                equal(expected, engine.possibilities(view, atoms), seed, "possibilities")
                for atom in atoms[:3]:
                    check_witness(engine, oracle, view, atom, seed)
                if len(expected) > 1:
                    fails(BudgetExceeded, partial(engine.possibilities, view, atoms, limit=1))

    def test_beliefs(self) -> None:
        """Check which soft constraints agents keep, unless the engine raises `Unsupported`."""
        oracle = self.oracle
        for seed, scene, _ in self.scenes(7, beliefs=True):
            engine = self.make()
            for agent in scene.structure.agents:
                view = scene.perspective(agent)
                try:
                    beliefs = engine.believed(view)
                except Unsupported:
                    continue
                equal(oracle.believed(view), beliefs, seed, f"believed by {agent}")

    def test_counts(self) -> None:
        """Check exact numbers of worlds and probabilities, along games and back."""
        oracle = self.oracle
        for seed, scene, choices in self.scenes(8):
            engine, stages = self.make(), len(scene.structure.stages)
            for events in (*range(stages), *reversed(range(stages - 1))):
                there = scene.after(events)
                names = Names.of(there.structure)
                view = there.perspective(choices.one_of(names.agents))
                formula = random_formula(choices, names, 2, BOOLEAN)
                for name, question in counting(view, formula, names).items():
                    try:
                        answer = question(engine)
                    except Unsupported:
                        if self.counts:
                            raise
                        continue
                    equal(question(oracle), answer, seed, name)

    def test_samples(self) -> None:
        """Check that sampled worlds are possible, and the same for the same seed."""
        for seed, scene, choices in self.scenes(13):
            view = scene.perspective(choices.one_of(scene.structure.agents))
            try:
                drawn = self.make().sample(view, 5, Random(seed))
            except Unsupported:
                if self.counts:
                    raise
                continue
            equal(drawn, self.make().sample(view, 5, Random(seed)), seed, "the same sample")
            model = self.oracle.model(scene.structure)
            rows = {*model.matching(view.observation).tolist()}
            for world in drawn:
                if model.row(world) not in rows:
                    raise BrokenContract(f"case {seed}: {view.agent} excludes a sampled world")

    # ---- refusals ------------------------------------------------------------------------------

    def test_what_it_does_not_answer_it_refuses(self) -> None:
        """Check, for all operators, that the engine answers correctly or raises `Unsupported`."""
        oracle = self.oracle
        for seed, scene, choices in self.scenes(9, beliefs=True):
            engine, names = self.make(), Names.of(scene.structure)
            for _ in range(self.formulas):
                formula = random_formula(choices, names, 2, (*ALL, *BELIEF))
                try:
                    answer = engine.holds(scene, formula)
                except (Unsupported, BudgetExceeded):
                    continue
                same(oracle.holds(scene, formula), answer, seed, formula)

    def test_running_out_is_no_answer(self) -> None:
        """Check that an engine without any time answers correctly or raises `BudgetExceeded`.

        Afterwards it must answer correctly without a budget. Some questions can be answered at
        once; if all were, the engine would ignore the budget.
        """
        oracle = self.oracle
        answered: set[str] = set()
        stopped: set[str] = set()
        for _, scene, choices in self.scenes(10):
            engine = self.make()
            for kind, question in limited(scene, self.asked(scene, choices)):
                expected = question(oracle, None)
                try:
                    answer = question(engine, NOTHING)
                except Unsupported:
                    continue
                except BudgetExceeded:
                    stopped.add(kind)
                else:
                    answered.add(kind)
                    equal(expected, answer, 10, f"{kind}, without any time")
                equal(expected, question(engine, None), 10, f"{kind}, after it ran out")
        unlimited = answered - stopped - {*self.instant}
        if unlimited:
            raise BrokenContract(
                f"all questions of these kinds were answered without any time: "
                f"{', '.join(sorted(unlimited))}; expected some to raise BudgetExceeded"
            )

    def test_running_out_anywhere(self) -> None:
        """Check that a question stopped at any check of limits does not affect later answers."""
        oracle = self.oracle
        stopped = 0
        for seed, scene, choices in self.scenes(12):
            engine = self.make()
            for kind, question in limited(scene, self.asked(scene, choices)):
                expected = question(oracle, None)
                for looks in _LOOKS:
                    try:
                        with under(_Looks(looks)):
                            answer = question(engine, None)
                    except Unsupported:
                        break
                    except BudgetExceeded:
                        stopped += 1
                    else:
                        equal(expected, answer, seed, f"{kind}, within {looks} checks of limits")
                        break
                with suppress(Unsupported):
                    equal(expected, question(engine, None), seed, f"{kind}, after it was stopped")
        if not stopped:
            raise BrokenContract("no question was ever stopped: the engine checks no limits")

    def test_wrong_questions(self) -> None:
        """Check that wrong questions raise `InputError`, or other errors of this package."""
        scene = next(scene for _, scene, _ in self.scenes(11))
        engine, view = self.make(), scene.perspective(scene.structure.agents[0])
        texts = ("", "(", "K[ann", "p &", "K[nobody] p", "nothing", "nothing = 1", "\0", "é" * 9)
        formulas = (Atom("nothing"), Atom("p", "purple"), K("nobody", Atom("p")))
        things: tuple[Any, ...] = (None, 3, b"p")
        for wrong in (*texts, *formulas, *things):
            fails(InputError, partial(engine.holds, scene, wrong))
            fails(InputError, partial(engine.holds, view, wrong))
            fails(InputError, partial(engine.valid, scene.structure, wrong))
        fails(InputError, lambda: engine.sheet(view, [Atom("nothing")]))
        fails(InputError, lambda: engine.possibilities(view, [Atom("nothing")]))
        fails(InputError, lambda: engine.witness(view, "nothing"))
        fails(SymkripkeError, lambda: engine.probability(view, "nothing"))
        fails(SymkripkeError, lambda: engine.worlds(view, ["nothing"]))

    def test_states_that_cannot_be(self) -> None:
        """Check that a state that contradicts the law raises `ImpossibleEvent` or has no worlds."""
        p, q = Atom("p"), Atom("q")
        structure = KnowledgeStructure.of(
            Vocabulary.of([Fluent("p"), Fluent("q")], ["ann"]),
            [Constraint(conjunction((p, q)), "both")],
            {"ann": [Observable(p, "sees p")]},
        )
        engine, view = self.make(), Perspective.of(structure, "ann", [])
        for question in (K("ann", q), M("ann", q), p):
            fails(ImpossibleEvent, partial(engine.holds, view, question))
        fails(ImpossibleEvent, partial(engine.sheet, view))
        equal(frozenset(), engine.possibilities(view, [p, q]), 0, "possibilities of nothing")
        equal(None, engine.witness(view, TRUE), 0, "a witness of nothing")
        empty = structure.announce(negation(p))
        same(True, engine.valid(empty, FALSE), 0, FALSE)
        equal(None, engine.witness(empty, TRUE), 0, "a witness of nothing")
        with suppress(Unsupported):
            equal(0, engine.worlds(view), 0, "worlds of nothing")
            equal(0, engine.worlds(empty), 0, "worlds of nothing")
            for count in (engine.marginals, partial(engine.sample, number=1, chance=Random(1))):
                fails(ImpossibleEvent, partial(count, view))

    def test_very_deep_formulas(self) -> None:
        """Check that thousands of nested operators lead to an answer or a refusal."""
        _, scene, _ = next(self.scenes(14))
        deep: Formula = scene.structure.atoms[0]
        for level in range(3_000):
            deep = M(scene.structure.agents[level % 2], negation(deep))
        with suppress(Unsupported, BudgetExceeded):
            bool(self.make().holds(scene, deep))

    # ---- evidence ------------------------------------------------------------------------------

    def test_evidence_can_be_checked_again(self) -> None:
        """Check that sources prove knowledge and are minimal, and that counter-worlds are possible.

        For nested knowledge, each world must be possible at the previous world, and the last world
        must refute the formula.
        """
        shown = longer = 0
        for seed, scene, choices in self.scenes(15):
            engine, names = self.make(), Names.of(scene.structure)
            agents = [choices.one_of(names.agents) for _ in range(3)]
            inner = random_formula(choices, names, 2, BOOLEAN)
            fluent = choices.one_of(names.fluents).name
            for formula in (
                *self.asked(scene, choices),
                K(agents[0], inner),
                M(agents[0], inner),
                negation(K(agents[1], inner)),
                Kv(agents[0], (fluent,)),
                K(agents[0], K(agents[1], K(agents[2], inner))),
                negation(M(agents[0], M(agents[1], inner))),
                D(agents[:2], inner),
                C(names.agents, inner),
            ):
                for found in self.shown(engine, scene, formula, seed):
                    shown += 1
                    longer += len(found.worlds) > 1
        if self.explains and (shown < self.cases or not longer):
            raise BrokenContract(
                f"{self.cases} situations led to {shown} chains of counter-worlds, {longer} with "
                f"two or more worlds; expected {self.cases} or more chains, 1 or more of them long"
            )

    def shown(
        self, engine: Engine, scene: Scene, formula: Formula, seed: int
    ) -> Iterator[Possible]:
        """Check the whole evidence, and yield the chains of counter-worlds in it."""
        try:
            evidence = evidence_of(engine.holds(scene, formula))
        except Unsupported:
            return
        for leaf in leaves(evidence) if evidence is not None else ():
            if isinstance(leaf, Known):
                check_sources(leaf, seed)
            if isinstance(leaf, Possible):
                check_links(leaf, scene, self.oracle, seed)
                yield leaf

    def test_each_step_shows_what_is_so(self) -> None:
        """Check every world on the way to the world that refutes common knowledge or belief.

        Ann sees p, Bob sees q, and both are true. Only steps of both agents lead to the world at
        which both are false.
        """
        p, q = Atom("p"), Atom("q")
        soft = [Soft(negation(one), 0, f"mostly not {one}") for one in (p, q)]
        sees = {"ann": [Observable(p, "sees p")], "bob": [Observable(q, "sees q")]}
        for believed in ([], soft):
            vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ["ann", "bob"])
            structure = KnowledgeStructure.of(vocabulary, [], sees, believed)
            scene = Scene.of(structure, {"p": "true", "q": "true"})
            for formula in (C(("ann", "bob"), p | q), CB(("ann", "bob"), p | q)):
                list(self.shown(self.make(), scene, formula, 0))


class _Looks(Limit):
    """A limit that is reached after a number of checks."""

    def __init__(self, looks: int) -> None:
        """Create a limit that allows this number of checks."""
        super().__init__(Budget())
        self._left = [looks]

    def check(self) -> None:
        """Raise `BudgetExceeded` if no check is left."""
        self._left[0] -= 1
        if self._left[0] < 0:
            raise BudgetExceeded("no looks are left")


def _holds(scene: Scene, formula: Formula, asked: Engine, budget: Budget | None) -> bool:
    return bool(asked.holds(scene, formula, budget))


def limited(scene: Scene, formulas: Sequence[Formula]) -> Iterator[tuple[str, Limited]]:
    """Yield questions that accept a budget, each with its kind."""
    view = scene.perspective(scene.structure.agents[0])
    atoms = view.structure.atoms
    for formula in formulas[:2]:
        yield "holds", partial(_holds, scene, formula)
    yield "witness", lambda asked, budget: asked.witness(view, TRUE, budget) is not None
    yield "sheet", lambda asked, budget: asked.sheet(view, None, budget).marks
    yield "possibilities", lambda asked, budget: asked.possibilities(view, atoms[:4], 99, budget)
    yield "worlds", lambda asked, budget: asked.worlds(view, None, budget)
    yield "probability", lambda asked, budget: asked.probability(view, atoms[0], budget)


def counting(view: Perspective, formula: Formula, names: Names) -> Mapping[str, Asked]:
    """Return questions about numbers of worlds, by kind."""
    fluents = [fluent.name for fluent in names.fluents[:2]]
    atoms = view.structure.atoms[:4]
    return {
        "worlds": lambda asked: asked.worlds(view),
        "worlds of the law": lambda asked: asked.worlds(view.structure),
        "worlds over fluents": lambda asked: asked.worlds(view, fluents),
        "probability": lambda asked: asked.probability(view, formula),
        "marginals": lambda asked: dict(asked.marginals(view)),
        "marginals of atoms": lambda asked: dict(asked.marginals(view, atoms)),
        "entropy": lambda asked: round(asked.entropy(view, atoms), 9),
        "distribution": lambda asked: dict(asked.distribution(view, atoms)),
    }


# ---- parts ---------------------------------------------------------------------------------------


def same(expected: Any, value: Any, seed: int, formula: Formula) -> None:
    """Raise `BrokenContract` if two answers differ."""
    if bool(expected) != bool(value):
        raise BrokenContract(
            f"case {seed}: {formula} is {bool(expected)}, but the engine says {bool(value)}"
        )


def equal(expected: Any, value: Any, seed: int, what: str) -> None:
    """Raise `BrokenContract` if two values differ."""
    if expected != value:
        raise BrokenContract(f"case {seed}: {what}: expected {expected!r}, got {value!r}")


def fails(kind: type[SymkripkeError], question: Callable[[], Any]) -> None:
    """Raise `BrokenContract` if a question does not raise an error of this kind."""
    try:
        answer = question()
    except kind:
        return
    except Exception as error:
        raise BrokenContract(
            f"expected {kind.__name__}, got {type(error).__name__}: {error}"
        ) from error
    raise BrokenContract(f"expected {kind.__name__}, got an answer: {answer!r}")


def truth_or_fault(engine: Engine, view: Perspective, formula: Formula) -> bool | None:
    """Return the truth of a formula at a perspective; None if it is not decided there."""
    try:
        return bool(engine.holds(view, formula))
    except InputError:
        return None


def evidence_of(answer: Any) -> Evidence | None:
    """Return the evidence of an answer; None if the engine finds none."""
    try:
        evidence: Evidence = answer.why()
    except Unsupported:
        return None
    return evidence


def leaves(evidence: Evidence) -> Iterator[Any]:
    """Yield the parts of the evidence that have no parts themselves."""
    if isinstance(evidence, Combined):
        for part in evidence.parts:
            yield from leaves(part)
    else:
        yield evidence


def check_links(evidence: Possible, scene: Scene, oracle: ExplicitEngine, seed: int) -> None:
    """Raise `BrokenContract` if a world is impossible at the world before it, or shows nothing."""
    structure, here = scene.structure, dict(scene.world)
    model = oracle.model(structure)
    for step in evidence.worlds:
        if step.origin is not None:
            here = dict(scene.world if step.origin < 0 else evidence.worlds[step.origin].world)
        if model.row(step.world) is None:
            raise BrokenContract(f"case {seed}: the law excludes {step}")
        for agent in step.agent:
            for observable in structure.observables[agent]:
                if evaluate(observable.atom, here) != evaluate(observable.atom, step.world):
                    raise BrokenContract(
                        f"case {seed}: {agent} sees from {observable.atom} that it is not {step}"
                    )
        here = dict(step.world)
        shows = structure.resolver.stated(step.shows)  # Evidence uses resolved names.
        if not oracle.holds(Scene(structure, here), shows):
            raise BrokenContract(f"case {seed}: {step.shows} is not true at {here}")


def check_sources(leaf: Known, seed: int) -> None:
    """Raise `BrokenContract` for sources that do not prove the fact that an agent knows."""
    if isinstance(leaf.formula, K | M) and is_propositional(leaf.formula.operand):
        claim = leaf.formula.operand if leaf.truth else negation(leaf.formula.operand)
        if not stands(leaf, claim):
            raise BrokenContract(
                f"case {seed}: these sources do not prove {claim}, or some are not needed: "
                f"{[source.formula for source in leaf.sources]}"
            )


def check_witness(
    engine: Engine, oracle: ExplicitEngine, view: Perspective, atom: Atom, seed: int
) -> None:
    """Raise `BrokenContract` if the engine's witness of an atom is missing or wrong."""
    world = engine.witness(view, atom)
    equal(oracle.witness(view, atom) is None, world is None, seed, f"{atom} has no witness")
    if world is None:
        return
    model = oracle.model(view.structure)
    if model.row(world) not in model.matching(view.observation):
        raise BrokenContract(f"case {seed}: {view.agent} excludes the witness of {atom}: {world}")
    if not evaluate(view.structure.resolve(atom), world):
        raise BrokenContract(f"case {seed}: {atom} is not true at its witness: {world}")
