"""Tables in sentences, for pages, screen readers and pipes (--plain)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symkripke.engines import Mark
from symkripke.explain.text import listed, percent
from symkripke.play.layout import Layout
from symkripke.play.words import person, with_titles

if TYPE_CHECKING:
    from symkripke.errors import PhraseError, SymkripkeError
    from symkripke.play import Journal, Moment
    from symkripke.play.acts import Pending
    from symkripke.play.knowledge_matrix import Insight
    from symkripke.play.knowledge_timeline import WhoKnew

Place = tuple[str, str]
"""A row and a column of a note sheet."""


def sheet_in_sentences(
    layout: Layout,
    marks: Mapping[Place, Mark],
    beliefs: Mapping[Place, Mark],
    sizes: Mapping[str, int],
    shares: Mapping[Place, Fraction] | None = None,
) -> Iterator[str]:
    """Yield a sentence for each column of a note sheet, then beliefs and probabilities."""
    for column, title in layout.columns.items():
        held = f" ({_held(layout, sizes[column])})" if column in sizes else ""
        if layout.counts:
            yield f"{title}{held} has {counted(layout, marks, column)}."
        elif layout.describes:
            yield f"{title}{held}: {described(layout, marks, column) or 'nothing'}."
        else:
            yield f"{title}{held} {_has(layout, marks, column)}."
    for column, title in layout.columns.items():
        more = {
            place: mark
            for place, mark in beliefs.items()
            if place[1] == column and mark is not marks[place]
        }
        if more and layout.counts:
            yield f"According to beliefs, {title} has {counted(layout, beliefs, column)}."
        elif more:
            yield f"According to beliefs, {title} {learned_of(layout, more, column)}."
    if shares is not None:
        yield from odds_in_sentences(layout, shares)


def _held(layout: Layout, number: int) -> str:
    """Return the number of things in a hand, in words: "3 cards", "1 die"."""
    return f"{number} {layout.held_as[number != 1]}"


def _has(layout: Layout, marks: Mapping[Place, Mark], column: str) -> str:
    """Return a sentence about the certain and the possible contents of a column."""
    surely, perhaps = (
        [title for row, title in layout.rows.items() if marks[row, column] is mark]
        for mark in (Mark.YES, Mark.OPEN)
    )
    if surely:
        words = f"has {listed(surely)}"
        return f"{words}; may have {', '.join(perhaps)}" if perhaps else f"{words}; nothing else"
    return f"may have {', '.join(perhaps)}" if perhaps else "has nothing"


def described(layout: Layout, marks: Mapping[Place, Mark], column: str) -> str:
    """Return descriptions of the things in a column: "card 1 is red, and may be rank 1".

    The opposites of a description are omitted if a part of it is certain or possible.
    """
    things = []
    for group, rows in layout.groups.items():
        surely, perhaps, never = (
            [layout.descriptions[row] for row in rows if marks.get((row, column)) is mark]
            for mark in (Mark.YES, Mark.OPEN, Mark.NO)
        )
        parts = [f"is {listed(surely)}"] if surely else []
        if perhaps:
            parts.append(f"may be {_or(perhaps)}")
        if never and not parts and len(never) < len(rows):
            parts.append(f"is not {_or(never)}")
        if parts:
            things.append(f"{group} {', and '.join(parts)}")
    return "; ".join(things)


def counted(
    layout: Layout, marks: Mapping[Place, Mark], column: str, groups: Sequence[str] | None = None
) -> str:
    """Return the number of cards of each group in a column: "2 to 5 sixes"."""
    parts = []
    for group, rows in layout.groups.items():
        if groups is not None and group not in groups:
            continue
        known = [marks[row, column] for row in rows]
        least = sum(mark is Mark.YES for mark in known)
        most = sum(mark is not Mark.NO for mark in known)
        named = layout.singular.get(group, group) if most == 1 else group
        parts.append(f"{least or 'no'} {named}" if least == most else f"{least} to {most} {named}")
    return ", ".join(parts)


def learned_of(layout: Layout, learned: Mapping[Place, Mark], column: str) -> str:
    """Return the new knowledge about a column: "has Rope; does not have White"."""
    has, lacks = (
        [title for row, title in layout.rows.items() if learned.get((row, column)) is mark]
        for mark in (Mark.YES, Mark.NO)
    )
    parts = [f"has {listed(has)}"] if has else []
    if lacks:
        parts.append(f"does not have {_or(lacks)}")
    return "; ".join(parts)


def _or(titles: Sequence[str]) -> str:
    return " or ".join(part for part in (", ".join(titles[:-1]), *titles[-1:]) if part)


def news_in_sentences(
    layout: Layout, learned: Mapping[Place, Mark], marks: Mapping[Place, Mark]
) -> Iterator[str]:
    """Yield the news on a note sheet, a sentence for each column with news."""
    located = {row for (row, _), mark in learned.items() if mark is Mark.YES}
    for column, title in layout.columns.items():
        here = {place: mark for place, mark in learned.items() if place[1] == column}
        if layout.counts:
            groups = [
                group
                for group, rows in layout.groups.items()
                if any((r, column) in here for r in rows)
            ]
            if groups:
                yield f"{title} has {counted(layout, marks, column, groups)}."
            continue
        if layout.describes:
            if new_here := described(layout, here, column):
                yield f"{title}: {new_here}."
            continue
        # Once a thing has been located, the other places need not be mentioned.
        sentences = {
            place: mark
            for place, mark in here.items()
            if mark is Mark.YES or place[0] not in located
        }
        new = {place: mark for place, mark in sentences.items() if mark is Mark.YES}
        before = {(row, column) for row in layout.rows} - set(new)
        if new and len(new) < len(sentences) and all(marks[place] is Mark.NO for place in before):
            # The whole hand is named, so the missing cards need not be.
            yield f"{title} {learned_of(layout, new, column)}; nothing else."
        elif sentences:
            yield f"{title} {learned_of(layout, sentences, column)}."


def when(moment: Moment[Any, Any]) -> str:
    """Return the moment in words."""
    if moment.is_journal:
        return f"after entry {moment.events}" if moment.events else "after the deal"
    return "after the deal" if moment.turn == 0 else f"after turn {moment.turn}"


def no_mistake_found(error: SymkripkeError) -> str:
    """Return the message about a search for a mistake that ended without a result."""
    return f"The search for the mistake found no result: {error}."


def unfinished(pending: Pending | None) -> Iterator[str]:
    """Yield the lines of the message about an unfinished event that the input does not continue."""
    if pending is not None and pending.said:
        yield f"This entry is incomplete: {so_far(pending)} {pending.ask}"
        yield "Finish it first, or type `undo` to remove its last line."


def not_understood(error: PhraseError) -> str:
    """Return the heading of an error about a line, depending on whether it was understood."""
    return "Not possible now" if error.is_understood else "Not understood"


RESULT_TAKEN_BACK = "The game is no longer over: its result is removed, too."


def is_finished(journal: Journal[Any, Any]) -> bool:
    """Return whether a game is over under the rules or according to the log."""
    return journal.position.result is not None or journal.record.result is not None


def game_over(journal: Journal[Any, Any]) -> str | None:
    """Return the result of the game, with the titles of players; None before the end."""
    result = journal.position.result
    return None if result is None else is_over(result, journal.setup.players)


def is_over(result: str, players: Iterable[str]) -> str:
    """Return the sentence about the end of the game, with the titles of players."""
    return f"The game is over: {with_titles(result, players)}."


def so_far(pending: Pending) -> str:
    """Return the unfinished event in words."""
    return pending.said if pending.said.endswith((".", "!")) else f"{pending.said} ..."


def odds_in_sentences(layout: Layout, shares: Mapping[Place, Fraction]) -> Iterator[str]:
    """Yield a sentence of probabilities for each row, or of means for each column of counts."""
    if layout.counts:
        for column, title in layout.columns.items():
            parts = [
                f"{float(sum(shares[row, column] for row in rows)):.2f} {group}"
                for group, rows in layout.groups.items()
            ]
            yield f"{title}, on average: {', '.join(parts)}."
        return
    for row, title in layout.rows.items():
        here = {column: shares[row, column] for column in layout.columns if shares[row, column]}
        parts = [
            layout.columns[column] if share == 1 else f"{layout.columns[column]} {percent(share)}"
            for column, share in sorted(here.items(), key=lambda found: -found[1])
        ]
        yield f"{title}: {', '.join(parts) or 'nowhere'}."


def own_things_in_sentences(
    layout: Layout, knower: str, known: Mapping[Place, Mark]
) -> Iterator[str]:
    """Yield a sentence about the knower's things, then one for each other player.

    `known` has the marks of `symkripke.play.knowledge_matrix.own_things_of`.
    """
    for column, title in layout.columns.items():
        sure = {place: mark for place, mark in known.items() if mark is not Mark.OPEN}
        if column == knower:
            yield f"{title}: {described(layout, known, column) or 'nothing'}."
        elif words := described(layout, sure, column):
            yield f"{title} surely knows: {words}."
        else:
            yield f"{title} may know nothing of their {layout.held_as[1]}."


def insight_in_sentences(layout: Layout, insight: Insight) -> Iterator[str]:
    """Yield sentences about each player's knowledge of the answer and of the others' knowledge."""
    knowers = dict.fromkeys(knower for knower, _ in insight)
    says = {Mark.YES: ("knows", "know"), Mark.NO: ("does not know", "do not know")}
    for knower in knowers:
        title = layout.person(knower)
        mine = {other: mark for (who, other), mark in insight.items() if who == knower}
        own = mine.pop(knower, Mark.OPEN)
        yield f"{title} {'knows' if own is Mark.YES else 'does not know'} the answer."
        for mark, verbs in says.items():
            named = [layout.person(other) for other, known in mine.items() if known is mark]
            if named:
                verb = verbs[len(named) > 1]
                yield f"{title} knows that {listed(named)} {verb} the answer."
        unclear = [layout.person(other) for other, known in mine.items() if known is Mark.OPEN]
        if unclear:
            verb = "know" if len(unclear) > 1 else "knows"
            yield f"{title} cannot tell whether {listed(unclear)} {verb} the answer."


def who_knew_in_sentences(timeline: WhoKnew) -> Iterator[str]:
    """Yield the lines of the timeline, one for each player, or each turn if questions change."""
    if timeline.things:
        yield f"Who knew what when ({timeline.what}, of {timeline.things}):"
        for knower in timeline.knowers:
            known = knower.known.items()
            turns = ", ".join(f"{number} after {_when(turn)}" for turn, number in known)
            if timeline.asks:
                since = knower.answer_since
                turns += (
                    "; could not know the answer at any time"
                    if since is None
                    else f"; could know the answer from {_when(since)} on"
                )
            yield f"  {person(knower.player)}: {turns}."
    if timeline.early:
        yield "Who could know whether the bid was met before the dice were shown:"
        for turn, players in timeline.early.items():
            yield f"  {_when(turn)}: {listed([person(player) for player in players])}."


def _when(turn: int) -> str:
    return f"turn {turn}" if turn else "the deal"
