"""The contract of engines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from symkripke.engines import Budget, Combined, Engine, Evidence, Known, Possible
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.smt.recheck import stands
from symkripke.errors import BudgetExceeded, InputError, SymkripkeError, Unsupported
from symkripke.language import TRUE, Atom, Formula, K, M, conjunction, negation
from symkripke.language.walk import subformulas
from symkripke.model import Perspective, Scene, evaluate
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

Asked = Callable[[Engine], Any]


class EngineContract(ABC):
    """What every engine must keep. Subclass it in a test file, and say how to make the engine.

    The oracle is the explicit engine, which is written straight from the definitions.

    Attributes:
        operators: the operators that the engine answers at scenes.
        cases: how many random situations each test looks at.
        formulas: how many formulas it asks of each.
        counts: whether the engine counts and weighs worlds.
        seed: where the situations come from.
    """

    operators: Sequence[str] = (*BOOLEAN, "K", "M", "Kw", "Kv", "E", "D")
    cases: int = 30
    formulas: int = 4
    counts: bool = False
    seed: int = 0

    @abstractmethod
    def make(self) -> Engine:
        """A new engine."""

    # ---- situations ----------------------------------------------------------------------------

    def scenes(self, offset: int, modal: bool = False, beliefs: bool = False) -> Iterator[Any]:
        """Random situations, each with the choices that its formulas come from."""
        oracle = ExplicitEngine()

        def judge(scene: Scene, formula: Formula) -> bool:
            return bool(oracle.holds(scene, formula))

        for number in range(self.cases):
            seed = self.seed + 100_000 * offset + number
            scene = random_history(Seeded(seed), judge=judge if modal else None, beliefs=beliefs)
            yield seed, scene, Seeded(seed + 50_000)

    def asked(self, scene: Scene, choices: Seeded) -> list[Formula]:
        """Formulas about a situation."""
        names = Names.of(scene.structure)
        return [
            random_formula(choices, names, choices.integer(1, 4), self.operators)
            for _ in range(self.formulas)
        ]

    # ---- answers -----------------------------------------------------------------------------

    def test_truth_and_validity(self) -> None:
        """At scenes and everywhere, of formulas of any nesting; the evidence says the same."""
        oracle = ExplicitEngine()
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
        """What an engine has learned at one time does no harm at another."""
        oracle = ExplicitEngine()
        for seed, scene, choices in self.scenes(2):
            engine, stages = self.make(), len(scene.structure.history)
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
        """Laws that speak about knowledge are answered rightly, or refused with `Unsupported`."""
        oracle = ExplicitEngine()
        for seed, scene, choices in self.scenes(3, modal=True):
            engine = self.make()
            for formula in self.asked(scene, choices):
                try:
                    answer = engine.holds(scene, formula)
                except (Unsupported, BudgetExceeded):
                    continue
                same(oracle.holds(scene, formula), answer, seed, formula)

    def test_perspectives(self) -> None:
        """What a player's knowledge decides has a truth value; all else is an `InputError`."""
        oracle = ExplicitEngine()
        for seed, scene, choices in self.scenes(4):
            engine = self.make()
            for agent in scene.structure.agents:
                view = scene.perspective(agent)
                for formula in self.asked(scene, choices)[:2]:
                    expected = truth_or_fault(oracle, view, formula)
                    if truth_or_fault(engine, view, formula) != expected:
                        raise BrokenContract(
                            f"case {seed}: {formula} at the perspective of {agent}: expected "
                            f"{expected} (None: not decided)"
                        )

    def test_who_considers_possible(self) -> None:
        """`possible_to` says of all agents at once what M says of each."""
        for seed, scene, choices in self.scenes(5):
            engine, agents = self.make(), scene.structure.agents
            formula = random_formula(choices, Names.of(scene.structure), 2, BOOLEAN)
            found = engine.possible_to(scene, formula, agents)
            expected = {
                agent for agent in agents if ExplicitEngine().holds(scene, M(agent, formula))
            }
            equal(expected, found, seed, f"possible_to {formula}")

    def test_sheets_possibilities_and_witnesses(self) -> None:
        """What an agent knows of atoms, and worlds that it considers possible."""
        oracle = ExplicitEngine()
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
        """Which soft constraints are kept, or a refusal."""
        oracle = ExplicitEngine()
        for seed, scene, _ in self.scenes(7, beliefs=True):
            engine = self.make()
            for agent in scene.structure.agents:
                view = scene.perspective(agent)
                try:
                    found = engine.believed(view)
                except Unsupported:
                    continue
                equal(oracle.believed(view), found, seed, f"believed by {agent}")

    def test_counts(self) -> None:
        """Exact numbers of worlds, and probabilities; or a refusal."""
        oracle = ExplicitEngine()
        for seed, scene, choices in self.scenes(8):
            engine, names = self.make(), Names.of(scene.structure)
            view = scene.perspective(choices.one_of(scene.structure.agents))
            formula = random_formula(choices, names, 2, BOOLEAN)
            for name, question in counting(view, formula, names).items():
                try:
                    found = question(engine)
                except Unsupported:
                    if self.counts:
                        raise
                    continue
                equal(question(oracle), found, seed, name)

    # ---- refusals ------------------------------------------------------------------------------

    def test_what_it_does_not_answer_it_refuses(self) -> None:
        """Of all operators: the right answer, or `Unsupported`."""
        oracle = ExplicitEngine()
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
        """Without any time: the right answer or `BudgetExceeded`, and then the right answer."""
        oracle = ExplicitEngine()
        for seed, scene, choices in self.scenes(10):
            engine = self.make()
            for formula in self.asked(scene, choices)[:2]:
                expected = oracle.holds(scene, formula)
                with suppress(BudgetExceeded):
                    same(expected, engine.holds(scene, formula, NOTHING), seed, formula)
                same(expected, engine.holds(scene, formula), seed, formula)
            view = scene.perspective(scene.structure.agents[0])
            for name, question in limited(view).items():
                expected = question(oracle, None)
                with suppress(BudgetExceeded, Unsupported):
                    equal(expected, question(engine, NOTHING), seed, name)
                with suppress(Unsupported):
                    equal(expected, question(engine, None), seed, name)

    def test_wrong_questions(self) -> None:
        """Whatever is asked, an error is one of symkripke's own, and a fault of the user's."""
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

    # ---- evidence ------------------------------------------------------------------------------

    def test_evidence_can_be_checked_again(self) -> None:
        """Sources prove what is known, and none is left over; counter-worlds are possible."""
        for seed, scene, choices in self.scenes(12):
            engine, names = self.make(), Names.of(scene.structure)
            inner = random_formula(choices, names, 2, BOOLEAN)
            agent = choices.one_of(names.agents)
            for formula in (K(agent, inner), M(agent, inner), negation(K(agent, inner))):
                answer = engine.holds(scene, formula)
                evidence = evidence_of(answer)
                for leaf in leaves(evidence) if evidence is not None else ():
                    check_leaf(leaf, scene, seed)


def limited(view: Perspective) -> Mapping[str, Callable[[Engine, Budget | None], Any]]:
    """The kinds of question that have a budget."""
    atoms = view.structure.atoms
    return {
        "witness": lambda asked, budget: asked.witness(view, TRUE, budget) is not None,
        "sheet": lambda asked, budget: asked.sheet(view, None, budget).marks,
        "possibilities": lambda asked, budget: asked.possibilities(view, atoms[:4], 99, budget),
        "worlds": lambda asked, budget: asked.worlds(view, None, budget),
        "probability": lambda asked, budget: asked.probability(view, atoms[0], budget),
    }


def counting(view: Perspective, formula: Formula, names: Names) -> Mapping[str, Asked]:
    """The kinds of question about numbers of worlds."""
    fluents = [fluent.name for fluent in names.fluents[:2]]
    atoms = view.structure.atoms[:4]
    return {
        "worlds": lambda asked: asked.worlds(view),
        "worlds of the law": lambda asked: asked.worlds(view.structure),
        "worlds over fluents": lambda asked: asked.worlds(view, fluents),
        "probability": lambda asked: asked.probability(view, formula),
        "marginals": lambda asked: dict(asked.marginals(view)),
        "distribution": lambda asked: dict(asked.distribution(view, atoms)),
    }


# ---- parts ---------------------------------------------------------------------------------------


def same(expected: Any, found: Any, seed: int, formula: Formula) -> None:
    """Raises `BrokenContract` if two answers differ."""
    if bool(expected) != bool(found):
        raise BrokenContract(
            f"case {seed}: {formula} is {bool(expected)}, but the engine says {bool(found)}"
        )


def equal(expected: Any, found: Any, seed: int, what: str) -> None:
    """Raises `BrokenContract` if two values differ."""
    if expected != found:
        raise BrokenContract(f"case {seed}: {what}: expected {expected!r}, got {found!r}")


def fails(kind: type[SymkripkeError], question: Callable[[], Any]) -> None:
    """Raises `BrokenContract` if a question does not raise that error."""
    try:
        found = question()
    except kind:
        return
    except Exception as error:
        raise BrokenContract(
            f"expected {kind.__name__}, got {type(error).__name__}: {error}"
        ) from error
    raise BrokenContract(f"expected {kind.__name__}, got an answer: {found!r}")


def truth_or_fault(engine: Engine, view: Perspective, formula: Formula) -> bool | None:
    """The truth at a perspective; None if it does not decide the formula."""
    try:
        return bool(engine.holds(view, formula))
    except InputError:
        return None


def evidence_of(answer: Any) -> Evidence | None:
    """The evidence; None where the engine finds none."""
    try:
        found: Evidence = answer.why()
    except Unsupported:
        return None
    return found


def leaves(evidence: Evidence) -> Iterator[Any]:
    """The parts of evidence that are no combinations."""
    if isinstance(evidence, Combined):
        for part in evidence.parts:
            yield from leaves(part)
    else:
        yield evidence


def check_leaf(leaf: Any, scene: Scene, seed: int) -> None:
    """Raises `BrokenContract` for sources that prove nothing, and worlds that are none."""
    if isinstance(leaf, Known) and isinstance(leaf.formula, K | M):
        claim = leaf.formula.operand if leaf.truth else negation(leaf.formula.operand)
        if not stands(leaf, claim):
            raise BrokenContract(
                f"case {seed}: these sources do not prove {claim}, or not all are needed: "
                f"{[source.formula for source in leaf.sources]}"
            )
    if isinstance(leaf, Possible) and len(leaf.worlds) == 1:
        (step,) = leaf.worlds
        changed = scene.structure.versions
        exactly_there = conjunction(
            Atom(f"{name}#0" if name in changed else name, value)
            for name, value in step.world.items()
        )
        for agent in step.agent:
            if ExplicitEngine().witness(scene.perspective(agent), exactly_there) is None:
                raise BrokenContract(f"case {seed}: {agent} does not consider {step} possible")
        modal = any(isinstance(part, K | M) for part in subformulas(step.shows))
        if not modal and not evaluate(step.shows, step.world):
            raise BrokenContract(f"case {seed}: {step.shows} is not so at {step.world}")


def check_witness(engine: Engine, oracle: Engine, view: Perspective, atom: Atom, seed: int) -> None:
    """Raises `BrokenContract` for a world that the agent does not consider possible."""
    world = engine.witness(view, atom)
    equal(oracle.witness(view, atom) is None, world is None, seed, f"no witness of {atom}")
    if world is None:
        return
    structure = view.structure
    law = [constraint.formula for constraint in (*structure.law, *structure.domains)]
    if not all(evaluate(formula, world) for formula in (structure.resolve(atom), *law)):
        raise BrokenContract(f"case {seed}: the witness of {atom} breaks the law: {world}")
    if {o.atom for o, _ in view.observation if evaluate(o.atom, world)} != view.seen:
        raise BrokenContract(f"case {seed}: {view.agent} sees that it is not so: {world}")
