"""The diagnosis of contradictory logs: the cause, and the entries that may be wrong.

`diagnose(record)` explains the first impossible entry. Either the rules of the game forbid it, or
it contradicts the knowledge of the cards. In the latter case there is a *clash*: a minimal set of
statements of the log that cannot all be true. The rules of the deal and the sizes of hands are
taken as certain. In both cases there are *suspects*: entries whose replacement or removal makes the
log possible up to the faulty entry.

Corrections of an entry (`symkripke.play.acts.corrections`) differ from it in one slot. Each
correction replaces the entry, and the later entries are replayed by the rules and by a solver. In
the solver, every statement of every variant of the log can be enabled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby
from typing import Any

import msgspec

from symkripke import limits
from symkripke.engines import Budget, engine
from symkripke.engines.sat.selection import Selection
from symkripke.errors import ImpossibleEntry, InputError, LogError
from symkripke.language import TRUE, Formula
from symkripke.language.walk import atoms
from symkripke.model import Event, KnowledgeStructure, Perspective
from symkripke.play.acts import Situation, corrections
from symkripke.play.rules import CARDS, CHANCE, RULES, GameState, Outcome
from symkripke.play.session.record import Record, story_of
from symkripke.play.statements import (
    EntryFacts,
    Statement,
    beginning,
    of_event,
    of_hand,
    with_unknown_changes,
)

PERHAPS = 3
"""The maximum number of corrections that are printed for a suspect."""

TOP = 5
"""The default number of suspects that are printed."""

_LEAST = 0.01
"""The minimum score of a suspect, for entries that have no correction."""

CLASHING = 12
"""The maximum number of printed statements of a clash, besides the player's hand."""

_FORBIDS = {
    RULES: "the rules of the game forbid it",
    CARDS: "it contradicts what is known about the cards",
}

Tell = Callable[[int, int], None]
"""A function called with the number of examined entries and the total number."""


class Premise(msgspec.Struct, frozen=True, kw_only=True):
    """A statement of a log that takes part in a clash.

    Attributes:
        entry: the number of the event that states it, from 1; 0 for the player's hand.
        turn: the turn of that event.
        text: the statement, in words.
        is_dealt: whether the player saw it in the deal.
    """

    entry: int
    turn: int
    text: str
    is_dealt: bool = False


class Suspect(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that may be wrong: without it, the log is possible.

    Attributes:
        entry: the number of the event, from 1; 0 for the player's hand.
        turn: the turn of that event.
        text: the text of the entry.
        perhaps: corrections that make the log possible, in short; empty if there are none.
        ways: the number of these corrections.
        likelihood: the likelihood that this entry is wrong, if all its corrections are equally
            likely. The values of all suspects add up to 1.
    """

    entry: int
    turn: int
    text: str
    perhaps: tuple[str, ...]
    ways: int
    likelihood: float

    def meant(self) -> str:
        """Return the corrections in one line; empty if there are none."""
        if not self.perhaps:
            return ""
        more = self.ways - len(self.perhaps)
        others = [f"{more} other things" if more > 1 else "something else"] if more else []
        return f"perhaps: {'; or '.join([*self.perhaps, *others])}"


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """The reasons why a log is impossible.

    Attributes:
        entry: the number of the first impossible event, from 1; 0 for the player's hand; one more
            than the number of events for the result.
        turn: the turn of that event.
        place: the location of the entry in the log.
        text: the text of the entry.
        kind: the source of the contradiction: "rules" or "cards".
        problem: the problem, in one line.
        clash: a minimal set of statements that cannot all be true, oldest first. Empty if only the
            rules forbid the entry.
        suspects: the entries that may be wrong, most likely first.
    """

    entry: int
    turn: int
    place: str
    text: str
    kind: str
    problem: str
    clash: tuple[Premise, ...]
    suspects: tuple[Suspect, ...]

    def lines(self, top: int = TOP) -> Iterator[str]:
        """Yield the diagnosis in plain English, line by line: the fault, the clash, the suspects.

        Args:
            top: the maximum number of suspects that are printed.
        """
        yield f"{self.place} is impossible: {_FORBIDS[self.kind]}."
        yield f"  {_where(self.entry)}{self.text}"
        if self.kind == RULES:
            yield f"  {self.problem}"
        for part in (self.clash_lines(), self.suspect_lines(top)):
            lines = list(part)
            yield from ["", *lines] if lines else []

    def clash_lines(self) -> Iterator[str]:
        """Yield the lines of the clash; none if only the rules forbid the entry."""
        if self.clash:
            yield "These cannot all be true; without any one of them, the others can:"
        yield from (f"  - {text}" for _, text in self.statements())
        others = sum(not premise.is_dealt for premise in self.clash)
        if others > CLASHING:
            yield f"  and {others - CLASHING} earlier statements"

    def statements(self) -> list[tuple[int, str]]:
        """Return the last statements of the clash, each with the number of its entry.

        The hand of each deal is one statement. Entry 0 is the first hand.
        """
        dealt = [premise for premise in self.clash if premise.is_dealt]
        others = [premise for premise in self.clash if not premise.is_dealt]
        return [
            *self._of_deal(dealt),
            *((premise.entry, premise.text) for premise in others[-CLASHING:]),
        ]

    @staticmethod
    def _of_deal(dealt: Sequence[Premise]) -> Iterator[tuple[int, str]]:
        """Yield the hand of each deal in one line, with the entry of the deal."""
        for entry, premises in groupby(dealt, key=lambda premise: premise.entry):
            parts = list(premises)
            hand = "; ".join(part.text for part in parts)
            yield entry, f"{_where(entry)}{hand}"

    def suspect_lines(self, top: int = TOP) -> Iterator[str]:
        """Yield the lines of the first suspects."""
        if self.suspects:
            yield "Possible mistakes, most likely first:"
        for number, suspect in enumerate(self.suspects[:top], 1):
            yield f"  {number}. {_where(suspect.entry)}{suspect.text}"
            if suspect.perhaps:
                yield f"     {suspect.meant()}"
        if len(self.suspects) > top:
            more = len(self.suspects) - top
            yield f"  and {more} other{'s' if more > 1 else ''}, less likely"


def _where(entry: int) -> str:
    return f"entry {entry}: " if entry else ""


def diagnose(
    record: Record[Any, Any],
    name: str = "log",
    budget: Budget | None = None,
    tell: Tell | None = None,
) -> Diagnosis | None:
    """Return the reasons why a log is impossible; None if it is possible.

    Args:
        record: the log.
        name: the name of the log in `Diagnosis.place`.
        budget: the budget of the search.
        tell: a function called with the progress of the search.

    Raises:
        BudgetExceeded: the budget ran out.
    """
    try:
        record.replay(name)
    except ImpossibleEntry as error:
        with limits.within_budget(budget):
            return _Search(record, error, tell).diagnosis()
    except LogError as error:
        return _of_no_event(record, name, str(error))
    return None


def _of_no_event(record: Record[Any, Any], name: str, problem: str) -> Diagnosis:
    """Return the diagnosis for a fault in the deal or in the result."""
    last = record.outcomes[-1].public.turn if record.outcomes else 0
    try:
        record.replay(name, upto=0)
        entry, turn, text = len(record.outcomes) + 1, last, "the result"
    except LogError:
        entry, turn, text = 0, 0, "the truth" if record.seat is None else "the seat"
    suspect = Suspect(entry=entry, turn=turn, text=text, perhaps=(), ways=0, likelihood=1.0)
    place, _, said = problem.partition(f"{text}: ")
    return Diagnosis(
        entry=entry,
        turn=turn,
        place=f"{place}{text}",
        text=text,
        kind=RULES,
        problem=said or problem,
        clash=(),
        suspects=(suspect,),
    )


# ---- the log, entry by entry -------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """The situation after an entry of a log.

    Attributes:
        position: the position under the rules.
        structure: the common knowledge.
        facts: the information that the entry gives to the player.
    """

    position: GameState[Any]
    structure: KnowledgeStructure
    facts: EntryFacts

    @property
    def root(self) -> KnowledgeStructure:
        """The first structure of the current deal."""
        return self.structure.root


@dataclass(frozen=True)
class LogReplay:
    """A replay of a log for its player.

    Attributes:
        record: the log.
        player: the owner of the log.
        with_moves: whether public movements of cards are also statements (see `statements`).
    """

    record: Record[Any, Any]
    player: str
    with_moves: bool = False

    def start(self, cards: Sequence[str]) -> Point:
        """Return the point after the deal of these cards.

        Raise `InputError` if they cannot be the player's hand.
        """
        game, setup = self.record.game, self.record.setup
        structure = game.structure(setup)
        hand = game.hand(setup, self.player, cards)
        facts = of_hand(structure, self.player, hand, 0)
        return Point(game.start(setup, None), structure, facts)

    def after(
        self, point: Point, outcome: Outcome[Any], entry: int, *, lawful: bool = True
    ) -> Point:
        """Return the point after one more entry.

        Raise `InputError` if the entry is impossible. With `lawful`, check the rules, too.
        """
        game, setup = self.record.game, self.record.setup
        full = game.with_derived_parts(point.position, outcome) if lawful else outcome
        position = point.position.follow(outcome) if lawful else point.position
        new = game.redeal(setup, full)
        if new is not None:
            structure, facts = new
            mine = {seen.atom.fluent for seen in structure.observables[self.player]}
            if not mine.issubset(facts):
                raise InputError(f"{self.player} does not say what they saw of the new deal")
            own = {name: value for name, value in facts.items() if name in mine}
            return Point(position, structure, of_hand(structure, self.player, own, entry))
        event = game.event_in(setup, point.position, full)
        structure = point.structure.update(
            with_unknown_changes(event) if self.with_moves else event
        )
        entry_facts = of_event(structure, event, self.player, full.secret, entry)
        return Point(position, structure, entry_facts)

    def same_ahead(self, point: Point, other: Point) -> bool:
        """Return whether later entries have the same meaning and legality after both points."""
        legality_key = self.record.game.legality_key
        return (
            point.root is other.root
            and point.structure.versions == other.structure.versions
            and legality_key(point.position) == legality_key(other.position)
        )

    def says_only(self, point: Point, outcome: Outcome[Any], after: Point) -> bool:
        """Return whether the entry can replace another entry that leads to the point `after`.

        If so, later entries keep their meaning and their legality. The check is quick, because it
        computes no knowledge. Raise `InputError` if the rules forbid the entry.
        """
        game, setup = self.record.game, self.record.setup
        was = after.structure.history.event
        if was is None or was.changes:
            return False
        full = game.with_derived_parts(point.position, outcome)
        if game.legality_key(point.position.follow(outcome)) != game.legality_key(after.position):
            return False
        if game.redeal(setup, full) is not None:
            return False
        return not game.event_in(setup, point.position, full).changes

    def lawful(self, position: GameState[Any], outcomes: Sequence[Outcome[Any]]) -> Iterator[Any]:
        """Yield the positions after these entries. Raise `InputError` for an illegal entry."""
        for outcome in outcomes:
            position = position.follow(self.record.game.rebased(position, outcome))
            yield position

    def points(self, cards: Sequence[str], number: int) -> list[Point]:
        """Return the points after the deal and after each of the first `number` entries."""
        points = [self.start(cards)]
        for entry, outcome in enumerate(self.record.outcomes[:number], 1):
            points.append(self.after(points[-1], outcome, entry))
        return points


def deals(points: Sequence[Point]) -> Iterator[list[Point]]:
    """Yield the points of each deal."""
    deal: list[Point] = []
    for point in points:
        if deal and point.structure.history.before is None:
            yield deal
            deal = []
        deal.append(point)
    yield deal


@dataclass(frozen=True)
class Clash:
    """All statements of a log up to a fault, and a minimal subset that clashes.

    Attributes:
        given: formulas that are taken as certain.
        stated: all statements.
        clash: the minimal subset.
    """

    given: tuple[Formula, ...]
    stated: tuple[Statement, ...]
    clash: tuple[Statement, ...]


def clash_of(record: Record[Any, Any], number: int) -> tuple[Clash, Selection] | None:
    """Return the clash of the first `number` + 1 entries, with the `Selection` that computed it.

    All entries but the last must be possible. Return None if the cards alone do not clash, or if
    constraints about knowledge are involved.
    """
    assert record.seat is not None
    replay = LogReplay(record, record.seat.player, with_moves=True)
    points = replay.points(record.seat.holds, number)
    try:
        last = replay.after(points[-1], record.outcomes[number], number + 1, lawful=False)
    except (InputError, LookupError):
        return None
    *_, deal = deals([*points, last])
    if any(point.facts.is_modal for point in deal):
        return None
    given = (
        *beginning(deal[0].structure),
        *(formula for point in deal for formula in point.facts.given),
    )
    stated = tuple(statement for point in deal for statement in point.facts.statements)
    selection = Selection(given)
    said: dict[Formula, Statement] = {}
    for statement in stated:
        said.setdefault(statement.formula, statement)
    smallest: list[Formula] | None = None
    for order in _orders(list(said)):
        core = selection.minimal(order)
        if core is None:
            return None
        if smallest is None or len(core) < len(smallest):
            smallest = core
    assert smallest is not None
    clash = sorted((said[formula] for formula in smallest), key=lambda part: part.entry)
    return Clash(given, stated, tuple(clash)), selection


def _orders(formulas: list[Formula]) -> Iterable[list[Formula]]:
    """Return several orders of removal, each of which may yield another minimal core."""
    half = len(formulas) // 2
    return (
        formulas,
        formulas[::-1],
        formulas[half:] + formulas[:half],
        formulas[half::-1] + formulas[:half:-1],
    )


# ---- the search --------------------------------------------------------------------------------


class _Search:
    """The search for the causes of an impossible entry."""

    def __init__(
        self,
        record: Record[Any, Any],
        error: ImpossibleEntry,
        tell: Tell | None,
    ) -> None:
        self.record = record
        self.error = error
        self.tell = tell or (lambda done, of: None)
        self.last = error.number
        self.points: list[Point] = []
        """The points after the deal and each entry, including a faulty entry if it is lawful."""
        self.lawful = False
        """True if the rules allow the faulty entry."""
        self.clash: Clash | None = None
        self._loose: Selection | None = None
        self._selections: dict[KnowledgeStructure, Selection] = {}
        self._mended: dict[int, bool] = {}

    def diagnosis(self) -> Diagnosis:
        """Return the diagnosis."""
        suspects: list[tuple[float, Suspect]] = []
        if self.record.seat is not None:
            self._read(self.record.seat.player, self.record.seat.holds)
            suspects = list(self._suspects())
        else:
            # If the truth is known, entries that agree with it are not suspects.
            suspects = [(1.0, self._suspect(self.last + 1, []))]
        suspects.sort(key=lambda pair: (-pair[0], -pair[1].entry))
        whole = sum(score for score, _ in suspects)
        outcome = self.record.outcomes[self.last]
        return Diagnosis(
            entry=self.last + 1,
            turn=outcome.public.turn,
            place=self.error.place,
            text=self._text(self.last + 1),
            kind=CARDS if self.lawful else RULES,
            problem=self.error.problem,
            clash=() if self.clash is None else tuple(map(self._premise, self.clash.clash)),
            suspects=tuple(
                msgspec.structs.replace(suspect, likelihood=score / whole)
                for score, suspect in suspects
            ),
        )

    def _read(self, player: str, cards: Sequence[str]) -> None:
        self._replay = LogReplay(self.record, player)
        self.points = self._replay.points(cards, self.last)
        try:
            outcome = self.record.outcomes[self.last]
            self.points.append(self._replay.after(self.points[-1], outcome, self.last + 1))
            self.lawful = True
        except InputError:
            pass
        clash = clash_of(self.record, self.last)
        if clash is not None:
            self.clash, self._loose = clash

    # ---- suspects ------------------------------------------------------------------------------

    def _suspects(self) -> Iterator[tuple[float, Suspect]]:
        """Yield every suspect, scored by the share of successful corrections plus a minimum."""
        for done, entry in enumerate(range(self.last + 1, 0, -1)):
            self.tell(done, self.last + 1)
            mending, share = self._mending(entry)
            if mending or self._mends(entry):
                yield share + _LEAST, self._suspect(entry, mending)
        hands, share = self._other_hands()
        if hands or self._mends(0):
            yield share + _LEAST, self._suspect(0, hands)

    def _mending(self, entry: int) -> tuple[list[str], float]:
        """Return the corrections that make the log possible, in words, and their share of all."""
        record, before = self.record, self.points[entry - 1]
        outcome = record.outcomes[entry - 1]
        assert record.seat is not None
        # If the log is impossible without this entry, no correction with the same effects helps.
        in_vain = entry <= self.last and not (self.lawful and self._mends(entry))
        situation = Situation(record.setup, before.position, record.seat.player)
        tried, mending = 0, []
        for other in corrections(record.game.acts, situation, outcome):
            limits.look()
            try:
                if in_vain and self._replay.says_only(before, other.outcome, self.points[entry]):
                    tried += 1
                    continue
                mends = self._can_be(entry, other.outcome)
            except (InputError, LookupError):
                continue
            tried += 1
            if mends:
                mending.append(other.words)
        return list(dict.fromkeys(mending)), len(mending) / tried if tried else 0.0

    def _can_be(self, entry: int, outcome: Outcome[Any]) -> bool:
        """Return whether this outcome of an entry makes the log possible up to the fault.

        Quick checks come first. Raise `InputError` if the entry cannot have this outcome.
        """
        before = self.points[entry - 1]
        if not self._lawful_after(before.position.follow(outcome), entry):
            return False
        after = self._replay.after(before, outcome, entry)
        if self._touches_nothing(entry, after):
            return False
        if not self._consistent([*self.points[:entry], after], entry):
            return False
        variant = [after]
        for number in range(entry, self.last + 1):
            same = self.lawful and not self._is_modal
            if same and self._replay.same_ahead(after, self.points[number]):
                variant += self.points[number + 1 :]
                break
            try:
                rebased = self.record.game.rebased(after.position, self.record.outcomes[number])
                after = self._replay.after(after, rebased, number + 1)
            except (InputError, LookupError):
                return False
            variant.append(after)
        return self._consistent([*self.points[:entry], *variant], entry)

    def _lawful_after(self, position: GameState[Any], entry: int) -> bool:
        """Return whether the rules allow the entries after an entry, up to the fault."""
        legality_key, number = self.record.game.legality_key, entry
        rest = self.record.outcomes[entry : self.last + 1]
        positions = self._replay.lawful(position, rest)
        while True:
            same = number < len(self.points) and number <= self.last
            if same and legality_key(position) == legality_key(self.points[number].position):
                return self.lawful
            try:
                position = next(positions)
            except StopIteration:
                return True
            except (InputError, LookupError):
                return False
            number += 1

    def _touches_nothing(self, entry: int, after: Point) -> bool:
        """Return whether the same statements clash if the entry leads to `after`.

        They clash if none of them belongs to this entry or to a later entry about a fluent that now
        differs. (Changes in an event follow from its public part.)
        """
        core = self._core
        if not core or entry in core or entry > self.last:
            return False
        was, now = self.points[entry].structure, after.structure
        names = {*was.versions, *now.versions}
        different = {name for name in names if was.versions.get(name) != now.versions.get(name)}
        assert was.history.event is not None
        assert now.history.event is not None
        if was.history.event.changes != now.history.event.changes:
            for change in (*was.history.event.changes, *now.history.event.changes):
                if not isinstance(change.to, str):
                    different.add(change.fluent)
        return not any(
            different.intersection(names) for later, names in core.items() if later > entry
        )

    @cached_property
    def _core(self) -> dict[int, frozenset[str]]:
        """The entries with clashing statements, each with the fluents of its event.

        Public values of moved cards are included. The mapping is empty if no clash can be computed.
        """
        if not self.lawful or any(point.facts.is_modal for point in self.points):
            return {}
        *_, deal = deals(self.points)
        if len(deal) < len(self.points):
            return {}
        said: dict[Formula, int] = {}
        for entry, point in enumerate(deal):
            for formula in point.facts.formulas:
                said.setdefault(formula, entry)
        core = self._selection(deal[0].structure).minimal(list(said))
        premises: dict[int, frozenset[str]] = {}
        for formula in core or ():
            event = deal[said[formula]].structure.history.event
            premises[said[formula]] = frozenset() if event is None else _fluents(event)
        return premises

    def _selection(self, root: KnowledgeStructure) -> Selection:
        selection = self._selections.get(root)
        if selection is None:
            selection = self._selections[root] = Selection(beginning(root))
        return selection

    def _consistent(self, points: Sequence[Point], changed: int) -> bool:
        """Return whether the cards are possible from the deal of the changed entry onwards."""
        if self._is_modal:
            return self._known_to_be_possible(points)
        seen = 0
        for deal in deals(points):
            seen += len(deal)
            if seen <= changed:
                continue
            formulas = [formula for point in deal for formula in point.facts.formulas]
            if not self._selection(deal[0].structure).possible(formulas):
                return False
        return True

    def _mends(self, entry: int) -> bool:
        """Return whether the cards are possible without an entry; True for the last entry."""
        if entry == self.last + 1:
            return True
        known = self._mended.get(entry)
        if known is None and self._is_modal:
            known = self._mended[entry] = self._known_to_be_possible(self._without(entry))
        if known is None and (self.clash is None or self._loose is None):
            return False
        if known is None:
            assert self.clash is not None
            assert self._loose is not None
            known = any(part.entry == entry for part in self.clash.clash)
            if known:
                rest = [part.formula for part in self.clash.stated if part.entry != entry]
                known = self._loose.possible(rest)
            self._mended[entry] = known
        return known

    # ---- events about knowledge ------------------------------------------------------------------

    @cached_property
    def _is_modal(self) -> bool:
        return any(point.facts.is_modal for point in self.points)

    def _without(self, entry: int) -> list[Point]:
        """Return the points of the log without an entry."""
        points: list[Point] = []
        for number, point in enumerate(self.points):
            event = point.structure.history.event
            facts = EntryFacts(()) if number == entry else point.facts
            if event is None or not points:
                points.append(replace(point, facts=facts))
                continue
            if number == entry:
                event = Event(event.source, fluents=event.fluents, changes=event.changes)
            points.append(Point(point.position, points[-1].structure.update(event), facts))
        return points

    def _known_to_be_possible(self, points: Sequence[Point]) -> bool:
        """Return whether the player considers a world possible, as decided by an engine."""
        *_, deal = deals(points)
        last, player = deal[-1].structure, self._replay.player
        observed = {observable.atom for observable in last.observables[player]}
        said = {part.formula for point in deal for part in point.facts.statements}
        seen = frozenset(atom for atom in observed if atom in said)
        # Without statements about the hand, any hand is possible.
        has_statements = bool(deal[0].facts.statements)
        view = Perspective(last, player, seen) if has_statements else last
        return engine().witness(view, TRUE) is not None

    def _other_hands(self) -> tuple[list[str], float]:
        """Return hands with one other card that make the log possible, and their share of all."""
        if not self.lawful or not self._mends(0):
            return [], 0.0
        tried, mending = 0, []
        for cards, words in other_hands(self.record):
            limits.look()
            try:
                start = self._replay.start(cards)
            except (InputError, LookupError):
                continue
            tried += 1
            if self._consistent([start, *self.points[1:]], 0):
                mending.append(words)
        return mending, len(mending) / tried if tried else 0.0

    # ---- words ---------------------------------------------------------------------------------

    def _suspect(self, entry: int, mending: Sequence[str]) -> Suspect:
        meant = list(mending)
        if entry == self.last + 1 and self.points and not self.lawful:
            meant = [*self._not_here(), *meant]
        return Suspect(
            entry=entry,
            turn=self._turn(entry),
            text=self._text(entry),
            perhaps=tuple(meant[:PERHAPS]),
            ways=len(meant),
            likelihood=0.0,
        )

    def _not_here(self) -> Iterator[str]:
        """Yield the likely mistake for a forbidden entry: a duplicate or a missing entry."""
        public = self.record.outcomes[self.last].public
        position = self.points[-1].position
        if self.last:
            before = self.record.outcomes[self.last - 1].public
            if msgspec.structs.replace(before, turn=public.turn) == public:
                yield "it was entered twice"
                return
        # A game's events may have no player.
        actor, decision = getattr(public, "player", None), position.decision
        decider = None if decision is None else decision.player
        too_early = actor is not None and decider not in (None, CHANCE, actor)
        if too_early or public.turn > position.turn:
            yield "an entry is missing before it"

    def _premise(self, statement: Statement) -> Premise:
        entry, dealt, text = statement.entry, statement.dealt, statement.text
        if dealt is not None:
            truth = statement.formula is dealt
            text = self.record.game.dealt_words(self.record.setup, dealt, truth)
        return Premise(
            entry=entry,
            turn=self._turn(entry),
            text=self._numbered(text),
            is_dealt=dealt is not None,
        )

    def _numbered(self, text: str) -> str:
        """Return the text with entry numbers instead of turns, because `edit` counts entries.

        A turn with several entries stays unchanged.
        """
        entries: dict[str, list[int]] = {}
        for number, outcome in enumerate(self.record.outcomes, 1):
            entries.setdefault(f"turn {outcome.public.turn}", []).append(number)

        def numbered(match: re.Match[str]) -> str:
            there = entries.get(match[0], [])
            return f"entry {there[0]}" if len(there) == 1 else match[0]

        return re.sub(r"\bturn \d+\b", numbered, text)

    def _turn(self, entry: int) -> int:
        return self.record.outcomes[entry - 1].public.turn if entry else 0

    def _text(self, entry: int) -> str:
        """Return an entry in words, without its consequences if the rules forbid it."""
        seat = self.record.seat
        if entry == 0:
            assert seat is not None
            game, setup = self.record.game, self.record.setup
            return f"your hand: {game.hand_words(setup, seat.player, seat.holds)}"
        outcome = self.record.outcomes[entry - 1]
        with suppress(InputError, LookupError, AssertionError):
            if entry <= len(self.points):
                outcome = self.record.game.with_derived_parts(
                    self.points[entry - 1].position, outcome
                )
        viewer = None if seat is None else seat.player
        return story_of(self.record.game, self.record.setup, outcome, viewer)


def _fluents(event: Event) -> frozenset[str]:
    """Return the names of the fluents in an event."""
    stated = (atoms(constraint.formula) for constraint in event.constraints)
    changes = (change.fluent for change in event.changes)
    return frozenset(chain((atom.fluent for atom in chain.from_iterable(stated)), changes))


def other_hands(record: Record[Any, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield hands that differ from the seat's hand in one card, with the difference in words."""
    assert record.seat is not None
    cards = record.game.cards(record.setup)
    hand = record.seat.holds
    titles = {card: record.game.card_title(record.setup, card) for card in (*cards, *hand)}
    for place, card in enumerate(hand):
        if card in hand[:place]:
            continue
        for other in cards:
            if other != card:
                words = f"{titles[other]}, not {titles[card]}"
                yield (*hand[:place], other, *hand[place + 1 :]), words
