"""A question about a moment of a game: built from menus or typed, answered, and explained."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

from symkripke.errors import BudgetExceeded, NoAnswerWithin, OutOfWork, SymkripkeError, Unsupported
from symkripke.explain.evidence import (
    AfterAnnouncement,
    Combined,
    CounterWorld,
    Evidence,
    Known,
    Possible,
)
from symkripke.explain.text import in_percent, percent, without_claim
from symkripke.language import TRUE, Atom, Chance, Constant, Formula, K, Kv, Name, Or
from symkripke.language.formulas import Modal
from symkripke.language.operators import menu
from symkripke.language.walk import knowers, names
from symkripke.limits import within
from symkripke.model import Definition, Perspective, Scene, World
from symkripke.model.completing import words_of_formulas
from symkripke.play import Moment
from symkripke.play.constants import constant_names
from symkripke.play.formula_words import at_present, wording_as_read
from symkripke.play.game_words import GameTeller, open_changes, tell
from symkripke.play.words import person
from symkripke.web.views.mistakes import Mistake, mistake

GROUPS = {f"*{symbol}": title for symbol, title in menu(groups=True).items()}
"""The words for group operators, which the menu of players offers for all players together."""

OPERATORS = menu(groups=False)
"""The words for the operators of one player."""

LEVELS = 3
"""The maximum depth of nested knowledge that can be chosen."""

_MOST = 400


class Effort(Enum):
    """The amount of work for an answer, and for its reason.

    Some questions take minutes. With the usual effort, a search stops after a few seconds, and the
    user can let it continue. The search then has the full time of a call, and each further call
    continues the earlier work. Little work is a few tenths of a second, which is enough for nearly
    all questions.
    """

    LITTLE = 1
    USUAL = 2
    LONGER = 3


TAKES_LONGER = "This takes longer than usual to answer."

_UNITS: dict[Effort, tuple[int | None, int | None]] = {
    Effort.LITTLE: (80_000, 80_000),
    Effort.USUAL: (400_000, 300_000),
    Effort.LONGER: (None, None),
}
"""The maximum units of work for an answer, and for its reason; None for no limit."""


@dataclass(frozen=True)
class Blank:
    """A gap in a fact: its expected content, and the choices."""

    kind: str
    choices: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Fact:
    """A fact that players can know, in words with blanks.

    Attributes:
        name: the name of the definition; "=" for a cell of the note sheet.
        title: the title in a list: the words with gaps.
        parts: the words in order, with the indices of the blanks between them.
        blanks: the gaps, in the order of the arguments.
        cells: for a cell of the note sheet, the formula for each row and column; otherwise empty.
    """

    name: str
    title: str
    parts: Sequence[str | int]
    blanks: Sequence[Blank]
    cells: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Menus:
    """The parts of a question; `asker` is the player named first in a new question."""

    players: Sequence[tuple[str, str]]
    facts: Sequence[Fact]
    asker: str


@dataclass(frozen=True)
class Reason:
    """A line of a reason; `event` is the number of the event to link to, if there is one."""

    indent: int
    kind: str
    text: str
    event: int | None


@dataclass(frozen=True)
class WorldTable:
    """Worlds side by side: titles, and for each place its cards, with marked differences.

    Attributes:
        titles: the titles of the worlds, first the actual world if it is known.
        rows: for each place, its title and its cards in each world. Each card has a flag: whether
            it is elsewhere in the world with which this world is compared.
        same: whether places without differences were left out.
    """

    titles: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Sequence[tuple[str, bool]]]]]
    same: bool


@dataclass(frozen=True)
class Answered:
    """An answer.

    Attributes:
        verdict: "yes", "no", or a number.
        truth: whether the answer is yes; None for a number.
        sentence: the answer in words.
        reasons: the reason for the answer, line by line.
        notes: further remarks.
        world_tables: the worlds that demonstrate the answer.
        no_reason: the explanation if there is no reason; otherwise empty.
        cut: whether a longer search may find a reason.
    """

    verdict: str
    truth: bool | None
    sentence: str
    reasons: Sequence[Reason] = ()
    notes: Sequence[str] = ()
    world_tables: Sequence[WorldTable] = ()
    no_reason: str = ""
    cut: bool = False


@dataclass(frozen=True)
class Suggestion:
    """A ready-made question: its words, and the formula."""

    words: str
    formula: str


@dataclass(frozen=True)
class Asking:
    """The data of the page of questions.

    Attributes:
        asked: the question as a formula; empty if there is none.
        fact: the chosen fact; by default the first.
        words: the question in words.
        answer: the answer; None if there is none yet.
        problem: the reason if the question cannot be answered; otherwise empty.
        marked: the formula with the place of the problem, as in `Mistake`.
        cut: whether a longer search may find an answer.
        drawing: the requested picture, as SVG.
        ready: questions that are sensible at this moment.
    """

    title: str
    at: int
    last: int
    when: str
    menus: Menus
    fact: Fact | None
    asked: str
    words: str
    answer: Answered | None
    problem: str
    drawing: str = ""
    examples: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    marked: Sequence[str] = ()
    ready: Sequence[Suggestion] = ()

    @property
    def is_ready(self) -> bool:
        """True if the question is ready-made."""
        return any(each.formula == self.asked for each in self.ready)

    @property
    def is_cut(self) -> bool:
        """True if a longer search may find an answer, or a reason."""
        return self.cut or (self.answer is not None and self.answer.cut)


def asked_by(given: Mapping[str, str], menus: Menus) -> str:
    """Return the formula chosen from the menus; empty if no fact is chosen."""
    fact = next((fact for fact in menus.facts if fact.name == given.get("fact")), None)
    if fact is None:
        return ""
    values = []
    for number, blank in enumerate(fact.blanks):
        allowed = [value for value, _ in blank.choices]
        value = given.get(f"x{number}", "")
        values.append(value if value in allowed else allowed[0])
    text = _fact_text(fact, values)
    if given.get("not"):
        text = f"~({text})"
    known = {name for name, _ in menus.players}
    for level in reversed(range(LEVELS)):
        who, operator = given.get(f"who{level}", ""), given.get(f"op{level}", "K")
        if who in GROUPS:
            text = f"{who[1:]}[*] ({text})"
        elif who in known and operator in OPERATORS:
            if operator == "P" and level > 0:
                operator = "K"
            text = f"P[{who}]({text})" if operator == "P" else f"{operator}[{who}] ({text})"
    return text


def _fact_text(fact: Fact, values: Sequence[str]) -> str:
    if fact.cells:
        return fact.cells[values[0], values[1]]
    return Name(fact.name, values)


def menus(moment: Moment[Any, Any]) -> Menus:
    """Return the parts of questions about a moment."""
    layout, vocabulary = moment.layout, moment.structure.vocabulary
    facts, titles = [], _titles(moment)
    if not (layout.counts or layout.describes):
        blanks = [Blank("card", tuple(layout.rows.items())), Blank("place", _held_in(moment))]
        cells = {place: str(cell) for place, cell in layout.cells.items()}
        facts.append(Fact("=", "where a card is", (1, 0), blanks, cells))
    for definition in vocabulary.definitions.values():
        if definition.sentence is None or len(definition.parameters) > LEVELS:
            continue
        blanks = [
            Blank(kind, [(value, _titled(value, titles, definition, kind)) for value in values])
            for kind, values in _undecided(definition)
        ]
        if all(len(blank.choices) <= _MOST for blank in blanks):
            parts = tuple(_parted(definition.sentence[0], blanks))
            title = "".join("…" if isinstance(part, int) else part for part in parts)
            facts.append(Fact(definition.name, title.strip(), parts, blanks))
    players = [(name, layout.person(name)) for name in moment.setup.players]
    state = moment.state
    asker = state.agent if isinstance(state, Perspective) else moment.setup.players[0]
    return Menus(players, facts, asker)


@lru_cache(maxsize=256)
def _undecided(definition: Definition) -> Sequence[tuple[str, Sequence[str]]]:
    """Return the parameters; leave out values that make a definition trivially true or false."""
    parameters = definition.parameters
    if prod(len(values) for _, values in parameters) > _MOST:
        return parameters
    open_cases = [
        arguments
        for arguments in product(*(values for _, values in parameters))
        if not isinstance(definition(*arguments), Constant)
    ]
    if not open_cases:
        return parameters
    return [
        (kind, [value for value in values if any(case[place] == value for case in open_cases)])
        for place, (kind, values) in enumerate(parameters)
    ]


_BLANK = re.compile(r"{([^{}]*)}")


def _parted(words: str, blanks: Sequence[Blank]) -> Iterator[str | int]:
    """Yield the parts of a sentence with {kinds}: words, and indices of blanks."""
    left = list(range(len(blanks)))
    for number, part in enumerate(_BLANK.split(words)):
        if number % 2 == 0:
            if part:
                yield part
            continue
        place = next((place for place in left if blanks[place].kind == part), None)
        if place is None:
            yield part
        else:
            left.remove(place)
            yield place
    yield from left  # blanks that the words do not name


def _held_in(moment: Moment[Any, Any]) -> list[tuple[str, str]]:
    """Return the columns of the note sheet as sentences without a card: "Plum holds ...".

    If the cells of a column have different words, for example after some cards have moved, the
    words are plain: "Plum has ...".
    """
    layout, structure = moment.layout, moment.structure
    names = {
        row: re.compile(rf"\b(an? |the )?{re.escape(title.partition(' (')[0])}\b", re.IGNORECASE)
        for row, title in layout.rows.items()
    }
    pairs = []
    for column, title in layout.columns.items():
        words = set()
        for row, name in names.items():
            cell = structure.resolve(layout.cells[row, column])
            words.add(name.sub("…", structure.words(cell, True)) if isinstance(cell, Atom) else "")
            if len(words) > 1:
                break
        same = words.pop()
        plain = words or same.count("…") != 1
        has = f"{title} has …" if column in moment.setup.players else f"{title}: …"
        pairs.append((column, has if plain else same))
    return pairs


def _titled(value: str, titles: Mapping[str, str], definition: Definition, kind: str) -> str:
    """Return the words for a value of an argument of this kind."""
    return definition.titles.get(kind, titles).get(value, value.replace("_", " "))


def _titles(moment: Moment[Any, Any]) -> dict[str, str]:
    """Return the titles of the values that arguments of facts can have."""
    layout = moment.layout
    things = {
        name.arguments[0]: title
        for name, title in ((Name.of(row), title) for row, title in layout.rows.items())
        if len(name.arguments) == 1
    }
    players = {player: layout.person(player) for player in moment.setup.players}
    return {**layout.columns, **things, **players}


# ---- answers -------------------------------------------------------------------------------------


def in_words(moment: Moment[Any, Any], asked: Formula | Chance) -> str:
    """Return a question as a sentence."""
    structure = moment.structure
    said = wording_as_read(structure, moment.layout)
    if not isinstance(asked, Chance):
        inner = of_anybody(moment, asked)
        if inner is not None:
            else_ = " else" if knowers(inner) else ""
            return f"Does anyone{else_} know {said.that(at_present(structure, inner))}?"
        return _question(asked, said.that(at_present(structure, asked)))
    who, what = moment.layout.person(asked.agent), said.that(at_present(structure, asked.operand))
    if asked.given is TRUE:
        return f"How likely does {who} think it is {what}?"
    given = said.that(at_present(structure, asked.given))
    return f"Given {given}, how likely does {who} think it is {what}?"


_VERBS = {"knows": "know", "considers": "consider", "believes": "believe"}
_KNOWING = re.compile(rf"that (.+?) ({'|'.join(_VERBS)}) ")


def _question(asked: Formula, clause: str) -> str:
    """Return a clause that begins with "that" as a question: "Does Plum know whether ...?"."""
    if isinstance(asked, Modal):
        if found := _KNOWING.match(clause):
            return f"Does {found[1]} {_VERBS[found[2]]} {clause[found.end() :]}?"
        if clause.startswith("that it is "):
            return f"Is it {clause.removeprefix('that it is ')}?"
    return f"Is it true {clause}?"


def of_anybody(moment: Moment[Any, Any], asked: Formula) -> Formula | None:
    """Return f if a question asks whether any player who is not named in f knows f."""
    if not (isinstance(asked, Or) and all(isinstance(part, K) for part in asked.operands)):
        return None
    parts = [part for part in asked.operands if isinstance(part, K)]
    inner = parts[0].operand
    others = {*moment.setup.players} - knowers(inner)
    same = all(part.operand == inner for part in parts)
    return inner if same and {part.agent for part in parts} == others else None


def answered(
    moment: Moment[Any, Any], text: str, effort: Effort = Effort.USUAL
) -> tuple[str, Answered]:
    """Return the question in words, and its answer with its reason.

    Raises:
        OutOfWork: the answer takes more work than this effort allows.
        NoAnswerWithin: the answer takes more time than a call may take.
        SymkripkeError: the question cannot be read or answered.
    """
    of_answer, of_reason = _UNITS[effort]
    with within(work=of_answer):
        return _answered(moment, text, of_reason)


def _answered(moment: Moment[Any, Any], text: str, of_reason: int | None) -> tuple[str, Answered]:
    asked = moment.question(text)
    chosen = moment.engine
    structure = moment.structure
    said = wording_as_read(structure, moment.layout)
    if isinstance(asked, Chance):
        share = moment.probability(asked.agent, asked.operand, chosen, given=asked.given)
        who = moment.layout.person(asked.agent)
        what, given = (at_present(structure, part) for part in (asked.operand, asked.given))
        claim = _sentence(f"{said.probability(asked.agent, what, given)} is {in_percent(share)}")
        weighs = moment.weighting != "equal"
        note = f"A probability {'weighs' if weighs else 'counts'} every case that {who} considers"
        note += f" possible{' by its chance' if weighs else ''}."
        return in_words(moment, asked), Answered(percent(share), None, claim, notes=(note,))
    answer = moment.ask(asked, engine=chosen)
    truth = bool(answer)
    words = in_words(moment, asked)
    sentence = _sentence(said.claim(at_present(structure, asked), truth))
    inner = of_anybody(moment, asked)
    if inner is not None:
        who = ("Some" if truth else "No") + ("body else" if knowers(inner) else "body")
        sentence = _sentence(f"{who} knows {said.that(at_present(structure, inner))}")
    notes = [
        *constant_names(moment, text),
        *(f"everybody saw it: {source}" for source in open_changes(moment, asked)),
    ]
    verdict = "yes" if truth else "no"
    try:
        with within(work=of_reason):
            evidence = answer.why()
        lines = without_claim(list(tell(moment, evidence, asked=asked, text=text)), sentence)
        if inner is not None and lines and lines[0].kind == "claim" and not lines[0].indent:
            lines = lines[1:]  # it repeats the long formula
    except (OutOfWork, NoAnswerWithin):
        long = "finding one takes longer than usual"
        return words, Answered(verdict, truth, sentence, notes=notes, no_reason=long, cut=True)
    except (Unsupported, BudgetExceeded) as error:
        return words, Answered(verdict, truth, sentence, notes=notes, no_reason=str(error))
    stages = dict(_stages(moment, evidence))
    reasons = [
        Reason(line.indent, line.kind, line.text, stages.get(line.text.partition(". ")[2]))
        if line.kind == "source"
        else Reason(line.indent, line.kind, _without_marks(line.text), None)
        for line in lines
    ]
    world_tables = [
        table for steps in _chains(evidence) if (table := _world_table(moment, steps)).rows
    ]
    return words, Answered(verdict, truth, sentence, reasons, notes, world_tables)


_MARK = re.compile(r"(?<![\w*])\*(?=\w)")


def _without_marks(text: str) -> str:
    """Return a line without the `*` at differences, which the page marks in a table."""
    return _MARK.sub("", text)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _parts(evidence: Evidence) -> Iterator[Evidence]:
    """Yield the evidence and its parts."""
    yield evidence
    match evidence:
        case Combined():
            for part in evidence.parts:
                yield from _parts(part)
        case AfterAnnouncement():
            yield from _parts(evidence.reason)
        case Known(others=others) if others is not None and others.example is not None:
            yield from _parts(others.example)
        case Possible():
            for world in evidence.worlds:
                for reason in getattr(world, "reasons", ()):
                    yield from _parts(reason)


def _stages(moment: Moment[Any, Any], evidence: Evidence) -> Iterator[tuple[str, int]]:
    """Yield each source in words, with the number of events after which it was known."""
    teller = GameTeller(moment)
    for part in _parts(evidence):
        if isinstance(part, Known):
            for source in part.sources:
                for words in teller.sources([source]):
                    yield words, source.stage


def _chains(evidence: Evidence) -> Iterator[Sequence[CounterWorld]]:
    """Yield the first chain of counter-worlds in some evidence, if there is one."""
    for part in _parts(evidence):
        if isinstance(part, Possible):
            yield part.worlds
            return


def _world_table(moment: Moment[Any, Any], steps: Sequence[CounterWorld]) -> WorldTable:
    """Return a table of the actual world and a chain of worlds, each compared with its origin."""
    actual = moment.state.world if isinstance(moment.state, Scene) else None
    worlds: list[World] = [] if actual is None else [actual]
    titles = [] if actual is None else ["really"]
    before: list[int | None] = [] if actual is None else [None]
    for number, step in enumerate(steps):
        origin = number - 1 if step.origin is None else step.origin
        who = " and ".join(map(person, step.agent)) or "somebody"
        titles.append(f"{'there, ' if origin >= 0 else ''}possible for {who}")
        shift = 0 if actual is None else 1
        before.append(origin + shift if origin + shift >= 0 else None)
        worlds.append(step.world)
    held = [moment.layout.held(moment.plain(world)) for world in worlds]
    # A world with the same values as its origin shares the column of its origin.
    shown: list[int] = []
    for number, there in enumerate(held):
        start = before[number]
        if start is not None and start not in shown:
            before[number] = start = before[start]
        if start is not None and there == held[start]:
            titles[start] += f"; {titles[number]}"
            before[number] = start
        else:
            shown.append(number)
    rows = []
    for column, title in moment.layout.columns.items():
        cells = []
        for number in shown:
            start, there = before[number], held[number]
            old = there[column] if start is None else held[start][column]
            cells.append([(card, card not in old) for card in there[column]])
        if actual is None or any(there[column] != held[0][column] for there in held):
            rows.append((title, cells))
    titles = [titles[number] for number in shown]
    return WorldTable(titles, rows, len(rows) < len(moment.layout.columns))


# ---- the page ------------------------------------------------------------------------------------


def asking(
    moment: Moment[Any, Any],
    last: int,
    when: str,
    given: Mapping[str, str],
    effort: Effort | None,
    ready: Sequence[Suggestion] = (),
) -> Asking:
    """Return the data of the page of questions about a moment.

    Args:
        moment: the moment.
        last: the total number of events.
        when: the moment in words.
        given: the fields of the form: "q" (a formula) or the fields of the menus, and "draw".
        effort: the work allowed for an answer; None for no answer.
        ready: questions that are sensible at this moment.
    """
    page = menus(moment)
    text = given.get("q", "").strip()[:1000] or asked_by(given, page)
    words, answer, problem, drawing, cut = "", None, Mistake(""), "", False
    if text:
        try:
            if effort is None:
                words = in_words(moment, moment.question(text))
            else:
                words, answer = answered(moment, text, effort)
        except (OutOfWork, NoAnswerWithin):
            words = in_words(moment, moment.question(text))
            problem, cut = Mistake(TAKES_LONGER), True
        except SymkripkeError as error:
            problem = mistake(error)
    if given.get("draw") and text and not problem.words:
        try:
            drawing = drawn(moment, text, given["draw"])
        except SymkripkeError as error:
            problem = Mistake(f"There is no picture: {error}")
    return Asking(
        moment.game.title,
        moment.events,
        last,
        when,
        page,
        next((fact for fact in page.facts if fact.name == given.get("fact")), None)
        or (page.facts[0] if page.facts else None),
        text,
        words,
        answer,
        problem.words,
        drawing,
        moment.game.examples if moment.setup == moment.game.setup() else {},
        cut,
        problem.marked,
        ready,
    )


def drawn(moment: Moment[Any, Any], text: str, kind: str) -> str:
    """Return the SVG of the model around the actual world, or of the worlds of an answer.

    It shows only the agents, and the facts, that the question names.
    """
    asked = moment.question(text)
    formula: Formula | None = None if isinstance(asked, Chance) else asked
    topic = topic_of(moment, asked)
    shown: dict[str, Any] = {"agents": topic.agents, "fluents": topic.fluents}
    if kind == "why" and formula is not None:
        return moment.draw(None, why=formula, **shown).themed_svg
    bare = formula if isinstance(formula, Atom) else None
    few = len(topic.agents) <= 1
    return moment.draw(
        bare,
        near=1 if few else min(2, len(topic.agents)),
        width=3 if few else 1,
        about=topic.facts,
        **shown,
    ).themed_svg


@dataclass(frozen=True)
class Topic:
    """The subject of a question.

    Attributes:
        agents: the agents that it names; none if it names no agent, or a group.
        facts: the facts that it names, as formulas without operators of knowledge.
        fluents: the fluents of these facts.
    """

    agents: tuple[str, ...]
    facts: tuple[Formula, ...]
    fluents: tuple[str, ...]


def topic_of(moment: Moment[Any, Any], asked: Formula | Chance) -> Topic:
    """Return what a question is about."""
    vocabulary = moment.structure.vocabulary
    agents: dict[str, None] = {}
    facts: dict[Formula, None] = {}
    has_group = False
    waiting: list[Formula | Chance] = [asked]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Chance):
            agents[part.agent] = None
            waiting += [part.operand, part.given]
        elif isinstance(part, Kv):
            agents[part.agent] = None
            for fluent in part.fluents:
                facts |= dict.fromkeys(_cases(moment, fluent))
        elif part.propositional:
            facts |= {} if isinstance(part, Constant) else {part: None}
        else:
            if isinstance(part, Modal):
                agents |= dict.fromkeys(part.agents)
                has_group |= not part.individual and len(part.agents) > 1
            waiting += part.operands
    named = (Name.of(name).plain for fact in facts for name in names(fact))
    fluents = tuple(dict.fromkeys(name for name in named if name in vocabulary.plain))
    in_order = tuple(agent for agent in moment.structure.agents if agent in agents)
    return Topic(() if has_group else in_order, tuple(facts), fluents)


def _cases(moment: Moment[Any, Any], name: Name) -> Sequence[Formula]:
    """Return, for each value of a fluent, the formula that it has this value."""
    derived = moment.structure.vocabulary.derived.get(name)
    if derived is not None:
        return [formula for _, formula in derived.cases]
    return moment.structure.vocabulary.fluents[name].cases


def completions(moment: Moment[Any, Any], text: str) -> list[tuple[int, str]]:
    """Return the completions of a formula."""
    return list(words_of_formulas(moment.structure.vocabulary, text))[:40]
