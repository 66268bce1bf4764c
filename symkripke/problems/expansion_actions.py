"""The meaning of action blocks, and of formulas that name actions, such as `[peek(ann)] f`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import cast

from symkripke.errors import UnknownName, hint
from symkripke.language import TRUE, Formula, Implies, conjunction
from symkripke.language import formulas as f
from symkripke.language import term as written_term
from symkripke.language.scanner import Token
from symkripke.model import (
    ABOVE_ALL,
    NOTHING,
    WHICH,
    ActionModel,
    Origin,
    PossibleEvent,
    Postcondition,
    Sees,
    that,
)
from symkripke.problems.expansion import ActionBlock
from symkripke.problems.expansion_changes import Becomes, ChangeExpansion
from symkripke.problems.indices import Indices, fault, faults_at
from symkripke.problems.syntax import Fault, Node
from symkripke.problems.values import Value
from symkripke.records import dataclass

# An action is checked where it is defined, with example arguments. They are all different if one of
# the first so many combinations is.
_CHOICES = 1_000


@dataclass(frozen=True)
class Action:
    """An action with its arguments.

    Attributes:
        name: the action as it is written: `peek(ann)`.
        model: the action model.
        needs: a formula that must be true at every world before the action: each event that can
            happen gives every changed fluent a value. Otherwise the action is an error.
    """

    name: str
    model: ActionModel
    needs: Formula


@dataclass(frozen=True)
class _Clauses:
    """The parts of an action block."""

    label: str
    when: Node | None
    effects: Node | None
    events: tuple[Node, ...]
    observers: tuple[Node, ...]
    rank: int

    @classmethod
    def of(cls, block: Node) -> _Clauses:
        """The parts of this block; raises `Fault` if they do not fit together."""
        label, when, effects, rank = "", None, None, ABOVE_ALL
        events: list[Node] = []
        observers: list[Node] = []
        ranks: list[Node] = []
        for part in block.children[1:]:
            if isinstance(part, Token):
                label = str(part)[1:-1]
                continue
            match part.data:
                case "when":
                    when = part
                case "effects":
                    effects = part
                case "possible_event":
                    events.append(part)
                case "observes":
                    observers.append(part)
                case "rank":
                    ranks.append(part)
                    rank = int(str(part.children[0]))
        if events and effects is not None:
            problem = "an action that has events changes nothing beside them: say it of each event"
            raise fault(problem, effects)
        if not observers:
            problem = "nobody would notice it: say who does, in an indented line such as"
            nobody = "if nobody does, write 'everybody notices nothing'"
            raise fault(f"{problem} 'everybody sees which'; {nobody}", block)
        if len(ranks) > 1:
            raise fault("the rank is given twice", ranks[1])
        return cls(label, when, effects, tuple(events), tuple(observers), rank)


class ActionExpansion(ChangeExpansion):
    """Expands the trees of one statement, with actions."""

    # ---- definitions --------------------------------------------------------------------------

    def block(self, node: Node, text: str) -> ActionBlock:
        """An action block that has been read; raises `Fault` for what is wrong in it."""
        parameters: dict[str, Node | None] = {}
        for part in node.children[1:]:
            if isinstance(part, Token) or part.data != "parameter":
                continue
            name, *domain = part.children
            if str(name) in parameters:
                raise fault(f"the parameter {name} is given twice", cast(Token, name))
            taken = (self.names.constants, self._abbreviations, self.names.coded)
            known = self.names.vocabulary.fluents
            if any(str(name) in names for names in taken) or str(name) in known:
                raise fault(f"{name} has a meaning already: take another", cast(Token, name))
            parameters[str(name)] = cast(Node, domain[0]) if domain else None
        word = str(node.children[0])
        made = ActionBlock(word, parameters, node, self.names.named_in(node), text)
        _Clauses.of(node)
        example = self._example(made)
        if example is not None:
            self._made(made, example)
        return made

    def _example(self, block: ActionBlock) -> Indices | None:
        """Arguments to check the action with; None if a parameter has no set."""
        domains = []
        for domain in block.parameters.values():
            if domain is None:
                return None
            domains.append(self.collection(domain, {}))
        first: tuple[Value, ...] | None = None
        for number, chosen in enumerate(product(*domains)):
            first = first or chosen
            if len(set(chosen)) == len(chosen):
                first = chosen
                break
            if number >= _CHOICES:
                break
        return None if first is None else dict(zip(block.parameters, first, strict=True))

    # ---- use ----------------------------------------------------------------------------------

    def action(self, node: Node, indices: Indices, source: Origin | None = None) -> Action:
        """The action that a term names: `peek(ann)`; raises `Fault`."""
        name, *arguments = node.children
        word = str(name)
        block = self.names.actions.get(word)
        if block is None and not self.names.actions:
            problem = f"unknown action {word!r}: there is no `action` above"
            raise fault(problem, cast(Token, name))
        if block is None:
            raise fault(str(UnknownName("action", word, self.names.actions)), cast(Token, name))
        if arguments and isinstance(arguments[-1], Token):
            raise fault("an action has no versions", arguments[-1])
        if len(arguments) != len(block.parameters):
            wanted = written_term(word, tuple(block.parameters))
            number = len(block.parameters)
            many = "no arguments" if not number else f"{number} argument{'s' * (number > 1)}"
            raise fault(f"{wanted} takes {many}, got {len(arguments)}", node)
        given: dict[str, Value | Formula] = {}
        for argument, (parameter, domain) in zip(arguments, block.parameters.items(), strict=True):
            value = self._argument(cast(Node, argument), indices)
            if domain is not None and value not in (known := self.collection(domain, {})):
                problem = f"{str(value)!r} cannot be the {parameter!r} of {word!r}"
                near = hint(str(value), [str(one) for one in known])
                raise fault(f"{problem}{near}", cast(Node, argument))
            given[parameter] = value
        try:
            inner = ActionExpansion(self.names, block.text)
            inner._abbreviations = block.earlier
            return inner._made(block, given, source)
        except Fault as wrong:
            raise fault(f"in {word}: {wrong.problem}", node) from None

    def _after_action(self, node: Node, indices: Indices) -> Formula:
        done, then = (cast(Node, child) for child in node.children)
        action = self.action(done, indices)
        return f.AfterAction(action.model, self._formula_after(action.model, then, indices))

    def _after_action_possible(self, node: Node, indices: Indices) -> Formula:
        done, then = (cast(Node, child) for child in node.children)
        action = self.action(done, indices)
        return f.after_some(action.model, self._formula_after(action.model, then, indices))

    def _formula_after(self, action: ActionModel, then: Node, indices: Indices) -> Formula:
        """A formula about what is so after an action, with names for the versions it makes."""
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

    def _made(self, block: ActionBlock, given: Indices, source: Origin | None = None) -> Action:
        """The action with these arguments."""
        name = written_term(block.name, tuple(map(str, given.values())))
        clauses = _Clauses.of(block.body)
        events: dict[str, PossibleEvent] = {}
        needs: list[Formula] = []
        actual: list[str] = []
        for said, needed, becomes, marked, at in self._events(block, clauses, given):
            if said in events:
                raise fault(f"the event {said} is there twice", at)
            with faults_at(at):
                events[said] = PossibleEvent(said, needed, map(_postcondition, becomes))
            needs += [Implies(needed, one.needs) for one in becomes if one.needs is not TRUE]
            if marked:
                actual.append(said)
        if not events:
            raise fault(f"{name} has no event: nothing could happen", block.body)
        sees, otherwise = self._sees(clauses, given, events)
        words = clauses.label and _filled(clauses.label, given, block.body)
        model = ActionModel(
            Origin(words, kind="label") if words else source or Origin(name, kind="line"),
            events.values(),
            sees,
            otherwise,
            actual=actual or None,
            rank=clauses.rank,
            name=name,
        )
        return Action(name, model, conjunction(needs))

    def _events(
        self, block: ActionBlock, clauses: _Clauses, given: Indices
    ) -> Iterator[tuple[str, Formula, tuple[Becomes, ...], bool, Node]]:
        """The possible events: name, precondition, what they change, whether marked as actual."""
        if not clauses.events:
            needed, becomes = self._event(clauses.when, clauses.effects, given)
            yield block.name, needed, becomes, False, block.body
        always = self._event(clauses.when, None, given)[0]
        for node in clauses.events:
            marked = isinstance(node.children[0], Token)
            head, *rest = (cast(Node, part) for part in node.children[1 if marked else 0 :])
            parts = {part.data: part for part in rest}
            each = parts["each"].children if "each" in parts else ()
            for here in self.bound(each, given):
                word, arguments, _ = self.term_parts(head, here)
                needed, becomes = self._event(parts.get("when"), parts.get("effects"), here)
                needed = conjunction((always, needed))
                yield written_term(str(word), arguments), needed, becomes, marked, head

    def _event(
        self, when: Node | None, effects: Node | None, indices: Indices
    ) -> tuple[Formula, tuple[Becomes, ...]]:
        needed = TRUE if when is None else self.formula(cast(Node, when.children[0]), indices)
        if effects is None:
            return needed, ()
        return needed, self.assigned(effects.children, indices, facts=False)

    def _sees(
        self, clauses: _Clauses, given: Indices, events: Mapping[str, PossibleEvent]
    ) -> tuple[dict[str, tuple[tuple[Formula, Sees], ...]], Sees]:
        """How agents observe: by conditions, the first that is true counts; and all others."""
        cases: dict[str, list[tuple[Formula, Sees]]] = {}
        others: list[tuple[Formula, Sees]] = []
        for node in clauses.observers:
            who, how, *rest = (cast(Node, part) for part in node.children)
            parts = {part.data: part for part in rest}
            each = parts["each"].children if "each" in parts else ()
            for here in self.bound(each, given):
                condition: Formula = TRUE
                if "when" in parts:
                    condition = self.formula(cast(Node, parts["when"].children[0]), here)
                seen = condition, self._how(how, here, events)
                if who.data == "others":
                    others.append(seen)
                    continue
                for agent in self._observers(who, here):
                    cases.setdefault(agent, []).append(seen)
        for agent, stated in cases.items():
            end = next((n for n, (when, _) in enumerate(stated, 1) if when is TRUE), None)
            cases[agent] = stated[:end] if end else [*stated, *others]
        if others and others[0][0] is TRUE:
            return {agent: tuple(stated) for agent, stated in cases.items()}, others[0][1]
        unnamed = {agent: list(others) for agent in self.names.agents if agent not in cases}
        everybody = {**cases, **unnamed}
        return {agent: tuple(stated) for agent, stated in everybody.items()}, NOTHING

    def _observers(self, who: Node, indices: Indices) -> tuple[str, ...]:
        try:
            return self.agents(who, indices)
        except Fault as wrong:
            word = "".join(map(str, who.words()))
            near = hint(word, ("everybody", "others"))
            known = word in (*self.names.constants, *self.names.agents, *indices)
            if known or "did you mean" not in near or "did you mean" in wrong.problem:
                raise
            raise fault(f"unknown agent {word!r}{near}", who) from None

    def _how(self, node: Node, indices: Indices, events: Mapping[str, PossibleEvent]) -> Sees:
        if node.data == "sees_which":
            return WHICH
        if node.data == "notices_nothing":
            return NOTHING
        alike: list[list[str]] = []
        for part in node.children:
            names: list[str] = []
            for named in cast(Node, part).children:
                names.append(self._event_name(cast(Node, named), indices, events))
            alike.append(names)
        with faults_at(node):
            return that(*alike)

    def _event_name(self, node: Node, indices: Indices, events: Mapping[str, PossibleEvent]) -> str:
        word, arguments, _ = self.term_parts(node, indices)
        name = written_term(str(word), arguments)
        if name not in events:
            raise fault(str(UnknownName("event", name, events)), node)
        return name

    def happening(self, node: Node, indices: Indices, action: Action) -> str | None:
        """The event named in `do toss: heads`; None if no event is named."""
        rest = node.children[1:]
        if not rest:
            return None
        events = {event.name: event for event in action.model.events}
        named = self._event_name(cast(Node, rest[0]), indices, events)
        if named not in action.model.actual:
            raise fault(f"{named} is not one of the events that can be the actual one", rest[0])
        return named


def _postcondition(becomes: Becomes) -> Postcondition:
    """The postcondition for a fluent; for a Boolean fluent, the formula whose truth it gets."""
    to = becomes.to
    if not isinstance(to, str) and len(to) == 1 and to[0][0] == "true":
        return Postcondition(becomes.fluent, to[0][1])
    return Postcondition(becomes.fluent, to)


def _filled(label: str, given: Indices, node: Node) -> str:
    """The label with the arguments in the place of its parameters."""

    def told(found: re.Match[str]) -> str:
        if found[1] not in given:
            raise fault(str(UnknownName("parameter", found[1], given)), node)
        return str(given[found[1]])

    return re.sub(r"\{([^\W\d]\w*)\}", told, label)
