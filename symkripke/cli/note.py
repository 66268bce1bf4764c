"""`symkripke note`, `undo`, `edit` and `list`: a log of a real table without a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.commands import argument, command
from symkripke.cli.options import JSON, LIMITS, LOG, PLAIN, Limits, open_journal, put_json
from symkripke.errors import InputError, PhraseError

if TYPE_CHECKING:
    from symkripke.play import Journal, TableEvent


@contextmanager
def _changed(log: str, limits: Limits, what: str) -> Iterator[Journal[Any, Any]]:
    """Open the journal for a change; an error names the clash and the suspects."""
    from symkripke.cli.contradiction import reasons, refused
    from symkripke.play import Contradiction

    journal = open_journal(log, limits)
    try:
        with limits.whole(what):
            yield journal
    except Contradiction as error:
        lines = (*refused(error), *reasons(error, limits), "Nothing was written.")
        raise InputError("\n".join(lines)) from error


def _entry_data(entry: TableEvent[Any]) -> dict[str, Any]:
    return {"number": entry.number, "turn": entry.turn, "story": entry.story}


def _pending_data(journal: Journal[Any, Any]) -> dict[str, str] | None:
    pending = journal.pending
    return None if pending is None else {"said": pending.said, "asked": pending.ask}


def _state(journal: Journal[Any, Any]) -> None:
    """Print the unfinished event, or the end of the game."""
    from symkripke.play.sentences import game_over, so_far

    pending = journal.pending
    if pending is not None:
        click.echo(f"So far: {so_far(pending)} {pending.ask}")
    over = game_over(journal)
    if over is not None:
        click.echo(over)


@command()
def note(
    log: str = LOG,
    events: tuple[str, ...] = argument("EVENT...", nargs=-1, required=True),
    plain: bool = PLAIN,
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    r"""Add EVENTS to the LOG of a real table, and show the new knowledge.

    \b
    symkripke note game.jsonl "Bob asks for rope, plum, hall. Eve shows a card."

    Either all events are added, or none. The last one may be incomplete; the next call continues
    it.
    """
    from rich.text import Text

    from symkripke.cli.console import console, say, sentence
    from symkripke.cli.display import they_know
    from symkripke.play.sentences import news_in_sentences, not_understood, unfinished

    if not any(event.strip(" \t\r\n;.,") for event in events):
        raise click.UsageError("expected an event, got an empty text")
    with _changed(log, limits, "entering the event") as journal:
        try:
            entered = journal.enter("\n".join(events))
        except PhraseError as error:
            problem = f"{not_understood(error)}: {error}"
            raise InputError("\n".join([problem, *unfinished(journal.pending)])) from error
    news = None
    knowers: list[str] = []
    if journal.seat is not None and entered.entries:
        with limits.whole("filling in the sheet"):
            news = journal.news(len(entered.entries))
            knowers = [name for name in news.knowers() if name != journal.seat]
    if as_json:
        learned: dict[str, dict[str, str]] = {}
        for (row, column), mark in ({} if news is None else news.learned).items():
            learned.setdefault(row, {})[column] = mark.value
        put_json(
            {
                "entries": [_entry_data(entry) for entry in entered.entries],
                "pending": _pending_data(journal),
                "learned": learned,
                "knowers": knowers,
                "result": journal.position.result,
            }
        )
        return
    out = console()

    def tell(text: str) -> None:
        if plain:
            sentence(out, text)
        else:
            say(out, Text(text))

    for entry in entered.entries:
        tell(f"{entry.number}. {entry.story}")
    if news is not None:
        marks = {place: news.marks[cell] for place, cell in news.layout.cells.items()}
        for line in news_in_sentences(news.layout, news.learned, marks):
            tell(f"New: {line}")
    if knowers:
        tell(f"New: {they_know(knowers)}")
    _state(journal)


@command()
def undo(log: str = LOG, limits: Limits = LIMITS, as_json: bool = JSON) -> None:
    r"""Remove the last entry of a LOG, or the last line of an incomplete entry.

    \b
    symkripke undo game.jsonl
    """
    from symkripke.play.sentences import RESULT_TAKEN_BACK, is_finished

    journal = open_journal(log, limits)
    was_over = is_finished(journal)
    taken = journal.undo()
    if as_json:
        put_json({"undone": taken, "entries": len(journal.entries)})
    else:
        click.echo(f"Removed: {taken}")
        if was_over and not is_finished(journal):
            click.echo(RESULT_TAKEN_BACK)


@command()
def edit(
    log: str = LOG,
    number: int = argument("N", type=int),
    text: str = argument("EVENT"),
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    r"""Replace entry N of a LOG with EVENT, or with several events separated by ;;.

    \b
    symkripke edit game.jsonl 7 "Eve asks for rope, plum, hall. Nobody shows a card."

    Later entries stay if they still fit. An empty EVENT ("") removes the entry.
    """
    with _changed(log, limits, "changing the entry") as journal:
        changed = journal.edit(number, text)
    if as_json:
        put_json({"changed": [_entry_data(entry) for entry in changed]})
        return
    if not text.strip():
        click.echo(f"Entry {number} was removed.")
    for entry in changed:
        click.echo(f"{entry.number}. {entry.story}")


@command("list")
def list_entries(log: str = LOG, limits: Limits = LIMITS, as_json: bool = JSON) -> None:
    r"""List the entries of a LOG with their numbers, for `edit`.

    \b
    symkripke list game.jsonl

    The exit code is 1 if an entry is impossible.
    """
    from symkripke.cli.contradiction import faulty

    journal = open_journal(log, limits)
    fault = journal.fault
    if as_json:
        data = {
            "entries": [_entry_data(entry) for entry in journal.entries],
            "pending": _pending_data(journal),
            "fault": None if fault is None else fault.number + 1,
        }
        put_json(data)
        click.get_current_context().exit(0 if fault is None else 1)
    for entry in journal.entries:
        click.echo(f"{entry.number}. {entry.story}")
    if journal.note:
        click.echo(f"Note: {journal.note}.", err=True)
    for line in faulty(journal):
        click.echo(line, err=True)
    if fault is not None:
        click.get_current_context().exit(1)
    _state(journal)
