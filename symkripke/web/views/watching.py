"""The page of a watched game: every player, at any turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import log as logarithm
from typing import Any

from symkripke.drawing.cards import round_table, symbols
from symkripke.engines import Mark
from symkripke.errors import check_name
from symkripke.language import Atom, Formula, K, Kw, Not, conjunction
from symkripke.model import Scene
from symkripke.play import Moment, News
from symkripke.play.news import news
from symkripke.play.review import KeyMoment
from symkripke.play.rules import GameState
from symkripke.play.strategies import considers
from symkripke.play.views import sheet as filling
from symkripke.play.views.pictures import SeatNotes, known_marks, last_outcome, pictures_of
from symkripke.play.words import with_titles
from symkripke.web.views.asking import Answered, Effort, answered
from symkripke.web.views.curve import curve
from symkripke.web.views.knowing import Knowledge, knowledge_of, tells_of_others
from symkripke.web.views.opened import EventSummary, OpenLog, Read, opened, replayed
from symkripke.web.views.sheets import Row, laid_out

SHOWS = ("odds", "sheet", "own", "words", "others", "all")
"""The ways to show knowledge: "own" as the player works it out, "all" for all players."""


@dataclass(frozen=True)
class Seated:
    """A player on the page of a watched game.

    Attributes:
        name: the player's name in the log.
        title: the player's name, as people write it.
        mind: the kind of player; empty if it is unknown.
        considers: the information that this kind of player uses.
        open: the number of answers that the player considers possible; None if it is unknown.
        share: this number as the length of a bar, from 0 to 100, on a logarithmic scale.
        status: "knows it", "out", or what the player has won.
        is_out: whether the player is out of the game.
        works_out: whether the player locates cards by its own way of reasoning.
    """

    name: str
    title: str
    mind: str
    considers: str
    open: int | None
    share: float
    status: str
    is_out: bool
    works_out: bool


@dataclass(frozen=True)
class Watched:
    """The data of the page of a watched game.

    Attributes:
        players: the players whose knowledge is shown.
        tells_of_others: whether players can know about the knowledge of others that pages show.
        legend: the meanings of the short names of cards; empty if cards have their full names.
        symbols: the art of the cards, as hidden SVG.
        table: the players round the table, as SVG.
        board: the board, as SVG; empty if the game has none.
        overview: the knowledge of all players, if it is wanted.
        has_own: whether a player locates cards by its own way of reasoning.
    """

    title: str
    rules: str
    game: str
    seed: int | None
    at: int
    last: int
    turn: int
    is_over: bool
    result: str
    can_play: bool
    events: Sequence[EventSummary]
    seats: Sequence[Seated]
    question: str
    counted: str
    curve: str
    known: Sequence[Knowledge]
    players: tuple[str, ...]
    tells_of_others: bool
    legend: str
    symbols: str
    table: str
    board: str
    overview: Overview | None
    has_own: bool

    @property
    def kinds(self) -> Sequence[tuple[str, str]]:
        """The kinds of players that take part, and the information that each uses."""
        return list({seat.mind: seat.considers for seat in self.seats if seat.mind}.items())


@dataclass(frozen=True)
class Wanted:
    """The requested content of the page of a watched game.

    Attributes:
        players: the players whose knowledge is shown, at most two; empty: the first one.
        show: the way to show it, one of `SHOWS`.
        with_knowledge: whether to compute it here; otherwise `knowledge` does.
        eyes: whether the table is drawn as the first of these players sees it.
        link: the link of each event on the curve, with `{}` for its number.
        seat_link: the link of each player, with `{}` for the name.
        flags: the events that the curve marks; None if the game is not reviewed yet.
    """

    players: tuple[str, ...]
    show: str
    with_knowledge: bool
    eyes: bool
    link: str
    seat_link: str
    flags: tuple[KeyMoment, ...] | None = None


def watched(path: str, at: int | None, wanted: Wanted) -> Watched:
    """Return a game after the first `at` events; None: after all."""
    log = opened(path)
    moment = log.at(at)
    key = "watched", moment.events, log.moment.events, wanted
    page: Watched = log.kept.get_or_create(key, lambda: _watched(log, moment, wanted))
    return page


def knowledge(path: str, at: int, players: tuple[str, ...], show: str) -> list[Knowledge]:
    """Return the players' knowledge after the first `at` events. This may take several seconds.

    The log is replayed without players, so that no program has to choose a move.
    """
    log = replayed(path)
    moment = log.moment.after(min(at, log.moment.events))
    return _opened_up(log, moment, players, show)


def played(path: str, events: int) -> int:
    """Play at most `events` events; return the number played."""
    return opened(path).play(events)


def _watched(log: OpenLog, moment: Moment[Any, Any], wanted: Wanted) -> Watched:
    game, setup, last = moment.game, moment.setup, len(moment.states) - 1
    assessed = [log.assessed(number) for number in range(last + 1)]
    lines: dict[str, list[int]] = {
        moment.layout.person(name): [each[name].open for each in assessed] for name in assessed[0]
    }
    most = max((max(line) for line in lines.values()), default=1)
    position = log.position(moment)
    seats = [_seated(log, moment, name, position, most) for name in setup.players]
    own = (setup.players[0] if log.seat is None else log.seat,)
    players = tuple(dict.fromkeys(wanted.players or own))
    for name in players:
        check_name("player", name, setup.players)
    known = []
    if wanted.with_knowledge and wanted.show != "all":
        known = [
            _worked_out(log, moment, name)
            if wanted.show == "own"
            else _opened(log, moment, name, wanted.show)
            for name in players
        ]
    pictures = pictures_of(moment)
    outcome = last_outcome(log.record, moment, players[0] if wanted.eyes else None)
    eyes = known_marks(moment, players[0]) if wanted.eyes else None
    notes = {
        seat.name: SeatNotes(
            seat.share,
            seat.status,
            seat.name in players,
            seat.is_out,
            wanted.seat_link.replace("{}", seat.name),
        )
        for seat in seats
    }
    table = pictures.table(outcome, notes, pictures.held(moment, eyes), position)
    return Watched(
        title=game.title,
        rules=setup.rules,
        game=game.name,
        seed=log.record.seed,
        at=moment.events,
        last=last,
        turn=moment.turn,
        is_over=log.is_over and moment.events == last,
        result=with_titles(log.result, setup.players),
        can_play=log.table is not None and not log.is_over,
        events=log.events,
        seats=seats,
        question=game.question,
        counted=game.counted,
        curve=curve(
            lines, moment.turns, moment.events, game.question, wanted.link, wanted.flags or ()
        ),
        known=known,
        players=players,
        tells_of_others=tells_of_others(moment),
        legend=moment.layout.legend if moment.layout.codes else "",
        symbols=symbols((*table.faces, *filter(None, pictures.rows.values()))),
        table=round_table(table),
        board=pictures.board(position, outcome),
        overview=_overview(log, moment) if wanted.show == "all" else None,
        has_own=any(seat.works_out for seat in seats),
    )


@dataclass(frozen=True)
class Overview:
    """The knowledge of all players side by side.

    Attributes:
        columns: the players, as people write them.
        rows: for each row of the note sheet, the number of places that each player still considers
            possible for it; on a sheet that counts, the number of possible counts; on a sheet that
            describes things, what each player knows of its own.
        describes: whether it is such a sheet.
    """

    columns: Sequence[str]
    rows: Sequence[tuple[Row, Sequence[int | str]]]
    describes: bool = False


def _overview(log: Read, moment: Moment[Any, Any]) -> Overview:
    layout, pictures = moment.layout, pictures_of(moment)
    marks = {name: log.marks(moment, name) for name in moment.setup.players}
    people = [layout.person(name) for name in moment.setup.players]
    if layout.describes:
        sheets = [_own_things(moment, name, marks[name]) for name in moment.setup.players]
        lines = [
            (Row(number, title, ()), [sheet[title] for sheet in sheets])
            for number, title in enumerate(layout.groups)
        ]
        return Overview(people, lines, describes=True)
    keys = {key: [key] for key in layout.rows}
    titles: Mapping[str, str] = layout.rows
    if layout.counts:
        keys = {next(iter(rows)): list(rows) for rows in layout.groups.values()}
        titles = {next(iter(rows)): title for title, rows in layout.groups.items()}

    def left(name: str, rows: Sequence[str]) -> int:
        cells = [layout.cells[row, column] for row in rows for column in layout.columns]
        undecided = sum(marks[name][cell] is Mark.OPEN for cell in cells)
        if layout.counts:
            return 1 + undecided
        return sum(marks[name][cell] is not Mark.NO for cell in cells)

    return Overview(
        people,
        [
            (
                Row(number, without_code(titles[key]), (), pictures.rows[key]),
                [left(name, rows) for name in moment.setup.players],
            )
            for number, (key, rows) in enumerate(keys.items())
        ],
    )


def _own_things(
    moment: Moment[Any, Any], name: str, marks: Mapping[Formula, Mark]
) -> Mapping[str, str]:
    """Return what a player knows of each of its own things, by title."""
    known = {place: marks[cell] for place, cell in moment.layout.cells.items()}
    sheet = filling.FilledSheet.of_marks(moment, name, known).sheet
    own = list(moment.layout.columns).index(name)
    return {title: things[own] for title, things in sheet.brief}


# ---- reasons -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class CellReason:
    """The reason for a cell of a note sheet.

    Attributes:
        key: the cell: the seat, the row and the column, from 0, separated by dots.
        answer: the answer, with its reason.
        asked: the formula.
        cited: the numbers of the events that prove it.
    """

    key: str
    answer: Answered
    asked: str
    cited: frozenset[int]


def cell_reason(path: str, at: int, key: str) -> CellReason | None:
    """Return why a player knows, or does not know, the content of a cell.

    Args:
        path: the log.
        at: the number of events so far.
        key: the cell, as in `CellReason`.

    Returns:
        The reason; None if there is no such cell.

    Raises:
        OutOfWork: the answer takes too much work.
        NoAnswerWithin: it takes too much time.
        SymkripkeError: another error occurs.
    """
    log = replayed(path)
    moment = log.moment.after(min(at, log.moment.events))
    cache_key = "reason", moment.events, key
    reason: CellReason | None = log.kept.get_or_create(
        cache_key, lambda: _cell_reason(log, moment, key)
    )
    return reason


def _cell_reason(log: Read, moment: Moment[Any, Any], key: str) -> CellReason | None:
    layout, players = moment.layout, moment.setup.players
    numbers = [int(part) for part in key.split(".") if part.isdecimal() and len(part) < 4]
    keys, columns = list(pictures_of(moment).rows), list(layout.columns)
    sizes = (len(players), len(keys), len(columns))
    if len(numbers) != 3 or any(n >= size for n, size in zip(numbers, sizes, strict=True)):
        return None
    player, row, column = players[numbers[0]], keys[numbers[1]], columns[numbers[2]]
    marks = log.marks(moment, player)
    rows = list(list(layout.groups.values())[numbers[1]]) if layout.counts else [row]
    cells = [layout.cells[each, column] for each in rows]
    open_cells = [cell for cell in cells if marks[cell] is Mark.OPEN]
    if open_cells:
        asked: Formula = Kw(player, open_cells[0])
    else:
        facts = [cell if marks[cell] is Mark.YES else Not(cell) for cell in cells]
        asked = K(player, conjunction(facts))
    text = str(asked)
    _, answer = answered(moment, text, Effort.LITTLE)
    cited = frozenset(line.event for line in answer.reasons if line.event)
    return CellReason(key, answer, text, cited)


# ---- players -----------------------------------------------------------------------------------


def held_now(
    moment: Moment[Any, Any],
) -> tuple[dict[str, Sequence[str]], list[tuple[str, Sequence[str]]]]:
    """Return the cards of each player, and of each other place, at a moment; empty if unknown."""
    layout, state = moment.layout, moment.state
    if not isinstance(state, Scene):
        return {}, []
    held = layout.held(moment.plain(state.world), short=True)
    players = moment.setup.players
    rest = [(layout.columns[c], cards) for c, cards in held.items() if c not in players]
    return {c: cards for c, cards in held.items() if c in players}, rest


def _seated(
    log: OpenLog, moment: Moment[Any, Any], name: str, position: GameState[Any], most: int
) -> Seated:
    game, setup = moment.game, moment.setup
    assessment = log.assessed(moment.events).get(name)
    standing = game.standing(setup, position, name)
    status = standing.note
    if not status and assessment is not None and assessment.certain:
        status = "knows it"
    if standing.won:
        status = f"{status}, {standing.won}" if status else standing.won
    mind = log.minds[setup.players.index(name)] if log.minds else ""
    share = 0.0
    if assessment is not None:
        share = 100 * logarithm(max(1, assessment.open)) / logarithm(max(2, most))
    return Seated(
        name,
        moment.layout.person(name),
        {kind: level for level, kind in game.levels.items()}.get(mind, mind),
        considers(game, mind) if mind else "",
        None if assessment is None else assessment.open,
        share,
        status,
        name in position.out,
        assessment is not None and bool(assessment.located),
    )


def without_code(title: str) -> str:
    """Return the title of a row without the short name in brackets."""
    return title.partition(" (")[0]


def _opened_up(
    log: Read, moment: Moment[Any, Any], players: Sequence[str], show: str
) -> list[Knowledge]:
    return [_opened(log, moment, name, show) for name in dict.fromkeys(players)]


def _opened(log: Read, moment: Moment[Any, Any], name: str, show: str) -> Knowledge:
    key = "knowledge", moment.events, name, show
    known: Knowledge = log.kept.get_or_create(key, partial(_knowledge, log, moment, name, show))
    return known


def _worked_out(log: OpenLog, moment: Moment[Any, Any], name: str) -> Knowledge:
    """Return the cards that a player has located by its own way of reasoning, as a note sheet."""
    layout = moment.layout
    located = log.assessed(moment.events)[name].located

    def mark(cell: Formula) -> Mark:
        if not isinstance(cell, Atom) or cell.fluent not in located:
            return Mark.OPEN
        return Mark.YES if located[cell.fluent] == cell.value else Mark.NO

    marks = {place: mark(cell) for place, cell in layout.cells.items()}
    cells = {place: filling.Cell(each, each) for place, each in marks.items()}
    filled = filling.FilledSheet(moment, name, cells, {})
    seat = moment.setup.players.index(name)
    return Knowledge(name, seat, layout.person(name), laid_out(filled, pictures_of(moment)))


def _knowledge(log: Read, moment: Moment[Any, Any], name: str, show: str) -> Knowledge:
    """Return a player's knowledge in the form to show."""
    check_name("player", name, moment.setup.players)
    before = moment.after(max(0, moment.events - 1))

    def last_news() -> News:
        then, now = log.marks(before, name), log.marks(moment, name)
        return news(moment, name, moment.events - before.events, then=then, now=now)

    return knowledge_of(moment, name, log.position(moment), show, last_news)
