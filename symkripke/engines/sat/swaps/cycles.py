"""Cycles: cyclic swaps of any length, stated by clauses.

A swap that leads to a world with ~f shows that an agent does not know f. If values are counted over
several sets of fluents, a swap may need three, four or more fluents, and there are thousands of
such swaps. Most of them consist of single steps. In a step, fluent g takes the value p of fluent h.
If fluents c_1, ..., c_n pass their values round, each step can be checked on its own. So the swaps
need not be enumerated: it is enough to state which fluents can be *moved*.

*Slots.* A slot is a value, together with all fluents of the domain for which the law counts "it has
this value" in the same constraints. A step stays within a slot, so no count changes.

*Steps.* A fluent may leave its slot s if each clause with the literal "it is in s" has another
literal that is true and stays true: the literal states that another fluent is in s, or it is about
a fluent of another domain. A fluent may enter s if each clause with the literal "it is not in s"
has such a literal: the literal states that another fluent is not in s, or it is about a fluent of
another domain. There is a second kind of step, the *replacement*. In it, h leaves s and g enters s.
This is allowed if each clause with the literal "h is in s" also has the literal "g is in s", and no
clause has the literal "g is not in s". No fluent leaves or enters a slot if the agents observe the
corresponding variable.

*Clauses.* Let b have the value v. Let a variable U mean that a fluent can be moved by steps that
begin with b, and a variable I that some fluent that can be moved may enter a slot:

    b has v, and may leave -> U_b,
    U_g, and g may enter s -> I_s,         I_s & (h is in s), and h may leave -> U_h,
    U_g & (h is in s), and g may replace h there -> U_h.

If U_a is true, there is a shortest path from b to a. On this path no fluent occurs twice. No slot
is entered twice by steps of the first kind, because the later fluent that leaves it could have left
it earlier. The fluent b does not return to its slot. If a may enter the slot of v, the path is a
cycle. The world after all its steps is a world of the law, and the agents cannot distinguish it
from the world before:

* If a step of the first kind makes the literal "h is in s" of a clause false, the clause also has a
  true literal "u is in s". No other step of that kind leaves s. If a replacement removes u, the
  clause also has the literal of the fluent that replaces it.
* If such a step makes the literal "g is not in s" of a clause false, the clause also has a true
  literal "u is not in s". No other step of that kind enters s. No replacement brings u to s,
  because the clause has the literal "u is not in s".
* If a replacement removes a fluent from s, each clause with its literal also has the literal of the
  fluent that replaces it and stays.

Other fluents keep their values. Now let f be a clause with the literal "a does not have v". Let its
other literals be false, and let no path contain their fluents. Then U_a implies that f is not
known, if a may enter. If f has the literal "b has v" instead, f is not known if any other fluent
can take the value of b.

The clauses define the variables in one direction only: U may be false even if the fluent can be
moved. So the clauses exclude no world.

*After an event* there are new constraints on only a few fluents. The clauses about the steps of a
fluent apply if its *switch* is assumed. If there are new constraints on the fluent, the switch is
withdrawn, and its clauses are stated again. All other clauses stay, with the clauses that the
solver learned from them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field

from symkripke.engines.sat.bits import variables_of
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.occurrences import Clause, Occurrences
from symkripke.language import Atom, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import negation_normal_form
from symkripke.records import dataclass

Slot = tuple[int, int]
"""A value, by its index, and a number for the set of counts that contain its fluents."""

_NOTHING = Occurrences()


class Statements:
    """A collection of clauses to be given to a solver together.

    Attributes:
        clauses: the clauses that the solver does not have yet.
        used: a variable that all variables of the clauses imply; 0 if there are none. Questions for
            which no swap matters assume that it is false. Otherwise the solver would decide
            hundreds of variables, one by one, before each answer.
    """

    def __init__(self, fresh: Callable[[], int]) -> None:
        """Create an empty collection; `fresh` returns a new variable."""
        self.clauses: list[Sequence[int]] = []
        self.used = 0
        self._fresh = fresh
        self._none: dict[tuple[int, ...], int] = {}

    def fresh(self) -> int:
        """Return a new variable."""
        if not self.used:
            self.used = self._fresh()
        fresh = self._fresh()
        self.clauses.append((-fresh, self.used))
        return fresh

    def none(self, literals: tuple[int, ...]) -> int:
        """Return a literal that implies that none of these literals is true."""
        if len(literals) == 1:
            return -literals[0]
        none = self._none.get(literals)
        if none is None:
            none = self._none[literals] = self.fresh()
            self.clauses += [(-none, -literal) for literal in literals]
        return none


@dataclass(slots=True)
class _Steps:
    """The steps of one fluent.

    Attributes:
        said: the clauses about the fluent, and its observed variables.
        switch: the literal that is assumed if the clauses about these steps apply.
        entering: the slots that the fluent may enter, each with blocking literals: if it may not
            enter, one of them is true.
        leaving: the variables of the fluent for the slots that it may leave, with the slots and
            their blocking literals.
        replaced: the variables of the fluent for values at which another fluent may replace it,
            with that fluent's variable for the value.
    """

    said: object
    switch: int
    entering: list[tuple[Slot, list[int]]] = field(default_factory=list)
    leaving: list[tuple[int, Slot, list[int]]] = field(default_factory=list)
    replaced: list[tuple[int, int]] = field(default_factory=list)


class MovableFluents:
    """The fluents that can be moved by steps that begin in a slot.

    Attributes:
        start: the slot.
        begin: the fluent that leaves it first; None for any fluent there.
        held: the fluents that keep their values.
        other: a variable stating that some fluent from elsewhere may enter the slot.
    """

    def __init__(
        self, statements: Statements, start: Slot, begin: str | None, held: frozenset[str]
    ) -> None:
        """Create the variables without clauses."""
        self._statements = statements
        self.start, self.begin, self.held = start, begin, held
        self._can_move: dict[str, int] = {}
        self._entered: dict[Slot, int] = {}
        self._coming: dict[str, int] = {}
        self.other = statements.fresh()

    def movable(self, name: str) -> int:
        """Return the variable stating that this fluent can be moved."""
        movable = self._can_move.get(name)
        if movable is None:
            movable = self._can_move[name] = self._statements.fresh()
        return movable

    def coming(self, name: str, steps: _Steps, variables: tuple[int, ...]) -> int:
        """Return the variable stating that this fluent, from elsewhere, may enter the slot.

        It is created on demand, because each variable costs time in all questions.
        """
        coming = self._coming.get(name)
        if coming is None:
            coming = self._coming[name] = self._statements.fresh()
            self._statements.clauses.append((-coming, self.other))
            self.state(name, steps, variables)
        return coming

    def _into(self, slot: Slot) -> int:
        into = self._entered.get(slot)
        if into is None:
            into = self._entered[slot] = self._statements.fresh()
        return into

    def state(self, name: str, steps: _Steps, variables: tuple[int, ...]) -> None:
        """State the clauses about a fluent that enters slots and leaves them."""
        if name in self.held:
            return
        movable, unless, into = self.movable(name), -steps.switch, self._into
        start, begin = self.start, self.begin
        stated = self._statements.clauses
        for slot, blocked in steps.entering:
            if slot == start and begin != name:
                comes = self._coming.get(name, self.other)
                stated.append((-movable, variables[start[0]], *blocked, comes, unless))
            if slot != start or begin is None:
                stated.append((-movable, *blocked, into(slot), unless))
        for there, slot, blocked in steps.leaving:
            if slot != start:
                stated.append((-into(slot), -there, *blocked, movable, unless))
            elif begin in (None, name):
                stated.append((-there, *blocked, movable, unless))

    def replace(self, other: str, there: int, slot: Slot, name: str, unless: Sequence[int]) -> None:
        """State that a fluent that can be moved may replace another fluent in its slot."""
        back = other == self.begin and slot == self.start
        if not (back or other in self.held or name in self.held):
            clause = -self.movable(other), -there, self.movable(name), *unless
            self._statements.clauses.append(clause)


class Cycles:
    """The clauses about cyclic swaps that the same agents do not see, for a sequence of laws.

    Attributes:
        law: the current law.
    """

    def __init__(self, statements: Statements, law: Law, fixed: int) -> None:
        """Create an object without clauses. The agents observe the variables `fixed` (bits)."""
        self._statements = statements
        self.law = law
        self._fixed = fixed
        self._domains: list[list[str]] = []
        """The fluents whose steps are stated, by domain."""
        self._steps: dict[str, _Steps] = {}
        self._kinds: dict[frozenset[object], int] = {}
        self._slots: dict[int, Slot] = {}
        """The slot to which each variable belongs."""
        self._single: dict[Slot, bool] = {}
        """For each slot examined so far, True if it never has more than one fluent."""
        self._counts: dict[str, object] = {}
        """For each fluent, the numbers of its cardinality constraints and of its other formulas."""
        self._movable: dict[tuple[object, ...], MovableFluents] = {}
        self._known: set[int] = set()
        """The literals of knowledge for which the clauses have been stated."""
        self._switch = 0
        """The literal of `switch`; 0 if there is none for the current steps."""

    @property
    def switch(self) -> int:
        """The literal that is assumed if the clauses apply."""
        if not self._switch:
            switch = self._switch = self._statements.fresh()
            self._statements.clauses += [(-switch, each.switch) for each in self._steps.values()]
        return self._switch

    def move(self, law: Law, fixed: int) -> None:
        """Move on to a law under which the agents observe the variables `fixed` (bits)."""
        self.law, self._fixed = law, fixed
        for peers in self._domains:
            self._renew(peers)

    def state(self, known: int, fact: Formula) -> None:
        """State once that a fact is not known if a cyclic swap refutes it.

        The literal `known` states that the fact is known.
        """
        if known in self._known:
            return
        law = self.law
        literals = self._literals(fact)
        for number, literal in enumerate(literals):
            variable = abs(literal)
            name = law.name(variable)
            others = [*literals[:number], *literals[number + 1 :]]
            held = law.names(others)
            if name in held or len(law.fluents[name]) == 1 or self._fixed >> variable & 1:
                continue
            self._open(law.domain_peers[name])
            # The fluent leaves its slot (positive literal) or enters it (negative literal).
            begin = name if literal > 0 and not self._is_single(variable) else None
            freed = self._freed_from(variable, begin, held)
            result = freed.other
            if literal < 0:
                result = freed.coming(name, self._steps[name], law.fluents[name])
            self._statements.clauses.append((-literal, -result, *others, -known))
        self._known.add(known)

    def _literals(self, formula: Formula) -> list[int]:
        """Return the literals of a clause over variables of the law; empty for another formula."""
        if isinstance(formula, Atom):  # the most frequent case
            parts: Sequence[Formula] = (negation(formula),)
        else:
            refuted = negation_normal_form(negation(formula))
            parts = refuted.operands if isinstance(refuted, f.And) else (refuted,)
        literals = []
        for part in parts:
            atom = part.operand if isinstance(part, f.Not) else part
            if not isinstance(atom, Atom) or atom.fluent not in self.law.masks:
                return []
            literal = self.law.encoding.atom(atom)
            literals.append(literal if isinstance(part, f.Not) else -literal)
        return literals

    def _open(self, peers: list[str]) -> None:
        """Start stating the steps of the fluents of a domain."""
        if not any(peers is domain for domain in self._domains):
            self._domains.append(peers)
            self._renew(peers)

    def _freed_from(self, variable: int, begin: str | None, held: frozenset[str]) -> MovableFluents:
        """Return the fluents that can be moved from the slot of this variable, from a cache."""
        peers, start = self.law.domain_peers[self.law.name(variable)], self._slots[variable]
        key = id(peers), start, begin, held
        freed = self._movable.get(key)
        if freed is None:
            freed = self._movable[key] = MovableFluents(self._statements, start, begin, held)
            names = self._present(peers)
            for name in names:
                freed.state(name, self._steps[name], self.law.fluents[name])
            self._state_replacements([freed], names, names)
        return freed

    # ---- constraints of fluents ----------------------------------------------------------------

    def _present(self, peers: Sequence[str]) -> list[str]:
        return [name for name in peers if name in self.law.masks]

    def _clauses(self, name: str) -> Sequence[Clause]:
        return self.law.occurrences.get(name, _NOTHING).clauses

    def _is_single(self, variable: int) -> bool:
        """Return whether there is never more than one fluent in the slot of this variable."""
        slot = self._slots[variable]
        single = self._single.get(slot)
        if single is None:
            peers = variables_of(self.law.same_value_mask(variable))
            here = sum(1 << other for other in peers if self._slots[other] == slot)
            occurrences = self.law.occurrences.get(self.law.name(variable), _NOTHING)
            single = self._single[slot] = any(
                number == 1 and relation in ("exactly", "atmost") and not here & ~counted
                for counted, relation, number in occurrences.counting
            )
        return single

    def _renew(self, peers: list[str]) -> None:
        """State the steps of each fluent of a domain whose constraints have changed."""
        law, names = self.law, self._present(peers)
        whole = False
        for name in names:
            occurrences = law.occurrences.get(name, _NOTHING)
            lengths = len(occurrences.counting), len(occurrences.others)
            if self._counts.get(name) != lengths:
                whole = whole or name in self._counts
                self._counts[name] = lengths
                self._count(name)
        if whole:
            # The cached results refer to the old slots.
            self._single.clear()
            self._known.clear()
            for key in [key for key in self._movable if key[0] == id(peers)]:
                del self._movable[key]
        gone = [name for name in peers if name in self._steps and name not in law.masks]
        for name in gone:
            self._withdraw(self._steps.pop(name))
        changed: list[str] = []
        for name in names:
            said = (
                self._fixed & law.masks[name],
                [(clause.positive, clause.negative) for clause in self._clauses(name)],
            )
            if whole or name not in self._steps or self._steps[name].said != said:
                changed.append(name)
                old, self._steps[name] = self._steps.get(name), self._steps_of(name, said)
                self._withdraw(old)
        if self._switch and (gone or changed):
            self._statements.clauses.append((-self._switch,))
            self._switch = 0
        freed = [freed for key, freed in self._movable.items() if key[0] == id(peers)]
        for one in freed:
            for name in changed:
                one.state(name, self._steps[name], law.fluents[name])
        self._state_replacements(freed, names, changed)

    def _withdraw(self, steps: _Steps | None) -> None:
        if steps is not None:
            self._statements.clauses.append((-steps.switch,))

    def _count(self, name: str) -> None:
        """Determine the slots of the variables of a fluent, by the counts that contain them."""
        occurrences, own = self.law.occurrences.get(name, _NOTHING), self.law.masks[name]
        # Other formulas may treat each fluent differently.
        others: list[object] = [(other, name) for other in occurrences.others]
        said: dict[int, list[object]] = {
            variable: others.copy() for variable in self.law.fluents[name]
        }
        for one in occurrences.counting:
            if one[0] != own:
                for variable in variables_of(one[0] & own):
                    said[variable].append(one)
        for place, (variable, about) in enumerate(said.items()):
            kind = self._kinds.setdefault(frozenset(about), len(self._kinds))
            self._slots[variable] = place, kind

    # ---- steps ---------------------------------------------------------------------------------

    def _steps_of(self, name: str, said: object) -> _Steps:
        """Return the steps of a fluent that do not change observations."""
        steps = _Steps(said, self._statements.fresh())
        positive: dict[int, list[Clause]] = {}
        negative: dict[int, list[Clause]] = {}
        own = self.law.masks[name]
        for clause in self._clauses(name):
            for variable in variables_of(clause.positive & own):
                positive.setdefault(variable, []).append(clause)
            for variable in variables_of(clause.negative & own):
                negative.setdefault(variable, []).append(clause)
        fixed = set(variables_of(self._fixed & own))
        for variable in self.law.fluents[name]:
            if variable in fixed:
                continue
            slot = self._slots[variable]
            clauses = negative.get(variable)
            blocked = self._blocked(variable, clauses, positive=False) if clauses else []
            if blocked is not None:
                steps.entering.append((slot, blocked))
            clauses = positive.get(variable)
            blocked = self._blocked(variable, clauses, positive=True) if clauses else []
            if blocked is not None:
                steps.leaving.append((variable, slot, blocked))
            if clauses:  # otherwise it may leave in any case
                for other in self._replacing(variable, clauses):
                    steps.replaced.append((variable, other))
        return steps

    def _blocked(
        self, variable: int, clauses: Sequence[Clause], *, positive: bool
    ) -> list[int] | None:
        """Return blocking literals of a change of a variable; None if it may never change.

        If the variable may not change, one of the literals is true. The clauses, which have the
        variable as a literal of this sign, must stay true.
        """
        literals: dict[int, None] = {}
        for clause in clauses:
            staying = tuple(
                [literal for literal in clause.literals if self._stays(literal, variable, positive)]
            )
            if not staying:
                return None
            literals[self._statements.none(staying)] = None
        return list(literals)

    def _stays(self, literal: int, variable: int, positive: bool) -> bool:
        """Return whether a literal, if it is true, stays true after a step at this variable.

        It must also stay true after all other steps of a shortest path, except replacements.
        """
        law = self.law
        name, other = law.name(variable), law.name(abs(literal))
        if other not in law.masks or law.domain_peers[other] is not law.domain_peers[name]:
            return True
        return (
            (literal > 0) is positive
            and other != name
            and self._slots[abs(literal)] == self._slots[variable]
        )

    def _replacing(self, variable: int, clauses: Sequence[Clause]) -> list[int]:
        """Return the variables of other fluents that these clauses allow to replace this fluent."""
        shared = -1
        for clause in clauses:
            shared &= clause.positive
        law, slot = self.law, self._slots[variable]
        peers = law.domain_peers[law.name(variable)]
        return [
            other
            for other in variables_of(shared)
            if law.name(other) != law.name(variable)
            and law.domain_peers[law.name(other)] is peers
            and self._slots[other] == slot
        ]

    def _may_replace(self, variable: int) -> bool:
        """Return whether the fluent of this variable may take its value by a replacement."""
        return not self._fixed >> variable & 1 and not any(
            clause.negative >> variable & 1 for clause in self._clauses(self.law.name(variable))
        )

    def _state_replacements(
        self, freed: Sequence[MovableFluents], names: Sequence[str], changed: Collection[str]
    ) -> None:
        """State all replacements that involve a changed fluent."""
        changed = set(changed)
        for name in names:
            steps = self._steps[name]
            for there, variable in steps.replaced:
                other = self.law.name(variable)
                if not (name in changed or other in changed) or other not in self._steps:
                    continue
                if self._may_replace(variable):
                    unless = -steps.switch, -self._steps[other].switch
                    for one in freed:
                        one.replace(other, there, self._slots[there], name, unless)
