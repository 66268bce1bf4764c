"""A player's knowledge at a moment, as pages show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from symkripke.engines import Mark
from symkripke.errors import SymkripkeError, Unsupported
from symkripke.play import Advice, Game, GameState, Moment, News
from symkripke.play.knowledge_matrix import insight, own_things_of
from symkripke.play.sentences import (
    insight_in_sentences,
    news_in_sentences,
    own_things_in_sentences,
    sheet_in_sentences,
)
from symkripke.play.views.pictures import pictures_of
from symkripke.web.views.sheets import Sheet, sheet

SHOWS = ("sheet", "odds", "words", "others", "suggest")
"""The ways to show the knowledge of a player."""


@dataclass(frozen=True)
class Move:
    """A recommended move, with its value and the reason.

    Attributes:
        title: the move in words.
        gain: its value, in words; empty if unknown.
        beside: the difference between its chance and the greatest chance, in words; empty for other
            values.
        reason: the reason for the recommendation.
        share: the length of its bar, from 0 to 100: a chance in percent; any other value as a
            percentage of the best value.
    """

    title: str
    gain: str
    beside: str
    reason: str
    share: float


@dataclass(frozen=True)
class Knowledge:
    """A player's knowledge as a page shows it.

    Attributes:
        player: the player.
        seat: the index of the player's seat, which determines the colour.
        title: the player's name, as people write it.
        sheet: the note sheet; None if it is not shown as a table.
        words: the sheet, or the player's knowledge about others, in sentences.
        news: the news of the last event for the player, in sentences.
        moves: the recommended moves.
        problem: why the knowledge cannot be shown; empty if it can.
    """

    player: str
    seat: int
    title: str
    sheet: Sheet | None = None
    words: Sequence[str] = ()
    news: Sequence[str] = ()
    moves: Sequence[Move] = ()
    problem: str = ""


def knowledge_of(
    moment: Moment[Any, Any],
    player: str,
    position: GameState[Any],
    show: str,
    news: Callable[[], News],
    advice: Callable[[], Sequence[Advice]] = tuple,
) -> Knowledge:
    """Return a player's knowledge, or the reason why a part of it cannot be shown.

    Args:
        moment: the moment.
        player: the player.
        position: the position at that moment.
        show: one of `SHOWS`, or empty for the news only.
        news: a function that returns the news of the last event.
        advice: a function that returns recommended moves.
    """
    layout = moment.layout
    seat, title = moment.setup.players.index(player), layout.person(player)
    drawn, words, moves, new = None, list[str](), list[Move](), list[str]()
    try:
        last_news = news()
        marks = {place: last_news.marks[cell] for place, cell in layout.cells.items()}
        new = list(news_in_sentences(layout, last_news.learned, marks))
        if show == "others":
            words = of_others(moment, player)
        elif show == "words":
            words = list(sheet_in_sentences(layout, marks, marks, {}))
        elif show == "suggest":
            moves = weighed(advice())
        elif show:
            odds = show == "odds"
            drawn = sheet(
                moment,
                player,
                position,
                odds=odds,
                marks=last_news.marks,
                new=last_news.learned,
                pictures=pictures_of(moment),
            )
    except SymkripkeError as error:
        return Knowledge(player, seat, title, news=new, problem=str(error))
    return Knowledge(player, seat, title, drawn, words, new, moves)


def weighed(moves: Sequence[Advice]) -> list[Move]:
    """Return the recommended moves, best first."""
    most: dict[str, float] = {}
    for move in moves:
        most[move.unit] = max(move.gain, most.get(move.unit, 0.0))
    return [
        Move(
            move.title,
            worth(move),
            _beside(move, most[move.unit]) if number else "",
            move.reason,
            100 * max(0.0, move.gain) / (1.0 if _is_chance(move) else most[move.unit] or 1.0),
        )
        for number, move in enumerate(moves)
    ]


def _is_chance(move: Advice) -> bool:
    return move.unit == "chance"


def worth(move: Advice) -> str:
    """Return the value of a move in words: "0.65 bits", "28% chance of a yes"."""
    if not _is_chance(move):
        return f"{move.gain:.2f} {move.unit}"
    if not (move.aim or move.gain):
        return ""
    return f"{_points(move.gain)}% chance {move.aim}".rstrip()


def _beside(move: Advice, best: float) -> str:
    """Return the difference from the greatest chance, in words."""
    if not _is_chance(move) or not worth(move):
        return ""
    less = _points(best) - _points(move.gain)
    return f"{less} percentage point{'' if less == 1 else 's'} less" if less else "the same"


def _points(share: float) -> int:
    return round(100 * share)


def tells_of_others(moment: Moment[Any, Any]) -> bool:
    """Return whether `of_others` has sentences, at least at some moments of the game."""
    kind = type(moment.game)
    asks = kind.answers is not Game.answers or kind.knows_answer is not Game.knows_answer
    return asks or moment.layout.describes


def of_others(moment: Moment[Any, Any], name: str) -> list[str]:
    """Return sentences on what a player knows about the knowledge of others."""
    if moment.layout.describes:
        known_of = own_things_of(moment, name)
        return list(own_things_in_sentences(moment.layout, name, known_of))
    try:
        known = insight(moment)
    except Unsupported as error:
        return [str(error)]
    mine: dict[tuple[str, str], Mark] = {
        pair: mark for pair, mark in known.items() if pair[0] == name
    }
    return list(insight_in_sentences(moment.layout, mine))
