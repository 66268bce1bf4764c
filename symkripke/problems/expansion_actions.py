"""The meaning of assignments and action blocks, and of formulas with actions: `[peek(ann)] f`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from typing import TypeAlias

from symkripke.errors import hint
from symkripke.language import TRUE, Formula, Implies, Name, conjunction, disjunction
from symkripke.language import formulas as f
from symkripke.language.linear import Sum
from symkripke.language.scanner import Token
from symkripke.language.walk import is_propositional
from symkripke.model import (
    ABOVE_ALL,
    NOTHING,
    WHICH,
    ActionModel,
    Fluent,
    Number,
    Origin,
    PossibleEvent,
    Postcondition,
    Sees,
    that,
)
from symkripke.model.vocabulary import BOOLEAN
from symkripke.problems.expansion import Definition, Expansion
from symkripke.problems.indices import Indices, fault, faults_at, filled, unknown
from symkripke.problems.open_numbers import Open
from symkripke.problems.syntax import Fault, Tree
from symkripke.problems.values import (
    Bits,
    Cases,
    Symbol,
    Thing,
    TooMany,
    Value,
    constant,
    in_binary,
    opened,
    shown,
    values,
)
from symkripke.records import dataclass

Values: TypeAlias = tuple[tuple[str | Sum, Formula], ...]
"""The formula for each possible value of a fluent; a value of a number may be a sum."""


# An action is checked at its definition, with example arguments. `_CHOICES` is the maximum number
# of combinations to search for a combination of different arguments.
_CHOICES = 1_000


@dataclass(frozen=True)
class Becomes:
    """The new value of a fluent.

    Attributes:
        fluent: the fluent; for a number in binary, one of its digits.
        to: the new value, or the possible values with their conditions. For a Boolean fluent, the
            only condition is the formula whose truth value it gets.
        needs: the condition under which the fluent gets a value of its domain.
    """

    fluent: str
    to: str | Values
    needs: Formula


@dataclass(frozen=True)
class Action:
    """An action with its arguments.

    Attributes:
        model: the action model; its name is the written form of the action: `peek(ann)`.
        needs: a formula that must be true at every world before the action; otherwise the action is
            an error. It states that each event that can happen gives every changed fluent a value.
    """

    model: ActionModel
    needs: Formula


def _check_parts(block: Tree) -> None:
    """Raise `Fault` if the parts of an action block do not fit together."""
    effects, ranks = block.part("effects"), block.parts("rank")
    if effects is not None and block.part("possible_event"):
        problem = (
            "an action with events cannot have effects of its own: add the effects to its events"
        )
        raise fault(problem, effects)
    if not block.part("observes"):
        problem = "nobody would notice it: say who notices it, in an indented line such as"
        nobody = "if nobody does, write 'everybody notices nothing'"
        raise fault(f"{problem} 'everybody sees which'; {nobody}", block)
    if len(ranks) > 1:
        raise fault("the rank is given twice", ranks[1])


class ActionExpansion(Expansion):
    """An expansion of the trees of one statement, with assignments and actions."""

    # ---- assignments --------------------------------------------------------------------------

    def assigned(
        self, assignments: Iterable[Tree], indices: Indices, *, facts: bool
    ) -> tuple[Becomes, ...]:
        """Return the new values of fluents; with `facts`, they cannot depend on knowledge."""
        changes: list[Becomes] = []
        written: set[str] = set()
        for assignment in assignments:
            one, body = assignment.children[:2]
            for here in self.bound(assignment, indices):
                name, arguments, version = self.term_parts(one, here)
                fluent = Name(str(name), arguments)
                if version is not None or fluent in written:
                    problem = "twice" if version is None else "as a version of it"
                    raise fault(f"{fluent} cannot change {problem} in one event", one)
                written.add(fluent)
                if fluent in self.names.coded:
                    changes += self._becomes_number(fluent, body, here)
                    continue
                known = self.names.vocabulary.fluents
                if fluent not in known:
                    raise unknown("fluent", fluent, self.names.vocabulary.plain, name)
                changes.append(self._becomes(known[fluent], body, here, facts=facts))
        return tuple(changes)

    def _becomes_number(self, name: str, body: Tree, indices: Indices) -> Iterator[Becomes]:
        """Yield the new values of the digits of a fluent that is stored in binary."""
        low, high, digits = self.names.coded[name]
        thing = self.thing(body, indices)
        if isinstance(thing, Formula | Symbol):
            raise fault(f"expected a value for {name}, got something else", body)
        with self._reckoning(body):
            number = in_binary(thing)
        needs = number.within(low, high)
        if needs is f.FALSE:
            raise fault(f"expected a value of {name} ({low}..{high}), got {shown(thing)}", body)
        bits = (*number.plain(), *[f.FALSE] * len(digits))
        for digit, bit in zip(digits, bits, strict=False):
            known = isinstance(bit, f.Constant)
            to: str | Values = BOOLEAN[bit is f.TRUE] if known else (("true", bit),)
            yield Becomes(digit, to, needs)

    def _becomes(self, fluent: Fluent, body: Tree, indices: Indices, *, facts: bool) -> Becomes:
        thing = self.thing(body, indices)
        if isinstance(fluent, Number):
            return self._becomes_open(fluent, body, thing, facts=facts)
        if isinstance(thing, Symbol):
            thing = constant(thing.word)
        elif isinstance(thing, Formula) is not fluent.is_boolean:
            wanted = "a formula" if fluent.is_boolean else "a value"
            raise fault(f"expected {wanted} for {fluent.name}, got something else", body)
        if isinstance(thing, Bits | Open):
            try:
                thing = Cases(values(thing))
            except TooMany:
                raise fault(f"more values than {fluent.name} has", body) from None
        if not isinstance(thing, Formula) and thing.constant is not None:
            return Becomes(fluent.name, self._value_of(fluent, str(thing.constant), body), f.TRUE)
        if isinstance(thing, f.Constant):
            return Becomes(fluent.name, BOOLEAN[thing is f.TRUE], f.TRUE)
        cases = {"true": thing} if isinstance(thing, Formula) else thing.cases
        if facts and not all(map(is_propositional, cases.values())):
            raise fault("the new value of a fluent cannot depend on knowledge", body)
        inside = {str(v): case for v, case in cases.items() if str(v) in fluent.values}
        if not inside:
            raise fault(f"none of its values is one of {fluent.name}", body)
        is_whole = isinstance(thing, Formula) or len(inside) == len(cases)
        needs = f.TRUE if is_whole else disjunction(inside.values())
        return Becomes(fluent.name, tuple(inside.items()), needs)

    def _becomes_open(self, number: Number, body: Tree, thing: Thing, *, facts: bool) -> Becomes:
        """Return the new value of a number without bounds."""
        with self._reckoning(body):
            value = self._as_value(thing, body)
            if value.constant is not None:
                number.equals(str(value.constant))
                return Becomes(number.name, str(value.constant), TRUE)
            cases = opened(value).cases
            if not all(total.is_real is number.is_real or not total.terms for total, _ in cases):
                raise fault(f"{number.name} cannot get this kind of number", body)
        if facts and not all(is_propositional(case) for _, case in cases):
            raise fault("the new value of a fluent cannot depend on knowledge", body)
        needs = conjunction(
            Implies(case, needed)
            for total, case in cases
            if (needed := number.at_least(total)) is not TRUE
        )
        return Becomes(number.name, cases, needs)

    @staticmethod
    def _value_of(fluent: Fluent, word: str, node: Tree) -> str:
        if word not in fluent.values:
            raise unknown(f"value of {fluent.name}", word, fluent.values, node)
        return word

    # ---- definitions --------------------------------------------------------------------------

    def block(self, node: Tree, text: str) -> Definition:
        """Return the definition of an action block. Raise `Fault` if it is invalid."""
        parameters: dict[str, Tree | None] = {}
        for part in node.parts("parameter"):
            name, *domain = part.children
            if name in parameters:
                raise fault(f"the parameter {name} is given twice", name)
            self.check_unused(name)
            parameters[str(name)] = domain[0] if domain else None
        word = str(node.children[0])
        made = Definition(word, parameters, node, self.names.named_in(node), text)
        _check_parts(node)
        example = self._example(made)
        if example is not None:
            self._made(made, example)
        return made

    def _example(self, block: Definition) -> Indices | None:
        """Return arguments to check the action with; None if a parameter has no set."""
        domains = []
        for domain in block.parameters.values():
            if domain is None:
                return None
            domains.append(self.collection(domain, {}))
        choices = list(islice(product(*domains), _CHOICES + 1))
        different = (chosen for chosen in choices if len(set(chosen)) == len(chosen))
        chosen = next(different, choices[0] if choices else None)
        return None if chosen is None else dict(zip(block.parameters, chosen, strict=True))

    # ---- use ----------------------------------------------------------------------------------

    def actions(self) -> Iterator[Action]:
        """Yield all actions of the file whose parameters have sets, with all arguments."""
        for block in self.names.actions.values():
            domains = [domain for domain in block.parameters.values() if domain is not None]
            if len(domains) < len(block.parameters):
                continue
            for chosen in product(*(self.collection(domain, {}) for domain in domains)):
                yield self._with(block, dict(zip(block.parameters, chosen, strict=True)), None)

    def _with(self, block: Definition, given: Indices, source: Origin | None) -> Action:
        """Return the action of a block with these arguments."""
        inner = ActionExpansion(self.names, block.text)
        inner._abbreviations = block.earlier
        return inner._made(block, given, source)

    def action(self, node: Tree, indices: Indices, source: Origin | None = None) -> Action:
        """Return the action that a term names, such as `peek(ann)`. May raise `Fault`."""
        name, *arguments = node.children
        word = str(name)
        block = self.names.actions.get(word)
        if block is None and not self.names.actions:
            raise fault(f"unknown action {word!r}: there is no `action` above", name)
        if block is None:
            raise unknown("action", word, self.names.actions, name)
        if arguments and isinstance(arguments[-1], Token):
            raise fault("an action has no versions", arguments[-1])
        if len(arguments) != len(block.parameters):
            wanted = Name(word, tuple(block.parameters))
            number = len(block.parameters)
            many = "no arguments" if not number else f"{number} argument{'s' * (number > 1)}"
            raise fault(f"{wanted} takes {many}, got {len(arguments)}", node)
        given: dict[str, Value | Formula] = {}
        for argument, (parameter, domain) in zip(arguments, block.parameters.items(), strict=True):
            value = self._argument(argument, indices)
            if domain is not None and value not in (known := self.collection(domain, {})):
                problem = f"{str(value)!r} cannot be the {parameter!r} of {word!r}"
                near = hint(str(value), [str(one) for one in known])
                raise fault(f"{problem}{near}", argument)
            given[parameter] = value
        try:
            return self._with(block, given, source)
        except Fault as wrong:
            raise fault(f"in {word}: {wrong.problem}", node) from None

    def _after_action(self, node: Tree, indices: Indices) -> Formula:
        done, then = node.children
        action = self.action(done, indices).model
        after = f.AfterAction if node.data == "after_action" else f.after_some
        return after(action, self._formula_after(action, then, indices))

    _after_action_possible = _after_action

    def _formula_after(self, action: ActionModel, then: Tree, indices: Indices) -> Formula:
        """Return a formula about the world after an action, where fluents have new versions."""
        vocabulary = self.names.vocabulary
        changed = {one.fluent for event in action.events for one in event.postconditions}
        versions = [vocabulary.version(x, vocabulary.versions(x) + 1) for x in sorted(changed)]
        if not versions:
            return self.formula(then, indices)
        after = replace(self.names, vocabulary=vocabulary.extended(versions), meanings={})
        inner = ActionExpansion(after, self._text)
        inner._abbreviations = self._abbreviations
        inner.begin(then, indices)
        return inner.formula(then, indices)

    def _made(self, block: Definition, given: Indices, source: Origin | None = None) -> Action:
        """Return the action with these arguments."""
        name = Name(block.name, tuple(map(str, given.values())))
        events: dict[str, PossibleEvent] = {}
        needs: list[Formula] = []
        actual: list[str] = []
        for said, needed, becomes, marked, at in self._events(block, given):
            if said in events:
                raise fault(f"the event {said} is defined twice", at)
            with faults_at(at):
                events[said] = PossibleEvent(said, needed, map(_postcondition, becomes))
            needs += [Implies(needed, one.needs) for one in becomes if one.needs is not TRUE]
            if marked:
                actual.append(said)
        if not events:
            raise fault(f"{name} has no event: nothing could happen", block.body)
        sees, otherwise = self._sees(block.body.parts("observes"), given, events)
        _, *rest = block.body.children
        label = next((str(part)[1:-1] for part in rest if isinstance(part, Token)), "")
        words = filled(label, given, lambda n, _: unknown("parameter", n, given, block.body))
        rank = block.body.part("rank")
        model = ActionModel(
            Origin(words, kind="label") if words else source or Origin(name, kind="line"),
            events.values(),
            sees,
            otherwise,
            actual=actual or None,
            rank=int(rank.children[0]) if rank else ABOVE_ALL,
            name=name,
        )
        return Action(model, conjunction(needs))

    def _events(
        self, block: Definition, given: Indices
    ) -> Iterator[tuple[str, Formula, tuple[Becomes, ...], bool, Tree]]:
        """Yield the possible events: name, precondition, changes, mark as actual, and tree."""
        events = block.body.parts("possible_event")
        always = self._condition(block.body, given)
        if not events:
            yield block.name, always, self._effects(block.body, given), False, block.body
        for node in events:
            marked = isinstance(node.children[0], Token)
            head = node.children[1 if marked else 0]
            for here in self.bound(node, given):
                name = self.term_name(head, here)
                needed = conjunction((always, self._condition(node, here)))
                yield name, needed, self._effects(node, here), marked, head

    def _condition(self, node: Tree, indices: Indices) -> Formula:
        """Return the formula after `when`; `true` if there is none."""
        when = node.part("when")
        return TRUE if when is None else self.formula(when.children[0], indices)

    def _effects(self, node: Tree, indices: Indices) -> tuple[Becomes, ...]:
        effects = node.part("effects")
        return self.assigned(effects.children, indices, facts=False) if effects else ()

    def _sees(
        self, observers: Iterable[Tree], given: Indices, events: Mapping[str, PossibleEvent]
    ) -> tuple[dict[str, tuple[tuple[Formula, Sees], ...]], Sees]:
        """Return how each agent observes the action, by conditions, and how all others do."""
        cases: dict[str, list[tuple[Formula, Sees]]] = {}
        others: list[tuple[Formula, Sees]] = []
        for node in observers:
            who, how = node.children[:2]
            for here in self.bound(node, given):
                seen = self._condition(node, here), self._how(how, here, events)
                if who.data == "others":
                    others.append(seen)
                    continue
                for agent in self._observers(who, here):
                    cases.setdefault(agent, []).append(seen)
        for agent, stated in cases.items():
            end = next((n for n, (when, _) in enumerate(stated, 1) if when is TRUE), None)
            cases[agent] = stated[:end] if end else [*stated, *others]
        otherwise = NOTHING
        if others and others[0][0] is TRUE:
            otherwise = others[0][1]
        else:
            cases |= {agent: others for agent in self.names.agents if agent not in cases}
        return {agent: tuple(stated) for agent, stated in cases.items()}, otherwise

    def _observers(self, who: Tree, indices: Indices) -> tuple[str, ...]:
        try:
            return self.agents(who, indices)
        except Fault as wrong:
            word = "".join(map(str, who.words()))
            near = hint(word, ("everybody", "others"))
            known = word in (*self.names.constants, *self.names.agents, *indices)
            if known or "did you mean" not in near or "did you mean" in wrong.problem:
                raise
            raise fault(f"unknown agent {word!r}{near}", who) from None

    def _how(self, node: Tree, indices: Indices, events: Mapping[str, PossibleEvent]) -> Sees:
        if node.data == "sees_which":
            return WHICH
        if node.data == "notices_nothing":
            return NOTHING
        alike = [
            [self._event_name(named, indices, events) for named in part.children]
            for part in node.children
        ]
        with faults_at(node):
            return that(*alike)

    def _event_name(self, node: Tree, indices: Indices, events: Mapping[str, PossibleEvent]) -> str:
        name = self.term_name(node, indices)
        if name not in events:
            raise unknown("event", name, events, node)
        return name

    def happening(self, node: Tree, indices: Indices, action: Action) -> str | None:
        """Return the event named in `do toss: heads`; None if no event is named."""
        rest = node.children[1:]
        if not rest:
            return None
        events = {event.name: event for event in action.model.events}
        named = self._event_name(rest[0], indices, events)
        if named not in action.model.actual:
            raise fault(f"{named} is not one of the events that can be the actual one", rest[0])
        return named


def _postcondition(becomes: Becomes) -> Postcondition:
    """Return the postcondition of a fluent; a Boolean fluent gets the truth value of a formula."""
    to = becomes.to
    if not isinstance(to, str) and len(to) == 1 and to[0][0] == "true":
        return Postcondition(becomes.fluent, to[0][1])
    return Postcondition(becomes.fluent, to)
