"""The worlds that an agent considers possible, ready to be counted by weight.

What a question does not ask for is left out where that changes no share: the private fluents of an
event, as soon as nothing later speaks of them, and its likelihoods with them (see
`symkripke.engines.bdd.likelihoods`). So the diagram of a card game stays that of its deals, however
much was shown to others. What the agent has seen goes in first; each event adds to the diagram
of the stage before, which is kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from symkripke.engines.bdd.diagram import Diagram, minus
from symkripke.engines.bdd.law import NOTHING, Line, Literals, Stage
from symkripke.engines.bdd.likelihoods import Step, Tickets
from symkripke.engines.weighting import unclear
from symkripke.errors import BudgetExceeded, in_digits
from symkripke.model import KnowledgeStructure

if TYPE_CHECKING:
    from symkripke.engines.bdd.nodes import Nodes
    from symkripke.engines.bdd.truth import Evaluation

# Diagrams kept for one line of structures; the one not used for longest goes.
_KEPT = 64

# Diagrams kept as arrays of nodes: a hundred bytes a node and more.
_NODES_KEPT = 8

# A joint distribution is worked out in one pass if that needs no more numbers at once (160 MB).
_CELLS = 20_000_000

# So many variables that are asked for are fixed at a time.
_CHUNK = 6


@dataclass(frozen=True)
class Choice:
    """What is done with one event.

    Attributes:
        gone: the fluents that nothing speaks of any more, left out after this event.
        tickets: whether its likelihoods go in.
    """

    gone: frozenset[str] = frozenset()
    tickets: bool = False


Plan: TypeAlias = tuple[Choice, ...]
"""One choice an event, from the first stage on."""


class Counting:
    """Diagrams of one line for counting; with likelihoods, or without."""

    def __init__(self, line: Line, weighting: str) -> None:
        """Nothing yet."""
        self.line = line
        self.weighting = weighting
        self._steps: WeakKeyDictionary[KnowledgeStructure, Step] = WeakKeyDictionary()
        self._blocks: Tickets = {}
        self._laws: OrderedDict[tuple[Stage, Literals, Plan], Diagram] = OrderedDict()
        self._nodes: OrderedDict[Diagram, Nodes] = OrderedDict()

    def forget(self) -> None:
        """Let go of everything that can be built again."""
        self._laws.clear()
        self._nodes.clear()
        self.line.forget()

    # ---- ask it ---------------------------------------------------------------------------

    def deals(
        self, work: Evaluation, agent: str | None, given: Literals, names: Iterable[str]
    ) -> Diagram:
        """The valuations of the fluents of these names at the worlds with `given`, each once.

        Args:
            work: the structure.
            agent: whose observation `given` is; None if nothing is given.
            given: what it has seen.
            names: resolved names of fluents.
        """
        asked = frozenset(names)
        steps, seen = self._history(work), self._seen(work, agent, given)
        law = self._law(work, steps, seen, self._plan(work, steps, seen, asked, plain=True))
        others = work.stage.variables.difference(
            v for name in asked for v in work.stage.blocks[name][1]
        )
        return law.exists(self.line.diagrams.cube(v + 1 for v in others))

    def possible(
        self, work: Evaluation, agent: str, given: Literals, names: Iterable[str]
    ) -> Diagram:
        """What the agent considers possible, for questions about the fluents of these names.

        A count of valuations in this diagram that share values of these fluents, divided by
        that of all, is the probability of these values. Raises `InputError` for a likelihood that
        has not exactly one true case at each of these worlds.
        """
        asked = frozenset(names)
        steps, seen = self._history(work), self._seen(work, agent, given)
        return self._law(work, steps, seen, self._plan(work, steps, seen, asked, plain=False))

    def weighed(
        self,
        work: Evaluation,
        given: Literals,
        observed: Iterable[int],
        whole: Diagram,
        part: Diagram,
    ) -> tuple[Diagram, Diagram, int]:
        """Two sets of worlds of the law with `given`, so that to count them is to weigh them.

        `part` is a subset of `whole`, and `observed` are variables that must stay. The number
        says how many variables there are more.
        """
        if self.weighting == "equal":
            return whole, part, 0
        steps = self._history(work)
        for step in steps:
            self._check(step, whole)
        choices = self._choices(
            steps, [given] * len(steps), NOTHING, frozenset(observed), work, plain=False
        )
        gone = frozenset(
            name for step, choice in zip(steps, choices, strict=True) for name in choice.gone
        )
        if gone:
            cube = self.line.diagrams.cube(v + 1 for v in steps[-1].own(gone))
            without = whole.exists(cube), part.exists(cube), minus(whole, part).exists(cube)
            told = [
                added
                for step, choice in zip(steps, choices, strict=True)
                if choice.gone
                for added in step.stage.added
            ]
            back = self.line.diagrams.every([without[0], self.line.diagrams.cube(given), *told])
            if (without[1] & without[2]).satisfiable() or minus(back, whole).satisfiable():
                # The question, or an announcement in it, depends on a private fluent.
                choices = [Choice(tickets=bool(step.cases)) for step in steps]
            else:
                whole, part, _ = without
        more = 0
        for step, choice in zip(steps, choices, strict=True):
            if choice.tickets:
                work.deadline.check()
                tickets, added = step.tickets()
                whole, part = whole & tickets, part & tickets
                more += len(added)
        return whole, part, more

    def nodes(self, law: Diagram) -> Nodes:
        """The nodes of a diagram; kept, so that one question may follow another."""
        if law not in self._nodes:
            from symkripke.engines.bdd.nodes import Nodes  # with numpy

            self._nodes[law] = Nodes(self.line.diagrams, law)
            if len(self._nodes) > _NODES_KEPT:
                self._nodes.popitem(last=False)
        self._nodes.move_to_end(law)
        return self._nodes[law]

    def split(
        self, law: Diagram, variables: Iterable[int], limit: int
    ) -> list[tuple[frozenset[int], Fraction]]:
        """The share in `law` (not empty) of each valuation of these variables that it has.

        In one pass over the nodes; if that would take too much room, the law is split on a few
        variables at a time, from the top, and what is left of it counted.

        Raises:
            BudgetExceeded: there are more than `limit`.
        """
        diagrams = self.line.diagrams
        asked = set(variables)
        shadow = law.exists(diagrams.cube(v + 1 for v in diagrams.order if v not in asked))
        number = diagrams.count(shadow, len(asked))
        if number > limit:
            raise BudgetExceeded(
                f"there are {in_digits(number)} possibilities, more than {limit:,}"
            )
        nodes = self.nodes(law)
        from symkripke.engines.bdd.joint import joint

        sums = joint(nodes, asked, _CELLS)
        if sums is None:
            return self._split(law, shadow, asked)
        idle = sorted(asked.difference(nodes.variables))
        whole = sum(sums.values()) << len(idle)
        found = [(true, Fraction(count, whole)) for true, count in sums.items()]
        for variable in idle:
            found += [(true | {variable}, share) for true, share in found]
        return found

    def _split(
        self, law: Diagram, shadow: Diagram, asked: set[int]
    ) -> list[tuple[frozenset[int], Fraction]]:
        """The same, by conditioning; `shadow` is what the law says of the `asked` variables."""
        diagrams = self.line.diagrams
        order = sorted(asked, key=diagrams.manager.var_to_level)
        chunks = [order[start : start + _CHUNK] for start in range(0, len(order), _CHUNK)]
        rest = [diagrams.cube(v + 1 for v in asked.difference(chunk)) for chunk in chunks]
        size = diagrams.manager.num_vars()
        whole = diagrams.count(law, size)
        found = []
        stack = [(law, shadow, 0, frozenset[int]())]
        while stack:
            law, shadow, place, true = stack.pop()
            if place == len(chunks):
                found.append((true, Fraction(diagrams.count(law, size), whole)))
                continue
            for here in diagrams.members(shadow.exists(rest[place]), chunks[place]):
                cube = diagrams.cube(v + 1 if v in here else -v - 1 for v in chunks[place])
                stack.append((law & cube, shadow & cube, place + 1, true | here))
        return found

    # ---- the plan -------------------------------------------------------------------------

    def _history(self, work: Evaluation) -> list[Step]:
        """The steps of the structure's history."""
        where = None if self.weighting == "equal" else partial(work.truth, work.everything())
        for structure in work.structure.history:
            if structure not in self._steps:
                self._steps[structure] = Step.of(self.line, structure, self._blocks, where)
        return [self._steps[structure] for structure in work.structure.history]

    def _seen(self, work: Evaluation, agent: str | None, given: Literals) -> list[Literals]:
        """For each stage what of `given` the agent had seen by then."""
        seen: list[Literals] = []
        observed: frozenset[int] | None = None
        for structure in work.structure.history:
            now = frozenset() if agent is None else self.line.stages[structure].observed[agent]
            if now is not observed:
                observed = now
                seen.append(frozenset(one for one in given if abs(one) - 1 in now or not one))
            else:
                seen.append(seen[-1])
        return seen

    def _plan(
        self,
        work: Evaluation,
        steps: Sequence[Step],
        seen: Sequence[Literals],
        asked: frozenset[str],
        *,
        plain: bool,
    ) -> Plan:
        """What can be left out when; with `plain`, all that is not asked for, and no likelihood."""
        stay = frozenset(v for name in asked for v in work.stage.blocks.get(name, ((), ()))[1])
        return tuple(self._choices(steps, seen, seen[-1], stay, work, plain=plain))

    def _choices(
        self,
        steps: Sequence[Step],
        seen: Sequence[Literals],
        all_seen: Literals,
        stay: frozenset[int],
        work: Evaluation,
        *,
        plain: bool,
    ) -> list[Choice]:
        """For each step what is done with it. `stay` are variables that must not go."""
        last: dict[str, int] = {}
        for number, step in enumerate(steps):
            last.update(dict.fromkeys(step.mentions, number))
            if step.modal:  # what agents knew may depend on everything that there was
                last.update(dict.fromkeys(last, number))
        gone: list[set[str]] = [set() for _ in steps]
        tickets = [False] * len(steps)
        for number, (step, given) in enumerate(zip(steps, seen, strict=True)):
            here: set[str] = set()
            later: set[str] = set()
            for name in step.secret:
                own = step.own((name,))
                if not own.isdisjoint(stay):
                    continue
                fresh = any(v + 1 in all_seen or -v - 1 in all_seen for v in own) and any(
                    abs(one) - 1 in own for one in all_seen - given
                )
                if not fresh:
                    (here if last[name] == number else later).add(name)
            if plain:
                gone[number] |= here
                for name in later:
                    gone[last[name]].add(name)
                continue
            if step.cancels(given, frozenset(here), work.deadline):
                gone[number] |= here
            else:
                tickets[number] = bool(step.cases)
                later |= here
            for name in later:
                # Seen, it has one value at all worlds that matter: nothing is summed up.
                if all(v + 1 in given or -v - 1 in given for v in step.own((name,))):
                    gone[last[name]].add(name)
        return [
            Choice(frozenset(names), ticket) for names, ticket in zip(gone, tickets, strict=True)
        ]

    # ---- the diagram ----------------------------------------------------------------------

    def _law(
        self, work: Evaluation, steps: Sequence[Step], seen: Sequence[Literals], plan: Plan
    ) -> Diagram:
        """The diagram by that plan, built on that of the latest stage that is kept."""
        keys = [
            (step.stage, given, plan[: number + 1])
            for number, (step, given) in enumerate(zip(steps, seen, strict=True))
        ]
        start = len(steps) - 1
        while start > 0 and keys[start] not in self._laws:
            start -= 1
        law = self._laws.get(keys[start])
        if law is None:
            law = self.line.law(work.structure.root, seen[0], work.deadline)
        else:
            self._laws.move_to_end(keys[start])
        for number in range(start, len(steps)):
            if number > start:
                work.deadline.check()
                given = seen[number] - seen[number - 1]
                law = self._with(steps[number], given, seen[number], plan[number], law)
            self._laws[keys[number]] = law
        while len(self._laws) > _KEPT:
            self._laws.popitem(last=False)
        return law

    def _with(
        self, step: Step, fresh: Literals, given: Literals, choice: Choice, law: Diagram
    ) -> Diagram:
        """The diagram after one more event."""
        diagrams = self.line.diagrams
        parts = [*step.stage.added, *([step.tickets()[0]] if choice.tickets else [])]
        own = step.own(choice.gone.intersection(step.secret))
        cube = diagrams.cube(v + 1 for v in step.own(choice.gone))
        if choice.gone and choice.gone <= set(step.secret):
            # Private to this event: gone before it meets what is large.
            near = diagrams.cube(one for one in given if abs(one) - 1 in step.variables)
            rest = diagrams.cube(one for one in fresh if abs(one) - 1 not in own)
            self._check(step, law)
            return law & rest & diagrams.every([*parts, near]).exists(cube)
        self._check(step, law)
        if not step.modal:
            # One event says little: put together first, so that what is large meets it once.
            parts = [diagrams.every([*parts, diagrams.cube(fresh)])]
        else:
            parts.insert(0, diagrams.cube(fresh))
        for part in parts:
            law = law & part
        return law.exists(cube) if choice.gone else law

    def _check(self, step: Step, law: Diagram) -> None:
        """Raises `InputError` if not exactly one case of a likelihood is true at these worlds."""
        for source, wrong in step.unclear():
            if (law & wrong).satisfiable():
                raise unclear(source)
