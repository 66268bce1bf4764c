"""The steps of a problem as sentences: events and questions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from symkripke.explain.text import listed
from symkripke.language import FALSE, TRUE, Atom, Formula, Implies, Name
from symkripke.language.linear import Sum
from symkripke.model import (
    Change,
    Event,
    KnowledgeStructure,
    Postcondition,
)
from symkripke.model.origin import Origin
from symkripke.model.vocabulary import BOOLEAN
from symkripke.problems.outcome_words import Written
from symkripke.problems.problem import (
    AT_ACTUAL,
    Doing,
    Happening,
    Kind,
    Plan,
    Problem,
    Question,
    Remark,
    Step,
    Whether,
)

# The maximum length of a sentence; a step with a longer sentence is shown as a formula.
_LONGEST = 240

# The maximum length of the sentence of a plan, which can have many actions.
_LONGEST_PLAN = 600

_ASKED: Mapping[Kind, str] = {
    **dict.fromkeys(AT_ACTUAL, "Is it true "),
    "valid": "Is it certain for everybody ",
    "where": "At which worlds is it true ",
}
_ASKED_OF_ALL: Mapping[Kind, str] = {
    "where": "What is still possible?",
    "count": "How many worlds are still possible?",
    "plan": "How can this be reached?",
    "protocol": "Which announcement achieves this?",
    "contract": "How many worlds are there, if worlds that no formula separates count as one?",
}

_WORD = re.compile(r"\w+")


def step_in_words(problem: Problem, structure: KnowledgeStructure, step: Step) -> str:
    """Return a step as a sentence; empty if it has none, such as a formula without words.

    The sentence of an event is its label in the file, if it has one. Otherwise the sentence states
    the kind of event, and the agents or facts that it concerns.

    Args:
        problem: the problem.
        structure: the structure before the step.
        step: the step.
    """
    match step:
        case Remark():
            return step.says
        case Doing():
            said = _begun(_action(problem, structure, step))
            return said if len(said) <= _LONGEST else ""
        case Plan():
            actions = "; ".join(_action(problem, structure, done)[:-1] for done in step.actions)
            said = f"The plan: {actions}."
            return said if len(said) <= _LONGEST_PLAN else ""
        case Happening(event=event):
            return _statement(problem, structure, step) or _event(problem, structure, event)
        case Whether(source=source):
            return _statement(problem, structure, step) or _label(source)
    return _statement(problem, structure, step)


def _begun(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _label(source: Origin) -> str:
    """Return the label of an event in the file as a sentence; empty if it has none."""
    if source.kind != "label":
        return ""
    return f"{_begun(source.text)}{'' if source.text[-1:] in tuple('.!?') else '.'}"


# ---- announcements and questions -----------------------------------------------------------------


def _statement(problem: Problem, structure: KnowledgeStructure, step: Step) -> str:
    """Return a question or an announcement as a sentence; empty if it has none."""
    ends = "?"
    match step:
        case Question("how", said, agent=str(agent), given=given) if given is TRUE:
            opens = f"How likely does {problem.titles.get(agent, agent)} think it is "
        case Question("knows", agent=str(agent)):
            return f"What does {problem.titles.get(agent, agent)} know?"
        case Question(kind, said) if said is TRUE and kind in _ASKED_OF_ALL:
            return _ASKED_OF_ALL[kind]
        case Question(kind, said) if kind in _ASKED:
            opens = _ASKED[kind]
        case Whether(said):
            opens, ends = "It is announced whether it is true ", "."
        case Happening(Event(constraints=(constraint,)) as event) if not (
            event.fluents or event.changes or event.observes
        ):
            said, opens, ends = constraint.formula, "It is announced ", "."
        case _:
            return ""
    words = _sayable(problem, structure, said)
    return f"{opens}{words}{ends}" if words else ""


def _sayable(problem: Problem, structure: KnowledgeStructure, said: Formula) -> str:
    """Return a formula with "that", in the words of the file; empty if it has none or is long."""
    names = Written(problem, structure, resolved=False)
    wording = names.wording()
    if wording.sentence(said, True) is None or not names.can_be_said(said):
        return ""
    words = wording.that(said)
    return words if len(words) <= _LONGEST else ""


# ---- events --------------------------------------------------------------------------------------


def _action(problem: Problem, structure: KnowledgeStructure, done: Doing) -> str:
    """Return an action as a sentence: its label, or its name and its changes."""
    source = done.action.source
    term, _, happens = done.name.partition(": ")
    which = f", and this happens: {_plain(problem, happens)}" if happens else ""
    if source.kind == "label":
        return f"{source.text}{which}."
    effects = ""
    if len(done.action.events) == 1:
        changes = _changes(problem, structure, done.action.events[0].postconditions)
        effects = f" {_begun(changes)}." if changes else ""
    return f"the action {_plain(problem, term)} is done{which}.{effects}"


def _plain(problem: Problem, term: str) -> str:
    """Return the name of an action or event in words: “change to” (two)."""
    name = Name.of(term)
    if not _WORD.fullmatch(name.functor):
        return term
    word = name.functor.replace("_", " ")
    if not name.arguments:
        return f"“{word}”"
    arguments = [problem.titles.get(part, part.replace("_", " ")) for part in name.arguments]
    return f"“{word}” ({', '.join(arguments)})"


def _changes(
    problem: Problem,
    structure: KnowledgeStructure,
    changes: tuple[Postcondition, ...] | tuple[Change, ...],
) -> str:
    """Return new values in words ("now the box is open"); empty if a value is conditional."""
    names = Written(problem, structure)
    words = []
    for change in changes:
        new = _constant(change.cases if isinstance(change, Postcondition) else change.to)
        if new is None:
            return ""
        atom = Atom(change.fluent, "true" if new in BOOLEAN else new)
        words.append(names.words(atom, new != "false"))
    return f"now {listed(words)}" if words else ""


def _constant(to: str | tuple[tuple[str | Sum, Formula], ...] | None) -> str | None:
    """Return the new value of a fluent; None if the value is conditional."""
    if to is None or isinstance(to, str):
        return to
    open_cases = [(value, when) for value, when in to if when is not FALSE]
    return str(open_cases[0][0]) if open_cases and open_cases[0][1] is TRUE else None


def _event(problem: Problem, structure: KnowledgeStructure, event: Event) -> str:
    """Return an event that is not a public announcement as a sentence."""
    if label := _label(event.source):
        return label
    if event.observes:
        who = listed([problem.titles.get(agent, agent) for agent in event.observes])
        return _begun(_shown(problem, structure, event, who))
    if event.changes:
        changes = _changes(problem, structure, event.changes)
        return f"{_begun(changes)}." if 0 < len(changes) <= _LONGEST else "Facts change."
    if event.fluents:
        fresh = [
            problem.things.get(fluent.name, fluent.name)
            for fluent in event.fluents
            if fluent.name not in problem.hidden
        ]
        what = f": {listed(fresh)}" if fresh else ""
        return f"There is something new that nobody has seen yet{what}."
    if event.soft:
        words = _sayable(problem, structure, event.soft[0].formula)
        return f"From now on it is believed {words}." if words else ""
    return ""


def _shown(problem: Problem, structure: KnowledgeStructure, event: Event, who: str) -> str:
    """Return a private observation or announcement as a sentence."""
    many = "are" if len(event.observes) > 1 else "is"
    for constraint in event.constraints:
        match constraint.formula:
            case Implies(operands=(Atom(fluent=heard), fact)) if heard in problem.unnamed:
                words = _sayable(problem, structure, fact)
                return f"{who} {many} told {words or 'something'}."
    seen = [
        f"whether {problem.words[observable.atom][0]}"
        for observable in dict.fromkeys(
            observable for each in event.observes.values() for observable in each
        )
        if observable.atom in problem.words
    ]
    return f"{who} {many} shown {listed(seen) if seen else 'something'}."
