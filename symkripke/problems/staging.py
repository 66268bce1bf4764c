"""Scenes of a problem: the people, the facts as things, the words, and the thoughts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from symkripke.drawing.cards import PEOPLE, Face
from symkripke.drawing.scenes import (
    CHILDREN,
    MOST_PEOPLE,
    Actor,
    Board,
    Prop,
    Room,
    Stage,
    Thing,
    Thought,
    words_lines,
)
from symkripke.engines import Mark
from symkripke.errors import BudgetExceeded, InputError, Unsupported
from symkripke.explain.text import listed
from symkripke.language import FALSE, TRUE, Atom, Formula, Kw, Name, conjunction, negation
from symkripke.language.formulas import B, Modal
from symkripke.limits import Budget, within_budget
from symkripke.model import KnowledgeStructure, Scene
from symkripke.problems.checker import Run
from symkripke.problems.outcome import present
from symkripke.problems.problem import Doing, Happening, Problem, Question, Remark, Step, Whether
from symkripke.problems.scenery import (
    Looks,
    PropRule,
    Scenery,
    ThoughtRule,
    matches,
    plain_scenery,
)
from symkripke.records import dataclass

_THINKING = Budget(seconds=1.0, work=60_000)
"""The budget for the work of an engine on the scenes between two events."""

_MOST_LINES = 4
"""The maximum number of lines of words in a scene."""

_LONGEST_DESCRIPTION = 1_500
_UNKNOWN = "?"
_ANNOUNCED = re.compile(r"^It is announced that ")
_BOTH = re.compile(r"^It is announced both that (.*) and that ")
_INDEX = re.compile(r"\(\w+ = (\w+)\)$")

_ARTS = {**PEOPLE, **CHILDREN}

Values = Mapping[str, str]
"""The values of fluents at the actual world; empty if this world is not known."""

Combinations = tuple[tuple[str, ...], ...]
"""Combinations of values of the fluents of a board."""

_Found = tuple[Combinations, int, Values, Mapping[str, Thought]]
"""The possible combinations, the number of worlds, the actual values, and thoughts."""


@dataclass(frozen=True)
class Said:
    """The words of a step, and their speakers.

    Attributes:
        text: the words.
        speakers: the titles of the people who say them; empty: the narrator.
        actors: the titles of the people who act.
    """

    text: str
    speakers: tuple[str, ...] = ()
    actors: tuple[str, ...] = ()


class Staging:
    """The scenes of a problem.

    Attributes:
        problem: the problem.
        scenery: its look.
    """

    def __init__(self, problem: Problem, scenery: Scenery | None = None) -> None:
        """Prepare the scenes; without `scenery`, facts are paper signs."""
        self.problem = problem
        self.scenery = plain_scenery(problem) if scenery is None else scenery
        self._agents = problem.structure.agents
        self._titles = {
            agent: _begun(problem.titles.get(agent, agent.replace("_", " ")))
            for agent in self._agents
        }
        self._tones = {agent: number % 8 for number, agent in enumerate(self._agents)}
        room = MOST_PEOPLE - len(self.scenery.extras)
        self._shown = self._agents
        if len(self._agents) > room:
            half = room // 2
            self._shown = (*self._agents[:half], *self._agents[half + 1 - room :])
        self._first: Combinations = ()
        self._found: dict[int, _Found] = {}
        rules = self.scenery.props
        said = (
            spoken.text if (spoken := self._spoken(step)) else step.says
            for step in problem.steps
            if isinstance(step, Remark)
        )
        self._room = Room(
            lines=min(max(2, *(len(words_lines(text)) for text in said), 2), _MOST_LINES),
            thoughts=bool(self.scenery.thoughts),
            hands=any(rule.on and rule.place == "hand" for rule in rules),
            middle=any(not rule.on for rule in rules),
        )

    # ---- the scene ------------------------------------------------------------------------------

    def opening(self) -> Stage:
        """Return the first scene, without words or thoughts."""
        board = None
        if self.scenery.board is not None:
            run = Run(self.problem, count=False)
            run.beginning()
            with _trying():
                self._first, number, _ = self._possible(run)
                board = self._board(self._first, number)
        values: Values = {}
        if self.problem.actual is not None:
            values = present(self.problem, self.problem.structure, self.problem.actual)
        rows = 0 if board is None else len(board.rows)
        room = replace(self._room, lines=0, thoughts=False, board=rows)
        return self._stage(values, {}, board, Said(""), room)

    @property
    def topic(self) -> str:
        """The topic of the thought bubbles, in words."""
        return next((rule.topic for rule in self.scenery.thoughts if rule.topic), "")

    def begin(self, run: Run) -> None:
        """Store the possibilities at the beginning of a run."""
        self._found[0] = self._find(run)
        self._first = self._found[0][0]

    def scene(self, run: Run, said: Said) -> Stage:
        """Return the scene at the current point of a run.

        Args:
            run: the run.
            said: the words of the last step.
        """
        happened = len(run.happened)
        if happened not in self._found:
            self._found[happened] = self._find(run)
        possible, number, values, thoughts = self._found[happened]
        board = self._board(possible, number)
        room = self._room
        if (rule := self.scenery.board) is not None:
            room = replace(room, board=len(self._rows(self._first or possible)), note=not rule.row)
        return self._stage(values, thoughts, board, said, room)

    def _stage(
        self,
        values: Values,
        thoughts: Mapping[str, Thought],
        board: Board | None,
        said: Said,
        room: Room,
    ) -> Stage:
        due = {*said.speakers, *said.actors}
        facts: list[str] = []
        worn: dict[str, dict[str, list[Prop]]] = {agent: {} for agent in self._agents}
        things: list[Thing] = []
        for rule, name, letters in self._drawn(values):
            value = values.get(name, _UNKNOWN)
            self._place(rule, name, letters, value, worn, things, facts)
        actors = [self._extra(title, art, due) for title, art in self.scenery.extras.items()]
        for agent in self._shown:
            places = worn[agent]
            actors.append(
                Actor(
                    self._titles[agent],
                    self._portrait(agent),
                    self.scenery.people == "children",
                    next(iter(places.get("forehead", ())), None),
                    next(iter(places.get("hat", ())), None),
                    tuple(places.get("hand", ())),
                    thoughts.get(agent),
                    self._titles[agent] in due,
                    any(not prop.is_open for prop in places.get("away", ())),
                )
            )
        return Stage(
            tuple(actors),
            len(self._agents) - len(self._shown),
            tuple(things),
            board,
            said.text,
            "said" if said.speakers else "told",
            room,
            self._description(said, facts, thoughts, board),
        )

    def _extra(self, title: str, art: str, due: set[str]) -> Actor:
        return Actor(title, Face(art, title, PEOPLE[art], tone=7), is_due=title in due)

    def _portrait(self, agent: str) -> Face:
        number = self._agents.index(agent)
        usual = CHILDREN if self.scenery.people == "children" else PEOPLE
        art = self.scenery.cast.get(agent, tuple(usual)[number % len(usual)])
        return Face(art, self._titles[agent], _ARTS[art], tone=self._tones[agent])

    # ---- things ---------------------------------------------------------------------------------

    def _drawn(self, values: Values) -> Iterator[tuple[PropRule, str, dict[str, str]]]:
        """Yield the rules with the fluents that they draw; events can bring new fluents."""
        first = (*self.problem.coded, *self.problem.structure.vocabulary.plain)
        names = dict.fromkeys((*first, *values))
        for rule in self.scenery.props:
            for name, letters in _fitting(rule.fluent, names):
                yield rule, name, letters

    def _place(
        self,
        rule: PropRule,
        name: str,
        letters: dict[str, str],
        value: str,
        worn: dict[str, dict[str, list[Prop]]],
        things: list[Thing],
        facts: list[str],
    ) -> None:
        """Add the thing for a fluent to a person or to the middle, and its fact to `facts`."""
        prop = self._prop(rule.art, rule.label, rule.tone, value, letters)
        owner = value if rule.on == "value" else letters.get(rule.on, rule.on)
        if prop is not None or value != "false":
            facts.append(self._fact(name, value))
        if rule.within:
            for at, container in rule.within.items():
                inside = prop if value in (at, _UNKNOWN) else None
                title = rule.titles.get(at, at.replace("_", " "))
                things.append(Thing(title, Prop(container), inside))
        elif prop is None:
            return
        elif owner in worn:
            worn[owner].setdefault(rule.place, []).append(prop)
        elif rule.on != "value" or value == _UNKNOWN:
            title = rule.title.format_map({**letters, "value": value})
            things.append(Thing(title, prop))

    def _prop(
        self,
        looks: Looks,
        label: str,
        tone: int | str | dict[str, int],
        value: str,
        letters: Mapping[str, str],
    ) -> Prop | None:
        """Return the thing for a value; None if the value is not drawn."""
        if isinstance(tone, str):
            colour = self._tones.get(letters.get(tone, ""), 7)
        else:
            colour = tone if isinstance(tone, int) else tone.get(value, 7)
        words = {"true": "yes", "false": "no"}.get(value, value)
        text = label.format_map({**letters, "value": words})
        if value == _UNKNOWN:
            art = looks if isinstance(looks, str) else next(iter(looks.values()))
            if art == "sign":
                return Prop(art, text, colour)
            return Prop(art, "" if "{value}" in label else text, colour, is_open=True)
        art = looks if isinstance(looks, str) else looks.get(value, "")
        return Prop(art, text, colour) if art else None

    def _fact(self, name: str, value: str) -> str:
        """Return a fact as a sentence."""
        if value == _UNKNOWN:
            return ""
        atom = Atom(name, "true" if value == "false" else value)
        if phrase := self.problem.words.get(atom):
            return phrase[value == "false"]
        if name in self.problem.things:
            return f"{self.problem.things[name]} is {value}"
        return f"{name} is {value}"

    # ---- the actual world -----------------------------------------------------------------------

    def _find(self, run: Run) -> _Found:
        """Return the results that an engine finds in time at the current point of a run."""
        possible: Combinations = ()
        number, values = 0, dict[str, str]()
        thoughts: dict[str, Thought] = {}
        if run.scene is not None:
            values = dict(present(self.problem, run.structure, run.scene.world))
        with _trying():
            for agent in self._shown:
                if (thought := self._first_thought(run, agent)) is not None:
                    thoughts[agent] = thought
            if self.scenery.board is not None or run.actual is None:
                possible, number, only = self._possible(run)
                values = values or dict(only)
        return possible, number, values, thoughts

    def _possible(self, run: Run) -> tuple[Combinations, int, Values]:
        """Return the possible values for the board, the number of worlds, and a single world."""
        rule = self.scenery.board
        where = run.where(TRUE, first=1 if rule is None else rule.most)
        only = where.worlds[0] if where.number == 1 else {}
        if rule is None:
            return (), where.number, only
        found = {tuple(world[name] for name in rule.fluents): None for world in where.worlds}
        return tuple(sorted(found, key=self._order)), where.number, only

    def _order(self, values: tuple[str, ...]) -> list[tuple[int, str]]:
        """Return the key that sorts values in the order of their domains."""
        rule = self.scenery.board
        assert rule is not None
        fluents = self.problem.structure.vocabulary.fluents
        keys = []
        for name, value in zip(rule.fluents, values, strict=True):
            domain = fluents[name].values if name in fluents else ()
            place = int(value) if value.isdecimal() else 0
            keys.append((domain.index(value) if value in domain else place, value))
        return keys

    def _rows(
        self, first: Sequence[tuple[str, ...]]
    ) -> list[tuple[str, list[tuple[str, tuple[str, ...]]]]]:
        """Return the rows of the board: for each, its heading, and its texts with their values."""
        rule = self.scenery.board
        assert rule is not None
        rows: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        place = rule.fluents.index(rule.row) if rule.row else -1
        for number, values in enumerate(first):
            if place < 0:
                rows.setdefault(f"{number // 4}", []).append((f"({', '.join(values)})", values))
                continue
            rest = [value for other, value in enumerate(values) if other != place]
            rows.setdefault(values[place], []).append((", ".join(rest), values))
        return [(_begun(head) if place >= 0 else "", row) for head, row in rows.items()]

    def _board(self, possible: Sequence[tuple[str, ...]], number: int) -> Board | None:
        rule = self.scenery.board
        if rule is None or not possible:
            return None
        first = self._first if rule.row and self._first else possible
        left = set(possible)
        rows = [
            (head, [(text, values in left) for text, values in row])
            for head, row in self._rows(first)
        ]
        more = number - len(left)
        return Board(rule.title, rows, f"and {more:,} more" if more > 0 else "")

    # ---- thoughts -------------------------------------------------------------------------------

    def _first_thought(self, run: Run, agent: str) -> Thought | None:
        """Return the thought of an agent by the first rule that fits."""
        for rule in self.scenery.thoughts:
            if rule.who and agent not in rule.who:
                continue
            if (thought := self._thought(run, agent, rule)) is not None:
                return thought
        return None

    def _thought(self, run: Run, agent: str, rule: ThoughtRule) -> Thought | None:
        if rule.words:
            said = next(
                (f for f, words in self.problem.words.items() if words[0] == rule.words), None
            )
            return None if said is None else self._about({"": [said]}, run, agent, rule)
        names = dict.fromkeys((*self.problem.coded, *run.structure.vocabulary.plain))
        about = {
            name: self._cases(run.structure, name)
            for pattern in rule.about
            for name, letters in _fitting(pattern, names)
            if not rule.own or letters.get(rule.own) == agent
        }
        return self._about(about, run, agent, rule) if about else None

    def _cases(self, structure: KnowledgeStructure, name: str) -> list[Formula]:
        """Return the formulas whose truth values determine the value of a fluent."""
        if digits := self.problem.coded.get(name):
            return [Atom(digit) for digit in digits]
        fluent = structure.vocabulary.fluents[name]
        return [Atom(name)] if fluent.is_boolean else [Atom(name, v) for v in fluent.values]

    def _about(
        self, about: Mapping[str, list[Formula]], run: Run, agent: str, rule: ThoughtRule
    ) -> Thought:
        scene = run.scene
        if scene is None:
            known = [
                bool(run.asked.valid(run.structure, conjunction(Kw(agent, f) for f in formulas)))
                for formulas in about.values()
            ]
            if rule.tally:
                return Thought((_tally(sum(known), len(known)),))
            return Thought((Prop("tick"),)) if all(known) else Thought()
        found: list[str] = []
        beliefs = 0
        for name, formulas in about.items():
            value, is_belief = self._mind(run, scene, agent, name, formulas)
            if value:
                found.append(value)
            beliefs += is_belief
        if rule.tally:
            return Thought((_tally(len(found), len(about)),), is_belief=beliefs > 0)
        if len(found) < len(about):
            return Thought()
        value = found[0] if len(found) == 1 else ", ".join(found)
        prop = self._prop(rule.art, rule.label, rule.tone, value, {})
        return Thought((prop or Prop("tick"),), is_belief=beliefs > 0)

    def _mind(
        self, run: Run, scene: Scene, agent: str, name: str, formulas: list[Formula]
    ) -> tuple[str, bool]:
        """Return the value that an agent knows or believes, and whether it is only believed."""
        known: dict[Formula, bool] = {}
        if all(isinstance(part, Atom) for part in formulas):
            atoms = tuple(part for part in formulas if isinstance(part, Atom))
            sheet = run.asked.sheet(scene.perspective(agent), atoms)
            known = {atom: mark is Mark.YES for atom, mark in sheet if mark is not Mark.OPEN}
        else:
            (formula,) = formulas
            if run.asked.holds(scene, Kw(agent, formula)):
                known[formula] = bool(run.asked.holds(scene, formula))
        is_belief = False
        if len(known) < len(formulas) and self._has_beliefs(run):
            for formula in formulas:
                if formula in known:
                    continue
                for truth in (True, False):
                    belief = B(agent, formula if truth else negation(formula))
                    if run.asked.holds(scene, belief) and not run.asked.holds(
                        scene, B(agent, FALSE)
                    ):
                        known[formula], is_belief = truth, True
                        break
        return _value_of(name, formulas, known, self.problem), is_belief

    def _has_beliefs(self, run: Run) -> bool:
        """Return whether agents can believe anything that they do not know."""
        return any(run.structure.plausibility(agent) for agent in self._agents)

    # ---- words ----------------------------------------------------------------------------------

    def said(self, taken: Sequence[Step], words: str, verdict: str) -> Said:
        """Return the words of the last step so far, and their speakers.

        Args:
            taken: the steps so far.
            words: the last step as a sentence; empty if it has none.
            verdict: its answer.
        """
        if not taken:
            return Said("At the beginning")
        step = taken[-1]
        if isinstance(step, Remark):
            return self._spoken(step) or Said(step.says)
        text = words or " ".join(step.text.split())
        if isinstance(step, Question):
            return Said(f"{text} {_begun(verdict)}.") if verdict else Said(text)
        if isinstance(step, Doing):
            return Said(text, actors=self._actors(step, text))
        if isinstance(step, Happening | Whether):
            before = taken[-2] if len(taken) > 1 else None
            if isinstance(before, Remark) and (spoken := self._spoken(before)) is not None:
                return spoken
            if agents := self._announcers(step):
                plain = _begun(_ANNOUNCED.sub("", _BOTH.sub(r"\1, and ", text)))
                if isinstance(step, Whether):
                    plain = words.replace("It is announced w", "I announce w") or text
                return Said(plain, tuple(self._titles[agent] for agent in agents))
        return Said(text)

    def _spoken(self, remark: Remark) -> Said | None:
        """Return the words of a person in a remark such as "Anne: I do not know yours."."""
        titles = {title.lower(): title for title in (*self.scenery.extras, *self._titles.values())}
        names = "|".join(map(re.escape, titles)) or "(?!)"
        found = re.search(rf"\b({names})(?: asks| says)?: (.+)$", remark.says, re.IGNORECASE)
        if found is None:
            return None
        return Said(_begun(found[2]), (titles[found[1].lower()],))

    def _announcers(self, step: Happening | Whether) -> tuple[str, ...]:
        """Return the agents who make an announcement, if its formula shows them."""
        if isinstance(step, Happening):
            event = step.event
            if len(event.constraints) != 1 or event.observes or event.fluents or event.changes:
                return ()
            formula = event.constraints[0].formula
        else:
            formula = step.formula
        if agents := [agent for agent in self._agents if agent in _minds(formula)]:
            return tuple(agents)
        index = _INDEX.search(" ".join(step.text.split()))
        return (index[1],) if index is not None and index[1] in self._agents else ()

    def _actors(self, step: Doing, text: str) -> tuple[str, ...]:
        """Return the person who performs an action."""
        given = Name.of(step.name.partition(": ")[0]).arguments
        for agent in given:
            if agent in self._titles:
                return (self._titles[agent],)
        first = [(text.find(title), title) for title in self._titles.values()]
        found = [pair for pair in first if pair[0] >= 0]
        return (min(found)[1],) if found else ()

    def _description(
        self,
        said: Said,
        facts: Sequence[str],
        thoughts: Mapping[str, Thought],
        board: Board | None,
    ) -> str:
        """Return the text alternative of a scene."""
        people = [*self.scenery.extras, *(self._titles[agent] for agent in self._shown)]
        parts = [f"{listed(people)}{' and others' * (len(self._shown) < len(self._agents))}"]
        if said.speakers:
            parts.append(f"{listed(list(said.speakers))}: {said.text.rstrip('.')}")
        parts += [_begun(fact) for fact in dict.fromkeys(facts) if fact]
        for agent, thought in thoughts.items():
            how = "believes" if thought.is_belief else "knows"
            things = ", ".join(prop.label or prop.art.replace("-", " ") for prop in thought.props)
            things = {"tick": "it"}.get(things, things)
            title = self._titles[agent]
            parts.append(f"{title} {how}: {things}" if things else f"{title} does not know")
        if board is not None:
            left = [
                f"{head} {text}".strip()
                for head, row in board.rows
                for text, is_left in row
                if is_left
            ]
            parts.append(f"{_begun(board.title)}: {', '.join(left)} {board.note}".rstrip())
        text = ". ".join(parts) + "."
        if len(text) > _LONGEST_DESCRIPTION:
            text = f"{text[:_LONGEST_DESCRIPTION].rpartition('. ')[0]}. And more."
        return text


@contextmanager
def _trying() -> Iterator[None]:
    """Limit the work of the body; results that are not found in time are left out."""
    try:
        with within_budget(_THINKING):
            yield
    except (BudgetExceeded, Unsupported, InputError):
        pass


def _begun(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _fitting(pattern: str, names: Mapping[str, object]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the fluents that match a pattern, with its letters; an exact name is the only match."""
    for name in (pattern,) if pattern in names else names:
        if (letters := matches(pattern, name)) is not None:
            yield name, letters


def _tally(known: int, number: int) -> Prop:
    return Prop("text", f"{known} of {number}")


def _value_of(
    name: str, formulas: Sequence[Formula], known: Mapping[Formula, bool], problem: Problem
) -> str:
    """Return the value of a fluent if it is known; otherwise an empty string."""
    if name in problem.coded:
        if len(known) < len(formulas):
            return ""
        return str(sum(1 << place for place, digit in enumerate(formulas) if known[digit]))
    if len(formulas) == 1:
        return "" if not known else "true" if known[formulas[0]] else "false"
    for formula, truth in known.items():
        if truth and isinstance(formula, Atom):
            return formula.value
    return ""


def _minds(formula: Formula) -> set[str]:
    """Return the agents of the outermost operators of knowledge in a formula."""
    if isinstance(formula, Modal):
        agent = getattr(formula, "agent", None)
        return {agent} if isinstance(agent, str) else set()
    return {agent for part in formula.operands for agent in _minds(part)}
