r"""A question as one quantified Boolean formula, for solvers without epistemic operators.

A world is a vector of Booleans, one for each atom: a *copy* of the vocabulary. Wherever a formula
refers to other worlds, a new copy is quantified. It shares the observations of the agent with the
previous copy:

    K_i f at s     for all t: (law at t) -> f at t            t shares with s what i observes
    M_i f at s     for some t: (law at t) & f at t            D_G: what anybody in G observes
    Kw_i, Kv_i     for all t: (law at t) -> as at s
    [!a] f at s    (a at s) -> f at s, with the law and a for the law

Formulas are translated with their polarity, so that every quantifier is nested in "and" and "or"
only. Announcements about knowledge are part of the law, at the structure before them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Self

from symkripke.engines.nesting import nesting_limit
from symkripke.errors import BudgetExceeded, InputError, Unsupported
from symkripke.language import FALSE, TRUE, Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.formulas import Binding, Written, fold
from symkripke.language.walk import is_propositional, leaves, modal_subformulas
from symkripke.limits import look
from symkripke.model import EpistemicState, KnowledgeStructure, Scene
from symkripke.problems.values import folded, same
from symkripke.records import dataclass

# The maximum number of copies. With more, a solver could hardly answer.
_MOST_COPIES = 2_000


@dataclass(frozen=True, eq=False)
class Copy:
    """A world that the question mentions.

    Attributes:
        number: 0 for the world at which the question is asked.
        says: a description of the world in words.
        values: the formula of each atom: a Boolean of this copy or of an earlier copy, or a
            constant.
        own: the Booleans of this copy.
        before: the copy from which an agent considers this one possible; None at the start.
    """

    number: int
    says: str
    values: Mapping[Atom, Formula]
    own: tuple[Atom, ...]
    before: Copy | None = None


class Quantified(Formula):
    """A formula: for all (or some) values of a copy's own Booleans, `operand` is true."""

    __slots__ = ("copy", "operand", "universal")
    __match_args__ = ("universal", "copy", "operand")
    _is_boolean = False
    universal: bool
    copy: Copy
    operand: Formula

    def __new__(cls, universal: bool, copy: Copy, operand: Formula) -> Self:
        """Return the unique formula with these fields."""
        return cls._intern(universal, copy, operand)

    @property
    def operands(self) -> tuple[Formula, ...]:
        """See `Formula.operands`."""
        return (self.operand,)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        """See `Formula.rebuild`."""
        return Quantified(self.universal, self.copy, *operands)

    def written(self, parts: tuple[Written, ...]) -> Written:
        """See `Formula.written`."""
        every = "all" if self.universal else "some"
        text = f"for {every} {self.copy.number}: {parts[0].within(Binding.PREFIX)}"
        return Written(text, Binding.PREFIX)


@dataclass(frozen=True, eq=False)
class QuantifiedQuestion:
    """A translated question.

    Attributes:
        asked: the formula, with all names resolved.
        where: the place of the question, in words.
        truth: the meaning of "satisfiable": whether `asked` is then true there, or false.
        stated: the quantified formula over the Booleans of copies, with parts of type `Quantified`.
        copies: the worlds that the formula mentions.
    """

    asked: Formula
    where: str
    truth: bool
    stated: Formula
    copies: tuple[Copy, ...]

    @property
    def quantifiers(self) -> list[Quantified]:
        """All quantifiers, each once."""
        parts = modal_subformulas(self.stated)
        return [part for part in parts if isinstance(part, Quantified)]

    def comments(self, satisfiable: str, unsatisfiable: str) -> list[str]:
        """Return comments on the question, the meanings of a solver's answers, and the worlds."""
        answer, other = ("true", "false") if self.truth else ("false", "true")
        return [
            f"Is this true {self.where}?",
            f"  {self.asked}",
            f"{satisfiable}: it is {answer}; {unsatisfiable}: it is {other}",
            *(f"world {copy.number}: {copy.says}" for copy in self.copies),
        ]


def translate(
    place: EpistemicState | KnowledgeStructure, formula: Formula | str, *, truth: bool = True
) -> QuantifiedQuestion:
    """Return the translated question whether `formula` is true at `place`.

    Args:
        place: a scene; a perspective, with a formula about its agent's knowledge; or a structure,
            for the truth at every world.
        formula: the formula of the question.
        truth: whether the translation is true if the formula is true, or if it is false.

    Raises:
        Unsupported: the formula mentions common knowledge, belief or probability.
        BudgetExceeded: the translation mentions too many worlds.
        InputError: at a perspective, the formula is not about the agent's knowledge; or the formula
            is invalid.
    """
    structure = place if isinstance(place, KnowledgeStructure) else place.structure
    stated = structure.parse(formula) if isinstance(formula, str) else formula
    asked = structure.resolve(stated)
    made = _Translation()
    stage = _Stage(structure)
    with nesting_limit():
        start, where = made.start(place, asked)
        matrix = made.formula(asked, stage, start, truth)
        if isinstance(place, KnowledgeStructure):
            matrix = made.quantified(stage, start, matrix, universal=truth)
    return QuantifiedQuestion(asked, where, truth, matrix, tuple(made.copies))


@dataclass(frozen=True)
class _Stage:
    """A structure, and the announcements after it inside the formula."""

    structure: KnowledgeStructure
    announced: tuple[Formula, ...] = ()

    def after(self, formula: Formula) -> _Stage:
        return _Stage(self.structure, (*self.announced, formula))


@dataclass
class _Translation:
    copies: list[Copy] = field(default_factory=list)
    _undecided: Copy | None = None
    """The copy at which the question is asked, if only one agent's observations at it are known."""
    _done: dict[tuple[Formula, _Stage, Copy, bool], Formula] = field(default_factory=dict)
    _laws: dict[tuple[_Stage, Copy, bool], Formula] = field(default_factory=dict)

    # ---- worlds -----------------------------------------------------------------------

    def start(self, place: EpistemicState | KnowledgeStructure, asked: Formula) -> tuple[Copy, str]:
        """Return the copy at which the question is asked, and its description in words."""
        if isinstance(place, KnowledgeStructure):
            return self.copy(place, {}, "any world of the law"), "at every world of the law"
        fluents = place.structure.vocabulary.fluents.values()
        atoms = [atom for fluent in fluents for atom in fluent.atoms]
        if isinstance(place, Scene):
            values = {a: f.Constant(place.world[a.fluent] == a.value) for a in atoms}
            return self.copy(place.structure, values, "the actual world"), "at the actual world"
        for leaf in leaves(asked):
            own = isinstance(leaf, f.K | f.M | f.Kw | f.Kv) and leaf.agent == place.agent
            if not own and not isinstance(leaf, f.Constant):
                raise InputError(
                    f"an export cannot check whether what {place.agent} has seen decides {leaf}; "
                    f"export K[{place.agent}] ({asked}) instead"
                )
        seen = {observable.atom: f.Constant(truth) for observable, truth in place.observation}
        says = f"what {place.agent} has seen"
        self._undecided = self.copy(place.structure, seen, says)
        return self._undecided, f"by {says}"

    def copy(
        self,
        structure: KnowledgeStructure,
        shared: Mapping[Atom, Formula],
        says: str,
        before: Copy | None = None,
    ) -> Copy:
        """Return a copy with these values, and with new Booleans for all other atoms."""
        number = len(self.copies)
        if number >= _MOST_COPIES:
            raise BudgetExceeded(f"the question speaks of more than {_MOST_COPIES:,} worlds")
        own = {
            atom: Atom(f"{atom.fluent}@{number}", atom.value)
            for fluent in structure.vocabulary.fluents.values()
            for atom in fluent.atoms
            if atom not in shared
        }
        made = Copy(number, says, {**own, **shared}, tuple(own.values()), before)
        self.copies.append(made)
        return made

    def other(self, stage: _Stage, here: Copy, agents: Sequence[str]) -> Copy:
        """Return a copy that none of `agents` can tell from `here`."""
        observables = stage.structure.observables
        shared = {o.atom: here.values[o.atom] for agent in agents for o in observables[agent]}
        who = agents[0] if len(agents) == 1 else f"{', '.join(agents)} together"
        says = f"a world that {who} cannot tell from world {here.number}"
        return self.copy(stage.structure, shared, says, here)

    def quantified(self, stage: _Stage, there: Copy, body: Formula, *, universal: bool) -> Formula:
        """Return the formula that `body` holds at all, or at some, lawful values of `there`."""
        law = self.law(stage, there, not universal)
        return Quantified(universal, there, law | body if universal else law & body)

    def law(self, stage: _Stage, here: Copy, positive: bool) -> Formula:
        """Return the formula stating that the law holds at `here`, or that it does not."""
        key = (stage, here, positive)
        if key not in self._laws:
            structure = stage.structure
            stated = [c.formula for c in (*structure.domains, *structure.law) if not c.is_modal]
            parts = [self.formula(conjunction(stated), stage, here, positive)]
            for later in structure.stages[1:]:
                assert later.history.before is not None
                before = _Stage(later.history.before)
                for constraint in later.law.added:
                    if constraint.is_modal:
                        parts.append(self.formula(constraint.formula, before, here, positive))
            for place, said in enumerate(stage.announced):
                before = _Stage(structure, stage.announced[:place])
                parts.append(self.formula(said, before, here, positive))
            self._laws[key] = conjunction(parts) if positive else disjunction(parts)
        return self._laws[key]

    # ---- formulas ---------------------------------------------------------------------

    def plain(self, formula: Formula, here: Copy) -> Formula:
        """Return a propositional formula about a copy."""

        def visit(part: Formula, parts: tuple[Formula, ...]) -> Formula:
            if isinstance(part, Atom):
                return here.values[part]
            return _folded(part.rebuild(parts) if parts else part)

        return fold(formula, visit)

    def formula(self, formula: Formula, stage: _Stage, here: Copy, positive: bool) -> Formula:
        """Return `formula` at a copy that obeys the law, negated if `positive` is false."""
        look()
        key = (formula, stage, here, positive)
        if key not in self._done:
            self._done[key] = self._translated(formula, stage, here, positive)
        return self._done[key]

    def _translated(self, formula: Formula, stage: _Stage, here: Copy, positive: bool) -> Formula:
        def at(part: Formula, truth: bool = positive) -> Formula:
            return self.formula(part, stage, here, truth)

        if is_propositional(formula):
            plain = self.plain(formula, here)
            return plain if positive else negation(plain)
        match formula:
            case f.Not(operand):
                return at(operand, not positive)
            case f.And(operands):
                return (conjunction if positive else disjunction)(map(at, operands))
            case f.Or(operands):
                return (disjunction if positive else conjunction)(map(at, operands))
            case f.Implies(left, right):
                return at(negation(left) | right)
            case f.Iff(left, right):
                return at((negation(left) | right) & (left | negation(right)))
            case f.Cardinality():
                return at(_by_and_and_or(formula))
            case f.Announced(said, after):
                translated = self.formula(after, stage.after(said), here, positive)
                return at(said, False) | translated if positive else at(said, True) & translated
            case f.AnnouncedTrue(said, after):
                return at(negation(f.Announced(said, negation(after))))
            case f.K(_, operand) | f.D(_, operand):
                there = self.other(stage, here, formula.agents)
                body = self.formula(operand, stage, there, positive)
                return self.quantified(stage, there, body, universal=positive)
            case f.Kw(agent, operand) if is_propositional(operand):
                return self._same((operand,), agent, stage, here, positive)
            case f.Kv(agent, names):
                cases = [case for name in names for case in stage.structure.fluents(name)]
                return self._same(cases, agent, stage, here, positive)
            case f.M() | f.Kw() | f.E():
                return at(formula.definition(stage.structure.fluents))
        because = (
            "any number of steps is no Boolean formula"
            if isinstance(formula, f.C)
            else "Boolean formulas do not weigh worlds"
        )
        raise Unsupported(
            f"{type(formula).__name__}[...] (in the question, or in what was announced) cannot be "
            f"exported: {because}"
        )

    def _same(
        self, cases: Sequence[Formula], agent: str, stage: _Stage, here: Copy, positive: bool
    ) -> Formula:
        """Return the formula that an agent knows the truth values of `cases`, or its negation."""
        there = self.other(stage, here, (agent,))
        if here is self._undecided:  # compare any two worlds
            body = self._same(cases, agent, stage, there, positive)
        else:
            body = conjunction(same(self.plain(c, here), self.plain(c, there)) for c in cases)
            body = body if positive else negation(body)
        return self.quantified(stage, there, body, universal=positive)


def _folded(part: Formula) -> Formula:
    """Return `part`, whose operands are folded, without constant operands."""
    if not isinstance(part, f.Cardinality):
        return folded(part)
    open_ones = [operand for operand in part.operands if not isinstance(operand, f.Constant)]
    left_over = part.bound - sum(operand is TRUE for operand in part.operands)
    if left_over < 0:
        return TRUE if part.relation == "atleast" else FALSE
    if left_over > len(open_ones):
        return TRUE if part.relation == "atmost" else FALSE
    return f.Cardinality(part.relation, left_over, open_ones) if open_ones else TRUE


def _by_and_and_or(formula: f.Cardinality) -> Formula:
    """Rewrite a cardinality formula with "and" and "or", which preserve polarity."""
    bound = formula.bound
    # reached[k] states that at least k of the operands so far are true.
    reached: list[Formula] = [TRUE, *[FALSE] * (bound + 1)]
    for operand in formula.operands:
        for k in range(bound + 1, 0, -1):
            reached[k] |= operand & reached[k - 1]
    least, most = reached[bound], negation(reached[bound + 1])
    return {"atleast": least, "atmost": most, "exactly": least & most}[formula.relation]
