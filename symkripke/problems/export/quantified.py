r"""A question as one quantified Boolean formula, for solvers that know nothing of knowledge.

A world is a vector of Booleans, one an atom: a *copy* of the vocabulary. Wherever a formula looks
at other worlds, a copy is quantified, which shares with the one before what the agent observes:

    K_i f at s     for all t: (law at t) -> f at t            t shares with s what i observes
    M_i f at s     for some t: (law at t) & f at t            D_G: what anybody in G observes
    Kw_i, Kv_i     for all t: (law at t) -> as at s
    [!a] f at s    (a at s) -> f at s, with the law and a for the law

Formulas are taken with their polarity, so that every quantifier stands under "and" and "or"
only. What was announced about knowledge is part of the law, at the structure before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from symkripke.engines.nesting import NESTING_LIMIT
from symkripke.errors import BudgetExceeded, InputError, Unsupported
from symkripke.language import FALSE, TRUE, Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import is_propositional, leaves
from symkripke.limits import look
from symkripke.model import KnowledgeStructure, Scene, State
from symkripke.problems.values import same

# With more copies than this, a solver could hardly answer.
_MOST_COPIES = 2_000


@dataclass(frozen=True, eq=False)
class Copy:
    """A world that the question speaks of.

    Attributes:
        number: 0 for the world at which the question is asked.
        says: which world it is, in words.
        values: for each atom its formula here: a Boolean of this copy or of an earlier copy, or a
            constant.
        own: the Booleans that are this copy's own.
        before: the copy from which an agent looks at this one; None where the question starts.
    """

    number: int
    says: str
    values: Mapping[Atom, Formula]
    own: tuple[Atom, ...]
    before: Copy | None = None


@dataclass(frozen=True, eq=False)
class Quantified:
    """For all (or for some) values of a copy's own Booleans, `body`."""

    universal: bool
    copy: Copy
    body: Node


@dataclass(frozen=True, eq=False)
class Joined:
    """All of `parts` (or, if not `every`, some of them)."""

    every: bool
    parts: tuple[Node, ...]


Node: TypeAlias = Formula | Joined | Quantified
"""A propositional formula over the Booleans of copies, or a node built from such formulas."""


@dataclass(frozen=True, eq=False)
class QuantifiedQuestion:
    """A question, translated.

    Attributes:
        asked: the formula, with all names resolved.
        where: where it is asked, in words.
        truth: what the answer "satisfiable" means: that `asked` is true there, or that it is not.
        node: the quantified formula.
        copies: the worlds that it speaks of.
    """

    asked: Formula
    where: str
    truth: bool
    node: Node
    copies: tuple[Copy, ...]


def translate(
    place: State | KnowledgeStructure, formula: Formula | str, *, truth: bool = True
) -> QuantifiedQuestion:
    """The question whether `formula` is true at `place` (of a structure: at every world).

    Args:
        place: a scene; a perspective, with a formula that its agent's knowledge decides; or a
            structure.
        formula: what is asked.
        truth: whether the translation is to be true if the formula is, or if it is not.

    Raises:
        Unsupported: it speaks of common knowledge, belief or probability.
        BudgetExceeded: it speaks of too many worlds.
        InputError: the perspective does not decide the formula; or an unknown name, or no formula.
    """
    structure = place if isinstance(place, KnowledgeStructure) else place.structure
    stated = structure.parse(formula) if isinstance(formula, str) else formula
    asked = structure.resolve(stated)
    made = _Translation()
    stage = _Stage(structure)
    with NESTING_LIMIT:
        start, where = made.start(place, asked)
        node = made.formula(asked, stage, start, truth)
        if isinstance(place, KnowledgeStructure):
            node = made.quantified(stage, start, node, universal=truth)
    return QuantifiedQuestion(asked, where, truth, node, tuple(made.copies))


@dataclass(frozen=True)
class _Stage:
    """A structure, and what was announced on top of it inside the formula."""

    structure: KnowledgeStructure
    announced: tuple[Formula, ...] = ()

    def told(self, formula: Formula) -> _Stage:
        return _Stage(self.structure, (*self.announced, formula))


@dataclass
class _Translation:
    copies: list[Copy] = field(default_factory=list)
    _undecided: Copy | None = None
    """The copy at which the question is asked, if only the view of one agent is known of it."""
    _done: dict[tuple[Formula, _Stage, Copy, bool], Node] = field(default_factory=dict)
    _laws: dict[tuple[_Stage, Copy, bool], Node] = field(default_factory=dict)
    _plain: dict[tuple[Formula, Copy], Formula] = field(default_factory=dict)

    # ---- worlds -----------------------------------------------------------------------

    def start(self, place: State | KnowledgeStructure, asked: Formula) -> tuple[Copy, str]:
        """The copy at which the question is asked, and that place in words."""
        if isinstance(place, KnowledgeStructure):
            return self.copy(place, {}, "any world of the law"), "at every world of the law"
        fluents = place.structure.vocabulary.fluents.values()
        atoms = [atom for fluent in fluents for atom in fluent.atoms]
        if isinstance(place, Scene):
            values = {a: f.Constant(place.world[a.fluent] == a.value) for a in atoms}
            return self.copy(place.structure, values, "the actual world"), "at the actual world"
        for leaf in leaves(asked):
            if not isinstance(leaf, f.Constant) and not _is_own(leaf, place.agent):
                raise InputError(
                    f"what {place.agent} has seen does not decide {leaf}; "
                    f"ask K[{place.agent}] ({asked}) instead"
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
        """A copy with these values, and Booleans of its own for all other atoms."""
        number = len(self.copies)
        if number >= _MOST_COPIES:
            raise BudgetExceeded(f"the question speaks of more than {_MOST_COPIES:,} worlds")
        values: dict[Atom, Formula] = {}
        own = []
        for fluent in structure.vocabulary.fluents.values():
            for atom in fluent.atoms:
                if atom in shared:
                    values[atom] = shared[atom]
                else:
                    mine = Atom(f"{atom.fluent}@{number}", atom.value)
                    values[atom] = mine
                    own.append(mine)
        made = Copy(number, says, values, tuple(own), before)
        self.copies.append(made)
        return made

    def other(self, stage: _Stage, here: Copy, agents: Sequence[str]) -> Copy:
        """A copy that none of `agents` can tell from `here`."""
        observables = stage.structure.observables
        shared = {o.atom: here.values[o.atom] for agent in agents for o in observables[agent]}
        who = agents[0] if len(agents) == 1 else f"{', '.join(agents)} together"
        says = f"a world that {who} cannot tell from world {here.number}"
        return self.copy(stage.structure, shared, says, here)

    def quantified(self, stage: _Stage, there: Copy, body: Node, *, universal: bool) -> Node:
        """That `body` holds at all lawful values of `there`, or at some."""
        law = self.law(stage, there, not universal)
        return Quantified(universal, there, joined(not universal, (law, body)))

    def law(self, stage: _Stage, here: Copy, positive: bool) -> Node:
        """That the law holds at `here`, or that it does not."""
        key = (stage, here, positive)
        if key not in self._laws:
            structure = stage.structure
            stated = [c.formula for c in (*structure.domains, *structure.law) if not c.is_modal]
            plain = self.plain(conjunction(stated), here)
            parts: list[Node] = [plain if positive else negation(plain)]
            for later in structure.stages[1:]:
                assert later.history.before is not None
                for constraint in later.law.added:
                    if constraint.is_modal:
                        before = _Stage(later.history.before)
                        parts.append(self.formula(constraint.formula, before, here, positive))
            for place, said in enumerate(stage.announced):
                before = _Stage(structure, stage.announced[:place])
                parts.append(self.formula(said, before, here, positive))
            self._laws[key] = joined(positive, parts)
        return self._laws[key]

    # ---- formulas ---------------------------------------------------------------------

    def plain(self, formula: Formula, here: Copy) -> Formula:
        """A propositional formula about that copy."""
        key = (formula, here)
        if key not in self._plain:

            def visit(part: Formula, parts: tuple[Formula, ...]) -> Formula:
                if isinstance(part, Atom):
                    return here.values[part]
                return _folded(part.rebuild(parts) if parts else part)

            self._plain[key] = fold(formula, visit)
        return self._plain[key]

    def formula(self, formula: Formula, stage: _Stage, here: Copy, positive: bool) -> Node:
        """`formula` at a copy that obeys the law; if not `positive`, its negation."""
        look()
        key = (formula, stage, here, positive)
        if key not in self._done:
            self._done[key] = self._translated(formula, stage, here, positive)
        return self._done[key]

    def _translated(self, formula: Formula, stage: _Stage, here: Copy, positive: bool) -> Node:
        def at(part: Formula, truth: bool) -> Node:
            return self.formula(part, stage, here, truth)

        if is_propositional(formula):
            plain = self.plain(formula, here)
            return plain if positive else negation(plain)
        match formula:
            case f.Not(operand):
                return at(operand, not positive)
            case f.And(operands) | f.Or(operands):
                every = isinstance(formula, f.And) is positive
                return joined(every, [at(part, positive) for part in operands])
            case f.Implies(left, right):
                return joined(not positive, (at(left, not positive), at(right, positive)))
            case f.Iff(left, right):
                one = joined(False, (at(left, False), at(right, positive)))
                return joined(True, (one, joined(False, (at(left, True), at(right, not positive)))))
            case f.Cardinality():
                return _count(formula, positive, at)
            case f.E(group, operand):
                return joined(positive, [at(f.K(agent, operand), positive) for agent in group])
            case f.Kw(agent, operand) if not is_propositional(operand):
                ways = (f.K(agent, operand), f.K(agent, negation(operand)))
                return joined(not positive, [at(way, positive) for way in ways])
            case f.Announced(said, after) | f.AnnouncedTrue(said, after):
                told = self.formula(after, stage.told(said), here, positive)
                asserted = isinstance(formula, f.AnnouncedTrue)
                return joined(asserted is positive, (at(said, asserted is positive), told))
        return self._modal(formula, stage, here, positive)

    def _modal(self, formula: Formula, stage: _Stage, here: Copy, positive: bool) -> Node:
        """A formula about the worlds that an agent, or a group, cannot tell from `here`."""
        match formula:
            case f.K(agent, operand):
                agents, universal = (agent,), positive
            case f.D(agents, operand):
                universal = positive
            case f.M(agent, operand):
                agents, universal = (agent,), not positive
            case f.Kw(agent, operand):
                return self._same((operand,), agent, stage, here, positive)
            case f.Kv(agent, names):
                cases = [case for name in names for case in stage.structure.fluents(name)]
                return self._same(cases, agent, stage, here, positive)
            case _:
                name = type(formula).__name__
                because = (
                    "any number of steps is no Boolean formula"
                    if isinstance(formula, f.C)
                    else "Boolean formulas do not weigh worlds"
                )
                raise Unsupported(
                    f"{name}[...] (in the question, or in what was announced) cannot be exported: "
                    f"{because}"
                )
        there = self.other(stage, here, agents)
        body = self.formula(operand, stage, there, positive)
        return self.quantified(stage, there, body, universal=universal)

    def _same(
        self, cases: Sequence[Formula], agent: str, stage: _Stage, here: Copy, positive: bool
    ) -> Node:
        """That all `cases` are everywhere as at `here`; if not `positive`, that some is not."""
        if here is self._undecided:  # then they are to be alike at any two worlds
            one = self.other(stage, here, (agent,))
            body = self._same(cases, agent, stage, one, positive)
            return self.quantified(stage, one, body, universal=positive)
        there = self.other(stage, here, (agent,))
        alike = conjunction(f.Iff(self.plain(c, here), self.plain(c, there)) for c in cases)
        return self.quantified(
            stage, there, alike if positive else negation(alike), universal=positive
        )


def joined(every: bool, parts: Sequence[Node]) -> Node:
    """All (or some) of these: as one propositional formula where they are propositional."""
    plain = [part for part in parts if isinstance(part, Formula)]
    one = conjunction(plain) if every else disjunction(plain)
    rest = [part for part in parts if not isinstance(part, Formula)]
    if isinstance(one, f.Constant):
        if one.value is not every or not rest:
            return one
        return rest[0] if len(rest) == 1 else Joined(every, tuple(rest))
    return Joined(every, (one, *rest)) if rest else one


def _folded(part: Formula) -> Formula:
    """`part`, whose operands are folded, without constants among them."""
    match part:
        case f.Implies(left, right):
            if isinstance(left, f.Constant) or isinstance(right, f.Constant):
                return negation(left) | right
        case f.Iff(left, right):
            return same(left, right)
        case f.Cardinality(relation, bound, operands):
            open_ones = [operand for operand in operands if not isinstance(operand, f.Constant)]
            left_over = bound - sum(operand is TRUE for operand in operands)
            if left_over < 0:
                return TRUE if relation == "atleast" else FALSE
            if left_over > len(open_ones):
                return TRUE if relation == "atmost" else FALSE
            return f.Cardinality(relation, left_over, open_ones) if open_ones else TRUE
    return part


def _is_own(leaf: Formula, agent: str) -> bool:
    """Whether an agent's own knowledge decides a modal formula."""
    return isinstance(leaf, f.K | f.M | f.Kw | f.Kv) and leaf.agent == agent


def _count(formula: f.Cardinality, positive: bool, at: Callable[[Formula, bool], Node]) -> Node:
    """A cardinality over modal operands, by "and" and "or" alone: these keep polarities."""
    bound, operands = formula.bound, formula.operands
    least, most = bound, len(operands) - bound  # at most k are true: n - k are false
    if formula.relation == "atleast":
        wanted = [(True, least)] if positive else [(False, most + 1)]
    elif formula.relation == "atmost":
        wanted = [(False, most)] if positive else [(True, least + 1)]
    elif positive:
        wanted = [(True, least), (False, most)]
    else:
        wanted = [(True, least + 1), (False, most + 1)]
    counted = [_least(number, [at(part, truth) for part in operands]) for truth, number in wanted]
    return joined(positive, counted)


def _least(bound: int, parts: Sequence[Node]) -> Node:
    """At least `bound` of `parts`."""
    # counted[k]: at least k of the parts so far.
    counted: list[Node] = [TRUE, *[FALSE] * max(bound, 0)]
    for part in parts:
        for k in range(len(counted) - 1, 0, -1):
            counted[k] = joined(False, (counted[k], joined(True, (part, counted[k - 1]))))
    return counted[-1]
