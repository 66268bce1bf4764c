"""A game with people: the page of a seat is made from the view of that seat only."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any

from symkripke.drawing.cards import Face, round_table, symbols
from symkripke.engines import Mark
from symkripke.errors import InputError, JournalChanged
from symkripke.play import GameState, Moment, PersonView, Record, Table, game
from symkripke.play.acts import Pending
from symkripke.play.menu import Part
from symkripke.play.news import news
from symkripke.play.rules import CHANCE, Outcome
from symkripke.play.sentences import so_far
from symkripke.play.strategies import HUMAN, considers
from symkripke.play.views.pictures import SeatNotes, known_marks, last_outcome, pictures_of
from symkripke.play.words import person, with_titles
from symkripke.web.views.beginning import setup_of
from symkripke.web.views.caches import TableCache
from symkripke.web.views.knowing import Knowledge, knowledge_of, tells_of_others
from symkripke.web.views.mistakes import Mistake, mistake
from symkripke.web.views.opened import EventSummary, check_shown
from symkripke.web.views.sheets import Sheet
from symkripke.web.views.watching import held_now, without_code

_GAMES = 64
"""The maximum number of games that a process caches."""

_HINTS = 5

_LATELY = 20
"""The maximum number of recent events next to a question."""


@dataclass(frozen=True)
class Choosable:
    """A part of a move: its question, and the choices in groups with headings.

    Attributes:
        ask: the question.
        groups: for each heading, the numbers, titles and pictures of the choices.
        ruled_out: the numbers of the choices that the person can rule out; they form the last
            group.
        steps: the smallest and the largest number, if the choices are consecutive numbers.
    """

    ask: str
    groups: Sequence[tuple[str, Sequence[tuple[int, str, Face | None]]]]
    ruled_out: frozenset[int] = frozenset()
    steps: tuple[int, int] | None = None


@dataclass(frozen=True)
class Doable:
    """A kind of move, with its number in the menu, and its picture if it has one."""

    number: int
    title: str
    parts: Sequence[Choosable]
    face: Face | None = None

    @property
    def steps(self) -> tuple[int, int] | None:
        """The smallest and the largest number, if the only choice is a number."""
        return self.parts[0].steps if len(self.parts) == 1 else None


@dataclass(frozen=True)
class Family:
    """Kinds of moves that one form offers.

    A form can offer several similar kinds, such as bids on different faces. The person then chooses
    a number and a kind.

    Attributes:
        title: the common words of their titles.
        members: the kinds of moves.
        names: the rest of the title of each, if there are several.
    """

    title: str
    members: Sequence[Doable]
    names: Sequence[str] = ()

    @classmethod
    def of(cls, members: Sequence[Doable]) -> Family:
        """Return the family of similar kinds of moves."""
        if len(members) == 1:
            return cls(members[0].title, members)
        words = [member.title.split() for member in members]
        same = len(list(takewhile(lambda place: len(set(place)) == 1, zip(*words, strict=False))))
        names = [" ".join(title[same:]) for title in words]
        return cls(" ".join(words[0][:same]), members, names)

    @property
    def steps(self) -> tuple[int, int] | None:
        """The smallest and the largest number of all members, if a number is to be chosen."""
        found = [member.steps for member in self.members if member.steps is not None]
        if not found:
            return None
        return min(least for least, _ in found), max(most for _, most in found)

    @property
    def first(self) -> Doable:
        """The member that is selected at first: one with the most common smallest number."""
        least = [member.steps[0] for member in self.members if member.steps is not None]
        usual = max(least, key=least.count, default=None)
        return next(
            (member for member in self.members if member.steps and member.steps[0] == usual),
            self.members[0],
        )


@dataclass(frozen=True)
class SeatPage:
    """The data of the page of a seat. No other information about the game is sent to the page.

    Attributes:
        turn_of: the title of the player who must decide now; empty if there is none.
        is_stalled: whether minds have stopped although it is their turn.
        under_way: the unfinished event, in words.
        ask: the question to this person; empty if it is not their turn.
        actions: the possible actions.
        usual: the default move in words; empty if the person must choose.
        is_forced: whether only one move is possible.
        lately: the number of recent events next to the question. They are this person's
            last move, with its result, and the events since then; at least one, and at most
            `_LATELY`.
        since_move: whether these include this person's last move.
        hand: the cards that the person certainly holds.
        things: the word for these: "cards".
        rows: the title and the cards of each row that is shown instead of the table and the hand;
            empty for most games (`Pictures.shows_hands`).
        table: the players round the table as the person sees them, as SVG.
        symbols: the art of the cards, as hidden SVG.
        hidden: the cards that everybody held, once the game is over.
        stamp: a stamp of the possible moves; a move chosen from an outdated page is refused.
    """

    title: str
    rules: str
    you: str
    hand: Sequence[Face]
    table: str
    symbols: str
    events: Sequence[EventSummary]
    at: int
    last: int
    turn_of: str
    is_stalled: bool
    under_way: str
    ask: str
    actions: Sequence[Doable]
    usual: str
    is_over: bool
    result: str
    known: Knowledge
    hidden: Sequence[tuple[str, Sequence[str]]]
    stamp: str
    tells_of_others: bool
    is_forced: bool
    lately: int
    since_move: bool
    things: str = "cards"
    rows: Sequence[tuple[str, Sequence[Face]]] = ()

    @property
    def families(self) -> Sequence[Family]:
        """The actions, with similar actions grouped together."""

        def kind(action: Doable) -> Any:
            start, _, rest = action.title.partition(" ")
            return (start, action.parts[0].ask) if action.steps and rest else action.number

        kinds = groupby(self.actions, kind)
        return [Family.of(list(members)) for _, members in kinds]


@dataclass(frozen=True)
class Sitting:
    """A person's seat as the host sees it: the name, and whether the game waits for this person."""

    name: str
    title: str
    is_due: bool


@dataclass(frozen=True)
class HostPage:
    """The host's page of a running game with people, without hidden information.

    Attributes:
        minds: the players that are programs: the name, the kind, and the information that this kind
            uses.
    """

    title: str
    rules: str
    seats: Sequence[Sitting]
    minds: Sequence[tuple[str, str, str]]
    events: int
    is_stalled: bool


# ---- cached games --------------------------------------------------------------------------------

_HOSTED: TableCache[tuple[Table[Any, Any], TableCache[Any]]] = TableCache.tables(_GAMES)


def _hosted(path: str) -> tuple[Table[Any, Any], TableCache[Any]]:
    """Return the current game of a log, with its cache."""
    hosted = _HOSTED.get(path)
    _HOSTED.drop(path)  # cached again below, unless reading fails
    if hosted is not None:
        try:
            hosted[0].refresh()
        except JournalChanged:  # the log now belongs to another game
            hosted = None
    if hosted is None:
        hosted = Table.open(path), TableCache()
    if not hosted[0].persons:
        raise InputError(f"{hosted[0].path.name} is not a game that people play")
    return _HOSTED.put(path, hosted)


def begin(
    path: str,
    name: str,
    rules: str,
    players: Sequence[str],
    options: Mapping[str, str],
    minds: Sequence[str],
    seed: int | None,
) -> None:
    """Deal, and write the beginning of the log."""
    setup = setup_of(name, rules, players, options)
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    table = Table(game(name), setup, minds, chosen)
    table.record.write(path)


@dataclass(frozen=True)
class Branch:
    """A position of a game at which a person can take a seat.

    Attributes:
        game: the name of the game.
        title: the title for a table that begins there.
        player: the player who moves there.
    """

    game: str
    title: str
    player: str


def branch(path: str, events: int) -> Branch:
    """Return the position after the first `events` events of a log.

    Raises:
        InputError: nobody can play on from there.
    """
    record = Record.read(path)
    check_shown(record)
    if record.truth is None or record.seed is None or not record.minds:
        raise InputError("this log lacks the deal, the seed or the players: nobody can play on")
    if not 0 <= events < len(record.outcomes):
        raise InputError(f"expected 0 to {len(record.outcomes) - 1} events, got {events}")
    state = record.game.start(record.setup, record.truth)
    for outcome in record.outcomes[:events]:
        state = state.follow(outcome)
    mover = state.decision.player if state.decision is not None else CHANCE
    if record.game.people is None or mover == CHANCE:
        raise InputError("no player moves here")
    turn = record.outcomes[events].public.turn
    return Branch(record.game.name, f"{record.game.title} from turn {turn}, again", mover)


def begin_again(path: str, log: str, events: int) -> None:
    """Begin a log with the first events of another one; a person takes the seat to move."""
    record, who = Record.read(log), branch(log, events).player
    usual = next(iter(record.game.strategies))
    minds = tuple(
        HUMAN if player == who else usual if mind == HUMAN else mind
        for player, mind in zip(record.setup.players, record.minds, strict=True)
    )
    copied = record.outcomes[:events]
    replace(
        record, minds=minds, outcomes=copied, result=None, pending="", moves=(), _lines=()
    ).write(path)
    try:
        _hosted(path)
    except InputError:
        Path(path).unlink()
        raise


def is_over(path: str) -> bool:
    """Return whether the game has ended, so that nothing is hidden any more."""
    return _hosted(path)[0].ended is not None


def host_page(path: str) -> HostPage:
    """Return the page of the host during a game."""
    hosted, _ = _hosted(path)
    due = hosted.waiting_for
    return HostPage(
        hosted.game.title,
        hosted.setup.rules,
        [Sitting(name, person(name), name == due) for name in hosted.persons],
        [
            (person(name), mind, considers(hosted.game, mind))
            for name, mind in zip(hosted.setup.players, hosted.minds, strict=True)
            if mind != HUMAN
        ],
        len(hosted.steps),
        due is None and hosted.ended is None,
    )


# ---- going on ------------------------------------------------------------------------------------


def go_on(path: str, most: int) -> bool:
    """Let programs and chance play at most `most` events; return whether more can be played."""
    hosted, _ = _hosted(path)
    return all(hosted.step() is not None for _ in range(most))


def choose(
    path: str, who: str, action: int | None, choices: Sequence[int | str], text: str, seen: str = ""
) -> Mistake | None:
    """Make a person's move. Return the mistake if the move is impossible.

    Args:
        path: the log.
        who: the person.
        action: the number of an action of the menu; negative for the usual move; None for a typed
            move.
        choices: the number of the choice for each part of the action, or its title.
        text: the typed move, if there is one.
        seen: the stamp of the page on which the move was chosen; empty for no check.
    """
    hosted, _ = _hosted(path)
    view = hosted.seat(who)
    if seen and seen != _stamp(view):
        return Mistake(
            "The game has moved on since you chose, so nothing was done. The page "
            "shows the current state."
        )
    try:
        if action is None:
            move = view.read(text)
            if isinstance(move, Pending):
                said = so_far(move) if move.said else "This move is incomplete."
                return Mistake(f"{said} {move.ask or f'Expected {move.what}.'}")
        elif action < 0:
            move = view.menu.usual
            if move is None:
                return Mistake("Choose a move.")
        else:
            move = view.menu.chosen(action, _numbers(view, action, choices))
        hosted.choose(who, move)
    except InputError as error:
        return mistake(error)
    return None


def _numbers(
    view: PersonView[Any, Any], action: int, choices: Sequence[int | str]
) -> Sequence[int]:
    """Return the number of each choice; raise `InputError` for an unknown title."""
    actions = view.menu.actions
    parts = actions[action].parts if action < len(actions) else ()
    numbers = []
    for place, choice in enumerate(choices):
        if isinstance(choice, int):
            numbers.append(choice)
            continue
        titles = [one.title for one in parts[place].choices] if place < len(parts) else []
        if choice not in titles:
            expected = f"{titles[0]} to {titles[-1]}" if titles else "no choice"
            raise InputError(f"{actions[action].title}: expected {expected}, got {choice}")
        numbers.append(titles.index(choice))
    return numbers


def _stamp(view: PersonView[Any, Any]) -> str:
    """Return a stamp that differs for different sets of possible moves."""
    shown = _actions(view) if view.decision is not None else ()
    state = repr((view.moment.events, view.story_under_way, view.turn_of, shown))
    return sha256(state.encode()).hexdigest()[:16]


def resign(path: str, who: str) -> None:
    """Let a person resign, which ends the game for everybody."""
    hosted, _ = _hosted(path)
    hosted.resign(who)


def completions(path: str, who: str, text: str) -> list[tuple[int, str]]:
    """Return the completions of a typed move."""
    hosted, _ = _hosted(path)
    return [(way.start, way.text) for way in hosted.seat(who).completions(text)[:40]]


# ---- the view of a seat --------------------------------------------------------------------------


def seat_moment(
    path: str, who: str, at: int | None
) -> tuple[Moment[Any, Any], int, TableCache[Any]]:
    """Return a moment as a seat knows it, the number of events, and the cache of the log."""
    hosted, kept = _hosted(path)
    moment = hosted.seat(who).moment
    last = moment.events
    return moment.after(last if at is None else max(0, min(at, last))), last, kept


def seat_events(path: str, who: str) -> Sequence[Outcome[Any]]:
    """Return the events as a seat has seen them."""
    return _hosted(path)[0].seat(who).record.outcomes


def seat_page(path: str, who: str, at: int | None, show: str) -> SeatPage:
    """Return the data of a seat's page after `at` events; `show` is one of `SHOWS`, or empty."""
    hosted, kept = _hosted(path)
    page: SeatPage = kept.get_or_create(
        ("seat", hosted.now, who, at, show), lambda: _seat_page(hosted, who, at, show)
    )
    return page


def _seat_page(hosted: Table[Any, Any], who: str, at: int | None, show: str) -> SeatPage:
    page = page_of(hosted.seat(who), at, show)
    result = hosted.ended
    if result is None:
        return replace(page, is_stalled=hosted.waiting_for is None)
    words = with_titles(result.words, hosted.setup.players)
    return replace(page, is_over=True, result=words, hidden=_hidden(hosted))


def _hidden(hosted: Table[Any, Any]) -> list[tuple[str, Sequence[str]]]:
    held, rest = held_now(hosted.truth)
    layout = hosted.truth.layout
    hands = [(layout.person(name), held.get(name, ())) for name in hosted.setup.players]
    return [*hands, *((title, cards) for title, cards in rest if cards)]


def page_of(view: PersonView[Any, Any], at: int | None, show: str) -> SeatPage:
    """Return the data of a seat's page, from the view of the seat only."""
    moment = view.moment
    last = moment.events
    here = moment.after(last if at is None else max(0, min(at, last)))
    now = here.events == last
    position = view.position if now else _position(view, here.events)
    is_mine = view.decision is not None and now
    known = knowledge_of(
        here,
        view.player,
        position,
        show if is_mine or show != "suggest" else "",
        lambda: news(here, view.player, 1 if here.events else 0),
        lambda: view.advise(_HINTS),
    )
    due = view.turn_of
    pictures = pictures_of(here)
    notes = {name: _notes(view, position, name) for name in view.setup.players}
    shown = pictures.in_view(here, known_marks(here, view.player), position)
    others = {place: faces for place, faces in shown.items() if place != view.player}
    table = pictures.table(last_outcome(view.record, here), notes, others, position)
    actions = _ruled(view, _actions(view)) if is_mine else []
    rows = [
        *pictures.middle(position),
        *((person(name), faces) for name, faces in others.items()),
        ("You", shown[view.player]),
    ]
    return SeatPage(
        view.game.title,
        view.setup.rules,
        person(view.player),
        [face for face in shown[view.player] if face.is_content],
        round_table(table),
        symbols((*table.faces, *shown[view.player], *_faces_of(actions), *_row_faces(known.sheet))),
        [EventSummary(entry.number, entry.turn, entry.story) for entry in view.events],
        here.events,
        last,
        "" if due is None or due == CHANCE else person(due),
        False,
        view.story_under_way if now else "",
        view.menu.ask if is_mine else "",
        actions,
        _usual(view) if is_mine else "",
        False,
        "",
        known,
        (),
        _stamp(view) if is_mine else "",
        tells_of_others(here),
        _is_forced(actions),
        *_lately(view),
        things=here.layout.held_as[1],
        rows=rows if pictures.shows_hands else (),
    )


def _lately(view: PersonView[Any, Any]) -> tuple[int, bool]:
    """Return the number of recent events to show, and a flag.

    The flag is true if these begin with the person's last move.
    """
    state: GameState[Any] = view.game.start(view.setup, None)
    last = None
    for number, outcome in enumerate(view.record.outcomes, 1):
        if state.decision is not None and state.decision.player == view.player:
            last = number
        state = state.follow(outcome)
    since = view.moment.events - (last or 1) + 1
    return min(max(since, 1), _LATELY), last is not None and since <= _LATELY


def _position(view: PersonView[Any, Any], events: int) -> GameState[Any]:
    """Return the public position after the first `events` events."""
    state: GameState[Any] = view.game.start(view.setup, None)
    for outcome in view.record.outcomes[:events]:
        state = state.follow(outcome)
    return state


def _faces_of(actions: Sequence[Doable]) -> Iterator[Face]:
    """Yield the pictures of all choices."""
    for action in actions:
        if action.face is not None:
            yield action.face
        for part in action.parts:
            for _, choices in part.groups:
                yield from (face for _, _, face in choices if face is not None)


def _row_faces(sheet: Sheet | None) -> Iterator[Face]:
    """Yield the pictures of the rows of a note sheet."""
    for group in () if sheet is None else sheet.groups:
        yield from (row.face for row in group.rows if row.face is not None)


def _notes(view: PersonView[Any, Any], position: GameState[Any], name: str) -> SeatNotes:
    """Return the public details of a player, for the picture of the table."""
    standing = view.game.standing(view.setup, position, name)
    status = ", ".join(part for part in (standing.note, standing.won) if part)
    holds = "" if standing.holds is None or standing.won else str(standing.holds)
    texts = ["you"] if name == view.player else []
    texts += [part for part in (holds, status) if part]
    return SeatNotes(None, ", ".join(texts), is_open=False, is_out=name in position.out)


def _actions(view: PersonView[Any, Any]) -> list[Doable]:
    """Return the person's actions, with the choices under the headings of the note sheet."""
    pictures = pictures_of(view.moment)
    headed = {
        _bare(title): group
        for group, rows in view.moment.layout.groups.items()
        for title in rows.values()
    }
    actions = []
    for number, action in enumerate(view.menu.actions):
        parts = []
        for part in action.parts:
            groups: dict[str, list[tuple[int, str, Face | None]]] = {}
            for place, choice in enumerate(part.choices):
                group = headed.get(choice.title.casefold(), "")
                face = pictures.choice(choice.value)
                groups.setdefault(group, []).append((place, choice.title, face))
            parts.append(Choosable(part.ask, list(groups.items()), steps=_steps(part)))
        actions.append(Doable(number, action.title, parts, pictures.action(action.title)))
    return actions


def _steps(part: Part) -> tuple[int, int] | None:
    """Return the smallest and the largest choice, if the choices are consecutive numbers."""
    titles = [choice.title for choice in part.choices]
    if not titles or not titles[0].isdecimal():
        return None
    least, most = int(titles[0]), int(titles[0]) + len(titles) - 1
    return (least, most) if titles == [str(n) for n in range(least, most + 1)] else None


_RULED_OUT = "You can rule these out"


def _bare(title: str) -> str:
    """Return the title of a row as it appears in choices."""
    return without_code(title).casefold()


def _ruled(view: PersonView[Any, Any], actions: Sequence[Doable]) -> list[Doable]:
    """Return the actions with marks on the choices that the person's note sheet excludes."""
    places = {part.place for action in view.menu.actions for part in action.parts if part.place}
    if not places:
        return list(actions)
    marks = known_marks(view.moment, view.player)
    row_of = {_bare(title): row for row, title in view.moment.layout.rows.items()}

    def divided(menu: Choosable, part: Part) -> Choosable:
        rows = [row_of.get(choice.title.casefold(), "") for choice in part.choices]
        out = frozenset(
            number
            for number, row in enumerate(rows)
            if part.place and marks.get((row, part.place)) is Mark.NO
        )
        if not out:
            return menu
        still = [
            (title, [choice for choice in choices if choice[0] not in out])
            for title, choices in menu.groups
        ]
        none = [choice for _, choices in menu.groups for choice in choices if choice[0] in out]
        groups = [group for group in still if group[1]]
        return replace(menu, groups=[*groups, (_RULED_OUT, none)], ruled_out=out)

    return [
        replace(shown, parts=list(map(divided, shown.parts, action.parts)))
        for shown, action in zip(actions, view.menu.actions, strict=True)
    ]


def _is_forced(actions: Sequence[Doable]) -> bool:
    """Return whether there is only one action, with only one choice for each of its parts."""
    if len(actions) != 1:
        return False
    return all(sum(len(choices) for _, choices in part.groups) == 1 for part in actions[0].parts)


def _usual(view: PersonView[Any, Any]) -> str:
    return "" if view.menu.usual is None else view.tell(view.menu.usual)
